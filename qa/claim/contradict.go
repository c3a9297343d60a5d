package claim

import (
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/text"
)

// Contradicts reports whether two claims can't both hold: the same subject with
// opposite polarity, or the same subject and type with another object where only
// one can be. Claims of an assertion count as those of a sentence do: make a
// Claim of its type, selector and expected value.
func Contradicts(a, b Claim) bool {
	a, b = a.normal(), b.normal()
	if !sameSubject(a, b) {
		return false
	}
	if a.Type == "comes_before" && b.Type == "comes_before" && !a.Not && !b.Not && a.Selector == b.Expected && a.Expected == b.Selector && a.Selector != b.Selector {
		return true
	}
	if a.Type == b.Type && slices.Contains(partTypes, a.Type) {
		return textsContradict(a, b) || textsContradict(b, a)
	}
	if low, high, ok := a.CountRange(); ok {
		if lowB, highB, ok := b.CountRange(); ok {
			return low > highB || lowB > high
		}
	}
	if a.Type != b.Type || a.Attribute != b.Attribute || a.URL != b.URL || a.Op != b.Op {
		return exclusive(a, b)
	}
	if sameObject(a, b) {
		return a.Not != b.Not
	}
	return !a.Not && !b.Not && slices.Contains(singleValueTypes, a.Type) && !sameFigure(a, b)
}

// singleValueTypes lists the types of which one subject has one value at a time.
var singleValueTypes = strings.Fields("text_equals value_equals selected_label attribute_equals css_equals role_equals name_equals " +
	"description_equals error_message_equals title_equals response_status kpi sorted_by")

// partTypes lists the types that look for a text within another.
var partTypes = strings.Fields("text_contains title_contains value_contains")

// normal writes the same claim in one way.
func (c Claim) normal() Claim {
	c.Selector, c.Expected = squeeze(c.Selector), squeeze(c.Expected)
	for i := range c.Alike {
		c.Alike = slices.Clone(c.Alike)
		c.Alike[i] = squeeze(c.Alike[i])
	}
	switch c.Type {
	case "hidden":
		c.Type, c.Not = "visible", !c.Not
	case "checked", "enabled":
		if c.Expected == "false" {
			c.Not = !c.Not
		}
		c.Expected = ""
	case "visible", "exists", "console_clean":
		c.Expected = ""
	case "kpi":
		c.Attribute = strings.ToLower(squeeze(c.Attribute))
	}
	return c
}

// sameSubject reports whether two claims are about the same thing, under one of
// its selectors at least.
func sameSubject(a, b Claim) bool {
	if a.Type == "comes_before" && b.Type == "comes_before" && a.Selector == b.Expected && a.Expected == b.Selector {
		return true
	}
	for _, s := range append([]string{a.Selector}, a.Alike...) {
		if s == b.Selector || slices.Contains(b.Alike, s) {
			return true
		}
	}
	return false
}

func sameObject(a, b Claim) bool { return a.Expected == b.Expected || sameFigure(a, b) }

// sameFigure reports whether two values of a figure may be the same number,
// written in two ways.
func sameFigure(a, b Claim) bool {
	if a.Type != "kpi" || b.Type != "kpi" {
		return false
	}
	x, okX := value(a.Expected)
	y, okY := value(b.Expected)
	return !okX || !okY || x == y
}

// value returns the one number of a text, where nothing shortens it.
func value(text string) (float64, bool) {
	numbers := Numbers(text)
	if len(numbers) != 1 {
		return 0, false
	}
	v, err := strconv.ParseFloat(numbers[0].Value, 64)
	return v, err == nil
}

// textsContradict reports whether b denies a text that a demands as a part of
// another.
func textsContradict(a, b Claim) bool {
	if a.Not || !b.Not || b.Expected == "" {
		return false
	}
	if b.WholeWords {
		return text.WordsWithin(a.Expected, b.Expected)
	}
	return strings.Contains(a.Expected, b.Expected)
}

const endless = 1 << 30

// CountRange returns how many of the subject are seen by a claim, from and to; ok is false
// where it does not count them.
func (c Claim) CountRange() (low, high int, ok bool) {
	c = c.normal()
	if c.Type == "visible" {
		if c.Not {
			return 0, 0, true
		}
		return 1, endless, true
	}
	n, err := strconv.Atoi(c.Expected)
	if err != nil || c.Not {
		return 0, 0, false
	}
	switch c.Type {
	case "count_equals":
		return n, n, true
	case "count_at_least":
		return n, endless, true
	case "count_at_most":
		return 0, n, true
	}
	return 0, 0, false
}

// exclusive reports whether claims of different types can't both hold.
func exclusive(a, b Claim) bool {
	pair := func(one, other string) bool {
		return !a.Not && !b.Not && (a.Type == one && b.Type == other || a.Type == other && b.Type == one)
	}
	switch {
	case pair("checked", "indeterminate"):
		return true
	case pair("empty", "value_equals"):
		return a.Expected+b.Expected != ""
	case a.Type == "visible" && a.Not && b.Type == "in_viewport" && !b.Not, b.Type == "visible" && b.Not && a.Type == "in_viewport" && !a.Not:
		return true
	}
	return false
}
