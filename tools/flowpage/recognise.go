package flowpage

import (
	"context"
	"slices"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
)

// How long an element is waited for, and how many others are looked at for one
// that is not there any more.
const (
	recogniseLimit = 5 * time.Second
	maxNear        = 8
)

// Recognise waits until a step's selector leads to the recorded element.
func (p *Page) Recognise(ctx context.Context, e flow.RecordedElement, s qa.FlowStep, timeout time.Duration) error {
	over := p.Checker.Now().Add(min(timeout, recogniseLimit))
	var now map[string]string
	var why error
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, 250*time.Millisecond) {
		left := over.Sub(p.Checker.Now())
		id, err := p.Session.Identify(ctx, s.Action, s.Selector, max(left, 50*time.Millisecond))
		if err == nil && e.Is(id.Fingerprint) {
			return nil
		}
		if err != nil && !missing(err) {
			return p.Fault(err, false)
		}
		if now, why = id.Fingerprint, err; left <= pause {
			break
		}
		if err := wait.For(ctx, pause); err != nil {
			return p.Fault(err, false)
		}
	}
	if gone := p.Checker.SignedIn(ctx); isExpired(gone) {
		return p.Fault(gone, false)
	}
	return p.drift(ctx, e, s, now, why)
}

// missing reports whether an error says that a selector leads to no element, or
// to several.
func missing(err error) bool {
	c := engine.AsError("flow", err).Code
	return c == code.ElementNotFound || c == code.SelectorAmbiguous
}

// drift returns what is there instead of a recorded element, and by which other locator it
// is still found: one of its own, or that of the only element like it. An element with another fingerprint is never
// taken for it.
func (p *Page) drift(ctx context.Context, e flow.RecordedElement, s qa.FlowStep, now map[string]string, cause error) error {
	d := &flow.Drift{Step: e.Step, Selector: s.Selector, Was: e, Now: now}
	for _, other := range e.Locators {
		if other == s.Selector {
			continue
		}
		id, err := p.Session.Identify(ctx, s.Action, other, 50*time.Millisecond)
		if err == nil && e.Is(id.Fingerprint) {
			d.Healed = other
			break
		}
	}
	if d.Healed == "" {
		d.Candidates = p.near(ctx, e, s)
		same := slices.DeleteFunc(slices.Clone(d.Candidates), func(c flow.RecordedElement) bool { return !e.Is(c.Fingerprint) })
		if len(same) == 1 {
			d.Healed = same[0].Locators[0]
		}
	}
	why := pagetext.Sentence("")
	if cause != nil {
		why = engine.AsError("flow", cause).Message
	}
	return p.Fault(d.Fault(why), false)
}

// near returns the elements of the page that come closest to a recorded one. It is
// best effort: where there is none, nothing can be chosen.
func (p *Page) near(ctx context.Context, e flow.RecordedElement, s qa.FlowStep) []flow.RecordedElement {
	lines, err := p.Session.NearestTo(ctx, e.Frame, e.Fingerprint["role"], e.Fingerprint["name"], maxNear)
	if err != nil {
		return nil
	}
	var out []flow.RecordedElement
	for _, line := range lines {
		id, err := p.Session.Identify(ctx, s.Action, line, 50*time.Millisecond)
		if err == nil && len(id.Locators) > 0 && len(id.Fingerprint) > 0 {
			out = append(out, flow.RecordedElement{Step: e.Step, Locators: id.Locators, Fingerprint: id.Fingerprint, Frame: id.Frame, URL: id.URL})
		}
	}
	return out
}
