package explore

import (
	"strings"
	"testing"
)

// A view that differs from those of its path by the query of its address alone offers
// nothing new; one with a line of its own does.
func TestVariantsByQuery(t *testing.T) { // Req 0032/1
	lines := func(all string) map[string]bool {
		out := map[string]bool{}
		for line := range strings.FieldsSeq(all) {
			out[line] = true
		}
		return out
	}
	f := &family{some: map[string]bool{}}
	if f.variant(lines("list row")) {
		t.Error("the first view is a variant")
	}
	f.states = append(f.states, &state{})
	f.learn(lines("list row"))
	f.learn(lines("list row ?status=open clear"))
	for _, one := range []struct {
		lines          string
		novel, variant bool
	}{
		{"list row", false, true},
		{"list row ?status=closed", true, true},
		{"list row clear ?status=closed ?sort=name", true, true},
		{"list row ?view=settings save", true, false},
		{"row ?status=closed", true, false},
	} {
		if f.novel(lines(one.lines)) != one.novel || f.variant(lines(one.lines)) != one.variant {
			t.Errorf("%s: novel %t, variant %t", one.lines, f.novel(lines(one.lines)), f.variant(lines(one.lines)))
		}
	}
}
