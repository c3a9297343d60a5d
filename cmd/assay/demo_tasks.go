package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/demo"
	"github.com/assay-qa/assay/nearest"
)

// variantNames lists the demo's variants for a reader of --help.
func variantNames() string {
	var healthy, faulty []string
	for _, v := range demo.Variants() {
		if v.Healthy {
			healthy = append(healthy, v.Name)
		} else {
			faulty = append(faulty, v.Name)
		}
	}
	return strings.Join(healthy, ", ") + "; or with one fault: " + strings.Join(faulty, ", ")
}

// knownVariant refuses a variant that the demo does not have.
func knownVariant(name string) error {
	names := []string{""}
	for _, v := range demo.Variants() {
		names = append(names, v.Name)
	}
	if !slices.Contains(names, name) {
		return usage("--variant %s is unknown%s; accepted: %s", name, nearest.Hint(name, names[1:]), variantNames())
	}
	return nil
}

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
