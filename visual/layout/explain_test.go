package layout

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// page returns a map of a page 400 pixels wide, whose elements stand in html and
// body, each of its own height, one below the other.
func page(rows ...Element) Map {
	m := Map{Width: 400, Height: 400, Elements: []Element{
		{Selector: "html", Path: "html[1]", Parent: -1, Width: 400, Height: 400, Styles: map[string]string{"color": "rgb(0, 0, 0)", "font-size": "16px"}},
		{Selector: "html > body", Path: "body[1]", Parent: 0, Width: 400, Height: 400},
	}}
	y := 0
	for _, row := range rows {
		row.Y += y
		if row.Width == 0 {
			row.Width = 400
		}
		if row.Height == 0 {
			row.Height = 20
		}
		y = row.Y + row.Height
		row.Parent = 1
		m.Elements = append(m.Elements, row)
	}
	return m
}

func p(text string) Element {
	return Element{Selector: fmt.Sprintf("paragraph %q", text), Path: "p[1]", Text: text}
}

func (e Element) styled(property, value string) Element {
	e.Styles = map[string]string{property: value}
	return e
}

func two(e Element, size, padding string) Element {
	e.Styles = map[string]string{"font-size": size, "padding": padding}
	return e
}

// inside puts elements into one.
func inside(m Map, parent int, kids ...Element) Map {
	for _, k := range kids {
		k.Parent = parent
		m.Elements = append(m.Elements, k)
	}
	return m
}

func place(x, y, width, height int) qa.VisualRegion {
	return qa.VisualRegion{Box: qa.Box{X: x, Y: y, Width: width, Height: height}, ChangedPixels: 10, RawPixels: 12}
}

func causesOf(regions []qa.VisualRegion) (out []qa.VisualRegion) {
	for _, r := range regions {
		if r.Cause {
			out = append(out, r)
		}
	}
	return out
}

// B9: an edit does not hide behind another one: what came beside it explains
// stripes, and not the colour of something else.
func TestExplainTwoEdits(t *testing.T) {
	button := Element{Selector: `button "Save"`, Path: "button[1]"}
	before := page(p("Alpha"), button.styled("background-color", "blue"))
	after := page(p("Alpha"), p("Beta"), button.styled("background-color", "green"))
	got := causesOf(Explain(before, after, Differences{Places: []qa.VisualRegion{place(0, 20, 400, 40)}}))
	if len(got) != 2 || !slices.ContainsFunc(got, func(r qa.VisualRegion) bool { return r.Property == "background-color" }) {
		t.Errorf("%+v", got)
	}
}

// B9: what a change pushed is told of that change, not of another one in what
// was pushed.
func TestExplainWhatPushed(t *testing.T) {
	row := Element{Selector: "row", Path: "div[1]", Height: 20}
	cell := func(text string, x, y int) Element {
		e := p(text)
		e.X, e.Y, e.Width, e.Height = x, y, 100, 20
		return e
	}
	before := inside(page(row), 2, cell("Bob", 0, 0), cell("20", 100, 0))
	after := inside(page(p("Banner"), row), 3, cell("Bobby", 0, 20), cell("20", 106, 20))
	var said []string
	for _, c := range causesOf(Explain(before, after, Differences{Places: []qa.VisualRegion{place(0, 0, 400, 40)}})) {
		said = append(said, c.Text)
	}
	slices.Sort(said)
	want := []string{`paragraph "Banner" was added; it pushed 1 element down by 20 px`, `the text of paragraph "Bob" changed from "Bob" to "Bobby"; it pushed 1 element to the right by 6 px`}
	if !slices.Equal(said, want) {
		t.Errorf("%q,\nwant %q", said, want)
	}
}

