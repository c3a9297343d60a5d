package kpi_test

import (
	"testing"

	"github.com/assay-qa/assay/qa/kpi"
)

// put is a text at a place of the screen, in an element.
func (s *sheet) put(box int, text string, x, y, font float64) {
	s.text(box, text, font)
	t := &s.Texts[len(s.Texts)-1]
	t.X, t.Y, t.W, t.H = x, y, 80, 20
}

// Issue 29, item 2: label and value are joined by the line on the screen: pinned
// columns in rows or tables of their own, values above their labels.
func TestTheLineOnTheScreenJoinsLabelAndValue(t *testing.T) {
	pinnedTables := func(s *sheet) {
		for i, cells := range [][]string{{"Revenue", "Orders", "Refunds"}, {"$1,200", "321", "$45"}} {
			table := s.box(s.box(-1, kpi.Box{Tag: "div"}), kpi.Box{Tag: "table", Role: "table"})
			for n, cell := range cells {
				row := s.box(table, kpi.Box{Tag: "tr", Role: "row"})
				s.put(s.box(row, kpi.Box{Tag: "td", Span: 1}), cell, float64(200*i), float64(30*n), 12)
			}
		}
	}
	pinnedColumn := func(s *sheet) {
		grid := s.box(-1, kpi.Box{Tag: "div", Role: "grid"})
		for i, cells := range [][]string{{"Revenue", "Orders", "Refunds"}, {"$1,200", "321", "$45"}} {
			part := s.box(grid, kpi.Box{Tag: "div"})
			for n, cell := range cells {
				row := s.box(part, kpi.Box{Tag: "div", Role: "row"})
				s.put(s.box(row, kpi.Box{Tag: "td", Role: "gridcell", Col: i, Span: 1}), cell, float64(200*i), float64(30*n), 12)
			}
		}
	}
	above := func(s *sheet) {
		card := s.box(-1, kpi.Box{Tag: "div"})
		for n, pair := range [][2]string{{"$1,200", "Revenue"}, {"321", "Orders"}, {"$45", "Refunds"}} {
			s.put(s.box(card, kpi.Box{Tag: "b"}), pair[0], 0, float64(60*n), 20)
			s.put(s.box(card, kpi.Box{Tag: "span"}), pair[1], 0, float64(60*n+30), 12)
		}
	}
	below := func(s *sheet) {
		card := s.box(-1, kpi.Box{Tag: "div"})
		for n, pair := range [][2]string{{"$1,200", "Revenue"}, {"321", "Orders"}, {"$45", "Refunds"}} {
			s.put(s.box(card, kpi.Box{Tag: "span"}), pair[1], 0, float64(60*n), 12)
			s.put(s.box(card, kpi.Box{Tag: "b"}), pair[0], 0, float64(60*n+30), 20)
		}
	}
	shuffled := func(s *sheet) { // the document's order is another than the screen's
		card := s.box(-1, kpi.Box{Tag: "div"})
		for n, pair := range [][2]string{{"$45", "Revenue"}, {"$1,200", "Orders"}, {"321", "Refunds"}} {
			s.put(s.box(card, kpi.Box{Tag: "span"}), pair[1], 0, float64(30*n), 12)
			s.put(s.box(card, kpi.Box{Tag: "b"}), pair[0], 200, float64(30*((n+2)%3)), 12)
		}
	}
	for name, build := range map[string]func(*sheet){"pinned tables": pinnedTables, "pinned column": pinnedColumn, "above": above, "below": below, "shuffled": shuffled} {
		s := &sheet{}
		build(s)
		s.Settle()
		for label, want := range map[string]string{"Revenue": "$1,200", "Orders": "321", "Refunds": "$45"} {
			for _, known := range [][]string{{label}, {"Revenue", "Orders", "Refunds"}} {
				pick := s.Pick(label, "", known)
				if pick.Best == nil || pick.Best.Value.Text != want {
					t.Errorf("%s, %s with %d KPIs: %+v, want %s", name, label, len(known), pick.Best, want)
				}
			}
		}
	}
}
