package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/text"
)

// Profile holds a way to run a suite, [profile.NAME] in the file: budgets, and
// a matrix of which each cell runs every case.
type Profile struct {
	// Budgets hold instead of those of the environment and of [agent]; a task's own that is smaller is raised to them.
	Budgets Budgets `toml:"budgets"`
	// Roles that every case runs as.
	Roles []string `toml:"roles" accept:"@nonblank"`
	// Devices that every case runs on: names such as "Pixel 7", or sizes such as "1366x768".
	Devices []string `toml:"devices" accept:"@nonblank"`
	// Locales that every case runs in.
	Locales []string `toml:"locales" accept:"@locale"`
	// Environments that every case runs against.
	Environments []string `toml:"environments" accept:"@nonblank"`
}

// MaxCells bounds the matrix of a profile.
const MaxCells = 64

// Profile returns the profile of a name. The error says what is unknown, with the nearest
// known name, or that the matrix has too many cells.
func (c Config) Profile(name string) (Profile, error) {
	p, ok := c.Profiles[name]
	known := slices.Sorted(maps.Keys(c.Profiles))
	switch {
	case !ok && len(known) == 0:
		return p, fmt.Errorf("there is no profile %q: add a section [profile.%s] to the configuration", name, name)
	case !ok:
		return p, fmt.Errorf("there is no profile %q%s; known: %s", name, text.Hint(name, known), strings.Join(known, ", "))
	}
	cells, sizes := 1, []string{}
	for _, d := range []struct {
		noun   string
		values []string
	}{{"roles", p.Roles}, {"devices", p.Devices}, {"locales", p.Locales}, {"environments", p.Environments}} {
		for i, v := range d.values {
			if slices.Contains(d.values[:i], v) {
				return p, fmt.Errorf("profile.%s.%s: %q is there twice", name, d.noun, v)
			}
		}
		if n := len(d.values); n > 0 {
			cells *= n
			sizes = append(sizes, fmt.Sprintf("%d %s", n, d.noun))
		}
	}
	if cells > MaxCells {
		return p, fmt.Errorf("profile.%s: %s are %d cells; at most %d: take values out, or make two profiles of it", name, strings.Join(sizes, " × "), cells, MaxCells)
	}
	for _, env := range p.Environments {
		if _, _, err := c.Select(env); err != nil {
			return p, fmt.Errorf("profile.%s.environments: %w", name, err)
		}
	}
	return p, nil
}
