package author

import (
	"context"

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
	runner.State, runner.OneAtATime = page.state, ws.Target.Roles[role].ChangesState
	return nil
}
