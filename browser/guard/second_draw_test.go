package guard_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// A12: a second draw, of which no rule has learnt: names and requests that destroy, and
// such that don't, from systems that were not read. What goes through and what is hindered
// stands in testdata/second_misses.txt, as it was measured once; docs/security.md has the
// shares.
func TestSecondDraw(t *testing.T) {
	g := newGuard(t, nil, nil)
	var listed strings.Builder
	judge := func(file, miss string, want bool, hits func(row []string) (rule string, hit bool)) {
		all, missed := rows(t, file), 0
		for _, row := range all {
			if rule, hit := hits(row); hit != want {
				missed++
				fmt.Fprintf(&listed, "%s\t%s\t%s\n", miss, strings.Join(row, "\t"), rule)
			}
		}
		t.Logf("%s: %s: %d of %d", file, miss, missed, len(all))
	}
	name := func(row []string) (string, bool) { return g.Click(row[2]) }
	request := func(row []string) (string, bool) { return g.Request(sent(row)) }
	judge("second_names.tsv", "through", true, name)
	judge("second_requests.tsv", "through", true, request)
	judge("second_harmless_names.tsv", "hindered", false, name)
	judge("second_harmless_requests.tsv", "hindered", false, request)
	const file = "testdata/second_misses.txt"
	if *update {
		if err := os.WriteFile(file, []byte(listed.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if known, err := os.ReadFile(file); err != nil || string(known) != listed.String() {
		t.Errorf("%s does not list what is missed (go test ./browser/guard -run SecondDraw -update): %v", file, err)
	}
}
