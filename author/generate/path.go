// Package generate makes Playwright tests of a test plan or of an explored site: each
// flow of the plan is a test, and what its steps are expected to lead to is what the
// test asserts.
package generate

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// Path is a test in the making: steps, how their elements may be found, and what
// could be asserted.
type Path struct {
	Name  string
	Role  string
	Steps []Step

	Ask     *plan.Ask    // what it asks of a site; nil: it is a flow that a person wrote
	Left    bool         // it leaves behind on the server what it made
	Records plan.Records // texts that are another one with other records
}

// Step is one step of a path.
type Step struct {
	Name     string
	Where    string // what it comes from: a line of a plan, an edge of a site
	Act      Act
	Expects  []Expect
	Volatile []string // selectors of parts that change by themselves

	Part  Part
	Alien bool   // it is done on a record that the test did not make: its texts are data
	Own   bool   // it is done on the record that the test made
	Loads bool   // it leads to another page, on which the next step must not begin before its scripts run
	Leads string // a pattern of the address of that page; "": none is known
}

// Part says what a step is for.
type Part int

// The parts.
const (
	Whole  Part = iota // what its plan names is expected, and what it changes
	Way                // it leads to the act of the test, and nothing is expected
	Effect             // the act of the test: what it changes is expected
	Again              // the page is loaded again: what the act brought is there still
	Listed             // what the act made, or left, is listed or is not
)

// Act is what a step does, as a step of a flow has it.
type Act struct {
	Action string // "reload" loads the page again
	URL    string // of navigate: a path below the base, or an address of another site
	Value  string
	Option string
	Key    string
	Target Target
}

// Target is an element, by the selectors that may find it, the best first.
type Target struct{ Locators []string }

// Expect is something that could be asserted after a step.
type Expect struct {
	Assertion qa.Assertion
	Target    Target // of an assertion about an element
	Keeps     bool   // it holds before the step as well: the step must not change it
	Rows      bool   // the rows that the target leads to are others than before the step
	Only      bool   // the target leads to what must not be listed, see RowsWithout
}

// Replace returns a step with another text in place of one, wherever it stands.
func (s Step) Replace(old, by string) Step {
	all := func(texts []string) []string {
		out := make([]string, len(texts))
		for i, t := range texts {
			out[i] = strings.ReplaceAll(t, old, by)
		}
		return out
	}
	for _, field := range []*string{&s.Act.URL, &s.Act.Value, &s.Act.Option} {
		*field = strings.ReplaceAll(*field, old, by)
	}
	s.Act.Target.Locators = all(s.Act.Target.Locators)
	s.Expects = slices.Clone(s.Expects)
	for i := range s.Expects {
		e := &s.Expects[i]
		e.Target.Locators = all(e.Target.Locators)
		e.Assertion.Expected = strings.ReplaceAll(e.Assertion.Expected, old, by)
	}
	return s
}

// Name returns what an expectation is called in a list.
func (e Expect) Name() string {
	name := string(e.Assertion.Type)
	if e.Rows {
		name = "other rows"
	}
	if len(e.Target.Locators) > 0 {
		name += " " + e.Target.Locators[0]
	}
	if e.Assertion.Expected != "" {
		name += fmt.Sprintf(" %q", text.Shorten(e.Assertion.Expected, 100))
	}
	return name
}

// Dropped is something that a test does not have, and why.
type Dropped struct {
	Flow   string `json:"flow"`
	Step   string `json:"step,omitempty"`
	Where  string `json:"where,omitempty"`
	What   string `json:"what"`
	Reason string `json:"reason"`
	Cause  string `json:"cause,omitempty"` // what it has in common with others, where the reason of the first is told in full
}

// Base returns scheme, host and port of an address.
func Base(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", fmt.Errorf("%q is no http or https address", text.Shorten(address, 100))
	}
	return u.Scheme + "://" + u.Host, nil
}

