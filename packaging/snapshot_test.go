package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/internal/release"
	"github.com/assay-qa/assay/packaging/registry"
)

var distFlag = flag.String("dist", "", "folder that make snapshot has filled; without it nothing of a snapshot is tested")

// maxDownload bounds what a person downloads, in bytes (issue 34).
const maxDownload = 30 << 20

// snapshot is what make snapshot has built.
type snapshot struct {
	build
	dist string
}

// snapshotOf returns what is tested: make snapshot-test names its folder.
func snapshotOf(t *testing.T) snapshot {
	t.Helper()
	if *distFlag == "" {
		t.Skip("make snapshot-test runs this on what make snapshot has built")
	}
	b, err := readBuild("..", *distFlag)
	if err != nil {
		t.Fatal(err)
	}
	return snapshot{b, *distFlag}
}

// archived returns the files of an archive with their contents and mode bits.
func archived(t *testing.T, file string) (contents map[string][]byte, modes map[string]os.FileMode) {
	t.Helper()
	contents, modes = map[string][]byte{}, map[string]os.FileMode{}
	if strings.HasSuffix(file, ".zip") || strings.HasSuffix(file, ".mcpb") {
		z, err := zip.OpenReader(file)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		defer z.Close()
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if contents[f.Name], err = io.ReadAll(r); err != nil {
				t.Fatalf("%s: %s: %v", file, f.Name, err)
			}
			modes[f.Name] = f.Mode()
		}
		return contents, modes
	}
	raw, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	unzipped, err := gzip.NewReader(raw)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	for entries := tar.NewReader(unzipped); ; {
		h, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return contents, modes
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if contents[h.Name], err = io.ReadAll(entries); err != nil {
			t.Fatalf("%s: %s: %v", file, h.Name, err)
		}
		modes[h.Name] = h.FileInfo().Mode()
	}
}

// downloads are the files that checksums.txt lists, with their digests.
func (s snapshot) downloads(t *testing.T) map[string]string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.dist, "checksums.txt"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(raw)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok || all[name] != "" {
			t.Errorf("checksums.txt has %q, or that name twice", line)
		}
		all[name] = sum
	}
	return all
}

// one returns the only download that a pattern matches.
func (s snapshot) one(t *testing.T, pattern string) string {
	t.Helper()
	for _, folder := range []string{s.dist, filepath.Join(s.dist, "npm")} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 1 {
			return found[0]
		}
	}
	t.Fatalf("there is not one %s in %s", pattern, s.dist)
	return ""
}

