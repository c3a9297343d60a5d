package health

import (
	"slices"
	"strings"
)

var (
	bare   = leftovers.Pattern("bare")
	priced = leftovers.Pattern("priced")
	sized  = leftovers.Pattern("sized")
	counts = leftovers.Pattern("counts")
	// A label, a colon, and the value at the end.
	label = leftovers.Pattern("label")
	greet = leftovers.Pattern("greet")
	// What a page of a program's interface says of values.
	meta = leftovers.Pattern("meta")
	word = leftovers.Pattern("word")
)

// checkValue looks for what stands where a value should be.
func (j *judge) checkValue(t Text) {
	if !word.MatchString(t.Text) && !strings.Contains(t.Text, "Infinity") || brokenDay.MatchString(t.Text) {
		return
	}
	if priced.MatchString(t.Text) || sized.MatchString(t.Text) {
		if !j.proseMentions(t) {
			j.add(NoValue, !j.technical, t.Selector, "%s", quoted(t.Text))
		}
		return
	}
	whole := bare.MatchString(t.Text)
	short := words(t.Text) <= 8
	switch {
	case meta.MatchString(t.Text), !whole && j.proseMentions(t):
		return
	case whole && j.usedAsName(t):
		return
	case whole, short && (label.MatchString(t.Text) || greet.MatchString(t.Text) || j.inOwnElement(t)), words(t.Text) <= 20 && counts.MatchString(t.Text):
		j.add(NoValue, !j.technical, t.Selector, "%s", quoted(t.Text))
	}
}

// inOwnElement reports whether the value stands in an element of its own, at an end of
// a short text: a badge behind its label.
func (j *judge) inOwnElement(t Text) bool {
	if t.Prose && words(t.Text) > 4 {
		return false
	}
	return slices.ContainsFunc(t.Own, func(own string) bool { return strings.HasPrefix(t.Text, own) || strings.HasSuffix(t.Text, own) })
}

func (j *judge) proseMentions(t Text) bool {
	return j.mentions(t, word.FindString(t.Text))
}

// usedAsName reports whether the page uses a word as a name: its prose
// mentions or quotes it.
func (j *judge) usedAsName(t Text) bool {
	name := word.FindString(t.Text)
	if name == "NaN" {
		return false
	}
	for _, other := range append([]Text{{Text: j.facts.Title}}, j.facts.Texts...) {
		if other.Text == t.Text || other.Code || !strings.Contains(other.Text, name) {
			continue
		}
		if quotes(other.Text, name) || words(other.Text) > 4 && speaks.MatchString(other.Text) && !counts.MatchString(other.Text) && !greet.MatchString(other.Text) {
			return true
		}
	}
	return false
}

// speaks matches a sentence that says something of a name.
var speaks = leftovers.Pattern("speaks")
