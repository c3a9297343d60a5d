package e2e_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// B8, A5: servers with sessions of their own share one data folder, at the same time.
// Their runs end as they must, and the log has them all.
func (k keeping) byManyServers(t *testing.T) {
	w := k.in(t)
	const others = 3
	runs := 2
	if soak() {
		runs = 6
	}
	before, entries := verified(t, k.data, "--all").Runs, logSize(t, k.data)
	var wires [others]*wire
	variables := browserless(t)
	if soak() {
		variables = nil
	}
	for i := range wires {
		wires[i] = serveOn(t, k.data, variables...)
	}
	var busy sync.WaitGroup
	results := make(chan finished, (others+1)*runs)
	for _, other := range wires {
		busy.Go(func() {
			for range runs {
				if soak() {
					results <- other.goodRun(k.page)
				} else {
					results <- other.emptyRun()
				}
			}
		})
	}
	results <- w.passes(k.page)
	for range runs - 1 {
		results <- w.emptyRun()
	}
	busy.Wait()
	close(results)
	made := map[string]bool{}
	for f := range results {
		made[f.run] = true
		if f.open || f.status != "passed" && f.status != "inconclusive" {
			t.Errorf("%s: %s", f.status, f.text)
		}
	}
	if len(made) != (others+1)*runs { // a run may have ended its goroutine
		t.Fatalf("%d runs, want %d", len(made), (others+1)*runs)
	}
	if v := verified(t, k.data, "--all"); v.Runs-before != len(made) {
		t.Errorf("%d runs verified, and before %d, want %d more: %s", v.Runs, before, len(made), v)
	}
	if n := logSize(t, k.data) - entries; n != 2*len(made) {
		t.Errorf("the log has %d more entries, want two for each of %d runs", n, len(made))
	}
}

// mill is a server that makes one empty run after the other until it is killed.
type mill struct {
	cmd   *exec.Cmd
	first chan struct{} // closed when the first run is over, or the server
	over  chan struct{} // closed when the server is gone
	kept  []string      // runs whose end was acknowledged; read it when over
	said  []string      // answers that were no report
}

// grind starts a mill.
func grind(t *testing.T, data string) *mill {
	t.Helper()
	m := &mill{first: make(chan struct{}), over: make(chan struct{})}
	m.cmd = exec.CommandContext(t.Context(), binary(t), "serve", "--data-dir", data)
	m.cmd.Dir, m.cmd.Env = t.TempDir(), append(environment(t.TempDir()), browserless(t)...)
	stdin, err := m.cmd.StdinPipe()
	must(t, err)
	stdout, err := m.cmd.StdoutPipe()
	must(t, err)
	must(t, m.cmd.Start())
	go m.grind(stdin, stdout)
	return m
}

func (m *mill) grind(stdin io.Writer, stdout io.Reader) {
	defer close(m.over)
	var once sync.Once
	defer once.Do(func() { close(m.first) })
	lines := bufio.NewReader(stdout)
	id := 0
	ask := func(method string, params any) (result json.RawMessage, err error) {
		id++
		if err := json.NewEncoder(stdin).Encode(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}); err != nil {
			return nil, err
		}
		line, err := lines.ReadBytes('\n') // a line that is cut is no answer
		if err != nil {
			return nil, err
		}
		var m struct{ Result json.RawMessage }
		return m.Result, json.Unmarshal(line, &m)
	}
	if _, err := ask("initialize", map[string]any{"protocolVersion": november25, "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "e2e", "version": "1"}}); err != nil {
		return
	}
	for {
		for _, tool := range []string{"run_start", "run_finish"} {
			arguments := map[string]any{}
			if tool == "run_start" {
				arguments["goal"] = "grind"
			}
			result, err := ask("tools/call", map[string]any{"name": tool, "arguments": arguments})
			if err != nil {
				return
			}
			var a answer
			var e envelope
			var report struct{ RunID string }
			if json.Unmarshal(result, &a) != nil || json.Unmarshal(a.StructuredContent, &e) != nil || json.Unmarshal(e.Data, &report) != nil || !e.OK {
				m.said = append(m.said, string(result))
			} else if tool == "run_finish" {
				m.kept = append(m.kept, report.RunID)
				once.Do(func() { close(m.first) })
			}
		}
	}
}

