package explore

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/author/prove"
)

// mutantsOfTests proves generated tests and adds up what they notice.
func (b *bench) mutantsOfTests(ctx context.Context) (table, error) {
	t := table{Head: []string{"app", "tests", "can't fail", "missing", "no effect", "wrong effect", "navigation", "script", "all", "strong", "invalid", "equivalents passed"}}
	sums, whole := map[prove.Class]prove.Count{}, 0
	tolerant, brittle := 0, 0
	survivors := map[string]int{}
	for _, a := range b.tested() {
		m, err := b.generate(ctx, a)
		if err != nil {
			return t, fmt.Errorf("%s: %w", a.name, err)
		}
		if m.count == 0 {
			t.note("%s: no tests", a.name)
			continue
		}
		var r prove.Report
		if err := b.assayJSON(ctx, m.project, &r, "prove", "tests", "--json", "--seed", fmt.Sprint(b.seed), "--mutants", fmt.Sprint(b.mutants), "--workers", "2"); err != nil {
			return t, fmt.Errorf("%s: %w", a.name, err)
		}
		for class, c := range r.Classes {
			s := sums[class]
			sums[class] = prove.Count{Strong: s.Strong + c.Strong, Weak: s.Weak + c.Weak, Survived: s.Survived + c.Survived, Invalid: s.Invalid + c.Invalid}
		}
		blind := 0
		for _, test := range r.Tests {
			if test.Verdict != prove.CanFail {
				blind++
			}
			for _, one := range test.Mutants {
				if one.Outcome == prove.Survived || one.Outcome == prove.Brittle {
					survivors[fmt.Sprintf("%s: %s %s", a.name, one.Class, one.Kind)]++
				}
			}
		}
		tolerant, brittle = tolerant+r.Tolerant, brittle+r.Brittle
		t.row(append([]any{a.name, len(r.Tests), blind}, killed(r.Classes, r.Tolerant, r.Brittle)...)...)
		_, of := prove.Sum(r.Classes).Rate()
		whole += of
		fmt.Fprintf(b.progress, "%s: %d mutants\n", a.name, of)
	}
	t.row(append([]any{"**all**", "", ""}, killed(sums, tolerant, brittle)...)...)
	t.note("%d faults, %d equivalents, of which %d turned a test red (goals: ≥ 95 %% of missing, navigation and script, ≥ 85 %% of wrong effect, ≥ 80 %% of all, 0 of ≥ 60 equivalents).", whole, tolerant+brittle, brittle)
	t.note("Not as wanted: %s", counted(survivors))
	return t, nil
}

// killed writes the columns of one row.
func killed(classes map[prove.Class]prove.Count, tolerant, brittle int) []any {
	var out []any
	rate := func(c prove.Count) string {
		n, of := c.Rate()
		return strings.TrimSuffix(fmt.Sprintf("%d/%d %s", n, of, percent(n, of)), " -")
	}
	for _, class := range []prove.Class{prove.Missing, prove.NoEffect, prove.WrongEffect, prove.Navigation, prove.Script} {
		out = append(out, rate(classes[class]))
	}
	sum := prove.Sum(classes)
	return append(out, rate(sum), sum.Strong, sum.Invalid, fmt.Sprintf("%d of %d", tolerant, tolerant+brittle))
}
