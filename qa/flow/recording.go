package flow

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/assay-qa/assay/internal/text"
)

// Recorded says which spec a flow was compiled from, and how its elements are
// distinguished from others.
type Recorded struct {
	Spec     string            `json:"spec"`               // id of the spec
	Run      string            `json:"run"`                // id of the run that passed
	Steps    []RecordedStep    `json:"steps,omitempty"`    // of the spec, in their order
	Elements []RecordedElement `json:"elements,omitempty"` // that the flow's steps act on
	Cleanup  int               `json:"cleanup,omitempty"`  // the flow's first step that tidies up, from 0, which runs whatever came before; 0: there is none
}

// RecordedStep holds a step of the spec with the flow's steps that came of it.
type RecordedStep struct {
	Key     string              `json:"key"`               // hash of the step's text and of all before it
	Text    string              `json:"text"`              // as the spec had it
	From    int                 `json:"from"`              // first step of the flow, from 0
	To      int                 `json:"to"`                // one past the last
	Expects map[string][]string `json:"expects,omitempty"` // index of an assert step to ids of expectations
}

// RecordedElement holds what a step of the flow acted on, so that another element
// in its place is drift and no fault.
type RecordedElement struct {
	Step        int               `json:"step"`            // of the flow, from 0
	Locators    []string          `json:"locators"`        // each led to this element alone; the steadiest first
	Fingerprint map[string]string `json:"fingerprint"`     // tag, role, name, type…
	Frame       string            `json:"frame,omitempty"` // selector of its frame, if not the page's own
	URL         string            `json:"url,omitempty"`   // of the page before the step

	// Guessed says that a model chose the element in place of the recorded one:
	// what fails from then on may be the guess's fault.
	Guessed bool `json:"-"`
}

// Element returns the recorded element of a step, from 0, or nil.
func (r *Recorded) Element(step int) *RecordedElement {
	if r == nil {
		return nil
	}
	i := slices.IndexFunc(r.Elements, func(e RecordedElement) bool { return e.Step == step })
	if i < 0 {
		return nil
	}
	return &r.Elements[i]
}

// SpecStep returns the index of the spec's step that a step of the flow, from 0, came of; -1
// where it came of none.
func (r *Recorded) SpecStep(step int) int {
	if r == nil {
		return -1
	}
	return slices.IndexFunc(r.Steps, func(s RecordedStep) bool { return s.Text != "" && s.From <= step && step < s.To })
}

// Expects returns the ids of the expectations that an assert step, from 0, proves.
func (r *Recorded) Expects(step int) []string {
	if r == nil {
		return nil
	}
	for _, s := range r.Steps {
		if ids := s.Expects[strconv.Itoa(step)]; len(ids) > 0 {
			return ids
		}
	}
	return nil
}

// recorded checks that what was recorded still is about the flow's steps.
func (v *validator) recorded(f Flow) {
	r := f.Recorded
	if r == nil {
		return
	}
	const remedy = "the flow was edited by hand: take recorded out, or record it again"
	if len(f.Include) > 0 {
		v.add("recorded", "a recorded flow includes no other: %s", remedy)
		return
	}
	for i, e := range r.Elements {
		at := fmt.Sprintf("recorded.elements[%d]", i)
		switch {
		case e.Step < 0 || e.Step >= len(f.Steps):
			v.add(at, "there is no step %d: %s", e.Step, remedy)
		case !slices.Contains(e.Locators, f.Steps[e.Step].Selector):
			v.add(at, "selector %q of step %d is none of its locators: %s", text.Shorten(f.Steps[e.Step].Selector, 80), e.Step+1, remedy)
		case len(e.Fingerprint) == 0:
			v.add(at, "it has no fingerprint, so any element would be taken for it: %s", remedy)
		}
	}
	for i, s := range r.Steps {
		at := fmt.Sprintf("recorded.steps[%d]", i)
		if s.From < 0 || s.To < s.From || s.To > len(f.Steps) {
			v.add(at, "it is about steps %d to %d of %d: %s", s.From, s.To, len(f.Steps), remedy)
		}
		for key := range s.Expects {
			n, err := strconv.Atoi(key)
			if err != nil || n < 0 || n >= len(f.Steps) || f.Steps[n].Action != "assert" && f.Steps[n].Action != visualStep {
				v.add(at+".expects", "%q is the index of no assert step: %s", text.Shorten(key, 20), remedy)
			}
		}
	}
	if r.Cleanup < 0 || r.Cleanup > len(f.Steps) {
		v.add("recorded.cleanup", "there is no step %d: %s", r.Cleanup, remedy)
	}
}
