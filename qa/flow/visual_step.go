package flow

import (
	"maps"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
)

// visualStep names the action of a step that compares a picture with its
// baseline.
const visualStep = "visual"

// optionForm matches the field that a message about an option begins with.
var optionForm = pattern.New(`^[a-z_]+(?:\[\d+\])?`)

// visual checks a step that compares a picture.
func (v *validator) visual(at string, s qa.FlowStep) {
	if s.Name != "" {
		if err := qa.CheckBaselineName(s.Name); err != nil {
			v.add(at+".name", "%v", err)
		}
	}
	if qa.IsBox(s.Selector) {
		v.add(at+".selector", "selector %q is no element: leave it out for the page", text.Shorten(s.Selector, 40))
	}
	if s.Visual == nil {
		return
	}
	option := func(message string) {
		v.add(at+".visual."+optionForm.FindString(message), "visual.%s", message)
	}
	if err := s.Visual.Validate(); err != nil {
		for message := range strings.Lines(err.Error()) {
			option(strings.TrimSuffix(message, "\n"))
		}
	}
	places := s.Visual.Places()
	for _, field := range slices.Sorted(maps.Keys(places)) {
		place := places[field]
		switch {
		case HoldsSecret(place):
			option(field + " holds a secret: only the value of a fill may, because it is only typed")
		case v.rules.Selector == nil || strings.TrimSpace(place) == "" || qa.IsBox(place):
		default:
			if err := v.rules.Selector(place); err != nil {
				option(field + ": " + err.Error())
			}
		}
	}
}
