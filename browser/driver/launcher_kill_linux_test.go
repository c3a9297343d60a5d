//go:build linux

package driver

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// serverEnv makes the test binary play the server in the kill tests: its value is the temp folder.
const serverEnv = "ASSAY_TEST_LAUNCHER_TEMP"

// TestLauncherServer is not a test but the server that the kill tests kill: a driver with a browser
// that has a page open. It prints the driver's pid and waits.
func TestLauncherServer(t *testing.T) {
	temp := os.Getenv(serverEnv)
	if temp == "" {
		return // the ordinary run
	}
	inst := locateForTest(t)
	l, err := NewLauncher(inst.Driver, temp)
	if err != nil {
		t.Fatal(err)
	}
	pw := runForTest(t, l)
	b, err := pw.Chromium.Launch(playwright.BrowserTypeLaunchOptions{
		ExecutablePath:  playwright.String(inst.Browser.Path),
		ChromiumSandbox: playwright.Bool(os.Geteuid() != 0),
	})
	if err != nil {
		t.Fatal(err)
	}
	page, err := b.NewPage()
	if err != nil {
		t.Fatal(err)
	}
	if err := page.SetContent("<h1>here</h1>"); err != nil {
		t.Fatal(err)
	}
	fmt.Printf("\ndriver %d\n", pw.Pid())
	_, _ = io.Copy(io.Discard, os.Stdin) // until the test ends, or kills us

}

// killedServer is a running server with everything that belongs to it.
type killedServer struct {
	cmd    *exec.Cmd
	temp   string
	driver int
	tree   []int // the server's descendants: the driver, the browser and its helpers
}

func startServer(t *testing.T) *killedServer {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &killedServer{temp: t.TempDir()}
	s.cmd = exec.Command(self, "-test.run=^TestLauncherServer$", "-test.v")
	s.cmd.Env = append(s.cmd.Environ(), serverEnv+"="+s.temp)
	s.cmd.Stderr = os.Stderr
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	})
	var printed strings.Builder
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		fmt.Fprintln(&printed, lines.Text())
		if text, ok := strings.CutPrefix(lines.Text(), "driver "); ok {
			if s.driver, err = strconv.Atoi(text); err != nil {
				t.Fatal(err)
			}
			s.tree = descendants(t, s.cmd.Process.Pid)
			return s
		}
	}
	t.Fatalf("the server ended before it had a browser:\n%s", &printed)
	return nil
}

// descendants lists all processes below pid.
func descendants(t *testing.T, pid int) []int {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		t.Fatalf("no /proc to read the process tree from: %v", err)
	}
	children := map[int][]int{}
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it ended meanwhile
		}
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		parent, _ := strconv.Atoi(fields[1])
		child, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		children[parent] = append(children[parent], child)
	}
	var all []int
	for queue := []int{pid}; len(queue) > 0; queue = queue[1:] {
		all = append(all, children[queue[0]]...)
		queue = append(queue, children[queue[0]]...)
	}
	return all
}

// eventually polls until ok, at most three seconds: the time in which nothing may be left.
func eventually(t *testing.T, what func() string) time.Duration {
	t.Helper()
	start := time.Now()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := start.Add(3 * time.Second); ; <-tick.C {
		left := what()
		if left == "" {
			return time.Since(start)
		}
		if time.Now().After(deadline) {
			t.Fatalf("still there after 3 s: %s", left)
		}
	}
}

// left says what remains of the server: processes of its tree, entries of its temp folder.
func (s *killedServer) left(t *testing.T, folders bool) string {
	var left []string
	for _, pid := range s.tree {
		if ProcessAlive(pid) {
			name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
			left = append(left, fmt.Sprintf("process %d (%s)", pid, strings.TrimSpace(string(name))))
		}
	}
	entries, err := os.ReadDir(s.temp)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if folders {
			left = append(left, entry.Name())
		}
	}
	return strings.Join(left, ", ")
}

func kill(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

func needsKillTests(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts browsers")
	}
}

// Step 1, "done when": kill -9 of the server leaves no process and no folder.
func TestLauncherServerKilled(t *testing.T) {
	needsKillTests(t)
	times := 1
	if os.Getenv("SOAK") != "" {
		times = 10
	}
	for range times {
		s := startServer(t)
		if len(s.tree) < 3 {
			t.Fatalf("driver, browser and helpers expected, got processes %v", s.tree)
		}
		kill(t, s.cmd.Process.Pid)
		t.Logf("gone after %s", eventually(t, func() string { return s.left(t, true) }))
	}
}

