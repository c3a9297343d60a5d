package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/author/loop"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/terminal"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite/runner"
	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// authorFlags are the flags of assay author.
type authorFlags struct {
	root, role, baseURL string
	resume              string
	expect              []string
	asJSON              bool
}

func authorCommand(a *app) *cobra.Command {
	var f authorFlags
	c := &cobra.Command{
		Use:   `author "FLOW IN WORDS"`,
		Short: "Have a model write a Playwright test, until it passes and is proved",
		Args:  cobra.ExactArgs(1),
		Long: `Have the configured model write a Playwright test of a flow in words. It looks at
the site, writes the test, runs it, reads what failed and patches it, until the
test passes, fails under faults that are brought about in the page, and looks
for all that the words expect; or a guardrail ends it and says why: the rounds,
the time or the tokens are spent ([author]), or the same thing failed twice.

Sentences that say what is to be seen are what the test has to look for, with
the very words in quotation marks: The page shows "Saved". A site that does not
do it is a finding, and no test is written around it.

The test is written in a copy of the last commit, and proposed as a new branch
of the repository. Your files, index and branches stay as they are. See
docs/author.md for what keeps a model's test from harm, and what doesn't.

What ends without a proved test keeps what was written in the folder of its run:
--resume goes on with it, given the same flow.

Exit codes: 0 a proved test is proposed; 1 the site is at fault, or no test was
proved; 2 a flag, a setting or the flow is wrong, or a program is not installed;
130 interrupted.`,
		RunE: func(cmd *cobra.Command, args []string) error { return authorTest(a, cmd, args[0], f) },
	}
	c.Flags().StringVar(&f.root, "root", "", "`FOLDER` of the project, in a git repository (default: author.root, else the working folder)")
	c.Flags().StringVar(&f.role, "role", "", "look at the site as this role of the environment")
	c.Flags().StringVar(&f.baseURL, "base-url", "", "the site is at this `URL` (default: base_url of the environment)")
	c.Flags().StringArrayVar(&f.expect, "expect", nil, "a further `SENTENCE` that says what is to be seen; may be repeated")
	c.Flags().StringVar(&f.resume, "resume", "", "`RUN` of the same flow that ended without a proved test, by its folder: begin with what it wrote")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print the result as JSON")
	sameEverywhere(c)
	return c
}

// authored is what came of a task, as JSON.
type authored struct {
	Status       qa.Status          `json:"status"`
	Reason       pagetext.Text      `json:"reason"`
	RunID        string             `json:"run_id"`
	Report       string             `json:"report"`
	Expectations []loop.Expectation `json:"expectations"`
	Rounds       []*loop.Round      `json:"rounds"`
	Proved       bool               `json:"proved"`
	Branch       string             `json:"branch,omitempty"`
	Commit       string             `json:"commit,omitempty"`
	Diff         string             `json:"diff,omitempty"`
	Resume       string             `json:"resume,omitempty"` // the folder of the run, where --resume can go on with it
	Confined     string             `json:"confined"`         // how far the tests were kept from the system
	Findings     []qa.Finding       `json:"findings"`
	Costs        qa.Costs           `json:"costs"`
}

func authorTest(a *app, cmd *cobra.Command, words string, f authorFlags) error {
	task, err := loop.ReadTask(words, f.expect)
	if err != nil {
		return usage("%w", err)
	}
	kept, err := draftOf(f.resume, task)
	if err != nil {
		return usage("--resume %s: %w", f.resume, err)
	}
	if err := runner.CheckBaseURL(f.baseURL); err != nil {
		return err
	}
	a.baseURL = f.baseURL
	cfg, err := a.settings(cmd)
	if err != nil {
		return err
	}
	if f.root != "" {
		cfg.Author.Root = f.root
	}
	if !slices.Contains(cfg.Tools.Sets, string(tool.Author)) {
		cfg.Tools.Sets = append(slices.Clone(cfg.Tools.Sets), string(tool.Author))
	}
	dir, err := wiring.WritableDataDir(cfg)
	if err != nil {
		return err
	}
	d, err := a.desk(cfg)
	if err != nil {
		return err
	}
	defer d.Pool.Close(wiring.CloseLimit)
	if f.role != "" {
		if err := d.KnowsRole(f.role); err != nil {
			return usage("%w", withHint(err))
		}
	}
	if d.Target.BaseURL = cmp.Or(f.baseURL, d.Target.BaseURL); d.Target.BaseURL == "" {
		return usage("the site has no address: give --base-url, or set base_url of the environment")
	}
	work, err := newAuthoring(cmd.Context(), a, cfg, d, dir, commandLine(cmd, []string{fmt.Sprintf("%q", words)}))
	if err != nil {
		return err
	}
	work.task, work.draft = task, kept
	out, err := work.run(cmd.Context(), f.role)
	if err = errors.Join(err, work.close(cmd.Context())); err != nil {
		return missingTools(err)
	}
	return work.tell(cmd.Context(), out, f.asJSON)
}

