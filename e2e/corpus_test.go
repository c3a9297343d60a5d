package e2e_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	namedRight  = 0.9 // share of the edits whose cause must be named
	fewestEdits = 60
)

// repeats is how often each unedited page is looked at, each time in a context of
// its own.
func repeats() int {
	if soak() {
		return 10
	}
	return 1
}

// startOfTime is when every file of a template was last changed.
var startOfTime = time.Unix(0, 0)

// pictureRow is what these tests read of a picture beside its baseline.
type pictureRow struct {
	Status, Reason, ProposalID string
	Approved                   bool
	ChangedPixels, RawPixels   int
	Regions                    []pictureRegion
}

type pictureRegion struct {
	Box                                spot
	Selector, Kind, Property, From, To string
	Text                               string
	Cause                              bool
}

// verdict is what was said of one edit.
type verdict struct {
	page            string
	edit            edit
	detected, right bool
	why             string
}

// tally gathers the verdicts of pages that are looked at side by side.
type tally struct {
	sync.Mutex
	verdicts    []verdict
	clean, bare int
	unclean     []string
}

// B9: pages of dashboards that nobody made for us, one known edit each. Every
// edit is detected, no unedited page is accused, and what changed is named.
func TestCorpus(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	pages := corpus(t)
	if !soak() {
		pages = fewEdits(pages)
	}
	var all tally
	t.Run("pages", func(t *testing.T) {
		for _, page := range pages {
			t.Run(page.name, func(t *testing.T) {
				all.look(t, page)
			})
		}
	})
	all.judge(t, len(pages)*repeats())
}

// fewEdits is the first page with an edit of each kind that it has.
func fewEdits(all []corpusPage) []corpusPage {
	page, seen := all[0], map[string]bool{}
	page.Edits = slices.DeleteFunc(slices.Clone(page.Edits), func(e edit) bool {
		known := seen[e.Kind]
		seen[e.Kind] = true
		return known
	})
	return []corpusPage{page}
}

// look takes the baseline of a page, and compares it with each of its edits,
// and with itself.
func (a *tally) look(t *testing.T, page corpusPage) {
	w, site := attach(t, november25), page.serve(t)
	alone := map[string]any{"options": map[string]any{"allowed_hosts": []string{"127.0.0.1"}}}
	w.do("browser_launch", alone)
	w.do("page_navigate", map[string]any{"url": site.url})
	w.do("capture_visual_baseline", map[string]any{"name": page.name})
	for _, e := range page.Edits {
		v := w.edited(site, page, e)
		a.Lock()
		a.verdicts = append(a.verdicts, v)
		a.Unlock()
	}
	w.do("browser_close", nil)
	for i := range repeats() {
		w.do("browser_launch", alone)
		w.do("page_navigate", map[string]any{"url": site.url})
		row := w.compared(page.name)
		w.do("browser_close", nil)
		a.Lock()
		switch {
		case row.Status != "same":
			a.unclean = append(a.unclean, fmt.Sprintf("%s, time %d: %s: %s", page.name, i+1, row.Status, row.Reason))
		case row.RawPixels == 0:
			a.bare++
			fallthrough
		default:
			a.clean++
		}
		a.Unlock()
	}
}

// compared is the page now, beside its baseline. An error is a status, too, so
// that the other edits are looked at all the same.
func (w *wire) compared(name string) pictureRow {
	w.t.Helper()
	answer := w.call("compare_visual_regression", map[string]any{"name": name, "threshold": 0})
	if !answer.envelope.OK {
		return pictureRow{Status: answer.envelope.Error.Code, Reason: answer.envelope.Error.Message}
	}
	rows := field[[]pictureRow](w, answer, "pictures")
	if len(rows) != 1 {
		w.t.Fatalf("%d pictures, want 1: %s", len(rows), answer.text())
	}
	return rows[0]
}

