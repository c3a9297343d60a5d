package report

import (
	"fmt"
	"maps"
	"path"
	"slices"
)

// pictures writes the pictures that no comparison shows.
func (p page) pictures(w *writer) {
	if pictures := p.files.pictures(); len(pictures) > 0 {
		w.section("pictures", `Pictures`, counted(num(len(pictures))))
		w.put(`<details class="fold"`, when(len(pictures) <= openPictures, ` open`), `><summary>`, text(plural(len(pictures), "picture")), `</summary>
<div class="gallery">
`)
		for _, one := range pictures {
			w.put(`<figure id="`, text(one.Anchor), `">`)
			if has(one.URL) {
				one.picture(w)
			}
			w.put(`<figcaption><b>`, text(visible(path.Base(one.Name))), `</b><br>`, when(has(one.Step), `step `, num(one.Step), ` · `),
				num(one.Width), ` × `, num(one.Height), ` · `, text(stamp(one.Time)), `</figcaption></figure>
`)
		}
		w.put(`</div>
</details>
</section>
`)
	}
}

// openPictures bounds the pictures that are shown unfolded.
const openPictures = 3

// environment writes costs, and what the run was made with.
func (p page) environment(w *writer) {
	w.section("environment", `Costs and environment`)
	w.put(`<details class="fold"><summary>`, text(plural(p.Costs.ToolCalls, "call")), ` in `, text(took(p.Costs.DurationMS)),
		when(has(p.Environment.Browser), `, `, text(visible(p.Environment.Browser)), ` `, text(visible(p.Environment.BrowserVersion))), `</summary>
<div class="columns">
<div>
<h3>Costs</h3>
<dl class="list">
<div><dt>Tool calls</dt><dd>`, num(p.Costs.ToolCalls), `</dd></div>
<div><dt>Screenshots</dt><dd>`, num(p.Costs.Screenshots), `</dd></div>
<div><dt>Time</dt><dd>`, text(took(p.Costs.DurationMS)), `</dd></div>`, when(has(p.Costs.TokensInput) || has(p.Costs.TokensOutput), `
<div><dt>Tokens in, out</dt><dd>`, text(tokens(p.Costs)), `</dd></div>`), when(has(p.Costs.USD), `
<div><dt>Price</dt><dd>`, text(fmt.Sprintf("%.4f", p.Costs.USD)), ` USD</dd></div>`), `
</dl>
</div>
<div>
<h3>Environment</h3>
<dl class="list">
<div><dt>assay</dt><dd>`, text(visible(p.Environment.AssayVersion)), `</dd></div>`, when(has(p.Environment.Browser), `
<div><dt>Browser</dt><dd>`, text(visible(p.Environment.Browser)), ` `, text(visible(p.Environment.BrowserVersion)), `</dd></div>`), when(has(p.Environment.DriverVersion), `
<div><dt>Driver</dt><dd>`, text(visible(p.Environment.DriverVersion)), `</dd></div>`))
	for _, c := range conditions(p.Environment) {
		w.put(`
<div><dt>`, text(c.Name), `</dt><dd><span class="text">`, text(visible(c.Value)), `</span></dd></div>`)
	}
	w.put(`
<div><dt>System</dt><dd>`, text(visible(p.Environment.OS)), `/`, text(visible(p.Environment.Arch)), `</dd></div>`)
	for _, key := range slices.Sorted(maps.Keys(p.Task.Metadata)) {
		w.put(`
<div><dt>`, text(visible(key)), `</dt><dd><span class="text">`, text(visible(p.Task.Metadata[key])), `</span></dd></div>`)
	}
	w.put(`
</dl>
</div>
</div>
</details>
</section>
`)
}

