package driver

import (
	"errors"
	"strings"
	"testing"
)

// A bound that is too low is named before anything fails of it, with what to do; one that
// is high enough, or none, is no matter.
func TestCheckOpenFiles(t *testing.T) {
	for files, fits := range map[uint64]bool{0: true, 1: false, 64: false, minOpenFiles - 1: false, minOpenFiles: true, 1 << 20: true} {
		host := hostSystem{openFiles: files}
		err := host.checkOpenFiles()
		var explained *InstallError
		if fits != (err == nil) || !fits && (!errors.As(err, &explained) || !strings.Contains(err.Error(), "ulimit -n 1024")) {
			t.Errorf("%d files: %v", files, err)
		}
		check := (&doctor{&installer{host: host}}).diagnoseOpenFiles()
		if fits != (check.Health == HealthOK) || fits != (check.Remedy == "") {
			t.Errorf("%d files: %+v", files, check)
		}
	}
}
