package runner

import (
	"cmp"

	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/tools/workspace"
)

// account returns whose storage state the sessions of a case begin with, and whether the
// case changes what that has on the server, by its role or by its front matter (A20).
func account(target workspace.Target, f load.Case) (name string, alone bool) {
	role := f.Role()
	if f.Spec != nil {
		alone = f.Spec.Changes
		if by := f.Spec.SignedInBy; by != nil && role == "" {
			return "sign-in " + by.File, alone || by.Changes
		}
	}
	if role == "" {
		return "", false
	}
	return "role " + role + " of " + cmp.Or(target.Name, target.BaseURL), alone || target.Roles[role].ChangesState
}
