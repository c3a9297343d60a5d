package report

import (
	"fmt"
	"path"
	"slices"

	"github.com/assay-qa/assay/qa"
)

// kpis writes the table of figures.
func (p page) kpis(w *writer) {
	if len(p.KPITable) == 0 {
		return
	}
	w.section("kpis", `KPIs`, counted(num(kpisOK(p.KPITable)), ` of `, num(len(p.KPITable)), ` OK`))
	table(w, "kpis", []string{"Result", "KPI", "Range", "#Expected", "#Observed", "#Difference", "On the page"}, offFirst(p.KPITable), p.kpi)
	w.put("\n</section>\n")
}

func (p page) kpi(w *writer, k qa.KPIRow) {
	w.put(`<tr class="`, text(statusMark(k.Status).Class), `"><td data-label="Result">`, statusMark(k.Status).html(), `</td>
<td data-label="KPI">`, folded(k.Label), when(has(k.Cause), `<span class="hint">`, text(cause(k.Cause)), `</span>`),
		when(has(k.Selector), `<span class="hint target">`, text(visible(k.Selector)), `</span>`), `</td>
<td data-label="Range">`, folded(k.Range), `</td>
<td data-label="Expected" class="num">`, folded(k.Expected), `</td><td data-label="Observed" class="num">`,
		folded(k.Observed), `</td><td data-label="Difference" class="num">`, folded(k.Difference), `</td>
<td data-label="On the page">`)
	if screenshotRef := k.ScreenshotRef; has(screenshotRef) {
		if f := p.files.find(screenshotRef); f != nil {
			w.put(when(has(f.URL), `<a class="thumb" href="#`, fragment(f.Anchor), `"><img src="`,
				href(f.URL), `" loading="lazy" decoding="async" alt="Picture `, text(visible(path.Base(f.Name))), `"></a>`))
		}
	}
	w.put(when(has(k.NetworkRequestID), `<span class="hint">request `,
		either(has(requestAnchor(p.requests, k.NetworkRequestID)), join(`<a href="#`, fragment(requestAnchor(p.requests, k.NetworkRequestID)), `">`, text(visible(k.NetworkRequestID)), `</a>`),
			join(`<span class="id">`, text(visible(k.NetworkRequestID)), `</span>`)), `</span>`), `</td></tr>
`)
}

// others returns the findings that do not stand at the head of the page, the gravest
// first.
func (p page) others() (out []failure) {
	all := slices.Clone(p.failures)
	for _, f := range gravestFirst(p.Findings) {
		if !slices.ContainsFunc(p.failures, func(x failure) bool { return x.ID == f.ID }) {
			all = append(all, failure{Finding: f})
		}
	}
	return all[min(shownFailures, len(p.failures)):]
}

// findings writes what else is wrong.
func (p page) findings(w *writer) {
	all := p.others()
	if len(all) == 0 {
		return
	}
	w.section("findings", either(len(p.failures) > 0, `Other findings`, `Findings`), counted(num(len(all))))
	for i, f := range all {
		if i == openFindings {
			w.put(`<details class="fold"><summary>`, text(plural(len(all)-i, "more finding")), `</summary>
`)
		}
		p.finding(w, f)
	}
	w.put(when(len(all) > openFindings, `</details>`), `</section>
`)
}

// openFindings bounds the findings below the head that are shown unfolded.
const openFindings = 3

func (p page) finding(w *writer, f failure) {
	w.put(`<article class="finding `, text(statusMark(f.Severity).Class), `"`, findingID(f.Finding), `>
<p class="tags">`, statusMark(f.Severity).html(), `<span class="tag">`, text(visible(string(f.Category))), `</span><span class="id">`, text(visible(f.ID)), `</span></p>
<h3><span class="text">`, text(visible(f.Headline())), `</span></h3>
`, p.said(f.Finding))
	p.more(w, f.Finding)
	w.put("\n</article>\n")
}

// expectations writes what the task expects, and what became of it.
func (p page) expectations(w *writer) {
	if len(p.Task.Expectations) == 0 {
		return
	}
	w.section("expectations", `Expectations`, counted(num(len(p.Task.Expectations))))
	open, proved := []expectation{}, []expectation{}
	for _, e := range expectationsOf(p.QAReport) {
		if e.Status == qa.Passed && len(p.Task.Expectations) > openRows {
			proved = append(proved, e)
		} else {
			open = append(open, e)
		}
	}
	heads := []string{"Result", "What must hold", "Shown by"}
	w.folded(len(open) > openRows, join(`<span class="bad">`, num(len(open)), ` not proved</span>`), func() { table(w, "", heads, open, p.expectation) })
	w.folded(len(proved) > 0, join(num(len(proved)), ` proved`), func() { table(w, "", heads, proved, p.expectation) })
	if readings := readingsOf(p.QAReport); len(readings) > 0 {
		w.put(`
<h3>Readings to accept</h3>
<p>`, text(plural(len(readings), "reading")), ` of sentences that are not understood. They prove nothing until a person accepts them.</p>`,
			either(has(AcceptCommand(p.QAReport)), join(`<pre>`, text(AcceptCommand(p.QAReport)), `</pre>`), `<p class="hint">Give the expectation an assertion.</p>`), `
<ul>`)
		for _, one := range readings {
			w.put(`<li><span class="id">`, text(visible(one.ID)), `</span> <span class="text">`, text(visible(one.Text)), `</span><br>read as: <span class="text">`,
				text(visible(one.As)), `</span> <a href="#check-`, fragment(visible(one.Check)), `">`, text(visible(one.Check)), `</a></li>`)
		}
		w.put(`</ul>`)
	}
	w.put(`
</section>
`)
}

