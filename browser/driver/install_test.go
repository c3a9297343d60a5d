package driver

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fakeMachine is a home, a PATH and a system tree that hold only what a test puts there.
type fakeMachine struct {
	t    *testing.T
	dir  string
	env  map[string]string
	opts Options
}

func newFakeMachine(t *testing.T) *fakeMachine {
	m := &fakeMachine{t: t, dir: t.TempDir()}
	m.env = map[string]string{"PATH": m.path("bin")}
	m.opts = Options{
		CacheDir: m.path("cache"),
		HomeDir:  m.path("home"),
		Getenv:   func(key string) string { return m.env[key] },
	}
	return m
}

func (m *fakeMachine) path(parts ...string) string {
	return filepath.Join(append([]string{m.dir}, parts...)...)
}

// file writes an executable file, below the machine unless the path is absolute.
func (m *fakeMachine) file(path, content string) string {
	m.t.Helper()
	if !filepath.IsAbs(path) {
		path = m.path(path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		m.t.Fatal(err)
	}
	return path
}

// program puts a shell script on the machine's PATH.
func (m *fakeMachine) program(name, script string) string {
	m.t.Helper()
	needsShell(m.t)
	return m.file("bin/"+name, "#!/bin/sh\n"+script+"\n")
}

// driver lays out a driver without code, with the real one's list of browsers.
func (m *fakeMachine) driver(dir string) string {
	m.t.Helper()
	m.file(dir+"/package/package.json", `{"name":"playwright-core","version":"`+driverVersion+`"}`)
	m.file(dir+"/package/cli.js", "")
	m.file(dir+"/package/browsers.json", `{"browsers":[
		{"name":"chromium","revision":"1200","browserVersion":"143.0.7499.4"},
		{"name":"chromium-headless-shell","revision":"1200","browserVersion":"143.0.7499.4"},
		{"name":"firefox","revision":"1497","browserVersion":"144.0.2"},
		{"name":"webkit","revision":"2227","revisionOverrides":{"debian11-x64":"2105"},"browserVersion":"26.0"}]}`)
	return m.path(dir)
}

// installer returns the machine's, with a system tree of its own.
func (m *fakeMachine) installer() *installer {
	in := newInstaller(m.opts)
	in.host.goos, in.host.goarch, in.host.root, in.host.filesystem = "linux", "amd64", false, m.path("root")
	return in
}

// steps returns what was tried, as "name: outcome".
func steps(list []Step) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.Name+": "+string(s.Outcome))
	}
	return out
}

// D5: the driver is taken from PLAYWRIGHT_DRIVER_PATH, then our cache, then the Go client's.
func TestDriverOrder(t *testing.T) {
	m := newFakeMachine(t)
	m.program("node", "echo v20.1.0")
	foreign := m.driver("home/.cache/ms-playwright-go/" + driverVersion)
	want := func(dir, source string) {
		t.Helper()
		got, err := m.installer().driver(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		exp := DriverInfo{Dir: dir, Version: driverVersion, Source: source, Node: m.path("bin/node"), NodeVersion: "20.1.0", CodeCache: m.path("cache/code")}
		if diff := cmp.Diff(exp, got); diff != "" {
			t.Fatalf("driver (-want +got):\n%s", diff)
		}
	}
	want(foreign, "playwright-go's cache")
	own := m.driver("cache/driver/playwright-core-" + driverVersion)
	want(own, "assay's cache")
	set := m.driver("set")
	m.env["PLAYWRIGHT_DRIVER_PATH"] = set
	want(set, "PLAYWRIGHT_DRIVER_PATH")
	m.file("set/package/package.json", `{"version":"1.40.0"}`)
	want(own, "assay's cache")
	m.file("set/package/package.json", `{"version":`)
	want(own, "assay's cache")
}

// D5: a driver of another version is named in the error, which ends with the command that fixes it.
func TestDriverMissingError(t *testing.T) {
	m := newFakeMachine(t)
	m.driver("set")
	m.file("set/package/package.json", `{"version":"1.40.0"}`)
	m.env["PLAYWRIGHT_DRIVER_PATH"] = m.path("set")
	_, err := Locate(t.Context(), m.opts)
	var missing *InstallError
	if !errors.As(err, &missing) {
		t.Fatalf("got %v, want an *InstallError", err)
	}
	for _, part := range []string{"1.40.0", m.path("set"), m.path("cache"), m.path("home")} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error does not mention %s: %v", part, err)
		}
	}
	if !strings.HasSuffix(err.Error(), ": assay install") {
		t.Errorf("the error does not end with its remedy: %v", err)
	}
}

func TestNodeChoice(t *testing.T) {
	old, good := "echo v16.20.2", "echo v22.3.0"
	for name, test := range map[string]struct {
		set, own, onPath string // what each Node prints; empty = absent
		want, wantErr    string
	}{
		"the driver's own first":            {own: good, onPath: good, want: "drv/node"},
		"the driver's own is too old":       {own: old, onPath: good, want: "bin/node"},
		"the variable beats both":           {set: good, own: good, onPath: good, want: "set/node"},
		"the variable's Node is too old":    {set: old, own: good, wantErr: "unset PLAYWRIGHT_NODEJS_PATH"},
		"too old everywhere":                {own: old, onPath: old, wantErr: "Node 16.20.2, needed is 18"},
		"none at all":                       {wantErr: "no Node.js 18 or newer"},
		"something else that is named node": {onPath: "echo Amateur Packet Radio", wantErr: "which is no version"},
		"it does not run":                   {onPath: "echo broken >&2; exit 3", wantErr: "exit status 3: broken"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newFakeMachine(t)
			m.driver("drv")
			m.env["PLAYWRIGHT_DRIVER_PATH"] = m.path("drv")
			for file, script := range map[string]string{"set/node": test.set, "drv/node": test.own, "bin/node": test.onPath} {
				if script != "" {
					m.file(file, "#!/bin/sh\n"+script+"\n")
				}
			}
			if test.set != "" {
				m.env["PLAYWRIGHT_NODEJS_PATH"] = m.path("set/node")
			}
			got, err := m.installer().driver(t.Context())
			switch {
			case test.wantErr == "" && err != nil:
				t.Fatal(err)
			case test.wantErr != "" && (err == nil || !strings.Contains(err.Error(), test.wantErr)):
				t.Fatalf("got error %v, want one with %q", err, test.wantErr)
			case test.want != "" && got.Node != m.path(test.want):
				t.Fatalf("got %s, want %s", got.Node, m.path(test.want))
			}
		})
	}
}
