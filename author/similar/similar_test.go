package similar_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/similar"
)

// save is a button as a proof knows it.
func save() similar.Element {
	return similar.Element{Tag: "button", Type: "submit", Role: "button", Name: "Save order", Text: "Save order", ID: "save", Classes: []string{"btn", "primary"},
		Near: "Note Cancel", Path: "html[1]/body[1]/main[1]/form[1]/button[1]", FromID: "#f/button[1]", Landmark: "main", Visible: true, Box: &similar.Box{X: 100, Y: 200, Width: 80, Height: 30}}
}

// page is what else is there.
func page(more ...similar.Element) []similar.Element {
	other := func(name, role, tag, path, landmark string) similar.Element {
		return similar.Element{Tag: tag, Role: role, Name: name, Text: name, Path: path, Landmark: landmark, Visible: true, Box: &similar.Box{X: 10, Y: 10, Width: 60, Height: 20}}
	}
	return append([]similar.Element{
		other("Cancel", "button", "button", "html[1]/body[1]/main[1]/form[1]/button[2]", "main"),
		other("Home", "link", "a", "html[1]/body[1]/header[1]/a[1]", "banner"),
		other("Subscribe", "button", "button", "html[1]/body[1]/footer[1]/button[1]", "contentinfo"),
	}, more...)
}

func with(e similar.Element, edit func(*similar.Element)) similar.Element {
	e.Classes = slices.Clone(e.Classes)
	edit(&e)
	return e
}

func decide(old similar.Element, all []similar.Element) similar.Decision {
	return similar.Decide(old, [2][]similar.Element{all, all}, nil)
}

// C5: an element is found again after edits of its id, its classes, what is around it,
// its order and the case of its name.
func TestSmallEditsAreSure(t *testing.T) {
	for name, edit := range map[string]func(*similar.Element){
		"id":      func(e *similar.Element) { e.ID = "s-17" },
		"no id":   func(e *similar.Element) { e.ID = "" },
		"classes": func(e *similar.Element) { e.Classes = []string{"x1", "x2"} },
		"wrapper": func(e *similar.Element) { e.Path = "html[1]/body[1]/main[1]/form[1]/div[1]/button[1]" },
		"order": func(e *similar.Element) {
			e.Path, e.Box = "html[1]/body[1]/main[1]/form[1]/button[3]", &similar.Box{X: 300, Y: 200, Width: 80, Height: 30}
		},
		"case":   func(e *similar.Element) { e.Name, e.Text = "SAVE ORDER", "SAVE ORDER" },
		"a link": func(e *similar.Element) { e.Tag, e.Type, e.Role = "a", "", "link" },
	} {
		if d := decide(save(), page(with(save(), edit))); !d.Sure || d.Best[0].Score < similar.Floor || d.Margin < similar.Margin {
			t.Errorf("%s: %q, %+v", name, d.Why, d.Best)
		}
	}
}

// C5: what is not sure is left to a person, with the right one among the candidates.
func TestUnsureIsAProposal(t *testing.T) {
	known := with(save(), func(e *similar.Element) { e.Landmark = "main" })
	for name, c := range map[string]struct {
		old  similar.Element
		all  []similar.Element
		want string
	}{
		"another name":   {known, page(with(save(), func(e *similar.Element) { e.Name, e.Text = "Submit order", "Submit order" })), "called"},
		"another number": {with(save(), func(e *similar.Element) { e.Name, e.Text = "Step 1", "Step 1" }), page(with(save(), func(e *similar.Element) { e.Name, e.Text = "Step 2", "Step 2" })), "called"},
		"hidden":         {known, page(with(save(), func(e *similar.Element) { e.Visible = false })), "not visible"},
		"two of them":    {known, page(with(save(), func(e *similar.Element) { e.Path += "/a" }), with(save(), func(e *similar.Element) { e.Path = "html[1]/body[1]/main[1]/form[1]/button[2]" })), "ahead of the next"},
		"in the footer":  {known, page(with(save(), func(e *similar.Element) { e.Landmark = "contentinfo" })), "contentinfo"},
		"namesakes":      {with(known, func(e *similar.Element) { e.Twins = 1 }), page(with(save(), func(e *similar.Element) { e.ID, e.Path = "other", "html[1]/body[1]/main[1]/form[2]/button[1]" })), "called the same"},
		"little known":   {similar.Element{Role: "button", Name: "Save order"}, page(save()), "too little"},
	} {
		d := decide(c.old, c.all)
		if d.Sure || d.Gone() || !strings.Contains(d.Why, c.want) {
			t.Errorf("%s: sure %v, gone %v: %q", name, d.Sure, d.Gone(), d.Why)
		}
	}
	if d := similar.Decide(save(), [2][]similar.Element{page(save()), page()}, nil); d.Sure || !strings.Contains(d.Why, "second look") {
		t.Errorf("a page that changes: %q", d.Why)
	}
	if d := similar.Decide(save(), [2][]similar.Element{page(save()), page(save())}, func(similar.Element) string { return "it destroys" }); d.Sure || d.Why != "it destroys" {
		t.Errorf("what else keeps it: %q", d.Why)
	}
}

// healenium#88: an element that is gone is not healed onto another one.
func TestGoneIsNotHealedOntoAnother(t *testing.T) {
	if d := decide(save(), page()); d.Sure {
		t.Errorf("healed onto %+v", d.Best[0])
	}
	if d := decide(with(save(), func(e *similar.Element) { e.Role, e.Tag = "checkbox", "input" }), page()); !d.Gone() {
		t.Errorf("of another family: %+v", d.Best)
	}
}

// kane-cli#157: a heading that has changed is not healed from the same words in the
// footer.
func TestHeadingIsNotHealedFromTheFooter(t *testing.T) {
	heading := similar.Element{Tag: "h1", Role: "heading", Name: "Welcome back!", Text: "Welcome back!", Classes: []string{"hero"}, Path: "html[1]/body[1]/h1[1]", Visible: true, Box: &similar.Box{X: 10, Y: 80, Width: 300, Height: 40}}
	changed := with(heading, func(e *similar.Element) { e.Name, e.Text = "Good morning", "Good morning" })
	footer := similar.Element{Tag: "p", Role: "paragraph", Text: "Welcome back!", Path: "html[1]/body[1]/footer[1]/p[1]", Landmark: "contentinfo", Visible: true}
	titled := with(heading, func(e *similar.Element) { e.Path, e.Landmark = "html[1]/body[1]/footer[1]/h1[1]", "contentinfo" })
	for _, all := range [][]similar.Element{{changed, footer}, {footer}, {changed, titled}, {titled}} {
		if d := decide(heading, all); d.Sure {
			t.Errorf("healed onto %+v", d.Best[0])
		}
	}
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b     string
		from, to float64
	}{{"Save", "SAVE!", 1, 1}, {"Home & Garden", "Home Improvement", .2, .5}, {"Login", "Login v1", .5, .9}, {"Inbox 3", "Inbox 5", .85, .95}, {"Save", "Cancel", 0, 0}, {"", "", 1, 1}} {
		if got := similar.Alike(c.a, c.b); got < c.from || got > c.to {
			t.Errorf("%q, %q: %.2f", c.a, c.b, got)
		}
	}
}