// edited makes an edit and judges what is said of it.
func (w *wire) edited(site *corpusSite, page corpusPage, e edit) verdict {
	w.t.Helper()
	v := verdict{page: page.name, edit: e}
	if err := site.replace(e); err != nil {
		w.t.Fatalf("%s, %s: %v", page.name, e.Name, err)
	}
	w.do("page_navigate", map[string]any{"url": site.url})
	answer := w.do("page_evaluate", map[string]any{"script": e.script(), "arg": e.arguments()})
	truth := field[struct{ Before, After []spot }](w, answer, "result")
	if e.Hover {
		w.do("page_hover", map[string]any{"selector": "css=" + e.At})
	}
	row := w.compared(page.name)
	if err := site.replace(edit{}); err != nil {
		w.t.Fatal(err)
	}
	if e.Kind == "added" { // what was before is only where
		truth.Before = nil
	}
	v.judge(row, slices.Concat(truth.Before, truth.After))
	return v
}

// judge holds what was said against what is true: the places of the edited
// element, before and after.
func (v *verdict) judge(row pictureRow, truth []spot) {
	if row.Status != "changed" && row.Status != "size" {
		v.why = fmt.Sprintf("%s: %s", row.Status, row.Reason)
		return
	}
	if len(row.Regions) == 0 {
		v.why = "no regions: " + row.Reason
		return
	}
	v.detected = slices.ContainsFunc(row.Regions, func(r pictureRegion) bool {
		return slices.ContainsFunc(truth, func(s spot) bool { return r.Box.shared(s) > 0 })
	})
	first, e := row.Regions[0], v.edit
	v.why = fmt.Sprintf("%s %q %v, cause %t: %s (of %d regions, %d pixels); true: %v",
		first.Kind, first.Property, first.Box, first.Cause, first.Text, len(row.Regions), row.RawPixels, truth)
	v.right = first.Cause && slices.Contains(e.Causes, first.Kind) &&
		(first.Kind != "style" || len(e.Properties) == 0 || slices.Contains(e.Properties, first.Property)) &&
		(e.Was == "" || first.From == e.Was && first.To == e.Now) &&
		slices.ContainsFunc(truth, func(s spot) bool {
			return first.Box.alike(s) || first.Kind == "pixels" && first.Box.shared(s) > 0.9*first.Box.area()
		})
}

// judge prints what came of all, and fails below what was promised.
func (a *tally) judge(t *testing.T, unedited int) {
	slices.SortFunc(a.verdicts, func(x, y verdict) int {
		return cmp.Or(cmp.Compare(x.edit.Kind, y.edit.Kind), cmp.Compare(x.page, y.page))
	})
	var table strings.Builder
	counts := map[string][3]int{}
	detected, right := 0, 0
	for _, v := range a.verdicts {
		n := counts[v.edit.Kind]
		n[0]++
		if v.detected {
			n[1]++
			detected++
		}
		if v.right {
			n[2]++
			right++
		} else {
			fmt.Fprintf(&table, "%s, %s, %s: detected %t: %s\n", v.edit.Kind, v.page, v.edit.Name, v.detected, v.why)
		}
		counts[v.edit.Kind] = n
	}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&table, "%-8s %2d edits, %2d detected, %2d causes right\n", kind, counts[kind][0], counts[kind][1], counts[kind][2])
	}
	edits := len(a.verdicts)
	t.Logf("\n%sdetected %d/%d, clean %d/%d (equal in every bit %d), causes right %d/%d\n%s", table.String(),
		detected, edits, a.clean, unedited, a.bare, right, edits, strings.Join(a.unclean, "\n"))
	if t.Failed() {
		return
	}
	fewest := fewestEdits
	if !soak() {
		fewest /= 6
	}
	if edits < fewest || detected < edits {
		t.Errorf("%d of %d edits were detected, want all of at least %d", detected, edits, fewest)
	}
	if a.clean < unedited {
		t.Errorf("%d of %d unedited pages were clean, want all", a.clean, unedited)
	}
	if float64(right) < namedRight*float64(edits) {
		t.Errorf("the cause of %d of %d edits was named, want %.0f %%", right, edits, 100*namedRight)
	}
}
