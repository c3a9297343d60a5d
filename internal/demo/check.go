package demo

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/server"
)

// Checker checks the sample dashboard by processes of the program.
type Checker struct {
	Program string   // path of the program
	Environ []string // of the processes: what this one has was taken from it
	DataDir string
	Stderr  io.Writer // gets what the processes write there; nil: nothing does
	Now     func() time.Time
	Log     *slog.Logger
}

// Check checks a dashboard as a client would: through a server process.
func (c Checker) Check(ctx context.Context, url string) (report qa.QAReport, err error) {
	logs := cmp.Or(c.Stderr, io.Discard)
	client, err := server.DialProcess(ctx, logs, server.Process{Path: c.Program, Args: []string{"serve", "--data-dir", c.DataDir}, Environ: c.Environ})
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, client.Close()) }()

	for _, step := range steps(url) {
		answer, err := client.Call(ctx, step.tool, step.arguments)
		if err != nil {
			return report, err
		}
		if step.tool == "run_finish" {
			var envelope struct{ Data qa.QAReport }
			if err := json.Unmarshal(answer.Structured, &envelope); err != nil || answer.IsError {
				return report, errors.Join(fmt.Errorf("run_finish: %s", answer.Text), err)
			}
			return envelope.Data, nil
		}
		if answer.IsError && codeOf(answer.Structured) == code.DriverMissing {
			return report, fmt.Errorf("%w: %s", ErrNoDriver, answer.Text)
		}
		if answer.IsError {
			// The verdict will say so: what could not be looked at was filed.
			c.Log.Warn("step failed", "tool", step.tool, "answer", answer.Text)
		}
	}
	return report, errors.New("the demo's steps end without run_finish")
}

// ErrNoDriver says that there is no browser to look with.
var ErrNoDriver = errors.New("no browser")

// codeOf returns the code of an answer that is an error.
func codeOf(structured json.RawMessage) string {
	var envelope struct{ Error struct{ Code string } }
	if json.Unmarshal(structured, &envelope) != nil { // an answer without an envelope has no code
		return ""
	}
	return envelope.Error.Code
}

// step holds one tool call.
type step struct {
	tool      string
	arguments map[string]any
}

// settled selects the dashboard's data once they show the requested figures.
const settled = `css=#data[aria-busy="false"]`

// steps returns the tool calls of a tester of the dashboard.
func steps(url string) []step {
	expectations := []map[string]any{
		{"text": fmt.Sprintf("the page title is %q", LoginTitle)},
		{"text": `the heading "Dashboard" is shown`},
		{"text": "GET **/api/alerts returns 200"},
		{"text": "the console stays clean"},
	}
	proves := func(ids ...string) step {
		return step{"verify_assertion", map[string]any{"expects": ids, "timeout_ms": 1500}}
	}
	settles := step{"verify_assertion", map[string]any{"selector": settled, "assertion": map[string]any{"type": "exists"}}}
	var figures []step // one for each range
	for _, of := range []struct{ name, words string }{{RangeToday, "today"}, {Range7Days, "the last week"}} {
		var ids []string
		for _, e := range figureExpectations(of.name, of.words) {
			expectations = append(expectations, e)
			ids = append(ids, fmt.Sprint("E", len(expectations)))
		}
		figures = append(figures, proves(ids...))
	}
	return []step{
		{"run_start", map[string]any{"goal": "the dashboard signs in, shows the right figures and throws no errors", "route": url, "expectations": expectations}},
		{"verify_page_loads", map[string]any{"url": url + "/login"}},
		{"page_navigate", map[string]any{"url": url}},
		proves("E1"),
		{"page_fill", map[string]any{"selector": `textbox "Email"`, "value": Email}},
		{"page_fill", map[string]any{"selector": `textbox "Password"`, "value": Password}},
		{"page_click", map[string]any{"selector": `button "Sign in"`}},
		proves("E2"), settles, figures[0],
		{"page_select", map[string]any{"selector": `combobox "Range"`, "option": Range7Days}},
		{"verify_assertion", map[string]any{"assertion": map[string]any{"type": "request_made", "expected": "GET /api/kpi?range=" + Range7Days}}}, // what was chosen proves nothing by itself
		settles, figures[1],
		proves("E3", "E4"),
		{"page_screenshot", map[string]any{"name": "dashboard", "full_page": true}},
		{"browser_close", map[string]any{}},
		{"run_finish", map[string]any{"summary": "sign-in, figures for two ranges, alerts, console"}},
	}
}

// figureExpectations expects the figures of a range as the demo's own oracle has them.
func figureExpectations(rangeName, words string) []map[string]any {
	var out []map[string]any
	values := KPIs(rangeName, CategoryAll)
	for _, name := range []string{KPIRevenue, KPIOrders, KPIConversion, KPIOrderValue, KPIRefunds, KPIUsers} {
		out = append(out, map[string]any{"text": fmt.Sprintf("%s is right for %s", name, words), "selector": fmt.Sprintf("css=[data-kpi=%q]", name),
			"assertion": map[string]any{"type": "text_equals", "expected": Display(name, values[name])}})
	}
	return out
}
