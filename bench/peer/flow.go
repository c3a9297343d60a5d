package peer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	_ "embed" // the script

	"github.com/assay-qa/assay/bench/wire"
)

// flowRound holds what one flow took in each of the three ways.
type flowRound struct {
	ours   time.Duration // one call of verify_user_flow
	theirs time.Duration // single calls
	script time.Duration // no server: a script on playwright-core
}

//go:embed flow.mjs
var flowScript []byte

// takeFlows does the flow in all three ways, one after the other in changing
// order, on running browsers.
func (m *measurement) takeFlows(ctx context.Context, rounds int) (err error) {
	servers, stop, err := m.bothSignedIn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	script, err := m.startScript(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, script.Stop()) }()
	for i := range rounds + 1 {
		var r flowRound
		ways := []func() error{
			func() (err error) { r.ours, err = m.ourFlow(servers[ours]); return err },
			func() (err error) { r.theirs, err = m.theirFlow(servers[theirs]); return err },
			func() (err error) { r.script, err = script.Do(m.site + "/login"); return err },
		}
		for k := range ways {
			if err := ways[(i+k)%len(ways)](); err != nil {
				return fmt.Errorf("flow, round %d: %w", i+1, err)
			}
		}
		if i > 0 { // the first of each warms up
			m.flows = append(m.flows, r)
		}
	}
	fmt.Fprintf(m.progress, "%d rounds of the flow\n", rounds)
	return nil
}

func (m *measurement) ourFlow(s *server) (time.Duration, error) {
	a, err := s.Within(func() (wire.Answer, error) { return s.Client.Tool(flowCall(m.site)) })
	if err == nil {
		err = flowPassed(a)
	}
	return a.Took, err
}

func (m *measurement) theirFlow(s *server) (time.Duration, error) {
	for _, st := range signOut(m.site) {
		if _, err := s.do(st); err != nil {
			return 0, err
		}
	}
	start := time.Now()
	for _, st := range flowInSingleCalls(m.site) {
		if _, err := s.do(st); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

// startScript starts the script that does the flow each time it receives an address.
func (m *measurement) startScript(ctx context.Context) (*wire.Script, error) {
	dir := filepath.Join(m.temporary, "script")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	steps, err := json.Marshal(scriptSteps())
	if err != nil {
		return nil, err
	}
	return m.script.Start(ctx, dir, flowScript, os.Stderr, string(steps))
}

// scriptSteps returns the flow's steps as the script reads them.
func scriptSteps() []map[string]string {
	var out []map[string]string
	for _, st := range flowSteps() {
		out = append(out, map[string]string{"verb": string(st.verb), "role": st.role, "name": st.name, "value": st.value})
	}
	return out
}
