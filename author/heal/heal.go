package heal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/assay-qa/assay/author/prove"
	testscript "github.com/assay-qa/assay/author/script"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/browser/driver"
)

// Healer heals the tests of one project.
type Healer struct {
	Setup    *testrun.Setup
	Patterns []string // which tests, as [testrun.Request] takes them
	Grep     string
	Project  string // of Playwright's configuration; empty: the first with Chromium
	Memory   Memory
	Attempts int // runs of a failing test that may lead to a heal
	Workers  int
	Seed     int64
	DataDir  string // not part of the project, even where it is in it
	// Destructive reports whether a control of this name destroys something.
	Destructive func(name string) bool
	// Progress is called with what begins, and with the outcome of each failing test; may be nil.
	Progress func(string)
	Now      func() time.Time // for the time that is left; nil: it is not said
	Resume   []Report         // of interrupted healings of the same tests: what came of a test there is kept

	flows map[string]*flowSource // by the path of the test that was made of it; nil: these are tests
	copy  copied                 // of the project; empty: the tests are where they were made
	shown string                 // folder that files are named from
}

// job is the healing of one failing test.
type job struct {
	test  testrun.Test // as it failed first
	file  string       // as its owner knows it
	edits []edit
	heals []Heal
	tried []edit
	done  bool // it is green with the edits, or given up
	held  bool // it was green again and again, and notices what it noticed
	again *Rerun
	gone  *Unhealed
}

// Heal finds out which tests fail and heals those that it can. Its error says that the
// runner could not do its work.
func (h Healer) Heal(ctx context.Context) (Report, error) {
	report := Report{Healed: []Heal{}, Proposals: []Proposal{}, Unhealed: []Unhealed{}, Rerun: []Rerun{}}
	if h.flows == nil {
		var err error
		if h.copy, err = copyProject(h.Setup, h.DataDir); err != nil {
			return report, err
		}
		for i, p := range h.Patterns {
			if abs, err := filepath.Abs(p); err == nil {
				if _, err := os.Stat(abs); err == nil {
					h.Patterns[i] = h.copy.path(abs)
				}
			}
		}
	}
	h.say("running the tests as they are")
	result, calls, pages, err := prove.Prover{Setup: h.Setup, Patterns: h.Patterns, Grep: h.Grep, Project: h.Project, Workers: h.Workers}.Compare(ctx)
	if err != nil {
		return report, err
	}
	for _, e := range result.Mistakes() {
		report.Errors = append(report.Errors, e.Text())
	}
	r := &round{Healer: h, sources: map[string]source{}, unread: map[string]error{}, report: &report}
	for _, t := range result.Tests {
		switch {
		case t.Expected != "passed":
		case t.Status == "skipped":
			report.Unhealed = append(report.Unhealed, Unhealed{Place: Place{File: h.owner(t.Location.File), Line: t.Location.Line, Test: t.Title()},
				Reason: Page, Detail: "it did not run, since a test before it failed: run assay heal again once that one is healed"})
		case t.Passed():
			report.Green++
			r.green = append(r.green, t)
			report.Others = append(report.Others, prove.Others(h.Memory.Proofs, h.owner(t.Location.File), t.Title(), calls[prove.Key(t)], pages)...)
		default:
			r.jobs = append(r.jobs, &job{test: t, file: h.owner(t.Location.File)})
		}
	}
	report.Interrupted = result.Interrupted
	if len(r.jobs) == 0 {
		return report, nil
	}
	return report, r.healReading(ctx)
}

// healReading heals with the parser of test files, which flows do without.
func (r *round) healReading(ctx context.Context) error {
	if r.flows != nil {
		return r.heal(ctx)
	}
	runner, err := r.Setup.Pinned()
	if err != nil {
		return err
	}
	reader := testscript.Reader{Runner: func(context.Context) (driver.TestRunner, error) { return runner, nil }}
	defer reader.Close()
	r.read = func(name string, text []byte) (testscript.File, error) {
		return reader.Read(ctx, testscript.Source{Name: name, Text: text})
	}
	return r.heal(ctx)
}

func (h Healer) say(format string, args ...any) {
	if h.Progress != nil {
		h.Progress(fmt.Sprintf(format, args...))
	}
}

// owner returns the path of a file as its owner knows it.
func (h Healer) owner(path string) string {
	if f := h.flows[path]; f != nil {
		return f.path
	}
	return h.copy.owner(path)
}

// round is one healing of several tests.
type round struct {
	Healer
	jobs         []*job
	green        []testrun.Test
	read         func(name string, text []byte) (testscript.File, error) // a test file
	imports      imports                                                 // of the project; nil: not read yet
	sources      map[string]source                                       // by the path that the runner knows
	expectations map[string][][]string                                   // of a file: the texts that each may name
	unread       map[string]error                                        // files that can't be read as a test
	report       *Report
	began        time.Time
	told         map[*job]bool // jobs whose outcome was said
}

