package heal

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/internal/disk"
)

// greens is how often a healed test has to be green in a row, each time in a fresh
// context.
const greens = 10

// settle holds the healed tests to what they were worth before, and files what is left. Of
// an interrupted healing it files what is known.
func (r *round) settle(ctx context.Context) error {
	if !r.report.Interrupted {
		if err := r.verify(ctx); err != nil {
			return err
		}
	}
	held := r.jobs[:0:0]
	for _, j := range r.jobs {
		if j.again != nil && (j.gone != nil || j.held) {
			r.report.Rerun = append(r.report.Rerun, *j.again)
		}
		switch {
		case j.gone != nil:
			r.report.Unhealed = append(r.report.Unhealed, *j.gone)
		case j.held:
			r.report.Healed = append(r.report.Healed, j.heals...)
			held = append(held, j)
		case len(j.heals) > 0:
			r.report.Open = append(r.report.Open, Open{j.place(), "a locator was tried, and it is not known yet whether the test notices what it noticed"})
		default:
			r.report.Open = append(r.report.Open, Open{j.place(), "it was not looked at"})
		}
	}
	r.jobs = held // the edits of no other test are handed out
	paths := make([]string, 0, len(r.sources))
	for path := range r.sources {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		edits := r.active(path)
		if len(edits) == 0 {
			continue
		}
		before, _, err := r.sources[path].after(nil)
		if err != nil {
			return err
		}
		after, _, err := r.sources[path].after(edits)
		if err != nil {
			return err
		}
		r.report.files = append(r.report.files, healedFile{r.owner(path), before, after})
		r.report.Diff += unified(filepath.ToSlash(r.short(r.owner(path))), string(before), string(after))
	}
	return nil
}

// short returns a path as seen from the working folder, or from the project.
func (r *round) short(path string) string {
	for _, from := range []string{r.shown, r.copy.from} {
		if rel, inside := disk.Inside(from, path); inside && from != "" {
			return rel
		}
	}
	return filepath.Base(path)
}

// healed lists the jobs that are healed so far.
func (r *round) healed() []*job {
	return slices.DeleteFunc(slices.Clone(r.jobs), func(j *job) bool { return j.gone != nil })
}

// verify runs the healed tests again and again, and proves them.
func (r *round) verify(ctx context.Context) error {
	jobs := slices.DeleteFunc(r.healed(), func(j *job) bool { return j.held })
	if len(jobs) == 0 {
		return nil
	}
	if err := r.apply(); err != nil {
		return err
	}
	r.say("running %d healed tests %d times", len(jobs), greens)
	request := testrun.Request{Name: r.Project, Workers: max(1, r.Workers), Quiet: true, Patterns: r.prover(jobs).Patterns}
	for i := range greens {
		request.Slots = append(request.Slots, testrun.Slot{Name: fmt.Sprintf("green-%02d", i+1), Tests: slots(jobs)})
	}
	if others := r.neighbours(); len(others) > 0 {
		request.Slots = append(request.Slots, testrun.Slot{Name: neighbours, Tests: others})
		for _, t := range others {
			if !slices.Contains(request.Patterns, t.File) {
				request.Patterns = append(request.Patterns, t.File)
			}
		}
	}
	result, err := r.Setup.Run(ctx, request)
	if err != nil {
		return err
	}
	if r.report.Interrupted = result.Interrupted; result.Interrupted {
		return nil
	}
	for _, j := range jobs {
		again := &Rerun{Test: j.test.Title(), File: j.file, Runs: greens}
		why := ""
		for _, t := range result.Tests {
			switch {
			case !r.same(t, j) || !strings.HasPrefix(t.Project, "green-"):
			case t.Passed():
				again.Green++
			case why == "":
				why = firstError(t)
			}
		}
		j.again = again
		if again.Green < greens {
			r.refuse(j, Page, fmt.Sprintf("with the new locator it was green %d times of %d: %s", again.Green, greens, why))
		}
	}
	r.spare(result)
	if err := r.apply(); err != nil { // without those that were refused
		return err
	}
	for _, j := range jobs { // one by one: what is known of one is kept, whatever becomes of the next
		if j.gone == nil {
			if err := r.prove(ctx, j); err != nil || r.report.Interrupted {
				return err
			}
		}
		r.tell(j)
	}
	return nil
}

// neighbours is the slot of the tests that were green and may use a healed locator.
const neighbours = "neighbours"

// neighbours lists the green tests of the files that edits are in; all, where one is a
// helper that any of them may use.
func (r *round) neighbours() (out []testrun.SlotTest) {
	edited, helper := map[string]bool{}, false
	for _, j := range r.healed() {
		for _, e := range j.edits {
			edited[e.file] = true
			helper = helper || !r.isTest(e.file)
		}
	}
	for _, t := range r.green {
		if helper || edited[t.Location.File] {
			out = append(out, testrun.SlotTest{File: t.Location.File, Titles: t.Titles})
		}
	}
	return out
}

