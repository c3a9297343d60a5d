package plan

import (
	"maps"
	"testing"

	"github.com/assay-qa/assay/author/site"
)

// Req 0032/1: pages of records are called by the words that the headings of different ones begin
// with; one record alone tells nothing, and neither does a number.
func TestPagesOfRecordsAreCalledByTheirKind(t *testing.T) {
	var s site.Site
	for _, one := range [][2]string{
		{"a.test/products/{n}", "Product Oak chair"}, {"a.test/products/{n}", "Product Oak desk"}, {"a.test/products/{n}", "Product Lamp"},
		{"a.test/orders/{n}", "Order R1000"}, {"a.test/people/{n}", "Anna"}, {"a.test/people/{n}", "Bert"},
		{"a.test/years/{n}", "2026 budget"}, {"a.test/years/{n}", "2026 plan"}, {"a.test/lists", "List of chairs"}, {"a.test/lists", "List of desks"},
	} {
		s.States = append(s.States, site.State{Place: one[0], Notable: []site.Element{{Role: "heading", Tag: "h1", Name: one[1]}}})
	}
	if got, want := kindsOf(s), map[string]string{"a.test/products/{n}": "Product"}; !maps.Equal(got, want) {
		t.Errorf("the kinds are %q, want %q", got, want)
	}
}
