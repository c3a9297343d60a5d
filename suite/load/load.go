package load

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools/rules"
	"github.com/assay-qa/assay/tools/workspace"
)

// Flow holds a flow that passed its checks, and the hash of its files.
type Flow struct {
	flow.Flow
	Hash  string   // of the files it was read from
	files []string // absolute paths of these
}

// treeFile names a file within the tree that its includes must stay in.
type treeFile struct {
	root string // the given folder, or that of the given file
	name string // relative to root, with slashes

	asked bool // named by the user, not found in a folder
}

func (f treeFile) path() string { return filepath.Join(f.root, filepath.FromSlash(f.name)) }

// Case holds a flow, a task or a row of a spec that passed its checks.
type Case struct {
	Path string // as a person would name the file
	File string // its absolute path
	Flow *Flow
	Task *spec.Task
	Spec *Spec
}

// Files lists the absolute paths of the files that say what the case does: its own, those that it includes or is signed
// in by, and the recording of a spec, which may not be there.
func (l Case) Files() []string {
	switch {
	case l.Spec != nil:
		return l.Spec.allFiles()
	case l.Flow != nil:
		return l.Flow.files
	default:
		return []string{l.File}
	}
}

// Role returns the role that the case is signed in as; empty: none.
func (l Case) Role() string {
	switch {
	case l.Spec != nil:
		return l.Spec.Role
	case l.Task != nil:
		return l.Task.Role
	default:
		return l.Flow.Role
	}
}

// Reader reads files for one environment.
type Reader struct {
	Target      workspace.Target
	Network     egress.Lists
	Vars        map[string]string                            // for specs
	Secrets     []string                                     // that are configured
	UploadRoots []string                                     // folders from which files may be uploaded
	Source      func(ctx context.Context, name string) error // why a secret's value can't be had; nil: not asked
	Withheld    map[string]string                            // where the folder says secrets that do not count, by name
	BaseURL     string                                       // base address that wins over that of a spec
	Destructive string                                       // guard.destructive
	DataDir     string                                       // holds nothing of the user's own
	LoginFlows  []string                                     // files that sign roles in; in a folder they are no cases
}

// Load reads and checks every flow, task and spec that the paths name, for an
// environment. All that is wrong in all files comes in one usage error.
func (r Reader) Load(paths []string) ([]Case, error) {
	files, err := r.find(paths)
	if err != nil {
		return nil, err
	}
	specs := specReader{Reader: r}
	var all []Case
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
			return nil, config.Usage("%w", err)
		}
		all, wrong = append(all, l), append(wrong, problems...)
	}
	if err := nothingRun(append(wrong, specs.checkTogether(all)...)); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, config.Usage("nothing was run: all .md files in %s are parts of others; name one to run it by itself", strings.Join(paths, ", "))
	}
	return all, nil
}

// nothingRun returns the usage error that lists problems; nil where there are none.
func nothingRun(problems flow.Problems) error {
	var lines []string
	for _, p := range problems {
		if line := p.Error(); !slices.Contains(lines, line) { // an include is read by each who includes it
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return config.Usage("nothing was run:\n%s", strings.Join(lines, "\n"))
}

// one reads a flow or a task.
func (r Reader) one(file treeFile) (Case, flow.Problems, error) {
	l := Case{Path: file.path()}
	abs, err := filepath.Abs(l.Path)
	if err != nil {
		return l, nil, err
	}
	l.File = abs
	if spec.IsTask(file.name) {
		t, problems, err := loadTask(file, r.Target, r.Network.AllowedHosts)
		l.Task = &t
		return l, problems, err
	}
	f, problems, err := loadFlow(file, r.Target.BaseURL)
	if wrong := checkRole(f.Role, r.Target); wrong != nil && err == nil {
		problems = append(problems, flow.Problem{Where: file.path(), Field: "role", Message: wrong.Error()})
	}
	l.Flow = &f
	return l, problems, err
}

// Absolute returns paths that mean the same in any folder.
func Absolute(paths []string) ([]string, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	out := make([]string, len(paths))
	for i, path := range paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, config.Usage("%s: %w", path, err)
		}
		out[i] = abs
	}
	return out, nil
}

// Relative returns absolute paths as a person would name them here.
func Relative(paths []string) []string {
	out := slices.Clone(paths)
	here, err := os.Getwd()
	if err != nil {
		return out // they lead to the files all the same
	}
	for i, path := range paths {
		if rel, inside := disk.Inside(here, path); inside {
			out[i] = rel
		}
	}
	return out
}

// FlowFile reads the flow in a file of its own.
func FlowFile(path, base string) (Flow, flow.Problems, error) {
	return loadFlow(treeFile{root: filepath.Dir(path), name: filepath.Base(path)}, base)
}

// loadFlow reads one flow and makes its addresses absolute. Nothing outside of
// the file's tree is read, by no symbolic link either.
func loadFlow(file treeFile, base string) (f Flow, problems flow.Problems, err error) {
	root, err := os.OpenRoot(file.root)
	if err != nil {
		return f, nil, fmt.Errorf("flows: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	sum, written := sha256.New(), true
	f.Flow, problems = flow.Load(file.name, func(name string) ([]byte, error) {
		data, err := readFlow(root, name)
		path := absolutePath(treeFile{root: file.root, name: name})
		f.files = append(f.files, path, AcceptanceFile(path))
		sum.Write(data)
		if err != nil {
			return nil, err
		}
		own, err := Written(name, data, func(name string) ([]byte, error) { return readFlow(root, name) })
		written = written && own
		return data, err
	}, rules.Flows())
	f.Written = written
	f.Hash = hex.EncodeToString(sum.Sum(nil))
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

// readFlow reads a file of at most as many bytes as a flow may have.
func readFlow(root *os.Root, name string) (data []byte, err error) {
	return disk.ReadInput(root, filepath.FromSlash(name), flow.MaxFileBytes)
}
