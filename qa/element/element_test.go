package element_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa/element"
)

// save is a button as a proof knows it.
func save() element.Element {
	return element.Element{Role: "button", Name: "Save order", Landmark: "main", Print: element.Print{Tag: "button", Type: "submit", Text: "Save order", ID: "save", Classes: []string{"btn", "primary"}, Near: "Note Cancel", Path: "html[1]/body[1]/main[1]/form[1]/button[1]", FromID: "#f/button[1]", Visible: true, Box: &element.Box{X: 100, Y: 200, Width: 80, Height: 30}}}
}

// page is what else is there.
func page(more ...element.Element) []element.Element {
	other := func(name, role, tag, path, landmark string) element.Element {
		return element.Element{Role: role, Name: name, Landmark: landmark, Print: element.Print{Tag: tag, Text: name, Path: path, Visible: true, Box: &element.Box{X: 10, Y: 10, Width: 60, Height: 20}}}
	}
	return append([]element.Element{
		other("Cancel", "button", "button", "html[1]/body[1]/main[1]/form[1]/button[2]", "main"),
		other("Home", "link", "a", "html[1]/body[1]/header[1]/a[1]", "banner"),
		other("Subscribe", "button", "button", "html[1]/body[1]/footer[1]/button[1]", "contentinfo"),
	}, more...)
}

func with(e element.Element, edit func(*element.Element)) element.Element {
	e.Classes = slices.Clone(e.Classes)
	edit(&e)
	return e
}

func decide(old element.Element, all []element.Element) element.Pair {
	return element.Decide(old, nil, [2][]element.Element{all, all}, nil)
}

// C5: an element is found again after edits of its id, its classes, what is around it,
// its order and the case of its name.
func TestSmallEditsAreSure(t *testing.T) {
	for name, edit := range map[string]func(*element.Element){
		"id":      func(e *element.Element) { e.ID = "s-17" },
		"no id":   func(e *element.Element) { e.ID = "" },
		"classes": func(e *element.Element) { e.Classes = []string{"x1", "x2"} },
		"wrapper": func(e *element.Element) { e.Path = "html[1]/body[1]/main[1]/form[1]/div[1]/button[1]" },
		"order": func(e *element.Element) {
			e.Path, e.Box = "html[1]/body[1]/main[1]/form[1]/button[3]", &element.Box{X: 300, Y: 200, Width: 80, Height: 30}
		},
		"case":   func(e *element.Element) { e.Name, e.Text = "SAVE ORDER", "SAVE ORDER" },
		"a link": func(e *element.Element) { e.Tag, e.Type, e.Role = "a", "", "link" },
	} {
		if d := decide(save(), page(with(save(), edit))); !d.Sure() || d.Best[0].Score < element.Floor || d.Margin < element.Margin {
			t.Errorf("%s: %q, %+v", name, d.Why, d.Best)
		}
	}
}

// C5: what is not sure is left to a person, with the right one among the candidates.
func TestUnsureIsAProposal(t *testing.T) {
	known := with(save(), func(e *element.Element) { e.Landmark = "main" })
	for name, c := range map[string]struct {
		old  element.Element
		all  []element.Element
		want string
	}{
		"another name":   {known, page(with(save(), func(e *element.Element) { e.Name, e.Text = "Submit order", "Submit order" })), "called"},
		"another number": {with(save(), func(e *element.Element) { e.Name, e.Text = "Step 1", "Step 1" }), page(with(save(), func(e *element.Element) { e.Name, e.Text = "Step 2", "Step 2" })), "called"},
		"hidden":         {known, page(with(save(), func(e *element.Element) { e.Visible = false })), "not visible"},
		"two of them":    {known, page(with(save(), func(e *element.Element) { e.Path += "/a" }), with(save(), func(e *element.Element) { e.Path = "html[1]/body[1]/main[1]/form[1]/button[2]" })), "ahead of the next"},
		"in the footer":  {known, page(with(save(), func(e *element.Element) { e.Landmark = "contentinfo" })), "contentinfo"},
		"namesakes":      {with(known, func(e *element.Element) { e.Twins = 1 }), page(with(save(), func(e *element.Element) { e.ID, e.Path = "other", "html[1]/body[1]/main[1]/form[2]/button[1]" })), "called the same"},
		"little known":   {element.Element{Role: "button", Name: "Save order"}, page(save()), "too little"},
	} {
		d := decide(c.old, c.all)
		if d.Sure() || d.Gone() || !strings.Contains(d.Why, c.want) {
			t.Errorf("%s: sure %v, gone %v: %q", name, d.Sure(), d.Gone(), d.Why)
		}
	}
	if d := element.Decide(save(), nil, [2][]element.Element{page(save()), page()}, nil); d.Sure() || !strings.Contains(d.Why, "second look") {
		t.Errorf("a page that changes: %q", d.Why)
	}
	if d := element.Decide(save(), nil, [2][]element.Element{page(save()), page(save())}, func(element.Element) string { return "it destroys" }); d.Sure() || d.Why != "it destroys" {
		t.Errorf("what else keeps it: %q", d.Why)
	}
}

// healenium#88: an element that is gone is not healed onto another one.
func TestGoneIsNotHealedOntoAnother(t *testing.T) {
	if d := decide(save(), page()); d.Sure() {
		t.Errorf("healed onto %+v", d.Best[0])
	}
	if d := decide(with(save(), func(e *element.Element) { e.Role, e.Tag = "checkbox", "input" }), page()); !d.Gone() {
		t.Errorf("of another family: %+v", d.Best)
	}
}

