package kpicheck

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/kpi"
	"github.com/assay-qa/assay/tools/engine"
)

// layout is a page written as lines: a tag and a text each, indented by what they
// stand in. A tag may have a name: section=This month.
func layout(text string) kpi.Page {
	p := kpi.Page{Lang: "en", Writings: nil}
	var stack []int
	y := 0.0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimLeft(strings.TrimRight(line, "\n"), "\t")
		if trimmed == "" {
			continue
		}
		depth := len(strings.TrimRight(line, "\n")) - len(trimmed)
		tag, words, _ := strings.Cut(trimmed, " ")
		tag, name, _ := strings.Cut(tag, "=")
		stack = stack[:min(depth, len(stack))]
		box := kpi.Box{Parent: -1, Tag: tag, Name: strings.ReplaceAll(name, "_", " "), Col: -1}
		if len(stack) > 0 {
			box.Parent = stack[len(stack)-1]
		}
		if tag == "td" || tag == "th" {
			box.Span, box.Col = 1, 0
			for _, other := range p.Boxes {
				if other.Parent == box.Parent {
					box.Col++
				}
			}
		}
		p.Boxes = append(p.Boxes, box)
		stack = append(stack, len(p.Boxes)-1)
		if words != "" {
			y += 30
			p.Texts = append(p.Texts, kpi.Text{Text: words, Kind: "text", Box: len(p.Boxes) - 1, X: float64(50 * max(0, box.Col)), Y: y, W: 100, H: 20, Font: 12, Weight: 400, Selector: fmt.Sprintf("text %q", words)})
		}
	}
	return p
}

// rowOf judges one KPI of a page.
func rowOf(t *testing.T, page kpi.Page, label, want string) (qa.KPIRow, string) {
	t.Helper()
	row, _, said := recordedOf(t, page, label, want)
	return row, said
}

// recordedOf judges one KPI of a page, and returns also what is filed of it beside its row.
func recordedOf(t *testing.T, page kpi.Page, label, want string) (qa.KPIRow, engine.Records, string) {
	t.Helper()
	now := time.Unix(1e9, 0)
	k := &check{Options: Options{Spec: qa.KPISpec{Type: qa.StaticValues}}, labels: []string{label}, waits: wait.Standard()}
	r := newRange(qa.Range{})
	r.tracks[label] = &stability{since: now.Add(-k.waits.FigureStill)}
	page.Writings = recordedWritings(t)
	page.Settle()
	r.look = reading{at: now, page: page, picks: map[string]kpi.Pick{label: page.Pick(label, "", k.labels)}}
	expected, err := kpi.ParseExpected(want, "", page.WritingsOf(locale)...)
	if err != nil {
		t.Fatal(err)
	}
	r.want, k.ranges = map[string]kpi.Expected{label: expected}, []*rangeCheck{r}
	k.record()
	said := slices.Clone(k.out.Problems)
	for _, hint := range k.out.Hints {
		said = append(said, hint.Text())
	}
	filed := slices.DeleteFunc(slices.Clone(k.out.Records), func(r engine.Record) bool { return r.Check == nil })
	return k.out.Rows[0], filed, string(pagetext.Join(said, "; "))
}

