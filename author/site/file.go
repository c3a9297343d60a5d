package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assay-qa/assay/internal/disk"
)

// FileName is the name of the file in the folder of an exploration.
const FileName = "site.json"

// maxFile bounds a site.json, in bytes.
const maxFile = 512 << 20

// Write stores an exploration in a folder, which it makes. A reader sees all of it or
// what was there before.
func Write(dir string, s Site) error {
	data, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return fmt.Errorf("write %s: %w", FileName, err)
	}
	if err := os.MkdirAll(dir, disk.DirPerm); err != nil {
		return fmt.Errorf("make the folder of the exploration %s: %w; choose another one with --out", dir, disk.Explain(err))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open the folder of the exploration %s: %w; choose another one with --out", dir, err)
	}
	defer root.Close()
	if err := disk.Write(root, FileName, append(data, '\n')); err != nil {
		return fmt.Errorf("%s: %w; choose another folder with --out", dir, err)
	}
	return nil
}

// Read reads the exploration at a path, a site.json or the folder that has one, and
// checks that what it says holds together.
func Read(path string) (Site, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, FileName)
	}
	data, err := disk.ReadPath(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Site{}, fmt.Errorf("%s does not exist: make it with: assay explore URL --out %s", path, filepath.Dir(path))
	case err != nil:
		return Site{}, fmt.Errorf("read %s: %w", path, err)
	}
	var s Site
	if err := json.Unmarshal(data, &s); err != nil {
		return Site{}, fmt.Errorf("%s is no exploration: %w; make it again with: assay explore URL --out %s", path, err, filepath.Dir(path))
	}
	if err := s.Check(); err != nil {
		return Site{}, fmt.Errorf("%s: %w; make it again with: assay explore %s --out %s", path, err, s.StartURL, filepath.Dir(path))
	}
	return s, nil
}

// Check reports what of an exploration does not hold together.
func (s Site) Check() error {
	if s.SchemaVersion != SchemaVersion {
		return fmt.Errorf("schemaVersion is %d, and this build reads %d", s.SchemaVersion, SchemaVersion)
	}
	if s.StartURL == "" {
		return errors.New("startUrl is missing")
	}
	known := map[string]bool{}
	for i, state := range s.States {
		if state.ID == "" || known[state.ID] {
			return fmt.Errorf("states[%d]: id %q is empty or stands twice", i, state.ID)
		}
		known[state.ID] = true
	}
	edges := map[string]bool{}
	for i, e := range s.Edges {
		switch {
		case e.ID == "" || edges[e.ID]:
			return fmt.Errorf("edges[%d]: id %q is empty or stands twice", i, e.ID)
		case !known[e.From] || !known[e.To]:
			return fmt.Errorf("edges[%d] leads from %q to %q, and one of them is no state", i, e.From, e.To)
		case e.Action.Kind == "":
			return fmt.Errorf("edges[%d] has no action.kind", i)
		case e.Action.Element == nil && e.Action.Kind != Navigate:
			return fmt.Errorf("edges[%d]: action %s has no element", i, e.Action.Kind)
		}
		edges[e.ID] = true
	}
	return nil
}
