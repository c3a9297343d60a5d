package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mounted starts a command after another one has mounted what it wants on the
// folder data, in a mount namespace of their own.
func mounted(t *testing.T, data, mount string, command ...string) []string {
	t.Helper()
	unshare := []string{"unshare", "--mount", "--map-root-user", "sh", "-c"}
	if out, err := exec.CommandContext(t.Context(), unshare[0], append(unshare[1:], mount, data)...).CombinedOutput(); err != nil {
		t.Skipf("mounting is not allowed here: %v: %s", err, out)
	}
	return append(append(unshare, mount+` && shift && exec "$@"`, data, "-"), command...)
}

// B8, B4: a disk that becomes full at any moment of a run: the run passes with
// all its evidence, or it does not pass and says why. What was kept before
// stays, and once there is room, runs pass again. evidence and evidence/ledger have it
// without a browser; bounded files are left to make soak.
func TestEvidenceFullDisk(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	page := badSite(t) + "/ok"
	t.Run("small disk", func(t *testing.T) {
		t.Parallel()
		data := t.TempDir()
		w := launchAs(t, november25, t.TempDir(), data, mounted(t, data, `mount -t tmpfs -o size=8m tmpfs "$0"`, binary(t), "serve", "--data-dir", data))
		w.greet()
		inside := fmt.Sprintf("/proc/%d/root%s", w.cmd.Process.Pid, data)
		ballast := filepath.Join(inside, "ballast")
		w.squeezed(page, func(room int) {
			must(t, os.RemoveAll(ballast))
			if room < 0 {
				return
			}
			file, err := os.Create(ballast)
			must(t, err)
			defer file.Close()
			for err == nil {
				_, err = file.Write(make([]byte, 4<<10))
			}
			info, err := file.Stat()
			must(t, err)
			must(t, file.Truncate(max(0, info.Size()-int64(room))))
		}, func() string {
			must(t, os.RemoveAll(ballast))
			return copied(t, inside)
		})
	})
	t.Run("bounded files", func(t *testing.T) {
		if !soak() {
			t.Skip("repeats the small disk by another limit: SOAK=1")
		}
		t.Parallel()
		w := alone(t, november25)
		w.squeezed(page, func(room int) {
			limit := fmt.Sprintf("--fsize=%d:", room) // the soft limit alone: a hard one stays
			if room < 0 {
				limit = "--fsize=unlimited:"
			}
			if out, err := exec.CommandContext(t.Context(), "prlimit", "--pid", fmt.Sprint(w.cmd.Process.Pid), limit).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}, func() string { return w.data })
	})
}

// squeezed makes runs with less and less missing room, in bytes; -1 is as much
// as there is. folder is the data folder as others see it.
func (w *wire) squeezed(page string, leave func(room int), folder func() string) {
	w.t.Helper()
	w.passes(page)
	passed, refused, step, enough := 0, 0, 30<<10, 1
	if soak() {
		step, enough = 6<<10, 2
	}
	for room := 0; room <= 400<<10 && passed < enough; room = room*5/4 + step {
		leave(room)
		f := w.goodRun(page)
		leave(-1)
		switch {
		case f.status == "passed":
			passed++
			verified(w.t, folder(), f.run)
		case !strings.Contains(f.text, "full") && !strings.Contains(f.text, "file too large"):
			w.t.Errorf("with %d bytes of room: %s, and not why: %s", room, f.status, f.text)
		default:
			refused++
		}
		if f.open {
			f = w.finishes()
		}
		if f.open {
			w.t.Errorf("after %d bytes there is room again, and now: %s", room, f.text)
		} else if f.status == "passed" {
			verified(w.t, folder(), f.run)
		}
		if f := w.goodRun(page); f.status != "passed" {
			w.t.Fatalf("%s, though there is room again after %d bytes: %s", f.status, room, f.text)
		}
	}
	if passed == 0 || refused < 3 {
		w.t.Errorf("%d runs passed and %d were refused: the room was never too little, or always", passed, refused)
	}
	if v := examine(w.t, folder(), "--all"); v.Verdict == "failed" {
		w.t.Errorf("a full disk looks like tampering: %s", v)
	}
	w.t.Logf("%d refused, %d passed", refused, passed)
}

// B8: on a folder that can't be written no run ends, and what is there can be
// verified.
func (k keeping) readOnly(t *testing.T) {
	k.in(t)
	const readOnly = `mount --bind "$0" "$0" && mount -o remount,ro,bind "$0"`
	for _, what := range []string{"latest", "--all"} {
		command := mounted(t, k.data, readOnly, binary(t), "verify", what, "--data-dir", k.data)
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		cmd.Env = environment(t.TempDir())
		if out, err := cmd.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "verified") {
			t.Errorf("verify %s: %v: %s", what, err, out)
		}
	}
	for name, data := range map[string]string{"with a log": k.data, "empty": t.TempDir()} {
		w := launchAs(t, november25, t.TempDir(), data, mounted(t, data, readOnly, binary(t), "serve", "--data-dir", data), browserless(t)...)
		w.exits = 1 // the run that could not be stored
		w.greet()
		if f := w.emptyRun(); !f.open || !strings.Contains(f.text, "--data-dir") {
			t.Errorf("%s: it ended as %s, or nobody learns of --data-dir: %s", name, f.status, f.text)
		}
	}
	k.passes(k.page)
	verified(t, k.data, "--all")
}