// kane-cli#157: a heading that has changed is not healed from the same words in the
// footer.
func TestHeadingIsNotHealedFromTheFooter(t *testing.T) {
	heading := element.Element{Role: "heading", Name: "Welcome back!", Print: element.Print{Tag: "h1", Text: "Welcome back!", Classes: []string{"hero"}, Path: "html[1]/body[1]/h1[1]", Visible: true, Box: &element.Box{X: 10, Y: 80, Width: 300, Height: 40}}}
	changed := with(heading, func(e *element.Element) { e.Name, e.Text = "Good morning", "Good morning" })
	footer := element.Element{Role: "paragraph", Landmark: "contentinfo", Print: element.Print{Tag: "p", Text: "Welcome back!", Path: "html[1]/body[1]/footer[1]/p[1]", Visible: true}}
	titled := with(heading, func(e *element.Element) { e.Path, e.Landmark = "html[1]/body[1]/footer[1]/h1[1]", "contentinfo" })
	for _, all := range [][]element.Element{{changed, footer}, {footer}, {changed, titled}, {titled}} {
		if d := decide(heading, all); d.Sure() {
			t.Errorf("healed onto %+v", d.Best[0])
		}
	}
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		a, b     string
		from, to float64
	}{{"Save", "SAVE!", 1, 1}, {"Home & Garden", "Home Improvement", .2, .5}, {"Login", "Login v1", .5, .9}, {"Inbox 3", "Inbox 5", .85, .95}, {"Save", "Cancel", 0, 0}, {"", "", 1, 1}} {
		if got := element.Alike(c.a, c.b); got < c.from || got > c.to {
			t.Errorf("%q, %q: %.2f", c.a, c.b, got)
		}
	}
}

// A sign that distinguishes two names counts; one that only dresses a name does not.
func TestSameName(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Save", "SAVE!", true}, {"Name *", "Name", true}, {"+ Add item", "Add item", true}, {"Next", "Next \u2192", true}, {"Anna | 3", "Anna 3", true}, {"Caf\u00e9", "Caf\u00c9", true}, {"\u2026", "\u2026 ", true},
		{"C", "C++", false}, {"C#", "C++", false}, {"-1", "+1", false}, {"\u22121", "1", false}, {"Zoom +", "Zoom -", false}, {"Sort \u25b2", "Sort \u25bc", false}, {"+", "-", false}, {"$42", "\u20ac42", false}, {"Step 1", "Step 2", false},
	} {
		if element.SameName(c.a, c.b) != c.same || element.SameName(c.b, c.a) != c.same {
			t.Errorf("%q, %q: not %v", c.a, c.b, c.same)
		}
	}
}

// A recorded element is found again with the locator that was recorded, if that still leads to
// it, and else with its steadiest.
func TestWaysOfARecordedElement(t *testing.T) {
	old := element.Recorded(map[string]string{"tag": "button", "role": "button", "name": "Delete", "within": `row "Anna"`}, []string{"testid=a", `row "Anna" >> button "Delete"`, "css=#d"})
	now := with(save(), func(e *element.Element) {
		e.Name, e.Within, e.Twins, e.Locators = "DELETE", `row "Anna"`, 3, []string{"css=#d", `row "Anna" >> button "Delete"`, "css=i"}
	})
	if got := now.Ways(&old); !slices.Equal(got, []string{`row "Anna" >> button "Delete"`, "css=#d", "css=i"}) || !element.Same(old, now) {
		t.Errorf("%q, the same: %v", got, element.Same(old, now))
	}
	if got := now.Ways(nil); !slices.Equal(got, now.Locators) {
		t.Errorf("of none that is recorded: %q", got)
	}
	for name, edit := range map[string]func(*element.Element){
		"another row":    func(e *element.Element) { e.Within = `row "Bert"` },
		"another role":   func(e *element.Element) { e.Role = "link" },
		"the only one":   func(e *element.Element) { e.Twins, e.Within = 0, "" },
		"another name":   func(e *element.Element) { e.Name = "Remove" },
		"in the footer":  func(e *element.Element) { e.Landmark = "contentinfo" },
		"another number": func(e *element.Element) { e.Name = "Delete 2" },
	} {
		if element.Same(old, with(now, edit)) {
			t.Errorf("%s is taken for it", name)
		}
	}
}

// Each of several elements has its own pair.
func TestMatchOfSeveral(t *testing.T) {
	pairs := element.Match([]element.Element{save(), with(save(), func(e *element.Element) { e.Role, e.Tag = "checkbox", "input" })}, page(save()))
	if len(pairs) != 2 || !pairs[0].Sure() || pairs[0].Best[0].Element.Name != "Save order" || !pairs[1].Gone() || pairs[1].Sure() {
		t.Errorf("%+v", pairs)
	}
}

// Proofs of earlier versions have other names for the sides of a box.
func TestOldBoxes(t *testing.T) {
	for _, text := range []string{`{"tag":"a","box":{"x":1,"y":2,"w":3,"h":4}}`, `{"tag":"a","box":{"x":1,"y":2,"width":3,"height":4}}`} {
		var e element.Element
		if err := json.Unmarshal([]byte(text), &e); err != nil || e.Tag != "a" || *e.Box != (element.Box{X: 1, Y: 2, Width: 3, Height: 4}) {
			t.Errorf("%s: %+v, %v", text, e, err)
		}
	}
}
