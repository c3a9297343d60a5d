package look

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/assay-qa/assay/bench/wire"
)

// batchSize sets how many pages one command looks at.
const batchSize = 10

// worker runs one server with one session, and the folder of its own.
type worker struct {
	server *wire.Process
	assay  string
	site   string
	dir    string
	at     string // page that the session shows

	captured  map[string]bool    // baselines in its store
	figuresAt string             // page whose figures were compared last
	figures   map[string]string  // what came of each
	ended     map[string]outcome // how flows with plain words ended
}

func startWorker(ctx context.Context, assay, site, dir string) (*worker, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	w := &worker{assay: assay, site: site, dir: dir, captured: map[string]bool{}, ended: map[string]outcome{}}
	var err error
	w.server, err = wire.Program{Name: "assay", Dir: dir, Argv: []string{assay, "serve", "--data-dir", filepath.Join(dir, "data"), "--browser-trace=false"}}.Start(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := w.server.Within(w.server.Client.Initialize); err != nil {
		return nil, errors.Join(err, w.server.Stop())
	}
	return w, nil
}

// answer describes what all tools answer with.
type answer struct {
	wire.Answer
	ok    bool
	code  string
	error string
	data  json.RawMessage
}

func (w *worker) call(tool string, arguments map[string]any) (answer, error) {
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
			Error struct{ Code, Message string }
		}
	}
	if err := json.Unmarshal(got.Result, &result); err != nil {
		return answer{}, err
	}
	s := result.StructuredContent
	return answer{Answer: got, ok: s.OK, code: s.Error.Code, error: s.Error.Message, data: s.Data}, nil
}

// open shows the page in the session, if it is not there already.
func (w *worker) open(page string) error {
	if w.at == page {
		return nil
	}
	w.at = ""
	a, err := w.call("page_navigate", map[string]any{"url": w.site + page})
	if err == nil && a.ok {
		w.at = page
	}
	return err
}

// forget closes the session: the next page is looked at in a new one.
func (w *worker) forget() error {
	w.at = ""
	_, err := w.call("browser_close", nil)
	return err
}

// judgeAll asks about all cells, by several workers, and then by command.
func judgeAll(ctx context.Context, o options, site string, cells []*cell, progress io.Writer) error {
	groups := make(chan []*cell)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var done sync.WaitGroup
	meter := &meter{all: len(cells), out: progress}
	for i := range o.workers {
		done.Go(func() {
			w, err := startWorker(ctx, o.assay, site, filepath.Join(o.temporary, fmt.Sprintf("worker-%d", i)))
			if err != nil {
				cancel(err)
				return
			}
			for group := range groups {
				if err := w.judge(ctx, group, meter); err != nil {
					cancel(fmt.Errorf("%s: %w", group[0].Name(), err))
					break
				}
			}
			if err := w.server.Stop(); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	for _, group := range grouped(cells) {
		select {
		case groups <- group:
		case <-ctx.Done():
		}
	}
	close(groups)
	done.Wait()
	return context.Cause(ctx)
}

// grouped joins the cells of one page, and those of one command.
func grouped(cells []*cell) [][]*cell {
	var out [][]*cell
	var batch []*cell
	places := map[string]int{}
	for _, c := range cells {
		if c.batch {
			if batch = append(batch, c); len(batch) == batchSize {
				out, batch = append(out, batch), nil
			}
			continue
		}
		at, ok := places[c.Page]
		if !ok {
			at = len(out)
			places[c.Page] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], c)
	}
	if batch != nil {
		out = append(out, batch)
	}
	return out
}

// judge asks about the cells of one group.
func (w *worker) judge(ctx context.Context, group []*cell, m *meter) error {
	if group[0].batch {
		return w.command(ctx, group, m)
	}
	for _, c := range group {
		if c.fresh {
			if err := w.forget(); err != nil {
				return err
			}
		}
		var err error
		if c.Outcome, c.Said, err = c.ask(w, c.Page); err != nil {
			return err
		}
		m.judged(c)
	}
	return nil
}

// command asks "assay check" about the pages.
func (w *worker) command(ctx context.Context, group []*cell, m *meter) error {
	argv := []string{"check", "--json", "--data-dir", filepath.Join(w.dir, "check")}
	for _, c := range group {
		argv = append(argv, w.site+c.Page)
	}
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(ctx, w.assay, argv...)
	command.Dir, command.Stdout, command.Stderr = w.dir, &stdout, &stderr
	runErr := command.Run() // fails if a page does
	lines := json.NewDecoder(&stdout)
	for i, c := range group {
		var report struct {
			Status, StatusReason string
			Findings             []struct{ Severity, Assertion, Observed string }
		}
		if err := lines.Decode(&report); err != nil {
			return fmt.Errorf("assay check: report %d of %d: %w; %w; %s", i+1, len(group), err, runErr, stderr.String())
		}
		c.Outcome = outcome(report.Status)
		var said []string
		for _, f := range report.Findings {
			said = append(said, f.Assertion+": "+f.Observed)
			if c.Outcome == passed {
				c.Outcome = withFinding
			}
		}
		c.Said = short(report.StatusReason + " | " + strings.Join(said, "; "))
		m.judged(c)
	}
	return nil
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
	if r := []rune(s); len(r) > 200 {
		s = string(r[:200]) + "…"
	}
	return s
}
