package loop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/browser/driver"
)

// Runs runs and proves written tests in their working copy: behind the gate, with the
// project's own configuration and runner where it has them, and within limits.
type Runs struct {
	Draft    *draft.Draft
	Runner   testrun.Runner // its folder and its limits are filled in
	Bwrap    string         // see [testrun.ConfineLimits]
	Hide     []string       // folders that tests don't see where bwrap is
	TestDir  string
	FormatBy []string // the project's own command that formats files; empty: none
	CheckBy  []string // the project's own command that runs tests; empty: none
	Seed     int64
	Mutants  int          // faults that prove a test, at most; 0: see [prove.Prover]
	Progress func(string) // may be nil

	setup *testrun.Setup
}

var _ Tests = (*Runs)(nil)

// runLimit bounds one run of the tests, and of the project's own commands.
const runLimit = 5 * time.Minute

// Close removes what the last run left.
func (r *Runs) Close() error {
	if r.setup == nil {
		return nil
	}
	err := r.setup.Close()
	r.setup = nil
	return err
}

// limits are those of all that runs in the working copy. The copy may be written, but
// not what git reads of it.
func (r *Runs) limits() (testrun.ConfineLimits, error) {
	c := r.Draft.Copy()
	if c == nil {
		return testrun.ConfineLimits{}, errors.New("no file was written yet")
	}
	linked, err := c.LinkPackages()
	return testrun.ConfineLimits{Write: []string{c.Root()}, Keep: []string{filepath.Join(c.Root(), ".git")}, Read: append(linked, c.Around()), Hide: r.Hide, Bwrap: r.Bwrap}, err
}

// open opens a new setup, in place of the last.
func (r *Runs) open(ctx context.Context) error {
	if err := r.Close(); err != nil {
		return err
	}
	l, err := r.limits()
	if err != nil {
		return err
	}
	rn, c := r.Runner, r.Draft.Copy()
	rn.Folder, rn.Top, rn.Confine = c.Dir, c.Root(), &l
	if r.setup, err = rn.Open(ctx, []string{filepath.Join(c.Dir, filepath.FromSlash(r.TestDir))}); err != nil {
		return err
	}
	if !r.setup.Project.Own {
		return c.OfferPackages(r.setup.Project.Modules)
	}
	return nil
}

// Run runs the tests once.
func (r *Runs) Run(ctx context.Context, files []string) (testrun.Result, error) {
	if err := r.open(ctx); err != nil {
		return testrun.Result{}, err
	}
	limited, cancel := context.WithTimeout(ctx, runLimit)
	defer cancel()
	result, err := r.setup.Run(limited, testrun.Request{Patterns: files, Workers: 1})
	if err == nil && ctx.Err() == nil && limited.Err() != nil {
		err = fmt.Errorf("the tests ran for more than %s", runLimit)
	}
	return result, err
}

// Prove proves the tests of the last run.
func (r *Runs) Prove(ctx context.Context, files []string) (prove.Report, error) {
	return prove.Prover{Setup: r.setup, Patterns: files, Seed: r.Seed, Mutants: r.Mutants, Workers: 1, Progress: r.Progress}.Prove(ctx)
}

// Format runs the project's own formatter.
func (r *Runs) Format(ctx context.Context, files []string) (string, error) {
	return r.command(ctx, r.FormatBy, files)
}

// Check runs the project's own tests.
func (r *Runs) Check(ctx context.Context, files []string) (string, error) {
	return r.command(ctx, r.CheckBy, files)
}

// maxSaid bounds what is kept of what a command prints, in bytes.
const maxSaid = 4000

// command runs a program on files, in the working copy and within limits.
func (r *Runs) command(ctx context.Context, program, files []string) (said string, err error) {
	if len(program) == 0 {
		return "", nil
	}
	l, err := r.limits()
	if err != nil {
		return "", err
	}
	if l.Temp, err = os.MkdirTemp(r.Runner.Temp, "assay-command-"); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(l.Temp)) }()
	l.Home = filepath.Join(l.Temp, "home")
	ctx, cancel := context.WithTimeout(ctx, runLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program[0], append(append([]string{}, program[1:]...), files...)...)
	if cmd.Err != nil {
		return "", fmt.Errorf("[author] command %q: %w", program[0], cmd.Err)
	}
	cmd.Dir, cmd.Env = r.Draft.Folder(), l.Environ(r.Runner.Environ)
	if r.Runner.BaseURL != "" {
		cmd.Env = append(cmd.Env, "BASE_URL="+r.Runner.BaseURL)
	}
	if err := l.Apply(cmd); err != nil {
		return "", err
	}
	driver.KillTogether(cmd)
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.CombinedOutput()
	if cmd.Process != nil {
		_ = cmd.Cancel() // what is left of the group; mostly nothing
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if len(out) > maxSaid {
			out = out[len(out)-maxSaid:]
		}
		return strings.ToValidUTF8(fmt.Sprintf("%s: %v\n%s", strings.Join(program, " "), exit, out), ""), nil
	}
	return "", err
}
