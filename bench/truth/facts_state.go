package truth

import "strings"

// state describes something that an element is or is not.
type state struct {
	class, selector string
	is, not         []string // sentences: that it is so, and that it is not
	kind            string
	on, off         string // the element, in one state and in the other
	other           string // an element that is in the first state, but another one
	word            string // its name
}

// stateFacts say in what state an element is.
func stateFacts() []fact {
	var out []fact
	for _, s := range states() {
		text := "<p>" + s.word + " is a word of this page.</p>"
		on := []variant{so("so", showing(s.on)), notSo("the other state", showing(s.off)), notSo("another element is", showing(s.other+s.off)), notSo("the text alone", showing(text)), notSo("hidden", showing("<div hidden>"+s.on+"</div>"+text))}
		off := []variant{so("so", showing(s.off)), notSo("the other state", showing(s.on)), {name: "the text alone", is: s.kind == "visible", page: showing(text)}}
		for _, side := range []struct {
			said  []string
			not   bool
			pages []variant
		}{{s.is, false, on}, {s.not, true, off}} {
			for _, sentence := range side.said {
				out = append(out, fact{class: s.class, said: []string{sentence}, words: []string{s.word}, checks: []check{{Type: s.kind, Selector: s.selector, Not: side.not}}, pages: side.pages})
			}
		}
	}
	return out
}

func states() []state {
	return []state{
		{class: "enabled", word: "Cast off", selector: `button "Cast off"`, kind: "enabled", on: `<button>Cast off</button>`, off: `<button disabled>Cast off</button>`, other: `<button>Moor</button>`,
			is:  []string{`The button "Cast off" is enabled`, `The "Cast off" button can be clicked`, `Der Button "Cast off" ist aktiv`, `按钮“Cast off”可用`},
			not: []string{`The button "Cast off" is disabled`, `The "Cast off" button should be disabled`, `the button "Cast off" is greyed out`, `The "Cast off" button can't be clicked`, `Der Button "Cast off" ist deaktiviert`, `Il pulsante "Cast off" è disabilitato`, `按钮“Cast off”已禁用`}},
		{class: "checked", word: "Night watch", selector: `checkbox "Night watch"`, kind: "checked", on: `<label><input type="checkbox" checked> Night watch</label>`, off: `<label><input type="checkbox"> Night watch</label>`, other: `<label><input type="checkbox" checked> Day watch</label>`,
			is:  []string{`The checkbox "Night watch" is checked`, `the "Night watch" box is ticked`, `Die Checkbox "Night watch" ist angekreuzt`, `La casella "Night watch" è selezionata`, `复选框“Night watch”已勾选`},
			not: []string{`The checkbox "Night watch" is unchecked`, `The checkbox "Night watch" is not checked`, `The box "Night watch" isn't ticked`, `Die Checkbox "Night watch" ist nicht angekreuzt`, `复选框“Night watch”未勾选`}},
		{class: "pressed", word: "Fog horn", selector: `button "Fog horn"`, kind: "pressed", on: `<button aria-pressed="true">Fog horn</button>`, off: `<button aria-pressed="false">Fog horn</button>`, other: `<button aria-pressed="true">Bell</button>`,
			is: []string{`The button "Fog horn" is pressed`}, not: []string{`The button "Fog horn" is not pressed`}},
		{class: "expanded", word: "Moorings", selector: `button "Moorings"`, kind: "expanded", on: `<button aria-expanded="true">Moorings</button><p>North quay</p>`, off: `<button aria-expanded="false">Moorings</button>`, other: `<button aria-expanded="true">Cranes</button>`,
			is: []string{`The button "Moorings" is expanded`, `The button "Moorings" is unfolded`}, not: []string{`The button "Moorings" is collapsed`, `Der Button "Moorings" ist zugeklappt`}},
		{class: "focused", word: "Ship name", selector: `textbox "Ship name"`, kind: "focused", on: `<label>Ship name <input id="a" autofocus></label>`, off: `<label>Ship name <input id="a"></label>`, other: `<label>Skipper <input autofocus></label>`,
			is: []string{`The field "Ship name" is focused`, `The field "Ship name" has the focus`, `Das Feld "Ship name" hat den Fokus`}, not: []string{`The field "Ship name" is not focused`}},
		{class: "editable", word: "Draught", selector: `textbox "Draught"`, kind: "editable", on: `<label>Draught <input></label>`, off: `<label>Draught <input readonly></label>`, other: `<label>Length <input></label>`,
			is: []string{`The field "Draught" is editable`}, not: []string{`The field "Draught" is read-only`, `The field "Draught" can't be edited`}},
		{class: "empty", word: "Remarks", selector: `textbox "Remarks"`, kind: "empty", on: `<label>Remarks <input></label>`, off: `<label>Remarks <input value="two masts"></label>`, other: `<label>Notes <input></label>`,
			is: []string{`The field "Remarks" is empty`, `Das Feld "Remarks" ist leer`, `Il campo "Remarks" è vuoto`, `输入框“Remarks”为空`}, not: []string{`The field "Remarks" is not empty`}},
		{class: "visible", word: "Pay dues", selector: `button "Pay dues"`, kind: "visible", on: `<button>Pay dues</button>`, off: `<p>Nothing to pay</p>`, other: `<button>Pay fines</button>`,
			is:  []string{`The button "Pay dues" is visible`, `I see the button "Pay dues"`, `There is a button "Pay dues"`, `Ich sehe den Button "Pay dues"`},
			not: []string{`I should not see the button "Pay dues"`, `There is no button "Pay dues"`, `The button "Pay dues" is gone`}},
	}
}

