package truth

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// figureLanguages lists the languages whose compact figures are shown: each that
// the browser's Intl has words for, with regions that write otherwise.
func figureLanguages() []string {
	return strings.Fields("af am ar ar-EG ar-MA as az be bg bn bs ca cs cy da de de-AT de-CH el en en-GB en-IN es es-MX es-US et eu fa fi fil fr fr-CA fr-CH ga gl gu he hi hr hu hy id is it it-CH ja ka kk km kn ko ky lo lt lv mk ml mn mr ms mt my nb ne nl nn or pa pl ps pt pt-PT ro ru sd si sk sl so sq sr sr-Latn sv sw ta te th tk tr uk ur uz vi yue zh zh-Hant zu")
}

// figureValues are what the figures show, or should.
func figureValues() []float64 {
	return []float64{1_372_000, 6_000_000, 84_500_000, 310_000_000, 1_730_000_000, 52_000_000_000, 3_600_000_000_000}
}

// figureKinds lists what is done to a figure before it is shown, by script: f
// writes a number in the page's language, v is the right value.
func figureKinds() []figureKind {
	return []figureKind{
		{"short", "write({}, v)", true},
		{"long", "write({ compactDisplay: 'long' }, v)", true},
		{"euros", "write({ style: 'currency', currency: 'EUR' }, v)", true},
		{"times 1,000", "write({}, v * 1000)", false},
		{"a thousandth", "write({}, v / 1000)", false},
		{"scale missing", "digits({}, v)", false},
		{"about", "'≈ ' + write({}, v)", false},
		{"unknown word", "write({}, v) + ' zorq'", false},
		{"power of ten", "digits({}, v) + '×10⁶'", false},
	}
}

type figureKind struct {
	name, script string
	healthy      bool
}

// figure is one figure of a page, and what became of it.
type figure struct {
	Lang, Kind, Label string
	Value             float64
	Healthy           bool
	Observed, Status  string
}

// figuresOf returns the figures of the page of a language.
func figuresOf(lang string) (out []figure) {
	for _, kind := range figureKinds() {
		for _, v := range figureValues() {
			n := len(out)
			label := string("BDFGKLMNPRST"[n%12]) + string("aeiou"[n/12%5]) + string("bdglmnrtvz"[n/60%10]) + "exo"
			out = append(out, figure{Lang: lang, Kind: kind.name, Label: label, Value: v, Healthy: kind.healthy})
		}
	}
	return out
}

// figurePage returns a page whose own Intl writes the figures.
func figurePage(lang string, all []figure) page {
	var cards strings.Builder
	for _, f := range all {
		fmt.Fprintf(&cards, `<div class="card"><h3>%s</h3><b data-v="%.0f" data-how="%s"></b></div>`, f.Label, f.Value, f.Kind)
	}
	var kinds strings.Builder
	for _, k := range figureKinds() {
		fmt.Fprintf(&kinds, "%q: (v) => %s,\n", k.name, k.script)
	}
	return page{lang: lang, body: cards.String() + `<script>
const lang = document.documentElement.lang, compact = { notation: 'compact', maximumFractionDigits: 2 };
const write = (o, v) => new Intl.NumberFormat(lang, { ...compact, ...o }).format(v);
const digits = (o, v) => new Intl.NumberFormat(lang, { ...compact, ...o }).formatToParts(v).filter((p) => p.type !== 'compact').map((p) => p.value).join('').trim();
const kinds = {` + kinds.String() + `};
const spoken = Intl.NumberFormat.supportedLocalesOf([lang]).length > 0; // else the browser would write its own language
for (const b of document.querySelectorAll(spoken ? 'b[data-v]' : 'none')) b.textContent = kinds[b.dataset.how](Number(b.dataset.v));
</script>`}
}