// spare refuses the heals that turn a green test red: those at the line where it fails,
// or where that is not one, all that it may use.
func (r *round) spare(result testrun.Result) {
	for _, t := range result.Tests {
		if t.Project != neighbours || t.Passed() {
			continue
		}
		uses := func(e edit) bool { return e.file == t.Location.File || !r.isTest(e.file) }
		if at := t.Errors; len(at) > 0 && at[0].Location != nil {
			there := func(e edit) bool {
				return e.file == at[0].Location.File && r.line(e.file, r.lineOf(e)) == at[0].Location.Line
			}
			if slices.ContainsFunc(r.healed(), func(j *job) bool { return slices.ContainsFunc(j.edits, there) }) {
				uses = there
			}
		}
		for _, j := range r.healed() {
			if slices.ContainsFunc(j.edits, uses) {
				r.refuse(j, Ambiguous, fmt.Sprintf("with the new locator %q fails, which was green: %s", t.Title(), firstError(t)))
			}
		}
	}
}

// isTest reports whether a file has tests of this run.
func (r *round) isTest(file string) bool {
	return slices.ContainsFunc(r.green, func(t testrun.Test) bool { return t.Location.File == file }) || slices.ContainsFunc(r.jobs, func(j *job) bool { return j.test.Location.File == file })
}

// lineOf returns the line of an edit in the file as it was.
func (r *round) lineOf(e edit) int {
	if t, ok := r.sources[e.file].(testSource); ok {
		return t.form.Locators[e.n].Line
	}
	return 0
}

// refuse takes back the heals of a test, and proposes them.
func (r *round) refuse(j *job, reason Reason, why string) {
	for _, heal := range j.heals {
		r.propose(Proposal{Place: heal.Place, Action: heal.Action, Old: heal.Old, Why: why, By: heal.By, Choices: []Choice{{Number: 1, New: heal.New, Element: "see the locator", Score: heal.Score}}})
	}
	j.give(reason, why)
}

// prove holds a healed test to the faults that it noticed before.
func (r *round) prove(ctx context.Context, j *job) error {
	r.say("proving %s", j.test.Title())
	p := r.prover([]*job{j})
	p.Progress, p.Only = r.Progress, slots([]*job{j}) // what red tests meet is not what they are known by
	var before *prove.Test
	if old := r.Memory.proof(j.file, j.test.Title()); old != nil {
		now := *old
		now.File, now.Mutants = j.test.Location.File, slices.Clone(old.Mutants)
		for i, m := range now.Mutants {
			if m.At != nil {
				now.Mutants[i].At = &testrun.Location{File: r.now(m.At.File, j), Line: r.line(r.now(m.At.File, j), m.At.Line)}
			}
		}
		before, p.Again, p.Mutants = &now, []prove.Test{now}, 1 // beside those of before
	}
	report, err := p.Prove(ctx)
	if err != nil {
		return err
	}
	if r.report.Interrupted = report.Interrupted; report.Interrupted {
		return nil
	}
	for i, t := range report.Tests {
		report.Tests[i].File = r.owner(t.File)
	}
	r.report.Proof = r.report.Proof.With(report)
	i := slices.IndexFunc(report.Tests, func(t prove.Test) bool { return t.File == j.file && t.Title == j.test.Title() })
	if i < 0 {
		r.refuse(j, Page, "it could not be proved: the runner did not run it")
		return nil
	}
	r.judge(j, before, report.Tests[i], j.again)
	j.held = j.gone == nil
	return nil
}

// now returns a file of an earlier proof as the runner knows it.
func (r *round) now(path string, j *job) string {
	if r.flows != nil || path == j.file {
		return j.test.Location.File
	}
	return r.copy.path(path)
}

// line returns where a line of a test is after the edits.
func (r *round) line(path string, line int) int {
	if t, ok := r.sources[path].(testSource); ok {
		return t.line(line, r.active(path))
	}
	return line
}

// judge refuses the heal of a test that notices less than before, or nothing.
func (r *round) judge(j *job, before *prove.Test, now prove.Test, again *Rerun) {
	killed, _ := prove.Sum(now.Classes).Rate()
	again.Killed = killed
	if before != nil {
		lost := slices.Clone(now.Mutants)
		for _, old := range before.Mutants {
			if !old.Noticed() {
				continue
			}
			again.Before++
			i := slices.IndexFunc(lost, func(m prove.Tried) bool { return m.Like(old.Mutant) })
			switch {
			case i < 0 || lost[i].Outcome == prove.Invalid:
				again.Moot++
			case !lost[i].Noticed():
				again.Lost = append(again.Lost, fmt.Sprintf("%s %s, %s", old.Class, old.Kind, old.Step))
			}
			if i >= 0 {
				lost = slices.Delete(lost, i, i+1)
			}
		}
	}
	switch {
	case len(again.Lost) > 0:
		r.refuse(j, Ambiguous, fmt.Sprintf("with the new locator it no longer notices %d faults that it noticed before: %s", len(again.Lost), strings.Join(again.Lost, "; ")))
	case before != nil && before.Verdict == prove.CanFail && again.Before > 0 && again.Moot == again.Before:
		r.refuse(j, Ambiguous, "none of the faults that it noticed before can be brought about any more")
	case (before == nil || before.Verdict == prove.CanFail) && now.Verdict != prove.CanFail:
		r.refuse(j, Ambiguous, fmt.Sprintf("with the new locator it can't be shown to fail (%s: %s)", now.Verdict, now.Reason))
	}
}
