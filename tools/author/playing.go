package author

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/author/testrun"
)

// lateBy is how much later answers come in one of the runs of a generated test.
const lateBy = 400 * time.Millisecond

// playRounds are the runs of each generated test on the site as it is, and how the runner's
// message tells them apart.
var playRounds = []struct {
	name, how string
	late      time.Duration
	reversed  bool
}{{name: "first"}, {name: "order", how: "in another order", reversed: true}, {name: "late", how: "with late answers", late: lateBy}}

// Play runs files on the site as it is; it is a [generate.Player]. All runs are those of one start
// of the runner, with a worker for each processor.
func (p *Proving) Play(ctx context.Context, base, role string, files []generate.File, soft bool, ended func(name string, red []generate.Failed)) (err error) {
	setup, err := p.open(ctx, base, role, files, soft)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, setup.Close()) }()
	seen := rounds{ended: ended, runs: map[string]int{}, red: map[string][]generate.Failed{}}
	request := testrun.Request{Quiet: true, Workers: runtime.NumCPU(), Ended: seen.test}
	for _, round := range playRounds {
		slot := testrun.Slot{Name: round.name, Late: round.late}
		for _, f := range files {
			slot.Tests = append(slot.Tests, testrun.SlotTest{File: filepath.Join(setup.Project.TestDir, f.Name)})
		}
		if round.reversed {
			slices.Reverse(slot.Tests)
		}
		request.Slots = append(request.Slots, slot)
	}
	result, err := setup.Run(ctx, request)
	if err != nil || result.Interrupted {
		return errors.Join(err, ctx.Err())
	}
	for _, mistake := range result.Mistakes() { // such as a file that can't be read
		if mistake.Location == nil {
			return errors.New(mistake.Text())
		}
		name := filepath.Base(mistake.Location.File)
		if seen.runs[name] < len(playRounds) {
			seen.runs[name] = len(playRounds)
			ended(name, []generate.Failed{{Line: mistake.Location.Line, Why: mistake.Text()}})
		}
	}
	return nil
}

// rounds counts the runs of files, and keeps where they were red.
type rounds struct {
	ended func(name string, red []generate.Failed)
	runs  map[string]int
	red   map[string][]generate.Failed
}

// test takes what came of one run of a file, which has one test.
func (r *rounds) test(t testrun.Test) {
	if t.Status == "interrupted" || t.Status == "skipped" {
		return
	}
	name := filepath.Base(t.Location.File)
	r.runs[name]++
	r.red[name] = append(r.red[name], failures(t)...)
	if r.runs[name] == len(playRounds) {
		r.ended(name, r.red[name])
	}
}

// failures returns where a test was red: nothing where it passed.
func failures(t testrun.Test) (out []generate.Failed) {
	if t.Passed() {
		return nil
	}
	how := ""
	for _, round := range playRounds {
		if round.name == t.Project {
			how = round.how
		}
	}
	for _, e := range t.Errors {
		if e.Location != nil && e.Location.File == t.Location.File {
			out = append(out, generate.Failed{Line: e.Location.Line, Why: e.Text(), How: how})
		}
	}
	if len(out) == 0 {
		out = []generate.Failed{{Why: t.Why(), How: how}}
	}
	return out
}
