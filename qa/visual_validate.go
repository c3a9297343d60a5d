package qa

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pagetext"
)

// VisualKind names the kind of the checks that compare a picture with its
// baseline.
const VisualKind = "visual"

// What a named change does: see [VisualOptions].
const (
	NamedFail   = "fail"
	NamedIgnore = "ignore"
)

// Engines that compare pictures: see [VisualOptions].
const (
	EngineBuiltin    = "builtin"
	EnginePixelmatch = "pixelmatch"
)

// maxBaselineName bounds the name of a baseline, in characters.
const maxBaselineName = 100

// CheckBaselineName reports what is wrong with the name of a baseline.
func CheckBaselineName(name string) error {
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("name is empty: name the baseline, such as dashboard")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unprintable):
		return fmt.Errorf("name %q has control characters, or others that can't be seen: use letters, digits and spaces", name)
	case utf8.RuneCountInString(name) > maxBaselineName:
		return fmt.Errorf("name has %d characters: use up to %d", utf8.RuneCountInString(name), maxBaselineName)
	case strings.TrimSpace(name) != name:
		return fmt.Errorf("name %q begins or ends with a space: leave it out", name)
	default:
		return nil
	}
}

// unprintable reports whether a character can't be seen, or changes how others are:
// controls, line ends, signs of the direction, spaces of no width.
func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// ShownName returns a baseline's name as it is printed: what can't be seen in it is
// written as an escape. Versions from before, or from a folder, may have such.
func ShownName(name string) string {
	if utf8.ValidString(name) && !strings.ContainsFunc(name, unprintable) {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		r, size := utf8.DecodeRuneInString(name[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, name[i])
		case unprintable(r):
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

// withinThreshold ends the assertion of a finding about what differs in a
// picture that passed.
const withinThreshold = ", within the threshold"

// Within reports whether a finding is about a picture that differs and passed.
func (f Finding) Within() bool {
	return f.Category == Visual && f.Source == SourceTool && f.Assertion.HasSuffix(withinThreshold)
}

// AsWithin returns the finding marked as within the threshold.
func (f Finding) AsWithin() Finding {
	f.Assertion += withinThreshold
	return f
}

// Validate reports everything that is wrong with the options, all at once.
// Whether a selector is one is for others to say.
func (o VisualOptions) Validate() error {
	var errs []error
	refuse := func(field string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s %w", field, err))
		}
	}
	for field, places := range map[string][]string{"mask": o.Mask, "ignore": o.Ignore} {
		for i, place := range places {
			refuse(fmt.Sprintf("%s[%d]", field, i), checkPlace(place))
		}
	}
	if o.Threshold != nil {
		refuse("threshold", checkRatio(*o.Threshold))
	}
	if !slices.Contains([]string{"", NamedFail, NamedIgnore}, o.NamedChanges) {
		refuse("named_changes", fmt.Errorf("is %q: use %s or %s", o.NamedChanges, NamedFail, NamedIgnore))
	}
	if !slices.Contains([]string{"", EngineBuiltin, EnginePixelmatch}, o.Engine) {
		refuse("engine", fmt.Errorf("is %q: use %s or %s", o.Engine, EngineBuiltin, EnginePixelmatch))
	}
	for place, share := range o.Components {
		field := fmt.Sprintf("components[%q]", place)
		refuse(field, checkPlace(place))
		refuse(field, checkRatio(share))
	}
	if o.Freeze != nil && o.Freeze.IsZero() {
		refuse("freeze", errors.New("is no time: give one such as 2026-01-31T09:00:00Z"))
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// Places returns all selectors and boxes of the options, by the fields that they
// stand in, such as mask[0].
func (o VisualOptions) Places() map[string]string {
	out := map[string]string{}
	for i, place := range o.Mask {
		out[fmt.Sprintf("mask[%d]", i)] = place
	}
	for i, place := range o.Ignore {
		out[fmt.Sprintf("ignore[%d]", i)] = place
	}
	for place := range maps.Keys(o.Components) {
		out[fmt.Sprintf("components[%q]", place)] = place
	}
	return out
}

// IsBox reports whether a place is a rectangle, box=x,y,width,height, and not a
// selector.
func IsBox(place string) bool { return strings.HasPrefix(place, boxMark) }

// boxMark begins a rectangle where a selector may stand.
const boxMark = "box="

// checkPlace reports what is wrong with a selector or box, as far as that can
// be decided without a browser.
func checkPlace(place string) error {
	if strings.TrimSpace(place) == "" {
		return errors.New("is empty: give a selector, or box=x,y,width,height")
	}
	if !IsBox(place) {
		return nil
	}
	numbers := strings.Split(strings.TrimPrefix(place, boxMark), ",")
	good := len(numbers) == 4
	for i, text := range numbers {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		good = good && err == nil && n >= 0 && (n > 0 || i < 2)
	}
	if !good {
		return fmt.Errorf("is %q: a box is box=x,y,width,height in whole CSS pixels, such as box=0,0,300,40", place)
	}
	return nil
}

func checkRatio(share float64) error {
	if !(share >= 0 && share <= 1) { // this way round it refuses NaN, too
		return fmt.Errorf("is %v: use a share of the pixels from 0 to 1, such as 0.01 for one percent", share)
	}
	return nil
}

// validateVisuals reports what is wrong with the task's pictures.
func (t TaskSpec) validateVisuals() []error {
	var errs []error
	type picture struct{ name, part string }
	seen := map[picture]int{}
	for i, v := range t.Visual {
		at := fmt.Sprintf("visual[%d]", i)
		if err := CheckBaselineName(v.Name); err != nil {
			errs = append(errs, fmt.Errorf("%s.%w", at, err))
		}
		if v.Selector != "" && (strings.TrimSpace(v.Selector) == "" || IsBox(v.Selector)) {
			errs = append(errs, fmt.Errorf("%s.selector %q is no element: leave it out for the page", at, v.Selector))
		}
		if before, ok := seen[picture{v.Name, v.Selector}]; ok {
			errs = append(errs, fmt.Errorf("%s is the same picture as visual[%d]: give it another name, or leave it out", at, before))
		} else {
			seen[picture{v.Name, v.Selector}] = i
		}
		for _, err := range splitErrors(v.Validate()) {
			errs = append(errs, fmt.Errorf("%s.%w", at, err))
		}
	}
	return errs
}

// Compared reports whether a picture with this status was compared with its
// baseline, whatever came out of it.
func (s VisualStatus) Compared() bool {
	return slices.Contains([]VisualStatus{VisualSame, VisualWithin, VisualChanged, VisualSize}, s)
}

// Passes reports whether a picture with this status is as its baseline.
func (s VisualStatus) Passes() bool { return s == VisualSame || s == VisualWithin }

// UncomparedPictures returns the pictures that a task demands and that were
// not compared with their baselines, one interruption each. One that became a
// baseline just now, one that was made elsewhere, and one of a page that did
// not come to rest were not compared; nor is one that is compared with what
// the same run captured.
func UncomparedPictures(task TaskSpec, rows []VisualRow) []Interruption {
	var out []Interruption
	for _, v := range task.Visual {
		if why := v.notCompared(rows); why != "" {
			out = append(out, Interruption{Kind: NotExecuted, Subject: strings.TrimSpace(VisualKind + " " + v.Name + " " + v.Selector), Detail: why})
		}
	}
	return out
}

// notCompared says why the picture counts as not compared, or "".
func (v VisualCheck) notCompared(rows []VisualRow) pagetext.Text {
	why := pagetext.Text("not compared")
	for _, row := range rows {
		switch {
		case row.Name != v.Name || row.Part != v.Selector:
		case row.Status == VisualCaptured:
			return "not compared: " + row.Reason.Text()
		case !row.Status.Compared():
			why = "not compared: " + row.Reason.Text()
		case v.Threshold != nil && row.Threshold > *v.Threshold:
			why = pagetext.Sprintf("compared with threshold %v, where the task demands %v", row.Threshold, *v.Threshold)
		default:
			return ""
		}
	}
	return why
}
