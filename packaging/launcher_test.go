package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// installedPackages is a project whose path has spaces, with the packages of this system.
type installedPackages struct {
	project, launcher, platform string
}

// installPackages packs a version for this system and has npm install it, with no registry
// that it could ask.
func installPackages(t *testing.T, version string) installedPackages {
	t.Helper()
	b := buildOfOne(t, version)
	packed, err := b.npmPackages(t.Context(), filepath.Join(t.TempDir(), "npm"))
	if err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(t.TempDir(), "a project's folder")
	if err := os.MkdirAll(project, 0o700); err != nil {
		t.Fatal(err)
	}
	npm := exec.Command("npm", append([]string{"install", "--offline", "--no-audit", "--no-fund", "--cache", t.TempDir(), "--prefix", project}, packed...)...)
	npm.Dir = project
	if out, err := npm.CombinedOutput(); err != nil {
		t.Fatalf("npm install: %v\n%s", err, out)
	}
	modules := filepath.Join(project, "node_modules")
	return installedPackages{project, filepath.Join(modules, "assay-qa", "launcher.cjs"), filepath.Join(modules, "@assay-qa", b.programs[0].suffix())}
}

// browserless has a server find no driver: a server starts its browser before it is asked.
func (i installedPackages) browserless() []string {
	return []string{"HOME=" + i.project, "XDG_CACHE_HOME=" + i.project, "PLAYWRIGHT_DRIVER_PATH=" + i.project}
}

func (i installedPackages) command(args ...string) *exec.Cmd {
	cmd := exec.Command("node", append([]string{i.launcher}, args...)...)
	cmd.Dir, cmd.Env = i.project, environment(i.browserless()...)
	return cmd
}

// Issue 34, item 2: the npm package starts the program of its platform as if it were called
// itself: arguments, streams, signals and exit codes; and it starts nothing that it was not
// published with.
func TestLauncher(t *testing.T) {
	t.Parallel()
	needsBinary(t)
	if _, err := exec.LookPath("npm"); err != nil {
		t.Fatalf("npm packs and installs the packages: %v", err)
	}
	installed := installPackages(t, "1.2.3")
	t.Run("version", func(t *testing.T) {
		cmd := exec.Command(filepath.Join(installed.project, "node_modules", ".bin", "assay-qa"), "version")
		cmd.Env = environment()
		out, err := cmd.CombinedOutput()
		if err != nil || !regexp.MustCompile(`(?m)^installed .* \(npm\)$`).Match(out) {
			t.Errorf("assay-qa version: %v\n%s", err, out)
		}
	})
	t.Run("exit code", func(t *testing.T) {
		var exit *exec.ExitError
		if out, err := installed.command("nonsense").CombinedOutput(); !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(out), "unknown command") {
			t.Errorf("%v: %s", err, out)
		}
	})
	t.Run("signal", func(t *testing.T) { installed.endsBySignal(t) })
	t.Run("tools", func(t *testing.T) {
		cmd := installed.command("serve", "--data-dir", t.TempDir())
		if n := len(toolsOf(t, cmd)); n < 20 {
			t.Errorf("a client sees %d tools", n)
		}
	})
	t.Run("refusals", func(t *testing.T) { installed.refuses(t) })
	t.Run("refusal below npx's cache", func(t *testing.T) { installed.inCacheOfNPX(t).refusesThere(t) })
}

// toolsOf starts a server as the official client does, and returns the names of its tools.
func toolsOf(t *testing.T, cmd *exec.Cmd) []string {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "packaging", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("%v: %v", cmd.Args, err)
	}
	var names []string
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tool.Name)
	}
	if err := session.Close(); err != nil { // waits for the process, and reports its exit code
		t.Errorf("%v: %v", cmd.Args, err)
	}
	return names
}

// endsBySignal compares how a server ends by a signal to the launcher and to itself.
func (i installedPackages) endsBySignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such signal can be sent there")
	}
	direct := exec.Command(filepath.Join(i.platform, "bin", "assay"), "serve", "--data-dir", t.TempDir())
	direct.Dir, direct.Env = i.project, environment(i.browserless()...)
	want := endedBy(t, direct, syscall.SIGTERM)
	if got := endedBy(t, i.command("serve", "--data-dir", t.TempDir()), syscall.SIGTERM); got != want {
		t.Errorf("by SIGTERM the launcher ends with %s, and the program with %s", got, want)
	}
}

