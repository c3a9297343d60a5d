package visualcheck

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/tools/engine"
)

// Job names one baseline that the page of a session is compared with.
type Job struct {
	Name       string           // of the baseline
	BaselineID string           // instead of Name: one version of it, in force or not
	Parts      []string         // selectors of elements, "" for the page; none: those of the baseline, else the page
	Options    qa.VisualOptions // where they give none, those of the baseline hold, then those of the settings
	Expects    []string         // ids of expectations that the checks are to prove
	Timeout    time.Duration    // until the page must be at rest; 0: as [browser.StillOptions] has it
}

// Outcome holds what came of a comparison.
type Outcome struct {
	Rows    []qa.VisualRow
	Status  qa.Status           // inconclusive: a picture was not compared, and no other one failed
	Subject string              // what checks call the first picture
	Reason  pagetext.Sentence   // one sentence that decided
	Causes  []pagetext.Text     // sentences with the page's words: what changed
	Notes   []pagetext.Sentence // what else the caller should know
	Cause   qa.Cause            // of the picture that decided
}

// Call names what a comparison needs of the call that runs it.
type Call interface {
	// SpendPicture counts a picture against the run's budget, or refuses it.
	SpendPicture(name string) error
	// ReturnPicture gives back one that was counted and not taken.
	ReturnPicture()
	// Expired returns why what the session shows decides nothing: its sign-in has
	// ended. err says that this could not be found out.
	Expired(ctx context.Context) (expired, err error)
	// Mask hides secrets in a text.
	Mask(text string) string
	// MaskJSON hides secrets in a JSON document.
	MaskJSON(data []byte) []byte
}

// Baselines holds the pictures that names stand for. It stores first pictures and
// proposes changed ones: what changes the picture in force is a person's decision,
// for which it has no method.
type Baselines interface {
	Find(ctx context.Context, name string, env qa.VisualEnvironment) (baseline.Version, error)
	Get(ctx context.Context, id string) (baseline.Version, error)
	Read(digest string) ([]byte, error)
	Capture(ctx context.Context, n baseline.New) (baseline.Version, error)
	Propose(ctx context.Context, n baseline.New) (baseline.Version, error)
}

// Options say what a comparison is made with.
type Options struct {
	Session   *browser.Session
	Baselines Baselines
	Defaults  Defaults
	Task      qa.TaskSpec   // of the run
	Run       string        // its id
	Window    time.Duration // how long the page is watched before its picture is taken
	MaxPixels int           // of the largest picture that is decoded
	Captured  []string      // ids of the baselines that the call has captured before
	Tool      string        // that errors name
}

// Check holds one comparison: its pictures, and what came of them.
type Check struct {
	Options
	Call
	Job      Job
	Pictures []*Picture
	Outcome  Outcome
	First    string              // id of the version that the pictures became, where there was none
	Warnings []pagetext.Sentence // of a capture: what went wrong beside it

	name    string
	env     qa.VisualEnvironment
	version baseline.Version // no ID: there is none, and the pictures become the first one
	inForce bool             // version is what the name stands for

	capturing bool // nothing is compared: the pictures become a version
	url       string
	status    int        // of the page's document
	frozen    *time.Time // the clock of the page, if it was loaded with one that stands
	proposal  string     // id of what a person can approve
}

// Compare takes the pictures of a page and compares them with a baseline's. A
// picture that was not compared (captured as the first, another environment,
// no rest) makes the outcome inconclusive. An error says that nothing could be
// looked at; the check's outcome has the subject then, as far as it is known.
//
// The caller gets what is to be stored and filed picture by picture:
// [Check.Images], [Check.Stored], [Check.Records]; at the end [Check.Next].
func Compare(ctx context.Context, call Call, o Options, job Job) (*Check, error) {
	v := newCheck(call, o, job)
	if err := job.Validate(); err != nil {
		return v, err
	}
	if err := v.prepare(ctx); err != nil {
		return v, err
	}
	if err := v.lookAll(ctx); err != nil {
		return v, err
	}
	if err := v.keepNew(ctx); err != nil {
		return v, err
	}
	v.Outcome.Status = qa.Passed
	return v, nil
}

