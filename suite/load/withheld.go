package load

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa/flow"
)

// CheckWithheld refuses cases that need a secret which the folder says and nobody has trusted: in their own texts, in
// what a spec may use, or in the flow that signs their role in.
func (r Reader) CheckWithheld(cases []Case) error {
	for _, name := range slices.Sorted(maps.Keys(r.Withheld)) {
		for _, c := range cases {
			uses, err := r.uses(c, name)
			if err != nil {
				return err
			}
			if uses {
				return config.Usage("%s needs the secret %s, which %s says, and nobody has trusted this folder: a person who knows the folder runs assay "+
					"trust once (in CI: CI=true and --config FILE), or names the secret in their own configuration", c.Path, name, r.Withheld[name])
			}
		}
	}
	return nil
}

// uses reports whether a case may type a secret.
func (r Reader) uses(c Case, name string) (bool, error) {
	role, parts := "", []any{}
	switch {
	case c.Spec != nil:
		if slices.Contains(c.Spec.Secrets, name) {
			return true, nil
		}
		role = c.Spec.Role
	case c.Task != nil:
		role, parts = c.Task.Role, append(parts, c.Task)
	case c.Flow != nil:
		role, parts = c.Flow.Role, append(parts, c.Flow.Flow)
	}
	if login := r.Target.Roles[role].Login; login != nil {
		parts = append(parts, login)
	}
	for _, part := range parts {
		text, err := json.Marshal(part)
		if err != nil {
			return false, err
		}
		if slices.Contains(flow.Secrets(string(text)), name) {
			return true, nil
		}
	}
	return false, nil
}