// Issue 34, item 1: every download is listed with its digest and small enough, as is what go install
// fetches of ours; all systems are there, and each archive has the program with its mode bits, the licences of everything that
// is linked into it, and the mark of its way.
func TestSnapshotDownloads(t *testing.T) {
	s := snapshotOf(t)
	count := map[string]int{}
	for name, want := range s.downloads(t) {
		file := s.one(t, name)
		got, err := digest(file)
		if err != nil || got != want {
			t.Errorf("%s has the SHA-256 %s (%v), checksums.txt says %s", name, got, err, want)
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > maxDownload {
			t.Errorf("%s has %d bytes, %d are allowed", name, info.Size(), maxDownload)
		}
		t.Logf("%10d  %s", info.Size(), name)
		count[kindOf(name)]++
		if mark, packed := map[string]release.Way{"archive": release.ByArchive, "mcpb": release.ByMCPB, "npm": release.ByNPM}[kindOf(name)]; packed && !strings.HasPrefix(name, "assay-qa-"+s.version) {
			s.holds(t, file, mark)
		}
	}
	module, err := os.Stat(filepath.Join(s.dist, "goproxy", filepath.FromSlash(modulePath), "@v", "v"+s.version+".zip"))
	if err != nil || module.Size() > maxDownload {
		t.Errorf("the module that go install fetches: %v, %v; %d bytes are allowed", module, err, maxDownload)
	}
	want := map[string]int{"archive": 5, "deb": 2, "rpm": 2, "mcpb": 5, "npm": 6, "sbom": 5, "server.json": 1, "docs": 1}
	for kind, n := range want {
		if count[kind] != n {
			t.Errorf("%d downloads of the kind %s, want %d", count[kind], kind, n)
		}
	}
	if len(count) != len(want) {
		t.Errorf("kinds of downloads: %v, want %v", count, want)
	}
}

func kindOf(name string) string {
	switch {
	case name == "server.json":
		return name
	case strings.HasSuffix(name, "_docs.tar.gz"):
		return "docs"
	case strings.HasSuffix(name, ".cdx.json"):
		return "sbom"
	case strings.HasSuffix(name, ".tgz"):
		return "npm"
	case strings.HasSuffix(name, ".tar.gz"), strings.HasSuffix(name, ".zip"):
		return "archive"
	}
	return strings.TrimPrefix(path.Ext(name), ".")
}

// holds looks into an archive.
func (s snapshot) holds(t *testing.T, file string, mark release.Way) {
	t.Helper()
	contents, modes := archived(t, file)
	var program []byte
	named := map[string]string{}
	for name, content := range contents {
		base := path.Base(name)
		named[base] = string(content)
		if base == "assay" || base == "assay.exe" {
			program = content
			if modes[name]&0o111 != 0o111 {
				t.Errorf("%s: %s has the mode %s: it can't be started", file, name, modes[name])
			}
		}
	}
	if strings.TrimSpace(named[release.MarkerFile]) != string(mark) {
		t.Errorf("%s: %s says %q, want %s", file, release.MarkerFile, named[release.MarkerFile], mark)
	}
	if !strings.Contains(named["LICENSE"], "Apache License") || mark == release.ByArchive && !strings.HasPrefix(named["README.md"], "# assay") {
		t.Errorf("%s: LICENSE or README.md is missing", file)
	}
	build, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil || len(build.Deps) == 0 {
		t.Fatalf("%s: what its program is built of can't be read: %v", file, err)
	}
	for _, m := range build.Deps {
		if !strings.Contains(named["THIRD_PARTY_LICENSES.txt"], "\n"+m.Path+" "+m.Version+": ") {
			t.Errorf("%s: the licence of %s %s is missing", file, m.Path, m.Version)
		}
	}
	for _, setting := range build.Settings {
		if setting.Key == "CGO_ENABLED" && setting.Value != "0" {
			t.Errorf("%s is built with cgo", file)
		}
	}
}

// place is where nothing is installed but Node: a HOME whose path has spaces, and a PATH with
// nothing but node.
type place struct {
	home, path string
}

func newPlace(t *testing.T) place {
	t.Helper()
	p := place{filepath.Join(t.TempDir(), "a person's home"), filepath.Join(t.TempDir(), "bin")}
	for _, dir := range []string{p.home, p.path} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(node, filepath.Join(p.path, "node")); err != nil {
		t.Fatal(err)
	}
	return p
}

// command starts a program there, in an empty environment but for what is given.
func (p place) command(more []string, args ...string) *exec.Cmd {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = p.home
	cmd.Env = append([]string{"HOME=" + p.home, "PATH=" + p.path, "TMPDIR=" + os.TempDir(), "ASSAY_DATA_DIR=" + filepath.Join(p.home, "runs")}, more...)
	return cmd
}

// withDriver names the driver that this machine has: what assay install would fetch.
func withDriver(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command(needsBinary(t), "version", "--json")
	cmd.Env = environment()
	out, err := cmd.Output()
	var told struct{ Driver struct{ Path string } }
	if err != nil || json.Unmarshal(out, &told) != nil || told.Driver.Path == "" {
		t.Fatalf("this machine has no driver to lend: %v %s; run: make setup", err, out)
	}
	return []string{"PLAYWRIGHT_DRIVER_PATH=" + told.Driver.Path}
}

// Issue 34: every way to install that this system can run serves a client's whole job from a
// HOME with spaces, and says what is missing, with a command that works there.
func TestSnapshotServes(t *testing.T) {
	s := snapshotOf(t)
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skipf("the packages of %s/%s are unpacked on such a machine", runtime.GOOS, runtime.GOARCH)
	}
	driver := withDriver(t)
	for name, install := range map[string]func(*testing.T, place) (command []string, called string){
		"archive": s.unpackedArchive, "deb": s.unpackedDeb, "mcpb": s.unpackedBundle, "npm": s.installedNPM, "go install": s.installedByGo,
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			command, called := install(t, p)
			missing := s.calls(t, p.command(nil, append(command, "serve")...))
			if want := "run: " + called + " install"; !missing.IsError || !strings.Contains(textOf(missing), want) {
				t.Errorf("without a driver the first call says %q, want %q", textOf(missing), want)
			}
			if name == "mcpb" { // what it says must work as it stands, in a shell
				out, err := p.command(nil, "/bin/sh", "-c", called+" doctor").CombinedOutput()
				if err == nil || !strings.Contains(string(out), "run: "+called+" install") {
					t.Errorf("%s doctor: %v\n%s", called, err, out)
				}
			}
			s.works(t, p.command(driver, append(command, "serve")...))
		})
	}
}

