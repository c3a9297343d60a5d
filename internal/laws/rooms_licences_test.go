package laws_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/licensecheck"

	"github.com/assay-qa/assay/internal/wait"
)

const licenceDocs = "internal/release/licences.txt"

// permitted are the licences that may be linked into the program, by their SPDX names:
// all let it be passed on under its own licence, with no more than their text beside it.
func permitted() []string {
	return []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0", "Unlicense", "Zlib", "CC0-1.0"}
}

// coverage is the share of a licence file that must be the text of known licences, in per
// cent: what else stands in it, such as names, may be read over.
const coverage = 75

// licensed is something from outside that is linked into the program, with its licences.
type licensed struct {
	name, version, dir string
	packages           []string // folders of what is linked of it
	texts              []string
	files              []string
	spdx               []string
}

// TestLicenceDocsAreCurrent writes what assay licenses prints (issue 34) from the modules
// that are linked on any system that we release for, and refuses a module without a licence
// that may be passed on.
func TestLicenceDocsAreCurrent(t *testing.T) {
	for _, read := range []string{"go.mod", "go.sum"} { // go test caches by the files that a test opens
		if _, err := os.ReadFile(read); err != nil {
			t.Fatal(err)
		}
	}
	linked, err := linkedModules(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range linked {
		if err := linked[i].read(); err != nil {
			t.Fatal(err)
		}
	}
	want, err := licenceText(linked)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(licenceDocs, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(licenceDocs)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(got), "\r\n", "\n") != want {
		t.Errorf("%s is not what the linked modules say; to write it run: make generate", licenceDocs)
	}
}

// linkedModules returns the Go standard library and the modules of other people, by name.
func linkedModules(ctx context.Context) ([]licensed, error) {
	systems := []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}
	listed := make([][]byte, len(systems))
	err := errors.Join(wait.SideBySide(ctx, len(systems), len(systems), func(i int) error {
		system, arch, _ := strings.Cut(systems[i], "/")
		list := exec.CommandContext(ctx, "go", "list", "-deps", "-json=Dir,Module", "./cmd/assay")
		list.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch)
		var said bytes.Buffer
		list.Stderr = &said
		var err error
		if listed[i], err = list.Output(); err != nil {
			return fmt.Errorf("go list for %s: %w: %s", systems[i], err, said.String())
		}
		return nil
	})...)
	if err != nil {
		return nil, err
	}
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	goroot := strings.TrimSpace(string(root))
	found := []licensed{{name: "Go standard library", dir: goroot, packages: []string{goroot}}}
	for _, packages := range listed {
		if found, err = addModules(found, packages); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(found[1:], func(a, b licensed) int { return strings.Compare(a.name, b.name) })
	return found, nil
}