func newCheck(call Call, o Options, job Job) *Check {
	return &Check{Options: o, Call: call, Job: job, name: job.Name, Outcome: Outcome{Rows: []qa.VisualRow{}}}
}

// Validate refuses what can't be meant.
func (j Job) Validate() error {
	if j.BaselineID == "" {
		if err := qa.CheckBaselineName(j.Name); err != nil {
			return engine.InvalidInput("give name, or baseline_id", "%v", err)
		}
	}
	if err := j.Options.Validate(); err != nil {
		return engine.InvalidInput("", "%v", err)
	}
	for _, part := range j.Parts {
		if part == "" {
			continue
		}
		if err := input.CheckSelector(part); err != nil {
			return err
		}
	}
	return nil
}

// lookAll takes every picture and compares it. What hinders one does not hide
// what the others show; an error comes back when it hinders all of them.
func (v *Check) lookAll(ctx context.Context) error {
	var broken error
	hindered := 0
	for _, p := range v.Pictures {
		p.err = v.look(ctx, p)
		if p.err == nil && p.restless == nil && p.before.SHA256 != "" {
			p.err = v.compare(p)
		}
		if p.err == nil {
			continue
		}
		if ctx.Err() != nil {
			return p.err
		}
		hindered++
		if broken == nil {
			broken = p.err
		}
	}
	if hindered < len(v.Pictures) {
		return nil
	}
	return broken
}

// prepare finds the version to compare with, and what has to be pictured.
func (v *Check) prepare(ctx context.Context) error {
	state, err := v.Session.State(ctx)
	if err != nil {
		return err
	}
	if state.URL == "about:blank" {
		return engine.InvalidInput("give url, or call page_navigate first", "no page is loaded: nothing can be pictured")
	}
	v.url, v.status = v.Mask(state.URL), state.Status
	if v.status >= http.StatusBadRequest {
		v.note("warning: the page answers status %d", v.status)
	}
	if v.env, err = environmentOf(ctx, v.Session); err != nil {
		return err
	}
	if err := v.find(ctx); err != nil {
		return err
	}
	parts := v.Job.Parts
	for _, p := range v.version.Pictures {
		if len(v.Job.Parts) == 0 {
			parts = append(parts, p.Part)
		}
	}
	if len(parts) == 0 {
		parts = []string{""}
	}
	for _, part := range parts {
		p := &Picture{Part: part, Row: qa.VisualRow{Name: v.name, Part: part, Regions: []qa.VisualRegion{}}}
		at := slices.IndexFunc(v.version.Pictures, func(b baseline.Picture) bool { return b.Part == part })
		if v.version.ID != "" && at < 0 && !v.mayCapture() {
			return v.unknownPart(part)
		}
		if at >= 0 {
			p.before = v.version.Pictures[at]
		}
		p.options = v.Job.Options
		if own := v.ofTask(part); own != nil {
			p.options = own.VisualOptions
		}
		p.settings = v.settle(p)
		v.Pictures = append(v.Pictures, p)
	}
	v.Outcome.Subject = v.Subject(v.Pictures[0])
	return nil
}

// settle gives a picture its settings. What a task demands, or is to prove an
// expectation, holds to what the task says, a person has approved, or is
// configured: a caller that chooses what may differ proves nothing.
func (v *Check) settle(p *Picture) settings {
	defaults, own := v.Defaults, v.version.Options
	s := defaults.settle(p.options, own, v.version.ID != "")
	var demanded qa.VisualOptions
	if task := v.ofTask(p.Part); task != nil {
		demanded = task.VisualOptions
	} else if len(v.Job.Expects) == 0 {
		return s
	}
	if v.version.Status != baseline.Approved {
		own = qa.VisualOptions{}
	}
	given := s.threshold
	s.tighten(defaults.settle(demanded, own, true))
	if s.threshold < given {
		v.note("a threshold of %s proves nothing, unless a person approves a baseline with it: %s holds", Percent(given), Percent(s.threshold))
	}
	return s
}

