package load

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite/spec"
)

// Runnable reports whether a name is that of a file that can be run.
func Runnable(name string) bool {
	return flow.IsFile(name) || spec.IsTask(name) || spec.IsSpec(name)
}

// find lists the flows, tasks and specs at the given paths, each once, in the
// order of their names.
func (r Reader) find(paths []string) (files []treeFile, err error) {
	named := len(paths) > 0
	if !named {
		paths = []string{"."}
	}
	seen := map[string]bool{}
	add := func(f treeFile) {
		if abs, err := filepath.Abs(f.path()); err == nil && !seen[abs] {
			seen[abs] = true
			files = append(files, f)
		}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, config.Usage("%s: there is no such file or folder: name files that end in %s, or folders with some", path, endings())
		case err != nil:
			return nil, config.Usage("flows, tasks and specs: %w", err)
		case !info.IsDir() && !Runnable(path):
			return nil, config.Usage("%s is no flow, no task and no spec: its name must end in %s%s", path, endings(), ofRun(path))
		case !info.IsDir():
			add(treeFile{root: filepath.Dir(path), name: filepath.Base(path), asked: true})
			continue
		}
		before := len(files)
		if err := r.walk(path, named, add); err != nil {
			return nil, config.Usage("flows, tasks and specs in %s: %w", path, err)
		}
		if i := slices.IndexFunc(r.LoginFlows, func(flow string) bool { return sameFile(filepath.Dir(flow), path) }); len(files) == before && i >= 0 {
			return nil, config.Usage("%s holds nothing but the flow that signs a role in; to run it, name it: assay run %s", path, r.LoginFlows[i])
		}
		if len(files) == before {
			return nil, config.Usage("%s holds no flow, no task and no spec: their names end in %s", path, endings())
		}
	}
	return files, nil
}

func endings() string {
	return strings.Join(slices.Concat(flow.Endings(), spec.TaskEndings(), []string{".md"}), " or ")
}

// walk finds files below a folder, in the order of their names. Hidden folders,
// installed packages and our own reports hold none of the user's own.
func (r Reader) walk(root string, named bool, add func(treeFile)) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if name := entry.Name(); path != root && (disk.HiddenOrInstalled(name) || r.isData(path) || isReports(root, path, named)) {
				return fs.SkipDir
			}
			return nil
		case !Runnable(entry.Name()), spec.IsSpec(path) && !isCase(path, named), recordingOf(path) != "", r.isLoginFlow(path):
			return nil
		}
		name, err := filepath.Rel(root, path)
		if err == nil {
			add(treeFile{root: root, name: filepath.ToSlash(name)})
		}
		return err
	})
}

// isReports reports whether a folder holds the reports of runs and no specs: reports
// below a folder that was named (D1).
func isReports(root, path string, named bool) bool {
	return named && filepath.Base(path) == "reports" && filepath.Dir(path) == filepath.Clean(root)
}

// isData reports whether a folder is the data directory.
func (r Reader) isData(path string) bool {
	return sameFile(path, r.DataDir)
}

// isLoginFlow reports whether a file signs a role of the configuration in.
func (r Reader) isLoginFlow(path string) bool {
	return slices.ContainsFunc(r.LoginFlows, func(flow string) bool { return sameFile(flow, path) })
}

func sameFile(a, b string) bool {
	one, err := filepath.Abs(a)
	other, otherErr := filepath.Abs(b)
	return err == nil && otherErr == nil && one == other
}

// isCase reports whether a Markdown file in a folder is a spec. The usual
// documents of a repository are none, in their usual spelling: security.md may
// well be a spec. In a folder that the caller did not name, only a file with
// steps is one.
func isCase(file string, named bool) bool {
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	if strings.EqualFold(name, "README") || slices.Contains([]string{"CHANGELOG", "CONTRIBUTING", "CODE_OF_CONDUCT", "SECURITY", "LICENSE", "AUTH_LOGIN"}, name) {
		return false
	}
	if named {
		return true
	}
	content, err := disk.ReadPath(file, flow.MaxFileBytes)
	return err != nil || spec.HasSteps(content) // what can't be read is said, not left out
}

var recordingForm = pattern.New(`^(.+\.(?i:md))(?:\.row-\d+)?\.flow\.json$`)

// recordingOf returns the spec that a flow file is a recording of, or "".
func recordingOf(file string) string {
	m := recordingForm.FindStringSubmatch(file)
	if m == nil {
		return ""
	}
	if info, err := os.Stat(m[1]); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return m[1]
}

// ofRun says what to do with a file of a stored run, where one tells what a flow came to.
func ofRun(path string) string {
	folder := filepath.Dir(path)
	if !resultOfFlow.MatchString(filepath.Base(path)) || filepath.Base(filepath.Dir(folder)) != "runs" {
		return ""
	}
	return "; it tells what a flow came to, and its steps are kept as a flow by: assay export --flow " + filepath.Base(folder)
}

// resultOfFlow matches the files of a run that tell what its flows came to.
var resultOfFlow = pattern.New(`^flow(?:-[0-9]+)?\.json$`)
