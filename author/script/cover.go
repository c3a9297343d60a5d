package script

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
)

// positive and negative list the matchers that say what an assertion type says, and
// that it is not so.
func positive() map[qa.AssertionType][]string {
	shown := []string{"toBeVisible", "toBeInViewport", "toHaveText", "toContainText", "toHaveCount"}
	return map[qa.AssertionType][]string{
		"exists": append([]string{"toBeAttached"}, shown...), "visible": shown, "in_viewport": {"toBeInViewport"},
		"hidden":        {"toBeHidden", "not toBeVisible", "not toBeAttached", "toHaveCount 0", "not toContainText", "not toHaveText"},
		"text_contains": {"toContainText", "toHaveText", "toBeVisible", "toBeInViewport"}, "text_equals": {"toHaveText"}, "text_matches": {"toHaveText", "toContainText"},
		"value_equals": {"toHaveValue"}, "value_contains": {"toHaveValue"}, "selected": {"toHaveValue", "toHaveText"}, "count_equals": {"toHaveCount"},
		"attribute_equals": {"toHaveAttribute"}, "class_contains": {"toHaveClass", "toContainClass"},
		"css_equals": {"toHaveCSS"}, "role_equals": {"toHaveRole"}, "name_equals": {"toHaveAccessibleName"},
		"checked": {"toBeChecked"}, "enabled": {"toBeEnabled"}, "editable": {"toBeEditable"}, "focused": {"toBeFocused"}, "empty": {"toBeEmpty"},
		"url_matches": {"toHaveURL"}, "title_equals": {"toHaveTitle"}, "title_contains": {"toHaveTitle"},
	}
}

func negative() map[qa.AssertionType][]string {
	gone := positive()["hidden"]
	return map[qa.AssertionType][]string{
		"exists": gone, "visible": gone, "text_contains": gone, "hidden": positive()["visible"],
		"enabled": {"toBeDisabled", "not toBeEnabled"}, "text_equals": {"not toHaveText"}, "count_equals": {"not toHaveCount"},
	}
}

// matchersOf lists the matchers that make a demand, each with "not" before it where it
// is denied.
func matchersOf(d qa.Demand) []string {
	if d.Figure != "" {
		return []string{"toHaveText", "toContainText"}
	}
	if !d.Assertion.Not {
		return positive()[d.Assertion.Type]
	}
	if named, ok := negative()[d.Assertion.Type]; ok {
		return named
	}
	var out []string
	for _, m := range positive()[d.Assertion.Type] {
		out = append(out, "not "+m)
	}
	return out
}

// CanCover says why no assertion of a test covers a demand, or nil.
func CanCover(d qa.Demand) error {
	if len(matchersOf(d)) == 0 {
		return fmt.Errorf("no assertion of a test that a model may write says that %s", d.Means)
	}
	return nil
}

// CoveredBy returns for each demand of an expectation the assertions that make it, by their
// index; missing are the demands that none makes.
func CoveredBy(demands []qa.Demand, all []Assertion) (made []int, missing []qa.Demand) {
	done := map[string]bool{} // what differs in the role alone is one thing to look for
	for _, d := range demands {
		if presumed(d, demands) {
			continue
		}
		found := false
		for i, a := range all {
			if a.Makes(d) {
				made, found = append(made, i), true
			}
		}
		done[key(d)] = done[key(d)] || found
	}
	for _, d := range demands {
		if !presumed(d, demands) && !done[key(d)] {
			missing, done[key(d)] = append(missing, d), true
		}
	}
	slices.Sort(made)
	return slices.Compact(made), missing
}

// presumed reports whether a demand says only that there is the one thing that the
// others are about.
func presumed(d qa.Demand, all []qa.Demand) bool {
	return len(all) > 1 && d.Assertion.Type == "count_equals" && d.Assertion.Expected == "1" && len(names(d.Selector)) == 0
}

