package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/author/reset"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/terminal"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/suite/runner"
	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/workspace"
)

func generateCommand(a *app) *cobra.Command {
	var r generate.Request
	var f generateFlags
	var order string
	c := &cobra.Command{
		Use:   "generate PLAN|SITE...",
		Short: "Make Playwright tests of test plans and explored sites",
		Args: func(cmd *cobra.Command, args []string) error {
			if f.signIn {
				return nil
			}
			return cobra.MinimumNArgs(1)(cmd, args)
		},
		Long: `Make Playwright tests of test plans (test-plan.md) and explored sites
(site.json): a file a flow, which unchanged @playwright/test runs.

Each test is tried on the live site first. A locator is used only where it
leads to exactly one element. An assertion stays only where it was false just
before its step, true after it in a fresh context, and lies in a landmark of
the page. Then the test runner runs each test three times, once in another
order and once with late answers: what is red is taken out, and a test that is
red all the same is not written. All that is left out is listed with the reason.
With --draft no runner is needed: tests are written as *.draft.ts, which no
runner picks up, and begin with a line that says so.

With --check each test is proved as assay prove does it: assertions that notice
no fault are taken out, and a test that no fault turns red is listed in place of
being written. Only an environment whose data may be changed is fit for that.

Each test is written when all is known of it. After an interruption, or at the
end of --max-time, --resume goes on with the flows that are left.

With --sign-in, also by itself, tests of the sign-in of --role are made of its
login flow: the right password, a wrong one, none, and the end of the sign-in.
The wrong password is tried with a name that nobody has, and where
--wrong-password-account names an account that may be locked, with that one.

A file that a person wrote is never written over, and one that was generated
and edited since only with --force.

Exit codes: 0 all tests are written, or as generated; 1 a file was left as it
is, the site can't be reached or set back, no test was made, one could not be proved, flows
are left, or --compare found a difference; 2 a flag, a setting or a plan is
wrong, or the runner is not installed; 130 interrupted.`,
		RunE: func(cmd *cobra.Command, inputs []string) error {
			if r.Order = generate.Order(order); order != string(generate.Robust) && order != string(generate.Cohort) {
				return usage("--locators %q: use %s%s", order, strings.Join(generate.Orders(), " or "), text.Hint(order, generate.Orders()))
			}
			if err := runner.CheckBaseURL(f.baseURL); err != nil {
				return err
			}
			switch {
			case r.Draft && f.check:
				return usage("--draft and --check: a draft is not run, and so not proved: leave out one of them")
			case r.Resume && r.Compare:
				return usage("--resume and --compare: a comparison writes nothing that another one could go on with: leave out one of them")
			case r.Limit < 0:
				return usage("--max-time %s: use a time from 0 on", r.Limit)
			}
			r.Inputs, r.BaseURL = inputs, f.baseURL
			return generateTests(a, cmd, r, f)
		},
	}
	c.Flags().StringVar(&r.Dir, "out", "tests", "`FOLDER` of the tests")
	c.Flags().StringVar(&f.baseURL, "base-url", "", "the site is at this `URL` (default: the start URL of the plan)")
	c.Flags().StringVar(&r.Role, "role", "", "sign in as this role of the environment (default: the role of the plan)")
	c.Flags().BoolVar(&f.check, "check", false, "prove that each test fails when the page is at fault, and write only those that do")
	c.Flags().BoolVar(&r.Draft, "draft", false, "write drafts (*.draft.ts) that no runner has run; needs no runner")
	c.Flags().BoolVar(&r.Resume, "resume", false, "go on with what was interrupted in --out, or has spent its time")
	c.Flags().DurationVar(&r.Limit, "max-time", 0, "begin no flow after this time (0: no limit)")
	c.Flags().BoolVar(&r.Compare, "compare", false, "write nothing: compare the files with what would be generated")
	c.Flags().BoolVar(&r.Force, "force", false, "write over generated files that were edited since")
	c.Flags().BoolVar(&f.signIn, "sign-in", false, "make tests of the sign-in of --role, too")
	c.Flags().StringVar(&f.account, "wrong-password-account", "", "with --sign-in, try the wrong password with the account of this `NAME`, which the site may lock (default: a name that nobody has)")
	c.Flags().StringVar(&order, "locators", string(generate.Robust), "which locator is taken first: robust, or cohort (id, XPath, selector with address and text)")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print the result as JSON")
	windowless(c)
	return c
}

// generateFlags are the flags of assay generate that are no part of the request.
type generateFlags struct {
	asJSON, check, signIn bool
	baseURL, account      string
}

