package report

import (
	"fmt"
	"path"
	"regexp"
	"slices"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// failed writes the first failures, each with the place in the picture.
func (p page) failed(w *writer) {
	for _, f := range p.failures[:min(shownFailures, len(p.failures))] {
		p.failure(w, f)
	}
	if more := len(p.failures) - shownFailures; more > 0 {
		w.put(`
<p><a href="#findings">`, text(plural(more, "more failure")), `</a></p>`)
	}
}

func (p page) failure(w *writer, f failure) {
	cut := p.cropOf(f)
	w.put(`
<article class="failure `, when(cut == nil, `bare `), text(statusMark(f.Severity).Class), `"`, findingID(f.Finding), `>
<h2><span class="text">`, text(visible(f.Headline())), `</span></h2>
<div class="words">
`, p.said(f.Finding), `
<p class="hint">`, text(visible(string(f.Severity))), ` · `, text(visible(string(f.Category))), when(has(f.ID), ` · `, text(visible(f.ID))))
	for _, step := range f.steps() {
		w.put(` · `, either(p.inTimeline(step), join(`<a href="#step-`, num(step), `">step `, num(step), `</a>`), join(`step `, num(step))))
	}
	for _, c := range f.Checks {
		w.put(` · <a href="#check-`, fragment(visible(c.ID)), `">check `, text(visible(c.ID)), `</a>`)
	}
	w.put(`</p>`)
	p.more(w, f.Finding)
	w.put("\n</div>")
	if cut != nil {
		cut.figure(w)
	}
	w.put(`
</article>`)
}

// said writes what a finding's title does not say: what was expected and observed, where in
// a script it arose, the requests behind it, and what to do.
func (p page) said(f qa.Finding) markup {
	lines := []markup{when(!saidByTitle(f), `<dl class="pair">
<div><dt>Expected</dt><dd>`, folded(f.Expected), when(has(tolerance(f.Tolerance)), ` <span class="hint">`, text(tolerance(f.Tolerance)), `</span>`), `</dd></div>
<div><dt>Observed</dt><dd>`, folded(f.Observed), `</dd></div>
</dl>`)}
	if f.At != nil {
		lines = append(lines, join(`<div><b>Thrown at:</b> <code>`, text(visible(f.At.String())), `</code></div>`))
	}
	for _, r := range untitledRequests(p.QAReport, f) {
		line := join(`<code>`, text(visible(r.String())), `</code>`)
		if at := requestAnchor(p.requests, r.ID); at != "" {
			line = join(`<a href="#`, fragment(at), `">`, line, `</a>`)
		}
		lines = append(lines, join(`<div><b>Request:</b> `, line, `</div>`))
	}
	return join(append(lines, when(has(f.ToDo(p.Checks)), `<div class="fix"><b>What to do:</b> `, folded(f.ToDo(p.Checks)), `</div>`))...)
}

// findingID writes the anchor of a finding.
func findingID(f qa.Finding) markup {
	return when(has(f.ID), ` id="finding-`, text(visible(f.ID)), `"`)
}

// requestsBehind returns the requests behind a finding: those that it names, and that by
// whose answer a value came.
func requestsBehind(r qa.QAReport, f qa.Finding) []qa.RequestRef {
	out := slices.Clone(f.Requests)
	for _, e := range f.Evidence {
		for _, n := range r.Network {
			if e.NetworkRequestID != "" && n.RequestID == e.NetworkRequestID && !slices.ContainsFunc(out, func(o qa.RequestRef) bool { return o.ID == n.RequestID }) {
				out = append(out, qa.RequestRef{ID: n.RequestID, Method: n.Method, URL: n.URL, Status: n.Status, Failure: n.Failure})
			}
		}
	}
	return out
}

// untitledRequests returns the requests behind a finding unless its title names all of them.
func untitledRequests(r qa.QAReport, f qa.Finding) []qa.RequestRef {
	all := requestsBehind(r, f)
	if !slices.ContainsFunc(all, func(one qa.RequestRef) bool { return !holdsWhole(f.Headline(), pagetext.Text(one.Method+" "+one.URL)) }) {
		return nil
	}
	return all
}

// more writes what is folded of a finding.
func (p page) more(w *writer, f qa.Finding) {
	w.put(`
<details><summary>More of this</summary>
<div><b>What should hold:</b> `, folded(f.Assertion), `</div>`)
	for _, e := range f.Evidence {
		p.reference(w, e)
	}
	w.put(`
<p class="hint">`, source(f), `</p></details>`)
}

// saidByTitle reports whether a finding's title says all that stands in its expected and
// observed values.
func saidByTitle(f qa.Finding) bool {
	title := f.Headline()
	if f.At != nil || len(f.Requests) > 0 { // what was to be absent, and stands below
		return true
	}
	return !has(tolerance(f.Tolerance)) && holdsWhole(title, f.Expected) && holdsWhole(title, f.Observed)
}

// holdsWhole reports whether a text holds a part that is neither the end nor the
// beginning of a longer word or number.
func holdsWhole[S ~string](s, part S) bool {
	return part == "" || regexp.MustCompile(`(^|[^\pL\pN.,-])`+regexp.QuoteMeta(string(part))+`($|[^\pL\pN.,]|[.,](\s|$))`).MatchString(string(s))
}

// source says who reported a finding.
func source(f qa.Finding) markup {
	return join(`Reported by `, either(f.Source == qa.SourceModel, `a model`, either(f.Source == qa.SourceTool, `a tool`, either(f.Source == qa.SourceRule, `a rule`, `somebody`))),
		`, confidence `, text(percent(f.Confidence)))
}

// reference writes what a finding points at.
func (p page) reference(w *writer, e qa.EvidenceRef) {
	if e.ScreenshotRef+e.Selector+e.NetworkRequestID == "" {
		w.put(seen(e.Time))
		return
	}
	w.put(`
<p>`)
	if has(e.ScreenshotRef) {
		if f := p.files.find(e.ScreenshotRef); f != nil {
			w.put(`Picture <a href="#`, fragment(f.Anchor), `">`, text(visible(path.Base(f.Name))), `</a> `)
		} else {
			w.put(`<span class="text">`, text(visible(e.ScreenshotRef)), `</span> `)
		}
	}
	w.put(when(has(e.Selector), `Element <code>`, text(visible(e.Selector)), `</code> `),
		when(has(e.NetworkRequestID), `Request `,
			either(has(requestAnchor(p.requests, e.NetworkRequestID)), join(`<a href="#`, fragment(requestAnchor(p.requests, e.NetworkRequestID)),
				`"><code>`, text(visible(e.NetworkRequestID)), `</code></a> `), join(`<code>`, text(visible(e.NetworkRequestID)), `</code> `))), `</p>`, seen(e.Time))
}

// figure writes the part of the picture, with the elements boxed. All is drawn by
// styles over the stored picture: there is no other file.
func (c crop) figure(w *writer) {
	win := c.Window
	wide, high := float64(win.Width), float64(win.Height)
	share := func(n int, of float64) string { return fmt.Sprintf("%.3f%%", float64(n)/of*100) }
	w.put(`
<figure class="place" style="max-width:`, num(win.Width), `px"><a`, when(has(c.Link()), ` href="`, href(c.Link()), `"`), ` class="crop" style="aspect-ratio:`, num(win.Width), `/`, num(win.Height),
		`"><img src="`, href(c.URL), `" style="width:`, text(share(c.file.Width, wide)), `;left:`, text(share(-win.X, wide)), `;top:`, text(share(-win.Y, high)), `" alt="`, text(c.words()), `">`)
	for _, b := range c.Boxes {
		w.put(`<span class="frame" style="left:`, text(share(b.X-win.X, wide)), `;top:`, text(share(b.Y-win.Y, high)),
			`;width:`, text(share(b.Width, wide)), `;height:`, text(share(b.Height, high)), `"></span>`)
	}
	w.put(`</a><figcaption>`, text(c.words()), `</figcaption></figure>`)
}

// words say what is shown.
func (c crop) words() string {
	name := visible(path.Base(c.Name))
	switch {
	case len(c.Boxes) > 0 && c.Window.Width == c.file.Width && c.Window.Height == c.file.Height:
		return "The place is boxed in " + name
	case len(c.Boxes) > 0:
		return fmt.Sprintf("The place is boxed; cut from %s, %d × %d", name, c.file.Width, c.file.Height)
	case c.Element:
		return "The element alone, " + name
	default:
		return "The whole picture, no place is known: " + name
	}
}
