package driver

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
)

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

// Issue 34: where the cache folder can't be written, the same command again would not help:
// the one that is named takes another folder.
func TestReadOnlyCache(t *testing.T) {
	for goos, want := range map[string]string{"linux": "XDG_CACHE_HOME=FOLDER assay install", "darwin": "HOME=FOLDER assay install", "windows": `set "LOCALAPPDATA=FOLDER" && assay install`} {
		m := newFakeMachine(t)
		m.program("npm", "exit 1")
		m.opts.CacheDir = filepath.Join(m.file("a-file", ""), "cache") // no folder can be made there, by root neither
		in := m.installer()
		in.host.goos = goos
		_, err := in.driver(t.Context())
		if err == nil || !strings.Contains(err.Error(), "cannot be written") || !strings.HasSuffix(err.Error(), "run: "+want) {
			t.Errorf("%s: %v, want %q", goos, err, want)
		}
	}
}

// D5: an archive whose bytes are not the published ones is refused by name, and nothing of it stays.
func TestNpmTampered(t *testing.T) {
	m := newFakeMachine(t)
	m.program("node", "echo v20.1.0")
	m.fakeNpm(tarball(t, "package/package.json", `{"version":"`+driverVersion+`"}`, "package/cli.js", "evil()"))
	in := m.installer()
	err := stageDriver(t.Context(), in.driverTargetMade(t), in.host.fetchWithNpm)
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
			err := stageDriver(t.Context(), in.driverTargetMade(t), in.host.fetchWithNpm)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("got %v, want %q", err, test.want)
			}
			m.cacheIsEmpty()
		})
	}
}

// A stopped install leaves no half driver, and says that it was stopped rather than what to fix.
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
	first := m.file("target/first", "")
	if err := moveIntoPlace(m.path("two/driver"), target, m.path("two/old")); err != nil {
		t.Fatalf("the race was lost ungracefully: %v", err)
	}
	if _, err := os.Stat(first); err != nil {
		t.Fatalf("a good driver, perhaps running, was replaced: %v", err)
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
	if err := os.Symlink(m.path(), link); err != nil {
		if runtime.GOOS != "windows" {
			t.Fatal(err)
		}
		link = mine // links need a privilege there
	}
	if err := removeStale(parent, stagingPrefix); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dead); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a dead owner's folder stays: %v", err)
	}
	for _, dir := range []string{mine, elsewhere, unrelated, link} {
		if _, err := os.Lstat(dir); err != nil {
			t.Errorf("removed although not stale: %v", err)
		}
	}
}
