package prove

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/testrun"
)

// Class sorts mutants by what is wrong with the page.
type Class string

// The classes. Tests have to fail under all but the last.
const (
	Missing     Class = "missing"
	NoEffect    Class = "no effect"
	WrongEffect Class = "wrong effect"
	Navigation  Class = "navigation"
	Script      Class = "script"
	Equivalent  Class = "equivalent"
)

// Classes lists the classes of faults.
func Classes() []Class { return []Class{NoEffect, WrongEffect, Navigation, Script, Missing} }

// Mutant is one change of the page for one test.
type Mutant struct {
	ID    string            `json:"id"`
	Class Class             `json:"class"`
	Kind  string            `json:"kind"`           // such as removed, swallowed, plus-one
	Step  string            `json:"step,omitempty"` // the call that it is about; empty: the page as a whole
	At    *testrun.Location `json:"at,omitempty"`   // of that call
	OfAct bool              `json:"ofAct"`          // it is about what an act does, not about what an expectation looks at

	spec spec
}

// spec is what the watch needs to know of a mutant.
type spec struct {
	ID         string   `json:"id"`
	Kind       string   `json:"kind"`
	Equivalent bool     `json:"equivalent"`
	On         string   `json:"on"` // dom, page or route
	Key        string   `json:"key,omitempty"`
	N          int      `json:"n,omitempty"`
	Wait       int64    `json:"wait"` // milliseconds that the page may take to come to the state of the control run
	Text       string   `json:"text"`
	Count      int      `json:"count"`
	Other      string   `json:"other,omitempty"`
	Attribute  string   `json:"attribute,omitempty"`
	Number     string   `json:"number,omitempty"` // that is changed; empty: the first
	URL        string   `json:"url,omitempty"`
	Request    string   `json:"request,omitempty"`
	Status     int      `json:"status,omitempty"`
	Script     bool     `json:"script,omitempty"`
	MIME       string   `json:"mime,omitempty"`
	Documents  bool     `json:"documents,omitempty"`
	Names      []string `json:"names,omitempty"`
	Keep       []string `json:"keep,omitempty"` // what the test names, of other data
}

// candidates lists the mutants that make sense for one call.
type candidates struct {
	record record
	wait   int64
	out    []Mutant
}

func (c *candidates) add(class Class, kind string, o *op, ofAct bool, s spec) {
	s.Kind, s.Wait, s.Equivalent = kind, c.wait, class == Equivalent
	m := Mutant{Class: class, Kind: kind, OfAct: ofAct, spec: s}
	if o != nil {
		m.Step, m.At = o.label(), o.At
		m.spec.Key, m.spec.N = o.Key, o.N
		if len(o.Elements) > 0 && m.spec.On == "dom" {
			m.spec.Text, m.spec.Count = o.Elements[0].Text, len(o.Elements)
		}
	}
	c.out = append(c.out, m)
}

// label names a call as a reader knows it.
func (o op) label() string {
	if o.Selector == "" {
		return o.Method
	}
	return o.Method + " " + o.Selector
}

// otherPage is the kind of a mutant that shows another page at a look. It tells whether an
// expectation of a test that does not act holds wherever the test may be.
const otherPage = "page-other"

// inputIgnored is the kind of a mutant whose field does not take what is typed.
const inputIgnored = "input-ignored"

// mutantsOf lists all mutants that a control run suggests.
func mutantsOf(r record, wait int64) []Mutant {
	c := candidates{record: r, wait: wait}
	last := map[string]string{} // digests of answers, by request
	looked := map[string]bool{} // what was read since the last act: what is read again is compared with itself
	acts := slices.ContainsFunc(r.Ops, func(o op) bool { return o.Kind == act && !o.hook })
	for i := range r.Ops {
		o := &r.Ops[i]
		if !o.OK {
			continue
		}
		switch o.Kind {
		case act:
			c.ofAct(o)
			c.ofAnswers(o, last)
		case goTo:
			c.ofNavigation(o, false)
			c.ofScripts(o)
			c.ofAnswers(o, last)
		case expect, read:
			if !acts && !o.hook && !o.Not && o.Method != "to.have.url" {
				c.add(Navigation, otherPage, o, false, spec{On: "page", URL: o.URLAfter})
			}
			if o.Kind == expect || !looked[o.Selector] {
				c.ofLook(o)
			}
		}
		looked[o.Selector] = o.Kind == read
		if o.Kind == act || o.Kind == goTo {
			clear(looked)
		}
		for _, q := range o.Requests {
			last[q.key()] = q.Digest
		}
	}
	c.equivalents()
	return c.out
}

