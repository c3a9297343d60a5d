package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools"
)

// loadedFlow is a flow that is good to run, and where it came from.
type loadedFlow struct {
	flow.Flow
	hash string // of the files it was read from
}

// flowFile is a file within the tree that its includes must stay in.
type flowFile struct {
	root string // the given folder, or that of the given file
	name string // relative to root, with slashes

	asked bool // for itself, and not found in a folder
}

func (f flowFile) path() string { return filepath.Join(f.root, filepath.FromSlash(f.name)) }

// loaded is what a file holds: a flow, a task or a spec.
type loaded struct {
	path string // as a person would name the file
	file string // its absolute path
	flow *loadedFlow
	task *spec.Task
	spec *loadedSpec
}

// reading is what files are read with.
type reading struct {
	target  tools.Target
	network egress.Lists
	vars    map[string]string // for specs
	secrets []string          // that are configured
	fixed   string            // base address that wins over that of a spec
	guard   string            // guard.destructive
	dataDir string            // holds nothing of the user's own
}

// load reads and checks every flow, task and spec that the paths name, for an
// environment. All that is wrong in all files comes in one usage error.
func (r reading) load(paths []string) ([]loaded, error) {
	files, err := r.find(paths)
	if err != nil {
		return nil, err
	}
	specs := specReader{reading: r}
	var all []loaded
	for _, file := range files {
		if spec.IsSpec(file.name) {
			if err := specs.read(file); err != nil {
				return nil, err
			}
		}
	}
	var wrong flow.Problems
	for _, file := range files {
		if spec.IsSpec(file.name) {
			cases, problems := specs.cases(file)
			all, wrong = append(all, cases...), append(wrong, problems...)
			continue
		}
		l, problems, err := r.one(file)
		if err != nil {
			return nil, usage("%w", err)
		}
		all, wrong = append(all, l), append(wrong, problems...)
	}
	var lines []string
	for _, p := range append(wrong, specs.among(all)...) {
		if line := p.Error(); !slices.Contains(lines, line) { // an include is read by each who includes it
			lines = append(lines, line)
		}
	}
	if len(lines) > 0 {
		return nil, usage("nothing was run:\n%s", strings.Join(lines, "\n"))
	}
	if len(all) == 0 {
		return nil, usage("nothing was run: all .md files in %s are parts of others; name one to run it by itself", strings.Join(paths, ", "))
	}
	return all, nil
}

// one reads a flow or a task.
func (r reading) one(file flowFile) (loaded, flow.Problems, error) {
	l := loaded{path: file.path()}
	abs, err := filepath.Abs(l.path)
	if err != nil {
		return l, nil, err
	}
	l.file = abs
	if spec.IsTask(file.name) {
		t, problems, err := loadTask(file, r.target, r.network.AllowedHosts)
		l.task = &t
		return l, problems, err
	}
	f, problems, err := loadFlow(file, r.target.BaseURL)
	if wrong := checkRole(f.Role, r.target); wrong != nil && err == nil {
		problems = append(problems, flow.Problem{Where: file.path(), Field: "role", Message: wrong.Error()})
	}
	l.flow = &f
	return l, problems, err
}

// absolute are paths that mean the same in any folder.
func absolute(paths []string) ([]string, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	out := make([]string, len(paths))
	for i, path := range paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, usage("%s: %w", path, err)
		}
		out[i] = abs
	}
	return out, nil
}

// nearby are absolute paths as a person would name them here.
func nearby(paths []string) []string {
	out := slices.Clone(paths)
	here, err := os.Getwd()
	if err != nil {
		return out // they lead to the files all the same
	}
	for i, path := range paths {
		if rel, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(rel) {
			out[i] = rel
		}
	}
	return out
}

// runnable reports whether a name is that of a file that can be run.
func runnable(name string) bool {
	return flow.IsFile(name) || spec.IsTask(name) || spec.IsSpec(name)
}

// find lists the flows, tasks and specs at the given paths, each once, in the
// order of their names.
func (r reading) find(paths []string) (files []flowFile, err error) {
	named := len(paths) > 0
	if !named {
		paths = []string{"."}
	}
	seen := map[string]bool{}
	add := func(f flowFile) {
		if abs, err := filepath.Abs(f.path()); err == nil && !seen[abs] {
			seen[abs] = true
			files = append(files, f)
		}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, usage("flows, tasks and specs: %w", err)
		case !info.IsDir() && !runnable(path):
			return nil, usage("%s is no flow, no task and no spec: its name must end in %s", path, endings())
		case !info.IsDir():
			add(flowFile{root: filepath.Dir(path), name: filepath.Base(path), asked: true})
			continue
		}
		before := len(files)
		if err := r.walk(path, named, add); err != nil {
			return nil, usage("flows, tasks and specs in %s: %w", path, err)
		}
		if len(files) == before {
			return nil, usage("%s holds no flow, no task and no spec: their names end in %s", path, endings())
		}
	}
	return files, nil
}

func endings() string {
	return strings.Join(slices.Concat(flow.Endings(), spec.Endings(), []string{".md"}), " or ")
}

// walk finds files below a folder, in the order of their names. Hidden folders,
// installed packages and our own reports hold none of the user's own.
func (r reading) walk(root string, named bool, add func(flowFile)) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if name := entry.Name(); path != root && (strings.HasPrefix(name, ".") || name == "node_modules" || r.isData(path)) {
				return fs.SkipDir
			}
			return nil
		case !runnable(entry.Name()), spec.IsSpec(path) && !isCase(path, named), recordingOf(path) != "":
			return nil
		}
		name, err := filepath.Rel(root, path)
		if err == nil {
			add(flowFile{root: root, name: filepath.ToSlash(name)})
		}
		return err
	})
}

// isData reports whether a folder is the data directory.
func (r reading) isData(path string) bool {
	abs, err := filepath.Abs(path)
	data, dataErr := filepath.Abs(r.dataDir)
	return err == nil && dataErr == nil && abs == data
}

// loadFlow reads one flow and makes its addresses absolute. Nothing outside of
// the file's tree is read, by no symbolic link either.
func loadFlow(file flowFile, base string) (f loadedFlow, problems flow.Problems, err error) {
	root, err := os.OpenRoot(file.root)
	if err != nil {
		return f, nil, fmt.Errorf("flows: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	sum := sha256.New()
	f.Flow, problems = flow.Load(file.name, func(name string) ([]byte, error) {
		data, err := readFlow(root, name)
		sum.Write(data)
		return data, err
	}, tools.FlowRules())
	f.hash = hex.EncodeToString(sum.Sum(nil))
	for i, p := range problems {
		problems[i].Where = filepath.Join(file.root, filepath.FromSlash(p.Where))
	}
	for i, o := range f.Origins {
		f.Origins[i] = filepath.Join(file.root, filepath.FromSlash(o))
	}
	if len(problems) > 0 {
		return f, problems, nil
	}
	f.Flow, problems = f.Below(base).Resolve(base)
	for i, p := range problems {
		if p.Where == "" {
			problems[i].Where = file.path()
		}
		problems[i].Message += " (--base-url)"
	}
	return f, problems, nil
}

// readFlow reads a file, and a little more than a flow may have of one that is
// too big.
func readFlow(root *os.Root, name string) (data []byte, err error) {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(io.LimitReader(f, flow.MaxFileBytes+1))
}
