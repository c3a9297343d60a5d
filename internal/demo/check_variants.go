package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
)

// Result holds what the sanity task found on one variant of the demo.
type Result struct {
	Variant Variant
	Report  qa.QAReport
	Path    string // of report.html
	Took    time.Duration
	Wrong   []string // what was not found, or found where nothing is wrong
	Err     error
}

// CheckVariants runs the sanity task by "assay serve --agent" on variants of the
// demo, each with a process and a dashboard of its own, and compares what it finds
// with what is seeded there: every fault, and nothing but that. It calls each with
// the results in the order of the variants.
func (c Checker) CheckVariants(ctx context.Context, variants []Variant, parallel int, each func(Result)) error {
	places := wait.NewPlaces(parallel)
	results := make([]chan Result, len(variants))
	for i, v := range variants {
		results[i] = make(chan Result, 1)
		go func() {
			if err := places.Take(ctx); err != nil {
				results[i] <- Result{Variant: v, Err: err}
				return
			}
			defer places.Give()
			results[i] <- c.checkVariant(ctx, v)
		}()
	}
	for i := range variants {
		r := <-results[i]
		if r.Err != nil {
			return fmt.Errorf("demo variant %s: %w", r.Variant.Name, r.Err)
		}
		each(r)
	}
	return nil
}

// checkVariant runs the sanity task on one variant.
func (c Checker) checkVariant(ctx context.Context, v Variant) (r Result) {
	r.Variant = v
	site, err := Start(ctx, Options{Variant: v.Name})
	if err != nil {
		r.Err = err
		return r
	}
	defer func() { r.Err = errors.Join(r.Err, site.Close()) }()
	files, err := os.MkdirTemp("", "assay-demo-")
	if err != nil {
		r.Err = err
		return r
	}
	defer func() { r.Err = errors.Join(r.Err, os.RemoveAll(files)) }()
	for name, data := range Tasks(site.URL()) {
		if r.Err = os.WriteFile(filepath.Join(files, name), data, 0o600); r.Err != nil {
			return r
		}
	}
	started := c.Now()
	result, err := c.serveAgent(ctx, "--config", filepath.Join(files, "mcp.toml"), "--data-dir", c.DataDir, "--json", filepath.Join(files, "sanity.task.toml"))
	r.Took = c.Now().Sub(started)
	if err != nil {
		r.Err = err
		return r
	}
	if len(result.TestCases) != 1 || result.TestCases[0].Report == "" {
		r.Err = fmt.Errorf("the task left no report: %d cases", len(result.TestCases))
		return r
	}
	r.Path = result.TestCases[0].Report
	doc, err := os.ReadFile(filepath.Join(filepath.Dir(r.Path), "report.json"))
	if err == nil {
		err = json.Unmarshal(doc, &r.Report)
	}
	r.Err, r.Wrong = err, mismatches(v.Expect, r.Report)
	return r
}

// serveAgent runs this program as "assay serve --agent" and reads its answer.
func (c Checker) serveAgent(ctx context.Context, args ...string) (result qa.TestResult, err error) {
	var answer, said bytes.Buffer
	p := exec.CommandContext(ctx, c.Program, append([]string{"serve", "--agent"}, args...)...)
	p.Env, p.Stdout, p.Stderr = c.Environ, &answer, &said
	p.Cancel = func() error { return p.Process.Signal(os.Interrupt) } // it ends its browser itself
	p.WaitDelay = 10 * time.Second
	runErr := p.Run()
	if c.Stderr != nil {
		_, _ = c.Stderr.Write(said.Bytes())
	}
	var exit *exec.ExitError
	if runErr != nil && (!errors.As(runErr, &exit) || exit.ExitCode() != 1) {
		return result, fmt.Errorf("serve --agent: %w\n%s", runErr, strings.TrimSpace(said.String()))
	}
	if err := json.Unmarshal(answer.Bytes(), &result); err != nil {
		return result, fmt.Errorf("the answer of serve --agent: %w", err)
	}
	return result, nil
}

// mismatches returns what a report has other than expected: faults it does not name,
// and faults it tells of what is right.
func mismatches(want Expect, got qa.QAReport) []string {
	var wrong []string
	if string(got.Status) != want.Status {
		wrong = append(wrong, fmt.Sprintf("the verdict is %s, and must be %s: see its reason in the report", got.Status, want.Status))
	}
	for _, row := range got.KPITable {
		here := len(want.Ranges) == 0 || slices.Contains(want.Ranges, row.Range)
		seeded := here && (want.Unread || slices.Contains(want.KPIs, row.Label))
		switch {
		case seeded && want.Cause != "" && (row.Status == qa.KPIOk || string(row.Cause) != want.Cause):
			wrong = append(wrong, fmt.Sprintf("%s (%s) is %s %s, and must be %s", row.Label, row.Range, row.Status, row.Cause, want.Cause))
		case seeded && want.Unread && row.Status == qa.KPIOk:
			wrong = append(wrong, fmt.Sprintf("%s (%s) is ok, and its data never came", row.Label, row.Range))
		case !seeded && row.Status != qa.KPIOk:
			wrong = append(wrong, fmt.Sprintf("%s (%s) is %s %s, and is right", row.Label, row.Range, row.Status, row.Cause))
		}
	}
	if want.Check != "" && !slices.ContainsFunc(got.Checks, func(c qa.Check) bool { return c.Kind == want.Check && !c.Passed }) {
		wrong = append(wrong, "no check "+want.Check+" has failed")
	}
	found := slices.ContainsFunc(got.Findings, func(f qa.Finding) bool {
		named := len(want.KPIs) == 0 || slices.ContainsFunc(want.KPIs, func(kpi string) bool { return f.Assertion.Contains(pagetext.Text(kpi)) })
		return f.Severity.Fails() && string(f.Category) == want.Category && named
	})
	if want.Category != "" && !found {
		wrong = append(wrong, fmt.Sprintf("no finding of category %s names %s", want.Category, strings.Join(want.KPIs, ", ")))
	}
	return wrong
}