// environmentOf returns what pictures of a session depend on.
func environmentOf(ctx context.Context, s *browser.Session) (qa.VisualEnvironment, error) {
	p, err := s.Print(ctx)
	return qa.VisualEnvironment(p), err
}

// find looks the version up.
func (v *Check) find(ctx context.Context) error {
	var err error
	store := v.Baselines
	if id := v.Job.BaselineID; id != "" {
		if v.version, err = store.Get(ctx, id); err != nil {
			return err
		}
		v.name = v.version.Name
		force, err := store.Find(ctx, v.name, v.env)
		if err != nil && !errors.Is(err, baseline.ErrNotFound) {
			return err
		}
		v.inForce = force.ID == id // another environment's version may be in force beside it
		if v.Job.Name != "" && v.Job.Name != v.name {
			return engine.InvalidInput("leave one of them out", "baseline_id %s is a version of %q, and not of %q", id, v.name, v.Job.Name)
		}
		if !v.inForce {
			if v.named() || len(v.Job.Expects) > 0 {
				return engine.InvalidInput("leave baseline_id out: what is in force decides",
					"version %d of %q is %s and not what is in force here: it proves nothing", v.version.Number, v.name, v.version.Status)
			}
			v.note("compared with version %d of %q, which is %s and not in force here", v.version.Number, v.name, v.version.Status)
		}
		return nil
	}
	v.version, err = store.Find(ctx, v.name, v.env)
	switch {
	case errors.Is(err, baseline.ErrNotFound) && v.mayCapture():
		v.version = baseline.Version{}
		if !v.capturing && v.status >= http.StatusBadRequest {
			return &engine.Error{Code: code.BaselineNotFound, Message: pagetext.Sentencef("%v; none is captured of a page that answers status %d", err, v.status),
				Hint: "fix the page; if this is the page you mean, call capture_visual_baseline"}
		}
		if !errors.Is(err, baseline.ErrNone) { // what there is instead; that this is the first picture is said anyway
			v.note("%v", err)
		}
		return nil
	case err != nil:
		return err
	}
	v.inForce = true
	return nil
}

// mayCapture reports whether a picture that there is no baseline of is kept.
func (v *Check) mayCapture() bool {
	return v.capturing || v.Job.BaselineID == "" && v.Defaults.AutoCapture
}

// unknownPart refuses an element that the baseline has no picture of.
func (v *Check) unknownPart(part string) error {
	var known []string
	for _, p := range v.version.Pictures {
		known = append(known, partWords(p.Part))
	}
	return &engine.Error{Code: code.BaselineNotFound, Message: pagetext.Sentencef("version %d of %q has no picture of %s", v.version.Number, v.name, partWords(part)),
		Hint: "it has: " + strings.Join(known, ", ") + "; give another picture another name"}
}

func partWords(part string) string {
	if part == "" {
		return "the page"
	}
	return part
}

// ofTask returns the task's own check of this picture: its options are not for a
// caller to loosen.
func (v *Check) ofTask(part string) *qa.VisualCheck {
	for _, own := range v.Task.Visual {
		if own.Name == v.name && own.Selector == part {
			return &own
		}
	}
	return nil
}

// named reports whether the task is about this baseline.
func (v *Check) named() bool {
	return slices.ContainsFunc(v.Task.Visual, func(own qa.VisualCheck) bool { return own.Name == v.name })
}

func (v *Check) note(format string, args ...any) {
	if note := pagetext.Sentencef(format, args...); !slices.Contains(v.Outcome.Notes, note) {
		v.Outcome.Notes = append(v.Outcome.Notes, note)
	}
}
