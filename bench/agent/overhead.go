package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/assay-qa/assay/bench/measure"
	"github.com/assay-qa/assay/internal/wiretest"
	"github.com/assay-qa/assay/qa"
)

// steps sets how many calls the conversation has.
const steps = 20

// spent splits the time of a run by where it went.
type spent struct {
	tools, beyond time.Duration // within its first and its last event
	provider      time.Duration // of beyond: the scripted provider at work, its judging included
	end           time.Duration // of beyond: after the last call, when trace and report are made
}

// overhead works the conversation through each wire, in alternating order. A
// first time, which is not counted, reads program and browser from the disk and
// has the providers make their schemas ready.
func (b bench) overhead(ctx context.Context, rounds int, stdout io.Writer) (err error) {
	var providers []*provider
	defer func() {
		for _, p := range providers {
			err = errors.Join(err, p.end())
		}
	}()
	for _, w := range wiretest.Wires() {
		p, err := b.provide(w, conversation(b.site))
		if err != nil {
			return err
		}
		providers = append(providers, p)
		if _, err := b.converse(ctx, p); err != nil {
			return err
		}
	}
	all, order := map[*provider][]spent{}, slices.Clone(providers)
	for i := range rounds {
		fmt.Fprintf(b.stderr, "conversations: round %d of %d\n", i+1, rounds)
		for _, p := range order {
			s, err := b.converse(ctx, p)
			if err != nil {
				return err
			}
			all[p] = append(all[p], s)
		}
		slices.Reverse(order)
	}
	for _, p := range providers {
		of := func(figure func(spent) float64) float64 { return median(all[p], figure) }
		fmt.Fprintf(stdout, "| %s: a conversation of %d calls, beyond its tools and its provider | %.1f %% (with the provider %.1f %%: %.0f against %.0f ms; of these the provider %.0f, the end of the run %.0f) | ≤ 10 %% |\n", p.wire, steps,
			of(func(s spent) float64 { return 100 * float64(s.beyond-s.provider) / float64(s.tools) }),
			of(func(s spent) float64 { return 100 * float64(s.beyond) / float64(s.tools) }), of(func(s spent) float64 { return measure.MS(s.beyond) }),
			of(func(s spent) float64 { return measure.MS(s.tools) }), of(func(s spent) float64 { return measure.MS(s.provider) }), of(func(s spent) float64 { return measure.MS(s.end) }))
	}
	return nil
}

// median returns the median of a figure of all runs.
func median(runs []spent, figure func(spent) float64) float64 {
	values := make([]float64, len(runs))
	for i, s := range runs {
		values[i] = figure(s)
	}
	return measure.Median(values)
}

// converse works the conversation once.
func (b bench) converse(ctx context.Context, p *provider) (spent, error) {
	before := p.busy.Load()
	_, result, err := b.suite(ctx, p, taskFile)
	if err != nil {
		return spent{}, err
	}
	s, calls, err := events(result.TestCases[0])
	if err == nil && len(calls) != steps+2 { // run_start and run_finish
		err = fmt.Errorf("%s: the run has %d calls, want %d: %v", p.wire, len(calls), steps+2, calls)
	}
	s.provider = time.Duration(p.busy.Load() - before)
	return s, err
}

// events reads from a run's log what its tools took, and what lies between its
// first and its last event beyond that. The log has milliseconds, those of a
// call rounded up.
func events(c qa.TestCase) (s spent, calls []string, err error) {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(c.Report), "events.jsonl"))
	if err != nil {
		return s, nil, err
	}
	var called, last int64
	for line := range bytes.Lines(text) {
		var e struct {
			MonoMS, DurationMS int64
			Tool               string
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return s, nil, fmt.Errorf("the log of run %s: %w", c.RunID, err)
		}
		if e.Tool != "" {
			s.tools += time.Duration(e.DurationMS) * time.Millisecond
			calls, called = append(calls, e.Tool), e.MonoMS
		}
		last = e.MonoMS
	}
	s.beyond, s.end = time.Duration(last)*time.Millisecond-s.tools, time.Duration(last-called)*time.Millisecond
	return s, calls, nil
}
