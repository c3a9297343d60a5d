package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/pagetext"
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
before its step, true after it in three fresh contexts, and lies in a landmark
of the page; all others are listed with the reason. Where the site can't be
reached the tests are written all the same, and say that they are not verified.

With --check each test is proved as assay prove does it: assertions that notice
no fault are taken out, and a test that no fault turns red is listed in place of
being written. Only an environment whose data may be changed is fit for that.

With --sign-in, also by itself, tests of the sign-in of --role are made of its
login flow: the right password, a wrong one, none, and the end of the sign-in.
The wrong password is tried with a name that nobody has, and where
--wrong-password-account names an account that may be locked, with that one.

A file that a person wrote is never written over, and one that was generated
and edited since only with --force.

Exit codes: 0 all tests are written, or as generated; 1 a file was left as it
is, nothing was verified, no test was made, one could not be proved, or
--compare found a difference; 2 a flag, a setting or a plan is wrong, or the
runner is not installed; 130 interrupted.`,
		RunE: func(cmd *cobra.Command, inputs []string) error {
			if r.Order = generate.Order(order); order != string(generate.Robust) && order != string(generate.Cohort) {
				return usage("--locators %q: use %s%s", order, strings.Join(generate.Orders(), " or "), text.Hint(order, generate.Orders()))
			}
			if err := runner.CheckBaseURL(f.baseURL); err != nil {
				return err
			}
			r.Inputs, r.BaseURL = inputs, f.baseURL
			return generateTests(a, cmd, r, f)
		},
	}
	c.Flags().StringVar(&r.Dir, "out", "tests", "`FOLDER` of the tests")
	c.Flags().StringVar(&f.baseURL, "base-url", "", "the site is at this `URL` (default: the start URL of the plan)")
	c.Flags().StringVar(&r.Role, "role", "", "sign in as this role of the environment (default: the role of the plan)")
	c.Flags().BoolVar(&f.check, "check", false, "prove that each test fails when the page is at fault, and write only those that do")
	c.Flags().BoolVar(&r.Compare, "compare", false, "write nothing: compare the files with what would be generated")
	c.Flags().BoolVar(&r.Force, "force", false, "write over generated files that were edited since")
	c.Flags().BoolVar(&f.signIn, "sign-in", false, "make tests of the sign-in of --role, too")
	c.Flags().StringVar(&f.account, "wrong-password-account", "", "with --sign-in, try the wrong password with the account of this `NAME`, which the site may lock (default: a name that nobody has)")
	c.Flags().StringVar(&order, "locators", string(generate.Robust), "which locator is taken first: robust, or cohort (id, XPath, selector with address and text)")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print the result as JSON")
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
		if _, _, err := generate.Read(input); err != nil {
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
	if f.signIn {
		live.Set("generate", "looking at the sign-in")
		if r.SignIn, err = signInOf(cmd.Context(), d, r.Role, f.account); err != nil {
			return err
		}
	}
	var proving *author.Proving
	if f.check {
		if proving, err = newProving(cmd.Context(), a, cfg, d, r.Dir); err != nil {
			return missingTools(err)
		}
		r.Prove = proving.Prove
	}
	r.Width, r.Height = cfg.Browser.Viewport.Width, cfg.Browser.Viewport.Height
	cookies, err := author.ParseCookies(cfg.Explore.Browser.Cookies)
	if err != nil {
		return usage("explore.browser.cookies: %w", err)
	}
	r.Cookies, r.Verify = author.TestCookies(cookies), author.Verifier(d, r.Order, cookies)
	r.Progress = func(done, all int, name string) {
		live.Set("generate", pagetext.Sprintf("trying test %d of %d: %s", done+1, all, text.Shorten(name, 60)))
	}
	if proving != nil {
		proving.Progress = func(text string) { live.Set("generate", pagetext.Text("proving: "+text)) }
	}
	result, err := generate.Run(cmd.Context(), r)
	live.Done("generate", "")
	var wrong *plan.ParseError
	switch {
	case errors.As(err, &wrong):
		return usage("%w", err)
	case err != nil:
		return withHint(err)
	}
	answer := generated{Result: result}
	if proving != nil {
		if answer.Proof, err = fileProofs(a, cmd, cfg, d, proving, result, r.Inputs); err != nil {
			return err
		}
	}
	if f.asJSON {
		err = json.NewEncoder(masked{a, a.stdout, "application/json"}).Encode(answer)
	} else {
		printGenerated(a, r, answer)
	}
	if err != nil {
		return err
	}
	if why := notAll(r, result); why != "" {
		return &exitError{code: exitFailed, err: errors.New(why)}
	}
	return nil
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
	case out.Tests == 0 && len(out.CannotFail)+len(out.Unproved) > 0:
		return "no test was made: none was shown to be able to fail"
	case out.Tests == 0:
		return "no test was made: nothing that the plan expects could be asserted"
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
	for _, line := range out.CannotFail {
		fmt.Fprintf(w, "not written, as it can't fail: %s\n", line)
	}
	for _, line := range out.Unproved {
		fmt.Fprintf(w, "not written, as it is not proved: %s\n", line)
	}
	if len(out.Dropped) > 0 {
		fmt.Fprintln(w, "left out:")
	}
	for _, group := range generate.Alike(out.Dropped) {
		fmt.Fprintf(w, "  %s\n", group)
	}
	fmt.Fprintf(w, "%s with %s in %s\n", text.Count(out.Tests, "test"), text.Count(out.Asserts, "assertion"), r.Dir)
	if out.Proof != nil {
		fmt.Fprintf(w, "proofs: %s\n", filepath.Join(out.Proof.Dir, "report.html"))
	}
	if out.Tests > 0 && !r.Compare {
		fmt.Fprintf(w, "next: assay test %s%s\n", r.Dir, roleFlag(r.Role))
	}
}