// ofAct is about an element that the test acts on, and what it brings about.
func (c *candidates) ofAct(o *op) {
	if len(o.Elements) == 0 {
		return
	}
	e := o.Elements[0]
	dom := spec{On: "dom"}
	if slices.Contains([]string{"fill", "type", "selectOption"}, o.Method) {
		c.add(NoEffect, inputIgnored, o, true, dom)
	} else {
		c.add(NoEffect, "swallowed", o, true, dom)
	}
	if e.Form && (e.Type == "submit" || o.Method == "press") {
		c.add(NoEffect, "submit-ignored", o, true, dom)
		if e.Invalid {
			c.add(WrongEffect, "no-validation", o, true, dom)
		}
	}
	pointer := slices.Contains([]string{"click", "dblclick", "tap", "check", "uncheck"}, o.Method)
	if pointer || o.Method == "press" {
		c.add(Script, "exception", o, true, dom)
	}
	c.ofNavigation(o, true)
	c.add(Missing, "removed", o, true, dom)
	if e.Control {
		c.add(Missing, "disabled", o, true, dom)
	}
	c.add(Missing, "hidden", o, true, dom)
	if pointer { // Playwright fills fields that are covered
		c.add(Missing, "covered", o, true, dom)
	}
}

// ofNavigation is about the document that a call opens.
func (c *candidates) ofNavigation(o *op, ofAct bool) {
	for _, q := range o.Requests {
		if !q.Navigation {
			continue
		}
		route := func(status int, other string) spec {
			return spec{On: "route", Request: q.key(), Status: status, Other: other}
		}
		c.add(Navigation, "answer 500", o, ofAct, route(500, ""))
		c.add(Navigation, "answer 404", o, ofAct, route(404, ""))
		if other := c.elsewhere(q); other != "" && q.Method == http.MethodGet {
			s := route(0, other)
			s.URL = arrived(o)
			c.add(Navigation, "elsewhere", o, ofAct, s)
		}
		c.add(Navigation, "answer 403", o, ofAct, route(403, ""))
		return
	}
}

// arrived is the path at which a call ended.
func arrived(o *op) (path string) {
	for _, q := range o.Requests {
		if q.Navigation && q.Status < 300 {
			path = q.Path
		}
	}
	return path
}

// elsewhere is another page of the site that the test has been to.
func (c *candidates) elsewhere(q request) string {
	for _, o := range c.record.Ops {
		for _, other := range o.Requests {
			if other.Navigation && other.Origin == q.Origin && other.Path != q.Path && other.Status == 200 && other.Method == http.MethodGet {
				return other.URL
			}
		}
	}
	return ""
}

// ofScripts is about the site's own scripts.
func (c *candidates) ofScripts(o *op) {
	for _, q := range o.Requests {
		if q.Type == "script" && slices.ContainsFunc(o.Requests, func(page request) bool { return page.Navigation && page.Origin == q.Origin }) {
			c.add(Script, "script 500", o, false, spec{On: "route", Request: q.key(), Status: 500, Script: true})
			return
		}
	}
}

// ofAnswers is about the data that a call fetches, and what it writes.
func (c *candidates) ofAnswers(o *op, last map[string]string) {
	ofAct := o.Kind == act
	for _, q := range o.Requests {
		if q.Type != "xhr" && q.Type != "fetch" {
			continue
		}
		route := spec{On: "route", Request: q.key()}
		if !slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, q.Method) {
			route.MIME = q.MIME
			c.add(NoEffect, "write-dropped", o, ofAct, route)
			continue
		}
		if old := last[q.key()]; old != "" && q.Digest != "" && old != q.Digest {
			c.add(WrongEffect, "stale", o, ofAct, route)
		}
		if q.Shape == nil {
			continue
		}
		if q.Shape.List > 0 {
			c.add(WrongEffect, "answer-empty", o, ofAct, route)
			c.add(WrongEffect, "answer-short", o, ofAct, route)
			c.add(WrongEffect, "answer-doubled", o, ofAct, route)
		}
		if q.Shape.Numbers {
			c.add(WrongEffect, "answer-tenfold", o, ofAct, route)
		}
		if q.Shape.List > 1 && q.Shape.Varied {
			c.add(WrongEffect, "answer-unsorted", o, ofAct, route)
		}
	}
}