// calls opens a page by a client, and returns the answer.
func (s snapshot) calls(t *testing.T, cmd *exec.Cmd) *mcp.CallToolResult {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "packaging", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("%v: %v", cmd.Args, err)
	}
	defer session.Close()
	return call(t, session, "page_navigate", map[string]any{"url": "http://127.0.0.1:9/"})
}

func call(t *testing.T, session *mcp.ClientSession, tool string, arguments map[string]any) *mcp.CallToolResult {
	t.Helper()
	answer, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return answer
}

func textOf(answer *mcp.CallToolResult) string {
	var all []string
	for _, part := range answer.Content {
		if text, ok := part.(*mcp.TextContent); ok {
			all = append(all, text.Text)
		}
	}
	return strings.Join(all, "\n")
}

// works does a job as a client: sign in, check a figure, and get the verdict.
func (s snapshot) works(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	site, err := demo.Start(t.Context(), demo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer site.Close()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "packaging", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("%v: %v", cmd.Args, err)
	}
	if got := session.InitializeResult().ServerInfo.Version; got != "v"+s.version {
		t.Errorf("the server is version %s, want v%s", got, s.version)
	}
	revenue := map[string]any{"type": "text_equals", "expected": demo.Display(demo.KPIRevenue, demo.KPIs(demo.RangeToday, demo.CategoryAll)[demo.KPIRevenue])}
	var answer *mcp.CallToolResult
	for _, step := range []struct {
		tool      string
		arguments map[string]any
	}{
		{"run_start", map[string]any{"goal": "sign in and check the revenue", "expectations": []map[string]any{{"text": "the revenue is right", "selector": fmt.Sprintf("css=[data-kpi=%q]", demo.KPIRevenue), "assertion": revenue}}}},
		{"page_navigate", map[string]any{"url": site.URL()}},
		{"page_fill", map[string]any{"selector": `textbox "Email"`, "value": demo.Email}},
		{"page_fill", map[string]any{"selector": `textbox "Password"`, "value": demo.Password}},
		{"page_click", map[string]any{"selector": `button "Sign in"`}},
		{"verify_assertion", map[string]any{"expects": []string{"E1"}}},
		{"run_finish", map[string]any{"summary": "signed in and checked"}},
	} {
		if answer = call(t, session, step.tool, step.arguments); answer.IsError {
			t.Fatalf("%s: %s", step.tool, textOf(answer))
		}
	}
	if raw, err := json.Marshal(answer.StructuredContent); err != nil || !strings.Contains(string(raw), `"status":"passed"`) {
		t.Errorf("the job ends with %s (%v), want passed", raw, err)
	}
	if err := session.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// write puts the files of an archive into a folder.
func write(t *testing.T, file, folder string) {
	t.Helper()
	contents, modes := archived(t, file)
	for name, content := range contents {
		to := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, content, modes[name].Perm()); err != nil {
			t.Fatal(err)
		}
	}
}

func (s snapshot) unpackedArchive(t *testing.T, p place) ([]string, string) {
	folder := filepath.Join(p.home, "assay")
	write(t, s.one(t, "assay_*_linux_amd64.tar.gz"), folder)
	program := filepath.Join(folder, "assay")
	return []string{program}, quoted(program)
}

// quoted is a path of a person's home in a shell.
func quoted(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }

func (s snapshot) unpackedDeb(t *testing.T, p place) ([]string, string) {
	root := filepath.Join(p.home, "root")
	if out, err := exec.Command("dpkg-deb", "-x", s.one(t, "assay_*_amd64.deb"), root).CombinedOutput(); err != nil {
		t.Fatalf("dpkg-deb -x: %v\n%s", err, out)
	}
	if target, err := os.Readlink(filepath.Join(root, "usr/bin/assay")); err != nil || target != "/usr/lib/assay/assay" {
		t.Errorf("/usr/bin/assay leads to %q (%v)", target, err)
	}
	for _, document := range []string{"copyright", "THIRD_PARTY_LICENSES.txt"} {
		if _, err := os.Stat(filepath.Join(root, "usr/share/doc/assay", document)); err != nil {
			t.Error(err)
		}
	}
	program := filepath.Join(root, "usr/lib/assay/assay")
	out, err := p.command(nil, program, "version").Output()
	if err != nil || !regexp.MustCompile(`(?m)^installed .* \(deb\)$`).Match(out) {
		t.Errorf("assay version: %v\n%s", err, out)
	}
	return []string{program}, quoted(program)
}

