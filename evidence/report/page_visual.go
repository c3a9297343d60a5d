package report

import (
	"path"

	"github.com/assay-qa/assay/qa"
)

// visual writes the pictures beside their baselines.
func (p page) visual(w *writer) {
	if len(p.Visual) == 0 {
		return
	}
	w.section("visual", `Visual`, counted(text(alikeWords(p.Visual))))
	for _, c := range p.comparisons {
		c.article(w)
	}
	w.put(`</section>
`)
}

// article writes a comparison.
func (c comparison) article(w *writer) {
	w.put(`
<article class="visual `, text(statusMark(c.Status).Class), `" id="visual-`, num(c.Number), `" aria-labelledby="visual-`, num(c.Number), `-name">
<p class="tags">`, statusMark(c.Status).html(), `<span class="tag">baseline: `, text(c.Basis()), `</span>`, when(has(c.BaselineID), `<span class="id">`, text(visible(c.BaselineID)), `</span>`), `</p>
<h3 id="visual-`, num(c.Number), `-name">`, text(qa.ShownName(c.Name)), when(has(c.Part), ` <code>`, text(visible(c.Part)), `</code>`), `</h3>
`, when(has(c.Reason), `<p>`, folded(c.Reason), `</p>`))
	if environment := c.Environment; len(environment) > 0 {
		w.put(`
<ul class="warnings">`)
		for _, one := range environment {
			w.put(`<li>Environment: `, folded(one), `</li>`)
		}
		w.put(`</ul>`)
	}
	if len(c.Causes) > 0 {
		w.put(`
<h4>What changed</h4>
<ol class="places">`)
		for _, one := range c.Causes {
			one.item(w)
		}
		w.put(`</ol>`)
	}
	if len(c.Follows) > 0 {
		w.put(`
<details><summary>`, text(plural(len(c.Follows), "place")), ` `,
			either(len(c.Causes) > 0, join(`that only `, either(len(c.Follows) == 1, `follows`, `follow`), ` from it`), `without a cause`), `</summary><ol class="places">`)
		for _, one := range c.Follows {
			one.item(w)
		}
		w.put(`</ol></details>`)
	}
	w.put(when(has(c.Unshown), `<p class="hint">`, text(plural(c.Unshown, "more place")), `: all that were kept are in report.json.</p>`))
	if numbers := c.Numbers(); len(numbers) > 0 {
		w.put(`
<dl class="numbers">`)
		for _, one := range numbers {
			w.put(`<div><dt>`, text(one.Name), `</dt><dd>`, text(visible(one.Value)), `</dd></div>`)
		}
		w.put(`</dl>`)
	}
	c.shots(w)
	command := approveCommand(c.VisualRow)
	w.put(when(has(command), `
<p>If it should look so, a person approves it:</p><pre class="command">`, text(command), `</pre>`), `
</article>
`)
}

// shots writes the pictures of a comparison, and the switches between their views.
func (c comparison) shots(w *writer) {
	if c.Before == nil && c.After == nil && c.Diff == nil {
		return
	}
	w.put(`
<details class="fold"`, when(c.Status != qa.VisualSame, ` open`), `><summary>Pictures</summary>
<div class="shots">`, when(c.Both() || has(c.Diff), `
<fieldset class="views"><legend>View of `, text(c.Title()), `</legend>
<label><input type="radio" name="view-`, num(c.Number), `" value="side" checked> Side by side</label>`, when(c.Both(), `
<label><input type="radio" name="view-`, num(c.Number), `" value="slider"> Slider</label>
<label><input type="radio" name="view-`, num(c.Number), `" value="onion"> Onion skin</label>`), when(has(c.Diff), `
<label><input type="radio" name="view-`, num(c.Number), `" value="diff"> Difference</label>`), `
</fieldset>`), when(c.Both(), `
<label class="range"><span>Baseline</span><input type="range" min="0" max="100" value="50" aria-label="From the baseline to the page now, `, text(c.Title()), `"><span>Now</span></label>`), `
<div class="stage" tabindex="0" role="region" aria-label="Pictures of `, text(c.Title()), `"><div class="plate" style="`, c.Plate(), `">`)
	if before := c.Before; before != nil {
		w.put(`
<figure class="before"`, when(before.First, ` id="`, text(before.Anchor), `"`), `><figcaption><b>Baseline</b>`,
			when(has(c.Version), `, version `, num(c.Version)), ` · `, num(before.Width), ` × `, num(before.Height), `</figcaption>`)
		before.frame(w)
		w.put(`</figure>`)
	}
	if after := c.After; after != nil {
		w.put(`
<figure class="after"`, when(after.First, ` id="`, text(after.Anchor), `"`), `><figcaption><b>Now</b> · `, num(after.Width), ` × `, num(after.Height), `</figcaption>`)
		after.frame(w)
		w.put(`</figure>`)
	}
	if diff := c.Diff; diff != nil {
		w.put(`
<figure class="diff"`, when(diff.First, ` id="`, text(diff.Anchor), `"`), `><figcaption><b>Difference</b>: red changed, orange pale</figcaption>`)
		diff.frame(w)
		w.put(`</figure>`)
	}
	w.put(`
</div></div></div></details>`)
}

// frame writes a picture with the boxes of its places.
func (p pane) frame(w *writer) {
	w.put(`<a class="frame"`, when(has(p.Link()), ` href="`, href(p.Link()), `"`), ` style="`, p.Style(), `"><img src="`, href(p.URL),
		`" loading="lazy" decoding="async" width="`, num(p.Width), `" height="`, num(p.Height), `" alt="Picture `, text(visible(path.Base(p.Name))), `">`)
	for _, b := range p.Boxes {
		w.put(`<span class="box`, when(!b.Cause, ` follows`), `" style="`, b.Style(), `" aria-hidden="true"><b>`, num(b.Number), `</b></span>`)
	}
	w.put(`</a>`)
}

// item writes a place in the list.
func (p place) item(w *writer) {
	w.put(`<li value="`, num(p.Number), `">`, folded(p.Text), when(has(p.Selector), ` <code>`, text(visible(p.Selector)), `</code>`), `
<span class="hint">`, text(visible(string(p.Kind))), when(has(p.Property), ` `, text(visible(p.Property))),
		when(has(p.ChangedPixels), ` · `, text(plural(p.ChangedPixels, "changed pixel"))), when(p.Pale, ` · pale: too faint to count pixel by pixel`), `</span></li>`)
}
