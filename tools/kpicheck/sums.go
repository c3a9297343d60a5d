package kpicheck

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/qa/kpi"
	"github.com/assay-qa/assay/tools/engine"
)

// maxSums bounds how many totals of tables are compared in a range.
const maxSums = 40

// addUp compares totals with their parts: those that the spec declares, then
// those of the page's tables and charts. They are the same in all ranges.
func (k *check) addUp(ctx context.Context, all together) error {
	if err := k.addUpIn(ctx, all[0]); err != nil {
		return err
	}
	for _, r := range all[1:] {
		r.sums, r.asked, r.charts = all[0].sums, all[0].asked, all[0].charts
	}
	return nil
}

func (k *check) addUpIn(ctx context.Context, r *rangeCheck) error {
	r.sums, r.charts = nil, nil
	for _, declared := range k.Spec.Sums {
		var total kpi.Parsed
		if best := r.look.picks[declared.KPI].Best; best != nil {
			total = best.Value
		}
		read, err := k.readings(ctx, declared.Selector)
		e := &engine.Error{}
		if err != nil {
			e = engine.AsError(k.Tool, err)
		}
		switch {
		case err == nil:
			page := pageOf(read, k.NumberLocale)
			page.Settle()
			s := page.DeclaredSum(declared.KPI, total, k.Tolerance.For(declared.KPI))
			s.Selector = declared.Selector
			r.sums = append(r.sums, s)
		case e.Code == code.ElementNotFound || e.Code == code.SelectorAmbiguous:
			r.sums = append(r.sums, kpi.Sum{Subject: "parts of " + declared.KPI, Selector: declared.Selector, Shown: total, Note: "not compared: " + e.Message.Line()})
		default:
			return err
		}
	}
	r.asked = len(r.sums)
	tables := r.look.page.TableSums()
	r.sums = append(r.sums, tables[:min(maxSums, len(tables))]...)
	for _, label := range k.labels {
		best := r.look.picks[label].Best
		if best == nil || slices.ContainsFunc(k.Spec.Sums, func(s qa.KPISum) bool { return s.KPI == label }) {
			continue
		}
		if s, ok := r.look.page.ChartSum(label, best.Value); ok && !s.Passed && s.Note == "" {
			r.charts = append(r.charts, s)
		}
	}
	return nil
}

func (r *rangeCheck) sumsHold() bool {
	return len(r.charts) == 0 && !slices.ContainsFunc(r.sums, func(s kpi.Sum) bool { return !s.Passed && s.Note == "" })
}

// recordSums records a check for each total that was compared.
func (k *check) recordSums(r *rangeCheck) {
	for i, s := range r.sums {
		subject := Subject(s.Subject, r.Name)
		out := Sum{Subject: s.Subject, Range: r.Name, Expected: kpi.Shown(s.Added), Observed: s.Shown.Text, Passed: s.Passed, Note: s.Note}
		k.out.Sums = append(k.out.Sums, out)
		if s.Note != "" {
			if i < r.asked { // it was asked for, so that it was not compared counts
				k.out.Unsure++
				k.notCompared("ambiguous", pagetext.Sentencef("%s: %s", subject, pagetext.Text(s.Note)))
				k.out.Problems = append(k.out.Problems, pagetext.Text(subject+": "+s.Note))
			}
			continue
		}
		added := qa.Check{Kind: "kpi_sum", Subject: subject, Selector: s.Selector, Expected: fmt.Sprintf("%s, the sum of %s", out.Expected, partsOf(s)),
			Observed: pagetext.Text(orNothing(out.Observed)), Passed: s.Passed, Source: qa.SourceTool, Expects: k.Expects}
		if r.page != "" {
			added.Evidence = []string{r.page}
		}
		if s.Passed {
			k.out.Records.AddCheck(added)
			continue
		}
		k.out.Failed++
		total := subject
		if i < r.asked {
			total = Subject(k.Spec.Sums[i].KPI, r.Name)
		}
		k.out.Records.AddFailed(added, k.sumFinding(r, s, qa.Major, total+" is the sum of its parts"))
	}
	for _, s := range r.charts {
		k.out.Records.AddFinding(k.sumFinding(r, s, qa.Minor, "the points of the "+Subject(s.Subject, r.Name)+" add up to the card's value"))
	}
}

// partsOf says how many parts were added up.
func partsOf(s kpi.Sum) string {
	if s.Parts == 1 {
		return "1 part"
	}
	return fmt.Sprintf("%d parts", s.Parts)
}

// aside puts a difference such as +7 (+3.7 %) into one pair of brackets.
func aside(difference string) string {
	return " (" + strings.NewReplacer(" (", ", ", ")", "").Replace(difference) + ")"
}

// sumFinding returns the finding of a sum that does not hold; assertion is what should have held.
func (k *check) sumFinding(r *rangeCheck, s kpi.Sum, severity qa.Severity, assertion string) qa.Finding {
	f := qa.Finding{Severity: severity, Category: qa.DataConsistency, Source: qa.SourceTool, Confidence: 1, Assertion: pagetext.Text(assertion),
		Expected: pagetext.Text(kpi.Shown(s.Added) + " (" + partsOf(s) + ")"), Observed: pagetext.Text(orNothing(s.Shown.Text)),
		SuggestedFix: "look whether the total and the parts come from the same data and the same filter"}
	if len(s.Shown.Readings) > 0 {
		f.Observed += pagetext.Text(aside(kpi.Difference(s.Shown.Readings[0].Value, s.Added)))
	}
	f.Title = pagetext.Sprintf("%s shows %s, its parts add up to %s", Subject(s.Subject, r.Name), orNothing(s.Shown.Text), kpi.Shown(s.Added))
	f.Evidence = []qa.EvidenceRef{{ScreenshotRef: r.page, Selector: s.Selector, Time: &r.look.at}}
	if severity == qa.Minor {
		f.Confidence = 0.5
	} else {
		k.out.Problems = append(k.out.Problems, pagetext.Text("it does not hold that "+assertion+": they add up to "+kpi.Shown(s.Added)+", shown "+orNothing(s.Shown.Text)))
	}
	return f
}
