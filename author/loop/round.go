package loop

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/author/script"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/pattern"
	texts "github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
)

// Round is one call of run_tests with what came of it.
type Round struct {
	Number   int          `json:"round"`
	Written  []patched    `json:"written"` // since the round before
	Diff     string       `json:"diff"`    // of all that was written, from the last commit
	Failed   Stage        `json:"failed,omitempty"`
	Reason   string       `json:"reason,omitempty"` // in our words
	Page     string       `json:"page,omitempty"`   // what the page and the test said
	Tests    []Tried      `json:"tests,omitempty"`
	Missing  []string     `json:"missing,omitempty"` // what no assertion covers
	Covers   []Covers     `json:"covers,omitempty"`
	Proof    []prove.Test `json:"proof,omitempty"`
	Evidence []string     `json:"evidence,omitempty"`

	unmet map[string]qa.Check // by the id of the expectation that did not hold when the test looked
}

// Stage is the part of a round that failed.
type Stage string

// The stages of a round, in their order.
const (
	StyleFailed  Stage = "style"
	TestFailed   Stage = "test"
	NotCovered   Stage = "coverage"
	NotProved    Stage = "proof"
	CheckFailed  Stage = "test_command"
	CouldNotRun  Stage = "run"
	FormatFailed Stage = "format_command"
)

