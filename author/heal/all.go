package heal

import (
	"context"
	"errors"
	"slices"

	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/author/testrun"
)

// UnreadableError says that a flow can't be read, or not as a Playwright test.
type UnreadableError struct{ Err error }

func (e *UnreadableError) Error() string { return e.Err.Error() }

func (e *UnreadableError) Unwrap() error { return e.Err }

// All heals tests and flows, each kind with a setup of the runner. Environ is what flows
// get beside the runner's environment.
func (h Healer) All(ctx context.Context, runner testrun.Runner, paths, environ []string) (report Report, err error) {
	flows := slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !prove.IsFlow(path) })
	tests := slices.DeleteFunc(slices.Clone(paths), prove.IsFlow)
	if len(tests) > 0 {
		setup, err := runner.Open(ctx, tests)
		if err != nil {
			return report, err
		}
		own := h
		own.Setup, own.Patterns, own.shown = setup, tests, runner.Folder
		if report, err = own.closing(ctx); err != nil {
			return report, err
		}
	}
	if report.Interrupted {
		for _, path := range flows {
			report.Open = append(report.Open, Open{Place{File: path, Line: 1, Test: path}, "it was not looked at"})
		}
		return report, nil
	}
	if len(flows) == 0 {
		return report, nil
	}
	setup, err := runner.OpenApart(ctx, flows, environ)
	if err != nil {
		return report, err
	}
	own := h
	own.Setup, own.Patterns = setup, nil
	made, err := prove.WriteFlows(flows, runner.BaseURL, setup.Project.TestDir)
	if err == nil {
		own.flows, err = readFlows(made, runner.BaseURL)
	}
	if err != nil {
		return report, errors.Join(&UnreadableError{err}, setup.Close())
	}
	of, err := own.closing(ctx)
	for _, left := range made.Left {
		of.Unhealed = append(of.Unhealed, Unhealed{Place: Place{File: left.File, Line: left.Line, Test: left.Title}, Reason: Page, Detail: left.Reason})
	}
	return report.With(of), err
}

// closing heals, and closes the setup.
func (h Healer) closing(ctx context.Context) (report Report, err error) {
	defer func() { err = errors.Join(err, h.Setup.Close()) }()
	return h.Heal(ctx)
}