func (p page) expectation(w *writer, e expectation) {
	w.put(`<tr class="`, text(statusMark(e.Status).Class), `"><td data-label="Result">`,
		either(e.Status == "inconclusive", `<span class="mark open"><span class="sign" aria-hidden="true">?</span>Not proved</span>`, statusMark(e.Status).html()), `</td>
<td data-label="What must hold"><span class="id">`, text(visible(e.ID)), `</span> `, folded(e.Text), `<span class="hint text">`, text(visible(e.As)), `</span></td>
<td data-label="Shown by">`)
	for _, id := range e.Checks {
		w.put(`<a href="#check-`, fragment(visible(id)), `">`, text(visible(id)), `</a> `)
	}
	w.put(when(has(e.Reason), `<span class="text">`, text(visible(e.Reason)), `</span>`), `</td></tr>
`)
}

// checks writes the failed checks, and folded those that passed.
func (p page) checks(w *writer) {
	w.section("checks", `Checks`, counted(num(len(p.Checks))))
	failed, passed := []qa.Check{}, []qa.Check{}
	for _, c := range qa.FailedFirst(p.Checks) {
		if c.Status() == qa.Passed {
			passed = append(passed, c)
		} else {
			failed = append(failed, c)
		}
	}
	heads := []string{"Result", "Check", "Expected", "Observed"}
	w.folded(len(failed) > openRows, join(`<span class="bad">`, text(notPassed(qa.TallyOf(failed))), `</span>`), func() { table(w, "checks", heads, failed, p.check) })
	w.folded(len(passed) > 0, text(plural(len(passed), "passed check")), func() { table(w, "checks", heads, passed, p.check) })
	w.put(when(len(p.Checks) == 0, `<p class="empty">No check was recorded.</p>`), `
</section>`)
}

// notPassed counts checks of which none passed.
func notPassed(t qa.Tally) string {
	switch {
	case t.Open == 0:
		return plural(t.Failed, "failed check")
	case t.Failed == 0:
		return plural(t.Open, "check") + " that could not be judged"
	default:
		return fmt.Sprintf("%s, and %d that could not be judged", plural(t.Failed, "failed check"), t.Open)
	}
}

func (p page) check(w *writer, c qa.Check) {
	w.put(`<tr id="check-`, text(visible(c.ID)), `" class="`, text(statusMark(c.Status()).Class), `">
<td data-label="Result">`, statusMark(c.Status()).html(), when(c.Source == "model", `<span class="hint">a model’s word</span>`), `</td>
<td data-label="Check"><span class="id">`, text(visible(c.ID)), `</span> `, text(visible(c.Called())))
	for _, reason := range c.Void {
		w.put(`<br>`, text(visible(reason)))
	}
	w.put(`<br>`, when(has(target(c)), `<span class="target">`, folded(target(c)), `</span>`))
	if len(c.Evidence) > 0 || has(c.Step) {
		w.put(`<span class="hint">`, when(has(c.Step), `step `, num(c.Step)))
		for _, e := range c.Evidence {
			if f := p.files.find(e); f != nil {
				w.put(` · <a href="#`, fragment(f.Anchor), `">`, text(visible(path.Base(f.Name))), `</a>`)
			}
		}
		w.put(`</span>`)
	}
	w.put(`</td>
<td data-label="Expected">`, folded(c.Expected), `</td>
<td data-label="Observed">`, either(toldBy(c, p.Findings) != "", join(`see <a href="#finding-`, fragment(visible(c.Finding)), `">`, text(visible(c.Finding)), `</a>`), folded(c.Observed)), `</td></tr>
`)
}

// toldBy returns the id of the finding that says what a failed check has observed, or "".
func toldBy(c qa.Check, findings []qa.Finding) string {
	if c.Status() == qa.Failed && slices.ContainsFunc(findings, func(f qa.Finding) bool { return f.ID == c.Finding && f.ID != "" && f.Observed == c.Observed }) {
		return c.Finding
	}
	return ""
}