// draftOf reads what an earlier run of the task wrote; nil where none is named.
func draftOf(run string, task loop.Task) (*loop.KeptDraft, error) {
	if run == "" {
		return nil, nil
	}
	kept, err := loop.ReadDraft(os.DirFS(run))
	if err == nil && kept.Words != task.Words {
		err = fmt.Errorf("that run was of another flow: %q", kept.Words)
	}
	return &kept, err
}

// authoring is one task with all that works it.
type authoring struct {
	*app
	cfg    config.Config
	desk   *workspace.Workspace
	runner *runner.Runner
	runs   *loop.Runs
	filer  testrun.Filer
	box    *loop.Box
	task   loop.Task
	draft  *loop.KeptDraft // by an earlier run of it; nil: none
	walls  string          // how far tests are kept from the system
}

func newAuthoring(ctx context.Context, a *app, cfg config.Config, d *workspace.Workspace, dir, command string) (*authoring, error) {
	p := a.program()
	if err := wiring.Explorations(p, cfg, d, a.environ); err != nil {
		return nil, err
	}
	w := &authoring{app: a, cfg: cfg, desk: d, filer: p.TestFiler(cfg, d, dir, command)}
	var err error
	if w.runner, err = p.Runner(cfg, d, dir, inCI(a)); err != nil {
		return nil, err
	}
	if w.runs, w.walls, err = p.AuthorRuns(ctx, cfg, d, a.environ); err == nil {
		w.runs.Mutants = a.mutants
		_, err = d.Draft.TestRunner(ctx) // whose parser reads what the model writes
	}
	return w, missingTools(err)
}

// record is the run of a task, with what tests leave.
type record struct {
	workspace.Recorder
	filer testrun.Filer
}

// Check files an executed check.
func (r record) Check(c qa.Check) error {
	run, err := r.Open()
	if err == nil {
		_, err = run.AddCheck(c)
	}
	return err
}

// Attach stores a picture or a trace.
func (r record) Attach(round int, a testrun.Attachment) ([]string, error) {
	run, err := r.Open()
	if err != nil {
		return nil, err
	}
	return r.filer.Attach(run, a, fmt.Sprintf("round-%d-", round))
}

// run has the model work the task.
func (w *authoring) run(ctx context.Context, role string) (agent.Outcome, error) {
	job := runner.Job{Task: qa.TaskSpec{Goal: w.task.Words, Role: role, Budgets: &qa.Budgets{MaxTimeMS: w.cfg.Author.MaxTimeMS, MaxTokens: w.cfg.Author.MaxTokens}},
		Path: "the task", Address: w.desk.Target.BaseURL, Hosts: w.runs.Runner.Network.AllowedHosts}
	model, err := w.runner.Model(ctx, w.desk, job)
	if err != nil {
		return agent.Outcome{}, err
	}
	if err := author.SignTestsIn(ctx, w.desk, &w.runs.Runner, role); err != nil {
		return agent.Outcome{}, withHint(err)
	}
	if w.draft != nil {
		if err := w.draft.Take(func(c draft.Change) error { _, err := w.desk.Draft.Write(ctx, c); return err }); err != nil {
			return agent.Outcome{}, usage("--resume: %w", err)
		}
	}
	live := w.goLive()
	defer live.Close()
	w.runs.Progress = func(text string) { live.Set("author", pagetext.Text(text)) }
	job.Model = model
	job.Equip = func(desk *workspace.Workspace) { // a fork has none of them
		desk.Draft, desk.Explorations, desk.Generations = w.desk.Draft, w.desk.Explorations, w.desk.Generations
	}
	job.Own = func(o *agent.Options, desk *workspace.Workspace) {
		w.box = &loop.Box{Server: o.Tools, Task: w.task, Draft: w.desk.Draft, Tests: w.runs, Record: record{desk.Recorder(), w.filer}, Rounds: w.cfg.Author.MaxIterations}
		o.Tools, o.Allow, o.Stop, o.Remind = w.box, loop.Allowed(), w.box.Stop, false
		o.Instructions = loop.Orders(w.task, loop.Setting{
			BaseURL: w.desk.Target.BaseURL, TestDir: w.cfg.Author.TestDir, Prefix: w.cfg.Author.BranchPrefix, Rounds: w.cfg.Author.MaxIterations, Draft: w.draft,
		})
	}
	out, _, err := w.runner.RunJob(ctx, w.desk, job, func(e agent.Event) {
		if e.Name == agent.ToolCalled {
			live.Set("author", pagetext.Sprintf("%d %s", e.Step, e.Tool))
		}
	})
	live.Done("author", "")
	if err == nil && out.Report.RunID == "" {
		err = errors.New("the task was not begun: see the log (--verbose)")
		if ctx.Err() != nil {
			err = ctx.Err()
		}
	}
	return out, err
}

