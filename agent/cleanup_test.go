package agent_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/qa"
)

// A page that breaks ends the steps, and is tidied up after all the same.
func TestCleanupAfterABrokenPage(t *testing.T) {
	t.Parallel()
	page := site(t, `<!doctype html><title>x</title><button onclick="null.x">Go</button>`)
	model := &script{}
	r := ownRig(t, model)
	procedural(r, "Leave the page")
	model.turns = []agent.Reply{calls("page_navigate", fmt.Sprintf(`{"url": %q}`, page)), calls("page_click", `{"selector": "button \"Go\""}`, "page_snapshot", `{}`),
		turn([]string{"page_navigate", `{"url": "about:blank"}`}, done(3)), calls("run_finish", last("failed"))}
	out := r.run()
	r.wants(out, qa.Failed, "uncaught exception")
	answeredOnce(t, model.seen)
	if n := len(out.Done); n != 3 || out.Done[n-1].Step != 2 {
		t.Errorf("calls that were made: %+v", out.Done)
	}
	if contains(out.Report, "cleanup is done") || contains(out.Report, "step 1") {
		t.Errorf("findings %+v", out.Report.Findings)
	}
}

// Without a model nobody tidies up: the report says so.
func TestCleanupWithoutAModel(t *testing.T) {
	t.Parallel()
	model := &unsteady{faults: map[int][]*agent.ModelError{1: repeated(1, fault(agent.Unauthorised, 401))}}
	r := newRig(t, model)
	procedural(r, "Leave the page")
	model.turns = []agent.Reply{r.opened(), calls("run_finish", last("passed"))}
	out := r.run()
	r.wants(out, qa.Inconclusive, "cleanup is done: Leave the page")
	if model.asked != 2 || !has(string(out.Report.StatusReason), "unauthorised") {
		t.Errorf("the model was asked %d times; %s", model.asked, out.Report.StatusReason)
	}
}

// interrupting is a model whose task is interrupted while it thinks.
type interrupting struct {
	script
	interrupt context.CancelFunc
}

func (m *interrupting) Next(ctx context.Context, c agent.Conversation) (agent.Reply, error) {
	if m.at > 0 {
		m.interrupt()
		m.at++
		return agent.Reply{}, ctx.Err()
	}
	return m.script.Next(ctx, c)
}

// A16: who interrupts a task wants it to end: nothing is tidied up.
func TestNoCleanupAfterAnInterruption(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	model := &interrupting{interrupt: cancel}
	r := newRig(t, model)
	procedural(r, "Leave the page")
	model.turns = []agent.Reply{r.opened()}
	out, err := agent.Run(ctx, r.Options)
	if err != nil {
		t.Fatal(err)
	}
	r.wants(out, qa.Inconclusive, "it was interrupted")
	if model.at != 2 || !contains(out.Report, "cleanup is done: Leave the page") {
		t.Errorf("the model was asked %d times; findings %+v", model.at, out.Report.Findings)
	}
}
