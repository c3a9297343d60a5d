package runner

import (
	"bytes"
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

	repeated bool // each case runs several times, all in one way: none is recorded

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
	return recordings{repeated: r.Repeat > 1, mode: mode, mayWork: asked != "only", update: r.Update, asked: r.Record || r.Update || r.Tests, tests: r.Tests}
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
		kept := recordingOf(f.Spec.Spec, f.Spec.Base)
		if kept.err != nil {
			return "", "", config.Usage("%s: %w", f.Path, kept.err)
		}
		if kept.misfit != "" && c.mode != "only" {
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
func (c recordings) keepHeals(r suite.Result, s spec.Spec, kept *recording, h replay.Healed) (suite.Result, bool, []pagetext.Text, error) {
	for _, heal := range h.Heals {
		r.Healed = true
		r.Notes = append(r.Notes, pagetext.Text("healed: "+heal.String()))
	}
	switch {
	case len(h.Heals) == 0 || r.Status != qa.TestPassed:
	case !c.update:
		r.Notes = append(r.Notes, pagetext.Text("keep what was healed: assay run --update-flows "+filepath.ToSlash(s.Path)))
	default:
		f := kept.asWritten
		for _, heal := range h.Heals {
			f = heal.Apply(f)
		}
		err := kept.write(s, f)
		switch {
		case errors.Is(err, errRecordingChanged):
			r.Notes = append(r.Notes, pagetext.Text("not kept: "+err.Error()))
		case err != nil:
			return r, true, nil, fmt.Errorf("keep what was healed: %w", err)
		default:
			r.Notes = append(r.Notes, pagetext.Text("written to "+load.Relative([]string{s.Recording()})[0]))
		}
	}
	return r, true, nil, nil
}

// recording is that of a spec. It is read once, before the spec runs, and again only where it
// was written anew.
type recording struct {
	text      []byte // of its file; nil: there is none
	asWritten flow.Flow
	flow      flow.Flow // ready to run
	base      string    // address that its relative ones belong to
	misfit    string    // why it can't be used; empty where it can
	err       error     // it could not be read
}

// recordingOf reads the recording of a spec.
func recordingOf(s spec.Spec, base string) recording {
	r := recording{base: base}
	if r.text, r.err = recordingText(s); r.err != nil {
		return r
	}
	if r.text == nil {
		r.misfit = "it has no recording"
		return r
	}
	f, problems, err := readRecording(s.Recording(), r.text)
	switch {
	case err != nil:
		r.err = fmt.Errorf("read the recording: %w", err)
		return r
	case len(problems) > 0:
		r.misfit = "its recording is no flow: " + problems[0].Error()
		return r
	}
	r.asWritten = f
	n, whole := replay.Fits(f.Recorded, stepKeys(s))
	switch {
	case f.Recorded == nil:
		r.misfit = filepath.Base(s.Recording()) + " is no recording: a person wrote it"
	case !whole && n < len(s.Steps):
		r.misfit = fmt.Sprintf("it was edited since it was recorded: step %d (%s) is another one, and so is all that follows", n+1, s.Steps[n].Text)
	case !whole:
		r.misfit = "it was edited since it was recorded: steps were taken out"
	default:
		if r.flow, problems = f.Below(base).Resolve(base); len(problems) > 0 {
			r.misfit = "its recording: " + problems[0].Error()
		}
	}
	return r
}

// recordingText returns the file of a spec's recording; nil where there is none.
func recordingText(s spec.Spec) ([]byte, error) {
	text, err := disk.ReadPath(s.Recording(), flow.MaxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // see above
	}
	if err != nil {
		return nil, fmt.Errorf("read the recording: %w", err)
	}
	return text, nil
}

// errRecordingChanged says that a recording is another one than the run began with.
var errRecordingChanged = errors.New("the recording was changed while its spec ran, and nothing is written over that; run the spec again")

// write writes a flow as the recording of a spec, unless somebody has changed that since it
// was read.
func (r *recording) write(s spec.Spec, f flow.Flow) error {
	now, err := recordingText(s)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, r.text) || (now == nil) != (r.text == nil) {
		r.misfit = errRecordingChanged.Error()
		return errRecordingChanged
	}
	if err := writeRecording(s.Recording(), f); err != nil {
		return err
	}
	*r = recordingOf(s, r.base)
	return r.err
}

// readRecording reads a recording as its file has it.
func readRecording(path string, data []byte) (f flow.Flow, problems flow.Problems, err error) {
	f, problems = flow.Load(filepath.Base(path), func(string) ([]byte, error) { return data, nil }, rules.Flows())
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
	text, err := f.JSON()
	if err != nil {
		return fmt.Errorf("encode the recording: %w", err)
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("write the recording: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return disk.Write(root, filepath.Base(path), text)
}

// recordCommand returns the command that has a model run a spec and records what it did.
func recordCommand(s spec.Spec) string {
	return "assay run --replay prefer --update-flows " + filepath.ToSlash(s.Path)
}
