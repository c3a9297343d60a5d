package visualcheck

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// Defaults say how pictures are compared where neither the call nor the
// baseline does.
type Defaults struct {
	Threshold          float64 // share of pixels that may differ, 0 to 1
	Engine             string  // builtin, also where it is empty, or pixelmatch
	NamedChanges       string  // fail or ignore
	IgnoreAntialiasing bool
	IgnoreColors       bool
	AutoCapture        bool // the first picture of a name becomes its baseline, unapproved
}

// settings holds the options of one comparison, with nothing left open.
type settings struct {
	fullPage          bool
	mask              []string
	ignore            []string
	engine            string // of the comparison; empty: the builtin one
	threshold         float64
	ignoreNamed       bool // named changes are within the threshold, too
	components        map[string]float64
	ignoreColors      bool
	countAntialiasing bool
	freeze            *time.Time
}

// settle puts together what the caller, the baseline and the configuration
// say, in this order. Lists add up: what was masked in the baseline is masked
// again, and what is masked only now is left out of the comparison, since the
// baseline shows it. known tells that there is a baseline.
func (d Defaults) settle(caller, own qa.VisualOptions, known bool) settings {
	s := settings{
		fullPage: first(true, caller.FullPage, own.FullPage), threshold: first(d.Threshold, caller.Threshold, own.Threshold),
		engine:            cmp.Or(caller.Engine, own.Engine, d.Engine),
		ignoreNamed:       cmp.Or(caller.NamedChanges, own.NamedChanges, d.NamedChanges) == qa.NamedIgnore,
		ignoreColors:      first(d.IgnoreColors, caller.IgnoreColors, own.IgnoreColors),
		countAntialiasing: !first(d.IgnoreAntialiasing, caller.IgnoreAntialiasing, own.IgnoreAntialiasing),
		mask:              added(own.Mask, caller.Mask), ignore: added(own.Ignore, caller.Ignore),
		components: map[string]float64{}, freeze: cmp.Or(caller.Freeze, own.Freeze),
	}
	maps.Copy(s.components, own.Components)
	maps.Copy(s.components, caller.Components)
	if known {
		for _, m := range caller.Mask {
			if !slices.Contains(own.Mask, m) {
				s.ignore = added(s.ignore, []string{m})
			}
		}
	}
	return s
}

// tighten lets no more differ than other settings do.
func (s *settings) tighten(by settings) {
	s.threshold = min(s.threshold, by.threshold)
	s.ignoreNamed = s.ignoreNamed && by.ignoreNamed
	s.ignoreColors = s.ignoreColors && by.ignoreColors
	s.countAntialiasing = s.countAntialiasing || by.countAntialiasing
	for place, share := range by.components {
		s.components[place] = min(s.components[place], share)
	}
}

// replacing returns the options of a version that takes the place of another one:
// its own, but for those that shape the picture, which are as it was taken. A
// caller that captures on purpose says the others, too.
func replacing(own, caller qa.VisualOptions, all bool) qa.VisualOptions {
	out := own
	out.FullPage, out.Mask, out.Freeze = cmp.Or(caller.FullPage, own.FullPage), added(own.Mask, caller.Mask), cmp.Or(caller.Freeze, own.Freeze)
	if !all {
		return out
	}
	out.Engine = cmp.Or(caller.Engine, own.Engine)
	out.NamedChanges = cmp.Or(caller.NamedChanges, own.NamedChanges)
	out.Threshold, out.IgnoreColors = cmp.Or(caller.Threshold, own.Threshold), cmp.Or(caller.IgnoreColors, own.IgnoreColors)
	out.IgnoreAntialiasing, out.Ignore = cmp.Or(caller.IgnoreAntialiasing, own.IgnoreAntialiasing), added(own.Ignore, caller.Ignore)
	if len(caller.Components) > 0 {
		out.Components = maps.Clone(own.Components)
		if out.Components == nil {
			out.Components = map[string]float64{}
		}
		maps.Copy(out.Components, caller.Components)
	}
	return out
}

// first returns the first value that is given, or the default one.
func first[T any](otherwise T, given ...*T) T {
	for _, g := range given {
		if g != nil {
			return *g
		}
	}
	return otherwise
}

// added returns a list with what another one has beyond it.
func added(list, more []string) []string {
	out := slices.Clone(list)
	for _, m := range more {
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

// addedText returns a list with a text that it did not have.
func addedText(list []pagetext.Text, one pagetext.Text) []pagetext.Text {
	if slices.Contains(list, one) {
		return list
	}
	return append(slices.Clone(list), one)
}