// B9: one edit has one cause, and a sentence says it.
func TestExplain(t *testing.T) {
	a, b, c := p("Alpha"), p("Beta"), p("Gamma")
	all := []qa.VisualRegion{place(0, 0, 400, 60)}
	icon := Element{Selector: "img [1]", Path: "i.fa.fa-home[1]", Text: "\uf015"}
	swapped := Element{Selector: "img [1]", Path: "i.fa.fa-gear[1]", Text: "\uf013"}
	logo := Element{Selector: `img "Logo"`, Path: "img[1]", Image: "/a.png 10×10 #x"}
	sameBytes, otherBytes := logo, logo
	sameBytes.Image, otherBytes.Image = "/b.png?v=2 10×10 #x", "/a.png 10×10 #y"
	higher, field := b, b
	higher.Height = 32
	field.Path, field.Selector = "input[1]", `checkbox "Beta"`
	ticked := field
	field.Text, ticked.Text = "not checked", "checked"
	big := page(a.styled("font-size", "20px"))
	for name, x := range map[string]struct {
		before, after Map
		changed       []qa.VisualRegion
		kind          qa.VisualChange
		property      string
		text          string // the cause's sentence
	}{
		"text":              {page(a, b), page(p("Omega"), b), []qa.VisualRegion{place(0, 0, 50, 20)}, qa.ChangeText, "", `the text of paragraph "Alpha" changed from "Alpha" to "Omega"`},
		"added":             {page(a, c), page(a, b, c), all, qa.ChangeAdded, "", `paragraph "Beta" was added; it pushed 1 element down by 20 px`},
		"removed":           {page(a, b, c), page(a, c), all, qa.ChangeRemoved, "", `paragraph "Beta" was removed; it pushed 1 element up by 20 px`},
		"order":             {page(a, b, c), page(b, a, c), all, qa.ChangeMoved, "order", `stands`},
		"colour":            {page(a, b), page(a, b.styled("background-color", "rgb(1, 2, 3)")), all, qa.ChangeStyle, "background-color", `background-color of paragraph "Beta" changed from transparent to rgb(1, 2, 3)`},
		"inherited":         {inside(page(a), 2, b), inside(page(a.styled("color", "red")), 2, b), all, qa.ChangeStyle, "color", `color of paragraph "Alpha" changed from rgb(0, 0, 0) to red`},
		"size of type":      {inside(page(a), 2, b.styled("padding", "4px 8px")), inside(big, 2, b.styled("padding", "5px 10px")), all, qa.ChangeStyle, "font-size", `font-size of paragraph "Alpha" grew from 16px to 20px`},
		"one side":          {page(a.styled("margin", "0px 0px 8px"), b), page(a.styled("margin", "0px 0px 24px"), shifted(b, 16)), []qa.VisualRegion{place(0, 20, 400, 36)}, qa.ChangeStyle, "margin-bottom", `margin-bottom of paragraph "Alpha" grew from 8px to 24px; it pushed 1 element down by 16 px`},
		"edge":              {page(a.styled("border-color", "rgb(1, 1, 1)")), page(a.styled("border-color", "rgb(1, 1, 1) rgb(1, 1, 1) rgb(1, 1, 1) red")), all, qa.ChangeStyle, "border-left-color", `border-left-color of paragraph "Alpha" changed from rgb(1, 1, 1) to red`},
		"higher":            {page(a, b, c), page(a, higher, c), all, qa.ChangeResized, "", `paragraph "Beta" became higher by 12 px; it pushed 1 element down by 12 px`},
		"moved":             {page(a, b, c), page(a, shiftedOnly(b, 5), c), all, qa.ChangeMoved, "", `paragraph "Beta" moved to the right by 5 px`},
		"icon":              {page(icon), page(swapped), all, qa.ChangeImage, "", `the image of img [1] changed from "fa-home" to "fa-gear"`},
		"image":             {page(logo), page(otherBytes), all, qa.ChangeImage, "", `the image of img "Logo" changed`},
		"box ticked":        {page(field), page(ticked), all, qa.ChangeText, "", `checkbox "Beta" changed from not checked to checked`},
		"nothing read":      {page(a, b), page(a, b), []qa.VisualRegion{place(0, 22, 9, 9)}, qa.ChangePixels, "", `paragraph "Beta" is painted differently; nothing that was read of it says why`},
		"other address":     {page(logo), page(sameBytes), all[:0:0], "", "", ""},
		"same picture":      {page(logo), page(sameBytes), []qa.VisualRegion{place(0, 0, 5, 5)}, qa.ChangeImage, "", `the image of img "Logo" shows something else`},
		"a change unseen":   {page(a, b), page(a, b.styled("color", "red")), []qa.VisualRegion{place(0, 0, 9, 9)}, qa.ChangePixels, "", `paragraph "Alpha" is painted differently; nothing that was read of it says why`},
		"one rule":          {page(a, b, c), page(a.styled("color", "red"), b, c.styled("color", "red")), all, qa.ChangeStyle, "color", `color of paragraph "Alpha" changed from rgb(0, 0, 0) to red and so did 1 other element`},
		"a text unseen":     {page(a, b), page(a, p("Omega")), []qa.VisualRegion{place(0, 0, 9, 9)}, qa.ChangePixels, "", `paragraph "Alpha" is painted differently`},
		"multiples of type": {page(two(a, "16px", "4px")), page(two(a, "20px", "5px")), all, qa.ChangeStyle, "font-size", `grew from 16px to 20px.`},
		"stripes of a list": {page(a, b.styled("background-color", "grey"), c), page(b, c.styled("background-color", "grey")), all, qa.ChangeRemoved, "", `paragraph "Alpha" was removed; it pushed 2 elements up by 20 px`},
	} {
		t.Run(name, func(t *testing.T) {
			got := causesOf(Explain(x.before, x.after, Differences{Places: x.changed}))
			if x.kind == "" {
				if len(got) > 0 {
					t.Fatalf("%+v, want nothing", got)
				}
				return
			}
			if len(got) != 1 || got[0].Kind != x.kind || got[0].Property != x.property || !strings.Contains(got[0].Text+".", x.text) {
				t.Fatalf("%+v,\nwant one %s %s: %s", got, x.kind, x.property, x.text)
			}
		})
	}
}

