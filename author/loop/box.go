package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/author/workcopy"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
)

// Names of tools that the box answers itself, or looks at before it hands them on.
const (
	runTests = "run_tests"
	propose  = "git_propose"
	write    = "fs_write_patch"
	start    = "run_start"
	finish   = "run_finish"
)

// Allowed lists the tools that a model writes tests with.
func Allowed() []string {
	return []string{
		write, runTests, "lint_format", propose, "explore_site", "generate_tests",
		"page_navigate", "page_snapshot", "page_click", "page_fill", "page_select", "page_press",
	}
}

// Tests runs and proves the written tests, within limits. Files are absolute paths.
// What a result points to stays until the next call.
type Tests interface {
	Run(ctx context.Context, files []string) (testrun.Result, error)
	Prove(ctx context.Context, files []string) (prove.Report, error)
	// Format runs the project's own command that formats files, and Check that which
	// runs its tests; said is what it printed where it failed. Both do nothing where none
	// is configured.
	Format(ctx context.Context, files []string) (said string, err error)
	Check(ctx context.Context, files []string) (said string, err error)
}

// Record is the run in which the work is kept.
type Record interface {
	Check(qa.Check) error
	Interrupt(qa.Interruption) error
	Save(name, mime string, data []byte) error
	// Attach stores a picture or a trace of a test of a round; other files are left out.
	Attach(round int, a testrun.Attachment) (stored []string, err error)
}

// Box gives a model the tools to write a test with, and holds the rounds.
type Box struct {
	Server agent.Toolbox // those of the server
	Task   Task
	Draft  *draft.Draft
	Tests  Tests
	Record Record
	Rounds int // at most

	rounds   []*Round
	patches  []patched // since the last round
	stop     *qa.Interruption
	proved   bool
	proposed *workcopy.Proposed
	runID    string

	keptDraft bool // files are stored with the run, for a task that goes on
}

// patched is a file that was written, and why.
type patched struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
	SHA256 string `json:"sha256"`
}

// Stop says why the work must end, or nil; see [agent.Options].
func (b *Box) Stop() *qa.Interruption { return b.stop }

// Outcome says what came of the work beside its report.
type Outcome struct {
	Rounds    []*Round           `json:"rounds"`
	Proved    bool               `json:"proved"`
	Proposed  *workcopy.Proposed `json:"proposed,omitempty"`
	Resumable bool               `json:"resumable,omitempty"` // the run holds files for a task that goes on
}

// Outcome returns what came of the work.
func (b *Box) Outcome() Outcome {
	return Outcome{Rounds: append([]*Round{}, b.rounds...), Proved: b.proved, Proposed: b.proposed, Resumable: b.keptDraft && !b.proved}
}

// Tools lists the tools.
func (b *Box) Tools(ctx context.Context) ([]agent.Tool, error) {
	all, err := b.Server.Tools(ctx)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(t agent.Tool) bool { return t.Name == runTests })
	return append(all, agent.Tool{Name: runTests,
		Description: "Format the tests that you wrote, run them in a real browser, and prove that they fail when the page is at fault. One call is one round.",
		Schema:      json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)}), nil
}

// Call calls a tool.
func (b *Box) Call(ctx context.Context, name string, arguments json.RawMessage) (agent.Result, error) {
	switch name {
	case runTests:
		return b.round(ctx)
	case write:
		if b.proved {
			return refused(name, "the test is proved: nothing is written any more; call git_propose, then run_finish"), nil
		}
	case propose:
		return b.propose(ctx, arguments), nil
	case finish:
		if err := b.settle(ctx); err != nil {
			return agent.Result{}, err
		}
	}
	r, err := b.Server.Call(ctx, name, arguments)
	switch {
	case err != nil || r.IsError:
	case name == write:
		b.note(arguments, r.Structured)
	case name == start:
		var made struct {
			Data struct {
				RunID string `json:"run_id"`
			} `json:"data"`
		}
		if json.Unmarshal(r.Structured, &made) == nil {
			b.runID = made.Data.RunID
		}
	}
	return r, err
}

// note keeps for the next round what was written.
func (b *Box) note(arguments, structured json.RawMessage) {
	var asked struct{ Path, Reason string }
	var made struct {
		Data struct {
			SHA256 string `json:"sha256"`
		} `json:"data"`
	}
	if json.Unmarshal(arguments, &asked) == nil && json.Unmarshal(structured, &made) == nil {
		b.patches = append(b.patches, patched{asked.Path, asked.Reason, made.Data.SHA256})
	}
}

