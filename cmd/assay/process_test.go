package main

import (
	"os"
	"slices"
	"syscall"
	"testing"
)

// A variable's value is found as the system finds it, and what was not set is empty.
func TestEnvironmentOf(t *testing.T) {
	entries := []string{"=C:=C:\\x", "Path=C:\\bin", "EMPTY=", "EQUALS=a=b"}
	for goos, want := range map[string]map[string]string{
		"linux":   {"Path": `C:\bin`, "PATH": "", "EMPTY": "", "EQUALS": "a=b", "NOPE": "", "": ""},
		"windows": {"Path": `C:\bin`, "PATH": `C:\bin`, "equals": "a=b", "NOPE": "", "": ""},
	} {
		env := environmentOf(entries, goos)
		for name, value := range want {
			if got := env.get(name); got != value {
				t.Errorf("%s: %s is %q, want %q", goos, name, got, value)
			}
		}
	}
}

// What nohup and its like have set to be ignored stays so; all else that asks a process to
// end does end it.
func TestEndingSignals(t *testing.T) {
	all := endingSignals(func(os.Signal) bool { return false })
	if want := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}; !slices.Equal(all, want) {
		t.Errorf("%v, want %v", all, want)
	}
	if some := endingSignals(func(s os.Signal) bool { return s == syscall.SIGHUP }); slices.Contains(some, os.Signal(syscall.SIGHUP)) || len(some) != 3 {
		t.Errorf("SIGHUP ignored: %v", some)
	}
}
