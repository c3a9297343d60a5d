package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/qa"
)

func demoCommand(a *app) *cobra.Command {
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
			if err := demo.KnownVariant(variant); err != nil {
				return usage("%w", err)
			}
			if variant != "" && !serveOnly {
				return usage("--variant is for --serve; to check it, call: assay demo sanity %s", variant)
			}
			if tasks != "" && !serveOnly {
				return writeDemoTasks(a, tasks, demo.TasksURL)
			}
			cfg, err := a.settings(cmd)
			if err != nil {
				return err
			}
			dir, err := wiring.WritableDataDir(cfg)
			if err != nil {
				return err
			}
			site, err := demo.Start(cmd.Context(), demo.Options{Broken: broken, Variant: variant, Addr: addr, Log: a.log})
			if err != nil {
				return err
			}
			if tasks != "" {
				if err := writeDemoTasks(a, tasks, site.URL()); err != nil {
					return errors.Join(err, site.Close())
				}
			}
			if serveOnly {
				fmt.Fprintf(a.stdout, "%s  (%s / %s), until interrupted\n", site.URL(), demo.Email, demo.Password)
				<-cmd.Context().Done()
				return site.Close()
			}
			c, err := demoChecker(a, dir)
			if err != nil {
				return errors.Join(err, site.Close())
			}
			report, runErr := c.Check(cmd.Context(), site.URL())
			err = errors.Join(runErr, site.Close())
			if errors.Is(runErr, demo.ErrNoDriver) { // a matter of the set-up
				return usage("%w", err)
			}
			if err != nil {
				return err
			}
			return printDemo(a, report, dir, asJSON)
		},
	}
	c.Flags().BoolVar(&broken, "broken", false, "serve the variant with known faults")
	c.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	c.Flags().BoolVar(&serveOnly, "serve", false, "serve the dashboard until interrupted, and check nothing")
	c.Flags().StringVar(&variant, "variant", "", "with --serve, one of: "+demo.VariantNames())
	c.Flags().StringVar(&tasks, "tasks", "", "write the demo's tasks (the sanity check, and sentences in four languages), their sign-in flow and an "+
		"mcp.toml into this folder; with --serve for the address that is served")
	c.Flags().StringVar(&addr, "addr", "", "loopback address to serve on (default a free port)")
	c.AddCommand(demoSanityCommand(a))
	windowless(c)
	return c
}

func printDemo(a *app, r qa.QAReport, dir string, asJSON bool) error {
	if asJSON {
		if err := json.NewEncoder(a.stdout).Encode(r); err != nil {
			return err
		}
	} else {
		printReport(a, "the sample dashboard: "+r.Task.Goal, r, filepath.Join(dir, "runs", r.RunID))
	}
	return verdictError(r.Status)
}

// writeDemoTasks writes the demo's task, flow and configuration into a folder, and
// prints what was written.
func writeDemoTasks(a *app, dir, baseURL string) error {
	err := demo.WriteTasks(dir, baseURL, func(path string) { fmt.Fprintln(a.stdout, path) })
	standing := demo.WrittenFor(dir)
	switch {
	case errors.Is(err, demo.ErrTaken) && standing != "":
		return usage("--tasks: the demo's tasks are in %s already, for %s; serve it there: assay demo --serve --addr %s", dir, standing, strings.TrimPrefix(standing, "http://"))
	case errors.Is(err, demo.ErrTaken):
		return usage("--tasks: %w", err)
	case err != nil:
		return fmt.Errorf("--tasks: %w", err)
	}
	next := "assay run"
	if dir != "." {
		next = "cd " + dir + " && assay run"
	}
	if baseURL == demo.TasksURL {
		fmt.Fprintf(a.stdout, "\nnext, in two terminals:\n  assay demo --serve --addr %s\n  %s\n", strings.TrimPrefix(baseURL, "http://"), next)
	} else {
		fmt.Fprintf(a.stdout, "\nnext, in another terminal:\n  %s\n", next)
	}
	return nil
}