// reproduce writes how to do it again.
func (p page) reproduce(w *writer, task string) {
	w.section("reproduce", `How to reproduce`)
	if commands := commands(p.QAReport, p.files); len(commands) > 0 {
		w.put(`<dl class="commands">
`)
		for _, one := range commands {
			w.put(`<dt>`, text(one.Why), `</dt><dd><pre>`, text(one.Line), `</pre></dd>
`)
		}
		w.put(`</dl>`)
	}
	w.put("\n", when(!repeats(p.Task, p.files), `<p>This run can’t be repeated without a client.</p>
`), `<details><summary>`, either(repeats(p.Task, p.files), `The task as JSON`, `With a client`), `</summary>`, when(!repeats(p.Task, p.files), `
<p>Start a run with the task below (tool <code>run_start</code>), repeat the calls, which <code>events.jsonl</code> has in order with their input (secrets are left out), and end it (tool <code>run_finish</code>).</p>`), `
<pre>`, text(task), `</pre></details>
<p class="links">`, when(has(safeURL(p.Links.TraceURL)), `<a href="`, href(safeURL(p.Links.TraceURL)), `">Trace</a> `),
		when(has(safeURL(p.Links.RawTranscriptURL)), `<a href="`, href(safeURL(p.Links.RawTranscriptURL)), `">Every call, as recorded</a>`), `</p>
</section>
`)
}

// evidence writes the signatures and proofs of the run.
func (p page) evidence(w *writer) {
	w.section("evidence", `Evidence`)
	p.seal.box(w)
	if p.verified != nil {
		p.verified.box(w)
	}
	if e := p.QAReport.Evidence; e != nil {
		w.put(`
<details class="fold"><summary>Hashes and log</summary>
<dl class="list evidence">
<div><dt>Re-read</dt><dd>`, text(plural(e.Check.Files, "file")), `, `, text(grouped(e.Check.Bytes)), ` bytes`, when(!e.Check.Time.IsZero(), `, `, text(stamp(e.Check.Time))), `</dd></div>
<div><dt>Log entry of the run’s start, from 0</dt><dd>`, text(grouped(e.LogIndex)), `</dd></div>
<div><dt>Log size</dt><dd>`, text(grouped(e.TreeSize)), `</dd></div>
<div><dt>Root hash of the log</dt><dd><span class="hash">`, text(visible(e.RootHash)), `</span></dd></div>
<div><dt>Journal’s last line before the report</dt><dd><span class="hash">`, text(visible(e.Journal)), `</span></dd></div>
</dl>`, when(has(e.Checkpoint), `
<h3>The signed checkpoint</h3><pre>`, text(visible(e.Checkpoint)), `</pre>`), `</details>`)
	}
	w.put(either(has(p.verified), `
<p class="hint">A page can't confirm its own result: this copy says what was found when it was made, and no signature covers it. <code>evidence.json</code> in the run’s folder covers the report there.</p>`, join(`
<p class="hint">A page can't confirm its own result: what it says was computed when the report was written.`,
		when(has(p.Evidence), ` The signatures are in <code>evidence.json</code>, written after it.`), `</p>`)), when(has(verifyCommand(p.QAReport)), `
<p>Check files, log and signatures now:</p><pre class="command">`, text(verifyCommand(p.QAReport)), `</pre>`), `
</section>
`)
}

// box writes a badge with its problems.
func (b badge) box(w *writer) {
	w.put(`
<div class="badge `, text(b.Mark.Class), `"><p>`, b.Mark.html(), ` <span class="text">`, text(visible(b.Line)), `</span></p>`)
	if problems := b.Problems; len(problems) > 0 {
		w.put(`
<ul>`)
		for _, one := range problems {
			w.put(`<li>`, folded(one), `</li>`)
		}
		w.put(`</ul>`)
	}
	w.put(`</div>`)
}

// fileList writes all files with their digests.
func (p page) fileList(w *writer) {
	if len(p.Artifacts) == 0 {
		return
	}
	w.section("files", `Files`, counted(num(len(p.Artifacts))))
	w.put(`<p class="hint">Each with the SHA-256 of its bytes when it was stored.</p>
<details class="fold"><summary>`, text(plural(len(p.Artifacts), "file")), `</summary>
<ul class="files">
`)
	for _, f := range p.files.all {
		w.put(`<li`, when(!f.Picture, ` id="`, text(f.Anchor), `"`), `>`, either(has(f.Link()), join(`<a href="`, href(f.Link()), `">`, text(visible(f.Name)), `</a>`),
			join(`<span class="text">`, text(visible(f.Name)), `</span>`)), ` <span class="hint">`,
			text(grouped(f.Size)), ` bytes</span><br><span class="hash">`, text(visible(f.SHA256)), `</span></li>
`)
	}
	w.put(`</ul></details>
</section>
`)
}