// shifted stands lower, and so does all below; shiftedOnly to the right.
func shifted(e Element, by int) Element     { e.Y += by; return e }
func shiftedOnly(e Element, by int) Element { e.X += by; return e }

// B9: where the pictures have different sizes, the maps alone tell.
func TestExplainOtherSize(t *testing.T) {
	before, after := page(p("A"), p("B")), page(p("A"), p("new"), p("B"))
	after.Height = 420
	got := Explain(before, after, Differences{})
	if c := causesOf(got); len(c) != 1 || c[0].Kind != qa.ChangeAdded || c[0].ChangedPixels != 0 {
		t.Errorf("%+v", got)
	}
	if len(got) < 2 || got[1].Cause || got[1].Kind != qa.ChangeMoved {
		t.Errorf("what follows is told too: %+v", got)
	}
}

// B9: every changed pixel is told of once, pale where all is pale.
func TestExplainCountsPixels(t *testing.T) {
	pale := place(0, 20, 400, 20)
	pale.Pale, pale.ChangedPixels = true, 0
	got := Explain(page(p("A"), p("B"), p("C")), page(p("Z"), p("B").styled("background-color", "cream"), p("C")), Differences{Places: []qa.VisualRegion{place(0, 0, 9, 9), pale, place(0, 45, 9, 9), place(20, 45, 9, 9)}})
	changed, raw := 0, 0
	for _, r := range got {
		changed, raw = changed+r.ChangedPixels, raw+r.RawPixels
		if r.Pale != (r.Property == "background-color") {
			t.Errorf("pale %v: %s", r.Pale, r.Text)
		}
	}
	if changed != 30 || raw != 48 || len(got) != 3 {
		t.Errorf("%d changed, %d raw pixels in %d regions, want 30, 48 and 3: %+v", changed, raw, len(got), got)
	}
	if got[0].Kind != qa.ChangePixels || got[0].Box != (qa.Box{X: 0, Y: 45, Width: 29, Height: 9}) {
		t.Errorf("the largest is not the first, or its places are not together: %+v", got[0])
	}
}

