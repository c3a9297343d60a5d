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
	w.section("timeline", `Timeline`, counted(text(plural(len(p.Timeline), "step"))))
	w.put(`<details class="fold"><summary>`, text(plural(len(p.Timeline), "step")), ` in `, text(took(p.Costs.DurationMS)),
		when(has(failedSteps(p.QAReport)), `, <span class="bad">`, text(failedSteps(p.QAReport)), `</span>`), "</summary>\n")
	table(w, "timeline", []string{"Step", "What", "When", "#Took"}, moments(p.QAReport), p.moment)
	listed(w, omitted(p.QAReport).Timeline, "more step", "events.jsonl")
}

// listed closes a list, and says where what it leaves out is.
func listed(w *writer, left int, what string, file markup) {
	w.put(when(has(left), `<p class="hint">`, text(plural(left, what)), `: all of them are in `, file, `.</p>`), "\n</details>\n</section>\n")
}

func (p page) moment(w *writer, m moment) {
	w.put(`<tr`, when(m.First, ` id="step-`, num(m.Step), `"`), ` class="`, when(m.failed(), `bad`),
		when(m.Inner, ` inner`), `"><td data-label="Step"><span class="id">`, when(!m.Inner, num(m.Step)), `</span></td>
<td data-label="What"><b>`, text(visible(m.Name)), `</b>`, when(has(m.Detail), ` <span class="text soft">`, text(visible(m.Detail)), `</span>`),
		when(has(m.ErrorCode), ` <span class="mark bad"><span class="sign" aria-hidden="true">✕</span>`, text(visible(m.ErrorCode)), `</span>`),
		when(m.Failed && m.ErrorCode == "", ` <span class="mark bad"><span class="sign" aria-hidden="true">✕</span>failed</span>`))
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
	count := text(plural(len(p.Console), "complaint"))
	w.section("console", `Console`, counted(count))
	w.put(`<details class="fold"`, when(len(p.Console) <= openRows, ` open`), `><summary>`, count, "</summary>\n")
	table(w, "console", []string{"Level", "Message", "Where", "When"}, gravestEntries(p.Console), p.complaint)
	listed(w, omitted(p.QAReport).Console, "more complaint", "console.jsonl")
}

func (p page) complaint(w *writer, c qa.ConsoleEntry) {
	w.put(`<tr class="`, either(c.Level == "warning", `open`, `bad`), `"><td data-label="Level">`,
		either(c.Level == "warning", `<span class="mark open"><span class="sign" aria-hidden="true">!</span>Warning</span>`,
			join(`<span class="mark bad"><span class="sign" aria-hidden="true">✕</span>`, either(c.Level == "exception", `Exception`, `Error`), `</span>`)), `</td>
<td data-label="Message">`, folded(c.Text), `</td><td data-label="Where">`,
		either(has(c.URL), join(`<span class="text soft">`, text(visible(c.URL)), when(has(c.Line), `:`, num(c.Line)), `</span>`), `<span class="none">–</span>`), `</td>
<td data-label="When"><span class="hint">`, text(clock(c.Time)), `</span></td></tr>
`)
}

// network writes the requests that went wrong.
func (p page) network(w *writer) {
	if len(p.Network) == 0 {
		return
	}
	count := text(plural(len(p.Network), "bad request"))
	w.section("network", `Network`, counted(count))
	w.put(`<details class="fold"`, when(len(p.Network) <= openRows, ` open`), `><summary>`, count, "</summary>\n")
	table(w, "network", []string{"Outcome", "Request", "Type", "#Took", "When"}, p.requests, p.request)
	listed(w, omitted(p.QAReport).Network, "more bad request", "network.jsonl")
}

func (p page) request(w *writer, r request) {
	w.put(`<tr id="`, text(r.Anchor), `" class="`, text(r.Mark().Class), `"><td data-label="Outcome">`, r.Mark().html(), `</td>
<td data-label="Request"><b>`, text(visible(r.Method)), `</b> `, folded(r.URL), ` <span class="id">`, text(visible(r.RequestID)), `</span>`,
		when(has(r.Failure), `<span class="hint text">`, text(visible(r.Failure)), `</span>`),
		`</td><td data-label="Type">`, either(has(r.Type), text(visible(r.Type)), `<span class="none">–</span>`), `</td>
<td data-label="Took" class="num">`, text(took(r.DurationMS)), `</td><td data-label="When"><span class="hint">`, text(clock(r.Time)), `</span></td></tr>
`)
}
