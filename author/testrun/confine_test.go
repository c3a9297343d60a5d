package testrun_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/testrun"
)

// TestEnvironIsScrubbed shows that of a person's variables only harmless ones stay, and
// that home and folder for temporary files are others (A16).
func TestEnvironIsScrubbed(t *testing.T) {
	l := testrun.ConfineLimits{Home: "/h", Temp: "/t"}
	out := l.Environ([]string{"PATH=/bin", "HOME=/root", "TMPDIR=/tmp", "LANG=C", "LC_ALL=C", "OPENAI_API_KEY=x", "AWS_SECRET=x", "NODE_OPTIONS=--require=/evil.js", "GIT_DIR=/x", "SSH_AUTH_SOCK=/x", "LD_PRELOAD=/x", "HTTPS_PROXY=http://u:p@x", "CI=1", "XDG_CONFIG_HOME=/x"})
	for _, wanted := range []string{"PATH=/bin", "LANG=C", "LC_ALL=C", "HOME=/h", "TMPDIR=/t", "XDG_CONFIG_HOME=" + filepath.Join("/h", "config")} {
		if !slices.Contains(out, wanted) {
			t.Errorf("%s is missing in %v", wanted, out)
		}
	}
	for _, e := range out {
		for _, bad := range []string{"KEY", "SECRET", "evil", "GIT", "SSH", "PRELOAD", "PROXY", "CI=", "=/root", "=/tmp"} {
			if strings.Contains(e, bad) {
				t.Errorf("%s is passed on", e)
			}
		}
	}
}

// run runs a script of the shell within limits and returns what it prints.
func run(t *testing.T, l testrun.ConfineLimits, dir, script string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("there is no shell")
	}
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Dir, cmd.Env = dir, l.Environ(os.Environ())
	if err := l.Apply(cmd); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestResourcesAreBounded shows that a program and what it starts have limits (A16).
func TestResourcesAreBounded(t *testing.T) {
	dir := t.TempDir()
	l := testrun.ConfineLimits{Home: filepath.Join(dir, "home"), Temp: dir}
	got := strings.Fields(run(t, l, dir, "ulimit -c; ulimit -t; ulimit -f; ulimit -n; pwd; echo $HOME; sh -c 'ulimit -t'"))
	if len(got) != 7 || got[0] != "0" || got[1] != "600" || got[2] == "unlimited" || got[3] == "unlimited" || filepath.Base(got[4]) != filepath.Base(dir) || got[5] != l.Home || got[6] != "600" {
		t.Errorf("got %v", got)
	}
	cmd := exec.Command("/bin/sh", "-c", "ulimit -t unlimited")
	if err := l.Apply(cmd); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() != 0 && cmd.Run() == nil {
		t.Error("a limit was raised")
	}
}

// TestWalls shows what a program sees within bwrap, where that is installed (A16): no
// home of a person, nothing that it may write but its own folders, no other processes.
func TestWalls(t *testing.T) {
	bwrap, why := testrun.FindBwrap(t.Context(), os.Getenv("PATH"))
	if bwrap == "" {
		t.Skip(why)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"person/.ssh", "copy/.git", "temp", "person/read"} {
		if err := os.MkdirAll(at(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"person/.ssh/key", "copy/.git/config", "person/read/lib.js"} {
		if err := os.WriteFile(at(name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l := testrun.ConfineLimits{Home: at("temp/home"), Temp: at("temp"), Write: []string{at("copy")}, Keep: []string{at("copy/.git")}, Read: []string{at("person/read")}, Hide: []string{at("person")}, Bwrap: bwrap}
	got := run(t, l, at("copy"), `
tried() { if ( eval "$1" ) 2>/dev/null >/dev/null; then echo "yes: $2"; else echo "no: $2"; fi; }
tried 'cat ../person/.ssh/key' key
tried 'cat ../person/read/lib.js' lib
tried 'echo a > ../person/read/lib.js' change-lib
tried 'echo a > .git/config' git
tried 'echo a > file' copy
tried 'echo a > $HOME/file' home
tried 'echo a > ../file' beside
tried 'echo a > /etc/assay-test' etc
tried 'kill -0 `+strings.TrimSpace(pid())+`' kill
`)
	want := "no: key\nyes: lib\nno: change-lib\nno: git\nyes: copy\nyes: home\nno: beside\nno: etc\nno: kill"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func pid() string {
	text, err := os.Readlink("/proc/self")
	if err != nil {
		return "1"
	}
	return text
}
