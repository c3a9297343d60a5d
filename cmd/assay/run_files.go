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

	"github.com/assay-qa/assay/agent/suite"
	"github.com/assay-qa/assay/qa/flow"
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
}

func (f flowFile) path() string { return filepath.Join(f.root, filepath.FromSlash(f.name)) }

// loaded is what a file holds: a flow or a task.
type loaded struct {
	path string // as a person would name the file
	file string // its absolute path
	flow *loadedFlow
	task *suite.Task
}

// loadFiles reads and checks every flow and task that the paths name, for an
// environment. All that is wrong in all files comes in one usage error.
func loadFiles(paths []string, target tools.Target, allowed []string) ([]loaded, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	files, err := findFiles(paths)
	if err != nil {
		return nil, err
	}
	var all []loaded
	var wrong []string
	for _, file := range files {
		l, problems, err := load(file, target, allowed)
		if err != nil {
			return nil, usage("%w", err)
		}
		for _, p := range problems {
			if line := p.Error(); !slices.Contains(wrong, line) { // an include is read by each who includes it
				wrong = append(wrong, line)
			}
		}
		all = append(all, l)
	}
	if len(wrong) > 0 {
		return nil, usage("nothing was run:\n%s", strings.Join(wrong, "\n"))
	}
	return all, nil
}

func load(file flowFile, target tools.Target, allowed []string) (loaded, flow.Problems, error) {
	l := loaded{path: file.path()}
	abs, err := filepath.Abs(l.path)
	if err != nil {
		return l, nil, err
	}
	l.file = abs
	if suite.IsTask(file.name) {
		t, problems, err := loadTask(file, target, allowed)
		l.task = &t
		return l, problems, err
	}
	f, problems, err := loadFlow(file, target.BaseURL)
	if wrong := checkRole(f.Role, target); wrong != nil && err == nil {
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
func runnable(name string) bool { return flow.IsFile(name) || suite.IsTask(name) }

// findFiles lists the flow and task files at the given paths, each once, in
// order.
func findFiles(paths []string) ([]flowFile, error) {
	var files []flowFile
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
			return nil, usage("flows and tasks: %w", err)
		case !info.IsDir() && !runnable(path):
			return nil, usage("%s is no flow or task: its name must end in %s", path, endings())
		case !info.IsDir():
			add(flowFile{root: filepath.Dir(path), name: filepath.Base(path)})
			continue
		}
		before := len(files)
		if err := walkFiles(path, add); err != nil {
			return nil, usage("flows and tasks in %s: %w", path, err)
		}
		if len(files) == before {
			return nil, usage("%s holds no flow and no task: their names end in %s", path, endings())
		}
	}
	return files, nil
}

func endings() string {
	return strings.Join(slices.Concat(flow.Endings(), suite.Endings()), " or ")
}

// walkFiles finds flow and task files below a folder, in the order of their names.
// Hidden folders and installed packages hold none of the user's own.
func walkFiles(root string, add func(flowFile)) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if name := entry.Name(); path != root && (strings.HasPrefix(name, ".") || name == "node_modules") {
				return fs.SkipDir
			}
			return nil
		case !runnable(entry.Name()):
			return nil
		}
		name, err := filepath.Rel(root, path)
		if err == nil {
			add(flowFile{root: root, name: filepath.ToSlash(name)})
		}
		return err
	})
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