// close ends what the task left running, and removes the working copy.
func (w *authoring) close(ctx context.Context) error {
	wiring.CloseExplorations(context.WithoutCancel(ctx), w.desk)
	w.desk.Draft.Reader.Close()
	return errors.Join(w.runs.Close(), w.desk.Draft.Close())
}

// tell prints what came of the task, and fails unless a proved test is proposed.
func (w *authoring) tell(ctx context.Context, out agent.Outcome, asJSON bool) error {
	r, did := out.Report, w.box.Outcome()
	result := authored{Status: r.Status, Reason: r.StatusReason, RunID: r.RunID, Report: filepath.Join(w.runner.DataDir, "runs", r.RunID, "report.html"), Expectations: w.task.Expectations,
		Rounds: did.Rounds, Proved: did.Proved, Confined: w.walls, Findings: r.Findings, Costs: r.Costs}
	if did.Proposed != nil {
		result.Branch, result.Commit, result.Diff = did.Proposed.Branch, did.Proposed.Commit, did.Proposed.Diff
	}
	if did.Resumable {
		result.Resume = filepath.Dir(result.Report)
	}
	var err error
	if asJSON { // for programs: they are asked nothing
		err = json.NewEncoder(masked{w.app, w.stdout, "application/json"}).Encode(result)
	} else {
		w.print(result)
		err = w.publish(ctx, result.Branch)
	}
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return &exitError{code: exitInterrupted, err: errors.New("interrupted")}
	case r.Status != qa.Passed || did.Proposed == nil:
		return &exitError{code: exitFailed}
	}
	return nil
}

func (w *authoring) print(r authored) {
	out := masked{w.app, w.stdout, "text/plain"}
	for _, e := range r.Expectations {
		fmt.Fprintf(out, "%s  %s\n    understood as: %s\n", e.ID, e.Text, e.Means())
	}
	for _, round := range r.Rounds {
		came := "passed and proved"
		if round.Failed != "" {
			came = text.Line(round.Why())
		}
		fmt.Fprintf(out, "round %d: %s\n", round.Number, came)
	}
	fmt.Fprintf(out, "%s%s: %s\n", w.mark(r.Status), r.Status, r.Reason)
	for _, f := range r.Findings {
		if f.Severity != qa.Info {
			fmt.Fprintf(out, "finding: %s: %s\n", f.Severity, pagetext.Terminal(f.Headline()))
		}
	}
	if r.Branch != "" {
		fmt.Fprintf(out, "%s\nbranch: %s, commit %.12s\n", r.Diff, r.Branch, r.Commit)
	}
	if r.Resume != "" {
		fmt.Fprintf(out, "what was written is kept: give the same flow with --resume %s\n", r.Resume)
	}
	fmt.Fprintf(out, "tokens: %d in, %d out; tests ran %s\nreport: %s\n", r.Costs.TokensInput, r.Costs.TokensOutput, r.Confined, r.Report)
}

var pullRequestURL = pattern.New(`https://\S+`)

// publish pushes a proposed branch if the person who has seen its diff wants that, and
// says how else it is published.
func (w *authoring) publish(ctx context.Context, branch string) error {
	if branch == "" {
		return nil
	}
	out := masked{w.app, w.stdout, "text/plain"}
	if !w.asked(ctx, branch) {
		fmt.Fprintf(out, "to publish it: git push origin %s\n", branch)
		return nil
	}
	url, err := w.push(ctx, branch)
	if err == nil {
		fmt.Fprintf(out, "pushed %s\n", cmp.Or(url, branch))
	}
	return err
}

// asked asks the person whether a branch is pushed. No answer is no, and so is an
// interruption.
func (w *authoring) asked(ctx context.Context, branch string) bool {
	if w.cfg.Author.Push != "ask" || inCI(w.app) || !terminal.Is(w.stdin) || ctx.Err() != nil {
		return false
	}
	fmt.Fprintf(w.stderr, "push %s to origin? [y/N] ", branch)
	answer := make(chan string, 1)
	go func() { // a terminal can't be read for a time only
		line, err := bufio.NewReader(w.stdin).ReadString('\n')
		if err != nil {
			line = ""
		}
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case typed := <-answer:
		return typed == "y" || typed == "yes"
	case <-ctx.Done():
		return false
	}
}

// push pushes a branch with the person's own git, its configuration, hooks and
// credentials.
func (w *authoring) push(ctx context.Context, branch string) (url string, err error) {
	cmd := exec.CommandContext(ctx, "git", "-C", cmp.Or(w.cfg.Author.Root, "."), "push", "origin", "refs/heads/"+branch+":refs/heads/"+branch)
	cmd.Env = w.environ
	said, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("push %s: %w: %s; the branch is in the repository: push it yourself", branch, err, text.Line(string(said)))
	}
	return pullRequestURL.FindString(string(said)), nil
}