// propose makes the branch, once the test is proved.
func (b *Box) propose(ctx context.Context, arguments json.RawMessage) agent.Result {
	var in struct {
		Branch, Title, Body string
		Paths               []string
	}
	switch {
	case !b.proved:
		return refused(propose, "nothing is proposed before run_tests says that the test is proved")
	case b.proposed != nil:
		return refused(propose, "the branch %s is made already: call run_finish", b.proposed.Branch)
	}
	if err := json.Unmarshal(arguments, &in); err != nil && len(arguments) > 0 {
		return refused(propose, "the arguments can't be read: %v", err)
	}
	if in.Title == "" {
		in.Title = b.title()
	}
	if in.Branch == "" {
		in.Branch = b.Draft.Prefix + b.runID
	}
	if len(in.Paths) > 0 && slices.ContainsFunc(b.Draft.Tests(), func(path string) bool { return !slices.Contains(in.Paths, path) }) {
		return refused(propose, "propose what was proved: %s", strings.Join(b.Draft.Tests(), ", "))
	}
	p, err := b.Draft.Propose(ctx, workcopy.Proposal{Branch: in.Branch, Title: in.Title, Body: in.Body, Paths: in.Paths})
	if err != nil {
		return refused(propose, "%v", err)
	}
	b.proposed = &p
	return answer(propose, map[string]any{"branch": p.Branch, "commit": p.Commit, "diff": p.Diff, "paths": p.Paths},
		fmt.Sprintf("branch %s, commit %.12s: %d files; not pushed. Call run_finish.", p.Branch, p.Commit, len(p.Paths)), "")
}

// maxTitle bounds the title of a branch that the model gave none.
const maxTitle = 60

func (b *Box) title() string {
	title := "Test: " + strings.Join(strings.Fields(b.Task.Words), " ")
	if len(title) > maxTitle {
		title = strings.ToValidUTF8(title[:maxTitle], "") + "…"
	}
	return title
}

// settle files what the run's verdict is computed from, before the report is made.
func (b *Box) settle(ctx context.Context) error {
	var errs []error
	if b.proved && b.proposed == nil {
		if r := b.propose(ctx, nil); r.IsError {
			errs = append(errs, b.Record.Interrupt(qa.Interruption{Kind: qa.NotExecuted, Subject: propose, Detail: pagetext.Text(r.Text())}))
		}
	}
	if b.proposed != nil {
		errs = append(errs, b.Record.Save("proposal.patch", "text/x-diff", []byte(b.proposed.Patch)), b.Record.Save("pull-request.md", "text/markdown", []byte(b.proposed.PullRequest)))
	}
	if b.proved {
		return errors.Join(errs...)
	}
	errs = append(errs, b.keepDraft(draftFile))
	if len(b.rounds) == 0 {
		return errors.Join(append(errs, b.Record.Interrupt(qa.Interruption{Kind: qa.NotExecuted, Subject: "the test", Detail: "the work ended before a test was run"}))...)
	}
	for _, c := range b.unmetInTheEnd() {
		errs = append(errs, b.Record.Check(c))
	}
	if b.stop == nil {
		errs = append(errs, b.Record.Interrupt(qa.Interruption{Kind: qa.NotExecuted, Subject: "the test",
			Detail: pagetext.Text("the work ended before a test was proved; last: " + b.rounds[len(b.rounds)-1].Why())}))
	}
	return errors.Join(errs...)
}

// unmetInTheEnd returns the failed checks of expectations that did not hold when a test
// last looked at them.
func (b *Box) unmetInTheEnd() (out []qa.Check) {
	for _, e := range b.Task.Expectations {
		for _, r := range slices.Backward(b.rounds) {
			if c, ok := r.unmet[e.ID]; ok {
				out = append(out, c)
			} else if !slices.ContainsFunc(r.Covers, func(c Covers) bool { return c.Expectation == e.ID && len(c.At) > 0 }) {
				continue // it was not looked at, or the test did not come to it
			}
			break
		}
	}
	return out
}

// refused answers a call that was not made.
func refused(name, format string, args ...any) agent.Result {
	text := pagetext.Marked(pagetext.Apart(1, nil, format, args...))
	structured, err := json.Marshal(map[string]any{"ok": false, "error": map[string]any{"code": code.InvalidInput, "message": text}})
	if err != nil {
		structured = nil
	}
	return agent.Result{Name: name, IsError: true, Structured: structured, Parts: []agent.Part{{Text: text}}}
}

// answer answers a call: our words, then between marks that a page can't guess what came
// from the page.
func answer(name string, data any, own string, page pagetext.Text) agent.Result {
	structured, err := json.Marshal(map[string]any{"ok": true, "data": data})
	if err != nil {
		return refused(name, "the answer can't be written: %v", err)
	}
	var lines []pagetext.Text
	if page != "" {
		lines = []pagetext.Text{page}
	}
	return agent.Result{Name: name, Structured: structured, Parts: []agent.Part{{Text: pagetext.Marked(own, lines)}}}
}