// B8, B6: servers on one data folder are killed at random moments, again and
// again, while they start runs and finish them. Every run whose end was told to
// its client is there and verifies, nothing looks as if somebody had tampered,
// and the next run passes. evidence/ledger kills writers by the hundred.
func (k keeping) killed(t *testing.T) {
	w := k.in(t)
	rounds, servers, data := 1, 3, k.data
	if soak() {
		rounds, servers = 12, 4
	}
	kept := map[string]bool{}
	for round := range rounds {
		mills := make([]*mill, servers)
		for i := range mills {
			mills[i] = grind(t, data)
		}
		for i, m := range mills {
			<-m.first
			if i == 0 && round%3 == 0 { // the others go on meanwhile
				if v := examine(t, data, "--all"); v.Verdict == "failed" {
					t.Errorf("round %d: servers at work look like tampering: %s", round, v)
				}
			}
			moment := time.NewTimer(time.Duration(rand.IntN(60_000)) * time.Microsecond)
			<-moment.C
			must(t, m.cmd.Process.Kill())
			<-m.over
			_ = m.cmd.Wait() // it was killed
			for _, said := range m.said {
				t.Errorf("round %d: no report: %s", round, brief([]byte(said)))
			}
			for _, run := range m.kept {
				kept[run] = true
			}
			if len(m.kept) == 0 {
				t.Errorf("round %d: a server finished nothing", round)
			}
		}
		if v := examine(t, data, "--all"); v.Verdict == "failed" {
			t.Fatalf("round %d: a crash looks like tampering: %s", round, v)
		}
	}
	out, said, code := command(t, data, "runs", "list", "--json")
	var list []struct{ ID, State, Problem string }
	if err := json.Unmarshal([]byte(out), &list); err != nil || code != 0 {
		t.Fatalf("exit code %d, %v: %s", code, err, said)
	}
	states := map[string]int{}
	for _, r := range list {
		if states[r.State]++; r.State == "finished" {
			delete(kept, r.ID)
		} else if r.State == "damaged" {
			t.Errorf("run %s is damaged: %s", r.ID, r.Problem)
		}
	}
	if len(kept) > 0 {
		t.Errorf("%d runs were acknowledged and are not finished: %v", len(kept), kept)
	}
	t.Logf("%d servers killed, %v", rounds*servers, states)
	w.passes(k.page)
	if v := examine(t, data, "--all"); v.Verdict == "failed" || v.Runs < states["finished"] {
		t.Errorf("%s, %d runs: %s", v.Verdict, v.Runs, v)
	}
}

// B8, B6: a server that is killed, or told to end, in the middle of a run with a
// browser, or while it finishes one, leaves a run that is told for what it is.
func (k keeping) killedInFinish(t *testing.T) {
	data, page, rounds := k.data, k.page, 1
	if soak() {
		rounds = 20
	}
	before := folders(filepath.Join(data, "runs"))
	for round := range rounds {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			w := serveOn(t, data)
			run := field[string](w, w.do("run_start", map[string]any{"goal": "be killed"}), "run_id")
			w.do("verify_page_loads", map[string]any{"url": page})
			w.do("page_screenshot", nil)
			id := w.begin("run_finish", nil)
			w.damaged = true
			moment := time.NewTimer(time.Duration(rand.IntN(60_000)) * time.Microsecond)
			<-moment.C
			if round%2 == 0 {
				kill(t, w.cmd.Process.Pid)
			} else {
				goodbyes()[1].say(w)
			}
			w.exit(patience)
			answered := false
			for _, m := range w.heard {
				answered = answered || m.Method == "" && key(m.ID) == id && m.Error == nil
			}
			v := examine(t, data, run)
			if v.Verdict == "failed" || answered && v.Verdict != "verified" {
				t.Errorf("answered: %t, and it is %s: %s", answered, v.Verdict, v)
			}
			t.Logf("answered: %t, %s", answered, v.Verdict)
			if all := examine(t, data, "--all"); all.Verdict == "failed" {
				t.Errorf("a crash looks like tampering: %s", all)
			}
		})
	}
	k.in(t).passes(page)
	for _, name := range filesIn(t, filepath.Join(data, "runs")) {
		if run, _, _ := strings.Cut(name, "/"); before[run] {
			continue
		}
		if info, err := os.Stat(filepath.Join(data, "runs", name)); err != nil || info.Size() == 0 && !strings.HasSuffix(name, ".tmp") {
			t.Errorf("%s is empty: %v", name, err)
		}
	}
}
