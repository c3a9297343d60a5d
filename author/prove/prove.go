package prove

import (
	"context"
	"embed"
	"os"
	"path/filepath"
	"time"

	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/browser/outline"
)

//go:embed js/*.cjs
var scripts embed.FS

// Prover proves that tests can fail.
type Prover struct {
	Setup    *testrun.Setup
	Patterns []string // which tests, as [testrun.Request] takes them
	Grep     string
	Only     []testrun.SlotTest // of those that Patterns selects; none: all
	Project  string             // of the configuration; empty: the first with Chromium
	Flows    Flows              // that the tests were made from, if they were
	Seed     int64
	Mutants  int      // faults that a test gets at most; 0: as many as its expectations and acts ask for
	Workers  int      // tests side by side; 0: twice as many as there are processors, and one at a time those that disturb each other
	Again    []Test   // as proved before: mutants that they noticed come first, whatever the bound
	Before   []Report // of the same tests, the newest first: what their acts met is compared; may be nil
	// Journal keeps each outcome as it comes, and knows those of a proof that was
	// interrupted; may be nil.
	Journal *Journal
	// Progress is called with what begins and how far it is; may be nil.
	Progress func(string)
	Now      func() time.Time // for the time that is left; may be nil
}

// Milliseconds that a step may take under a mutant: never less than the control run
// needed, three times over.
const (
	leastStepMS  = 2000
	leastTestMS  = 10000
	controlTimes = 3
)

// control is the slot in which tests are watched.
const control = "control"

// Prove runs each test on the page as it is and under its mutants. Its error says
// that the runner could not do its work.
func (p Prover) Prove(ctx context.Context) (Report, error) {
	report := Report{SchemaVersion: 1, Seed: p.Seed, Runner: p.Setup.Project.Describe()}
	p.say("control run")
	green, records, err := p.pass(ctx, map[string]any{"record": control}, testrun.Request{Workers: max(1, p.Workers), Slots: []testrun.Slot{{Name: control, Tests: p.Only}}})
	if err != nil {
		return report, err
	}
	for _, e := range green.Mistakes() {
		report.Errors = append(report.Errors, e.Text())
	}
	plan := newPlan(green, records[control], p.Seed, p.Mutants, p.Again)
	report.Interrupted = green.Interrupted
	report.Pages, report.Others = compare(p.Flows, plan.all, p.Before)
	if !report.Interrupted {
		if err := p.recall(plan); err != nil {
			return report, err
		}
		report.Interrupted, err = p.try(ctx, plan)
	}
	report.Tests = p.Flows.name(plan.report())
	report.Total()
	return report, err
}

func (p Prover) say(text string) {
	if p.Progress != nil {
		p.Progress(text)
	}
}

// pass runs the tests once in each slot of a request, watched.
func (p Prover) pass(ctx context.Context, data map[string]any, r testrun.Request) (testrun.Result, map[string]map[string]record, error) {
	if err := p.watched(data, &r); err != nil {
		return testrun.Result{}, nil, err
	}
	result, err := p.Setup.Run(ctx, r)
	if err != nil {
		return result, nil, err
	}
	records, err := readRecords(filepath.Join(r.Scratch, watchedFolder))
	return result, records, err
}

// watchedFolder is where the watch writes, in the folder of a run.
const watchedFolder = "watched"

// watched completes a request by the watch, and by data that it gets.
func (p Prover) watched(data map[string]any, r *testrun.Request) error {
	scratch, err := p.Setup.Folder()
	if err != nil {
		return err
	}
	out := filepath.Join(scratch, watchedFolder)
	if err := os.Mkdir(out, 0o700); err != nil {
		return err
	}
	survey, err := outline.Survey()
	if err != nil {
		return err
	}
	r.Hook = map[string][]byte{"survey.cjs": []byte("exports.survey =\n" + survey)}
	for _, name := range []string{"hook.cjs", "page.cjs", "answers.cjs"} {
		if r.Hook[name], err = scripts.ReadFile("js/" + name); err != nil {
			return err
		}
	}
	data["out"] = out
	r.Patterns, r.Grep, r.Name, r.Quiet, r.Data, r.Scratch = p.Patterns, p.Grep, p.Project, true, data, scratch
	return nil
}
