package e2e_test

import (
	"bufio"
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// healInterrupt is a signal that ends a healing in one of its phases, which begins when
// the command says so.
type healInterrupt struct {
	phase  string
	signal syscall.Signal
}

// C5: a healing that writes and is ended in any phase leaves the files as they were. If
// it was told to end, it says so, and leaves no process and no temporary file.
func TestHealInterrupted(t *testing.T) {
	t.Parallel()
	firstTest, _, _ := strings.Cut(healSpec, "\ntest('picks")
	rig := newHealRig(t, map[string]string{"shop.spec.ts": firstTest})
	ends := []healInterrupt{{"running the tests", syscall.SIGTERM}, {"attempt 1", syscall.SIGKILL}}
	if soak() {
		rig.prove(".")
		for _, phase := range []string{"running the tests", "attempt 1", "attempt 2", "running 1 healed", "proving 1 healed", "control run"} {
			for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
				ends = append(ends, healInterrupt{phase, signal})
			}
		}
	}
	rig.page.Store(movedPage())
	for _, end := range ends {
		rig.endHealing(end)
		if now := rig.read("shop.spec.ts"); now != firstTest {
			t.Fatalf("%s in %q: the test has changed:\n%s", end.signal, end.phase, now)
		}
	}
}

// endHealing ends assay heal --write in a phase.
func (rig *healRig) endHealing(end healInterrupt) {
	t := rig.t
	t.Helper()
	w := &wire{t: t, temp: t.TempDir(), data: t.TempDir()}
	w.cmd = exec.Command(binary(t), "heal", ".", "--write", "--base-url", rig.site.URL, "--data-dir", rig.dir+"/data")
	var stdout bytes.Buffer
	w.cmd.Dir, w.cmd.Env, w.cmd.Stdout = rig.dir, environment(w.temp), &stdout
	said, err := w.cmd.StderrPipe()
	if err == nil {
		err = w.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines, reached := bufio.NewScanner(said), false
	for !reached && lines.Scan() {
		reached = strings.Contains(lines.Text(), end.phase)
	}
	then := w.family()
	if err := w.cmd.Process.Signal(end.signal); err != nil || !reached {
		t.Errorf("%q was not reached: %v %s", end.phase, err, stdout.String())
	}
	for lines.Scan() { // until it has ended
	}
	err = w.cmd.Wait()
	var exit *exec.ExitError
	if strings.Contains(stdout.String(), "written:") || end.signal != syscall.SIGKILL && (!errors.As(err, &exit) || exit.ExitCode() != 130) {
		t.Errorf("%s in %q: %v, said %s", end.signal, end.phase, err, stdout.String())
	}
	if end.signal == syscall.SIGKILL {
		eventually(t, patience, func() string { return running(w, then) })
		return
	}
	eventually(t, patience, func() string { return w.left(then) })
}

// running says which processes of a command are still there: one that was killed can't
// end its runner, which ends by itself.
func running(w *wire, then []process) string {
	var left []string
	for _, p := range append(w.family(), then...) {
		for _, now := range processes(w.t) {
			if !now.zombie && now.pid == p.pid && now.start == p.start {
				left = append(left, p.String())
			}
		}
	}
	return strings.Join(left, ", ")
}