// Below returns an address as a path below base where it is one, and as it is elsewhere.
func Below(base, address string) string {
	b, err := url.Parse(base)
	if err != nil {
		return address
	}
	u, err := b.Parse(address)
	if err != nil || u.Scheme != b.Scheme || u.Host != b.Host {
		return address
	}
	u.Scheme, u.Host, u.User = "", "", nil
	if u.Path == "" {
		u.Path = "/"
	}
	return u.String()
}

// PagePath returns what names a page in an address below a base: its path, and that of its hash
// route.
func PagePath(base, link string) string {
	path, fragment, _ := strings.Cut(Below(base, link), "#")
	path, _, _ = strings.Cut(path, "?")
	if route, _, ok := address.HashRoute(fragment); ok {
		path += "#" + route
	}
	return path
}

// Address returns an address below the base as a test expects it, with * for what is a
// record's own. ok is false where no such address says anything.
func Address(link string) (pattern string, ok bool) {
	if !strings.HasPrefix(link, "/") {
		return "", false
	}
	page, fragment, hashed := strings.Cut(link, "#")
	pattern, ok = ofAnyRecord(page)
	if !hashed || !ok {
		return pattern, ok
	}
	route, ok := ofAnyRecord(fragment)
	if _, _, is := address.HashRoute(fragment); !is { // a place within a page is that of one record
		ok = ok && pattern+route == page+fragment
	}
	return pattern + "#" + route, ok
}

// ofAnyRecord returns a path, with its query, with * for what is a record's own.
func ofAnyRecord(text string) (pattern string, ok bool) {
	path, query, _ := strings.Cut(strings.ReplaceAll(text, flow.Fresh, ""), "?")
	if manyDigits.MatchString(query) {
		return "", false
	}
	if !strings.ContainsFunc(path, unicode.IsDigit) {
		return text, true
	}
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if recordID.MatchString(s) {
			segments[i] = "*"
		}
	}
	return strings.Join(segments, "/"), query == ""
}

// leads returns a pattern of the addresses of the page that a link leads to, whatever record it
// shows and whatever its query. ok is false where its path says what the exploration entered.
func (m maker) leads(link string) (pattern string, ok bool) {
	page := PagePath(m.base, link)
	if !strings.HasPrefix(page, "/") || m.plan.Records.Entered(page) {
		return "", false
	}
	path, route, routed := strings.Cut(page, "#")
	pattern = "re:" + numbered(path) + `(?:\?[^#]*)?`
	if routed {
		return pattern + "#!?" + numbered(route) + `(?:\?.*)?$`, true
	}
	return pattern + "(?:#.*)?$", true
}

// NumberedAddress returns a pattern of an address below the base that its like with other numbers
// fit, and no words in their place. ok is false where it has no number of a record.
func NumberedAddress(link string) (pattern string, ok bool) {
	if general, ok := Address(link); !ok || !strings.Contains(general, "*") {
		return "", false
	}
	return "re:" + numbered(link) + "$", true
}

