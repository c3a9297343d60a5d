package flow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/qa/element"
)

// Drift says that a step of a recorded flow met another element than the one
// that was recorded, several, or none.
type Drift struct {
	Step       int               // of the flow, from 0
	Selector   string            // that no longer leads there
	Was        RecordedElement   // without locators where the element was not recorded
	Now        map[string]string // fingerprint of what is there instead; nil: nothing, or several
	Healed     string            // another locator that leads to the element, one that was recorded if any does; empty: none is known
	Candidates []RecordedElement // what comes nearest to it on the page
}

// Heal holds one replaced locator of a recorded flow.
type Heal struct {
	Step    int    // of the flow, from 0
	Old     string // selectors
	New     string
	Element RecordedElement // as it is known from now on
	By      string          // what found it
}

// String returns the heal as a line of a diff.
func (h Heal) String() string {
	return fmt.Sprintf("step %d: %s → %s (%s)", h.Step+1, h.Old, h.New, h.By)
}

// Apply returns the flow with the healed locator. f is not changed.
func (h Heal) Apply(f Flow) Flow {
	out, r := f, *f.Recorded
	out.Steps = slices.Clone(f.Steps)
	out.Steps[h.Step].Selector = h.New
	r.Elements = slices.Clone(r.Elements)
	if e := r.Element(h.Step); e != nil {
		*e = h.Element
		e.Step = h.Step
	}
	out.Recorded = &r
	return out
}

// Known returns what is known of a recorded element.
func (e RecordedElement) Known() element.Element { return element.Recorded(e.Fingerprint, e.Locators) }

// Is reports whether an element with a fingerprint is the recorded one: its role, its words
// and its place among those like it are equal.
func (e RecordedElement) Is(fingerprint map[string]string) bool {
	return len(e.Fingerprint) > 0 && len(fingerprint) > 0 && element.Same(e.Known(), element.Recorded(fingerprint, nil))
}

// Describe says what element a fingerprint is of, in words.
func Describe(fingerprint map[string]string) string {
	if len(fingerprint) == 0 {
		return "nothing"
	}
	kind := fingerprint["role"]
	if kind == "" {
		kind = fingerprint["tag"]
	}
	out := kind
	if fingerprint["name"] != "" {
		out += fmt.Sprintf(" %q", fingerprint["name"])
	}
	for _, key := range []string{"field", "type", "within", "of", "path"} {
		if fingerprint[key] != "" {
			out += fmt.Sprintf(" (%s %s)", key, fingerprint[key])
		}
	}
	return out
}

// Fault returns the drift as the fault of a step. why is what the page said.
func (d *Drift) Fault(why pagetext.Sentence) *Fault {
	was := d.Selector
	if len(d.Was.Fingerprint) > 0 {
		was = Describe(d.Was.Fingerprint)
		if was != d.Selector {
			was += " (" + d.Selector + ")"
		}
	}
	now := why
	if d.Now != nil {
		now = "there is now " + pagetext.Quoted(pagetext.Text(Describe(d.Now)))
	}
	f := &Fault{Code: code.Drift, Drift: d, Message: pagetext.Sentencef("the page is not as it was recorded: there was %s; %s", pagetext.Text(was), now),
		Hint: "look whether the page is meant to have changed; then record the spec again, or run it with --update-flows"}
	for _, c := range d.Candidates {
		f.Near = append(f.Near, pagetext.Text(c.Locators[0]))
	}
	return f
}

// performAct performs a step that acts. In a recorded flow it makes sure first that the
// step is about the same element.
func (r *runner) performAct(ctx context.Context, s plannedStep, timeout time.Duration) error {
	if r.flow.Recorded == nil || s.Selector == "" {
		return r.page.Do(ctx, s.FlowStep, timeout)
	}
	i := s.record.Index - 1
	if e := r.flow.Recorded.Element(i); e != nil {
		if err := r.page.Recognise(ctx, *e, s.FlowStep, timeout); err != nil {
			return err
		}
	}
	err := r.page.Do(ctx, s.FlowStep, timeout)
	var f *Fault
	if errors.As(err, &f) && (f.Code == code.ElementNotFound || f.Code == code.SelectorAmbiguous) { // a step of which no element was recorded, or that lost it
		d := &Drift{Step: i, Selector: s.Selector}
		if e := r.flow.Recorded.Element(i); e != nil {
			d.Was = *e
		}
		return d.Fault(f.Message)
	}
	return err
}

// markGuess takes back what fails after a guess: the page may be in order, and the
// guess wrong.
func (r *runner) markGuess(s *Step) {
	if r.flow.Recorded == nil {
		return
	}
	failed := s.Outcome != nil && !s.Outcome.Passed || s.Fault != nil && s.Fault.OfPage()
	i := slices.IndexFunc(r.flow.Recorded.Elements, func(e RecordedElement) bool { return e.Guessed && e.Step < s.Index })
	if !failed || i < 0 {
		return
	}
	e := r.flow.Recorded.Elements[i]
	why := func() pagetext.Sentence {
		if s.Fault != nil {
			return s.Fault.Message
		}
		return pagetext.Sentencef("expected %s, observed %s", s.Outcome.Expected, s.Outcome.Observed)
	}()
	s.Outcome = nil
	s.Fault = &Fault{Code: code.Drift, Message: pagetext.Sentencef("%s; but step %d was healed by a guess (%s), which may be what is wrong", why, e.Step+1, pagetext.Text(Describe(e.Fingerprint))),
		Hint: "record the spec again"}
}

// isCleanup reports whether a step runs whatever came before.
func (r *runner) isCleanup(s *Step) bool {
	return r.flow.Recorded != nil && r.flow.Recorded.Cleanup > 0 && s.Index > r.flow.Recorded.Cleanup && s.Action != FinalCheck
}

// cleanupLimit bounds the steps that tidy up after a flow that has no time left.
const cleanupLimit = 20 * time.Second

// runCleanup runs a step that tidies up though the flow has failed. A run that was
// cancelled, and a page that is lost, are left as they are.
func (r *runner) runCleanup(ctx context.Context, s plannedStep) {
	cause := r.attempt.Failed.Fault
	if cause != nil && (cause.Code == code.Cancelled || cause.Lost) {
		s.record.Status = qa.TestSkipped
		return
	}
	if r.tidied.IsZero() {
		r.tidied = r.Clock.Now().Add(cleanupLimit)
	}
	if r.deadline.Before(r.tidied) {
		r.deadline = r.tidied
	}
	ctx, cancel := wait.CleanUp(ctx, max(r.tidied.Sub(r.Clock.Now()), time.Millisecond))
	defer cancel()
	r.runStep(ctx, s)
}
