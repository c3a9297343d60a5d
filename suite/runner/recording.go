package runner

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/agent/replay"
	agentrules "github.com/assay-qa/assay/agent/rules"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools/rules"
)

// recordings say how the recordings of specs are used.
type recordings struct {
	mode    string // prefer, only or off
	mayWork bool   // rules may work a spec without a recording: only was not asked for
	update  bool   // write them anew where they were healed or no longer fit
	asked   bool   // write them wherever the spec stands
	tests   bool   // write them as Playwright tests

	numberLocale string // of the environment, see [testfile.Options]
}

// newRecordings settles what auto means: in CI nothing is left to a model.
func newRecordings(setting string, r Request, ci bool) recordings {
	mode := setting
	if r.Replay != "" {
		mode = r.Replay
	}
	asked := mode
	if mode == "auto" {
		mode = "prefer"
		if ci {
			mode = "only"
		}
	}
	return recordings{mode: mode, mayWork: asked != "only", update: r.Update, asked: r.Record || r.Update || r.Tests, tests: r.Tests}
}

// unrecorded names a spec that only a model can run, or "". By rules alone, specs run whose
// sentences are all read; why lists those of the named one that are not.
func (c recordings) unrecorded(files []load.Case, byRules bool) (name, why string, err error) {
	for _, f := range files {
		if f.Spec == nil || c.mode == "only" && !byRules {
			continue
		}
		why = "it "
		if byRules && c.mayWork {
			unread := unreadSentences(f.Spec.Spec)
			if len(unread) == 0 {
				continue
			}
			why = "no form reads " + strings.Join(unread, "; ") + ". As it is, it "
		}
		if c.mode == "off" {
			return f.Path, why, nil
		}
		_, misfit, err := fittingRecording(f.Spec.Spec, f.Spec.Base)
		if err != nil {
			return "", "", config.Usage("%s: %w", f.Path, err)
		}
		if misfit != "" && c.mode != "only" {
			return f.Path, why, nil
		}
	}
	return "", "", nil
}

// maxUnread bounds how many sentences are quoted that no form reads.
const maxUnread = 3

// unreadSentences quotes the sentences of a spec that rules can't work, each with its reason.
func unreadSentences(s spec.Spec) (out []string) {
	for i, u := range agentrules.UnreadSentences(s.Task(), s.Procedure()) {
		if i == maxUnread {
			return append(out, "and others")
		}
		out = append(out, fmt.Sprintf("%q (%s)", u.Sentence, u.Why))
	}
	return out
}

// reportDrift returns the result of a spec whose recording no longer fits the page.
func (c recordings) reportDrift(r suite.Result, s spec.Spec, d flow.Drift, h replay.Healed, j Job) (suite.Result, bool, []pagetext.Text, error) {
	for i, step := range h.Flow.Recorded.Steps {
		if step.From <= d.Step && d.Step < step.To {
			r.Notes = append(r.Notes, pagetext.Sprintf("it drifted in step %d of the spec: %s", i+1, step.Text))
		}
	}
	if h.Why != "" {
		r.Notes = append(r.Notes, pagetext.Text("not healed: "+h.Why))
	}
	if c.update && c.mode == "prefer" && j.Model != nil {
		return r, false, append(r.Notes, pagetext.Sprintf("its recording no longer fits the page: %s (%s)", r.FailureReason, r.Report)), nil
	}
	r.Notes = append(r.Notes, pagetext.Text("if the page is meant to have changed, record it again: "+recordCommand(s)))
	return r, true, nil, nil
}

// keepHeals notes what was healed, and writes it into the recording where that
// is requested.
func (c recordings) keepHeals(r suite.Result, s spec.Spec, h replay.Healed) (suite.Result, bool, []pagetext.Text, error) {
	for _, heal := range h.Heals {
		r.Healed = true
		r.Notes = append(r.Notes, pagetext.Text("healed: "+heal.String()))
	}
	switch {
	case len(h.Heals) == 0 || r.Status != qa.TestPassed:
	case !c.update:
		r.Notes = append(r.Notes, pagetext.Text("keep what was healed: assay run --update-flows "+filepath.ToSlash(s.Path)))
	default:
		kept, problems, err := healedRecording(s, h)
		if err == nil && len(problems) > 0 {
			err = problems
		}
		if err == nil {
			err = writeRecording(s.Recording(), kept)
		}
		if err != nil {
			return r, true, nil, fmt.Errorf("keep what was healed: %w", err)
		}
		r.Notes = append(r.Notes, pagetext.Text("written to "+load.Relative([]string{s.Recording()})[0]))
	}
	return r, true, nil, nil
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
	f.Written, err = load.Written(filepath.Base(path), data, func(name string) ([]byte, error) {
		return disk.ReadPath(filepath.Join(filepath.Dir(path), name), flow.MaxFileBytes)
	})
	return f, problems, err
}

// replaySteps returns the steps of a spec in the form of its recording.
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

// healedRecording returns the recording as its file has it, with what was healed.
func healedRecording(s spec.Spec, h replay.Healed) (f flow.Flow, problems flow.Problems, err error) {
	f, problems, err = readRecording(s.Recording())
	if err != nil || len(problems) > 0 {
		return f, problems, err
	}
	for _, heal := range h.Heals {
		f = heal.Apply(f)
	}
	return f, nil, nil
}

// recordCommand returns the command that has a model run a spec and records what it did.
func recordCommand(s spec.Spec) string {
	return "assay run --replay prefer --update-flows " + filepath.ToSlash(s.Path)
}
