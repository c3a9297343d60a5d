package evidence

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/assay-qa/assay/bench/measure"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/qa"
)

// flow runs a flow twice, one after the other, and then files the second run,
// whose browser was there already, once more without one: the same events, checks and files, the report and the signatures.
// That is all of what evidence costs, also what there was to pay before runs
// were signed.
func (b bench) flow(ctx context.Context) (err error) {
	site, err := demo.Start(ctx, demo.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.Close()) }()
	folder, data := filepath.Join(b.dir, "flow"), filepath.Join(b.dir, "flowdata")
	text := fmt.Sprintf(`start_url = "/"
success_condition = 'heading "Dashboard"'
[[steps]]
action = "fill"
selector = 'textbox "Email"'
value = %q
[[steps]]
action = "fill"
selector = 'textbox "Password"'
value = %q
[[steps]]
action = "click"
selector = 'button "Sign in"'
[[steps]]
action = "screenshot"
[[steps]]
action = "select"
selector = 'combobox "Range"'
option = "Today"
[[steps]]
action = "screenshot"
`, demo.Email, demo.Password)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for _, name := range []string{"1-warm-up.flow.toml", "2-sign-in.flow.toml"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	var flows, filings, shares []float64
	var last string
	for i := range b.rounds + 1 {
		ms, id, err := b.runFlow(ctx, folder, data, site.URL())
		if err != nil {
			return err
		}
		filed, err := b.fileAgain(filepath.Join(data, "runs", id))
		if err != nil {
			return err
		}
		if last = id; i > 0 {
			flows, filings, shares = append(flows, ms), append(filings, filed), append(shares, 100*filed/ms)
		}
	}
	b.row("", "%.0f ms", measure.Median(flows), "a flow that signs in, with two pictures and a trace, in a browser that runs")
	b.row("", "%.1f ms", measure.Median(filings), "filing the same run again, all of it")
	b.row("≤ 5 %", "%.1f %%", measure.Median(shares), "its share of the flow")
	whole, err := size(filepath.Join(data, "runs", last))
	if err == nil {
		b.row("", "%.0f KB", float64(whole)/1e3, "the folder of that run")
	}
	return err
}

// runFlow returns how long the second flow took, in milliseconds, and its run.
func (b bench) runFlow(ctx context.Context, folder, data, url string) (float64, string, error) {
	cmd := exec.CommandContext(ctx, b.assay, "run", "--json", "--base-url", url, "--data-dir", data, "--agent-concurrency", "1", folder)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	var result qa.TestResult
	if jsonErr := json.Unmarshal(out, &result); err != nil || jsonErr != nil || len(result.TestCases) != 2 {
		return 0, "", fmt.Errorf("the flow did not pass: %w, %w: %s %s", err, jsonErr, out, said.String())
	}
	return float64(result.TestCases[1].DurationMS), result.TestCases[1].RunID, nil
}

// fileAgain files what a run's event log holds, and returns how many milliseconds
// that took.
func (b bench) fileAgain(dir string) (float64, error) {
	log, err := os.ReadFile(filepath.Join(dir, "events.jsonl"))
	if err != nil {
		return 0, err
	}
	var jobs []func(*evidence.Run) error
	var task qa.TaskSpec
	for line := range bytes.Lines(log) {
		var e evidence.Event
		if err := json.Unmarshal(line, &e); err != nil {
			return 0, err
		}
		if e.Name == evidence.RunStarted {
			task = *e.Task
		}
		more, err := again(dir, e)
		if err != nil {
			return 0, err
		}
		jobs = append(jobs, more...)
	}
	store, err := evidence.Open(filepath.Join(b.dir, "again"), time.Now)
	if err != nil {
		return 0, err
	}
	started := time.Now()
	run, err := store.Start(task)
	if err != nil {
		return 0, err
	}
	for _, job := range jobs {
		if err := job(run); err != nil {
			return 0, err
		}
	}
	got, err := run.Finish("", qa.Environment{}, report.Views)
	took := measure.MS(time.Since(started))
	if err == nil && got.Status != qa.Passed {
		err = fmt.Errorf("filed again the run is %s: %s", got.Status, got.StatusReason)
	}
	return took, err
}

// again returns what files one line of an event log. What has to be read is read before the time is
// taken.
func again(dir string, e evidence.Event) (jobs []func(*evidence.Run) error, err error) {
	switch e.Name {
	case evidence.ToolCalled, evidence.FlowStepped:
		jobs = append(jobs, func(r *evidence.Run) error { return r.Event(e) })
	case evidence.CheckExecuted:
		check := *e.Check
		check.ID, check.Evidence = "", nil
		jobs = append(jobs, func(r *evidence.Run) error {
			_, err := r.AddCheck(check)
			return err
		})
	case evidence.ArtifactStored:
		for _, a := range e.Artifacts {
			data, readErr := os.ReadFile(filepath.Join(dir, filepath.FromSlash(a.Name)))
			err = errors.Join(err, readErr)
			jobs = append(jobs, func(r *evidence.Run) error {
				if a.Width > 0 {
					_, err := r.SaveScreenshot("page", data, a.Width, a.Height, e.Step)
					return err
				}
				_, err := r.SaveFile(a.Name, a.MIMEType, data, e.Step)
				return err
			})
		}
	}
	return jobs, err
}
