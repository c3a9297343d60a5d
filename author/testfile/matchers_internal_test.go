package testfile

import (
	"slices"
	"strings"
	"testing"

	shown "github.com/assay-qa/assay/browser/seen"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/kpi"
)

// askedOrder is what sorted_by asks about.
type askedOrder struct {
	Texts     []string
	Order, As string
}

// dates are texts that are dates, or nearly.
func dates() []string {
	return []string{
		"2026-01-31", "2026/2/1", "2026.02.01", "2026-02-01 00:00", "2026-02-01T00:01", "2026-02-01T00:01:02.5Z", "2026-02-01 10:00 UTC", "2026-02-30", "2026-13-01", "2026-01-31x", "2026-02-01 25:00", "2026-02-01T10:00:00+02:00", "2026-02-01T10:00:00.250-05:00",
		"31.01.2026", "01/02/2026", "02-01-2026", "13/01/2026", "01/13/2026", "1.2.2026, 10:30", "1.2.2026 10:30:15", "31.02.2026", "32/01/2026", "01.02.26",
		"1 March 2026", "1 Mar 2026", "Mar 1, 2026", "March 1, 2026", "March 2026", "Mar 2026", "Monday, March 2, 2026", "Mon, Mar 2, 2026", "Mon, 2 Mar 2026", "Monday, Mar 2, 2026", "Mon, March 2, 2026", "Mon, 2 March 2026", "Mon, 4 May 2026", "Monday, May 4, 2026", "Mon, May 4, 2026",
		"Mar 1, 2026 15:04", "Mar 1, 2026, 15:04", "Mar 1, 2026, 3:04 PM", "Mar 1, 2026, 13:04 PM", "Mar 1, 2026 3:04 PM", "March 1, 2026 15:04", "1 Mar 2026 15:04", "1 Mar 2026, 15:04", "1 March 2026, 15:04", "Sun, 01 Mar 2026 15:04:05 GMT", "Sun, 01 Mar 2026 15:04:05 +0100",
		"31 Feb 2026", "1 Marc 2026", "1 März 2026", "Sept 1, 2026", "march  1, 2026", "2026", "today", "", "3 days ago", "1st March 2026", "Q1 2026",
	}
}

// pairs returns each text before each other one.
func pairs(texts []string, as string) []askedOrder {
	var out []askedOrder
	for _, a := range texts {
		for _, b := range texts {
			out = append(out, askedOrder{[]string{a, b}, "asc", as}, askedOrder{[]string{a, b}, "desc", as})
		}
	}
	return out
}

// answerOf says how the product answers: yes, no, or nothing where it is undecided.
func answerOf(a qa.Assertion, o qa.Observation) string {
	opposite := a
	opposite.Not = true
	switch {
	case a.Compare(o).Passed:
		return "yes"
	case opposite.Compare(o).Passed:
		return "no"
	}
	return ""
}

func (q askedOrder) byProduct() string {
	o := qa.Observation{Count: len(q.Texts), Seen: len(q.Texts), Items: q.Texts}
	for _, text := range q.Texts {
		o.Keys = append(o.Keys, shown.Key(text))
	}
	if q.As == "number" {
		o.Numbers, o.Doubt = kpi.ReadList(q.Texts, kpi.Writing{})
	}
	return answerOf(qa.Assertion{Type: qa.SortedBy, Order: q.Order, As: q.As}, o)
}

// A generated test answers sorted_by as we do, of dates, texts and figures: what we leave
// open it never decides.
func TestOneMatcherOfOrders(t *testing.T) {
	t.Parallel()
	all := slices.Concat(pairs(dates(), "date"), pairs([]string{"a", "B", "ä", "Ä", "b", "É", "e", "Zoë", "zoe", "z", "10", "9", " a  b ", "a b", "ß", "ss", "ﬁ", "Ａ", "", "日", "本", "ı", "İ"}, "text"),
		pairs([]string{"1,234", "1.234", "12", "$5", "(5)", "1,234.50", "1.234,50", "none", "5 %", "1.2k"}, "number"))
	all = append(all, askedOrder{[]string{"1"}, "asc", "number"}, askedOrder{nil, "asc", "text"})
	var answers []string
	inNode(t, figures()+ordered, "asked.map((q) => sorted(q.Texts ?? [], q.Order, q.As, ''))", all, &answers)
	decided, missed := 0, 0
	for i, q := range all {
		ours, theirs := q.byProduct(), answers[i]
		if theirs != "yes" && theirs != "no" {
			theirs = ""
		}
		switch {
		case ours == theirs && ours != "":
			decided++
		case theirs == "" && ours != "":
			missed++
		case ours != theirs:
			t.Errorf("%q: a generated test says %q, and we %q", q, theirs, ours)
		}
	}
	if missed*100 > decided {
		t.Errorf("%d orders are decided by us alone, and %d by both", missed, decided)
	}
}

// A generated test finds the lines of a snapshot in Playwright's as we do in ours: a whole
// head, a whole value, and marks that are marks.
func TestOneMatcherOfLines(t *testing.T) {
	t.Parallel()
	ours := []string{`main`, `heading "Orders" [level=1]`, `heading "It's: a [checked] one" [level=2]`, `paragraph "Two [level=1] pieces: 5"`, `button "Delete" [disabled]`, `textbox "Name": to: Ada`, `checkbox "All" [checked]`, `text "He said \"no\""`, `link "a\\b"`, `textbox "Code": "x"`}
	theirs := strings.Join([]string{`- main:`, `  - heading "Orders" [level=1]`, `  - 'heading "It''s: a [checked] one" [level=2]'`, `  - paragraph: "Two [level=1] pieces: 5"`, `  - button "Delete" [disabled]`, `  - textbox "Name": "to: Ada"`, `  - checkbox "All" [checked]`, `  - text: He said "no"`, `  - link "a\\b":`, `    - /url: /x`, `  - textbox "Code": "\"x\""`}, "\n")
	var wanted []string
	for _, line := range ours {
		wanted = append(wanted, line, strings.Replace(line, "]", "] [selected]", 1), strings.TrimSuffix(line, ": to: Ada"), strings.TrimSuffix(line, " [level=1]"))
	}
	wanted = append(wanted, `textbox "Name": Ada`, `heading "Orders" [checked]`, `heading "It's: a [checked] one" [checked]`, `paragraph "Two"`, `heading "Order"`, "main\nbutton \"Delete\"", "button \"Delete\"\nmain", `text "He said"`, `textbox "Code": x`, `link "a"`)
	var calls []string
	for _, text := range wanted {
		w := &writer{needs: map[string]bool{}}
		a := qa.Assertion{Type: qa.AriaSnapshot, Expected: text}
		lines, err := snapshot(w, a, `page.locator("body")`, "")
		if err != nil {
			t.Fatal(err)
		}
		_, call, _ := strings.Cut(lines[0], "ariaSnapshot(), ")
		call, _, _ = strings.Cut(call, "), { message")
		calls = append(calls, "lines(asked, "+call+")")
	}
	var answers []string
	inNode(t, snapshotted, "["+strings.Join(calls, ", ")+"]", theirs, &answers)
	for i, text := range wanted {
		if want := answerOf(qa.Assertion{Type: qa.AriaSnapshot, Expected: text}, qa.Observation{Count: 1, Seen: 1, Lines: ours}); answers[i] != want {
			t.Errorf("%q: a generated test says %s, and we %s", text, answers[i], want)
		}
	}
}
