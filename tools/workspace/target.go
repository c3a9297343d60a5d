package workspace

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/auth"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/signin"
)

// Target holds the environment under test: one [env.NAME] of the configuration.
// The zero value is no environment: addresses are absolute then.
type Target struct {
	Name         string
	BaseURL      string          // what a route or a relative address is appended to
	KPI          *qa.KPISpec     // the oracle of tasks that bring none
	Tolerance    *qa.Tolerances  // of tasks that bring none
	NumberLocale string          // of tasks that bring none
	Budgets      *qa.Budgets     // of tasks that bring none
	Roles        map[string]Role // users that a session can be signed in as
}

// Role holds one user of the environment.
type Role = signin.Role

// Role finds a role of the environment.
func (ws *Workspace) Role(name string) (Role, error) {
	if r, ok := ws.Target.Roles[name]; ok {
		return r, nil
	}
	known := slices.Sorted(maps.Keys(ws.Target.Roles))
	if len(known) == 0 {
		const remedy = "add [env.NAME] with base_url and [env.NAME.roles.%s] to mcp.toml, or leave the role out and sign in on the page"
		return Role{}, engine.InvalidInput(strings.Replace(remedy, "%s", name, 1), "role %q: no roles are configured", name)
	}
	return Role{}, engine.InvalidInput("roles: "+strings.Join(known, ", "), "role %q is unknown in environment %s%s", name, ws.Target.Name, text.Hint(name, known))
}

// Address makes an address absolute: one that starts with / or ? is appended to
// the environment's base URL. Without one, and for all others, it stays as it is.
func (ws *Workspace) Address(raw string) (string, error) {
	out, err := flow.Join(ws.Target.BaseURL, raw)
	if err != nil {
		return "", engine.InvalidInput("give a path such as /dashboard, or a full address", "%v", err)
	}
	return out, nil
}

// KnowsRole reports whether the environment has a role of that name.
func (ws *Workspace) KnowsRole(name string) error {
	_, err := ws.Role(name)
	return AsBrowserError(err)
}

// AsBrowserError returns an error as callers in Go know it, with what to do next.
func AsBrowserError(err error) error {
	var te *engine.Error
	var stored *auth.Error
	switch {
	case errors.As(err, &te):
		return &explain.Error{Code: explain.Code(te.Code), Message: te.Message, Hint: te.Hint, Page: te.Page, Places: te.Places, Retriable: te.Retriable}
	case errors.As(err, &stored):
		return &explain.Error{Code: explain.InvalidInput, Message: pagetext.Sentencef("%v", stored), Hint: stored.Hint(), Cause: err}
	}
	return err
}