// ofLook is about what an expectation or a reading looks at.
func (c *candidates) ofLook(o *op) {
	dom := spec{On: "dom"}
	with := func(other, attribute string) spec { return spec{On: "dom", Other: other, Attribute: attribute} }
	switch {
	case o.Not:
		return
	case o.Method == "to.have.url" && o.URLAfter != "":
		c.add(Navigation, "address-other", o, false, spec{On: "page", URL: o.URLAfter, Other: "/another-place"})
		return
	case o.Method == "to.have.title":
		c.add(WrongEffect, "title-other", o, false, spec{On: "page", URL: o.URLAfter, Other: "Another title"})
		return
	case len(o.Elements) == 0:
		return
	}
	e := o.Elements[0]
	switch o.Method {
	case "to.have.count", "_queryCount":
		c.add(WrongEffect, "list-short", o, false, dom)
		c.add(WrongEffect, "list-doubled", o, false, dom)
		c.add(WrongEffect, "list-empty", o, false, dom)
		return
	case "to.have.value", "to.have.values", "inputValue":
		c.add(WrongEffect, "value-other", o, false, with("another value", ""))
	case "to.be.checked", "isChecked":
		c.add(WrongEffect, "flipped", o, false, dom)
	case "to.be.disabled", "isDisabled":
		c.add(WrongEffect, "enabled", o, false, dom)
	case "to.be.enabled", "to.be.editable", "isEnabled":
		if e.Control {
			c.add(WrongEffect, "disabled", o, false, dom)
		}
	case "to.be.focused":
		c.add(WrongEffect, "unfocused", o, false, dom)
	case "to.have.attribute.value", "getAttribute":
		if o.Argument != "" {
			c.add(WrongEffect, "attribute-other", o, false, with("", o.Argument))
		}
	case "to.have.text", "to.contain.text", "to.have.text.array", "to.contain.text.array", "to.match.aria", "textContent", "innerText", "innerHTML":
		c.ofText(o, e)
	default:
		if e.Text != "" && named(o.Selector, e.Text) {
			c.add(WrongEffect, "other-label", o, false, with(otherLabel(e.Text), ""))
		}
	}
	if o.Method == "to.be.visible" || o.Method == "isVisible" {
		c.add(Missing, "hidden", o, false, dom)
	}
	c.add(Missing, "removed", o, false, dom)
}

// ofText is about a text that a test compares.
func (c *candidates) ofText(o *op, e target) {
	dom := spec{On: "dom"}
	if e.Text == "" {
		return
	}
	expected, digits := strings.Join(o.Expected, "\n"), e.Text
	if expected != "" { // what is beside it may be any number
		digits = expected
	}
	if number := firstNumber(digits); number != "" {
		for _, kind := range []string{"plus-one", "times-ten", "minus-one", "nan"} {
			c.add(WrongEffect, kind, o, false, spec{On: "dom", Number: number})
		}
	}
	if len(o.Elements) > 1 {
		c.add(WrongEffect, "list-short", o, false, dom)
		if o.Elements[0].Text != o.Elements[len(o.Elements)-1].Text {
			c.add(WrongEffect, "list-unsorted", o, false, dom)
		}
	}
	c.add(WrongEffect, "other-label", o, false, spec{On: "dom", Other: otherLabel(e.Text)})
	c.add(WrongEffect, "emptied", o, false, dom)
}

func firstNumber(text string) string {
	from := strings.IndexAny(text, "0123456789")
	if from < 0 {
		return ""
	}
	number := text[from:]
	if to := strings.IndexFunc(number, func(r rune) bool { return r < '0' || r > '9' }); to >= 0 {
		number = number[:to]
	}
	return number
}

// named reports whether a selector names a text.
func named(selector, text string) bool {
	head, _, _ := strings.Cut(text, "\n")
	head = strings.TrimSpace(head)
	return len(head) > 1 && strings.Contains(strings.ToLower(selector), strings.ToLower(head))
}

func otherLabel(text string) string {
	if strings.EqualFold(text, "Something else") {
		return "Another label"
	}
	return "Something else"
}

// equivalents change what no person sees, or what does not matter: tests must pass.
func (c *candidates) equivalents() {
	route := spec{On: "route"}
	fetches, documents, data := false, false, ""
	var named []string
	for _, o := range c.record.Ops {
		named = append(append(named, o.Selector, o.Argument), o.Expected...)
		for _, q := range o.Requests {
			if data == "" && q.Method == http.MethodGet && q.Shape != nil && q.Shape.Words {
				data = q.key()
			}
			documents = documents || q.Navigation && strings.Contains(q.MIME, "html")
			fetches = fetches || q.Type == "xhr" || q.Type == "fetch"
		}
	}
	if !documents {
		return
	}
	if len(c.record.Names) > 0 {
		c.add(Equivalent, "names-rehashed", nil, false, spec{On: "route", Names: c.record.Names})
	}
	if data != "" {
		c.add(Equivalent, "other-data", nil, false, spec{On: "route", Request: data, Keep: slices.DeleteFunc(named, func(text string) bool { return text == "" })})
	}
	c.add(Equivalent, "wrapped", nil, false, route)
	c.add(Equivalent, "delayed", nil, false, spec{On: "route", Documents: !fetches})
	c.add(Equivalent, "attribute-order", nil, false, route)
	c.add(Equivalent, "banner", nil, false, route)
}

// number gives mutants of one test their ids, in order.
func number(all []Mutant) {
	for i := range all {
		all[i].ID = fmt.Sprintf("M%02d", i+1)
		all[i].spec.ID = all[i].ID
	}
}