// Issue 29, item 2: the same name in two groups is no contradiction, and open until
// the group is named; within one group it is one.
func TestTheSameNameInTwoGroupsIsOpen(t *testing.T) {
	const (
		sections = "main\n\tsection\n\t\th2 This month\n\t\tdiv\n\t\t\th3 Revenue\n\t\t\tp $22,236.07\n\tsection\n\t\th2 Last month\n\t\tdiv\n\t\t\th3 Revenue\n\t\t\tp $19,100.00\n"
		flat     = "main\n\th2 This month\n\tdiv\n\t\tspan Revenue\n\t\tb $22,236.07\n\th2 Last month\n\tdiv\n\t\tspan Revenue\n\t\tb $19,100.00\n"
		named    = "main\n\tsection=This_month\n\t\tspan Revenue\n\t\tb $22,236.07\n\tsection=Last_month\n\t\tspan Revenue\n\t\tb $19,100.00\n"
		columns  = "table\n\tthead\n\t\ttr\n\t\t\tth Figure\n\t\t\tth This month\n\t\t\tth Last month\n\ttbody\n\t\ttr\n\t\t\ttd Revenue\n\t\t\ttd $22,236.07\n\t\t\ttd $19,100.00\n\t\ttr\n\t\t\ttd Orders\n\t\t\ttd 12\n\t\t\ttd 11\n"
		lines    = "table\n\tthead\n\t\ttr\n\t\t\tth Month\n\t\t\tth Revenue\n\t\t\tth Orders\n\ttbody\n\t\ttr\n\t\t\ttd This month\n\t\t\ttd $22,236.07\n\t\t\ttd 12\n\t\ttr\n\t\t\ttd Last month\n\t\t\ttd $19,100.00\n\t\t\ttd 11\n"
		one      = "main\n\tsection\n\t\th2 This month\n\t\tdiv\n\t\t\th3 Revenue\n\t\t\tp $22,236.07\n\t\tdiv\n\t\t\th3 Revenue\n\t\t\tp $19,100.00\n"
	)
	for _, tt := range []struct {
		name, page, label, want string
		status                  qa.KPIStatus
	}{
		{"sections", sections, "Revenue", "$22,236.07", qa.KPIAmbiguous},
		{"sections, the second", sections, "Revenue", "$19,100.00", qa.KPIAmbiguous},
		{"sections, neither", sections, "Revenue", "$5.00", qa.KPIMismatch},
		{"sections, named", sections, "This month / Revenue", "$22,236.07", qa.KPIOk},
		{"sections, the second named", sections, "Last month / Revenue", "$19,100.00", qa.KPIOk},
		{"sections, the wrong one named", sections, "Last month / Revenue", "$22,236.07", qa.KPIMismatch},
		{"sections, none of that name", sections, "Next month / Revenue", "$22,236.07", qa.KPIMissing},
		{"flat", flat, "Revenue", "$22,236.07", qa.KPIAmbiguous},
		{"flat, named", flat, "This month › Revenue", "$22,236.07", qa.KPIOk},
		{"flat, the second named", flat, "Last month / Revenue", "$19,100.00", qa.KPIOk},
		{"named sections", named, "Revenue", "$22,236.07", qa.KPIAmbiguous},
		{"named sections, named", named, "Last month / Revenue", "$19,100.00", qa.KPIOk},
		{"columns, named", columns, "Last month / Revenue", "$19,100.00", qa.KPIOk},
		{"columns, the first named", columns, "This month / Revenue", "$22,236.07", qa.KPIOk},
		{"columns, the wrong one named", columns, "This month / Revenue", "$19,100.00", qa.KPIMismatch},
		{"rows, named", lines, "Last month / Revenue", "$19,100.00", qa.KPIOk},
		{"rows, the wrong one named", lines, "Last month / Revenue", "$22,236.07", qa.KPIMismatch},
		{"one group", one, "Revenue", "$22,236.07", qa.KPIMismatch},
	} {
		row, said := rowOf(t, layout(tt.page), tt.label, tt.want)
		if row.Status != tt.status {
			t.Errorf("%s: %s %s, want %s (%q; %s)", tt.name, row.Status, row.Cause, tt.status, row.Observed, said)
		}
		if tt.name == "sections" && !strings.Contains(said, `"this month / Revenue"`) {
			t.Errorf("nothing says how to call the KPI: %s", said)
		}
	}
}

// Issue 29, item 2: what the document declares is not overruled by a neighbour; what
// it can't read is open, and so is what a contradiction leaves in doubt.
func TestTheDeclaredLanguageIsNotOverruled(t *testing.T) {
	page := func(annual, odd string) string {
		return "main\n\tdiv\n\t\th3 Monthly\n\t\tp $40,000\n\tdiv\n\t\th3 Annual\n\t\tp " + annual + "\n\tdiv\n\t\th3 Tasks\n\t\tp 50%\n\tdiv\n\t\th3 Odd\n\t\tp " + odd + "\n"
	}
	for _, tt := range []struct {
		annual, odd, label, want string
		status                   qa.KPIStatus
	}{
		{"$215,000", "0,75", "Annual", "$215", qa.KPIMismatch},
		{"$215,000", "0,75", "Annual", "$215,000", qa.KPIOk},
		{"$215,000", "12,5%", "Annual", "215", qa.KPIMismatch},
		{"$215,000", "12,5%", "Annual", "215000", qa.KPIOk},
		{"215,000", "12,5%", "Annual", "215000", qa.KPIAmbiguous},
		{"215,000", "12,5%", "Annual", "215", qa.KPIAmbiguous},
		{"215,000", "12.5%", "Annual", "215000", qa.KPIOk},
		{"215,000.50", "12,5%", "Annual", "215000.5", qa.KPIOk}, // nothing of it is in doubt
		{"$215,000", "0,75", "Odd", "0.75", qa.KPIAmbiguous},
		{"$215,000", "0,75", "Odd", "75", qa.KPIAmbiguous},
	} {
		row, said := rowOf(t, layout(page(tt.annual, tt.odd)), tt.label, tt.want)
		if row.Status != tt.status || row.Status == qa.KPIAmbiguous && !strings.Contains(said, "number_locale") {
			t.Errorf("%s beside %s, %s for %s: %s, want %s; %s", tt.annual, tt.odd, tt.label, tt.want, row.Status, tt.status, said)
		}
	}
	declared := layout(page("215,000", "12,5%"))
	declared.NumberLocale = "de"
	if row, said := rowOf(t, declared, "Annual", "215"); row.Status != qa.KPIOk {
		t.Errorf("a number locale does not decide: %s, %s", row.Status, said)
	}
	inGerman := layout(page("1.234 €", "12,5%"))
	for i, b := range inGerman.Boxes {
		if b.Tag == "div" {
			inGerman.Boxes[i].Lang = "de"
		}
	}
	if row, said := rowOf(t, inGerman, "Annual", "1234"); row.Status != qa.KPIOk {
		t.Errorf("the language of the element around it does not count: %s, %s", row.Status, said)
	}
}

