package truth

import (
	"strings"
	"testing"
)

// TestReadingsAreHeldAgainstTheMeaning has each verdict, and what counts as the
// same check in other words.
func TestReadingsAreHeldAgainstTheMeaning(t *testing.T) {
	t.Parallel()
	text := check{Type: "text_contains", Expected: "Berth 5"}
	off := check{Type: "enabled", Selector: `button "Cast off"`, Not: true}
	for _, c := range []struct {
		name  string
		meant expectation
		read  []check
		want  reading
	}{
		{"the same", expectation{Claims: []check{text}}, []check{text}, understood},
		{"nothing read", expectation{Claims: []check{text}}, nil, unread},
		{"another text", expectation{Claims: []check{text}}, []check{{Type: "text_contains", Expected: "Berth 52"}}, misread},
		{"the opposite", expectation{Claims: []check{text}}, []check{{Type: "text_contains", Expected: "Berth 5", Not: true}}, misread},
		{"half of it", expectation{Claims: []check{text, off}}, []check{text}, misread},
		{"more than it", expectation{Claims: []check{text}}, []check{text, off}, misread},
		{"another order", expectation{Claims: []check{text, off}}, []check{off, text}, understood},
		{"nothing to read", expectation{}, nil, leftOut},
		{"read into it", expectation{}, []check{text}, misread},
		{"a further reading", expectation{Or: [][]check{{text}}}, []check{text}, understood},
		{"may be left out", expectation{Claims: []check{text}, Or: [][]check{{}}}, nil, leftOut},
		{"case and role in other words", expectation{Claims: []check{{Type: "visible", Selector: `dialog "Tide Table"`}}}, []check{{Type: "visible", Selector: `modal  "tide table"`}}, understood},
		{"another role", expectation{Claims: []check{{Type: "visible", Selector: `link "Tide table"`}}}, []check{{Type: "visible", Selector: `button "Tide table"`}}, misread},
		{"not visible is hidden", expectation{Claims: []check{{Type: "hidden", Selector: `alert`}}}, []check{{Type: "visible", Selector: "role=alert", Not: true}}, understood},
		{"none is hidden", expectation{Claims: []check{{Type: "hidden", Selector: `alert`}}}, []check{{Type: "count_equals", Selector: "alert", Expected: "0"}}, understood},
		{"enabled false is disabled", expectation{Claims: []check{off}}, []check{{Type: "enabled", Selector: off.Selector, Expected: "false"}}, understood},
		{"enabled is not disabled", expectation{Claims: []check{off}}, []check{{Type: "enabled", Selector: off.Selector}}, misread},
		{"one of several roles", expectation{Claims: []check{{Type: "focused", Selector: `combobox "Flag"`}}}, []check{{Type: "focused", Selector: `textbox "Flag"`, alike: []string{`combobox "Flag"`}}}, understood},
		{"an open pattern", expectation{Claims: []check{{Type: "url_matches", Expected: "**tab=history**"}}}, []check{{Type: "url_matches", Expected: "*tab=history*"}}, understood},
		{"a closed pattern", expectation{Claims: []check{{Type: "url_matches", Expected: "/quay"}}}, []check{{Type: "url_matches", Expected: "**/quay**"}}, misread},
	} {
		if got := c.meant.judge(c.read); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestExpectationsAreWhole: the file can be read, and has what the measure is of.
func TestExpectationsAreWhole(t *testing.T) {
	t.Parallel()
	all, err := loadExpectations()
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, e := range all {
		count[e.Split]++
		count[e.Language]++
		if e.judge(e.Claims) == misread {
			t.Errorf("%q does not fit its own meaning", e.Sentence)
		}
	}
	if len(all) != 300 || count[dev] != 80 || count[heldOut] != 220 || count["en"] != 220 {
		t.Errorf("%d sentences: %v", len(all), count)
	}
}

// TestTheCorpusCanTell: each fact has pages on which it is so and not so (but for
// what nobody can read), its words are not among what all pages have, and there
// are enough cells.
func TestTheCorpusCanTell(t *testing.T) {
	t.Parallel()
	all, pages := corpus(false)
	ways := map[string]int{}
	for _, c := range all {
		ways[c.Way]++
		path, _, _ := strings.Cut(c.Page, "?")
		if _, ok := pages[path]; !ok {
			t.Errorf("%s: there is no page", c.Name())
		}
	}
	if len(all) < 1000 || ways[byRules] < 500 || ways[byClient] < 300 || ways[byPleasing] < 500 {
		t.Errorf("%d cells: %v", len(all), ways)
	}
	frame := showing("").html()
	for _, f := range facts() {
		is, not := 0, 0
		for _, v := range f.pages {
			if v.is {
				is++
			} else {
				not++
			}
		}
		if not == 0 || is == 0 && f.checks != nil {
			t.Errorf("%q: %d pages on which it is so, %d on which it is not", f.said[0], is, not)
		}
		for _, w := range f.words {
			if strings.Contains(frame, w) && f.class != "count" && f.class != "rows" {
				t.Errorf("%q: %q is on every page", f.said[0], w)
			}
		}
	}
}
