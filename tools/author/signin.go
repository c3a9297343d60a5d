package author

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/tools/workspace"
)

// SignTestsIn lets tests begin as a role: they get its storage state. Without a role
// nobody is signed in.
func SignTestsIn(ctx context.Context, ws *workspace.Workspace, runner *testrun.Runner, role string) error {
	if role == "" {
		return nil
	}
	page := &livePage{}
	if err := page.signInAs(ctx, ws, role); err != nil {
		return err
	}
	state, err := forRunner(page.state)
	runner.State, runner.OneAtATime = state, ws.Target.Roles[role].ChangesState
	return err
}

// SecretVariables returns the configured secrets as tests that were made from flows and
// plans read them: as variables of the environment. One that can't be had is missed by the
// test that needs it.
func SecretVariables(ctx context.Context, ws *workspace.Workspace) (out []string) {
	if ws.Secrets == nil {
		return nil
	}
	for _, name := range ws.Secrets.Names() {
		value, err := ws.Secrets.Reveal(ctx, name)
		if err != nil {
			ws.Log.Warn("a secret is left out", "name", name, "err", err)
			continue
		}
		out = append(out, name+"="+value)
	}
	return out
}

// forRunner returns a storage state as Playwright Test takes it: without what is null in
// cookies, and what is not Playwright's.
func forRunner(state []byte) ([]byte, error) {
	var s struct {
		Cookies []map[string]any  `json:"cookies"`
		Origins []json.RawMessage `json:"origins"`
	}
	if err := json.Unmarshal(state, &s); err != nil {
		return nil, fmt.Errorf("read the sign-in: %w", err)
	}
	for _, c := range s.Cookies {
		maps.DeleteFunc(c, func(_ string, value any) bool { return value == nil })
	}
	if s.Cookies == nil {
		s.Cookies = []map[string]any{}
	}
	if s.Origins == nil {
		s.Origins = []json.RawMessage{}
	}
	return json.Marshal(s)
}
