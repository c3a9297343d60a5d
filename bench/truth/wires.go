package truth

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/assay-qa/assay/internal/wiretest"
	"github.com/assay-qa/assay/qa/code"
)

const providerKey = "key-of-the-scripted-provider"

// model wraps a scripted provider that works the cells of a batch.
type model struct {
	*wiretest.Server
	wire wiretest.Wire

	mu      sync.Mutex
	refused map[string]bool // cases in which a call was no call
}

// startModel starts a provider whose conversations are distinguished by the names of
// their cases. turns are what it does in one: a turn each.
func startModel(w wiretest.Wire, turns func(name string) []wiretest.Say) (*model, error) {
	m := &model{wire: w, refused: map[string]bool{}}
	key := providerKey
	if w == wiretest.Chat {
		key = "" // a local server asks for none
	}
	var err error
	m.Server, err = wiretest.New(w, func(s wiretest.Seen) wiretest.Say {
		name := caseNamed.FindString(s.Task)
		for _, a := range s.Answers {
			if strings.Contains(a.Text, code.InvalidInput) {
				m.mu.Lock()
				m.refused[name] = true
				m.mu.Unlock()
			}
		}
		says := turns(name)
		if s.Request > len(says) {
			return wiretest.Say{Text: "The work is done."}
		}
		return says[s.Request-1]
	}, wiretest.Options{Key: key, Model: "scripted"})
	return m, err
}

func (m *model) wasRefused(name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.refused[name]
}

// flags lead the program to the provider.
func (m *model) flags() []string {
	return []string{"--agent-provider", string(m.wire), "--agent-base-url", m.URL(), "--agent-model", "scripted", "--agent-computer", "off"}
}

// environment has the keys of all wires.
func environment() []string {
	return []string{"OPENAI_API_KEY=" + providerKey, "AZURE_OPENAI_API_KEY=" + providerKey, "ANTHROPIC_API_KEY=" + providerKey, "GEMINI_API_KEY=" + providerKey}
}

// end ends the provider, and fails if a request broke its protocol.
func (m *model) end() error {
	err := m.Close()
	if found := m.Problems(); len(found) > 0 {
		err = errors.Join(err, fmt.Errorf("%s: %d requests break the protocol: %s", m.wire, len(found), found[0]))
	}
	return err
}

// turns returns what a model does in a cell: it opens the page, makes its calls
// and finishes. A spec has one step, which it calls done.
func (c *cell) turns(s *site, spec bool) []wiretest.Say {
	at := s.url + c.Page
	say := func(tool string, arguments map[string]any) wiretest.Say {
		return wiretest.Say{Calls: []wiretest.Call{{Name: tool, Args: arguments}}}
	}
	out := []wiretest.Say{say("page_navigate", map[string]any{"url": at})}
	if spec {
		out = append(out, say("step_done", map[string]any{"step": 1}))
	}
	for _, k := range c.script(place{page: at, other: s.other, terms: s.terms}) {
		out = append(out, say(k.tool, k.arguments))
	}
	return append(out, say("run_finish", map[string]any{"summary": "It is as expected.", "status": "passed", "findings": []any{}}))
}

// judgeWires has scripted models work a task file for every cell.
func judgeWires(ctx context.Context, o options, s *site, cells []*cell, m *meter) error {
	n := 0
	for _, w := range wiretest.Wires() {
		of := slices.DeleteFunc(slices.Clone(cells), func(c *cell) bool { return c.Wire != w })
		for batch := range slices.Chunk(of, batchSize) {
			n++
			if err := judgeWire(ctx, o, s, w, filepath.Join(o.temporary, "wire-"+strconv.Itoa(n)), batch, m); err != nil {
				return fmt.Errorf("%s: %w", w, err)
			}
		}
	}
	return nil
}

func judgeWire(ctx context.Context, o options, s *site, w wiretest.Wire, dir string, batch []*cell, m *meter) (err error) {
	works := map[string][]wiretest.Say{}
	for i, c := range batch {
		works[caseName(i)] = c.turns(s, false)
		if err := writeTask(dir, i, c); err != nil {
			return err
		}
	}
	provider, err := startModel(w, func(name string) []wiretest.Say { return works[name] })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, provider.end(), os.RemoveAll(dir)) }()
	results, err := suite(ctx, o, s, dir, environment(), provider.flags()...)
	if err != nil {
		return err
	}
	for i, c := range batch {
		c.Outcome, c.Said = outcomeOf(results[caseName(i)])
		if c.Outcome != passed && provider.wasRefused(caseName(i)) {
			c.Outcome = unasked
		}
		m.judged(c)
	}
	return nil
}
