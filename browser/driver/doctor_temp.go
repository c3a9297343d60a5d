package driver

import "fmt"

// minTempBytes sets what five sessions with video and downloads may need for a while.
const minTempBytes = 512 << 20

// diagnoseTemp looks at the room for the browser's shared memory and profiles. Playwright launches
// Chromium with --disable-dev-shm-usage, so both are in the temp folder and a small /dev/shm, as
// containers have it, does no harm.
func (in *installer) diagnoseTemp() Diagnosis {
	check := Diagnosis{Name: "temp folder", Health: HealthOK, Detail: in.TempDir}
	if in.TempDir == "" {
		check.Health, check.Detail = HealthWarn, "none given, so not looked at"
		return check
	}
	if written := in.diagnoseDir(check.Name, in.TempDir); written.Health != HealthOK {
		return written
	}
	free, known := freeBytes(in.TempDir)
	if known {
		check.Detail = fmt.Sprintf("%s, %d MB free", in.TempDir, free>>20)
		if free < minTempBytes {
			check.Health = HealthWarn
			check.Detail += fmt.Sprintf(": below %d MB downloads and videos may fail", minTempBytes>>20)
			check.Remedy = "TMPDIR=<a folder with room> assay serve"
		}
	}
	if shm, ok := freeBytes("/dev/shm"); ok && in.host.goos == "linux" {
		check.Detail += fmt.Sprintf("; /dev/shm %d MB free, not needed", shm>>20)
	}
	return check
}