// Issue 29, item 2: a caller's selector decides alone.
func TestTheElementThatIsAskedForDecidesAlone(t *testing.T) {
	page := layout("main\n\th2 This month\n\tdiv\n\t\tspan Revenue\n\t\tb $22,236.07\n\th2 Last month\n\tdiv\n\t\tspan Revenue\n\t\tb $19,100.00\n")
	page.Writings = recordedWritings(t)
	page.Boxes[page.Texts[len(page.Texts)-1].Box].Asked = true
	page.Settle()
	if pick := page.Asked("Revenue"); pick.Best == nil || pick.Best.Value.Text != "$19,100.00" || len(pick.Others) > 0 {
		t.Errorf("%+v", pick)
	}
}

// Issue 29, item 2: a label's own scale is no mere suffix: the figure is open until the
// KPI is called as the page does.
func TestTheScaleOfALabelCounts(t *testing.T) {
	for _, tt := range []struct {
		label, shown, asked, want string
		status                    qa.KPIStatus
	}{
		{"Revenue (in thousands)", "1,234", "Revenue", "1234", qa.KPIAmbiguous},
		{"Revenue (in thousands)", "1,234", "Revenue", "1234000", qa.KPIAmbiguous},
		{"Revenue (in thousands)", "1,234", "Revenue (in thousands)", "1234", qa.KPIOk},
		{"Revenue ($000s)", "1,234", "Revenue", "1234", qa.KPIAmbiguous},
		{"Revenue (k€)", "1,234", "Revenue", "1234", qa.KPIAmbiguous},
		{"Revenue, €m", "1,234", "Revenue", "1234", qa.KPIAmbiguous},
		{"Revenue (USD)", "1,234", "Revenue", "1234", qa.KPIOk},
		{"Revenue (today)", "1,234", "Revenue", "1234", qa.KPIOk},
	} {
		page := layout("main\n\tdiv\n\t\th3 " + tt.label + "\n\t\tp " + tt.shown + "\n")
		if row, said := rowOf(t, page, tt.asked, tt.want); row.Status != tt.status {
			t.Errorf("%s: %s, %s for %s: %s, want %s; %s", tt.label, tt.shown, tt.asked, tt.want, row.Status, tt.status, said)
		}
	}
}

// Issue 29, item 2: a heading names a group of figures where it says of when: today, last
// month, May. A chart's Revenue over time is no group, and its figure contradicts.
func TestHeadingsThatSayWhenNameGroups(t *testing.T) {
	for heading, status := range map[string]qa.KPIStatus{
		"Revenue over time": qa.KPIMismatch, "Revenue by month": qa.KPIMismatch, "Revenue per day": qa.KPIMismatch,
		"Revenue last month": qa.KPIAmbiguous, "Revenue today": qa.KPIAmbiguous, "Revenue in May": qa.KPIAmbiguous,
	} {
		page := layout("main\n\tdiv\n\t\th1 Dashboard\n\t\tdiv\n\t\t\th3 Revenue\n\t\t\tp $1,100\n\t\tsection\n\t\t\th2 " + heading + "\n\t\t\tdiv\n\t\t\t\tp Revenue\n\t\t\t\tb $1,000\n")
		if row, said := rowOf(t, page, "Revenue", "1000"); row.Status != status {
			t.Errorf("%s: %s (%s), want %s: %s", heading, row.Status, row.Observed, status, said)
		}
	}
}