// A browser that hangs gets two seconds, not the thirty of Playwright.
func TestLauncherServerKilledBrowserHangs(t *testing.T) {
	needsKillTests(t)
	s := startServer(t)
	s.stop(t, s.driver)
	kill(t, s.cmd.Process.Pid)
	t.Logf("gone after %s", eventually(t, func() string { return s.left(t, true) }))
}

// Step 1, "done when": kill -9 of the driver takes the browser along; Remove takes the folder.
func TestLauncherDriverKilled(t *testing.T) {
	needsKillTests(t)
	s := startServer(t)
	kill(t, s.driver)
	t.Logf("gone after %s", eventually(t, func() string { return s.left(t, false) }))
	dirs, err := filepath.Glob(filepath.Join(s.temp, launcherPrefix+"*"))
	if err != nil || len(dirs) != 1 {
		t.Fatalf("the launcher's folder should still be there, it is the server's to remove: %v, %v", dirs, err)
	}
	if err := (&Launcher{Dir: dirs[0]}).Remove(); err != nil {
		t.Fatal(err)
	}
	if left := s.left(t, true); left != "" {
		t.Fatalf("left after Remove: %s", left)
	}
}

// stop stops all processes of the server's tree, but for those spared.
func (s *killedServer) stop(t *testing.T, spared ...int) {
	t.Helper()
	for _, pid := range s.tree {
		if slices.Contains(spared, pid) {
			continue
		}
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
}

// launcher is the server's, as the server knows it.
func (s *killedServer) launcher(t *testing.T) *Launcher {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(s.temp, launcherPrefix+"*"))
	if err != nil || len(dirs) != 1 {
		t.Fatalf("one launcher expected: %v, %v", dirs, err)
	}
	return &Launcher{Dir: dirs[0]}
}

// A browser that is stopped never sees that its driver is gone: its server kills it, helpers
// included.
func TestLauncherDriverKilledBrowserStopped(t *testing.T) {
	needsKillTests(t)
	s := startServer(t)
	s.stop(t, s.driver)
	kill(t, s.driver)
	l := s.launcher(t)
	l.KillBrowsers()
	t.Logf("gone after %s", eventually(t, func() string { return s.left(t, false) }))
	if err := l.Remove(); err != nil {
		t.Fatal(err)
	}
}

// A group that has ended is noted no more, as its number may be another's later. As long as
// a zombie of it is there, which some containers never bury, it can't be.
func TestLauncherForgetsEndedBrowsers(t *testing.T) {
	needsKillTests(t)
	s := startServer(t)
	groups := groupsIn(s.launcher(t).Dir)
	if len(groups) != 1 {
		t.Fatalf("groups %v noted, want one browser's", groups)
	}
	if err := syscall.Kill(-groups[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	dir := s.launcher(t).Dir
	eventually(t, func() string {
		if noted := groupsIn(dir); len(noted) > 0 && syscall.Kill(-noted[0], 0) != nil {
			return fmt.Sprint(noted)
		}
		return ""
	})
}

// A server that is killed while driver and browser are stopped leaves them, as nobody of
// them can act: the next server ends them.
func TestLauncherSweepsStopped(t *testing.T) {
	needsKillTests(t)
	s := startServer(t)
	s.stop(t)
	if err := RemoveStaleLaunchers(s.temp); err != nil {
		t.Fatal(err)
	}
	if left := s.left(t, true); !strings.Contains(left, "chrom") {
		t.Fatalf("the browser of a living server was killed: %s", left)
	}
	kill(t, s.cmd.Process.Pid)
	eventually(t, func() string {
		if err := RemoveStaleLaunchers(s.temp); err != nil {
			return err.Error()
		}
		return s.left(t, true)
	})
}

// Step 1, "done when": a server and its driver killed at once leave a folder, which the next server removes.
func TestLauncherSwept(t *testing.T) {
	needsKillTests(t)
	s := startServer(t)
	if err := RemoveStaleLaunchers(s.temp); err != nil {
		t.Fatal(err)
	}
	if left := s.left(t, true); !strings.Contains(left, launcherPrefix) {
		t.Fatal("a launcher in use was swept")
	}
	kill(t, s.cmd.Process.Pid)
	kill(t, s.driver)
	eventually(t, func() string { return s.left(t, false) })
	if err := RemoveStaleLaunchers(s.temp); err != nil {
		t.Fatal(err)
	}
	if left := s.left(t, true); left != "" {
		t.Fatalf("left after the sweep: %s", left)
	}
}
