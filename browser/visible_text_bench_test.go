package browser

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkLook times one look at a page of 2,000 elements: what a positive
// check costs when the first look satisfies it, and what pictures add.
func BenchmarkLook(b *testing.B) {
	var rows strings.Builder
	for i := range 500 {
		fmt.Fprintf(&rows, "<tr><td>Order %d</td><td>%d.00</td><td>open</td></tr>", i, i)
	}
	s, _ := show(b, `<h1 id=h>Orders</h1><div style="background:linear-gradient(#123,#456)"><p id=g style="color:#fff">On a gradient</p></div><table>`+rows.String()+`</table><p id=end>The end</p>`)
	text := func(selector, wanted string, whole bool) func() bool {
		return func() bool {
			got, err := s.Read(b.Context(), selector, wanted, whole)
			return err == nil && got.Fits
		}
	}
	for _, c := range []struct {
		name string
		look func() bool
	}{
		{"visible", func() bool {
			got, err := s.Look(b.Context(), "css=#h", FactCount, "")
			return err == nil && got.Seen == 1
		}},
		{"count", func() bool {
			got, err := s.Look(b.Context(), "css=td", FactCount, "")
			return err == nil && got.Seen == 1500
		}},
		{"text of an element", text("css=#h", "Orders", true)},
		{"text of the page", text("", "Order 7", false)},
		{"text below the fold", text("css=#end", "The end", true)},
		{"by pictures", text("css=#g", "On a gradient", true)},
		{"outline", func() bool { _, _, err := s.Snapshot(b.Context(), OutlineOptions{}); return err == nil }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for range b.N {
				if !c.look() {
					b.Fatal("the look did not find what is there")
				}
			}
		})
	}
}
