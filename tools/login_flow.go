package tools

import (
	"cmp"
	"context"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine/flowpage"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// loginPage runs a login flow: it takes no pictures, which
// may show what is typed, and nothing of it proves anything of a run.
type loginPage struct{ *flowpage.Page }

// Watch watches nothing: a sign-in proves nothing.
func (loginPage) Watch(context.Context, *int) (string, *qa.Outcome, error) { return "", nil, nil }

// Shoot takes no picture.
func (loginPage) Shoot(context.Context, string, string) (int, error) { return 0, nil }

// RunFlow runs a login flow on a session.
func (c signInCall) RunFlow(ctx context.Context, s *browser.Session, f flow.Flow) (flow.Result, error) {
	c.signing = true
	defer func() { c.signing = false }()
	page := flowpage.New(pageCall{c: c.call, session: s}, c.checker(s), map[string]bool{})
	page.Given = true
	return flow.Run(ctx, f, cmp.Or(time.Duration(f.TimeoutMS)*time.Millisecond, flow.DefaultTimeout), flow.Site{
		Open: func(context.Context, int) (flow.Page, error) {
			return loginPage{page}, nil
		},
		Close: func(context.Context) {},
	}, flow.Options{Clock: deskClock{d: c.desk}, Progress: c.progress})
}
