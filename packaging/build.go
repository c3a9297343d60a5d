package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// repository is the address of the source.
const repository = "https://github.com/assay-qa/assay"

// build is what GoReleaser has built of one commit.
type build struct {
	source   string // top of the tree
	version  string // without a v
	time     time.Time
	programs []program
	environ  []string // of npm and of the program, when it lists its tools
}

// program is the built program of one system.
type program struct {
	path     string
	system   string   // as Node calls it: linux, darwin, win32
	arches   []string // as Node calls them: x64, arm64; both in a universal one
	sha256   string
	runsHere bool
}

// fileName is the program's own, without its folder.
func (p program) fileName() string {
	if p.system == "win32" {
		return "assay.exe"
	}
	return "assay"
}

// suffix tells the system in names of packages: linux-x64, or darwin where one has all.
func (p program) suffix() string {
	if len(p.arches) > 1 {
		return p.system
	}
	return p.system + "-" + p.arches[0]
}

// readBuild reads what GoReleaser says of the folder that it has filled.
func readBuild(source, dist string) (build, error) {
	b := build{source: source}
	var metadata struct {
		Version string    `json:"version"`
		Date    time.Time `json:"date"`
		Runtime struct{ Goos, Goarch string }
	}
	if err := readJSON(filepath.Join(dist, "metadata.json"), &metadata); err != nil {
		return b, err
	}
	b.version = metadata.Version
	var artifacts []struct {
		Path, Goos, Goarch, Type string
	}
	if err := readJSON(filepath.Join(dist, "artifacts.json"), &artifacts); err != nil {
		return b, err
	}
	for _, a := range artifacts {
		if a.Type != "Binary" && a.Type != "Universal Binary" {
			continue
		}
		path := filepath.FromSlash(a.Path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(source, path)
		}
		p, err := newProgram(path, a.Goos, a.Goarch)
		if err != nil {
			return b, err
		}
		p.runsHere = a.Goos == metadata.Runtime.Goos && (a.Goarch == metadata.Runtime.Goarch || a.Goarch == "all")
		info, err := os.Stat(path)
		if err != nil {
			return b, err
		}
		b.time = info.ModTime().UTC() // that of the commit, in each
		b.programs = append(b.programs, p)
	}
	if len(b.programs) == 0 {
		return b, fmt.Errorf("%s names no program: fill the folder first with goreleaser, as make snapshot does", filepath.Join(dist, "artifacts.json"))
	}
	slices.SortFunc(b.programs, func(p, q program) int { return cmp.Compare(p.suffix(), q.suffix()) })
	return b, nil
}

// newProgram describes a built program by the names that Go has for its system.
func newProgram(path, goos, goarch string) (program, error) {
	systems := map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	arches := map[string][]string{"amd64": {"x64"}, "arm64": {"arm64"}, "all": {"x64", "arm64"}}
	p := program{path: path, system: systems[goos], arches: arches[goarch]}
	if p.system == "" || p.arches == nil {
		return p, fmt.Errorf("%s is for %s/%s, which Node has no name for here: add it to newProgram", path, goos, goarch)
	}
	var err error
	p.sha256, err = digest(path)
	return p, err
}

func readJSON(path string, into any) error {
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w: fill the folder first with goreleaser, as make snapshot does", err)
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// digest returns the SHA-256 of a file in hexadecimal.
func digest(path string) (string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}

// encoded returns a value as indented JSON with a line end, without escapes of HTML.
func encoded(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return out.Bytes(), err
}

// addChecksums adds files to the list that GoReleaser wrote, by their names.
func addChecksums(list string, files []string) error {
	raw, err := os.ReadFile(list)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	for _, file := range files {
		sum, err := digest(file)
		if err != nil {
			return err
		}
		name := "  " + filepath.Base(file)
		lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasSuffix(line, name) })
		lines = append(lines, sum+name)
	}
	slices.SortFunc(lines, func(a, b string) int { return cmp.Compare(nameIn(a), nameIn(b)) })
	return os.WriteFile(list, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}

func nameIn(line string) string {
	_, name, _ := strings.Cut(line, "  ")
	return name
}
