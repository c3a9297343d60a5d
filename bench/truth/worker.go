package truth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/assay-qa/assay/bench/wire"
	"github.com/assay-qa/assay/qa/code"
)

// judgeAll judges all cells: those of clients by several servers, then those of
// files by one command after the other.
func judgeAll(ctx context.Context, o options, s *site, cells []*cell, progress io.Writer) error {
	m := &meter{all: len(cells), out: progress}
	of := func(ways ...string) []*cell {
		return slices.DeleteFunc(slices.Clone(cells), func(c *cell) bool { return !slices.Contains(ways, c.Way) })
	}
	return errors.Join(judgeCalls(ctx, o, s, of(byClient, byPleasing), m), judgeFiles(ctx, o, s, of(byRules), m),
		judgeWires(ctx, o, s, of(byWire), m), judgeReplays(ctx, o, s, of(byReplay), m))
}

func judgeCalls(ctx context.Context, o options, s *site, cells []*cell, m *meter) error {
	if len(cells) == 0 {
		return nil
	}
	todo := make(chan *cell)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var done sync.WaitGroup
	for i := range min(o.workers, len(cells)) {
		done.Go(func() {
			w, err := startWorker(ctx, o.assay, s, filepath.Join(o.temporary, fmt.Sprintf("worker-%d", i)))
			if err != nil {
				cancel(err)
				return
			}
			for c := range todo {
				if err := w.judge(c); err != nil {
					cancel(fmt.Errorf("%s: %w", c.Name(), err))
					break
				}
				m.judged(c)
			}
			if err := w.server.Stop(); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	for _, c := range cells {
		select {
		case todo <- c:
		case <-ctx.Done():
		}
	}
	close(todo)
	done.Wait()
	return context.Cause(ctx)
}

// worker runs one server, and the site that it looks at.
type worker struct {
	server *wire.Process
	site   *site
}

func startWorker(ctx context.Context, assay string, s *site, dir string) (*worker, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	server, err := wire.Program{Name: "assay", Dir: dir, Argv: []string{assay, "serve", "--data-dir", filepath.Join(dir, "data"), "--browser-trace=false"}}.Start(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := server.Within(server.Client.Initialize); err != nil {
		return nil, errors.Join(err, server.Stop())
	}
	return &worker{server: server, site: s}, nil
}

// termsOf reads from the program's list of tools which fields an assertion has.
func termsOf(ctx context.Context, o options) (t terms, err error) {
	w, err := startWorker(ctx, o.assay, nil, filepath.Join(o.temporary, "terms"))
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, w.server.Stop()) }()
	a, err := w.server.Within(func() (wire.Answer, error) { return w.server.Client.Request("tools/list", map[string]any{}) })
	if err != nil {
		return t, err
	}
	var list struct {
		Tools []struct {
			Name        string
			InputSchema struct {
				Properties map[string]struct{ Properties map[string]json.RawMessage }
			}
		}
	}
	if err := json.Unmarshal(a.Result, &list); err != nil {
		return t, err
	}
	for _, tool := range list.Tools {
		if fields := tool.InputSchema.Properties["assertion"].Properties; tool.Name == "verify_assertion" {
			t = terms{not: fields["not"] != nil, wholeWords: fields["whole_words"] != nil}
		}
	}
	return t, nil
}

// answer describes what all tools answer with.
type answer struct {
	ok         bool
	code, said string
	data       json.RawMessage
}

func (w *worker) call(tool string, arguments map[string]any) (answer, error) {
	if arguments == nil {
		arguments = map[string]any{}
	}
	got, err := w.server.Within(func() (wire.Answer, error) {
		return w.server.Client.Tool(wire.Call{Name: tool, Arguments: arguments})
	})
	if err != nil {
		return answer{}, err
	}
	var result struct {
		StructuredContent struct {
			OK    bool
			Data  json.RawMessage
			Error struct{ Code string }
		}
	}
	if err := json.Unmarshal(got.Result, &result); err != nil {
		return answer{}, err
	}
	s := result.StructuredContent
	return answer{ok: s.OK, code: s.Error.Code, said: short(got.Text), data: s.Data}, nil
}

// judge makes a run of the cell in a session of its own, and reads its verdict.
func (w *worker) judge(c *cell) error {
	at := w.site.url + c.Page
	task := map[string]any{"goal": "See whether it is so", "route": at, "expectations": []map[string]any{{"text": c.Sentence}}}
	if a, err := w.call("run_start", task); err != nil || !a.ok {
		c.Outcome, c.Said = unasked, a.said
		return err
	}
	if _, err := w.call("page_navigate", map[string]any{"url": at}); err != nil {
		return err
	}
	refused, said := false, ""
	for _, k := range c.script(place{page: at, other: w.site.other, terms: w.site.terms}) {
		a, err := w.call(k.tool, k.arguments)
		if err != nil {
			return err
		}
		if said = a.said; a.code == code.InvalidInput {
			refused = true
		}
	}
	a, err := w.call("run_finish", nil)
	if err != nil {
		return err
	}
	var d struct {
		Status       outcome
		StatusReason string
	}
	if err := json.Unmarshal(a.data, &d); err != nil {
		return fmt.Errorf("the report of run_finish: %w: %s", err, a.said)
	}
	c.Outcome, c.Said = d.Status, short(d.StatusReason+" | "+said)
	if refused && d.Status != passed {
		c.Outcome = unasked
	}
	_, err = w.call("browser_close", nil)
	return err
}

// meter counts cells as they are judged.
type meter struct {
	sync.Mutex
	done, all, wrong int
	out              io.Writer
}

func (m *meter) judged(c *cell) {
	m.Lock()
	defer m.Unlock()
	c.Verdict = c.Truth.judge(c.Outcome)
	m.done++
	if c.Verdict != right {
		m.wrong++
	}
	if m.done%25 == 0 || m.done == m.all {
		fmt.Fprintf(m.out, "%d of %d cells, %d not right\n", m.done, m.all, m.wrong)
	}
}

// short returns a text in one line of bearable length.
func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 220 {
		s = string(r[:220]) + "…"
	}
	return s
}
