package main

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/terminal"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

// typing is a terminal at which a person types a text.
func typing(t *testing.T, text string) *os.File {
	t.Helper()
	screen, keyboard := openTerminal(t)
	if _, err := screen.WriteString(text); err != nil {
		t.Fatal(err)
	}
	return keyboard
}

// openTerminal opens a terminal: what a person sees and types, and what a program has.
func openTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	var number, unlocked uint32
	for request, value := range map[uintptr]*uint32{syscall.TIOCGPTN: &number, syscall.TIOCSPTLCK: &unlocked} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, screen.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
			t.Fatal(errno)
		}
	}
	keyboard, err := os.OpenFile("/dev/pts/"+strconv.Itoa(int(number)), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = keyboard.Close() })
	return screen, keyboard
}

// A verdict at a terminal has a mark and a colour as far as the environment allows them,
// and always its word; its lines keep to the width. A file gets neither.
func TestVerdictAtATerminal(t *testing.T) {
	t.Parallel()
	why := "the heading says Other: " + strings.Repeat("and more ", 12) + "end"
	entry := suite.Entry{Path: "a.task.toml", Result: &suite.Result{TestCase: qa.TestCase{Name: "a", Status: qa.TestFailed, FailureReason: pagetext.Text(why)}}}
	unclear := suite.Entry{Path: "b.task.toml", Result: &suite.Result{TestCase: qa.TestCase{Name: "b", Status: qa.TestError}}}
	for name, tt := range map[string]struct{ env, want map[string]string }{
		"colours":        {map[string]string{"LANG": "C.UTF-8"}, map[string]string{"first": "\x1b[31m✗ \x1b[0mfailed  a.task.toml", "last": "\x1b[33m? \x1b[0minconclusive  b.task.toml"}},
		"NO_COLOR":       {map[string]string{"LANG": "C.UTF-8", "NO_COLOR": "1"}, map[string]string{"first": "✗ failed  a.task.toml", "last": "? inconclusive  b.task.toml"}},
		"CLICOLOR":       {map[string]string{"LANG": "C.UTF-8", "CLICOLOR": "0"}, map[string]string{"first": "✗ failed  a.task.toml", "last": "? inconclusive  b.task.toml"}},
		"dumb":           {map[string]string{"LANG": "de_DE.utf8", "TERM": "dumb"}, map[string]string{"first": "✗ failed  a.task.toml", "last": "? inconclusive  b.task.toml"}},
		"no UTF-8":       {map[string]string{"LC_ALL": "C", "LANG": "C.UTF-8", "NO_COLOR": "1"}, map[string]string{"first": "FAIL failed  a.task.toml", "last": "?    inconclusive  b.task.toml"}},
		"another locale": {map[string]string{"LANG": "de_DE.ISO-8859-1", "NO_COLOR": "1"}, map[string]string{"first": "FAIL failed  a.task.toml", "last": "?    inconclusive  b.task.toml"}},
	} {
		person, program := openTerminal(t)
		if err := unix.IoctlSetWinsize(int(person.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 60}); err != nil {
			t.Fatal(err)
		}
		getenv := func(name string) string { return tt.env[name] }
		a := &app{stdout: program, getenv: getenv, style: terminal.StyleOf(program, getenv)}
		printCase(a, entry)
		printCase(a, unclear)
		var lines []string
		for shown := bufio.NewReader(person); len(lines) < 5; {
			line, err := shown.ReadString('\n')
			if err != nil {
				t.Fatal(err, lines)
			}
			lines = append(lines, strings.TrimRight(line, "\r\n"))
		}
		if !strings.HasPrefix(lines[0], tt.want["first"]) || !strings.HasPrefix(lines[4], tt.want["last"]) {
			t.Errorf("%s: %q", name, lines)
		}
		for _, line := range lines[1:4] {
			if len(line) > 60 || !strings.HasPrefix(line, "  ") {
				t.Errorf("%s: %q does not keep to 60 columns", name, line)
			}
		}
		if strings.Join(strings.Fields(strings.Join(lines[1:4], " ")), " ") != "why: "+why {
			t.Errorf("%s: the reason is not whole: %q", name, lines[1:4])
		}
	}
}
