package driver

import (
	"fmt"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// processTree is what a driver has started, in a job object: it ends when the job's last
// handle is closed, so also when this process is killed.
type processTree struct {
	mu  sync.Mutex
	job windows.Handle
}

// hold makes the job and puts the driver into it. What the driver starts then is in it too.
func (t *processTree) hold(pid int) error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return fmt.Errorf("making a job for the driver: %w", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		_ = windows.CloseHandle(job) // it is empty
		return fmt.Errorf("setting the limits of the driver's job: %w", err)
	}
	driver, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, driver)
		_ = windows.CloseHandle(driver) // the job has its own
	}
	if err != nil {
		_ = windows.CloseHandle(job) // it is empty
		return fmt.Errorf("putting the driver into its job: %w", err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.job = job
	return nil
}

// kill ends all processes of the job.
func (t *processTree) kill(string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.job != 0 {
		_ = windows.TerminateJobObject(t.job, 1) // they may have ended meanwhile, which is what we want
	}
}

// release gives the job back, whose processes have ended.
func (t *processTree) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.job != 0 {
		_ = windows.CloseHandle(t.job)
		t.job = 0
	}
}

// killOrphansOf does nothing: a job's processes end with their server.
func killOrphansOf(string) {}
