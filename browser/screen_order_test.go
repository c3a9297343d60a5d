package browser

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/pagetext"
)

// The ways in which a page puts the entries of a list into another order than the
// document's. Each is the style of the list and of the entry that stands at a turn.
func placements() map[string]func(turn int) (list, entry string) {
	return map[string]func(turn int) (string, string){
		"order": func(turn int) (string, string) {
			return "display:flex;flex-direction:column", fmt.Sprintf("order:%d", turn)
		},
		"top": func(turn int) (string, string) {
			return "position:relative;height:200px", fmt.Sprintf("position:absolute;top:%dpx", 30*turn)
		},
		"transform": func(turn int) (string, string) {
			return "height:200px", fmt.Sprintf("position:absolute;transform:translateY(%dpx)", 30*turn)
		},
		"grid": func(turn int) (string, string) {
			return "display:grid;grid-template-columns:9em 9em", fmt.Sprintf("grid-row:%d;grid-column:%d", turn/2+1, turn%2+1)
		},
		"grid from the right": func(turn int) (string, string) {
			return "display:grid;grid-template-columns:9em 9em;direction:rtl", fmt.Sprintf("grid-row:%d;grid-column:%d", turn/2+1, turn%2+1)
		},
		"grid of columns": func(turn int) (string, string) {
			return "display:grid;grid-auto-flow:column;grid-template-rows:2em 2em", fmt.Sprintf("grid-column:%d;grid-row:%d", turn/2+1, turn%2+1)
		},
		"unlike entries": func(turn int) (string, string) {
			return "display:grid", fmt.Sprintf("grid-row:%d", turn+1)
		},
		"unlike entries at a place": func(turn int) (string, string) {
			return "position:relative;height:400px", fmt.Sprintf("position:absolute;margin:0;top:%dpx", 90*turn)
		},
		"lines from the right": func(turn int) (string, string) {
			return "writing-mode:vertical-rl;display:grid;height:9em", fmt.Sprintf("order:%d", turn)
		},
		"lines from the left": func(turn int) (string, string) {
			return "writing-mode:vertical-lr;display:grid;grid-template-rows:5em 5em", fmt.Sprintf("grid-column:%d;grid-row:%d", turn%2+1, turn/2+1)
		},
		"columns of a newspaper": nil, // the document's order, which fills column after column
	}
}

