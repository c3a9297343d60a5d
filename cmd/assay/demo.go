package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/demo"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/server"
)

func (a *app) demoCommand() *cobra.Command {
	var broken, asJSON, serveOnly bool
	var addr, variant, tasks string
	c := &cobra.Command{
		Use:   "demo",
		Short: "Serve the sample dashboard and check it end to end, without a key",
		Long: `Serve the sample dashboard on loopback, attach an MCP client to a fresh
"assay serve" process, sign in, check the figures against what they should be,
and print the verdict. With --broken the dashboard has known faults, and the
verdict must be failed.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := knownVariant(variant); err != nil {
				return err
			}
			if variant != "" && !serveOnly {
				return usage("--variant is for --serve; to check it, call: assay demo sanity %s", variant)
			}
			if tasks != "" && !serveOnly {
				return a.writeDemoTasks(tasks, demo.TasksURL)
			}
			cfg, err := a.settings(cmd)
			if err != nil {
				return err
			}
			dir, err := dataDir(cfg)
			if err != nil {
				return err
			}
			site, err := demo.Start(cmd.Context(), demo.Options{Broken: broken, Variant: variant, Addr: addr, Log: a.log})
			if err != nil {
				return err
			}
			if tasks != "" {
				if err := a.writeDemoTasks(tasks, site.URL()); err != nil {
					return errors.Join(err, site.Close())
				}
			}
			if serveOnly {
				fmt.Fprintf(a.stdout, "%s  (%s / %s), until interrupted\n", site.URL(), demo.Email, demo.Password)
				<-cmd.Context().Done()
				return site.Close()
			}
			report, runErr := a.checkDemo(cmd.Context(), site.URL(), dir)
			if err := errors.Join(runErr, site.Close()); err != nil {
				return err
			}
			return a.printDemo(report, dir, asJSON)
		},
	}
	c.Flags().BoolVar(&broken, "broken", false, "serve the variant with known faults")
	c.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	c.Flags().BoolVar(&serveOnly, "serve", false, "serve the dashboard until interrupted, and check nothing")
	c.Flags().StringVar(&variant, "variant", "", "with --serve, one of: "+variantNames())
	c.Flags().StringVar(&tasks, "tasks", "", "write the demo's tasks (the sanity check, and sentences in four languages), their sign-in flow and an mcp.toml into this folder; with --serve for the address that is served")
	c.Flags().StringVar(&addr, "addr", "", "loopback address to serve on (default a free port)")
	c.AddCommand(a.demoSanityCommand())
	return c
}

// checkDemo checks the dashboard as a client would: through a server process.
func (a *app) checkDemo(ctx context.Context, url, dir string) (report qa.QAReport, err error) {
	self, err := os.Executable()
	if err != nil {
		return report, fmt.Errorf("find this program: %w", err)
	}
	logs := io.Discard
	if a.verbose {
		logs = a.stderr
	}
	client, err := server.Dial(ctx, logs, self, "serve", "--data-dir", dir)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, client.Close()) }()

	for _, step := range demoSteps(url) {
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
		if answer.IsError && strings.HasPrefix(answer.Text, string(browser.DriverMissing)) {
			return report, errors.New(answer.Text)
		}
		if answer.IsError {
			// The verdict will say so: what could not be looked at was filed.
			a.log.Warn("step failed", "tool", step.tool, "answer", answer.Text)
		}
	}
	return report, errors.New("the demo's steps end without run_finish")
}

// demoStep is one tool call.
type demoStep struct {
	tool      string
	arguments map[string]any
}

// settled is what the dashboard shows once its figures are those asked for.
const settled = `css=#data[aria-busy="false"]`

// demoSteps returns the conversation of a tester with the dashboard.
func demoSteps(url string) []demoStep {
	expectations := []map[string]any{
		{"text": fmt.Sprintf("the page title is %q", demo.LoginTitle)},
		{"text": `the heading "Dashboard" is shown`},
		{"text": "GET **/api/alerts returns 200"},
		{"text": "the console stays clean"},
	}
	proves := func(ids ...string) demoStep {
		return demoStep{"verify_assertion", map[string]any{"expects": ids, "timeout_ms": 1500}}
	}
	settles := demoStep{"verify_assertion", map[string]any{"selector": settled, "assertion": map[string]any{"type": "exists"}}}
	var figures []demoStep // one for each range
	for _, of := range []struct{ name, words string }{{demo.RangeToday, "today"}, {demo.Range7Days, "the last week"}} {
		var ids []string
		for _, e := range figureExpectations(of.name, of.words) {
			expectations = append(expectations, e)
			ids = append(ids, fmt.Sprint("E", len(expectations)))
		}
		figures = append(figures, proves(ids...))
	}
	return []demoStep{
		{"run_start", map[string]any{"goal": "the dashboard signs in, shows the right figures and throws no errors", "route": url, "expectations": expectations}},
		{"verify_page_loads", map[string]any{"url": url + "/login"}},
		{"page_navigate", map[string]any{"url": url}},
		proves("E1"),
		{"page_fill", map[string]any{"selector": `textbox "Email"`, "value": demo.Email}},
		{"page_fill", map[string]any{"selector": `textbox "Password"`, "value": demo.Password}},
		{"page_click", map[string]any{"selector": `button "Sign in"`}},
		proves("E2"), settles, figures[0],
		{"page_select", map[string]any{"selector": `combobox "Range"`, "option": demo.Range7Days}},
		{"verify_assertion", map[string]any{"assertion": map[string]any{"type": "request_made", "expected": "GET /api/kpi?range=" + demo.Range7Days}}}, // what was chosen proves nothing by itself
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
	values := demo.KPIs(rangeName, demo.CategoryAll)
	for _, name := range []string{demo.KPIRevenue, demo.KPIOrders, demo.KPIConversion, demo.KPIOrderValue, demo.KPIRefunds, demo.KPIUsers} {
		out = append(out, map[string]any{"text": fmt.Sprintf("%s is right for %s", name, words), "selector": fmt.Sprintf("css=[data-kpi=%q]", name),
			"assertion": map[string]any{"type": "text_equals", "expected": demo.Display(name, values[name])}})
	}
	return out
}

func (a *app) printDemo(r qa.QAReport, dir string, asJSON bool) error {
	if asJSON {
		if err := json.NewEncoder(a.stdout).Encode(r); err != nil {
			return err
		}
	} else {
		a.printReport("the sample dashboard: "+r.Task.Goal, r, filepath.Join(dir, "runs", r.RunID))
	}
	if r.Status != qa.Passed {
		return &exitError{code: exitFailed}
	}
	return nil
}
