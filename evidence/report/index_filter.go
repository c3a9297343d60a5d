package report

import (
	"fmt"
	"slices"
	"strings"
)

// Bounds of the index's filters and views.
const (
	filteredTags = 20 // tags that can be chosen
	listedFrom   = 13 // cases that are shown as a list at first
)

// filter holds what the cases of an index can be chosen by. It works by styles alone:
// a page without scripts opens anywhere. A text is found by the browser's own search.
type filter struct {
	verdicts []choice
	tags     []string
}

// choice holds a verdict with how many cases have it.
type choice struct {
	mark
	cases int
}

func newFilter(cards []indexCard) (f filter) {
	for _, c := range cards {
		at := slices.IndexFunc(f.verdicts, func(x choice) bool { return x.mark == c.Mark })
		if at < 0 {
			at = len(f.verdicts)
			f.verdicts = append(f.verdicts, choice{mark: c.Mark})
		}
		f.verdicts[at].cases++
		for _, tag := range c.Tags {
			if !slices.Contains(f.tags, tag) {
				f.tags = append(f.tags, tag)
			}
		}
	}
	slices.Sort(f.tags)
	f.tags = f.tags[:min(len(f.tags), filteredTags)]
	return f
}

// classes returns the classes by which a case is chosen.
func (f filter) classes(c indexCard) string {
	var b strings.Builder
	for i, tag := range f.tags {
		if slices.Contains(c.Tags, tag) {
			fmt.Fprintf(&b, " tag-%d", i+1)
		}
	}
	return b.String()
}

// style returns the rules that hide what is not chosen: numbers and classes of ours.
func (f filter) style() markup {
	var w writer
	for _, v := range f.verdicts {
		w.put(`#cases:has([value=`, text(v.Class), `]:checked) .card:not(.`, text(v.Class), `) { display: none; }
`)
	}
	for i := range f.tags {
		w.put(`#cases:has([value=tag-`, num(i+1), `]:checked) .card:not(.tag-`, num(i+1), `) { display: none; }
`)
	}
	return join(markup(w.String()))
}

// write writes the controls.
func (f filter) write(w *writer, cards int) {
	if cards < 2 {
		return
	}
	w.put(`<div class="filters">
<fieldset><legend>Verdict</legend>`)
	radio(w, "verdict", "all", fmt.Sprintf("All %d", cards), true)
	for _, v := range f.verdicts {
		radio(w, "verdict", v.Class, fmt.Sprintf("%s %d", v.Word, v.cases), false)
	}
	w.put(`</fieldset>`)
	if len(f.tags) > 0 {
		w.put(`
<fieldset><legend>Tag</legend>`)
		radio(w, "tag", "any", "Any", true)
		for i, tag := range f.tags {
			radio(w, "tag", fmt.Sprintf("tag-%d", i+1), visible(tag), false)
		}
		w.put(`</fieldset>`)
	}
	w.put(`
<fieldset><legend>View</legend>`)
	radio(w, "view", "list", "List", cards >= listedFrom)
	radio(w, "view", "cards", "Cards", cards < listedFrom)
	w.put(`</fieldset>
</div>
`)
}

func radio(w *writer, name, value, label string, checked bool) {
	w.put(`<label><input type="radio" name="`, text(name), `" value="`, text(value), `"`, when(checked, ` checked`), `> <span class="text">`, text(label), `</span></label>`)
}
