package plan

import (
	"testing"

	"github.com/assay-qa/assay/author/site"
)

// Req 0032/1: where nothing was done in the first state, as its page had not all yet, ways begin
// in the next one of its address, and in no other.
func TestWaysBeginWhereSomethingWasDone(t *testing.T) {
	edge := func(from, to string) site.Edge {
		return site.Edge{From: from, To: to, Action: site.Action{Kind: site.Click, Element: &site.Element{Name: "Go"}}}
	}
	states := []site.State{{ID: "s1", URL: "https://a.test/"}, {ID: "s2", URL: "https://a.test/other"}, {ID: "s3", URL: "https://a.test/"}}
	for want, edges := range map[string][]site.Edge{
		"s1": {edge("s1", "s2"), edge("s3", "s2")},
		"s3": {edge("s2", "s3"), edge("s3", "s2")},
	} {
		if got := newWays(site.Site{States: states, Edges: edges}).start(); got != want {
			t.Errorf("ways begin in %s, want %s", got, want)
		}
	}
}
