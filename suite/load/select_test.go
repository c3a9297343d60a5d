package load

import (
	"fmt"
	"slices"
	"testing"

	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/spec"
)

// D3: n shards have all cases, each once, and none has two more than another;
// tags and patterns choose before.
func TestShards(t *testing.T) {
	var files []Case
	for i := range 11 {
		s := Spec{Spec: spec.Spec{Title: fmt.Sprintf("Case %02d", i), Row: i % 3}}
		if i%2 == 0 {
			s.Tags = []string{"even", "all"}
		}
		files = append(files, Case{Path: fmt.Sprintf("%02d.md", i), Spec: &s})
	}
	names := func(files []Case) (out []string) {
		for _, f := range files {
			out = append(out, f.Path)
		}
		return out
	}
	for of := 1; of <= 11; of++ {
		var all []string
		for shard := 1; shard <= of; shard++ {
			part, err := Select(files, suite.Selection{Shard: shard, Of: of})
			if err != nil || len(part) < 11/of || len(part) > 11/of+1 {
				t.Fatalf("shard %d/%d has %d cases: %v", shard, of, len(part), err)
			}
			all = append(all, names(part)...)
		}
		if slices.Sort(all); !slices.Equal(all, names(files)) {
			t.Errorf("%d shards have %v", of, all)
		}
	}
	for _, c := range []struct {
		s    suite.Selection
		want []string
	}{
		{suite.Selection{Tags: []string{"odd", "even"}}, []string{"00.md", "02.md", "04.md", "06.md", "08.md", "10.md"}},
		{suite.Selection{Grep: `Case 0[12]`}, []string{"01.md", "02.md"}},
		{suite.Selection{Grep: `\[1\]$`, Tags: []string{"all"}}, []string{"04.md", "10.md"}},
		{suite.Selection{Grep: `^1`, Shard: 2, Of: 1 << 1}, nil},
	} {
		got, err := Select(files, c.s)
		if (err == nil) != (c.want != nil) || !slices.Equal(names(got), c.want) {
			t.Errorf("%+v chooses %v, %v", c.s, names(got), err)
		}
	}
}
