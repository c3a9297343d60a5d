package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-qa/assay/demo"
)

// writeDemoTasks writes the demo's task, flow and configuration into a folder.
// A file that is there already with another content is kept, and printed.
func writeDemoTasks(a *app, dir, baseURL string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("--tasks: %w", err)
	}
	files := demo.Tasks(baseURL)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, name)
		if old, err := os.ReadFile(path); err == nil && !slices.Equal(old, files[name]) {
			return usage("--tasks: %s is there already, and is another one; take it away, or name another folder", path)
		}
		if err := os.WriteFile(path, files[name], 0o644); err != nil {
			return fmt.Errorf("--tasks: %w", err)
		}
		fmt.Fprintln(a.stdout, path)
	}
	return nil
}
