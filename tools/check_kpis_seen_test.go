package tools_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// Issue 14: a figure counts only if a person sees it, as any other text: what
// the rules that read figures can't tell is decided by pictures.
func TestAFigureMustBeSeen(t *testing.T) {
	t.Parallel()
	d, next := online(t), turns(t)
	pages := map[string]struct {
		style, more string
		status      qa.KPIStatus
	}{
		"in plain sight":           {"", "", qa.KPIOk},
		"below the fold":           {"margin-top:3000px", "", qa.KPIOk},
		"under glass":              {"", `<div style="position:fixed;inset:0"></div>`, qa.KPIOk},
		"half transparent":         {"opacity:.5", "", qa.KPIOk},
		"under a footer":           {"margin:420px 0 900px", `<div style="position:fixed;left:0;right:0;bottom:0;height:70vh;background:#222"></div>`, qa.KPIOk},
		"fades in in view":         {"margin-top:1500px;opacity:0;transition:opacity .2s", `<script>new IntersectionObserver(e => e.forEach(x => { if (x.isIntersecting) v.style.opacity = 1 })).observe(v)</script>`, qa.KPIOk},
		"transparent":              {"opacity:0", "", qa.KPIMissing},
		"under a sheet":            {"", `<div style="position:fixed;inset:0;background:#fff;pointer-events:none"></div>`, qa.KPIMissing},
		"masked":                   {"mask-image:linear-gradient(transparent,transparent)", "", qa.KPIMissing},
		"on a picture of its ink":  {"color:#246;background:linear-gradient(#246,#246)", "", qa.KPIMissing},
		"transparent by a filter":  {"filter:opacity(0)", "", qa.KPIMissing},
		"under its own ::after":    {"position:relative", `<style>#v::after{content:"";position:absolute;inset:0;background:#fff}</style>`, qa.KPIMissing},
		"in the colour of ink .99": {"color:rgba(255,255,255,.99)", "", qa.KPIMissing},
	}
	for i, name := range slices.Sorted(maps.Keys(pages)) {
		tt := pages[name]
		if !sampled(i, 4) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			d := d
			d.t = t
			page := `<!doctype html><html lang=en><title>S</title><div id=card><h3>Orders</h3><p id=v style="` + tt.style + `">1,078</p></div>` + tt.more
			d.ok("page_navigate", `{"url": %q}`, next(page))
			a := d.ok("check_kpis", `{"timeout_ms": 800, "spec": {"type": "staticValues", "values": {"Orders": "1078"}}}`)
			if row := rows(a)["Orders/"]; row.Status != tt.status {
				t.Errorf("%+v\n%s", row, a.text)
			}
		})
	}
}
