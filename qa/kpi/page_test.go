package kpi_test

import (
	"fmt"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/kpi"
)

// sheet builds a page by hand: each text below the one before it.
type sheet struct {
	kpi.Page
	y float64
}

func (s *sheet) box(parent int, b kpi.Box) int {
	b.Parent = parent
	if b.Tag != "td" && b.Tag != "th" {
		b.Col = -1
	}
	s.Boxes = append(s.Boxes, b)
	return len(s.Boxes) - 1
}

func (s *sheet) text(box int, text string, font float64) {
	s.y += 30
	s.Texts = append(s.Texts, kpi.Text{Text: text, Kind: "text", Box: box, Y: s.y, W: 100, H: 20, Font: font, Weight: 400, Selector: fmt.Sprintf("text %q", text)})
}

// table adds rows; a row that begins with "=" is the head, with "+" the foot.
func (s *sheet) table(rows ...[]string) int {
	table := s.box(-1, kpi.Box{Tag: "table", Role: "table"})
	for _, cells := range rows {
		section, tag := "tbody", "td"
		switch cells[0] {
		case "=":
			section, tag = "thead", "th"
		case "+":
			section = "tfoot"
		}
		if section != "tbody" {
			cells = cells[1:]
		}
		row := s.box(s.box(table, kpi.Box{Tag: section}), kpi.Box{Tag: "tr", Role: "row"})
		for i, cell := range cells {
			s.text(s.box(row, kpi.Box{Tag: tag, Col: i, Span: 1}), cell, 12)
		}
	}
	return table
}

func sumsOf(s *sheet) string {
	s.Settle()
	out := ""
	for _, sum := range s.TableSums() {
		word := "wrong"
		switch {
		case sum.Note != "":
			word = "open"
		case sum.Passed:
			word = "right"
		}
		out += fmt.Sprintf("%s: %s for %s, %s. ", sum.Subject, sum.Shown.Text, kpi.Shown(sum.Added), word)
	}
	return out
}

