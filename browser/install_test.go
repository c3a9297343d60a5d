package browser

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fakeMachine is a home, a PATH and a system tree that hold only what a test puts there.
type fakeMachine struct {
	t    *testing.T
	dir  string
	env  map[string]string
	opts InstallOptions
}

func newFakeMachine(t *testing.T) *fakeMachine {
	m := &fakeMachine{t: t, dir: t.TempDir()}
	m.env = map[string]string{"PATH": m.path("bin")}
	m.opts = InstallOptions{
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

// installer is the machine's, with a system tree of its own.
func (m *fakeMachine) installer() *installer {
	in := newInstaller(m.opts)
	in.host = hostSystem{goos: "linux", goarch: "amd64", filesystem: m.path("root")}
	return in
}

// steps is what was tried, as "name: outcome".
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

// D5: a driver of another version is named in the error, which ends with the command that mends it.
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

// tarball packs name/content pairs; a name ending in @ becomes a symbolic link to its content.
func tarball(t *testing.T, files ...string) []byte {
	t.Helper()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	tree := tar.NewWriter(zipped)
	for i := 0; i < len(files); i += 2 {
		header := &tar.Header{Name: files[i], Mode: 0o644, Size: int64(len(files[i+1])), Typeflag: tar.TypeReg}
		if name, isLink := strings.CutSuffix(files[i], "@"); isLink {
			*header = tar.Header{Name: name, Linkname: files[i+1], Typeflag: tar.TypeSymlink}
		}
		if err := tree.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if header.Typeflag == tar.TypeReg {
			if _, err := tree.Write([]byte(files[i+1])); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := errors.Join(tree.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// fakeNpm makes npm pack deliver the given bytes.
func (m *fakeMachine) fakeNpm(archive []byte) {
	m.file("archive", string(archive))
	m.program("npm", `cp "`+m.path("archive")+`" "$4/playwright-core.tgz" && echo playwright-core.tgz`)
}

// D5: an archive whose bytes are not the published ones is refused by name, and nothing of it stays.
func TestNpmTampered(t *testing.T) {
	m := newFakeMachine(t)
	m.program("node", "echo v20.1.0")
	m.fakeNpm(tarball(t, "package/package.json", `{"version":"`+driverVersion+`"}`, "package/cli.js", "evil()"))
	in := m.installer()
	err := in.stageDriver(t.Context(), in.driverTargetMade(t), in.fetchWithNpm)
	if !errors.Is(err, ErrDriverIntegrity) || !strings.Contains(err.Error(), driverPackage) {
		t.Fatalf("got %v, want ErrDriverIntegrity naming %s", err, driverPackage)
	}
	m.cacheIsEmpty()
}

func (in *installer) driverTargetMade(t *testing.T) string {
	t.Helper()
	target := in.driverTarget()
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		t.Fatal(err)
	}
	return target
}

func (m *fakeMachine) cacheIsEmpty() {
	m.t.Helper()
	entries, err := os.ReadDir(m.path("cache/driver"))
	if err != nil {
		m.t.Fatal(err)
	}
	if len(entries) != 0 {
		m.t.Fatalf("left in the cache: %v", entries)
	}
}

func TestNpmFailures(t *testing.T) {
	for name, test := range map[string]struct{ npm, want string }{
		"absent":            {"", "no program named npm"},
		"says why":          {"echo noise; echo 'npm error network request failed' >&2; exit 1", "npm error network request failed"},
		"packs nothing":     {"true", "left 0 archives"},
		"packs two":         {`touch "$4/a.tgz" "$4/b.tgz"`, "left 2 archives"},
		"packs no archive":  {`mkdir "$4/a.tgz"`, "reading the archive"},
		"dies in the midst": {`kill -9 $$`, "killed"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newFakeMachine(t)
			if test.npm != "" {
				m.program("npm", test.npm)
			}
			in := m.installer()
			err := in.stageDriver(t.Context(), in.driverTargetMade(t), in.fetchWithNpm)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want %q", err, test.want)
			}
			m.cacheIsEmpty()
		})
	}
}

// A stopped install leaves no half driver, and says that it was stopped rather than what to mend.
func TestInstallStopped(t *testing.T) {
	m := newFakeMachine(t)
	ctx, cancel := context.WithCancel(t.Context())
	m.program("npm", `touch "`+m.path("started")+`"; sleep 60`)
	m.opts.Report = func(s Step) {
		if s.Outcome == OutcomeTrying {
			cancel()
		}
	}
	in := m.installer()
	_, err := in.driver(ctx)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want context.Canceled", err)
	}
	m.cacheIsEmpty()
}

func TestExtractRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		files []string
		want  string
	}{
		"a path upwards":        {[]string{"../../evil", "x"}, "leads out"},
		"an absolute path":      {[]string{"/etc/evil", "x"}, "leads out"},
		"a link":                {[]string{"package/out@", "/etc"}, "link"},
		"a file through itself": {[]string{"package", "x", "package/below", "x"}, "package/below"},
		"the same file twice":   {[]string{"package/a", "x", "package/a", "y"}, "exists"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newFakeMachine(t)
			archive := m.file("a.tgz", string(tarball(t, test.files...)))
			into := m.path("deep/deep/into")
			if err := os.MkdirAll(into, 0o755); err != nil {
				t.Fatal(err)
			}
			err := extractTarball(archive, into)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want %q", err, test.want)
			}
			if _, err := os.Lstat(m.path("deep/evil")); err == nil {
				t.Fatal("a file was written outside")
			}
		})
	}
}

