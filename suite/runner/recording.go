package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/agent/replay"
	"github.com/assay-qa/assay/disk"
	"github.com/assay-qa/assay/engine/rules"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools/flows"
	"github.com/assay-qa/assay/tools/workspace"
)

// recordings say how the recordings of specs are used.
type recordings struct {
	mode   string // prefer, only or off
	update bool   // write them anew where they were healed or no longer fit
	asked  bool   // write them wherever the spec stands
	tests  bool   // write them as Playwright tests
}

// recordingsOf settles what auto means: in CI nothing is left to a model.
func (rn *Runner) recordingsOf(setting string, r Request) recordings {
	mode := setting
	if r.Replay != "" {
		mode = r.Replay
	}
	if mode == "auto" {
		mode = "prefer"
		if rn.CI {
			mode = "only"
		}
	}
	return recordings{mode: mode, update: r.Update, asked: r.Record || r.Update || r.Tests, tests: r.Tests}
}

// fittingRecording returns the recording of a spec, ready to run. misfit says why it can't be
// used; it is empty where it can.
func fittingRecording(s spec.Spec, base string) (f flow.Flow, misfit string, err error) {
	name := filepath.Base(s.Recording())
	f, problems, err := readRecording(s.Recording())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, "it has no recording", nil
	case err != nil:
		return f, "", fmt.Errorf("read the recording: %w", err)
	case len(problems) > 0:
		return f, "its recording is no flow: " + problems[0].Error(), nil
	}
	n, whole := replay.Fits(f.Recorded, stepKeys(s))
	switch {
	case f.Recorded == nil:
		return f, name + " is no recording: a person wrote it", nil
	case !whole && n < len(s.Steps):
		return f, fmt.Sprintf("it was edited since it was recorded: step %d (%s) is another one, and so is all that follows", n+1, s.Steps[n].Text), nil
	case !whole:
		return f, "it was edited since it was recorded: steps were taken out", nil
	}
	f, problems = f.Below(base).Resolve(base)
	if len(problems) > 0 {
		return f, "its recording: " + problems[0].Error(), nil
	}
	return f, "", nil
}

// readRecording reads a recording as its file has it.
func readRecording(path string) (flow.Flow, flow.Problems, error) {
	data, err := disk.ReadPath(path, flow.MaxFileBytes)
	if err != nil {
		return flow.Flow{}, nil, err
	}
	f, problems := flow.Load(filepath.Base(path), func(string) ([]byte, error) { return data, nil }, rules.Flows())
	f.Origins = nil // a recording's lines tell a person little
	return f, problems, nil
}

// replaySteps returns the steps of a spec as its recording knows them.
func replaySteps(s spec.Spec) []replay.Step {
	out := make([]replay.Step, len(s.Steps))
	for i, step := range s.Steps {
		out[i] = replay.Step{Text: step.Text, Expected: step.Expected}
	}
	return out
}

// stepKeys returns the keys of a spec's steps. What holds for all of them stands before
// the first one.
func stepKeys(s spec.Spec) []string {
	before := append([]string{"auth " + s.Auth, "prose " + s.Prose, "base " + urlPath(s.BaseURL)}, s.Preconditions...)
	if s.ByTitle {
		before = append(before, "title "+s.Title)
	}
	for _, e := range s.Expected {
		before = append(before, "expected "+e.Text)
	}
	for _, text := range s.Cleanup {
		before = append(before, "cleanup "+text)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Data)) {
		before = append(before, "data "+name+" = "+s.Data[name])
	}
	return replay.Keys(before, replaySteps(s))
}

// recordSpec compiles what an agent did in a run that passed, replays it once,
// and writes the recording beside the spec. note says what came of it; it is
// empty where there was nothing to do.
func (rn *Runner) recordSpec(ctx context.Context, d *workspace.Workspace, s spec.Spec, j Job, out agent.Outcome) (note string, err error) {
	if out.Report.Status != qa.Passed || rn.recordings.mode == "off" && !rn.recordings.update {
		return "", nil
	}
	if _, misfit, err := fittingRecording(s, j.Address); err != nil || misfit == "" && !rn.recordings.update {
		return "", err
	}
	if !rn.recordings.asked && !versioned(s.Recording()) {
		return "not recorded: " + load.Relative([]string{filepath.Dir(s.Recording())})[0] + " is not under version control; to write the recording beside the spec: assay run --record", nil
	}
	hide, err := Redactor(rn.Vault, agentConfig(rn.Config, d).Redact)
	if err != nil {
		return "", err
	}
	f, err := replay.Compile(replay.Source{Spec: s.ID, Name: s.Name(), Run: out.Report.RunID, Base: j.Address, Role: j.Task.Role, Steps: replaySteps(s), Keys: stepKeys(s),
		Done: out.Done, Secret: func(text string) bool { return hide(text) != text }, Rules: rules.Flows()})
	if bad := (*replay.UnrecordableError)(nil); errors.As(err, &bad) {
		return "not recorded: " + bad.Error(), nil
	}
	if err != nil {
		return "", err
	}
	again, problems := f.Below(j.Address).Resolve(j.Address)
	if len(problems) > 0 {
		return "not recorded: " + problems[0].Error(), nil
	}
	desk := rn.JobDesk(d, j)
	defer rn.Leave(ctx, desk, j.Path)
	played, err := flows.Replay(ctx, desk, again, j.Task, flows.Replaying{}, func(string) {})
	switch {
	case err != nil:
		return "", fmt.Errorf("replay the recording: %w", err)
	case played.Status != qa.TestPassed:
		return fmt.Sprintf("not recorded: its replay did not pass: %s (%s)", played.FailureReason, played.Report), nil
	}
	if err := writeRecording(s.Recording(), f); err != nil {
		return "", err
	}
	return fmt.Sprintf("recorded: %d steps in %s", len(f.Steps), load.Relative([]string{s.Recording()})[0]), nil
}

// versioned reports whether a file stands in a working copy of a version control system:
// only there a person sees what was written before it counts (E10).
func versioned(path string) bool {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return false
	}
	for {
		for _, name := range []string{".git", ".hg", ".jj", ".svn"} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return true
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}

// writeRecording writes a flow as its file, whole or not at all.
func writeRecording(path string, f flow.Flow) (err error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(f); err != nil {
		return fmt.Errorf("encode the recording: %w", err)
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("write the recording: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return disk.Write(root, filepath.Base(path), text.Bytes())
}