// Tried is a test of a round.
type Tried struct {
	Title  string `json:"title"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Status string `json:"status"`
}

// Covers says which assertions cover an expectation.
type Covers struct {
	Expectation string     `json:"expectation"`
	At          []Position `json:"at"`
}

// Position is a place in a test file.
type Position struct {
	File string `json:"file"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// Why says in one line why the round did not prove the test.
func (r *Round) Why() string {
	return texts.Bytes(strings.Join(strings.Fields(strings.TrimSpace(string(r.Failed)+": "+r.Reason+" "+r.Page)), " "), 600)
}

// varying is what differs between two times that the same thing fails.
var varying = pattern.New(`\d+(?:\.\d+)?m?s\b|:\d+(?::\d+)?|\bline \d+|M\d{2}`)

// key is equal for rounds that failed in the same way.
func (r *Round) key() string {
	page, _, _ := strings.Cut(r.Page, "\nthe page then:")
	return string(r.Failed) + "\n" + varying.ReplaceAllString(r.Reason+"\n"+page, "")
}

// round runs and proves what was written.
func (b *Box) round(ctx context.Context) (agent.Result, error) {
	files := b.Draft.Tests()
	switch {
	case b.proved:
		return refused(runTests, "the test is proved already: call git_propose, then run_finish"), nil
	case b.stop != nil:
		return refused(runTests, "not run: %s", b.stop.Detail), nil
	case len(files) == 0:
		return refused(runTests, "no test was written yet: write one with fs_write_patch"), nil
	}
	r := &Round{Number: len(b.rounds) + 1, Written: b.patches}
	b.patches = nil
	b.rounds = append(b.rounds, r)
	err := b.work(ctx, r, files)
	if ctx.Err() != nil {
		return agent.Result{}, ctx.Err()
	}
	if err != nil {
		r.Failed, r.Reason = CouldNotRun, err.Error()
	}
	if r.Diff, err = b.Draft.Diff(ctx); err != nil {
		return agent.Result{}, err
	}
	if r.Failed == "" {
		if err := b.pass(r); err != nil {
			return agent.Result{}, err
		}
	} else {
		b.guard(r)
	}
	if err := b.keep(r); err != nil {
		return agent.Result{}, err
	}
	return answer(runTests, r, b.tell(r), pagetext.Text(r.Page)), nil
}

// work takes a round through its stages until one fails.
func (b *Box) work(ctx context.Context, r *Round, files []string) error {
	paths := make([]string, len(files))
	for i, name := range files {
		paths[i] = filepath.Join(b.Draft.Folder(), filepath.FromSlash(name))
	}
	for _, stage := range []func(context.Context, *Round, []string, []string) error{b.style, b.run, b.cover, b.prove, b.check} {
		if err := stage(ctx, r, files, paths); err != nil || r.Failed != "" {
			return err
		}
	}
	return nil
}

// style formats the files. A project without the pinned runner goes without.
func (b *Box) style(ctx context.Context, r *Round, files, paths []string) error {
	if err := b.Draft.AsWritten(); err != nil {
		return err
	}
	said, err := b.Tests.Format(ctx, paths)
	if err != nil {
		return err
	}
	if said != "" {
		r.Failed, r.Reason, r.Page = FormatFailed, "[author] format_command failed", said
		return nil
	}
	if err := b.Draft.Reread(ctx, files); err != nil {
		return err
	}
	linted, err := b.Draft.Lint(ctx, files)
	if testrun.Missing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if len(linted.Problems) > 0 {
		r.Failed, r.Reason = StyleFailed, listed(linted.Problems)
	}
	return nil
}

func listed(problems []draft.LintProblem) string {
	out := make([]string, 0, len(problems))
	for _, p := range problems {
		out = append(out, fmt.Sprintf("%s:%d:%d %s: %s", p.Path, p.Line, p.Column, p.Rule, p.Message))
	}
	return strings.Join(out, "\n")
}

// run runs the tests once.
func (b *Box) run(ctx context.Context, r *Round, _, paths []string) error {
	if err := b.Draft.AsWritten(); err != nil {
		return err
	}
	result, err := b.Tests.Run(ctx, paths)
	if err != nil {
		return err
	}
	var said []string
	for _, e := range result.Mistakes() {
		said = append(said, e.Text())
	}
	for _, t := range result.Tests {
		r.Tests = append(r.Tests, Tried{t.Title(), b.Draft.Below(t.Location.File), t.Location.Line, t.Status})
		if t.Passed() && t.Expected == "passed" {
			continue
		}
		said = append(said, failure(t)...)
		stored, err := b.attach(r, t)
		if err != nil {
			return err
		}
		r.Evidence = append(r.Evidence, stored...)
		if err := b.unmet(ctx, r, t, stored); err != nil {
			return err
		}
	}
	switch {
	case len(said) > 0:
		r.Failed, r.Reason, r.Page = TestFailed, fmt.Sprintf("%d of %d tests did not pass", len(result.Tests)-passed(result), max(len(result.Tests), 1)), strings.Join(said, "\n")
	case len(result.Tests) == 0:
		r.Failed, r.Reason = TestFailed, "the runner found no test in "+strings.Join(b.Draft.Tests(), ", ")
	}
	return nil
}

func passed(r testrun.Result) (n int) {
	for _, t := range r.Tests {
		if t.Passed() && t.Expected == "passed" {
			n++
		}
	}
	return n
}

// maxPage bounds what is said of the page where a test failed, in bytes.
const maxPage = 6000

// failure says where and how a test failed, and what the page was like.
func failure(t testrun.Test) []string {
	out := []string{fmt.Sprintf("%s: %s", t.Title(), t.Status)}
	for _, e := range t.Errors {
		line := texts.Bytes(e.Message, maxPage)
		if e.Location != nil {
			line += fmt.Sprintf(" (%s:%d)", filepath.Base(e.Location.File), e.Location.Line)
		}
		out = append(out, line)
	}
	for _, a := range t.Attachments {
		if a.Name != "error-context" {
			continue
		}
		text, err := os.ReadFile(a.Path)
		if err != nil { // the failure itself is told all the same
			continue
		}
		if _, snapshot, ok := strings.Cut(string(text), "# Page snapshot"); ok {
			snapshot, _, _ = strings.Cut(snapshot, "\n# ")
			out = append(out, "the page then:\n"+texts.Bytes(strings.TrimSpace(snapshot), maxPage))
		}
	}
	return out
}

// attach keeps the pictures and the trace of a failed test.
func (b *Box) attach(r *Round, t testrun.Test) (out []string, err error) {
	for _, a := range t.Attachments {
		stored, err := b.Record.Attach(r.Number, a)
		if err != nil {
			return out, err
		}
		out = append(out, stored...)
	}
	return out, nil
}

// unmet notes which expectation of the task did not hold when the test looked.
func (b *Box) unmet(ctx context.Context, r *Round, t testrun.Test, evidence []string) error {
	covers, _, err := b.covered(ctx, b.Draft.Tests())
	if err != nil {
		return err
	}
	for _, s := range t.Steps {
		if s.Category != "expect" || s.Error == nil || s.Location == nil {
			continue
		}
		for _, c := range covers {
			if !slices.ContainsFunc(c.At, func(p Position) bool { return p.has(b.Draft.Below(s.Location.File), s.Location.Line) }) {
				continue
			}
			e := b.Task.Expectations[slices.IndexFunc(b.Task.Expectations, func(e Expectation) bool { return e.ID == c.Expectation })]
			if r.unmet == nil {
				r.unmet = map[string]qa.Check{}
			}
			r.unmet[e.ID] = qa.Check{Kind: "expectation_in_test", Subject: e.ID + ": " + e.Text, Expected: e.Means(), Source: qa.SourceRule, Evidence: evidence,
				Observed: pagetext.Sprintf("%s (%s:%d): the site does not do it, or the test's steps do not lead there",
					texts.Bytes(strings.Join(strings.Fields(s.Error.Message), " "), 800), b.Draft.Below(s.Location.File), s.Location.Line)}
		}
		return nil // what came after it was not looked at
	}
	return nil
}

func (p Position) has(file string, line int) bool {
	return p.File == file && p.From <= line && line <= p.To
}

// covered finds the assertions that cover each expectation; missing are demands that
// none covers.
func (b *Box) covered(ctx context.Context, files []string) (out []Covers, missing []string, err error) {
	var all []script.Assertion
	var of []string // the file of each
	for _, name := range files {
		content, err := b.Draft.Read(name)
		if err != nil {
			return nil, nil, err
		}
		file, err := b.Draft.Reader.Read(ctx, script.Source{Name: name, Text: content})
		if err != nil {
			return nil, nil, err
		}
		found := script.Assertions(file)
		all = append(all, found...)
		for range found {
			of = append(of, name)
		}
	}
	for _, e := range b.Task.Expectations {
		made, lacking := script.CoveredBy(e.Demands, all)
		for _, d := range lacking {
			missing = append(missing, fmt.Sprintf("%s %q: no expect says that %s", e.ID, e.Text, d.Means))
		}
		c := Covers{Expectation: e.ID}
		for _, i := range made {
			c.At = append(c.At, Position{of[i], all[i].From, all[i].To})
		}
		out = append(out, c)
	}
	return out, missing, nil
}

// cover holds the written assertions against the task.
func (b *Box) cover(ctx context.Context, r *Round, files, _ []string) (err error) {
	if r.Covers, r.Missing, err = b.covered(ctx, files); err != nil {
		return err
	}
	if len(r.Missing) > 0 {
		r.Failed, r.Reason = NotCovered, "the test passed, but not all that the task expects is looked for:\n"+strings.Join(r.Missing, "\n")
	}
	return nil
}

// prove brings faults about, which the tests have to notice: each test some, and what
// covers an expectation the faults of what it looks at.
func (b *Box) prove(ctx context.Context, r *Round, _, paths []string) error {
	report, err := b.Tests.Prove(ctx, paths)
	if err != nil {
		return err
	}
	r.Proof = report.Tests
	problems := slices.Clone(report.Errors)
	for _, t := range report.Tests {
		if t.Verdict != prove.CanFail {
			problems = append(problems, fmt.Sprintf("%s: %s: %s", t.Title, t.Verdict, t.Reason))
		}
		if t.Brittle > 0 {
			problems = append(problems, fmt.Sprintf("%s: it fails without a fault, under changes that nobody would call one", t.Title))
		}
	}
	if len(report.Tests) == 0 {
		problems = append(problems, "no test was proved")
	}
	for _, c := range r.Covers {
		if !b.noticed(c, report) {
			problems = append(problems, fmt.Sprintf("%s: what covers it (%s) was not reached, or noticed none of the faults in what it looks at", c.Expectation, c.where()))
		}
	}
	if len(problems) > 0 {
		r.Failed, r.Reason, r.Page = NotProved, fmt.Sprintf("the test passes, but it is not proved: %d problems", len(problems)), strings.Join(problems, "\n")
	}
	return nil
}

func (c Covers) where() string {
	var out []string
	for _, p := range c.At {
		out = append(out, fmt.Sprintf("%s:%d", p.File, p.From))
	}
	return strings.Join(out, ", ")
}

// noticed reports whether one of the assertions that cover an expectation was reached,
// and is not useless.
func (b *Box) noticed(c Covers, report prove.Report) bool {
	for _, t := range report.Tests {
		for _, a := range t.Assertions {
			if !a.Useless() && slices.ContainsFunc(c.At, func(p Position) bool { return p.has(b.Draft.Below(a.File), a.Line) }) {
				return true
			}
		}
	}
	return false
}

// check runs the project's own command. Nothing that ran may have changed the files.
func (b *Box) check(ctx context.Context, r *Round, _, paths []string) error {
	said, err := b.Tests.Check(ctx, paths)
	if err != nil {
		return err
	}
	if said != "" {
		r.Failed, r.Reason, r.Page = CheckFailed, "[author] test_command failed", said
		return nil
	}
	return b.Draft.AsWritten()
}

// pass files the checks of a proved test.
func (b *Box) pass(r *Round) error {
	b.proved = true
	for _, t := range r.Tests {
		if err := b.Record.Check(qa.Check{Kind: testrun.CheckKind, Subject: t.Title, Expected: "passed", Observed: pagetext.Text(t.Status), Passed: true, Source: qa.SourceRule}); err != nil {
			return err
		}
	}
	for _, t := range r.Proof {
		if err := b.Record.Check(qa.Check{Kind: prove.CheckKind, Subject: t.Title, Expected: "an expectation fails when the page is at fault",
			Observed: pagetext.Text(t.Reason), Passed: true, Source: qa.SourceRule}); err != nil {
			return err
		}
	}
	for i, e := range b.Task.Expectations {
		if err := b.Record.Check(qa.Check{Kind: "expectation_in_test", Subject: e.ID + ": " + e.Text, Expected: e.Means(),
			Observed: pagetext.Text("covered at " + r.Covers[i].where()), Passed: true, Source: qa.SourceRule}); err != nil {
			return err
		}
	}
	return nil
}

// guard ends the work where going on makes no sense.
func (b *Box) guard(r *Round) {
	for _, old := range b.rounds[:len(b.rounds)-1] {
		if old.key() == r.key() {
			b.stop = &qa.Interruption{Kind: qa.Guardrail, Subject: "the same failure twice", Detail: pagetext.Sprintf("rounds %d and %d failed in the same way: %s", old.Number, r.Number, r.Why())}
			return
		}
	}
	if len(b.rounds) >= b.Rounds {
		b.stop = &qa.Interruption{Kind: qa.Guardrail, Subject: "max_iterations", Detail: pagetext.Sprintf("%d rounds did not prove a test; last: %s", len(b.rounds), r.Why())}
	}
}

// keep stores a round with the run.
func (b *Box) keep(r *Round) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := b.Record.Save(fmt.Sprintf("round-%d.diff", r.Number), "text/x-diff", []byte(r.Diff)); err != nil {
		return err
	}
	if err := b.keepDraft(draftOfRound(r.Number)); err != nil {
		return err
	}
	return b.Record.Save(fmt.Sprintf("round-%d.json", r.Number), "application/json", append(text, '\n'))
}

// tell says to the model what came of a round, and what is next.
func (b *Box) tell(r *Round) string {
	head := fmt.Sprintf("round %d of %d: ", r.Number, b.Rounds)
	if r.Failed == "" {
		return head + "the test passed, covers what the task expects, and is proved: " + r.Proof[0].Reason + ". Call git_propose, then run_finish."
	}
	text := head + "not proved (" + string(r.Failed) + "): " + r.Reason
	switch {
	case b.stop != nil:
		text += "\nThe work ends here: " + b.stop.Subject
	case len(r.unmet) > 0:
		text += "\nWhat the task expects did not hold. If the test's steps are wrong, patch them. If the site is at fault, change nothing: call run_finish with status failed and the finding."
	default:
		text += "\nPatch the test with fs_write_patch, and call run_tests again."
	}
	return text
}
