package workers

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
)

// Work says what a worker does for one case. It has no secrets and no path of a machine:
// files are named from the project's folder, which each worker has a copy of.
type Work struct {
	Config  string   `json:"config,omitempty"` // the configuration's file; empty: none
	Files   []File   `json:"files"`
	Path    string   `json:"path"` // the case's own file
	Row     int      `json:"row,omitempty"`
	Round   int      `json:"round,omitempty"`
	Env     string   `json:"env,omitempty"`
	BaseURL string   `json:"base_url,omitempty"`
	Vars    []string `json:"vars,omitempty"` // NAME=VALUE
	Replay  string   `json:"replay,omitempty"`
	CI      bool     `json:"ci,omitempty"` // no person sits there
	// Settings is the SHA-256 of the flags that the workers were started with.
	Settings string `json:"settings,omitempty"`
}

// Check refuses a case whose own file, or configuration, is none of its files: a worker reads
// nothing else.
func (w Work) Check() error {
	for _, name := range []string{w.Path, w.Config} {
		if name != "" && !slices.ContainsFunc(w.Files, func(f File) bool { return f.Path == name }) {
			return fmt.Errorf("the case names %q, which is none of its files", name)
		}
	}
	if w.Path == "" {
		return errors.New("the case names no file")
	}
	return nil
}

// File names the content of a file of the project.
type File struct {
	Path   string `json:"path"` // from the project's folder, with slashes
	SHA256 string `json:"sha256"`
}

// maxFile bounds a file of a project, in bytes.
const maxFile = 64 << 20

// ID is what tells the case from all others: everything that decides on its verdict and
// travels with it, and the build that judges it.
func (w Work) ID(build string) string {
	text, err := json.Marshal(struct {
		Work
		Build string `json:"build"`
	}{w, build}) // fields in the order of their types, keys of maps sorted
	if err != nil {
		panic(err) // strings and numbers alone
	}
	return ledger.BlobDigest(text)
}

// Pack reads the files of a case below a project's folder, and keeps each by its digest. A
// file that is not there, such as a recording that nobody has made, is left out.
func Pack(root string, paths []string, keep func([]byte) (digest string, err error)) ([]File, error) {
	var out []File
	seen := map[string]bool{}
	for _, path := range paths {
		name := Name(root, path)
		if name == "" {
			return nil, fmt.Errorf("%s lies outside of the project's folder %s, which is all that workers get: move it there, or run without workers", path, root)
		}
		if seen[name] {
			continue
		}
		seen[name] = true
		data, err := disk.ReadBelow(root, filepath.FromSlash(name), maxFile)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		digest, err := keep(data)
		if err != nil {
			return nil, err
		}
		out = append(out, File{name, digest})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out, nil
}

// Name returns how a file is named from a project's folder; empty: it lies outside.
func Name(root, path string) string {
	name, ok := disk.Inside(root, path)
	if !ok {
		return ""
	}
	return filepath.ToSlash(name)
}

// Unpack writes the files of a case into a folder.
func Unpack(folder string, files []File, get func(digest string) ([]byte, error)) error {
	if err := os.MkdirAll(folder, disk.DirPerm); err != nil {
		return disk.Explain(err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return disk.Explain(err)
	}
	defer root.Close()
	for _, f := range files {
		if !fs.ValidPath(f.Path) || !filepath.IsLocal(filepath.FromSlash(f.Path)) {
			return fmt.Errorf("the case has a file at %q, which is no path in a folder", f.Path)
		}
		data, err := get(f.SHA256)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
		if err := disk.WriteUnsynced(root, f.Path, data); err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return nil
}
