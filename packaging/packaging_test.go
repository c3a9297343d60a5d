package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/assay-qa/assay/internal/release"
)

// needsBinary leaves quick runs out, and returns the program under test: that of make build,
// or one that is built here.
func needsBinary(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts processes")
	}
	if path := os.Getenv("ASSAY_BIN"); path != "" {
		return path
	}
	path := filepath.Join(t.TempDir(), "assay")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", path, "../cmd/assay").CombinedOutput(); err != nil {
		t.Fatalf("build assay: %v\n%s", err, out)
	}
	return path
}

// environment is ours without the variable that only these tests understand.
func environment(more ...string) []string {
	return append(slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "ASSAY_BIN=") }), more...)
}

// buildOfOne is a build with the program of this system alone.
func buildOfOne(t testing.TB, version string) build {
	t.Helper()
	p, err := newProgram(needsBinary(t), runtime.GOOS, runtime.GOARCH)
	if err != nil {
		t.Fatal(err)
	}
	p.runsHere = true
	return build{source: "..", version: version, time: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC), programs: []program{p}, environ: environment()}
}

// systems are the programs of a release, without any file.
func systems(t testing.TB) []program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "assay")
	if err := os.WriteFile(file, []byte("program"), 0o700); err != nil {
		t.Fatal(err)
	}
	var all []program
	for _, s := range [][2]string{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "all"}, {"windows", "amd64"}, {"windows", "arm64"}} {
		p, err := newProgram(file, s[0], s[1])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// judgedBy holds JSON against an official description.
func judgedBy(t *testing.T, file string, raw []byte) error {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	schema, err := compiler.Compile(filepath.Join("..", "testdata", "official", filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(value)
}

// Issue 34, item 3: server.json and the manifests of all bundles are what their official
// descriptions ask for, and those refuse what is not.
func TestDescriptions(t *testing.T) {
	b := build{source: "..", version: "1.2.3-snapshot.gabc", programs: systems(t)}
	var made []bundle
	tools := []map[string]string{{"name": "page_click", "description": "Click one element."}}
	for _, p := range b.programs {
		made = append(made, bundle{filepath.Join("dist", "assay_1.2.3_"+p.suffix()+".mcpb"), p.sha256})
		manifest, err := b.manifest(p, tools)
		if err != nil {
			t.Fatal(err)
		}
		if err := judgedBy(t, "mcpb/manifest-v0.3.schema.json", manifest); err != nil {
			t.Errorf("the manifest for %s: %v\n%s", p.suffix(), err, manifest)
		}
		for _, want := range []string{`"entry_point": "server/` + p.fileName() + `"`, `"${__dirname}/server/` + p.fileName() + `"`, `"sensitive": true`, `"version": "1.2.3-snapshot.gabc"`} {
			if !strings.Contains(string(manifest), want) {
				t.Errorf("the manifest for %s has no %s", p.suffix(), want)
			}
		}
		unknown := bytes.Replace(manifest, []byte(`"license"`), []byte(`"licence"`), 1)
		if err := judgedBy(t, "mcpb/manifest-v0.3.schema.json", unknown); err == nil {
			t.Error("a manifest with an unknown key at its top was taken")
		}
	}
	file, err := b.serverJSON(made, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	server, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := judgedBy(t, "registry/server-2025-12-11.schema.json", server); err != nil {
		t.Errorf("server.json: %v\n%s", err, server)
	}
	if err := judgedBy(t, "registry/server-2025-12-11.schema.json", bytes.ReplaceAll(server, []byte(made[0].sha256), []byte("abc"))); err == nil {
		t.Error("server.json with half a digest was taken")
	}
	var listed struct{ Packages []json.RawMessage }
	if err := json.Unmarshal(server, &listed); err != nil || len(listed.Packages) != 1+len(b.programs) {
		t.Errorf("server.json has %d packages (%v), want that of npm and %d bundles", len(listed.Packages), err, len(b.programs))
	}
}

// Issue 34, item 3: a bundle is a zip that a strict reader takes, with mode bits, the same
// bytes each time, and the program in it is the one that was built.
func TestBundle(t *testing.T) {
	b := build{source: "..", version: "1.2.3", time: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC), programs: systems(t)}
	tools := []map[string]string{{"name": "page_click", "description": "Click one element."}}
	made, again := filepath.Join(t.TempDir(), "made.mcpb"), filepath.Join(t.TempDir(), "again.mcpb")
	for _, to := range []string{made, again} {
		if err := b.bundle(b.programs[0], tools, to); err != nil {
			t.Fatal(err)
		}
	}
	first, err := digest(made)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := digest(again); err != nil || first != second {
		t.Errorf("two bundles of one program differ (%v)", err)
	}
	strictZip(t, made)
	z, err := zip.OpenReader(made)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	modes := map[string]string{}
	for _, f := range z.File {
		modes[f.Name] = f.Mode().String()
		if !f.Modified.Equal(b.time) {
			t.Errorf("%s is of %s, want the time of the build", f.Name, f.Modified)
		}
	}
	own := b.programs[0].fileName()
	for name, want := range map[string]string{"manifest.json": "-rw-r--r--", "server/" + own: "-rwxr-xr-x", "server/installed-by.txt": "-rw-r--r--", "LICENSE": "-rw-r--r--", "THIRD_PARTY_LICENSES.txt": "-rw-r--r--"} {
		if modes[name] != want {
			t.Errorf("%s has mode %q, want %s", name, modes[name], want)
		}
	}
}

// strictZip holds a zip to what the strictest readers want: it begins with a file and ends
// with its own end, each file's sizes stand before it, and no name comes twice.
func strictZip(t *testing.T, path string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(raw, []byte("PK\x03\x04")) || !bytes.Equal(raw[len(raw)-22:len(raw)-18], []byte("PK\x05\x06")) {
		t.Fatalf("%s has something before its first file or behind its end", path)
	}
	names, at := map[string]bool{}, 0
	for bytes.HasPrefix(raw[at:], []byte("PK\x03\x04")) {
		head := raw[at:]
		flags, packed := binary.LittleEndian.Uint16(head[6:]), int(binary.LittleEndian.Uint32(head[18:]))
		nameLength, extra := int(binary.LittleEndian.Uint16(head[26:])), int(binary.LittleEndian.Uint16(head[28:]))
		name := string(head[30 : 30+nameLength])
		if flags&8 != 0 || packed == 0 || names[name] {
			t.Errorf("%s: %s has its size behind it, or comes twice", path, name)
		}
		names[name] = true
		at += 30 + nameLength + extra + packed
	}
	if !bytes.HasPrefix(raw[at:], []byte("PK\x01\x02")) || len(names) == 0 {
		t.Errorf("%s: something stands between its %d files and its directory", path, len(names))
	}
}

// Issue 34: what .goreleaser.yaml takes from the tree is there, and each mark of a way to
// install is one that the program knows.
func TestSourcesOfReleases(t *testing.T) {
	config, err := os.ReadFile("../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sources := regexp.MustCompile(`src: ([^\s,/][^\s,]*)`).FindAllSubmatch(config, -1)
	if len(sources) < 6 {
		t.Fatalf("%d sources are named in .goreleaser.yaml: the test would pass on nothing", len(sources))
	}
	for _, s := range sources {
		if _, err := os.Stat(filepath.Join("..", string(s[1]))); err != nil {
			t.Errorf(".goreleaser.yaml: %v", err)
		}
	}
	marks, err := filepath.Glob("installed-by/*.txt")
	if err != nil || len(marks) == 0 {
		t.Fatalf("no marks: %v", err)
	}
	for _, mark := range marks {
		raw, err := os.ReadFile(mark)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, release.MarkerFile), raw, 0o600); err != nil {
			t.Fatal(err)
		}
		if by := release.InstalledAt(filepath.Join(dir, "assay"), nil).By; by == release.Unknown || string(by)+".txt" != filepath.Base(mark) {
			t.Errorf("%s says %q, which the program takes for %q", mark, raw, by)
		}
	}
	makefile, err := os.ReadFile("../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	tool := regexp.MustCompile(`cmd: cyclonedx-gomod-(\S+)`).FindSubmatch(config)
	if tool == nil || !strings.Contains(string(makefile), "CYCLONEDX_VERSION := "+string(tool[1])) {
		t.Errorf("the Makefile installs another cyclonedx-gomod than %s, which .goreleaser.yaml starts", tool)
	}
}
