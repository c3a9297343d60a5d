package author

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/tools/workspace"
)

// Proving finds out which of the tests that were generated can fail, before they are
// handed over.
type Proving struct {
	Workspace *workspace.Workspace
	Runner    testrun.Runner
	Dir       string // of the tests: the runner is that of the project above it
	Seed      int64
	Progress  func(string) // may be nil

	roles  map[string]testrun.Runner // signed in
	proved map[string]prove.Test     // by the text of the file
	report prove.Report              // without its tests
}

// proofSeed chooses the mutants: the same ones each time.
const proofSeed = 1

// NewProving returns what proves the tests of a folder. Where no runner is installed it
// says which command installs one, and where the project's is not trusted, who trusts it.
func NewProving(ctx context.Context, ws *workspace.Workspace, runner testrun.Runner, dir string) (*Proving, error) {
	found, err := testrun.Find(runner.Folder, []string{dir}, runner.Tools(ctx))
	if runner.Plain = true; err == nil {
		err = runner.CheckTrust(found)
	}
	return &Proving{Workspace: ws, Runner: runner, Dir: dir, Seed: proofSeed}, err
}

// File files the proofs as a run; nothing where no test was proved.
func (p *Proving) File(out generate.Result, filer testrun.Filer) (prove.Filed, error) {
	report := p.Report(out)
	if len(report.Tests) == 0 {
		return prove.Filed{}, nil
	}
	return report.File(filer, p.Dir)
}

// Prove runs files under faults; it is [generate.Request].Prove.
func (p *Proving) Prove(ctx context.Context, base, role string, files []generate.File) (found map[string]generate.Proof, err error) {
	setup, err := p.open(ctx, base, role, files, false)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, setup.Close()) }()
	texts := map[string]string{}
	for _, f := range files {
		texts[f.Name] = f.Text
	}
	report, err := prove.Prover{Setup: setup, Seed: p.Seed, Progress: p.Progress}.Prove(ctx)
	if err != nil {
		return nil, err
	}
	if report.Interrupted {
		return nil, errors.Join(ctx.Err(), errors.New("interrupted: nothing is proved"))
	}
	p.report.SchemaVersion, p.report.Seed, p.report.Runner = report.SchemaVersion, report.Seed, report.Runner
	found = map[string]generate.Proof{}
	for _, t := range report.Tests {
		name := filepath.Base(t.File)
		p.proved[texts[name]] = t
		found[name] = proofOf(t)
	}
	p.report.Errors = append(p.report.Errors, report.Errors...)
	return found, nil
}

// open opens what runs files of a role in a folder of their own.
func (p *Proving) open(ctx context.Context, base, role string, files []generate.File, soft bool) (*testrun.Setup, error) {
	runner, err := p.signedIn(ctx, role)
	if err != nil {
		return nil, err
	}
	runner.BaseURL = base
	setup, err := runner.OpenApart(ctx, []string{p.Dir}, SecretVariables(ctx, p.Workspace))
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		text := f.Text
		if soft {
			text = f.Soft()
		}
		if err := os.WriteFile(filepath.Join(setup.Project.TestDir, f.Name), []byte(text), 0o600); err != nil {
			return nil, errors.Join(err, setup.Close())
		}
	}
	return setup, nil
}

// signedIn returns what runs tests of a role.
func (p *Proving) signedIn(ctx context.Context, role string) (testrun.Runner, error) {
	if p.roles == nil {
		p.roles, p.proved = map[string]testrun.Runner{}, map[string]prove.Test{}
	}
	runner, known := p.roles[role]
	if !known {
		runner = p.Runner
		if err := SignTestsIn(ctx, p.Workspace, &runner, role); err != nil {
			return runner, err
		}
		p.roles[role] = runner
	}
	return runner, nil
}

// proofOf returns what is known of a test that was proved.
func proofOf(t prove.Test) generate.Proof {
	sum := prove.Sum(t.Classes)
	out := generate.Proof{CanFail: t.Verdict == prove.CanFail, Known: t.Verdict != prove.Unproved, Reason: t.Reason,
		Killed: sum.Strong, Weakly: sum.Weak, Survived: sum.Survived, Invalid: sum.Invalid, Brittle: t.Brittle}
	for _, a := range t.Assertions {
		if a.File == t.File {
			out.Asserts = append(out.Asserts, generate.Proved{Line: a.Line, Useless: a.Useless()})
		}
	}
	return out
}

// Report returns the proofs of what was generated: of the files as they are handed over,
// and of those that are not.
func (p *Proving) Report(out generate.Result) prove.Report {
	r := p.report
	for _, f := range slices.Concat(out.Files, out.NotWritten) {
		if t, ok := p.proved[f.Text]; ok {
			r.Tests = append(r.Tests, t.Moved(filepath.Join(p.Dir, f.Name)))
		}
	}
	r.Total()
	return r
}
