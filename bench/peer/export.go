package peer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/bench/wire"
)

// exported holds what became of a job as a Playwright test.
type exported struct {
	Gaps   int    `json:"gaps"`             // what of it can't be repeated
	Green  bool   `json:"green"`            // it passed on the site
	Red    bool   `json:"red"`              // with the site's fault it failed, on what speaks of the fault
	Reason string `json:"reason,omitempty"` // why it was not green, or not red
}

func (e exported) String() string {
	if e.Gaps == 0 && e.Green && e.Red {
		return "green on the site, red on its fault"
	}
	return fmt.Sprintf("%d gaps, green: %t, red: %t: %s", e.Gaps, e.Green, e.Red, e.Reason)
}

// ownSettings makes settings of a user, with the secrets of the jobs, and returns the variables that lead to it.
func (m *measurement) ownSettings() ([]string, error) {
	folder := filepath.Join(m.temporary, "own")
	if err := os.MkdirAll(filepath.Join(folder, "assay"), 0o700); err != nil {
		return nil, err
	}
	settings, variables := "schema_version = 1\n[secrets]\n", []string{"XDG_CONFIG_HOME=" + folder}
	for name, secret := range secrets() {
		settings += fmt.Sprintf("%s = { from = \"env:%s\", hosts = [%q] }\n", name, name, secret.host)
		variables = append(variables, name+"="+secret.value)
	}
	return variables, os.WriteFile(filepath.Join(folder, "assay", "mcp.toml"), []byte(settings), 0o600)
}

// export works a job once more as a run, writes the run's test and runs it with the site's fault and without.
func (m *measurement) export(ctx context.Context, s *server, j job, site *faultySite) (e exported, err error) {
	run, err := s.asRun(j)
	if err != nil {
		return e, err
	}
	folder, err := os.MkdirTemp(m.temporary, "export-")
	if err != nil {
		return e, err
	}
	var written struct {
		Path string
		Gaps []string
	}
	if out, refused := m.assay(ctx, folder, "export", run, "--playwright", "--json"); refused != nil {
		return exported{Reason: refused.Error()}, nil //nolint:nilerr // a run that has no such test is a result
	} else if err := json.Unmarshal(out, &written); err != nil {
		return e, fmt.Errorf("%w: %s", err, out)
	}
	e.Gaps, e.Reason = len(written.Gaps), strings.Join(written.Gaps, "; ")
	text, err := os.ReadFile(filepath.Join(folder, written.Path))
	if err != nil {
		return e, err
	}
	fmt.Fprintf(m.calls, "\n%s\n", text)
	if _, err := m.assay(ctx, folder, "trust", "--yes"); err != nil { // the tests are ours
		return e, err
	}
	test := func(fault bool) (passed bool, said string, err error) {
		site.fault.Store(fault)
		defer site.fault.Store(false)
		var answer struct {
			Status string
			Tests  []struct{ Error string }
		}
		out, runErr := m.assay(ctx, folder, "test", written.Path, "--json")
		if err := json.Unmarshal(out, &answer); err != nil || len(answer.Tests) == 0 {
			return false, "", errors.Join(runErr, fmt.Errorf("assay test: %w: %s", err, out))
		}
		return answer.Status == "passed", answer.Tests[0].Error, nil
	}
	green, said, err := test(false)
	if err != nil {
		return e, err
	}
	e.Green, e.Reason = green, e.Reason+said
	green, said, err = test(true)
	if err != nil {
		return e, err
	}
	fmt.Fprintf(m.calls, "\nwith the fault: %s\n", said)
	if e.Red = !green && strings.Contains(said, j.outcome); !e.Red {
		e.Reason += said
	}
	return e, nil
}

// asRun works a job between run_start and run_finish, and returns the run's id.
func (s *server) asRun(j job) (string, error) {
	call := func(name string, arguments map[string]any) (wire.Answer, error) {
		a, err := s.Within(func() (wire.Answer, error) { return s.Client.Tool(wire.Call{Name: name, Arguments: arguments}) })
		if err == nil && a.Failed {
			err = fmt.Errorf("%s: %s", name, a.Text)
		}
		return a, err
	}
	if _, err := call("run_start", map[string]any{"goal": j.name, "watch_ms": 0}); err != nil {
		return "", err
	}
	if _, err := s.work(j.calls[ours], io.Discard); err != nil {
		return "", err
	}
	a, err := call("run_finish", map[string]any{})
	if err != nil {
		return "", err
	}
	var report struct {
		RunID  string `json:"runId"`
		Status string `json:"status"`
	}
	if err := a.Data(&report); err != nil {
		return "", err
	}
	return report.RunID, nil
}

// assay runs a command on the data of our server, in a folder, and returns what it printed. Its error
// is that it ended with another code than 0.
func (m *measurement) assay(ctx context.Context, folder string, args ...string) ([]byte, error) {
	own, err := m.ownSettings()
	if err != nil {
		return nil, err
	}
	program := m.sides[ours].program
	c := exec.CommandContext(ctx, program.Argv[0], args...)
	c.Dir, c.Env = folder, append(append(os.Environ(), own...), "ASSAY_DATA_DIR="+filepath.Join(program.Dir, "data"))
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		err = fmt.Errorf("assay %s: %w: %s", strings.Join(args, " "), err, said.String())
	}
	return out, err
}
