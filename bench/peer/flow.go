package peer

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
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
	defer func() { err = errors.Join(err, script.stop()) }()
	for i := range rounds + 1 {
		var r flowRound
		ways := []func() error{
			func() (err error) { r.ours, err = m.ourFlow(servers[ours]); return err },
			func() (err error) { r.theirs, err = m.theirFlow(servers[theirs]); return err },
			func() (err error) { r.script, err = script.flow(m.site); return err },
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

// scriptHome locates what the script runs on.
type scriptHome struct{ node, driver, browser string }

// script runs a Node process with a browser of its own that does the flow each
// time it receives an address.
type script struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	stdout  *bufio.Reader
}

func (m *measurement) startScript(ctx context.Context) (*script, error) {
	dir := filepath.Join(m.temporary, "script")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "flow.mjs")
	if err := os.WriteFile(file, flowScript, 0o600); err != nil {
		return nil, err
	}
	steps, err := json.Marshal(scriptSteps())
	if err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, m.script.node, file, m.script.driver, m.script.browser, fmt.Sprint(os.Geteuid() != 0), string(steps))
	c.Dir, c.Stderr = dir, os.Stderr
	stdin, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("start the script: %w", err)
	}
	return &script{command: c, stdin: stdin, stdout: bufio.NewReader(stdout)}, nil
}

// flow starts the flow in the script and reads what it took.
func (s *script) flow(site string) (time.Duration, error) {
	if _, err := fmt.Fprintln(s.stdin, site+"/login"); err != nil {
		return 0, fmt.Errorf("script: %w", err)
	}
	watch := time.AfterFunc(time.Minute, func() { _ = s.command.Process.Kill() }) // the read then fails
	defer watch.Stop()
	line, err := s.stdout.ReadBytes('\n')
	if err != nil {
		return 0, fmt.Errorf("script: no answer: %w", err)
	}
	var took struct{ MS float64 }
	if err := json.Unmarshal(line, &took); err != nil {
		return 0, fmt.Errorf("script: %s: %w", line, err)
	}
	return time.Duration(took.MS * float64(time.Millisecond)), nil
}

func (s *script) stop() error { return errors.Join(s.stdin.Close(), s.command.Wait()) }

// scriptSteps returns the flow's steps as the script reads them.
func scriptSteps() []map[string]string {
	var out []map[string]string
	for _, st := range flowSteps() {
		out = append(out, map[string]string{"verb": string(st.verb), "role": st.role, "name": st.name, "value": st.value})
	}
	return out
}
