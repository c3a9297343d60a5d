// Command othersystems type-checks the module, with its tests, as it is built for other
// systems than this one:
//
//	othersystems GOOS...
//
// A file or a name that only one system has breaks the build of the others. The types tell
// that, and finding them takes a tenth of compiling everything once for each system, which
// go vet does. The parts of functions of other modules are not looked at: they were built by
// those who published them.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/internal/wait"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, ".", os.Args[1:], "./...", "./bench/...")
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "othersystems:", err)
		os.Exit(1)
	}
}

// run checks the packages that patterns name in a folder for each of the systems, side by side.
func run(ctx context.Context, dir string, systems []string, patterns ...string) error {
	if len(systems) == 0 {
		return errors.New("name the systems, such as darwin and windows")
	}
	return errors.Join(wait.SideBySide(ctx, len(systems), len(systems), func(i int) error {
		if err := checkFor(ctx, dir, systems[i], patterns); err != nil {
			return fmt.Errorf("%s:\n%w", systems[i], err)
		}
		return nil
	})...)
}

// listed describes a package as go list does, with its tests where it is a test's variant.
type listed struct {
	ImportPath string
	Name       string
	Dir        string
	GoFiles    []string
	ImportMap  map[string]string
	Module     *struct {
		Main      bool
		GoVersion string
	}
	Error *struct{ Err string }
}

// ours reports whether a package is of the module that is checked.
func (p listed) ours() bool { return p.Module != nil && p.Module.Main }

// checkFor checks the packages for one system, each after those that it imports.
func checkFor(ctx context.Context, dir, system string, patterns []string) error {
	list := exec.CommandContext(ctx, "go", append([]string{"list", "-e", "-deps", "-test", "-json=ImportPath,Name,Dir,GoFiles,ImportMap,Module,Error"}, patterns...)...)
	list.Dir, list.Env = dir, append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
	var said bytes.Buffer
	list.Stderr = &said
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("go list: %w: %s", err, said.String())
	}
	c := checker{files: token.NewFileSet(), done: map[string]*types.Package{"unsafe": types.Unsafe}, sizes: types.SizesFor("gc", "amd64")}
	var found []error
	for packages := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := packages.Decode(&p); errors.Is(err, io.EOF) {
			return errors.Join(found...)
		} else if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		if err := c.check(p); err != nil && p.ours() {
			found = append(found, err)
		}
	}
}

// checker holds what was checked so far for one system.
type checker struct {
	files *token.FileSet
	sizes types.Sizes
	done  map[string]*types.Package // by the path that go list has
}

// check finds what a package of ours breaks, and of others what they export.
func (c checker) check(p listed) error {
	if p.ImportPath == "unsafe" || p.Name == "main" && strings.HasSuffix(p.ImportPath, ".test") { // go test writes that one
		return nil
	}
	if p.Error != nil {
		return errors.New(p.Error.Err)
	}
	files, broken := c.parse(p)
	goVersion := ""
	if p.Module != nil && p.Module.GoVersion != "" {
		goVersion = "go" + p.Module.GoVersion
	}
	config := types.Config{
		Importer: importer{c.done, p.ImportMap}, Sizes: c.sizes, GoVersion: goVersion, IgnoreFuncBodies: !p.ours(),
		Error: func(err error) { broken = append(broken, err) },
	}
	path, _, _ := strings.Cut(p.ImportPath, " ")          // without the test that it is compiled for
	checked, _ := config.Check(path, c.files, files, nil) // its error is the first of broken
	c.done[p.ImportPath] = checked
	return errors.Join(broken...)
}

// parse reads a package's files, and returns what is wrong with them.
func (c checker) parse(p listed) (files []*ast.File, broken []error) {
	for _, name := range p.GoFiles {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		file, err := parser.ParseFile(c.files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			broken = append(broken, err)
			continue
		}
		files = append(files, file)
	}
	return files, broken
}

// importer finds what a package imports among what is checked.
type importer struct {
	done map[string]*types.Package
	as   map[string]string // of the paths that its files have, where go list has others
}

// Import returns the package of a path.
func (i importer) Import(path string) (*types.Package, error) {
	if other := i.as[path]; other != "" {
		path = other
	}
	if p := i.done[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s is not built here", path)
}
