package report

import (
	"path"

	"github.com/assay-qa/assay/qa"
)

// timeline writes the calls in their order.
func (p page) timeline(w *writer) {
	if len(p.Timeline) == 0 {
		return
	}
	w.put(`
<section id="timeline" aria-labelledby="h-timeline">
<h2 id="h-timeline">Timeline <span class="count">`, text(plural(len(p.Timeline), "step")), `</span></h2>
<details class="fold"><summary>`, text(plural(len(p.Timeline), "step")), ` in `, text(took(p.Costs.DurationMS)), when(has(failedSteps(p.QAReport)), `, <span class="bad">`, text(failedSteps(p.QAReport)), `</span>`), `</summary>
<table class="timeline">
<thead><tr><th scope="col">Step</th><th scope="col">What</th><th scope="col">When</th><th scope="col" class="num">Took</th></tr></thead>
<tbody>
`)
	for _, m := range moments(p.QAReport) {
		p.moment(w, m)
	}
	w.put(`</tbody>
</table>`, when(has(omitted(p.QAReport).Timeline), `<p class="hint">`, text(plural(omitted(p.QAReport).Timeline, "more step")), `: all of them are in events.jsonl.</p>`), `
</details>
</section>
`)
}

func (p page) moment(w *writer, m moment) {
	w.put(`<tr`, when(m.First, ` id="step-`, num(m.Step), `"`), ` class="`, when(m.failed(), `bad`), when(m.Inner, ` inner`), `"><td data-label="Step"><span class="id">`, when(!m.Inner, num(m.Step)), `</span></td>
<td data-label="What"><b>`, text(visible(m.Name)), `</b>`, when(has(m.Detail), ` <span class="text soft">`, text(visible(m.Detail)), `</span>`), when(has(m.ErrorCode), ` <span class="mark bad"><span class="sign" aria-hidden="true">✕</span>`, text(visible(m.ErrorCode)), `</span>`), when(m.Failed && m.ErrorCode == "", ` <span class="mark bad"><span class="sign" aria-hidden="true">✕</span>failed</span>`))
	if screenshot := m.Screenshot; has(screenshot) {
		if f := p.files.find(screenshot); f != nil {
			w.put(` <a class="hint" href="#`, fragment(f.Anchor), `">`, text(visible(path.Base(f.Name))), `</a>`)
		}
	}
	w.put(`</td>
<td data-label="When" class="when"><span class="hint">`, text(clock(m.StartedAt)), `</span><span class="track" aria-hidden="true"><span class="bar" style="`, m.Style(), `"></span></span></td>
<td data-label="Took" class="num">`, text(took(m.DurationMS)), `</td></tr>
`)
}

// console writes what the console complained of.
func (p page) console(w *writer) {
	if len(p.Console) == 0 {
		return
	}
	w.put(`
<section id="console" aria-labelledby="h-console">
<h2 id="h-console">Console <span class="count">`, text(plural(len(p.Console), "complaint")), `</span></h2>
<details class="fold"`, when(len(p.Console) <= openRows, ` open`), `><summary>`, text(plural(len(p.Console), "complaint")), `</summary>
<table class="console">
<thead><tr><th scope="col">Level</th><th scope="col">Message</th><th scope="col">Where</th><th scope="col">When</th></tr></thead>
<tbody>
`)
	for _, c := range gravestEntries(p.Console) {
		p.complaint(w, c)
	}
	w.put(`</tbody>
</table>`, when(has(omitted(p.QAReport).Console), `<p class="hint">`, text(plural(omitted(p.QAReport).Console, "more complaint")), `: all of them are in console.jsonl.</p>`), `
</details>
</section>
`)
}

func (p page) complaint(w *writer, c qa.ConsoleEntry) {
	w.put(`<tr class="`, either(c.Level == "warning", `open`, `bad`), `"><td data-label="Level">`, either(c.Level == "warning", `<span class="mark open"><span class="sign" aria-hidden="true">!</span>Warning</span>`, join(`<span class="mark bad"><span class="sign" aria-hidden="true">✕</span>`, either(c.Level == "exception", `Exception`, `Error`), `</span>`)), `</td>
<td data-label="Message">`, folded(c.Text), `</td><td data-label="Where">`, either(has(c.URL), join(`<span class="text soft">`, text(visible(c.URL)), when(has(c.Line), `:`, num(c.Line)), `</span>`), `<span class="none">–</span>`), `</td>
<td data-label="When"><span class="hint">`, text(clock(c.Time)), `</span></td></tr>
`)
}

// network writes the requests that went wrong.
func (p page) network(w *writer) {
	if len(p.Network) == 0 {
		return
	}
	w.put(`
<section id="network" aria-labelledby="h-network">
<h2 id="h-network">Network <span class="count">`, text(plural(len(p.Network), "bad request")), `</span></h2>
<details class="fold"`, when(len(p.Network) <= openRows, ` open`), `><summary>`, text(plural(len(p.Network), "bad request")), `</summary>
<table class="network">
<thead><tr><th scope="col">Outcome</th><th scope="col">Request</th><th scope="col">Type</th><th scope="col" class="num">Took</th><th scope="col">When</th></tr></thead>
<tbody>
`)
	for _, r := range p.requests {
		p.request(w, r)
	}
	w.put(`</tbody>
</table>`, when(has(omitted(p.QAReport).Network), `<p class="hint">`, text(plural(omitted(p.QAReport).Network, "more bad request")), `: all of them are in network.jsonl.</p>`), `
</details>
</section>
`)
}

func (p page) request(w *writer, r request) {
	w.put(`<tr id="`, text(r.Anchor), `" class="`, text(r.Mark().Class), `"><td data-label="Outcome">`, r.Mark().html(), `</td>
<td data-label="Request"><b>`, text(visible(r.Method)), `</b> `, folded(r.URL), ` <span class="id">`, text(visible(r.RequestID)), `</span>`, when(has(r.Failure), `<span class="hint text">`, text(visible(r.Failure)), `</span>`), `</td><td data-label="Type">`, either(has(r.Type), text(visible(r.Type)), `<span class="none">–</span>`), `</td>
<td data-label="Took" class="num">`, text(took(r.DurationMS)), `</td><td data-label="When"><span class="hint">`, text(clock(r.Time)), `</span></td></tr>
`)
}