func TestExtractCutShort(t *testing.T) {
	m := newFakeMachine(t)
	whole := tarball(t, "package/a", strings.Repeat("a long line\n", 10_000))
	archive := m.file("a.tgz", string(whole[:len(whole)/2]))
	into := m.path("into")
	if err := os.Mkdir(into, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := extractTarball(archive, into); err == nil {
		t.Fatal("half an archive was accepted")
	}
}

// Two installs at once: both end well, one driver is there. An unusable one is replaced.
func TestMoveIntoPlace(t *testing.T) {
	m := newFakeMachine(t)
	for _, stage := range []string{"one/driver", "two/driver", "three/driver"} {
		m.driver(stage)
	}
	target := m.path("target")
	if err := moveIntoPlace(m.path("one/driver"), target, m.path("one/old")); err != nil {
		t.Fatal(err)
	}
	if err := moveIntoPlace(m.path("two/driver"), target, m.path("two/old")); err != nil {
		t.Fatalf("the race was lost ungracefully: %v", err)
	}
	if err := os.Remove(filepath.Join(target, "package/cli.js")); err != nil {
		t.Fatal(err)
	}
	if err := moveIntoPlace(m.path("three/driver"), target, m.path("three/old")); err != nil {
		t.Fatal(err)
	}
	if err := checkDriverDir(target); err != nil {
		t.Fatal(err)
	}
}

// What an install that was killed left behind goes with the next one; what a living one works on stays.
func TestStagingSwept(t *testing.T) {
	m := newFakeMachine(t)
	parent := m.path("cache")
	mine, err := func() (string, error) {
		if err := os.MkdirAll(parent, 0o755); err != nil {
			return "", err
		}
		return makeOwnedDir(parent, stagingPrefix)
	}()
	if err != nil {
		t.Fatal(err)
	}
	const nobody = "2147483646" // above every system's largest process id
	dead := filepath.Join(parent, stagingPrefix+nobody+"-"+spaceTag()+"-1")
	elsewhere := filepath.Join(parent, stagingPrefix+nobody+"-other-1")
	unrelated := filepath.Join(parent, stagingPrefix+"notes")
	for _, dir := range []string{dead, elsewhere, unrelated} {
		if err := os.MkdirAll(filepath.Join(dir, "below"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(parent, stagingPrefix+nobody+"-"+spaceTag()+"-2")
	if err := os.Symlink(m.path(), link); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	if err := removeStale(parent, stagingPrefix); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dead); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a dead owner's folder stays: %v", err)
	}
	for _, dir := range []string{mine, elsewhere, unrelated, m.path()} {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("removed although not stale: %v", err)
		}
	}
}
