package agent_test

import (
	"testing"

	"github.com/assay-qa/assay/agent"
)

// A12: where a model points to counts on the session that it works, whatever
// the configuration says of screens.
func TestScreenIsTheSessions(t *testing.T) {
	t.Parallel()
	model := &script{turns: []agent.Reply{calls("browser_launch", `{"options": {"viewport": {"width": 800, "height": 600}}}`), calls("computer_action", `{"action": "screenshot"}`),
		calls("run_finish", last("passed"))}}
	r := ownRig(t, model)
	r.Screen = agent.Screen{Width: 1366, Height: 768}
	r.run()
	if want := (agent.Screen{Width: 800, Height: 600}); model.seen.Screen != want {
		t.Errorf("the model's screen is %v, want %v; its calls came to %s", model.seen.Screen, want, model.seen.Turns[1].Results[0].Text())
	}
}
