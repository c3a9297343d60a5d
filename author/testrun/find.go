package testrun

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser/driver"
)

// Project says where the tests are, and what runs them.
type Project struct {
	Root    string // the working folder of the runner: that of the configuration, or of package.json
	Config  string // the project's own configuration; empty: it has none
	TestDir string // where tests are looked for without a configuration
	Modules string // node_modules that has @playwright/test
	Version string // of @playwright/test
	Own     bool   // the project's own runner, not the pinned one
	Node    string // path of the Node executable
}

// Tools finds programs that a project may lack.
type Tools struct {
	Node   func() (path string, err error)
	Pinned func() (driver.TestRunner, error)
	Top    string // above it nothing is looked for; empty: up to the root
}

// configNames lists how Playwright calls a configuration.
func configNames() []string {
	var out []string
	for _, ending := range []string{"ts", "js", "mts", "mjs", "cts", "cjs"} {
		out = append(out, "playwright.config."+ending)
	}
	return out
}

// Find finds the project that tests belong to: its configuration and its runner, in
// the folder of the first path that exists and in those above it. A project without a
// runner of its own has the pinned one.
func Find(folder string, paths []string, tools Tools) (Project, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return Project{}, err
	}
	p := Project{TestDir: commonFolder(folder, paths)}
	p.Root = p.TestDir
	for dir := range above(p.TestDir) {
		if tools.Top != "" && tools.Top != dir && !strings.HasPrefix(dir, tools.Top+string(filepath.Separator)) {
			break
		}
		if p.Config == "" {
			for _, name := range configNames() {
				if file := filepath.Join(dir, name); isFile(file) && p.Config == "" {
					p.Config, p.Root = file, dir
				}
			}
		}
		modules := filepath.Join(dir, "node_modules")
		if version := runnerVersion(modules); version != "" && p.Modules == "" {
			p.Modules, p.Version, p.Own = modules, version, true
			if p.Config == "" {
				p.Root = dir
			}
		}
	}
	if p.Own {
		p.Node, err = tools.Node()
		return p, err
	}
	pinned, err := tools.Pinned()
	if err != nil {
		return p, err
	}
	p.Modules, p.Version, p.Node = pinned.Modules(), pinned.Version, pinned.Node
	return p, nil
}

// above yields a folder and all above it.
func above(dir string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for {
			if !yield(dir) || filepath.Dir(dir) == dir {
				return
			}
			dir = filepath.Dir(dir)
		}
	}
}

// commonFolder is the folder that has all paths that exist, or the working folder.
func commonFolder(folder string, paths []string) string {
	common := ""
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		if !info.IsDir() {
			path = filepath.Dir(path)
		}
		if common == "" {
			common = path
		}
		for path != common && !strings.HasPrefix(path, common+string(filepath.Separator)) && filepath.Dir(common) != common {
			common = filepath.Dir(common)
		}
	}
	if common == "" {
		return folder
	}
	return common
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// runnerVersion returns the version of the runner in a node_modules folder, or "".
func runnerVersion(modules string) string {
	text, err := os.ReadFile(filepath.Join(modules, "@playwright", "test", "package.json"))
	if err != nil {
		return ""
	}
	var manifest struct{ Version string }
	if json.Unmarshal(text, &manifest) != nil || !isFile(filepath.Join(modules, "@playwright", "test", "cli.js")) {
		return ""
	}
	return manifest.Version
}

// isModule reports whether Node takes a file as an ES module: by its ending, or by
// the type of the nearest package.json.
func isModule(file string) (bool, error) {
	switch ending := strings.TrimPrefix(filepath.Ext(file), "."); {
	case slices.Contains([]string{"mts", "mjs"}, ending):
		return true, nil
	case slices.Contains([]string{"cts", "cjs"}, ending):
		return false, nil
	}
	for dir := range above(filepath.Dir(file)) {
		text, err := os.ReadFile(filepath.Join(dir, "package.json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return false, err
		}
		var manifest struct{ Type string }
		if err := json.Unmarshal(text, &manifest); err != nil {
			return false, fmt.Errorf("%s is no JSON: %w", filepath.Join(dir, "package.json"), err)
		}
		return manifest.Type == "module", nil
	}
	return false, nil
}
