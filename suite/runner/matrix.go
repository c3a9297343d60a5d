package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/tools/workspace"
)

// MatrixProfile returns the profile that a request names; the zero value where it names none.
// A profile with environments excludes env and an address of the request's own.
func (r Request) MatrixProfile(cfg config.Config, env string) (config.Profile, error) {
	if r.Profile == "" {
		return config.Profile{}, nil
	}
	p, err := cfg.Profile(r.Profile)
	if err != nil {
		return p, config.Usage("--profile: %w", err)
	}
	if len(p.Environments) > 0 && (env != "" || r.BaseURL != "") {
		return p, config.Usage("--profile %s runs against %s: leave --env and --base-url out", r.Profile, strings.Join(p.Environments, ", "))
	}
	return p, nil
}

// cell holds one combination of a profile's matrix. What is empty is as
// without one.
type cell struct {
	role, device, locale, environment string
	viewport                          *qa.Viewport // device is a size
}

// String returns the cell as a case's name shows it.
func (c cell) String() string {
	var parts []string
	for _, part := range []string{c.role, c.device, c.locale, c.environment} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// cellsOf returns the cells of a profile in one environment.
func cellsOf(p config.Profile, environment string) (cells []cell) {
	for _, role := range orOne(p.Roles) {
		for _, device := range orOne(p.Devices) {
			for _, locale := range orOne(p.Locales) {
				cells = append(cells, cell{role, device, locale, environment, size(device)})
			}
		}
	}
	return cells
}

// orOne returns the values, or one empty value.
func orOne(values []string) []string {
	if len(values) == 0 {
		return []string{""}
	}
	return values
}

// size reads a device that is a size, such as 1366x768; nil: it is a name.
func size(device string) *qa.Viewport {
	var v qa.Viewport
	if n, err := fmt.Sscanf(strings.ReplaceAll(device, "×", "x")+"\n", "%dx%d\n", &v.Width, &v.Height); n != 2 || err != nil {
		return nil
	}
	return &v
}

// Device returns what --device names: a device, or a size of the window. The error names what is wrong.
func Device(ctx context.Context, pool *browser.Pool, device string) (name string, width, height int, err error) {
	if device == "" {
		return "", 0, 0, nil
	}
	if err := checkDevices(ctx, pool, "--device", []string{device}); err != nil {
		return "", 0, 0, err
	}
	if v := size(device); v != nil {
		return "", v.Width, v.Height, nil
	}
	return device, 0, 0, nil
}

// start returns what the sessions of a desk start with in the cell.
func (c cell) start(s workspace.Start) workspace.Start {
	s.Pinned = c != (cell{environment: c.environment})
	if c.device != "" {
		s.Width, s.Height, s.Device = 0, 0, c.device
	}
	if c.viewport != nil {
		s.Width, s.Height, s.Device = c.viewport.Width, c.viewport.Height, ""
	}
	if c.locale != "" {
		s.Locale = c.locale
	}
	return s
}

// apply returns a case as the cell runs it. The error names a file that can't run as a role.
func (c cell) apply(f load.Case) (load.Case, error) {
	switch {
	case f.Task != nil:
		t := *f.Task
		if c.role != "" {
			t.Role = c.role
		}
		if c.device != "" {
			t.Device, t.Viewport = c.device, nil
		}
		if c.viewport != nil {
			t.Device, t.Viewport = "", c.viewport
		}
		if c.locale != "" {
			t.Locale = c.locale
		}
		if t.Metadata = maps.Clone(t.Metadata); t.Metadata == nil {
			t.Metadata = map[string]string{}
		}
		t.Metadata["cell"] = c.String()
		f.Task = &t
	case f.Flow != nil && c.role != "":
		fl := *f.Flow
		fl.Role = c.role
		f.Flow = &fl
	case f.Spec != nil && c.role != "":
		if f.Spec.SignsIn || f.Spec.SignedInBy != nil {
			return f, fmt.Errorf("%s signs in by a spec of its own, and the profile runs it as %s: leave roles out of the profile, or the sign-in out of the spec", f.Path, c.role)
		}
		s := *f.Spec
		s.Role = c.role
		f.Spec = &s
	}
	return f, nil
}

// planMatrix makes the plan of a request: every case once, or once for each cell of the
// profile's matrix.
func planMatrix(ctx context.Context, rn *Runner, p plan) (plan, error) {
	profile, err := p.request.MatrixProfile(rn.Config, "")
	if err != nil {
		return p, err
	}
	if err := checkDevices(ctx, rn.Desk.Pool, "profile."+p.request.Profile+".devices", profile.Devices); err != nil {
		return p, err
	}
	whole := p
	for _, name := range orOne(profile.Environments) {
		own, d, part := *rn, rn.Desk, p
		own.Budgets = profile.Budgets
		if name != "" {
			if d, err = rn.Environment(name); err != nil {
				return p, err
			}
		}
		if err := own.plan(ctx, d, &part); err != nil {
			return p, err
		}
		whole.selection, whole.vars, whole.selected, whole.fingerprint, whole.replay = part.selection, part.vars, part.selected, part.fingerprint, own.recordings.mode
		for round := range max(1, p.request.Repeat) { // each with sign-ins of its own
			for _, c := range cellsOf(profile, name) {
				files, cases, err := cellCases(&own, d, part, c)
				if err != nil {
					return p, config.Usage("profile.%s: %w", p.request.Profile, err)
				}
				for i := range cases {
					if p.request.Repeat > 1 {
						cases[i].Round = round + 1
					}
				}
				whole.files, whole.cases = append(whole.files, files...), append(whole.cases, cases...)
			}
		}
	}
	return whole, nil
}

// cellCases makes the cases of one cell.
func cellCases(rn *Runner, d *workspace.Workspace, p plan, c cell) (files []load.Case, cases []suite.Case, err error) {
	if c == (cell{}) {
		return p.files, rn.cases(d, p), nil
	}
	if c.role != "" {
		if err := d.KnowsRole(c.role); err != nil {
			return nil, nil, err
		}
	}
	fork := d.Fork()
	fork.Start = c.start(d.Start)
	for _, f := range p.files {
		own, err := c.apply(f)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, own)
	}
	p.files = files
	cases = rn.cases(fork, p)
	for i := range cases {
		run, name := cases[i].Run, cases[i].Name+" ["+c.String()+"]"
		cases[i].Name, cases[i].Cell = name, c.String()
		cases[i].Run = func(ctx context.Context) (suite.Result, error) {
			r, err := run(ctx)
			r.Name = pagetext.Text(name)
			return r, err
		}
	}
	return files, cases, nil
}

// checkDevices refuses devices of a setting that the driver does not know.
func checkDevices(ctx context.Context, pool *browser.Pool, setting string, devices []string) error {
	var names []string
	for _, device := range devices {
		if v := size(device); v == nil {
			names = append(names, device)
		} else if err := (qa.TaskSpec{Goal: "its viewport", Viewport: v}).Validate(); err != nil {
			return config.Usage("%s: %w", setting, err)
		}
	}
	err := pool.CheckDevices(ctx, names)
	var be *explain.Error
	if errors.As(err, &be) && be.Code == explain.InvalidInput {
		return config.Usage("%s: %s; %s", setting, be.Message.Line(), be.Hint)
	}
	if err != nil {
		return withRemedy(err)
	}
	return nil
}
