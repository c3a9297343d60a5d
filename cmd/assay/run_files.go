package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools"
)

// loadedFlow is a flow that is good to run, and where it came from.
type loadedFlow struct {
	flow.Flow
	path string // as a person would name the file
}

// flowFile is a file within the tree that its includes must stay in.
type flowFile struct {
	root string // the given folder, or that of the given file
	name string // relative to root, with slashes
}

func (f flowFile) path() string { return filepath.Join(f.root, filepath.FromSlash(f.name)) }

// loadFlows reads and checks every flow that the paths name. All that is wrong
// in all files comes in one usage error.
func loadFlows(paths []string, base string) ([]loadedFlow, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	files, err := findFlows(paths)
	if err != nil {
		return nil, err
	}
	var flows []loadedFlow
	var wrong []string
	for _, file := range files {
		f, problems, err := loadFlow(file, base)
		if err != nil {
			return nil, usage("%w", err)
		}
		for _, p := range problems {
			if line := p.Error(); !slices.Contains(wrong, line) { // an include is read by each who includes it
				wrong = append(wrong, line)
			}
		}
		flows = append(flows, loadedFlow{Flow: f, path: file.path()})
	}
	if len(wrong) > 0 {
		return nil, usage("no flow was run:\n%s", strings.Join(wrong, "\n"))
	}
	return flows, nil
}

// findFlows lists the flow files at the given paths, each once, in order.
func findFlows(paths []string) ([]flowFile, error) {
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
			return nil, usage("flows: %w", err)
		case !info.IsDir() && !flow.IsFile(path):
			return nil, usage("%s is no flow file: its name must end in %s", path, strings.Join(flow.Endings(), " or "))
		case !info.IsDir():
			add(flowFile{root: filepath.Dir(path), name: filepath.Base(path)})
			continue
		}
		before := len(files)
		if err := walkFlows(path, add); err != nil {
			return nil, usage("flows in %s: %w", path, err)
		}
		if len(files) == before {
			return nil, usage("%s holds no flow file: their names end in %s", path, strings.Join(flow.Endings(), " or "))
		}
	}
	return files, nil
}

// walkFlows finds flow files below a folder, in the order of their names.
// Hidden folders and installed packages hold none of the user's own.
func walkFlows(root string, add func(flowFile)) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if name := entry.Name(); path != root && (strings.HasPrefix(name, ".") || name == "node_modules") {
				return fs.SkipDir
			}
			return nil
		case !flow.IsFile(entry.Name()):
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
func loadFlow(file flowFile, base string) (f flow.Flow, problems flow.Problems, err error) {
	root, err := os.OpenRoot(file.root)
	if err != nil {
		return f, nil, fmt.Errorf("flows: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	f, problems = flow.Load(file.name, func(name string) ([]byte, error) { return readFlow(root, name) }, tools.FlowRules())
	for i, p := range problems {
		problems[i].Where = filepath.Join(file.root, filepath.FromSlash(p.Where))
	}
	for i, o := range f.Origins {
		f.Origins[i] = filepath.Join(file.root, filepath.FromSlash(o))
	}
	if len(problems) > 0 {
		return f, problems, nil
	}
	f, problems = f.Resolve(base)
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
