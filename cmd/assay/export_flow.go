package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/rules"
)

// The endings of what calls and acts are written to.
const (
	flowEnding = ".flow.json"
	testEnding = ".spec.ts"
)

// flowExport is what a run's calls are written as.
type flowExport struct {
	asFlow, asTest, check bool
	out                   string
	asJSON                bool
}

func (f flowExport) wanted() bool { return f.asFlow || f.asTest || f.check }

// exportFlow writes the calls of a run as a flow, or as a Playwright test.
func exportFlow(a *app, cmd *cobra.Command, store *evidence.Store, dir string, run evidence.RunSummary, f flowExport) error {
	switch {
	case f.asFlow && f.asTest:
		return usage("--flow and --playwright each write a file: give one of them")
	case f.check && !f.asTest:
		return usage("--check runs the test that --playwright writes: give both")
	}
	if _, err := verifiedRun(a, cmd, dir, run.ID); err != nil {
		return err
	}
	report, err := store.Report(run.ID)
	if err != nil {
		return err
	}
	steps, err := flowOfRun(store, report)
	if err != nil {
		return err
	}
	ending := flowEnding
	var data []byte
	if f.asTest {
		ending = testEnding
		data, err = testOf(steps, report)
	} else {
		data, err = steps.JSON()
	}
	if err != nil {
		return err
	}
	out := cmp.Or(f.out, cmp.Or(text.FileStem(report.Task.Goal), run.ID)+ending)
	if f.out != "" && !strings.HasSuffix(out, ending) {
		return usage("--out %s: what is written here ends in %s", out, ending)
	}
	if f.check && report.Environment.Name != "" {
		cfg, err := a.settings(cmd)
		if err != nil {
			return err
		}
		if now, _, err := a.program().Environment(cfg); err != nil || now != report.Environment.Name {
			return errors.Join(err, usage("--check runs the test where the run was made: give --env %s", report.Environment.Name))
		}
	}
	if err := writeNew(out, data); err != nil {
		return err
	}
	if err := f.tell(a, out, report, steps); err != nil || !f.check {
		return err
	}
	return runTests(a, cmd, testFlags{role: steps.Role, asJSON: f.asJSON, baseURL: report.Environment.BaseURL, request: testrun.Request{Patterns: []string{out}, Writes: true}})
}

// flowOfRun returns the flow that makes the calls of a run again, with addresses relative to the
// environment that it ran in.
func flowOfRun(store *evidence.Store, report qa.QAReport) (flow.Flow, error) {
	data, _, err := store.Artifact(report.RunID, qa.RepeatFlow)
	if err != nil && !slices.ContainsFunc(report.Artifacts, func(r qa.Artifact) bool { return r.Name == qa.RepeatFlow }) {
		if line := report.Task.Metadata[qa.CommandKey]; line != "" {
			return flow.Flow{}, fmt.Errorf("run %s did what a file says, which is kept already; it is run again by: %s", report.RunID, line)
		}
		return flow.Flow{}, fmt.Errorf("run %s has no flow: what a client calls from a run's start to its end is one, "+
			"if it opens an address and checks something; the answer that ended the run says why",
			report.RunID)
	}
	if err != nil {
		return flow.Flow{}, err
	}
	f, problems := flow.Load(qa.RepeatFlow, func(string) ([]byte, error) { return data, nil }, rules.Flows())
	if len(problems) > 0 {
		return f, problems
	}
	return f.Relative(report.Environment.BaseURL), nil
}

// testOf returns the flow as a Playwright test, in the viewport of its run.
func testOf(f flow.Flow, report qa.QAReport) ([]byte, error) {
	o := testfile.Options{Source: "the calls of run " + report.RunID, Draft: true}
	if _, err := fmt.Sscanf(report.Environment.Viewport, "%d×%d", &o.Width, &o.Height); err != nil {
		o.Width, o.Height = 0, 0 // Playwright's own
	}
	said, err := testfile.Of(f, o)
	return []byte(said), err
}

// mayWrite refuses a path at which something exists.
func mayWrite(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return usage("%s exists already, and nothing is overwritten: remove it, or name another file with --out", path)
	}
	return nil
}

// writeNew writes a file, whole or not at all, and over none.
func writeNew(path string, data []byte) (err error) {
	if err := mayWrite(path); err != nil {
		return err
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return usage("write %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return disk.Write(root, filepath.Base(path), data)
}

// tell says what was written, what it lacks, and what runs it.
func (f flowExport) tell(a *app, path string, report qa.QAReport, steps flow.Flow) error {
	shown := filepath.ToSlash(path)
	if report.Environment.Name != "" {
		shown = "--env " + report.Environment.Name + " " + shown
	}
	next := []string{"assay run " + shown, "assay accept " + filepath.ToSlash(path) + " --name YOURS, to let it do what the guard stops"}
	if f.asTest {
		next = []string{"assay test " + shown}
	}
	if f.asJSON {
		if f.check {
			return nil // what the runner says is the document
		}
		return json.NewEncoder(masked{a, a.stdout, "application/json"}).Encode(map[string]any{"path": path, "run_id": report.RunID,
			"steps": len(steps.Steps), "gaps": append([]string{}, steps.Gaps()...), "next": next})
	}
	out := masked{a, a.stdout, "text/plain"}
	fmt.Fprintln(out, path)
	tellSteps(out, steps)
	for _, line := range next {
		fmt.Fprintf(out, "  next: %s\n", line)
	}
	return nil
}

// tellSteps says what a flow consists of that was recorded, and what it lacks.
func tellSteps(out io.Writer, f flow.Flow) {
	fmt.Fprintf(out, "  %s, recorded, not run\n", text.Count(len(f.Steps), "step"))
	for _, gap := range f.Gaps() {
		fmt.Fprintf(out, "  gap: %s\n", text.Line(gap))
	}
	if len(f.Gaps()) > 0 {
		fmt.Fprintln(out, "  it does not pass before each gap is filled in or deleted")
	}
}
