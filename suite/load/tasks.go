package load

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools/rules"
	"github.com/assay-qa/assay/tools/workspace"
)

// loadTask reads and checks one task file.
func loadTask(file treeFile, target workspace.Target, allowed []string) (t spec.Task, problems flow.Problems, err error) {
	root, err := os.OpenRoot(file.root)
	if err != nil {
		return t, nil, fmt.Errorf("tasks: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	data, err := readFlow(root, file.name)
	if err != nil {
		return t, nil, fmt.Errorf("tasks: %w", err)
	}
	readings, err := readFlow(root, spec.ReadingsFile(file.name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return t, nil, fmt.Errorf("tasks: %w", err)
	}
	t, problems = spec.LoadTask(file.path(), data, target.BaseURL, spec.TaskRules{Readings: readings, Flow: rules.Flows(), Validate: func(t qa.TaskSpec) error {
		if t.KPISpec == nil && len(t.Ranges) > 0 {
			t.KPISpec = target.KPI // as run_start does
		}
		return errors.Join(rules.CheckTask(t), checkReach(t.Route, target.BaseURL, allowed), checkRole(t.Role, target))
	}})
	return t, problems, nil
}

// checkReach refuses a route that leads where the task's pages may not go.
func checkReach(route, base string, allowed []string) error {
	host, hosts := hostOf(route), Hosts(route, base, allowed)
	if host == "" || slices.Contains(hosts, host) {
		return nil
	}
	return fmt.Errorf("route leads to %s, and pages may reach %s only: name that host in network.allowed_hosts", host, strings.Join(hosts, ", "))
}

// checkRole refuses a role that the environment does not have.
func checkRole(role string, target workspace.Target) error {
	if _, ok := target.Roles[role]; ok || role == "" {
		return nil
	}
	known := slices.Sorted(maps.Keys(target.Roles))
	if len(known) == 0 {
		return fmt.Errorf("role %q: no roles are configured; add [env.NAME.roles.%s] to mcp.toml", role, role)
	}
	return fmt.Errorf("role %q is unknown in environment %s%s; it has: %s", role, target.Name, text.Hint(role, known), strings.Join(known, ", "))
}

// Hosts returns the only hosts that the pages of a task reach: that of the
// base address (or of the route, where there is none), and those configured.
func Hosts(route, base string, allowed []string) []string {
	hosts := slices.Clone(allowed)
	host := hostOf(base)
	if host == "" {
		host = hostOf(route)
	}
	if host != "" && !slices.Contains(hosts, host) {
		hosts = append(hosts, host)
	}
	return hosts
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// Address returns a task's page as an absolute address. A route may leave out its
// first slash, and is the base itself when it is empty.
func Address(route, base string) (string, error) {
	u, err := url.Parse(route)
	switch {
	case route == "":
		return base, nil
	case err == nil && !u.IsAbs() && !strings.HasPrefix(route, "/") && !strings.HasPrefix(route, "?"):
		route = "/" + route
	}
	return flow.Join(base, route)
}