// generateTests makes the tests and says what came of it.
func generateTests(a *app, cmd *cobra.Command, r generate.Request, f generateFlags) error {
	for _, input := range r.Inputs { // what is wrong in a plan stops it before a browser starts
		if _, err := generate.Read(input); err != nil {
			return usage("%w", err)
		}
	}
	a.baseURL = r.BaseURL
	cfg, err := a.settings(cmd)
	if err != nil {
		return err
	}
	live := a.goLive()
	defer live.Close()
	d, err := a.desk(cfg)
	if err != nil {
		return err
	}
	defer d.Pool.Close(wiring.CloseLimit)
	if r.Role != "" {
		if err := d.KnowsRole(r.Role); err != nil {
			return usage("%w", withHint(err))
		}
	}
	var proving *author.Proving
	if !r.Draft {
		if proving, err = newProving(cmd.Context(), a, cfg, d, r.Dir); err != nil {
			return missingTools(err)
		}
		r.Play = proving.Play
	}
	if err := setSitesBack(cmd.Context(), a, cfg, d, r); err != nil {
		return err
	}
	if f.signIn {
		live.Set("generate", "looking at the sign-in")
		if r.SignIn, err = signInOf(cmd.Context(), d, r.Role, f.account); err != nil {
			return err
		}
	}
	if f.check {
		r.Prove = proving.Prove
	}
	r.Width, r.Height = cfg.Browser.Viewport.Width, cfg.Browser.Viewport.Height
	cookies, err := author.ParseCookies(cfg.Explore.Browser.Cookies)
	if err != nil {
		return usage("explore.browser.cookies: %w", err)
	}
	r.Cookies, r.Verify = author.TestCookies(cookies), author.Verifier(d, r.Order, r.Draft, cookies)
	r.Now, r.Progress = a.now, a.generating(live)
	if proving != nil {
		proving.Progress = func(text string) { live.Set("generate", pagetext.Text("proving: "+text)) }
	}
	result, err := generate.Run(cmd.Context(), r)
	live.Done("generate", "")
	var wrong *plan.ParseError
	var nothing *generate.ResumeError
	switch {
	case errors.As(err, &wrong), errors.As(err, &nothing):
		return usage("%w", err)
	case err != nil && len(result.Files) == 0:
		return withHint(err)
	}
	return errors.Join(withHint(err), tellGenerated(a, r, f, result, func() (*prove.Filed, error) {
		return fileProofs(a, cmd, cfg, d, proving, result, r.Inputs)
	}))
}

// setSitesBack sets the sites of all plans back, unless an earlier making of tests goes on.
func setSitesBack(ctx context.Context, a *app, cfg config.Config, d *workspace.Workspace, r generate.Request) error {
	if r.Resume {
		return nil
	}
	way, err := wiring.Reset(a.program(), cfg)
	if err != nil || !way.Set() {
		return err
	}
	var sites []string
	for _, input := range r.Inputs {
		p, err := generate.Read(input)
		if err != nil {
			return usage("%w", err)
		}
		sites = append(sites, cmp.Or(r.BaseURL, p.StartURL))
	}
	if len(sites) == 0 { // of the sign-in alone
		sites = []string{cmp.Or(r.BaseURL, d.Target.BaseURL, cfg.Explore.StartURL)}
	}
	for _, site := range sites {
		if err := way.Check(site); err != nil {
			return usage("%w", err)
		}
	}
	once := reset.Once{Way: way, Tell: tellReset(a, len(sites) > 1 && way.Address != "")}
	for _, site := range sites {
		if _, err := once.Site(ctx, site); err != nil {
			return err
		}
	}
	return nil
}

// generating shows how far it is: in a line that moves, or in a line for each flow.
func (a *app) generating(live *terminal.Live) func(generate.Progress) {
	return func(p generate.Progress) {
		line := pagetext.Sprintf("%s: %s", p.String(), cmp.Or(p.Doing, p.Ended))
		if live != nil {
			live.Set("generate", line)
		} else if p.Ended != "" {
			fmt.Fprintln(masked{a, a.stderr, "text/plain"}, pagetext.Terminal(line))
		}
	}
}

// tellGenerated prints what was made, and returns the error of what was not.
func tellGenerated(a *app, r generate.Request, f generateFlags, result generate.Result, file func() (*prove.Filed, error)) (err error) {
	answer := generated{Result: result}
	if f.check && !result.Interrupted {
		if answer.Proof, err = file(); err != nil {
			return err
		}
	}
	if f.asJSON {
		err = json.NewEncoder(masked{a, a.stdout, "application/json"}).Encode(answer)
	} else {
		printGenerated(a, r, answer)
	}
	switch why := notAll(r, result); {
	case err != nil:
		return err
	case result.Interrupted:
		return &exitError{code: exitInterrupted, err: errors.New("interrupted: " + leftOver(r, result))}
	case why != "":
		return &exitError{code: exitFailed, err: errors.New(why)}
	case result.Left > 0:
		return &exitError{code: exitFailed, err: errors.New("the time is over: " + leftOver(r, result))}
	}
	return nil
}

// leftOver says how many flows are left, and which command goes on with them.
func leftOver(r generate.Request, result generate.Result) string {
	done := fmt.Sprintf("%d of %s are done", result.Flows-result.Left, text.Count(result.Flows, "flow"))
	if r.Compare {
		return done
	}
	return done + ", and kept: the same command with --resume goes on"
}

