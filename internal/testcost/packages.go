package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

const module = "github.com/assay-qa/assay"

// short returns a package path without the module's; "." is the module's own package.
func short(pkg string) string {
	if pkg == module {
		return "."
	}
	return strings.TrimPrefix(pkg, module+"/")
}

// splitPackages returns the named packages, and all others of the module.
func splitPackages(ctx context.Context, patterns []string) (named, others []string, err error) {
	if named, err = list(ctx, patterns...); err != nil {
		return nil, nil, err
	}
	if others, err = list(ctx, "./...", "./bench/..."); err != nil {
		return nil, nil, err
	}
	return named, slices.DeleteFunc(others, func(pkg string) bool { return slices.Contains(named, pkg) }), nil
}

func list(ctx context.Context, patterns ...string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list"}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", strings.Join(patterns, " "), err)
	}
	return strings.Fields(string(out)), nil
}