// figures has the program compare the compact figures of many languages, healthy
// ones and wrong ones, with what they should show, and counts what it says.
func figures(ctx context.Context, o options, stdout, progress io.Writer) (err error) {
	pages, all := map[string]page{}, map[string][]figure{}
	for _, lang := range figureLanguages() {
		all[lang] = figuresOf(lang)
		pages["/figures/"+lang] = figurePage(lang, all[lang])
	}
	s, err := startSite(o.serve, pages)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if o.temporary, err = os.MkdirTemp("", "assay-truth-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(o.temporary)) }()
	if o.assay, err = filepath.Abs(o.assay); err != nil {
		return err
	}
	w, err := startWorker(ctx, o.assay, s, filepath.Join(o.temporary, "worker"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.server.Stop()) }()
	var judged []figure
	for i, lang := range figureLanguages() {
		if o.sample > 0 && i%max(1, len(all)/o.sample) != 0 {
			continue
		}
		if err := w.compareFigures(s.url+"/figures/"+lang, all[lang]); err != nil {
			return fmt.Errorf("%s: %w", lang, err)
		}
		if slices.ContainsFunc(all[lang], func(f figure) bool { return f.Observed != "" }) { // else the browser's Intl does not know it
			judged = append(judged, all[lang]...)
		}
		fmt.Fprintf(progress, "%d of %d languages\n", i+1, len(all))
	}
	if o.asJSON {
		return json.NewEncoder(stdout).Encode(judged)
	}
	return writeFigures(stdout, judged, o.list)
}

// compareFigures asks the program about the figures of one page.
func (w *worker) compareFigures(address string, all []figure) error {
	if a, err := w.call("page_navigate", map[string]any{"url": address}); err != nil || !a.ok {
		return cmp.Or(err, errors.New(a.said))
	}
	values := map[string]string{}
	for _, f := range all {
		values[f.Label] = fmt.Sprintf("%.0f", f.Value)
	}
	a, err := w.call("check_kpis", map[string]any{"timeout_ms": 100, "spec": map[string]any{"type": "staticValues", "values": values}})
	if err != nil {
		return err
	}
	var d struct {
		KPITable []struct{ Label, Status, Observed string }
	}
	if err := json.Unmarshal(a.data, &d); err != nil {
		return fmt.Errorf("%w: %s", err, a.said)
	}
	for _, row := range d.KPITable {
		if i := slices.IndexFunc(all, func(f figure) bool { return f.Label == row.Label }); i >= 0 {
			all[i].Status, all[i].Observed = row.Status, row.Observed
		}
	}
	return nil
}

// said returns how a verdict counts: passed, wrong (told with certainty), or open.
func (f figure) said() string {
	switch f.Status {
	case "ok":
		return "passed"
	case "mismatch", "missing":
		return "wrong"
	default:
		return "open"
	}
}

// verdict says what was told of the figure, as of any cell.
func (f figure) verdict() verdict {
	is := notPass
	if f.Healthy {
		is = mustPass
	}
	return is.judge(map[string]outcome{"passed": passed, "wrong": failed, "open": inconclusive}[f.said()])
}

// bad reports whether a verdict must not be.
func (f figure) bad() bool {
	return f.Healthy && f.said() == "wrong" || !f.Healthy && f.said() == "passed"
}

// writeFigures writes what was said of each kind.
func writeFigures(out io.Writer, all []figure, list bool) error {
	var b strings.Builder
	counts := map[string]map[string]int{}
	langs := map[string]bool{}
	for _, f := range all {
		if counts[f.Kind] == nil {
			counts[f.Kind] = map[string]int{}
		}
		counts[f.Kind][f.said()]++
		langs[f.Lang] = true
	}
	fmt.Fprintf(&b, "%d figures of %d languages\n\n| figure | is | passed | open | told wrong |\n|---|---|---|---|---|\n", len(all), len(langs))
	for _, k := range figureKinds() {
		is := "wrong"
		if k.healthy {
			is = "right"
		}
		n := counts[k.name]
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d |\n", k.name, is, n["passed"], n["open"], n["wrong"])
	}
	total := tally{}
	for _, f := range all {
		total[f.verdict()]++
	}
	b.WriteString("\n| kind | cells | right | false greens | false reds | inconclusive | can't be asked |\n|---|--:|--:|--:|--:|--:|--:|\n")
	row(&b, "figures of Intl", total)
	if list {
		for _, lang := range slices.Sorted(maps.Keys(langs)) {
			for _, f := range all {
				if f.Lang == lang && (f.bad() || f.Healthy && f.said() == "open") {
					fmt.Fprintf(&b, "%s %s: %q for %.0f: %s\n", f.Lang, f.Kind, f.Observed, f.Value, f.Status)
				}
			}
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