func key(d qa.Demand) string {
	return fmt.Sprint(d.Assertion, d.Figure, names(d.Selector))
}

// names lists what a selector quotes.
func names(selector string) (out []string) {
	for _, part := range strings.Split(selector, " >> ") {
		if strings.HasPrefix(part, "css=") || strings.HasPrefix(part, "xpath=") {
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(part, -1) {
			out = append(out, strings.ReplaceAll(m[1], `\"`, `"`))
		}
	}
	return out
}

// says reports whether an assertion says what one of the matchers says.
func (a Assertion) says(matchers []string) bool {
	name := a.Matcher
	if a.Matcher == "toHaveCount" && slices.Equal(a.Expected, []string{"0"}) {
		if name = "toHaveCount 0"; a.Not {
			name = "toHaveCount" // there is at least one
		}
	} else if a.Not {
		name = "not " + name
	}
	return slices.Contains(matchers, name)
}

var quoted = pattern.New(`"((?:[^"\\]|\\.)*)"`)

// roleOf is how a line of a snapshot begins.
var roleOf = pattern.New(`^(?:role=)?([a-z]+)(?: "|$)`)

// byLabel are calls that find a field without its role.
func byLabel() []string {
	return []string{"getByLabel", "getByPlaceholder", "getByAltText", "getByTitle"}
}

// Makes reports whether the assertion makes a demand: it names what the demand names,
// and says of it what that says.
func (a Assertion) Makes(d qa.Demand) bool {
	if !a.says(matchersOf(d)) {
		return false
	}
	for _, wanted := range expectedOf(d) {
		if found := holds(a.Expected, wanted) || looks(d) && holds(a.Subject, wanted); !found {
			return false
		}
	}
	if d.Figure != "" {
		named := func(text string) bool { return strings.Contains(strings.ToLower(text), strings.ToLower(d.Figure)) }
		return slices.ContainsFunc(a.Subject, named) || slices.ContainsFunc(a.Expected, named)
	}
	return slices.ContainsFunc(append([]string{d.Selector}, d.Alike...), a.isOn)
}

// looks reports whether the text that a demand compares with may be part of the locator.
func looks(d qa.Demand) bool {
	return slices.Contains([]qa.AssertionType{"exists", "visible", "hidden", "text_contains", "in_viewport"}, d.Assertion.Type)
}

// expectedOf lists the texts that a demand compares with.
func expectedOf(d qa.Demand) []string {
	a := d.Assertion
	var out []string
	if a.Attribute != "" {
		out = append(out, a.Attribute)
	}
	if expected := a.Expected; expected != "" && a.Type != "visible" && a.Type != "hidden" && a.Type != "exists" {
		if a.Type == "url_matches" {
			expected = strings.Trim(path.Clean("/"+strings.Trim(expected, "*")), "/")
		}
		out = append(out, expected)
	}
	return out
}

// isOn reports whether the assertion looks at what a selector names. Roles of fields may
// be left out where the field is found by its label.
func (a Assertion) isOn(selector string) bool {
	if selector == "" {
		return true
	}
	for _, text := range names(selector) {
		if !holds(a.Subject, text) && !holds(a.Expected, text) {
			return false
		}
	}
	for _, part := range strings.Split(selector, " >> ") {
		m := roleOf.FindStringSubmatch(part)
		if m == nil || m[1] == "text" {
			continue
		}
		labelled := slices.ContainsFunc(a.Calls, func(call string) bool { return slices.Contains(byLabel(), call) })
		if !slices.Contains(a.Subject, m[1]) && !labelled {
			return false
		}
	}
	return true
}

// holds reports whether one of the texts has the wanted one, whatever the blanks. A
// number has to be the whole of it.
func holds(all []string, wanted string) bool {
	fold := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	wanted = fold(wanted)
	short := len(wanted) < 3
	return slices.ContainsFunc(all, func(text string) bool {
		text = fold(text)
		return text == wanted || !short && strings.Contains(text, wanted)
	})
}