// addModules adds what go list printed of one system.
func addModules(found []licensed, packages []byte) ([]licensed, error) {
	for lines := json.NewDecoder(bytes.NewReader(packages)); ; {
		var p struct {
			Dir    string
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		switch err := lines.Decode(&p); {
		case errors.Is(err, io.EOF):
			return found, nil
		case err != nil:
			return nil, fmt.Errorf("read what go list printed: %w", err)
		case p.Module == nil || p.Module.Main:
			continue
		}
		i := slices.IndexFunc(found, func(m licensed) bool { return m.name == p.Module.Path })
		if i < 0 {
			i = len(found)
			found = append(found, licensed{name: p.Module.Path, version: p.Module.Version, dir: p.Module.Dir})
		}
		if !slices.Contains(found[i].packages, p.Dir) {
			found[i].packages = append(found[i].packages, p.Dir)
		}
	}
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|unlicense)([-.].*)?$`)

// read reads the licences in the folders of the packages and in those above them.
func (m *licensed) read() error {
	var folders []string
	for _, dir := range m.packages {
		for ; len(dir) >= len(m.dir); dir = filepath.Dir(dir) {
			if !slices.Contains(folders, dir) {
				folders = append(folders, dir)
			}
		}
	}
	slices.Sort(folders)
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return fmt.Errorf("the licence of %s: %w", m.name, err)
		}
		for _, e := range entries {
			if e.IsDir() || !licenceFile.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
				continue
			}
			raw, err := os.ReadFile(filepath.Join(folder, e.Name()))
			if err != nil {
				return fmt.Errorf("the licence of %s: %w", m.name, err)
			}
			rel, err := filepath.Rel(m.dir, filepath.Join(folder, e.Name()))
			if err != nil {
				return fmt.Errorf("the licence of %s: %w", m.name, err)
			}
			m.files = append(m.files, filepath.ToSlash(rel))
			m.texts = append(m.texts, strings.TrimSpace(strings.ReplaceAll(string(raw), "\r\n", "\n")))
		}
	}
	return m.judge()
}

// judge names the licences of the texts. A text that adds to a licence (a notice, a grant of
// patents) has none of its own.
func (m *licensed) judge() error {
	for i, text := range m.texts {
		name := strings.ToLower(filepath.Base(m.files[i]))
		if strings.HasPrefix(name, "notice") || strings.HasPrefix(name, "patents") {
			continue
		}
		found := licensecheck.Scan([]byte(text))
		if found.Percent < coverage {
			return fmt.Errorf("%s: %.0f %% of %s is the text of a known licence, %d are wanted: read it, and say in %s whether it may be linked",
				m.name, found.Percent, m.files[i], coverage, "internal/laws/rooms_licences_test.go")
		}
		for _, match := range found.Match {
			switch {
			case !slices.Contains(permitted(), match.ID):
				return fmt.Errorf("%s has the licence %s (%s), which is not among those that may be linked: %s", m.name, match.ID, m.files[i], strings.Join(permitted(), ", "))
			case !slices.Contains(m.spdx, match.ID):
				m.spdx = append(m.spdx, match.ID)
			}
		}
	}
	if len(m.spdx) == 0 {
		return fmt.Errorf("%s has no licence in %s: what has none may not be passed on", m.name, m.dir)
	}
	return nil
}

// licenceText returns the table of what is linked, and each licence once with whose it is.
func licenceText(linked []licensed) (string, error) {
	own, err := os.ReadFile("LICENSE")
	if err != nil {
		return "", err
	}
	all := append([]licensed{{name: "assay", spdx: []string{"Apache-2.0"}, files: []string{"LICENSE"}, texts: []string{strings.TrimSpace(strings.ReplaceAll(string(own), "\r\n", "\n"))}}}, linked...)
	var table, texts strings.Builder
	table.WriteString("assay and what is linked into it. Written by make generate from the module cache.\n\n")
	owners, order := map[string][]string{}, []string{}
	for _, m := range all {
		label := strings.TrimSpace(m.name + " " + m.version)
		fmt.Fprintf(&table, "%-68s %s\n", label, strings.Join(m.spdx, ", "))
		for i, text := range m.texts {
			if owners[text] == nil {
				order = append(order, text)
			}
			owners[text] = append(owners[text], label+": "+m.files[i])
		}
	}
	for _, text := range order {
		fmt.Fprintf(&texts, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(owners[text], "\n"), text)
	}
	return table.String() + texts.String(), nil
}

// TestLicences: a module without a licence, and one whose licence asks for more than its
// text, are refused.
func TestLicences(t *testing.T) {
	gpl := "This program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public License as published by " +
		"the Free Software Foundation, either version 3 of the License, or (at your option) any later version."
	for name, c := range map[string]struct{ file, text, want string }{
		"none":       {"README", "hello", "has no licence"},
		"copyleft":   {"COPYING", gpl, "GPL"},
		"of its own": {"LICENSE.md", strings.Repeat("You may use this on Sundays alone, and never near water. ", 20), "0 % of LICENSE.md"},
		"a notice":   {"NOTICE", "This product includes software.", "has no licence"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		m := licensed{name: "example.org/m", dir: dir, packages: []string{dir}}
		if err := m.read(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
