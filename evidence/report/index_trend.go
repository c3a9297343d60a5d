package report

import (
	"slices"

	"github.com/assay-qa/assay/qa/summary"
)

// trend writes what became of each case in the runs before, oldest first, and in this one.
func (p indexPage) trend(w *writer) {
	if !slices.ContainsFunc(p.Cases, func(c SuiteCase) bool { return len(c.Past) > 0 }) {
		return
	}
	w.section("trend", `Trend`)
	table(w, "trend", []string{"Case", "Earlier runs and this one, the newest last"}, p.Cases, func(w *writer, c SuiteCase) {
		w.put(`<tr><td data-label="Case"><span class="text">`, either(has(c.Name), text(visible(c.Name)), text(visible(c.Path))), `</span></td><td data-label="Runs"><ol class="runs">`)
		for _, past := range c.Past {
			run(w, past)
		}
		if c.Status != "" {
			run(w, summary.Past{At: p.StartedAt, Status: c.Status, DurationMS: c.DurationMS})
		}
		w.put("</ol></td></tr>\n")
	})
	w.put("\n</section>\n")
}

// run writes one outcome of a case with its duration. The word of the outcome and the time
// are for those who don't see the sign.
func run(w *writer, past summary.Past) {
	m := statusMark(past.Status)
	said := text(m.Word + ", " + stamp(past.At))
	w.put(`<li title="`, said, `"><span class="mark `, text(m.Class), `"><span class="sign" aria-hidden="true">`, text(m.Sign), `</span><span class="said">`, said, `: </span>`,
		text(took(past.DurationMS)), `</span></li>`)
}
