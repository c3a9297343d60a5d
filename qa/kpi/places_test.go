package kpi_test

import (
	"testing"

	"github.com/assay-qa/assay/qa/kpi"
)

// placed is a text at a place of the screen, in an element of the document.
type placed struct {
	text       string
	element    int
	x, y, font float64
}

// Issue 29, item 2: label and value are joined by their line on the screen, whatever
// elements of the document they stand in, and in which order.
func TestLabelsAndValuesByTheirPlaces(t *testing.T) {
	t.Parallel()
	labels := []string{"Revenue", "Orders", "Users"}
	values := []string{"$900.00", "321", "77"}
	lay := map[string]func() []placed{
		"columns": func() (o []placed) {
			for i := range labels {
				o = append(o, placed{labels[i], 0, 0, float64(i) * 30, 14})
			}
			for i := range values {
				o = append(o, placed{values[i], 1, 200, float64(i) * 30, 14})
			}
			return
		},
		"columns, values big and offset": func() (o []placed) {
			for i := range labels {
				o = append(o, placed{labels[i], 0, 0, float64(i)*30 + 6, 12})
			}
			for i := range values {
				o = append(o, placed{values[i], 1, 200, float64(i) * 30, 24})
			}
			return
		},
		"columns, values in another document order": func() (o []placed) {
			for i := range labels {
				o = append(o, placed{labels[i], 0, 0, float64(i) * 30, 14})
			}
			for i := range values {
				j := 2 - i
				o = append(o, placed{values[j], 1, 200, float64(j) * 30, 14})
			}
			return
		},
		"columns, values left": func() (o []placed) {
			for i := range labels {
				o = append(o, placed{labels[i], 0, 200, float64(i) * 30, 14})
			}
			for i := range values {
				o = append(o, placed{values[i], 1, 0, float64(i) * 30, 14})
			}
			return
		},
		"columns far apart": func() (o []placed) {
			for i := range labels {
				o = append(o, placed{labels[i], 0, 0, float64(i) * 20, 14})
			}
			for i := range values {
				o = append(o, placed{values[i], 1, 900, float64(i) * 20, 14})
			}
			return
		},
		"columns far, dense": func() (o []placed) {
			for i := range labels {
				o = append(o, placed{labels[i], 0, 0, float64(i) * 16, 14})
			}
			for i := range values {
				o = append(o, placed{values[i], 1, 900, float64(i) * 16, 14})
			}
			return
		},
		"rows": func() (o []placed) {
			for i := range labels {
				o = append(o, placed{labels[i], 0, float64(i) * 200, 0, 14})
			}
			for i := range values {
				o = append(o, placed{values[i], 1, float64(i) * 200, 30, 24})
			}
			return
		},
		"rows, far below": func() (o []placed) {
			for i := range labels {
				o = append(o, placed{labels[i], 0, float64(i) * 100, 0, 14})
			}
			for i := range values {
				o = append(o, placed{values[i], 1, float64(i) * 100, 150, 24})
			}
			return
		},
		"rows, values above": func() (o []placed) {
			for i := range values {
				o = append(o, placed{values[i], 0, float64(i) * 200, 0, 24})
			}
			for i := range labels {
				o = append(o, placed{labels[i], 1, float64(i) * 200, 40, 14})
			}
			return
		},
		"rows, values above, other order": func() (o []placed) {
			for i := range values {
				j := 2 - i
				o = append(o, placed{values[j], 0, float64(j) * 200, 0, 24})
			}
			for i := range labels {
				o = append(o, placed{labels[i], 1, float64(i) * 200, 40, 14})
			}
			return
		},
		"flat pairs drawn above": func() (o []placed) {
			for i := range labels {
				o = append(o, placed{labels[i], 0, float64(i) * 200, 40, 14}, placed{values[i], 0, float64(i) * 200, 0, 24})
			}
			return
		},
		"flat, boxes contradict the document": func() (o []placed) {
			for i := range labels {
				o = append(o, placed{labels[i], 0, 0, float64(i) * 30, 14}, placed{values[(i+1)%3], 0, 200, float64((i+1)%3) * 30, 14})
			}
			return
		},
		"flat stacked, value below": func() (o []placed) {
			for i := range labels {
				o = append(o, placed{labels[i], 0, 0, float64(i) * 60, 14}, placed{values[i], 0, 0, float64(i)*60 + 20, 24})
			}
			return
		},
		"flat stacked, value above": func() (o []placed) {
			for i := range labels {
				o = append(o, placed{values[i], 0, 0, float64(i) * 60, 24}, placed{labels[i], 0, 0, float64(i)*60 + 28, 14})
			}
			return
		},
		"right aligned": func() (o []placed) {
			for i := range labels {
				o = append(o, placed{labels[i], 0, 0, float64(i) * 30, 14})
			}
			for i := range values {
				o = append(o, placed{values[i], 1, 400 - float64(len(values[i]))*8, float64(i) * 30, 14})
			}
			return
		},
		"cards whose boxes cross": func() (o []placed) {
			for i := range labels {
				o = append(o, placed{labels[i], i, 0, float64(i) * 30, 14}, placed{values[(i+1)%3], i, 200, float64((i+1)%3) * 30, 14})
			}
			return
		},
	}
	for name, f := range lay {
		for _, known := range []bool{true, false} {
			s := &sheet{Page: kpi.Page{Lang: "en", Writings: []kpi.Writing{writing(t, "en")}}}
			outer := s.box(-1, kpi.Box{Tag: "div"})
			groups := map[int]int{}
			for _, a := range f() {
				g, ok := groups[a.element]
				if !ok {
					g = s.box(outer, kpi.Box{Tag: "div"})
					groups[a.element] = g
				}
				s.text(s.box(g, kpi.Box{Tag: "div"}), a.text, a.font)
				x := &s.Texts[len(s.Texts)-1]
				x.X, x.Y, x.W, x.H = a.x, a.y, float64(len(a.text))*8, a.font
			}
			s.Settle()
			others := labels
			if !known {
				others = nil
			}
			for i, l := range labels {
				p := s.Pick(l, "", others)
				got := "none"
				if p.Best != nil {
					got = p.Best.Value.Text
				} else if len(p.Ambiguous) > 0 {
					got = "ambiguous"
				}
				if got != values[i] {
					t.Errorf("%s, other labels known: %v: %s is %s, want %s", name, known, l, got, values[i])
				}
			}
		}
	}
}