// One order: the items of a list, which of two comes first, and the lines of an outline
// follow the places on the screen, in whatever way a page has put them there; and the
// three agree. That the order changed is a line of what an act brought about.
func TestOneOrderOnTheScreen(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<title>Places</title><h1>Places</h1><div id=box></div>`)
	ctx := within30s(t)
	names := []string{"Anna", "Björn", "Chloé", "Dmitri"}
	checkOddPlaces(t, s)
	random := rand.New(rand.NewPCG(15, 3))
	for way, place := range placements() {
		for _, turns := range [][]int{{0, 1, 2, 3}, random.Perm(4), {3, 2, 1, 0}} {
			if place == nil {
				turns = []int{0, 1, 2, 3}
			}
			list, html := "column-count:2;width:20em", ""
			for i, turn := range turns { // the document's order is that of turns
				entry := ""
				if place != nil {
					list, entry = place(turn)
				}
				tag := "div"
				if strings.HasPrefix(way, "unlike") {
					tag = []string{"section", "div", "article", "aside"}[i]
				}
				html += fmt.Sprintf(`<%s id=e%d style=%q><b class=name>%s</b></%[1]s>`, tag, i, entry, names[turn])
			}
			js(t, s, fmt.Sprintf("box.innerHTML = `<div id=list style=%q>%s</div>`; 0", list, html))
			moved := !slices.IsSorted(turns)
			look, err := s.Look(within30s(t), ".name", FactItems, "")
			if err != nil {
				t.Fatal(err)
			}
			var items []string
			for _, item := range look.Items {
				items = append(items, item.Text)
			}
			if !slices.Equal(items, names) || look.Moved != moved {
				t.Errorf("%s %v: the items are %v, moved %v", way, turns, items, look.Moved)
			}
			first, second := slices.Index(turns, 1), slices.Index(turns, 2)
			order, err := s.LookOrder(ctx, fmt.Sprintf("#e%d .name", first), fmt.Sprintf("#e%d .name", second))
			if err != nil || order.Before == nil || !*order.Before {
				t.Errorf("%s %v: Björn before Chloé: %+v, %v", way, turns, order, err)
			}
			outline, _, err := s.Snapshot(ctx, OutlineOptions{})
			if err != nil {
				t.Fatal(err)
			}
			lines := slices.SortedFunc(slices.Values(names), func(a, b string) int {
				return cmp.Compare(strings.Index(outline.Text, a), strings.Index(outline.Text, b))
			})
			if !slices.Equal(lines, names) {
				t.Errorf("%s %v: the outline says %v:\n%s", way, turns, lines, outline.Text)
			}
			s.MarkOutline(ctx, "", false)
			js(t, s, `list.prepend(list.lastElementChild); 0`)
			js(t, s, `list.style.flexDirection = list.style.flexDirection === 'column' ? 'column-reverse' : ''; 0`)
			got := string(pagetext.Join(s.OutlineChanges(ctx, "").Lines, "|"))
			if want := way == "order" || place == nil; want != strings.Contains(got, "~ order") {
				t.Errorf("%s %v: told of another order: %q", way, turns, got)
			}
		}
	}
}

// What alone is placed among others, runs back, or stands in the columns of a newspaper is read where it
// stands; what lies over others, is pinned to the window, or is there for those who listen keeps its turn.
func checkOddPlaces(t *testing.T, s *Session) {
	t.Helper()
	entry := func(name, style string) string {
		return fmt.Sprintf(`<div style=%q><b class=name>%s</b></div>`, style, name)
	}
	for _, tt := range []struct{ name, list, html, order string }{
		{"one alone", "position:relative;padding-top:40px", entry("Berta", "") + entry("Anna", "position:absolute;top:0") + entry("Chloé", ""), "Anna Berta Chloé"},
		{"one that is moved", "padding-top:60px", entry("Berta", "") + entry("Chloé", "") + entry("Anna", "transform:translateY(-100px);width:50px"), "Anna Berta Chloé"},
		{"a column from the bottom", "display:flex;flex-direction:column-reverse", entry("Chloé", "") + `<section><b class=name>Berta</b></section>` + entry("Anna", ""), "Anna Berta Chloé"},
		{"a row from the right", "display:flex;direction:rtl", entry("Anna", "") + `<section><b class=name>Berta</b></section>` + entry("Chloé", ""), "Anna Berta Chloé"},
		{"a row turned round", "display:flex;flex-direction:row-reverse", entry("Chloé", "") + `<section><b class=name>Berta</b></section>` + entry("Anna", ""), "Anna Berta Chloé"},
		{"floats", "width:20em", entry("Berta", "float:right") + `<section style="float:left"><b class=name>Anna</b></section>`, "Anna Berta"},
		{"the foot of a table", "", `<table><tfoot><tr><td class=name>Chloé</tfoot><thead><tr><td class=name>Anna</thead><tbody><tr><td class=name>Berta</tbody></table>`, "Anna Berta Chloé"},
		{"a list in columns", "column-count:2;width:20em", `<ul style="margin:0">` + `<li class=name>Anna<li class=name>Berta<li class=name>Chloé<li class=name>Doris</ul>`, "Anna Berta Chloé Doris"},
		{"over others", "position:relative", entry("Anna", "") + entry("Berta", "") + `<aside style="position:absolute;inset:0"><b class=name>Chloé</b></aside>`, "Anna Berta Chloé"},
		{"pinned to the window", "", entry("Anna", "") + `<aside style="position:fixed;bottom:0"><b class=name>Berta</b></aside>` + entry("Chloé", "margin-top:1em"), "Anna Berta Chloé"},
		{"on one line", "", `<p><b class=name>Anna</b><sup class=name>Berta</sup> <small class=name>Chloé</small></p>`, "Anna Berta Chloé"},
	} {
		js(t, s, fmt.Sprintf("box.innerHTML = `<div id=list style=%q>%s</div>`; 0", tt.list, tt.html))
		outline, _, err := s.Snapshot(within30s(t), OutlineOptions{Root: "#list"})
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Fields(tt.order)
		lines := slices.SortedFunc(slices.Values(want), func(a, b string) int {
			return cmp.Compare(strings.Index(outline.Text, a), strings.Index(outline.Text, b))
		})
		look, err := s.Look(within30s(t), ".name", FactItems, "")
		var items []string
		for _, item := range look.Items {
			items = append(items, item.Text)
		}
		pinned := strings.HasPrefix(tt.name, "pinned") || strings.HasPrefix(tt.name, "over") // read as they stand, where someone asks for them
		if err != nil || !slices.Equal(lines, want) || !pinned && !slices.Equal(items, want) && tt.name != "on one line" {
			t.Errorf("%s: the outline says %v, the items are %v, want %v, %v:\n%s", tt.name, lines, items, want, err, outline.Text)
		}
	}
}

// The heads of columns that say how a table is sorted stand in the outline, and a click
// that sorts it anew is told by the head and by the rows.
func TestSortedTable(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<table aria-label=Orders><thead><tr><th id=n aria-sort=none><button>Name</button><th id=p aria-sort=ascending>Price</thead>
		<tbody id=rows><tr><td>Nut<td>1</tr><tr><td>Bolt<td>2</tr><tr><td>Saw<td>3</tr></tbody></table>`)
	outline, _, err := s.Snapshot(within30s(t), OutlineOptions{})
	if err != nil || !strings.Contains(outline.Text, `columnheader "Price" [sorted ascending]`) || !strings.Contains(outline.Text, `columnheader "Name"`) || !strings.Contains(outline.Text, `row "Price"`) {
		t.Errorf("%v: %s", err, outline.Text)
	}
	s.MarkOutline(within30s(t), "", false)
	js(t, s, `p.setAttribute('aria-sort', 'descending'); for (const row of [...rows.children].reverse()) rows.append(row); 0`)
	got := string(pagetext.Join(s.OutlineChanges(within30s(t), "").Lines, "|"))
	for _, want := range []string{`~ columnheader "Price": [sorted ascending] → [sorted descending]`, `~ order in table "Orders": row "Saw | 3", row "Nut | 1"`} {
		if !strings.Contains(got, want) {
			t.Errorf("want %s in %s", want, got)
		}
	}
	if look, err := s.Look(within30s(t), `columnheader "Price" [sorted descending]`, FactCount, ""); err != nil || look.Seen != 1 {
		t.Errorf("the line is no selector: %+v, %v", look, err)
	}
}
