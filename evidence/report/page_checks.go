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
	w.put(`
<section id="kpis" aria-labelledby="h-kpis">
<h2 id="h-kpis">KPIs <span class="count">`, num(kpisOK(p.KPITable)), ` of `, num(len(p.KPITable)), ` OK</span></h2>
<table class="kpis">
<thead><tr><th scope="col">Result</th><th scope="col">KPI</th><th scope="col">Range</th><th scope="col" class="num">Expected</th><th scope="col" class="num">Observed</th><th scope="col" class="num">Difference</th><th scope="col">On the page</th></tr></thead>
<tbody>
`)
	for _, k := range offFirst(p.KPITable) {
		p.kpi(w, k)
	}
	w.put(`</tbody>
</table>
</section>
`)
}

func (p page) kpi(w *writer, k qa.KPIRow) {
	w.put(`<tr class="`, text(statusMark(k.Status).Class), `"><td data-label="Result">`, statusMark(k.Status).html(), `</td>
<td data-label="KPI">`, folded(k.Label), when(has(k.Cause), `<span class="hint">`, text(cause(k.Cause)), `</span>`), when(has(k.Selector), `<span class="hint target">`, text(visible(k.Selector)), `</span>`), `</td>
<td data-label="Range">`, folded(k.Range), `</td>
<td data-label="Expected" class="num">`, folded(k.Expected), `</td><td data-label="Observed" class="num">`, folded(k.Observed), `</td><td data-label="Difference" class="num">`, folded(k.Difference), `</td>
<td data-label="On the page">`)
	if screenshotRef := k.ScreenshotRef; has(screenshotRef) {
		if f := p.files.find(screenshotRef); f != nil {
			w.put(when(has(f.URL), `<a class="thumb" href="#`, fragment(f.Anchor), `"><img src="`, href(f.URL), `" loading="lazy" decoding="async" alt="Picture `, text(visible(path.Base(f.Name))), `"></a>`))
		}
	}
	w.put(when(has(k.NetworkRequestID), `<span class="hint">request `, either(has(requestAnchor(p.requests, k.NetworkRequestID)), join(`<a href="#`, fragment(requestAnchor(p.requests, k.NetworkRequestID)), `">`, text(visible(k.NetworkRequestID)), `</a>`), join(`<span class="id">`, text(visible(k.NetworkRequestID)), `</span>`)), `</span>`), `</td></tr>
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
	w.put(`
<section id="findings" aria-labelledby="h-findings">
<h2 id="h-findings">`, either(len(p.failures) > 0, `Other findings`, `Findings`), ` <span class="count">`, num(len(all)), `</span></h2>
`)
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
	w.put(`<article class="finding `, text(statusMark(f.Severity).Class), `">
<p class="tags">`, statusMark(f.Severity).html(), `<span class="tag">`, text(visible(string(f.Category))), `</span><span class="id">`, text(visible(f.ID)), `</span></p>
<h3><span class="text">`, text(visible(f.Headline())), `</span></h3>
`, when(!saidByTitle(f.Finding), `<dl class="pair">
<div><dt>Expected</dt><dd>`, folded(f.Expected), when(has(tolerance(f.Tolerance)), ` <span class="hint">`, text(tolerance(f.Tolerance)), `</span>`), `</dd></div>
<div><dt>Observed</dt><dd>`, folded(f.Observed), `</dd></div>
</dl>`), when(has(f.SuggestedFix), `<div class="fix"><b>Suggested fix:</b> `, folded(f.SuggestedFix), `</div>`), `
<details><summary>More of this</summary>
<div><b>What should hold:</b> `, folded(f.Assertion), `</div>`)
	for _, e := range f.Evidence {
		p.reference(w, e)
	}
	w.put(`
<p class="hint">`, source(f.Finding), `</p></details>
</article>
`)
}

// expectations writes what the task expects, and what became of it.
func (p page) expectations(w *writer) {
	if len(p.Task.Expectations) == 0 {
		return
	}
	w.put(`
<section id="expectations" aria-labelledby="h-expectations">
<h2 id="h-expectations">Expectations <span class="count">`, num(len(p.Task.Expectations)), `</span></h2>
`)
	open, proved := []expectation{}, []expectation{}
	for _, e := range expectationsOf(p.QAReport) {
		if e.Status == qa.Passed && len(p.Task.Expectations) > openRows {
			proved = append(proved, e)
		} else {
			open = append(open, e)
		}
	}
	if len(open) > openRows {
		w.put(`<details class="fold"><summary><span class="bad">`, num(len(open)), ` not proved</span></summary>
`)
		p.expectationTable(w, open)
		w.put(`</details>`)
	} else {
		p.expectationTable(w, open)
	}
	if len(proved) > 0 {
		w.put(`<details class="fold"><summary>`, num(len(proved)), ` proved</summary>
`)
		p.expectationTable(w, proved)
		w.put(`</details>`)
	}
	if readings := readingsOf(p.QAReport); len(readings) > 0 {
		w.put(`
<h3>Readings to accept</h3>
<p>`, text(plural(len(readings), "reading")), ` of sentences that are not understood. They prove nothing until a person accepts them.</p>`, either(has(AcceptCommand(p.QAReport)), join(`<pre>`, text(AcceptCommand(p.QAReport)), `</pre>`), `<p class="hint">Give the expectation an assertion.</p>`), `
<ul>`)
		for _, one := range readings {
			w.put(`<li><span class="id">`, text(visible(one.ID)), `</span> <span class="text">`, text(visible(one.Text)), `</span><br>read as: <span class="text">`, text(visible(one.As)), `</span> <a href="#check-`, fragment(visible(one.Check)), `">`, text(visible(one.Check)), `</a></li>`)
		}
		w.put(`</ul>`)
	}
	w.put(`
</section>
`)
}

func (p page) expectationTable(w *writer, all []expectation) {
	if len(all) == 0 {
		return
	}
	w.put(`<table>
<thead><tr><th scope="col">Result</th><th scope="col">What must hold</th><th scope="col">Shown by</th></tr></thead>
<tbody>
`)
	for _, e := range all {
		p.expectation(w, e)
	}
	w.put(`</tbody>
</table>`)
}

func (p page) expectation(w *writer, e expectation) {
	w.put(`<tr class="`, text(statusMark(e.Status).Class), `"><td data-label="Result">`, either(e.Status == "inconclusive", `<span class="mark open"><span class="sign" aria-hidden="true">?</span>Not proved</span>`, statusMark(e.Status).html()), `</td>
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
	w.put(`
<section id="checks" aria-labelledby="h-checks">
<h2 id="h-checks">Checks <span class="count">`, num(len(p.Checks)), `</span></h2>
`)
	failed, passed := []qa.Check{}, []qa.Check{}
	for _, c := range qa.FailedFirst(p.Checks) {
		if c.Status() == qa.Passed {
			passed = append(passed, c)
		} else {
			failed = append(failed, c)
		}
	}
	if len(failed) > openRows {
		w.put(`<details class="fold"><summary><span class="bad">`, text(notPassed(qa.TallyOf(failed))), `</span></summary>
`)
		p.checkTable(w, failed)
		w.put(`</details>`)
	} else {
		p.checkTable(w, failed)
	}
	if len(passed) > 0 {
		w.put(`<details class="fold"><summary>`, text(plural(len(passed), "passed check")), `</summary>
`)
		p.checkTable(w, passed)
		w.put(`</details>`)
	}
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

func (p page) checkTable(w *writer, checks []qa.Check) {
	if len(checks) == 0 {
		return
	}
	w.put(`<table class="checks">
<thead><tr><th scope="col">Result</th><th scope="col">Check</th><th scope="col">Expected</th><th scope="col">Observed</th></tr></thead>
<tbody>
`)
	for _, c := range checks {
		p.check(w, c)
	}
	w.put(`</tbody>
</table>`)
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
<td data-label="Observed">`, folded(c.Observed), `</td></tr>
`)
}