// mcpb runs the tool that clients' authors publish for bundles.
func mcpb(t *testing.T, args ...string) {
	t.Helper()
	tool := exec.Command("node", append([]string{filepath.Join("node_modules", "@anthropic-ai", "mcpb", "dist", "cli", "cli.js")}, args...)...)
	if out, err := tool.CombinedOutput(); err != nil {
		t.Fatalf("mcpb %v: %v\n%s", args, err, out)
	}
}

// unpackedBundle unpacks the bundle as clients do, and starts it by its manifest.
func (s snapshot) unpackedBundle(t *testing.T, p place) ([]string, string) {
	file := s.one(t, "assay_*_linux-x64.mcpb")
	strictZip(t, file)
	folder := filepath.Join(p.home, "extensions", "assay")
	mcpb(t, "unpack", file, folder)
	mcpb(t, "validate", filepath.Join(folder, "manifest.json"))
	mcpb(t, "pack", folder, filepath.Join(t.TempDir(), "packed.mcpb")) // it refuses what it could not have made
	var manifest struct {
		Tools  []struct{ Name string }
		Server struct {
			Config struct {
				Command string
				Args    []string
			} `json:"mcp_config"`
		}
	}
	if err := readJSON(filepath.Join(folder, "manifest.json"), &manifest); err != nil {
		t.Fatal(err)
	}
	program := strings.ReplaceAll(manifest.Server.Config.Command, "${__dirname}", folder)
	if !slices.Equal(manifest.Server.Config.Args, []string{"serve"}) {
		t.Errorf("the manifest starts %v", manifest.Server.Config.Args)
	}
	listed := toolsOf(t, p.command(nil, program, "serve"))
	if len(listed) < 20 || len(listed) != len(manifest.Tools) {
		t.Errorf("the server has %d tools, its manifest %d", len(listed), len(manifest.Tools))
	}
	return []string{program}, quoted(program)
}

// registry serves the packed packages to npm.
func (s snapshot) registry(t *testing.T) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	packages, err := registry.New(filepath.Join(s.dist, "npm"), "http://"+server.Listener.Addr().String(), http.NotFoundHandler())
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = packages
	server.Start()
	return server
}

// installedNPM has npx fetch the packages from a registry on this machine, which is gone
// afterwards: what npx starts from then on, it has.
func (s snapshot) installedNPM(t *testing.T, p place) ([]string, string) {
	npm, err := exec.LookPath("npx")
	if err != nil {
		t.Fatal(err)
	}
	if npm, err = filepath.EvalSymlinks(npm); err != nil {
		t.Fatal(err)
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(shell, filepath.Join(p.path, "sh")); err != nil { // npx starts what it has fetched by a shell
		t.Fatal(err)
	}
	server := s.registry(t)
	config := "registry=" + server.URL + "/\nupdate-notifier=false\n"
	if err := os.WriteFile(filepath.Join(p.home, ".npmrc"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	npx := []string{filepath.Join(p.path, "node"), npm, "-y", "--prefer-offline", npmName}
	for _, online := range []bool{true, false} {
		out, err := p.command(nil, append(npx, "version")...).CombinedOutput()
		if err != nil || !regexp.MustCompile(`(?m)^installed .* \(npm\)$`).Match(out) {
			t.Fatalf("npx assay-qa version, with the registry there: %v: %v\n%s", online, err, out)
		}
		server.Close()
	}
	return npx, "npx -y assay-qa"
}

// installedByGo installs the module into a GOPATH of its own, from files alone: those of the
// snapshot, and for other people's modules those that this machine has fetched.
func (s snapshot) installedByGo(t *testing.T, p place) ([]string, string) {
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	dist, err := filepath.Abs(s.dist)
	if err != nil {
		t.Fatal(err)
	}
	proxies := "file://" + filepath.Join(dist, "goproxy") + ",file://" + filepath.Join(strings.TrimSpace(string(cache)), "cache", "download")
	install := exec.CommandContext(context.Background(), "go", "install", "-modcacherw", "-trimpath", modulePath+"/cmd/assay@v"+s.version)
	gopath := t.TempDir()
	install.Dir, install.Env = p.home, environment("GOPATH="+gopath, "GOMODCACHE="+filepath.Join(gopath, "pkg"), "GOPROXY="+proxies, "GOSUMDB=off", "GOFLAGS=", "GOWORK=")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("go install: %v\n%s", err, out)
	}
	program := filepath.Join(gopath, "bin", "assay")
	out, err := p.command(nil, program, "version").Output()
	if err != nil || !strings.HasPrefix(string(out), "assay version v"+s.version+"\n") || !strings.Contains(string(out), "(go install)") {
		t.Errorf("assay version: %v\n%s", err, out)
	}
	return []string{program}, program
}
