package driver

import "fmt"

// minOpenFiles is how many files a process must be allowed to have open at once for a
// driver, a browser and its sessions. With 128 a browser opens one page; with 96 its start
// hangs, and with fewer each part fails in words of its own.
const minOpenFiles = 256

// checkOpenFiles refuses a bound on open files with which driver and browser would fail
// somewhere on their way.
func (h hostSystem) checkOpenFiles() error {
	if h.openFiles == 0 || h.openFiles >= minOpenFiles {
		return nil
	}
	return &InstallError{
		What: fmt.Sprintf("a process may have %d files open here, and driver and browser need %d: raise that limit where assay is started (in a "+
			"shell with ulimit, in a service with LimitNOFILE, in a container with --ulimit nofile)", h.openFiles, minOpenFiles),
		Remedy: fmt.Sprintf("ulimit -n %d", 4*minOpenFiles),
	}
}

func (d *doctor) diagnoseOpenFiles() Diagnosis {
	check := Diagnosis{Name: "open files", Health: HealthOK, Detail: fmt.Sprintf("a process may have %d open, needed are %d", d.host.openFiles, minOpenFiles)}
	if d.host.openFiles == 0 {
		check.Detail = "no bound"
	}
	if err := d.host.checkOpenFiles(); err != nil {
		check.Health, check.Remedy = HealthFail, fmt.Sprintf("ulimit -n %d", 4*minOpenFiles)
	}
	return check
}
