package report

import "strings"

// write writes the page.
func (p indexPage) write(w *writer) {
	p.head(w)
	p.verdict(w)
	p.cases(w)
	p.trend(w)
	p.foot(w)
}

// head opens the page.
func (p indexPage) head(w *writer) {
	w.beginning(p.Verdict(), p.Title(), p.Style(), p.Running)
	w.put(`<header><div class="brand"><b>assay</b> QA suite</div></header>
<main id="main">`)
}

// verdict writes what came of the run, and its facts.
func (p indexPage) verdict(w *writer) {
	w.put(`
<section class="verdict" aria-label="Verdict">
<h1>`, p.Verdict().html(), ` <span class="text">`, text(p.Title()), `</span></h1>
<p class="reason">`, text(p.Line()), when(has(p.Took()), ` in `, text(p.Took())), `</p>`, when(has(p.EvidenceLine()), `
<p class="hint">`, text(sentence(p.EvidenceLine())), `.</p>`), when(p.Running, `
<p class="running" role="status">The suite is still running. This page loads itself anew every 3 seconds until it has ended.</p>`), `
<dl class="facts">
<div><dt>Cases</dt><dd>`, num(p.Totals.Cases), `</dd></div>
<div><dt>Passed</dt><dd>`, num(p.Totals.Passed), `</dd></div>
<div><dt>Failed</dt><dd>`, num(p.Totals.Failed), `</dd></div>
<div><dt>Inconclusive</dt><dd>`, num(p.Totals.Inconclusive), `</dd></div>`, when(p.Running, `
<div><dt>Running</dt><dd>`, num(p.Totals.Running), `</dd></div>
<div><dt>Queued</dt><dd>`, num(p.Totals.Queued), `</dd></div>`), when(has(p.Totals.Flaky), `
<div><dt>Flaky</dt><dd>`, num(p.Totals.Flaky), `</dd></div>`), when(has(p.Totals.Quarantined), `
<div><dt>In quarantine</dt><dd>`, num(p.Totals.Quarantined), `</dd></div>`), `
<div><dt>Started</dt><dd><time datetime="`, text(p.StartedAt.UTC().Format("2006-01-02T15:04:05Z07:00")), `">`, text(stamp(p.StartedAt)), `</time></dd></div>
</dl>
</section>`)
}

// cases writes a card for each case.
func (p indexPage) cases(w *writer) {
	w.section("cases", `Cases`, counted(num(len(p.Cards))))
	p.filter.write(w, len(p.Cards))
	if len(p.Cards) > 0 {
		w.put(`<ul class="cards">
`)
		for _, c := range p.Cards {
			p.card(w, c)
		}
		w.put(`</ul>`)
	} else {
		w.put(`<p class="empty">No case was found.</p>`)
	}
	w.put(`
</section>
`)
}

func (p indexPage) card(w *writer, c indexCard) {
	w.put(`<li class="card `, text(c.Mark.Class), text(p.filter.classes(c)), `" id="`, text(c.Anchor), `"><article aria-labelledby="`, text(c.Anchor), `-name">
<p class="tags">`, c.Mark.html(), when(c.Flaky, `<span class="mark open"><span class="sign" aria-hidden="true">~</span>Flaky</span>`))
	for _, tag := range c.Tags {
		w.put(`<span class="tag">`, text(visible(tag)), `</span>`)
	}
	w.put(when(has(c.Status), `<span class="tag took">`, text(took(c.DurationMS)), `</span>`), `</p>
<h3 id="`, text(c.Anchor), `-name">`,
		either(has(c.ReportURL), join(`<a href="`, href(c.ReportURL), `">`, either(has(c.Name), text(visible(c.Name)), text(visible(c.Path))), `</a>`),
			either(has(c.Name), text(visible(c.Name)), text(visible(c.Path)))), `</h3>
`, when(has(c.Reason), `<div class="why">`, whole(c.Reason), `</div>`), when(has(c.Details) && !has(c.Reason), `<p class="details">`, whole(c.Details), `</p>`))
	if before := c.Before; len(before) > 0 {
		w.put(`<ol class="hint">`)
		for _, one := range before {
			w.put(`<li>`, when(has(pathURL(one.Report)), `<a href="`, href(pathURL(one.Report)), `">`), statusMark(one.Status).html(), when(has(one.Report), `</a>`), ` `, whole(one.Reason), `</li>`)
		}
		w.put(`</ol>`)
	}
	if top := c.Top; len(top) > 0 {
		w.put(`<ul class="top">`)
		for _, one := range top {
			w.put(`<li>`, statusMark(one.Severity).html(), ` `, whole(one.Headline()), `</li>`)
		}
		w.put(`</ul>`)
	}
	w.put(when(has(c.More), `<p class="hint">and `, text(plural(c.More, "more finding")), `</p>`), when(has(c.PictureURL), `
<figure><a href="`, either(has(c.ReportURL), href(c.ReportURL), href(c.PictureURL)), `"><img src="`, href(c.PictureURL),
		`" loading="lazy" decoding="async" alt="Last screenshot of `, either(has(c.Name), text(visible(c.Name)), text(visible(c.Path))), `"></a></figure>`), `
<p class="hint">`, when(has(c.Status), text(plural(c.Checks, "check")), ` · `, text(plural(c.ToolCalls, "call"))),
		when(has(c.Name) && has(c.Path), when(has(c.Status), ` · `), `<span class="text">`, text(visible(c.Path)), `</span>`),
		`</p>`, when(has(c.RunID), `<p class="hint">run <span class="id">`, text(visible(c.RunID)), `</span></p>`))
	if badge := c.Badge(); badge != nil {
		w.put(`<p class="hint">`, either(strings.HasPrefix(badge.Mark.Word, "Evidence"), "", `Evidence `), badge.Mark.html(), `</p>`)
		if problems := badge.Problems; len(problems) > 0 {
			w.put(`<ul class="hint">`)
			for _, one := range problems {
				w.put(`<li>`, whole(one), `</li>`)
			}
			w.put(`</ul>`)
		}
	}
	w.put(`
</article></li>
`)
}

// foot closes the page.
func (p indexPage) foot(w *writer) {
	w.put(`</main>
<footer>`, either(p.Running, `Written while the suite runs.`, join(`Finished `, text(stamp(p.FinishedAt)), `.`)), ` Each verdict was computed from the recorded checks of its run.</footer>
</body>
</html>
`)
}