// shownAddress returns the address that a pattern of [Address] or [NumberedAddress] stands for, with
// … for what differs each time.
func shownAddress(pattern string) string {
	if expression, ok := strings.CutPrefix(pattern, "re:"); ok {
		pattern = strings.NewReplacer(anyID, "…", anyNumber, "…", `\`, "", "$", "").Replace(expression)
	}
	return strings.NewReplacer("*", "…", flow.Fresh, "…").Replace(pattern)
}

// What stands for the number of a record, and for an identifier with a digit, in an expression.
const (
	anyNumber = `\d+`
	anyID     = `[\w-]*\d[\w-]*`
)

// numbered returns a path as an expression in which the numbers of records stand for any.
func numbered(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		switch {
		case !recordID.MatchString(s):
			segments[i] = regexp.QuoteMeta(s)
		case strings.Trim(s, "0123456789") == "":
			segments[i] = anyNumber
		default:
			segments[i] = anyID
		}
	}
	return strings.Join(segments, "/")
}

var (
	manyDigits = pattern.New(`\d{3,}`)
	recordID   = pattern.New(`^\d+$|^[0-9A-Za-z_-]*\d[0-9A-Za-z_-]{7,}$|^[0-9A-Za-z_-]{8,}\d[0-9A-Za-z_-]*$`)
)

// Paths returns a path for each flow of a plan. file is the plan's name.
func Paths(p plan.Plan, file string, order Order) ([]Path, error) {
	base, err := Base(p.StartURL)
	if err != nil {
		return nil, fmt.Errorf("%s: start URL: %w", file, err)
	}
	m := maker{plan: p, file: file, base: base, order: order}
	paths := make([]Path, len(p.Flows))
	for i, f := range p.Flows {
		paths[i] = m.path(f, i)
	}
	return paths, nil
}

// maker makes paths of one plan.
type maker struct {
	plan  plan.Plan
	file  string
	base  string
	order Order
}

func (m maker) path(f plan.Flow, i int) Path {
	p := Path{Name: f.Name, Role: m.plan.Role, Ask: f.Ask, Left: f.Left, Records: m.plan.Records}
	if p.Name == "" {
		p.Name = strings.TrimSpace(fmt.Sprintf("%s, flow %d", m.base, i+1))
		if len(f.Steps) > 0 {
			p.Name = f.Steps[len(f.Steps)-1].Name()
		}
	}
	if len(f.Steps) == 0 || f.Steps[0].Kind != site.Navigate {
		open := m.open()
		if f.Ask != nil {
			open.Part, open.Expects = Way, nil
		}
		p.Steps = append(p.Steps, open)
	}
	var opener plan.Step // the step before: what asks a question is there still where that was answered with no
	again := f.Ask != nil && f.Ask.Rule == "" && f.Ask.List == ""
	for _, s := range f.Steps {
		step := m.step(s)
		step.Alien, step.Own = f.Alien && s.Part == plan.Act, s.Own
		step.Loads = s.Part == plan.Way && s.Kind != site.Navigate && s.Edge != nil && (s.Edge.Wrote || s.Edge.Changes.URL != "")
		if step.Loads && s.Edge.Changes.URL != "" {
			step.Leads, _ = m.leads(s.Edge.Changes.URL)
		}
		p.Steps = append(p.Steps, step)
		if again && s.Part == plan.Act && s.Edge != nil && (s.Edge.Wrote || s.Own && closesDialog(s.Edge)) {
			reload := Step{Name: "load the page again", Where: step.Where, Act: Act{Action: "reload"}, Part: Again, Volatile: step.Volatile}
			if opener.Stays {
				reload.expect(qa.Assertion{Type: qa.Visible}, m.order.step(opener))
				reload.keep()
			}
			p.Steps = append(p.Steps, reload)
		}
		opener = s
	}
	return p
}

// closesDialog reports whether an edge only closed a dialog: what that asked for was not done.
func closesDialog(e *site.Edge) bool {
	return e.Changes.URL == "" && slices.ContainsFunc(e.Changes.Gone, func(x site.Element) bool { return x.Role == "dialog" || x.Role == "alertdialog" })
}

// open returns the step that opens the start address.
func (m maker) open() Step {
	address := Below(m.base, m.plan.StartURL)
	s := Step{Name: "open " + address, Where: m.file, Act: Act{Action: "navigate", URL: address}}
	expected := plan.Expected{URL: m.plan.StartURL}
	if state := m.plan.Start; state != nil {
		s.Volatile = state.Volatile
		expected.URL, expected.Title = state.URL, state.Title
		for i := range state.Notable {
			x := &state.Notable[i]
			expected.Notable = append(expected.Notable, plan.Notable{Selector: x.Selector, Text: label(x), Element: x})
		}
	}
	s.Expects = m.expects(expected)
	return s
}

// step makes a step of a plan's one.
func (m maker) step(s plan.Step) Step {
	out := Step{Name: s.Name(), Where: fmt.Sprintf("%s:%d", m.file, s.Line), Act: Act{Action: s.Kind, Option: s.Option, Key: s.Key}}
	if s.Edge != nil {
		out.Where = m.file + " " + s.Edge.ID
		if s.Edge.Action.Invalid != "" {
			out.Name += ", " + s.Edge.Action.Invalid
		}
	}
	if !s.OnPage() {
		out.Act.Target = m.order.step(s)
	}
	if s.Value != nil {
		out.Act.Value = *s.Value
	}
	asked := s.Part == plan.Whole || s.Part == plan.Act
	switch s.Kind {
	case plan.Type, site.Fill:
		out.Act.Action = "fill"
	case site.Check, plan.Uncheck:
		out.Act.Action = "click"
		if asked {
			out.expect(qa.Assertion{Type: qa.Checked, Not: s.Kind == plan.Uncheck}, out.Act.Target)
		}
	case site.DoubleClick:
		out.Act.Action = "double_click"
	case site.Select:
		if asked {
			out.expect(qa.Assertion{Type: qa.SelectedLabel, Expected: s.Option}, out.Act.Target)
		}
	case site.Submit:
		if out.Act.Action = "click"; s.Key != "" {
			out.Act.Action = site.Press
		}
	case site.Navigate:
		out.Act.URL = Below(m.base, s.Link)
		out.Name = "open " + out.Act.URL
	}
	if s.To != nil {
		out.Volatile = s.To.Volatile
	}
	switch s.Part {
	case plan.Way:
		out.Part = Way
	case plan.Listed:
		out.Part = Listed
	case plan.Act:
		out.Part = Effect
		out.Expects = append(out.Expects, m.changes(s)...)
	case plan.Whole:
		out.Expects = append(out.Expects, m.expects(s.Expected)...)
	}
	return out
}

// changes returns what an act of a site is expected to change: what came and went when it
// was explored, but for what is data. A refusal leaves the form as it is.
func (m maker) changes(s plan.Step) []Expect {
	var out Step
	if s.Edge == nil { // the first page
		out.Expects = m.expects(s.Expected)
		return out.Expects
	}
	c := s.Edge.Changes
	if c.URL != "" && s.Edge.Action.Invalid == "" {
		if at, ok := m.address(c.URL); ok {
			out.expectPage(qa.Assertion{Type: qa.URLMatches, Expected: at})
		}
	}
	for _, x := range c.Appeared {
		if says := x.Role == "alert" || x.Role == "status" || x.Role == "dialog" || x.Role == "alertdialog" || x.Role == "heading"; says && !m.data(x.Name) {
			out.expect(qa.Assertion{Type: qa.Visible}, m.order.element(&x))
		}
	}
	for _, x := range wentAway(c.Gone) {
		if c.URL == "" && !m.data(x.Name) {
			out.expect(qa.Assertion{Type: qa.Hidden}, m.order.element(&x))
		}
	}
	if s.Stays {
		out.expect(qa.Assertion{Type: qa.Visible}, m.order.step(s))
		out.keep()
	}
	return out.Expects
}

// data reports whether a text is another one with other records, but for what the test
// itself enters.
func (m maker) data(name string) bool {
	return m.plan.Records.Has(strings.ReplaceAll(name, flow.Fresh, ""))
}

// address returns an address as a test expects it: numbers of records stand for any. ok is
// false where it says nothing.
func (m maker) address(address string) (at string, ok bool) {
	return Address(Below(m.base, address))
}

// maxGone bounds the assertions that something has gone.
const maxGone = 2

// wentAway returns the elements whose going says most: dialogs and messages first.
func wentAway(gone []site.Element) []site.Element {
	says := []string{"dialog", "alertdialog", "alert", "status", "heading"}
	var out []site.Element
	for _, role := range says {
		for _, x := range gone {
			if x.Role == role && len(out) < maxGone {
				out = append(out, x)
			}
		}
	}
	return out
}

func (s *Step) expect(a qa.Assertion, on Target) {
	if len(on.Locators) > 0 {
		s.Expects = append(s.Expects, Expect{Assertion: a, Target: on})
	}
}

// keep marks the last expectation as one that holds before the step as well.
func (s *Step) keep() {
	if n := len(s.Expects); n > 0 {
		s.Expects[n-1].Keeps = true
	}
}

func (s *Step) expectPage(a qa.Assertion) { s.Expects = append(s.Expects, Expect{Assertion: a}) }

// expects returns what a plan expects of a page.
func (m maker) expects(e plan.Expected) []Expect {
	var out []Expect
	if e.URL != "" {
		out = append(out, Expect{Assertion: qa.Assertion{Type: qa.URLMatches, Expected: Below(m.base, e.URL)}})
	}
	if e.Title != "" {
		out = append(out, Expect{Assertion: qa.Assertion{Type: qa.TitleEquals, Expected: oneLine(e.Title)}})
	}
	for _, n := range e.Notable {
		a := qa.Assertion{Type: qa.Visible}
		on := m.order.notable(n)
		if n.Text != "" && n.Element == nil { // a plan's selector says nothing of the text
			a = qa.Assertion{Type: qa.TextContains, Expected: oneLine(n.Text)}
		}
		if len(on.Locators) > 0 {
			out = append(out, Expect{Assertion: a, Target: on})
		}
	}
	return out
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// label returns what a person calls an element.
func label(e *site.Element) string {
	for _, text := range []string{e.Text, e.Name, e.AriaLabel} {
		if text = oneLine(text); text != "" {
			return text
		}
	}
	return ""
}

// Flow returns a path as a flow: its steps are recorded ones, each with its act and
// its assertions, found by the first of their selectors.
func (p Path) Flow() flow.Flow {
	f := flow.Flow{Name: p.Name, Role: p.Role, Recorded: &flow.Recorded{}}
	for _, s := range p.Steps {
		from := len(f.Steps)
		act := qa.FlowStep{Action: s.Act.Action, URL: s.Act.URL, Value: s.Act.Value, Option: s.Act.Option, Key: s.Act.Key}
		act.Selector = s.Act.Target.first()
		f.Steps = append(f.Steps, act)
		for _, e := range s.Expects {
			a := e.Assertion
			step := qa.FlowStep{Action: "assert", Selector: e.Target.first(), Assertion: &a}
			if e.Rows {
				step.Action, step.Assertion = testfile.OtherRows, nil
			}
			f.Steps = append(f.Steps, step)
		}
		if s.Loads {
			f.Steps = append(f.Steps, qa.FlowStep{Action: testfile.Loaded, URL: s.Leads})
		}
		f.Recorded.Steps = append(f.Recorded.Steps, flow.RecordedStep{Text: s.Name, From: from, To: len(f.Steps)})
	}
	return f
}

func (t Target) first() string {
	if len(t.Locators) == 0 {
		return ""
	}
	return t.Locators[0]
}

// Asserts returns how many assertions a path has.
func (p Path) Asserts() int {
	n := 0
	for _, s := range p.Steps {
		n += len(s.Expects)
	}
	return n
}

// Unproved returns why steps are cut off a path behind its last assertion: they would
// prove nothing. What was cut is listed.
func (p *Path) cutTail() []Dropped {
	last := -1
	for i, s := range p.Steps {
		if len(s.Expects) > 0 {
			last = i
		}
	}
	var cut []Dropped
	for _, s := range p.Steps[last+1:] {
		cut = append(cut, Dropped{Flow: p.Name, Step: s.Name, Where: s.Where, What: "step", Reason: "nothing is asserted from here on"})
	}
	p.Steps = slices.Clip(p.Steps[:last+1])
	return cut
}
