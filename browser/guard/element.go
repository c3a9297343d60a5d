package guard

import (
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// Element describes an element that is about to be activated.
type Element struct {
	Names    []string  // of the control and of what it submits, as a person reads them
	Hints    []string  // what its author called it and its icon: classes, ids, data attributes, the code that it runs
	Around   []string  // the heading of the dialog that it answers, or the question that it asks
	Requests []Request // what its form, link or attributes send
}

// Act reports the rule by which activating an element is destructive, if there
// is one. What its author called it counts where a person reads nothing, and the
// question that it answers where a person reads only "Yes".
func (g *Guard) Act(e Element) (rule string, destructive bool) {
	answers, unnamed := true, true
	for _, name := range e.Names {
		if rule, hit := g.Click(name); hit {
			return rule, true
		}
		answers = answers && (nameless(name) || yes.MatchString(readable(name)))
		unnamed = unnamed && nameless(name)
	}
	for _, r := range e.Requests {
		if rule, hit := g.Request(r); hit {
			return rule, true
		}
	}
	if answers && !unnamed {
		for _, question := range e.Around {
			if rule, hit := g.Click(question); hit {
				return rule + ", by the question that it answers", true
			}
		}
	}
	if unnamed {
		if rule := hinted(e.Hints); rule != "" {
			return rule, true
		}
	}
	return "", false
}

// yes matches the names of buttons that agree to what stands above them.
var yes = programWords.Pattern("yes")

var trailingDigits = pattern.New(`\d+$`)

// hinted returns the rule that what an author called an element fits, "" for none.
func hinted(hints []string) string {
	for _, hint := range hints {
		for token := range strings.FieldsSeq(hint[:min(len(hint), maxName)]) {
			ws := lowerWords(token)
			for i, w := range ws {
				if bare := trailingDigits.ReplaceAllString(w, ""); bare != "" {
					ws[i] = bare
				}
			}
			if slices.ContainsFunc(ws, func(w string) bool { return programWords.Has("view", w) }) {
				return "" // closes, filters, clears: no act on the system
			}
			o := readOperation(ws)
			if !o.has(thingWords) { // "empty" alone is a state as often as an act: ng-not-empty
				o = o.strong()
			}
			if o.rule() == "delete" || slices.ContainsFunc(ws, func(w string) bool { return programWords.Has("bin", w) }) {
				return "delete, by what its author calls it"
			}
			if o.rule() == "pay" && len(ws) > 1 {
				return "pay, by what its author calls it"
			}
		}
	}
	return ""
}