// fieldFacts say what is in a field, or chosen.
func fieldFacts() []fact {
	field := func(value string) string {
		return `<label>Captain <input value="` + value + `"></label>`
	}
	choice := func(chosen string) string {
		options := strings.Replace("<option>Malta</option><option>Norway</option><option>Panama</option>", "<option>"+chosen, "<option selected>"+chosen, 1)
		return "<label>Flag <select>" + options + "</select></label>"
	}
	var out []fact
	for _, s := range []string{`The field "Captain" has the value "Ida Holm"`, `The "Captain" field should contain "Ida Holm"`, `the field "Captain" matches value "Ida Holm"`, `Das Feld "Captain" enthält "Ida Holm"`, `Il campo "Captain" contiene "Ida Holm"`} {
		out = append(out, fact{class: "value", said: []string{s}, words: []string{"Captain", "Ida Holm"}, checks: []check{{Type: "value_equals", Selector: `textbox "Captain"`, Expected: "Ida Holm"}}, pages: []variant{
			so("so", showing(field("Ida Holm"))), notSo("another value", showing(field("Bo Lund"))), notSo("empty, and the text beside it", showing(field("")+"<p>Ida Holm</p>")),
			notSo("in another field", showing(field("Bo Lund")+`<label>Mate <input value="Ida Holm"></label>`)), notSo("as a placeholder", showing(`<label>Captain <input placeholder="Ida Holm"></label>`)),
			notSo("both words as texts", showing("<p>Captain</p><p>Ida Holm</p>")),
		}})
	}
	for _, s := range []string{`"Norway" is selected in "Flag"`, `"Norway" should be selected from "Flag"`, `The dropdown "Flag" shows "Norway"`} {
		out = append(out, fact{class: "selected", said: []string{s}, words: []string{"Norway", "Flag"}, checks: []check{{Type: "value_equals", Selector: `combobox "Flag"`, Expected: "Norway"}}, pages: []variant{
			so("so", showing(choice("Norway"))), notSo("another one", showing(choice("Malta"))), notSo("another one, and the text beside it", showing(choice("Panama")+"<p>Norway</p>")), notSo("texts", showing("<p>Flag</p><p>Norway</p>")),
		}})
	}
	return out
}

// kindFacts say of what kind an element is.
func kindFacts() []fact {
	var out []fact
	for _, k := range []struct{ role, said, element, not string }{
		{"link", `There is a link "Tide table"`, `<a href="/tides">Tide table</a>`, `<button>Tide table</button>`},
		{"link", `"Tide table" is a link`, `<a href="/tides">Tide table</a>`, `<span>Tide table</span>`},
		{"link", `I should see the link "Tide table"`, `<a href="/tides">Tide table</a>`, `<a>Tide table</a>`},
		{"heading", `The heading "Tide table" is shown`, `<h2>Tide table</h2>`, `<b>Tide table</b>`},
		{"heading", `Ich sehe die Überschrift "Tide table"`, `<h2>Tide table</h2>`, `<p>Tide table</p>`},
		{"button", `The page has a button "Tide table"`, `<button>Tide table</button>`, `<a href="/tides">Tide table</a>`},
		{"tab", `The tab "Tide table" is shown`, `<div role="tablist"><button role="tab">Tide table</button></div>`, `<button>Tide table</button>`},
		{"img", `The image "Tide table" is shown`, `<svg role="img" aria-label="Tide table" width="40" height="40"><rect width="40" height="40"/></svg>`, `<p>Tide table</p>`},
		{"dialog", `The dialog "Tide table" is shown`, `<div role="dialog" aria-label="Tide table">Low at nine</div>`, `<p>Tide table</p>`},
	} {
		out = append(out, fact{class: "kind", said: []string{k.said}, words: []string{"Tide table"}, checks: []check{{Type: "visible", Selector: k.role + ` "Tide table"`}}, pages: []variant{
			so("so", showing(k.element)), notSo("of another kind", showing(k.not)), notSo("the text alone", showing("<p>Tide table</p>")), notSo("hidden, and the text", showing("<div hidden>"+k.element+"</div><p>Tide table</p>")),
			notSo("a longer name", showing(longer(k.element))),
		}})
	}
	return out
}
