package flows

import (
	"cmp"

	"github.com/assay-qa/assay/browser/trace"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
)

// group names a step of a flow in its session's trace.
func (r *Run) group(s *flow.Step) {
	from, to := r.stepped, r.Call.Workspace.Now()
	r.stepped = to
	if r.Call.Session == nil {
		return
	}
	g := trace.Group{Title: engine.OneLine(s.Name()), From: from, To: to}
	if s.Status != qa.TestPassed {
		g.Error = cmp.Or(s.Reason, pagetext.Text(string(s.Status)))
	}
	r.Call.Session.TraceGroup(g)
}