// Issue item 4: totals of tables add up, within what rounding leaves; columns
// that do not add up by nature, and pages of a table, are left alone.
func TestTableSums(t *testing.T) {
	head := []string{"=", "Shop", "Revenue", "Price", "Share"}
	for _, tt := range []struct {
		name string
		rows [][]string
		more string
		want string
	}{
		{"right", [][]string{head, {"A", "$1,200.50", "$3", "60 %"}, {"B", "$800.00", "$4", "40 %"}, {"+", "Total", "$2,000.50", "$9", "100 %"}}, "", "Total of Revenue: $2,000.50 for 2000.5, right. "},
		{"wrong", [][]string{head, {"A", "$1,200.50", "$3", "60 %"}, {"B", "$800.00", "$4", "40 %"}, {"+", "Total", "$2,100.50", "$9", "100 %"}}, "", "Total of Revenue: $2,100.50 for 2000.5, wrong. "},
		{"rounded", [][]string{head, {"A", "1.2K"}, {"B", "0.8K"}, {"C", "0.4K"}, {"Total", "2.5K"}}, "", "Total of Revenue: 2.5K for 2400, right. "},
		{"too far for rounding", [][]string{head, {"A", "1.2K"}, {"B", "0.8K"}, {"C", "0.4K"}, {"Total", "2.7K"}}, "", "Total of Revenue: 2.7K for 2400, wrong. "},
		{"subtotals", [][]string{head, {"A", "100"}, {"B", "200"}, {"Subtotal", "300"}, {"C", "50"}, {"Subtotal", "52"}, {"Total", "350"}}, "",
			"Subtotal of Revenue: 300 for 300, right. Subtotal of Revenue: 52 for 50, wrong. Total of Revenue: 350 for 350, right. "},
		{"groups", [][]string{head, {"North", "300"}, {"A", "100"}, {"B", "200"}, {"Total", "300"}}, "", "Total of Revenue: 300 for 600, open. "},
		{"paged", [][]string{head, {"A", "100"}, {"B", "200"}, {"Total", "900"}}, "1–2 of 57", "Total of Revenue: 900 for 300, open. "},
		{"German", [][]string{{"=", "Laden", "Umsatz"}, {"A", "1.200,50 €"}, {"B", "800,00 €"}, {"Gesamt", "2.000,50 €"}}, "", "Gesamt of Umsatz: 2.000,50 € for 2000.5, right. "},
		{"no numbers", [][]string{head, {"A", "many"}, {"B", "few"}, {"Total", "9"}}, "", ""},
		{"no total", [][]string{head, {"A", "1"}, {"B", "2"}}, "", ""},
	} {
		s := &sheet{}
		s.table(tt.rows...)
		if tt.more != "" {
			s.text(s.box(-1, kpi.Box{Tag: "p"}), tt.more, 12)
		}
		if got := sumsOf(s); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Sums that a task declares: a column, a chart's parts, a list.
func TestDeclaredSum(t *testing.T) {
	total := kpi.Parse("$300", writing(t, "en"))
	s := &sheet{}
	s.Boxes = nil
	table := s.table([]string{"=", "Shop", "Revenue", "Visits"}, []string{"A", "$100", "7"}, []string{"B", "$200", "8"})
	s.Boxes[table].Asked = true
	s.Settle()
	if got := s.DeclaredSum("Revenue", total, qa.Tolerance{}); !got.Passed || got.Parts != 2 {
		t.Errorf("a table's column: %+v", got)
	}
	if got := s.DeclaredSum("Revenue", kpi.Parse("$310", writing(t, "en")), qa.Tolerance{}); got.Passed || got.Note != "" {
		t.Errorf("a wrong total: %+v", got)
	}
	if got := s.DeclaredSum("Revenue", kpi.Parse("$310", writing(t, "en")), qa.Tolerance{Absolute: 10}); !got.Passed {
		t.Errorf("a total within the tolerance: %+v", got)
	}

	s = &sheet{}
	chart := s.box(-1, kpi.Box{Tag: "svg", Role: "img", Name: "Revenue by day", Asked: true})
	for _, name := range []string{"Fri 3: $100", "Sat 4: $200"} {
		s.text(chart, name, 0)
		s.Texts[len(s.Texts)-1].Kind = "title"
		s.Texts[len(s.Texts)-1].Box = s.box(chart, kpi.Box{Tag: "g"})
	}
	s.Settle()
	if got := s.DeclaredSum("Revenue", total, qa.Tolerance{}); !got.Passed || got.Parts != 2 {
		t.Errorf("a chart's parts: %+v", got)
	}
	if got, ok := s.ChartSum("Revenue", kpi.Parse("$310", writing(t, "en"))); !ok || got.Passed {
		t.Errorf("a chart that does not make the card: %v %+v", ok, got)
	}
	if _, ok := s.ChartSum("Revenue rate", total); ok {
		t.Error("a rate is added up")
	}

	s = &sheet{}
	list := s.box(-1, kpi.Box{Tag: "ul", Asked: true})
	for _, item := range []string{"Hardware $100", "Software $200", "Total $300"} {
		s.text(s.box(list, kpi.Box{Tag: "li"}), item, 12)
	}
	s.Settle()
	if got := s.DeclaredSum("Revenue", total, qa.Tolerance{}); !got.Passed || got.Parts != 2 {
		t.Errorf("a list with its total: %+v", got)
	}
	if got := (&kpi.Page{}).DeclaredSum("Revenue", total, qa.Tolerance{}); got.Note == "" {
		t.Error("nothing was added up, and nothing says so")
	}
}

// What the document declares is not overruled by a neighbour: a contradiction
// leaves what is in doubt open, and the tester's number locale decides.
func TestThePagesOwnFiguresSettleItsConvention(t *testing.T) {
	for _, tt := range []struct {
		lang, locale, other, shown string
		status                     qa.KPIStatus
	}{
		{"", "", "", "1.234", qa.KPIAmbiguous},
		{"de", "", "", "1.234", qa.KPIOk},
		{"en", "", "", "1.234", qa.KPIMismatch},
		{"en", "", "12,5 %", "1.234", qa.KPIAmbiguous}, // it says English and writes German
		{"", "", "12,5 %", "1.234", qa.KPIAmbiguous},   // nothing is declared, and a neighbour declares nothing
		{"de", "", "12.5 %", "1.234", qa.KPIAmbiguous},
		{"", "de-DE", "", "1.234", qa.KPIOk},
		{"", "en-US", "", "1.234", qa.KPIMismatch},
		{"de", "en-US", "", "1.234", qa.KPIMismatch},
		{"en", "", "12,5 %", "1,234", qa.KPIAmbiguous},
		{"en", "", "0,75", "$1,234", qa.KPIOk}, // no amount has thousandths of a dollar
		{"en", "", "0,75", "1.234 €", qa.KPIAmbiguous},
		{"", "", "0,75", "$1,234", qa.KPIOk}, {"", "", "", "CHF 1.234", qa.KPIOk}, {"", "", "", "$1.234/l", qa.KPIAmbiguous}, {"", "", "", "KWD 1,234", qa.KPIAmbiguous}, {"", "", "", "₿1.234", qa.KPIAmbiguous}, {"", "", "", "$1.234M", qa.KPIMismatch},
		{"en", "de-DE", "", "1.234", qa.KPIOk},
	} {
		s := &sheet{Page: kpi.Page{Lang: tt.lang, NumberLocale: tt.locale, Writings: []kpi.Writing{writing(t, "en"), writing(t, "de"), writing(t, "de-DE"), writing(t, "en-US")}}}
		card := s.box(-1, kpi.Box{Tag: "div"})
		s.text(s.box(card, kpi.Box{Tag: "h3"}), "Orders", 12)
		s.text(s.box(card, kpi.Box{Tag: "p"}), tt.shown, 20)
		s.text(s.box(-1, kpi.Box{Tag: "p"}), tt.other, 12)
		s.Settle()
		pick := s.Pick("Orders", "", []string{"Orders"})
		if pick.Best == nil {
			t.Fatalf("%+v: nothing found", tt)
		}
		if o := kpi.Compare(pick.Best.Value, expected(t, "1234", ""), qa.Tolerance{}); o.Status != tt.status {
			t.Errorf("%+v: %s", tt, o.Status)
		}
	}
}

// The request that carried a value is told by its key, or by a number long
// enough to be no chance.
func TestCarries(t *testing.T) {
	shown, short := kpi.Parse("$12,345.60", writing(t, "en")), kpi.Parse("7", writing(t, "en"))
	for _, tt := range []struct {
		body  string
		shown kpi.Parsed
		want  int
	}{
		{`{"kpis": {"revenue": {"value": 12345.6}}}`, shown, 2},
		{`{"total": 12345.6}`, shown, 1},
		{`{"rows": [{"label": "Revenue", "v": "12345.60"}]}`, shown, 2},
		{`{"total": 12346}`, shown, 0},
		{`{"page": 7}`, short, 0},
		{`{"revenue": 7}`, short, 2},
		{`<html>`, shown, 0},
	} {
		if got := kpi.Carries([]byte(tt.body), "Revenue", tt.shown); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.body, got, tt.want)
		}
	}
}
