package workers

import "syscall"

// ownGroup keeps a terminal's Ctrl+C from a process: whoever started it ends it, once what
// it has begun is judged.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
