package flow_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// B3, B15, A19: steps in the words of the specification are taken as they are: null
// for what is left out, timeout and options.timeout for timeout_ms, a wait with
// timeout_ms alone.
func TestStepsOfTheSpecification(t *testing.T) {
	data, err := os.ReadFile("../../testdata/specifications/B/verify_user_flow.json")
	if err != nil {
		t.Fatal(err)
	}
	var payload struct{ Steps json.RawMessage }
	if err := json.Unmarshal(data, &payload); err != nil {
		t.Fatal(err)
	}
	f, problems := (flow.Flow{StartURL: "/"}).WithSteps(payload.Steps, flow.Rules{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	want := map[int]qa.FlowStep{
		0: {Action: "navigate", URL: "{{BASE}}/shop", Description: "open the shop"},
		2: {Action: "select", Selector: "#size", Option: "Large", TimeoutMS: 5000},
		3: {Action: "wait", TimeoutMS: 50},
		5: {Action: "click", Selector: "#buy", TimeoutMS: 5000},
		7: {Action: "assert", Selector: "#status", Assertion: &qa.Assertion{Type: qa.Visible}},
	}
	for i, step := range want {
		if diff := cmp.Diff(step, f.Steps[i]); diff != "" {
			t.Errorf("step %d: %s", i+1, diff)
		}
	}
}

// B15: a wait with timeout_ms alone waits that long, and then goes on.
func TestWaitWithTimeoutAlone(t *testing.T) {
	c := &clock{now: time.Unix(1e9, 0)}
	p := &page{clock: c, script: func(int, time.Duration) error { return nil }}
	f := flow.Flow{StartURL: "http://shop.test/", SuccessCondition: "#x", Steps: []qa.FlowStep{{Action: "wait", TimeoutMS: 5000}}}
	r, err := flow.Run(t.Context(), f, 30*time.Second, flow.Site{Repeatable: true, Close: func(context.Context) {},
		Open: func(context.Context, int) (flow.Page, error) { return p, nil }}, flow.Options{Clock: c})
	if err != nil || r.Status != qa.Passed || c.now.Sub(time.Unix(1e9, 0)) < 5*time.Second {
		t.Errorf("%s (%s), %v, after %s", r.Status, r.Reason, err, c.now.Sub(time.Unix(1e9, 0)))
	}
}
