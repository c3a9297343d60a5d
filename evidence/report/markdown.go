package report

import (
	"fmt"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// Bounds of a Markdown view, which is read in a pull request: the rest is in
// report.html and report.json.
const (
	mdValue    = 200 // runes of a value
	mdFindings = 20
	mdChecks   = 30
	mdKPIs     = 30
	mdVisuals  = 20
	mdCauses   = 5 // of a picture
	mdProblems = 5 // of the evidence
)

// Markdown returns a short view of the report for a pull request or a terminal.
func Markdown(r qa.QAReport) ([]byte, error) { return VerifiedMarkdown(r, nil), nil }

// VerifiedMarkdown returns what [Markdown] returns, with what a verification has
// found since, if v is not nil.
func VerifiedMarkdown(r qa.QAReport, v *Verification) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s\n\n", mdStatus(r.Status), mdText(caseName(r)))
	if r.Task.Goal != "" && visible(r.Task.Goal) != caseName(r) {
		fmt.Fprintf(&b, "**Asked:** %s\n\n", mdText(r.Task.Goal))
	}
	if p := newPage(r, Options{}); r.Status == qa.Failed && len(p.failures) > 0 { // the findings below say the rest
		fmt.Fprintf(&b, "**Why:** %s\n\n", mdText(p.outcome()))
	} else {
		fmt.Fprintf(&b, "**Why:** %s\n\n", mdText(r.StatusReason))
	}
	if r.Summary != "" {
		fmt.Fprintf(&b, "**Summary by the caller** (no part of the verdict): %s\n\n", mdText(r.Summary))
	}
	fmt.Fprintf(&b, "%s · %s · %s · run %s · %s\n", qa.TallyOf(r.Checks).Line(),
		plural(len(r.Findings), "finding"), took(r.Costs.DurationMS), mdCode(r.RunID), stamp(r.StartedAt))
	mdEvidence(&b, r, v)
	mdKPITable(&b, r)
	mdVisualList(&b, r.Visual)
	mdFindingList(&b, r)
	mdExpectations(&b, r)
	mdUnproven(&b, r)
	mdCheckTable(&b, r)
	mdFooter(&b, r)
	return []byte(b.String())
}

// mdList writes the first entries of a list, and then how many more there are.
func mdList[T any](b *strings.Builder, all []T, most int, more string, line func(T)) {
	for i, one := range all {
		if i == most {
			fmt.Fprintf(b, more, len(all)-i)
			return
		}
		line(one)
	}
}

// What ends a list and a table that are cut.
const (
	mdMoreLines = "- … and %d more in the full report\n"
	mdMoreRows  = "\n… and %d more in the full report.\n"
)

func mdStatus(s qa.Status) string {
	look := s.Look()
	return look.Emoji + " " + look.Word + ":"
}

// mdKPITable lists the KPIs, what is not right first.
func mdKPITable(b *strings.Builder, r qa.QAReport) {
	rows := offFirst(r.KPITable)
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## KPIs: %d of %d OK\n\n| | KPI | Range | Expected | Observed | |\n|---|---|---|---|---|---|\n", kpisOK(rows), len(rows))
	mdList(b, rows, mdKPIs, mdMoreRows, func(k qa.KPIRow) {
		state := statusMark(k.Status)
		fmt.Fprintf(b, "| %s %s | %s | %s | %s | %s | %s |\n", state.emoji(), mdText(state.Word), mdText(k.Label), mdText(k.Range), mdCode(k.Expected), mdCode(k.Observed), mdText(cause(k.Cause)))
	})
}

func mdFindingList(b *strings.Builder, r qa.QAReport) {
	if len(r.Findings) == 0 {
		return
	}
	b.WriteString("\n## Findings\n\n")
	mdList(b, gravestFirst(r.Findings), mdFindings, mdMoreLines, func(f qa.Finding) {
		fmt.Fprintf(b, "- **%s** (%s, %s): %s", mdText(string(f.Severity)), mdText(string(f.Category)), mdText(f.ID), mdText(f.Headline()))
		if !saidByTitle(f) {
			fmt.Fprintf(b, " · expected %s, observed %s", mdCode(f.Expected), mdCode(f.Observed))
		}
		if f.At != nil {
			fmt.Fprintf(b, " · thrown at %s", mdCode(f.At.String()))
		}
		for _, one := range untitledRequests(r, f) {
			fmt.Fprintf(b, " · request %s", mdCode(one.String()))
		}
		if todo := f.ToDo(r.Checks); todo != "" {
			fmt.Fprintf(b, " · what to do: %s", mdText(todo))
		}
		for _, e := range f.Evidence {
			if e.ScreenshotRef != "" {
				fmt.Fprintf(b, " · see %s", mdCode(e.ScreenshotRef))
			}
		}
		b.WriteByte('\n')
	})
}

func mdUnproven(b *strings.Builder, r qa.QAReport) {
	missing := qa.Unproven(r.Task.Expectations, r.Checks)
	if len(missing) == 0 {
		return
	}
	b.WriteString("\n## Not proved\n\n")
	for _, m := range missing {
		fmt.Fprintf(b, "- %s %s: %s\n", mdText(m.ID), mdText(expectationText(m.Expectation)), mdText(m.Reason))
	}
}

func mdCheckTable(b *strings.Builder, r qa.QAReport) {
	if len(r.Checks) == 0 {
		return
	}
	b.WriteString("\n## Checks\n\n| | Check | Expected | Observed |\n|---|---|---|---|\n")
	mdList(b, qa.FailedFirst(r.Checks), mdChecks, mdMoreRows, func(c qa.Check) {
		mark := c.Status().Look().Emoji + " " + string(c.Status())
		name := mdText(c.ID) + " " + mdText(c.Called())
		if on := target(c); on != "" {
			name += " " + mdCode(on)
		}
		if len(c.Void) > 0 {
			name += ": " + mdText(strings.Join(c.Void, "; "))
		}
		observed := mdCode(c.Observed)
		if id := toldBy(c, r.Findings); id != "" {
			observed = "see " + mdText(id)
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", mark, name, mdCode(c.Expected), observed)
	})
}

func mdFooter(b *strings.Builder, r qa.QAReport) {
	e := r.Environment
	fmt.Fprintf(b, "\n---\n%s, %s", plural(r.Costs.ToolCalls, "tool call"), plural(r.Costs.Screenshots, "screenshot"))
	if n := r.Costs.TokensInput + r.Costs.TokensOutput; n > 0 {
		fmt.Fprintf(b, ", %s tokens", grouped(int64(n)))
	}
	if n := len(r.Console) + len(r.Network); n > 0 {
		fmt.Fprintf(b, ", %s, %s", plural(len(r.Console), "console complaint"), plural(len(r.Network), "bad request"))
	}
	fmt.Fprintf(b, ". assay %s", mdText(e.AssayVersion))
	if e.Browser != "" {
		fmt.Fprintf(b, ", %s %s", mdText(e.Browser), mdText(e.BrowserVersion))
	}
	if e.Name != "" {
		fmt.Fprintf(b, ", environment %s", mdText(e.Name))
	}
	fmt.Fprintf(b, ", %s/%s\n", mdText(e.OS), mdText(e.Arch))
}

// mdText makes a line of text of hostile text. It must not begin a line.
func mdText[S ~string](s S) string { return pagetext.Markdown(pagetext.Text(s), mdValue) }

// mdCode makes a code span of hostile text, in a table or out of it.
func mdCode[S ~string](s S) string { return pagetext.MarkdownCode(pagetext.Text(s), mdValue) }
