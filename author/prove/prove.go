package prove

import (
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"

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
	Workers  int      // tests side by side; 0: one
	Again    []Test   // as proved before: mutants that they noticed come first, whatever the bound
	Before   []Report // of the same tests, the newest first: what their acts met is compared; may be nil
	// Progress is called with what begins; may be nil.
	Progress func(string)
}

// Milliseconds that a step may take under a mutant: never less than the control run
// needed, three times over.
const (
	leastStepMS  = 2000
	controlTimes = 3
)

// control is the slot in which tests are watched.
const control = "control"

// Prove runs each test on the page as it is and under its mutants. Its error says
// that the runner could not do its work.
func (p Prover) Prove(ctx context.Context) (Report, error) {
	report := Report{SchemaVersion: 1, Seed: p.Seed, Runner: p.Setup.Project.Describe()}
	p.say("control run")
	green, records, err := p.pass(ctx, map[string]any{"record": control}, []testrun.Slot{{Name: control, Tests: p.Only}})
	if err != nil {
		return report, err
	}
	for _, e := range green.Mistakes() {
		report.Errors = append(report.Errors, e.Text())
	}
	plan := newPlan(green, records[control], p.Seed, p.Mutants, p.Again)
	report.Interrupted = green.Interrupted
	report.Pages, report.Others = compare(p.Flows, plan.all, p.Before)
	if len(plan.tests) > 0 && !report.Interrupted {
		p.say(fmt.Sprintf("%d mutants of %d tests", plan.mutants(), len(plan.tests)))
		result, proofs, err := p.pass(ctx, map[string]any{"mutants": plan.specs(), "limits": plan.limits()}, plan.slots())
		if err != nil {
			return report, err
		}
		report.Interrupted = result.Interrupted
		plan.judge(result, proofs)
	}
	report.Tests = p.Flows.name(plan.report())
	report.Total()
	return report, nil
}

func (p Prover) say(text string) {
	if p.Progress != nil {
		p.Progress(text)
	}
}

// pass runs the tests once in each slot, watched.
func (p Prover) pass(ctx context.Context, data map[string]any, slots []testrun.Slot) (testrun.Result, map[string]map[string]record, error) {
	scratch, err := p.Setup.Folder()
	if err != nil {
		return testrun.Result{}, nil, err
	}
	out := filepath.Join(scratch, "watched")
	if err := os.Mkdir(out, 0o700); err != nil {
		return testrun.Result{}, nil, err
	}
	survey, err := outline.Survey()
	if err != nil {
		return testrun.Result{}, nil, err
	}
	hook := map[string][]byte{"survey.cjs": []byte("exports.survey =\n" + survey)}
	for _, name := range []string{"hook.cjs", "page.cjs", "answers.cjs"} {
		if hook[name], err = scripts.ReadFile("js/" + name); err != nil {
			return testrun.Result{}, nil, err
		}
	}
	data["out"] = out
	result, err := p.Setup.Run(ctx, testrun.Request{Patterns: p.Patterns, Grep: p.Grep, Name: p.Project,
		Workers: max(1, p.Workers), Quiet: true, Slots: slots, Hook: hook, Data: data, Scratch: scratch})
	if err != nil {
		return result, nil, err
	}
	records, err := readRecords(out)
	return result, records, err
}
