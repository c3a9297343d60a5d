package runner

import (
	"errors"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools/workspace"
)

// A20: whose state a case begins with, and that it runs alone where its role, its front
// matter or that of its sign-in says that it changes what stands behind it.
func TestAccount(t *testing.T) {
	target := workspace.Target{Name: "shop", Roles: map[string]workspace.Role{"admin": {ChangesState: true}, "guest": {}}}
	task := func(role string) load.Case { return load.Case{Task: &spec.Task{TaskSpec: qa.TaskSpec{Role: role}}} }
	ofSpec := func(role string, changes bool, by *load.Spec) load.Case {
		return load.Case{Spec: &load.Spec{Spec: spec.Spec{Changes: changes}, Role: role, SignedInBy: by}}
	}
	reads, writes := &load.Spec{Spec: spec.Spec{File: "/a/AUTH_LOGIN.md"}, SignsIn: true}, &load.Spec{Spec: spec.Spec{File: "/b/AUTH_LOGIN.md", Changes: true}, SignsIn: true}
	for name, c := range map[string]struct {
		of    load.Case
		want  string
		alone bool
	}{
		"a task of a role":         {task("guest"), "role guest of shop", false},
		"a role that changes":      {task("admin"), "role admin of shop", true},
		"a task of none":           {task(""), "", false},
		"a flow":                   {load.Case{Flow: &load.Flow{Flow: flow.Flow{Role: "admin"}}}, "role admin of shop", true},
		"a spec":                   {ofSpec("guest", false, nil), "role guest of shop", false},
		"a spec that changes":      {ofSpec("guest", true, nil), "role guest of shop", true},
		"a spec as nobody":         {ofSpec("", true, nil), "", false},
		"signed in by a spec":      {ofSpec("", false, reads), "sign-in /a/AUTH_LOGIN.md", false},
		"signed in, changes":       {ofSpec("", true, reads), "sign-in /a/AUTH_LOGIN.md", true},
		"a sign-in that changes":   {ofSpec("", false, writes), "sign-in /b/AUTH_LOGIN.md", true},
		"the sign-in has no state": {load.Case{Spec: writes}, "", false},
	} {
		if got, alone := account(target, c.of); got != c.want || alone != c.alone {
			t.Errorf("%s: %q, alone %v", name, got, alone)
		}
	}
	d := &workspace.Workspace{Settings: workspace.Settings{Target: target}}
	made := (&Runner{}).cases(d, plan{files: []load.Case{task("admin"), task("guest")}})
	if made[0].Account != "role admin of shop" || !made[0].Alone || made[1].Account != "role guest of shop" || made[1].Alone {
		t.Errorf("cases %+v", made)
	}
}

// A20: a server runs no second suite that would share a state which one of the two changes.
func TestBackgroundSharesNoState(t *testing.T) {
	s := &Background{}
	add := func(id, account string, alone bool) (*background, error) {
		b, _, err := s.add(t.Context(), Prepared{Suite: suite.Suite{ID: id}, cases: []suite.Case{{Account: account, Alone: alone}}})
		return b, err
	}
	first, err := add("first", "role admin of shop", true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := add("second", "role admin of shop", false); !errors.Is(err, workspace.ErrSuiteRefused) || !strings.Contains(err.Error(), "first has cases of role admin of shop") {
		t.Errorf("a second one: %v", err)
	}
	if _, err := add("third", "role guest of shop", true); err != nil {
		t.Errorf("one of another role: %v", err)
	}
	first.Run(func() {})
	first.Await(t.Context())
	if _, err := add("second", "role admin of shop", false); err != nil {
		t.Errorf("after the end: %v", err)
	}
}
