package look

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestTheCorpusCanTell: each kind that is made by combination has cells that must pass and cells that must not, each
// cell has its page, no two cells are one, and a second draw has the same.
func TestTheCorpusCanTell(t *testing.T) {
	t.Parallel()
	all, again := corpus(false), corpus(false)
	good, bad, names := map[string]int{}, map[string]int{}, map[string]bool{}
	for i, c := range all.cells {
		path, _, _ := strings.Cut(strings.ReplaceAll(c.Page, "#", "?"), "?")
		if _, ok := all.pages[path]; !ok {
			t.Errorf("%s: there is no page %s", c.Name(), c.Page)
		}
		if name := c.Name() + " " + c.Page; names[name] {
			t.Errorf("twice: %s", name)
		} else {
			names[name] = true
		}
		if other := again.cells[i]; other.Name() != c.Name() || again.pages[path].body != all.pages[path].body {
			t.Errorf("%s is another the next time", c.Name())
		}
		switch c.Truth {
		case mustPass, mustHush, notFail:
			good[c.Class]++
		default:
			bad[c.Class]++
		}
	}
	t.Logf("%d cells: healthy %v, broken or open %v", len(all.cells), good, bad)
	for _, kind := range []string{"tokens", "order", "absence", "ink", "time", "brought", "made", "noticed"} {
		if good[kind] < 20 || bad[kind] < 20 {
			t.Errorf("%s: %d healthy cells, %d broken or open ones", kind, good[kind], bad[kind])
		}
	}
	if len(all.cells) < 2000 {
		t.Errorf("%d cells, want 2,000", len(all.cells))
	}
	for _, path := range slices.Sorted(maps.Keys(all.pages)) {
		if body := all.pages[path].body; strings.Contains(body, "%!") {
			t.Errorf("%s: a format went wrong: %s", path, body)
		}
	}
}

// TestTruthJudges: what must be open may be neither passed nor failed, and so on for each truth.
func TestTruthJudges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		is   truth
		said outcome
		want verdict
	}{
		{mustOpen, passed, falseGreen}, {mustOpen, failed, falseRed}, {mustOpen, inconclusive, right},
		{notFail, failed, falseRed}, {notFail, inconclusive, right}, {notFail, passed, right},
		{notPass, passed, falseGreen}, {notPass, withFinding, falseGreen}, {notPass, inconclusive, right},
		{mustHush, withFinding, falseRed}, {mustHush, passed, right}, {mustHush, inconclusive, undecided}, {mustHush, failed, falseRed},
		{mustFind, passed, falseGreen}, {mustFind, withFinding, right}, {mustPass, withFinding, right}, {mustPass, failed, falseRed}, {mustFail, inconclusive, undecided},
	} {
		if got := c.is.judge(c.said); got != c.want {
			t.Errorf("%s, and it said %s: %s, want %s", c.is, c.said, got, c.want)
		}
	}
}
