package growth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-qa/assay/bench/measure"
)

// calls makes many calls in one run, each of which leaves a line in its log, and
// finishes it.
func (b *bench) calls(ctx context.Context, n int) (err error) {
	p, err := b.serve(ctx, "calls")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()
	if _, err := call(p, "run_start", map[string]any{"goal": "many calls"}); err != nil {
		return err
	}
	if _, err := call(p, "page_navigate", map[string]any{"url": b.site + "/200"}); err != nil {
		return err
	}
	var took []float64
	for i := range n {
		t, err := call(p, "page_click", map[string]any{"selector": fmt.Sprintf(`button "Ship %d"`, i%40+1)})
		if err != nil {
			return err
		}
		took = append(took, measure.MS(t))
	}
	end, err := call(p, "run_finish", map[string]any{"summary": "all were made"})
	if err != nil {
		return err
	}
	b.curve(fmt.Sprintf("Growth of a click with the calls of its run; `run_finish` after them took %.0f ms", measure.MS(end)), "call", took)
	return nil
}

// flows runs suites of several sizes, one flow after the other.
func (b *bench) flows(ctx context.Context, sizes []int) error {
	fmt.Fprint(b.stdout, "\nGrowth with the flows of a suite\n\n| flows | whole | a flow |\n|--:|--:|--:|\n")
	for _, n := range sizes {
		fmt.Fprintf(b.stderr, "suite of %d flows\n", n)
		dir := filepath.Join(b.temporary, fmt.Sprintf("flows-%d", n))
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
		for i := range n {
			text, err := json.Marshal(map[string]any{"name": fmt.Sprintf("ship %d", i+1), "start_url": b.site + "/200", "watch_ms": 0, "steps": []map[string]any{
				{"action": "click", "selector": fmt.Sprintf(`button "Ship %d"`, i+1)},
				{"action": "assert", "selector": "css=#last", "assertion": map[string]any{"type": "text_contains", "expected": fmt.Sprintf("Ship %d", i+1)}},
			}})
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("ship-%02d.flow.json", i+1)), text, 0o600); err != nil {
				return err
			}
		}
		var answer bytes.Buffer
		c := exec.CommandContext(ctx, b.assay, "run", dir, "--parallel", "1", "--data-dir", filepath.Join(dir, "data"), "--browser-executable-path", b.found.Browser.Path)
		c.Dir, c.Stdout, c.Stderr = dir, &answer, &answer
		started := time.Now()
		if err := c.Run(); err != nil {
			return fmt.Errorf("suite of %d flows: %w: %s", n, err, strings.TrimSpace(answer.String()))
		}
		took := measure.MS(time.Since(started))
		fmt.Fprintf(b.stdout, "| %d | %.0f ms | %.0f ms |\n", n, took, took/float64(n))
	}
	return nil
}

// runs fills a store with runs that looked at one page each.
func (b *bench) runs(ctx context.Context, n int) (err error) {
	p, err := b.serve(ctx, "runs")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Stop()) }()
	if _, err := call(p, "page_navigate", map[string]any{"url": b.site + "/50"}); err != nil {
		return err
	}
	var took []float64
	for i := range n {
		var whole time.Duration
		for _, c := range []struct {
			tool      string
			arguments map[string]any
		}{
			{"run_start", map[string]any{"goal": fmt.Sprint("run ", i+1)}},
			{"page_snapshot", map[string]any{}},
			{"run_finish", map[string]any{"summary": "it was looked at"}},
		} {
			t, err := call(p, c.tool, c.arguments)
			if err != nil {
				return err
			}
			whole += t
		}
		took = append(took, measure.MS(whole))
	}
	b.curve("Growth of a short run (start, one snapshot, finish) with the runs of its store", "run", took)
	return nil
}
