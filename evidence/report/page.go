package report

import (
	"fmt"
	"time"

	"github.com/assay-qa/assay/qa"
)

// page holds what the page of a report is written from.
type page struct {
	qa.QAReport

	files       *fileSet
	comparisons []comparison
	requests    []request
	failures    []failure
	seal        badge
	suite       address // of the index; "": none
	verified    *badge  // of a verification that was made later; nil: there was none
}

func newPage(r qa.QAReport, o Options) page {
	p := page{QAReport: r, files: newFileSet(r.Artifacts, o), requests: requestsOf(r.Network), failures: failuresOf(r), seal: sealBadge(r.Seal()), suite: pathURL(o.Suite)}
	p.comparisons = comparisonsOf(r.Visual, p.files)
	if o.Verified != nil {
		b := o.Verified.badge()
		p.verified = &b
	}
	return p
}

// write writes the page.
func (p page) write(w *writer, task string) {
	p.head(w)
	p.verdict(w)
	p.kpis(w)
	p.findings(w)
	p.visual(w)
	p.expectations(w)
	p.checks(w)
	p.timeline(w)
	p.console(w)
	p.network(w)
	p.pictures(w)
	p.environment(w)
	p.reproduce(w, task)
	p.evidence(w)
	p.fileList(w)
	p.foot(w)
}

// styleSheet returns our own style sheets, which need no escaping.
func styleSheet(withPictures bool) markup {
	if withPictures {
		return markup(style + visualStyle)
	}
	return markup(style)
}

// head opens the page.
func (p page) head(w *writer) {
	w.beginning(statusMark(p.Status), caseName(p.QAReport), styleSheet(len(p.Visual) > 0), false)
	w.put(`<header>
<div class="brand"><b>assay</b> QA report</div>
<nav aria-label="Sections">`, when(has(p.suite), `<a href="`, href(p.suite), `">← All cases</a>`), when(len(p.KPITable) > 0, `<a href="#kpis">KPIs</a>`),
		when(len(p.others()) > 0, `<a href="#findings">Findings</a>`), when(len(p.Visual) > 0, `<a href="#visual">Visual</a>`),
		when(len(p.Task.Expectations) > 0, `<a href="#expectations">Expectations</a>`), `
<a href="#checks">Checks</a>`, when(len(p.Timeline) > 0, `<a href="#timeline">Timeline</a>`), when(len(p.Console) > 0, `<a href="#console">Console</a>`),
		when(len(p.Network) > 0, `<a href="#network">Network</a>`), when(len(p.files.pictures()) > 0, `<a href="#pictures">Pictures</a>`), `
<a href="#reproduce">Reproduce</a>
<a href="#evidence">Evidence</a></nav>
</header>
<main id="main">
`)
}

// verdict writes what came of the run, what failed first, and the run's facts.
func (p page) verdict(w *writer) {
	name := caseName(p.QAReport)
	w.put(`
<section class="verdict" aria-label="Verdict">
<h1>`, statusMark(p.Status).html(), ` <span class="text">`, text(name), `</span></h1>`, when(has(p.Task.Goal) && visible(p.Task.Goal) != name, `
<div class="goal"><b>Asked:</b> `, folded(p.Task.Goal), `</div>`), `
<div class="reason">`, either(p.Status == qa.Failed && len(p.failures) > 0, text(p.outcome()), folded(p.StatusReason)), `</div>`)
	p.failed(w)
	w.put(`
<dl class="facts">
<div><dt>Checks</dt><dd>`, num(qa.TallyOf(p.Checks).Passed), ` of `, num(len(p.Checks)), ` passed</dd></div>`, when(len(p.KPITable) > 0, `
<div><dt>KPIs</dt><dd>`, num(kpisOK(p.KPITable)), ` of `, num(len(p.KPITable)), ` OK</dd></div>`), when(len(p.Visual) > 0, `
<div><dt>Pictures</dt><dd>`, text(alikeWords(p.Visual)), `</dd></div>`), `
<div><dt>Findings</dt><dd>`, num(len(p.Findings)), `</dd></div>
<div><dt>Took</dt><dd>`, text(took(p.Costs.DurationMS)), `</dd></div>
<div><dt>Started</dt><dd><time datetime="`, text(p.StartedAt.UTC().Format("2006-01-02T15:04:05Z07:00")), `">`, text(stamp(p.StartedAt)), `</time></dd></div>`,
		when(has(p.Task.Route), `<div><dt>Route</dt><dd><span class="text">`, text(visible(p.Task.Route)), `</span></dd></div>`),
		when(has(p.Task.Role), `<div><dt>Role</dt><dd><span class="text">`, text(visible(p.Task.Role)), `</span></dd></div>`), `
<div><dt>Run</dt><dd><code>`, text(visible(p.RunID)), `</code></dd></div>
<div class="sealed"><dt>Files</dt><dd><a href="#evidence">`)
	if p.verified != nil {
		w.put(p.verified.Mark.html())
	} else {
		w.put(p.seal.Mark.html())
	}
	w.put(`</a></dd></div>
</dl>`, when(has(p.Summary), `
<aside class="summary"><h2>The caller’s summary</h2>
<p>`, folded(p.Summary), `</p>
<p class="hint">Words only: they had no part in the verdict.</p></aside>`), `
</section>
`)
}

// outcome counts the failures, each once, and the checks. A check that failed belongs to
// one failure, and one failure to several checks or to none: both are said, so that the
// numbers add up.
func (p page) outcome() string {
	beside := 0
	for _, f := range p.failures {
		if len(f.Checks) == 0 {
			beside++
		}
	}
	tally := qa.TallyOf(p.Checks)
	said := plural(len(p.failures), "failure") + "; " + tally.Line()
	if tally.Failed == len(p.failures) && tally.Open == 0 && beside == 0 { // the first number says it
		said = fmt.Sprintf("%s; %d of %s passed", plural(len(p.failures), "failure"), tally.Passed, plural(tally.All(), "check"))
	}
	if beside > 0 {
		said += fmt.Sprintf("; %s noticed by no check", plural(beside, "failure"))
	}
	return said + "."
}

// foot closes the page.
func (p page) foot(w *writer) {
	w.put(`</main>
<footer>The verdict was computed from the recorded checks and findings of run <code>`, text(visible(p.RunID)),
		`</code>, finished `, text(stamp(p.FinishedAt)), `. <code>report.json</code> holds the same facts for machines.</footer>
</body>
</html>
`)
}

// seen writes when something was seen, if that is known.
func seen(t *time.Time) markup {
	if t == nil {
		return ""
	}
	return join(`<p>Seen `, text(stamp(*t)), `</p>`)
}
