package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/internal/wiring"
)

func installCommand(a *app) *cobra.Command {
	var withDeps, headed, asJSON, testRunner bool
	var kind string
	c := &cobra.Command{
		Use:   "install",
		Short: "Set up the driver and a browser, using what is there first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.settings(cmd)
			if err != nil {
				return err
			}
			o, err := a.program().Install(cfg)
			if err != nil {
				return err
			}
			o.WithDeps = withDeps
			if kind != "" {
				o.Browser = kind
			}
			o.Headed = o.Headed || headed
			o.Report = timedSteps(a)
			inst, err := driver.Install(cmd.Context(), o)
			if err != nil {
				return err
			}
			said := map[string]any{"driver": inst.Driver, "browser": inst.Browser}
			var runner driver.TestRunner
			if testRunner {
				if runner, err = driver.InstallTestRunner(cmd.Context(), o); err != nil {
					return err
				}
				said["test_runner"] = runner
			}
			if asJSON {
				return json.NewEncoder(a.stdout).Encode(said)
			}
			fmt.Fprintf(a.stdout, "driver  %s  %s (%s)\nbrowser %s  %s (%s)\n", inst.Driver.Version, inst.Driver.Dir, inst.Driver.Source,
				inst.Browser.Type, inst.Browser.Path, inst.Browser.Source)
			if testRunner {
				fmt.Fprintf(a.stdout, "tests   @playwright/test %s  %s\n", runner.Version, runner.Dir)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print what is used as JSON")
	c.Flags().StringVar(&kind, "browser", "", "chromium, firefox or webkit (default: browser.type)")
	c.Flags().BoolVar(&headed, "headed", false, "want a browser that can show windows")
	c.Flags().BoolVar(&testRunner, "test-runner", false, "install the runner of Playwright tests, eslint and prettier, too, with npm")
	c.Flags().BoolVar(&withDeps, "with-deps", false, "on Debian and Ubuntu, as root: install the browser and font packages if need be")
	return c
}

func doctorCommand(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is there, what is missing, and the command that fixes it",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := a.settings(cmd)
			if err != nil {
				return err
			}
			o, err := a.program().Install(cfg)
			if err != nil {
				return err
			}
			diagnoses := append(append(driver.Diagnose(cmd.Context(), o), driver.DiagnoseProcessors(cfg.Limits.CPUPercent)), wiring.DiagnoseSecrets(cmd.Context(), a.vaultOf(cfg))...)
			if asJSON {
				err = json.NewEncoder(a.stdout).Encode(diagnoses)
			} else {
				printDiagnoses(a, diagnoses)
			}
			for _, d := range diagnoses {
				if d.Health == driver.HealthFail {
					return &exitError{code: exitFailed, err: err}
				}
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// timedSteps prints each step of an installation with the seconds that it took.
func timedSteps(a *app) func(driver.Step) {
	last := a.now()
	return func(s driver.Step) {
		now := a.now()
		fmt.Fprintf(a.stderr, "%5.1f s  %s\n", now.Sub(last).Seconds(), s)
		last = now
	}
}

func printDiagnoses(a *app, diagnoses []driver.Diagnosis) {
	for _, d := range diagnoses {
		fmt.Fprintf(a.stdout, "%-4s  %s: %s\n", d.Health, d.Name, d.Detail)
		if d.Remedy != "" {
			fmt.Fprintf(a.stdout, "      run: %s\n", d.Remedy)
		}
	}
}