// signInOf looks at the sign-in of a role, for tests of it.
func signInOf(ctx context.Context, d *workspace.Workspace, role, account string) (*generate.SignIn, error) {
	if role == "" {
		return nil, usage("--sign-in needs --role: the role of the environment whose login flow the tests are made from")
	}
	seen, err := author.LookAtSignIn(ctx, d, role, account)
	if err != nil {
		return nil, withHint(err)
	}
	return &seen, nil
}

// generated is the answer of assay generate.
type generated struct {
	generate.Result
	Proof *prove.Filed `json:"proof,omitempty"` // the run with the proofs
}

// newProving returns what proves the tests of a folder.
func newProving(ctx context.Context, a *app, cfg config.Config, d *workspace.Workspace, dir string) (*author.Proving, error) {
	if _, err := wiring.WritableDataDir(cfg); err != nil {
		return nil, err
	}
	runs, err := a.program().TestRunner(cfg, a.environ)
	if err != nil {
		return nil, err
	}
	return author.NewProving(ctx, d, runs, dir)
}

// fileProofs files the proofs as a run; nil where there are none.
func fileProofs(a *app, cmd *cobra.Command, cfg config.Config, d *workspace.Workspace, p *author.Proving, result generate.Result, inputs []string) (*prove.Filed, error) {
	dir, err := wiring.WritableDataDir(cfg)
	if err != nil {
		return nil, err
	}
	filed, err := p.File(result, a.program().TestFiler(cfg, d, dir, commandLine(cmd, inputs)))
	if err != nil || filed.RunID == "" {
		return nil, err
	}
	return &filed, nil
}

// notAll says why what was generated is not all that was asked for; empty where it is.
func notAll(r generate.Request, out generate.Result) string {
	different := 0
	for _, f := range out.Files {
		if f.State != generate.Unchanged {
			different++
		}
	}
	switch {
	case r.Compare && different > 0:
		return text.Count(different, "file") + " not as generated now: run assay generate without --compare"
	case len(out.Unverified) > 0 && !r.Draft:
		return "not verified, and so not written: " + strings.Join(out.Unverified, "; ") + ": start the site, or give its address with --base-url; --draft writes drafts without it"
	case out.Left > 0:
		return ""
	case out.Tests == 0 && len(out.CannotFail)+len(out.Unproved) > 0:
		return "no test was made: none was shown to be able to fail"
	case out.Tests == 0:
		return "no test was made: nothing that the plan expects could be asserted, or was green"
	case len(out.Kept) > 0:
		return "left as they are: " + strings.Join(out.Kept, ", ") + ": a person wrote or edited them; move them away, or use --force for generated ones that were edited"
	case len(out.Unproved) > 0:
		return "not proved, and so not written: " + strings.Join(out.Unproved, "; ")
	case len(out.Unverified) > 0:
		return "not verified: " + strings.Join(out.Unverified, "; ")
	}
	return ""
}

// printGenerated prints each file, and what was left out.
func printGenerated(a *app, r generate.Request, out generated) {
	w := masked{a, a.stdout, "text/plain"}
	for _, f := range out.Files {
		name := r.Dir + string(os.PathSeparator) + f.Name
		if f.State == generate.Stale {
			fmt.Fprintf(w, "%-9s  %s  it is not made any more: delete it\n", f.State, name)
			continue
		}
		fmt.Fprintf(w, "%-9s  %s  %s, %s\n", f.State, name, text.Count(f.Steps, "step"), text.Count(f.Asserts, "assertion"))
		if f.Proof != nil {
			fmt.Fprintf(w, "           %s\n", f.Proof)
		}
	}
	for _, line := range out.NotCovered {
		fmt.Fprintf(w, "not covered: %s\n", line)
	}
	for _, line := range out.CannotFail {
		fmt.Fprintf(w, "not written, as it can't fail: %s\n", line)
	}
	for _, line := range out.Unproved {
		fmt.Fprintf(w, "not written, as it is not proved: %s\n", line)
	}
	groups := slices.DeleteFunc(generate.Alike(out.Dropped), func(g generate.Group) bool { return g.All[0].What == "test" }) // not covered
	if len(groups) > 0 {
		fmt.Fprintln(w, "left out:")
	}
	for _, group := range groups {
		fmt.Fprintf(w, "  %s\n", group)
	}
	fmt.Fprintf(w, "%s with %s in %s\n", text.Count(out.Tests, "test"), text.Count(out.Asserts, "assertion"), r.Dir)
	if out.Proof != nil {
		fmt.Fprintf(w, "proofs: %s\n", filepath.Join(out.Proof.Dir, "report.html"))
	}
	if out.Tests > 0 && !r.Compare && !r.Draft {
		fmt.Fprintf(w, "next: assay test %s%s\n", r.Dir, roleFlag(r.Role))
	}
}