// heal looks at the failing tests, replaces a locator of each, and tries again.
func (r *round) heal(ctx context.Context) error {
	if r.Now != nil {
		r.began = r.Now()
	}
	for _, j := range r.jobs {
		if err := r.resume(j); err != nil {
			return err
		}
	}
	for attempt := 0; !r.report.Interrupted; attempt++ {
		pending := slices.DeleteFunc(slices.Clone(r.jobs), func(j *job) bool { return j.done })
		if len(pending) == 0 {
			break
		}
		r.say("attempt %d: looking at %d failing tests", attempt+1, len(pending))
		result, calls, err := r.prover(pending).Study(ctx, slots(pending))
		if err != nil {
			return err
		}
		if result.Interrupted {
			r.report.Interrupted = true
			break
		}
		for _, j := range pending {
			i := slices.IndexFunc(result.Tests, func(t testrun.Test) bool { return prove.Key(t) == prove.Key(j.test) || r.same(t, j) })
			if i < 0 {
				j.give(Page, "the test could not be run again")
			} else {
				r.step(j, result.Tests[i], calls[prove.Key(result.Tests[i])], attempt == r.Attempts)
			}
			r.tell(j)
		}
		if err := r.apply(); err != nil {
			return err
		}
	}
	return r.settle(ctx)
}

// same reports whether a test is that of a job, whose line may have moved.
func (r *round) same(t testrun.Test, j *job) bool {
	return t.Location.File == j.test.Location.File && t.Title() == j.test.Title()
}

// step decides what is done about one test after a look at it.
func (r *round) step(j *job, t testrun.Test, calls []prove.Studied, last bool) {
	if t.Passed() && len(j.heals) > 0 {
		j.done = true
		return
	}
	a := r.analyse(j, t, calls)
	if t.Passed() {
		a = r.late(j, calls)
	}
	switch {
	case a.heal == nil:
		j.give(a.reason, a.detail)
	case last:
		j.give(Ambiguous, fmt.Sprintf("it was still red after %d heals: allow more with --max-attempts", len(j.heals)))
	default:
		j.heals = append(j.heals, *a.heal)
		j.tried = append(j.tried, a.edit)
		j.edits = append(slices.DeleteFunc(j.edits, a.edit.replaces), a.edit)
		r.agree(j, a.edit)
		return
	}
	if a.proposal != nil {
		r.propose(*a.proposal)
	}
}

func (r *round) propose(p Proposal) {
	p.Number = len(r.report.Proposals) + 1
	r.report.Proposals = append(r.report.Proposals, p)
}

// give ends a job without a heal.
func (j *job) give(reason Reason, detail string) {
	j.done = true
	j.gone = &Unhealed{Place: j.place(), Reason: reason, Detail: detail}
}

func (j *job) place() Place {
	return Place{File: j.file, Line: j.test.Location.Line, Test: j.test.Title()}
}

// apply writes the edits of all jobs that go on where the runner reads them.
func (r *round) apply() error {
	for path, s := range r.sources {
		_, test, err := s.after(r.active(path))
		if err != nil {
			return fmt.Errorf("write the healed %s: %w", path, err)
		}
		if err := os.WriteFile(path, test, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// active lists the edits of a file that jobs asked for which are not given up, each once.
func (r *round) active(path string) (out []edit) {
	for _, j := range r.jobs {
		if j.gone != nil {
			continue
		}
		for _, e := range j.edits {
			if e.file == path && !slices.ContainsFunc(out, e.replaces) {
				out = append(out, e)
			}
		}
	}
	return out
}

// replaces reports whether two edits are about the same locator, in the same way.
func (e edit) replaces(o edit) bool {
	return e.file == o.file && e.n == o.n && (e.text == "") == (o.text == "")
}

// agree gives up the tests that share a locator and would need another one each: which
// of their elements has moved is not known.
func (r *round) agree(j *job, e edit) {
	for _, other := range r.jobs {
		if other == j || other.gone != nil || !slices.ContainsFunc(other.edits, func(o edit) bool { return e.replaces(o) && o.text != e.text }) {
			continue
		}
		why := fmt.Sprintf("%q and %q share a locator, and each would need another one: %s", j.test.Title(), other.test.Title(), r.short(r.owner(e.file)))
		r.refuse(other, Ambiguous, why)
		r.refuse(j, Ambiguous, why)
		return
	}
}

// prover returns what watches the tests of jobs.
func (r *round) prover(jobs []*job) prove.Prover {
	p := prove.Prover{Setup: r.Setup, Project: r.Project, Seed: r.Seed, Workers: r.Workers}
	for _, j := range jobs {
		if file := j.test.Location.File; !slices.Contains(p.Patterns, file) {
			p.Patterns = append(p.Patterns, file)
		}
	}
	return p
}

func slots(jobs []*job) (out []testrun.SlotTest) {
	for _, j := range jobs {
		out = append(out, testrun.SlotTest{File: j.test.Location.File, Titles: j.test.Titles})
	}
	return out
}