// endedBy starts a server, sends it a signal once it has answered, and returns how it ended.
func endedBy(t *testing.T, cmd *exec.Cmd, signal os.Signal) string {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatalf("%v answers nothing: %v", cmd.Args, err)
	}
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the state tells
	return cmd.ProcessState.String()
}

// refuses tries what is wrong with an installation: each ends with one sentence and the
// command that mends it, and starts nothing.
func (i installedPackages) refuses(t *testing.T) {
	program, manifest := filepath.Join(i.platform, "bin", filepath.Base(i.programFile(t))), filepath.Join(i.platform, "package.json")
	again := "npm uninstall assay-qa && npm install --include=optional assay-qa@1.2.3"
	for _, c := range []struct {
		name string
		do   func(t *testing.T)
		node []string // before the launcher
		want []string
	}{
		{"another program", func(t *testing.T) { rewrite(t, program, func(raw []byte) []byte { return append(raw, 'x') }) }, nil, []string{"is not the program that assay-qa 1.2.3 was published with", again}},
		{"half a program", func(t *testing.T) { rewrite(t, program, func(raw []byte) []byte { return raw[:len(raw)/2] }) }, nil, []string{"SHA-256", again}},
		{"no program", func(t *testing.T) { rewrite(t, program, nil) }, nil, []string{"can't be read", again}},
		{"another version", func(t *testing.T) {
			rewrite(t, manifest, func(raw []byte) []byte { return bytes.Replace(raw, []byte("1.2.3"), []byte("1.2.2"), 1) })
		}, nil, []string{"is version 1.2.2, and assay-qa is 1.2.3", again}},
		{"left out", func(t *testing.T) { rewrite(t, manifest, nil) }, nil, []string{"is missing, as --omit=optional", again}},
		{"another platform", func(*testing.T) {}, []string{"-r", i.otherPlatform(t)}, []string{"there is no program for sunos-x64, only for ", "go install github.com/assay-qa/assay/cmd/assay@latest"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.do(t)
			cmd := exec.Command("node", append(append([]string{}, c.node...), i.launcher, "version")...)
			var stdout, stderr bytes.Buffer
			cmd.Dir, cmd.Stdout, cmd.Stderr = i.project, &stdout, &stderr
			var exit *exec.ExitError
			if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 2 || stdout.Len() > 0 || strings.Count(stderr.String(), "\n") != 1 {
				t.Errorf("%v, stdout %q, stderr %q: want exit code 2 and one line on stderr", err, stdout.String(), stderr.String())
			}
			for _, want := range c.want {
				if !strings.Contains(stderr.String(), want) {
					t.Errorf("stderr %q has no %q", stderr.String(), want)
				}
			}
		})
	}
}

// inCacheOfNPX moves the packages to where npx would keep them.
func (i installedPackages) inCacheOfNPX(t *testing.T) installedPackages {
	t.Helper()
	cache := filepath.Join(filepath.Dir(i.project), "_npx")
	moved := filepath.Join(cache, "a1b2")
	if err := os.Mkdir(cache, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(i.project, moved); err != nil {
		t.Fatal(err)
	}
	return installedPackages{moved, strings.Replace(i.launcher, i.project, moved, 1), strings.Replace(i.platform, i.project, moved, 1)}
}

// refusesThere: npm would install nothing over what npx has, so that goes first.
func (i installedPackages) refusesThere(t *testing.T) {
	rewrite(t, i.programFile(t), nil)
	out, err := i.command("version").CombinedOutput()
	if want := "rm -r " + i.project + " && npx -y --include=optional assay-qa version"; runtime.GOOS != "windows" && (err == nil || !strings.Contains(string(out), want)) {
		t.Errorf("%v: %s has no %q", err, out, want)
	}
}

func (i installedPackages) programFile(t *testing.T) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(i.platform, "bin", "assay*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s has the programs %v (%v)", i.platform, found, err)
	}
	return found[0]
}

// otherPlatform is a script that has Node say that it runs on another system.
func (i installedPackages) otherPlatform(t *testing.T) string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "sunos.cjs")
	if err := os.WriteFile(script, []byte(`Object.defineProperty(process, "platform", { value: "sunos" }); Object.defineProperty(process, "arch", { value: "x64" })`), 0o600); err != nil {
		t.Fatal(err)
	}
	return script
}

// rewrite changes a file, or removes it, until the test has ended.
func rewrite(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.WriteFile(path, raw, 0o755); err != nil {
			t.Error(err)
		}
	})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if change == nil {
		return
	}
	if err := os.WriteFile(path, change(bytes.Clone(raw)), 0o755); err != nil {
		t.Fatal(err)
	}
}