// randomMap makes a small page; some of its parents are none.
func randomMap(r *rand.Rand) Map {
	m := Map{Width: r.IntN(200), Height: r.IntN(200)}
	tags, words := []string{"div", "p", "i.fa", "svg#x.a.b", "", "["}, []string{"", "a", "b", "\uf015", `"`, strings.Repeat("long ", 50)}
	values := []string{"1px", "2px", "auto 3px", "red", "rgb(1, 2", ")", "none", ""}
	styles := append(slices.Clone(significance), "::before content", "odd")
	for i := range r.IntN(12) {
		e := Element{Selector: words[r.IntN(len(words))], Path: tags[r.IntN(len(tags))], Parent: r.IntN(14) - 2, X: r.IntN(300) - 50, Y: r.IntN(300) - 50,
			Width: r.IntN(100) - 5, Height: r.IntN(100) - 5, Text: words[r.IntN(len(words))], Styles: map[string]string{}}
		if r.IntN(2) == 0 && i > 0 {
			e.Parent = r.IntN(i)
		}
		for range r.IntN(4) {
			e.Styles[styles[r.IntN(len(styles))]] = values[r.IntN(len(values))]
		}
		m.Elements = append(m.Elements, e)
	}
	return m
}

// B9: whatever the maps hold, there is an answer: the same each time, with
// every changed pixel in it, causes first; and equal maps explain nothing.
func TestExplainAnyMaps(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		before := randomMap(r)
		after := randomMap(r)
		if seed%2 == 0 { // much the same
			after = Map{Width: before.Width, Height: before.Height, Elements: slices.Clone(before.Elements)}
			for range min(2, len(after.Elements)) {
				i := r.IntN(len(after.Elements))
				after.Elements[i] = randomElement(r, after.Elements[i])
			}
		}
		var changed []qa.VisualRegion
		for range r.IntN(4) {
			changed = append(changed, place(r.IntN(200), r.IntN(200), 1+r.IntN(50), 1+r.IntN(50)))
		}
		got := Explain(before, after, Differences{Places: changed})
		if again := Explain(before, after, Differences{Places: changed}); !slices.Equal(got, again) {
			t.Fatalf("seed %d: two answers:\n%+v\n%+v", seed, got, again)
		}
		pixels, follows := 0, false
		for _, x := range got {
			pixels += x.ChangedPixels
			if x.Text == "" || x.Kind == "" || x.Cause && follows {
				t.Fatalf("seed %d: %+v", seed, x)
			}
			follows = !x.Cause
		}
		if pixels != 10*len(changed) {
			t.Fatalf("seed %d: %d pixels in the answer, want %d: %+v", seed, pixels, 10*len(changed), got)
		}
		if same := Explain(before, before, Differences{}); len(same) > 0 {
			t.Fatalf("seed %d: equal maps: %+v", seed, same)
		}
		for _, x := range Explain(before, before, Differences{Places: changed}) {
			if x.Kind != qa.ChangePixels && x.Kind != qa.ChangeImage {
				t.Fatalf("seed %d: of equal maps: %+v", seed, x)
			}
		}
	}
}

func randomElement(r *rand.Rand, e Element) Element {
	other := randomMap(r).Elements
	if len(other) == 0 {
		return e
	}
	other[0].Parent = e.Parent
	return other[0]
}

// B9: siblings in another order were moved; nothing of them was added, removed
// or said otherwise.
func TestExplainOrder(t *testing.T) {
	rows := []Element{p("A"), p("B"), p("C"), p("D"), p("E"), p("F")}
	for seed := range uint64(200) {
		after := slices.Clone(rows)
		r := rand.New(rand.NewPCG(seed, 2))
		r.Shuffle(len(after), func(i, j int) { after[i], after[j] = after[j], after[i] })
		got := Explain(page(rows...), page(after...), Differences{Places: []qa.VisualRegion{place(0, 0, 400, 120)}})
		for _, x := range got {
			if x.Kind != qa.ChangeMoved && !slices.EqualFunc(rows, after, func(x, y Element) bool { return x.Text == y.Text }) {
				t.Fatalf("seed %d: %+v", seed, x)
			}
		}
	}
}
