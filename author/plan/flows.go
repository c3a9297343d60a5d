package plan

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa/flow"
)

// builder makes the flows of a site's questions.
type builder struct {
	*ways
	records Records
	names   pageNames
	named   map[string]int     // how often a name was given
	refused map[[2]string]bool // of [refusedStates]
	shared  map[string]bool    // names of controls by which forms of several pages are sent
}

// sentBy returns the names of controls by which forms of several pages are sent, as their
// headings tell them apart.
func (b builder) sentBy() map[string]bool {
	pages, shared := map[string]string{}, map[string]bool{}
	for _, e := range b.s.Edges {
		x, on := e.Action.Element, b.headingOf(b.state(e.From))
		if x == nil || e.Action.Kind != site.Submit || e.Action.Key != "" || on == "" {
			continue
		}
		name := oneLine(x.Name)
		if other, known := pages[name]; known && other != on {
			shared[name] = true
		}
		pages[name] = on
	}
	return shared
}

// firstPage returns the flow that looks at the page of the start address; one without steps
// where nothing is known of it.
func (b builder) firstPage() Flow {
	start := b.s.States[0]
	f := Flow{Ask: &Ask{Start: b.addressed(b.s.StartURL), Page: b.names.page(&start, start.Notable)}}
	if len(start.Notable) == 0 && start.Title == "" {
		return f
	}
	open := Step{Kind: site.Navigate, Link: b.s.StartURL, Part: Act, To: &start,
		Expected: Expected{URL: start.URL, Title: start.Title, Notable: notables(site.Edge{}, &start)}}
	f.add(open)
	f.Name = b.unique(f.Ask.Title(Seen{}), "")
	return f
}

// flow returns the flow of a question.
func (b builder) flow(q asked) Flow {
	f := Flow{Alien: q.alien, Left: q.own || q.made != ""}
	way := q.way
	if from, at := b.address(q); from != "" {
		way = way[at:]
		f.add(Step{Kind: site.Navigate, Link: from, Part: Way, To: b.states[q.way[at-1].To]})
	}
	sent := map[string]string{} // what the exploration entered, and what the test does
	for i, e := range way {
		f.onOwn = q.own && i >= q.begin-(len(q.way)-len(way))
		f.addEdge(e, b.state(e.To), Way, sent)
		f.Left = f.Left || e.Wrote
	}
	f.onOwn = q.own
	if n := len(f.Steps); n > 0 && len(way) > 0 && b.spares(q.act, way[len(way)-1]) {
		f.Steps[n-1].Stays = true
	}
	f.addEdge(q.act, b.state(q.act.To), Act, sent)
	f.Steps[len(f.Steps)-1].Stays = q.act.Action.Invalid != "" && b.leaves(q.act)
	f.Left = f.Left || q.act.Wrote && q.act.Action.Invalid == ""
	f.Ask = b.askOf(q)
	f.onOwn = false
	switch {
	case q.made != "":
		b.look(&f, q.made, q.act, sent)
	case q.left != "":
		b.look(&f, q.left, q.maker, sent)
	}
	on := f.Ask.On
	if f.Ask.SaysPage() {
		on = ""
	}
	f.Name = b.unique(f.Ask.Title(b.seen(q, f)), on)
	return f
}

// askOf returns what a question asks.
func (b builder) askOf(q asked) *Ask {
	e := q.act
	from, to := b.state(e.From), b.state(e.To)
	a := &Ask{On: b.headingOf(from), Unknown: b.searches(e)}
	if x := e.Action.Element; x != nil {
		a.Control, a.Kind = b.records.called(*x)
		if e.Action.Key != "" && len(e.Action.Fields) > 1 {
			a.Kind, a.Shared = aForm, true
			_, path, _ := strings.Cut(b.path(e.From), "/")
			a.On = cmp.Or(a.On, "/"+strings.ReplaceAll(path, "{n}", "…"))
		}
		a.Shared = a.Shared || e.Action.Kind == site.Submit && b.shared[oneLine(x.Name)]
		a.Head = ofColumnHead(*x) && e.Action.Kind == site.Click
		a.Control = cmp.Or(a.Control, oneLine(x.Selector))
		if strings.HasPrefix(x.Landmark, "dialog ") || strings.HasPrefix(x.Landmark, "alertdialog ") {
			_, name, _ := strings.Cut(x.Landmark, " ")
			a.Inside = strings.Trim(name, `"`)
		}
	} else {
		a.Control = b.addressed(e.Action.URL)
	}
	if e.Action.Invalid != "" {
		if at := strings.LastIndex(e.Action.Invalid, ": "); at >= 0 {
			a.Field, a.Rule = e.Action.Invalid[:at], e.Action.Invalid[at+len(": "):]
		} else {
			a.Rule = e.Action.Invalid
			a.Chosen = slices.ContainsFunc(e.Action.Fields, func(f site.Field) bool { return f.Value != "" })
		}
	}
	a.Refused = e.Wrote && b.refused[sentTo(e)]
	if b.opens(e) && a.Rule == "" {
		a.Opens = true
		a.Page = b.names.page(to, slices.Concat(to.Notable, e.Changes.Appeared))
	}
	if a.Kind == aRow && !strings.Contains(b.path(e.To), "{n}") { // what leads to no record is no row, wherever it stands
		named := a.Page
		if named == "" && !b.records.Entered(a.Control) && !digits.MatchString(a.Control) {
			named = a.Control
		}
		if named != "" {
			a.Kind, a.Control = "", named
		}
	}
	return a
}

// addressed returns what a title says of an address: its path, with its query where that is no data.
func (b builder) addressed(of string) string {
	u, err := url.Parse(of)
	if err != nil {
		return of
	}
	if whole := u.RequestURI(); !b.records.Has(whole) {
		return whole
	}
	return u.Path
}

// opens reports whether an act leads to another page: to another path, or, where the page is
// named in the query, to another heading.
func (b builder) opens(e site.Edge) bool {
	if e.Wrote || b.path(e.From) != b.path(e.To) {
		return !e.Wrote
	}
	from, to := b.state(e.From), b.state(e.To)
	heading := b.headingOf(to)
	return from.Place != to.Place && heading != "" && heading != b.headingOf(from)
}

// headingOf returns the heading that names the page of a state.
func (b builder) headingOf(s *site.State) string {
	heading, _ := b.names.heading(s, s.Notable)
	return heading
}

// state returns a state, or one that nothing is known of.
func (b builder) state(id string) *site.State {
	if s := b.states[id]; s != nil {
		return s
	}
	return &site.State{ID: id}
}

// address returns the address that a flow can begin at, and how many edges of its way that
// spares: a link leads there, and what follows it is as it was found. It is empty where the
// flow begins at the start address.
func (b builder) address(q asked) (from string, at int) {
	for i, e := range q.way {
		x := e.Action.Element
		if e.Wrote {
			break
		}
		if e.Action.Kind == site.Navigate {
			from, at = e.Action.URL, i+1
		}
		if x != nil && e.Action.Kind == site.Click && e.Changes.URL != "" && x.Href == e.Changes.URL && !b.opensRecord(e) {
			from, at = x.Href, i+1
		}
	}
	return from, at
}

// look adds the steps that look for the record that an edge of a flow made where records of
// its path are listed.
func (b builder) look(f *Flow, record string, made site.Edge, sent map[string]string) {
	list, find := b.list(record)
	if list == nil || len(sent) == 0 {
		return
	}
	f.Ask.List = cmp.Or(b.headingOf(list), pathOf(list.Place))
	step := Step{Kind: site.Navigate, Link: list.URL, Part: Listed, To: list}
	if find == nil {
		f.add(step)
		return
	}
	step.Part = Way
	f.add(step)
	first := "" // what names a record is asked for first
	for _, x := range made.Action.Fields {
		if text, ok := sent[x.Value]; ok && first == "" {
			first = text
		}
	}
	e := *find
	e.Action.Fields = slices.Clone(e.Action.Fields)
	e.Action.Fields[0].Value = first
	f.addEdge(e, b.state(e.To), Listed, map[string]string{})
}

// seen returns what the exploration saw of an act.
func (b builder) seen(q asked, f Flow) Seen {
	c := q.act.Changes
	s := Seen{Popup: c.Popup != "", Download: c.Download != "", Listed: q.made != "" && f.Ask.List != "", Unlisted: q.left != "" && f.Ask.List != ""}
	words := func(all []site.Element) (out []Word) {
		for _, x := range all {
			name := oneLine(x.Name)
			if entered(q.act, name) {
				s.Entered = true
				continue
			}
			if item(x) && x.Role == "link" {
				s.Rows = true
			}
			if name != "" && !b.records.Has(name) {
				out = append(out, Word{x.Role, name})
			}
		}
		return out
	}
	s.Went = words(c.Gone)
	s.Entered = false // what went is not shown
	s.Came = words(c.Appeared)
	s.Same = len(c.Appeared) == 0
	return s
}

// entered reports whether an act entered a text, or a part of it that tells it.
func entered(e site.Edge, name string) bool {
	return len(name) > 2 && slices.ContainsFunc(append([]site.Field{{Value: e.Action.Value}}, e.Action.Fields...), func(f site.Field) bool {
		return len(f.Value) > 2 && strings.Contains(name, f.Value)
	})
}

// unique returns a name that was not given before: two controls of the same name are told
// apart by the pages that they stand on.
func (b builder) unique(name, on string) string {
	for _, candidate := range []string{name, fmt.Sprintf("%s on %s", name, quoted(on))} {
		key := strings.ToLower(candidate)
		if b.named[key]++; b.named[key] == 1 {
			return candidate
		}
		if on == "" {
			break
		}
	}
	return name
}

func (f *Flow) add(steps ...Step) {
	for _, s := range steps {
		s.Number, s.Own = len(f.Steps)+2, f.onOwn
		f.Steps = append(f.Steps, s)
	}
}

// addEdge adds the steps of an edge. sent holds what was entered so far by what the
// exploration had entered; other texts that have it are said with it.
func (f *Flow) addEdge(e site.Edge, to *site.State, part Part, sent map[string]string) {
	e.Action.Fields = slices.Clone(e.Action.Fields)
	for i := range e.Action.Fields {
		x := &e.Action.Fields[i]
		x.Element = renamed(x.Element, sent)
		x.Value = f.enter(*x, sent)
	}
	if e.Action.Element != nil {
		x := renamed(*e.Action.Element, sent)
		e.Action.Element = &x
		if e.Action.Kind == site.Fill || e.Action.Kind == site.Press && e.Action.Value != "" {
			e.Action.Value = f.enter(site.Field{Element: x, Value: e.Action.Value}, sent)
		}
	}
	e.Changes.Appeared = renamedAll(e.Changes.Appeared, sent)
	e.Changes.Gone = renamedAll(e.Changes.Gone, sent)
	filters := e.Action.Kind == site.Submit && !e.Wrote && e.Action.Invalid == ""
	for _, s := range stepsOf(e, to) {
		if s.Part = Way; s.Edge != nil || part == Act && filters && s.Kind == Type { // a page may search while a text is typed
			s.Part = part
		}
		f.add(s)
	}
}

// enter returns what a flow enters into a field, and notes it. Each text is entered once: what
// shows it then shows what this field was given.
func (f *Flow) enter(x site.Field, sent map[string]string) string {
	fresh := freshValue(x)
	if fresh == x.Value || strings.Contains(x.Value, flow.Fresh) {
		return x.Value
	}
	all := []string{fresh}
	if name := oneLine(label(x.Element)); name != "" && !strings.Contains(fresh, "@") {
		all = append(all, name+" "+flow.Fresh)
	}
	for n := 2; slices.Contains(f.entered, all[0]); n++ {
		if all = all[1:]; len(all) == 0 {
			all = []string{strings.Replace(fresh, flow.Fresh, fmt.Sprintf("%s-%d", flow.Fresh, n), 1)}
		}
	}
	f.entered = append(f.entered, all[0])
	if sent[x.Value] == "" {
		sent[x.Value] = all[0]
	}
	return all[0]
}

// number matches the figures that make a text of an exploration its own.
var number = pattern.New(`\d{3,}`)

// freshValue returns what a test enters in place of a text of the exploration: a text of the
// same form that is another one each time. What is no text of free choice stays as it is.
func freshValue(f site.Field) string {
	v := f.Value
	switch f.Element.Type {
	case "", "text", "textarea", "search", "email":
	default:
		return v
	}
	if v == "" || f.Option != "" || f.Checked != nil {
		return v
	}
	words := strings.ContainsFunc(v, func(r rune) bool { return r >= 'a' && r <= 'z' || r > 0x7f })
	mail := strings.Contains(v, "@")
	switch at := number.FindStringIndex(v); {
	case f.Element.Type == "email" && !mail || !words: // it is no address on purpose, or a number
		return v
	case at != nil:
		return v[:at[0]] + flow.Fresh + v[at[1]:]
	case mail:
		return flow.Fresh + v
	case f.Element.Role == "searchbox" || f.Element.Type == "search":
		return flow.Fresh
	}
	return v + " " + flow.Fresh
}

// renamed returns an element with what a test enters in place of what the exploration did. The
// address and the place of what is called by it are those of another record.
func renamed(x site.Element, sent map[string]string) site.Element {
	name := x.Name
	for was, is := range sent {
		if len(was) < 4 {
			continue
		}
		for _, field := range []*string{&x.Text, &x.Name, &x.AriaLabel} {
			*field = strings.ReplaceAll(*field, was, is)
		}
		x.Locators = slices.Clone(x.Locators)
		for i := range x.Locators {
			x.Locators[i].Selector = strings.ReplaceAll(x.Locators[i].Selector, was, is)
		}
	}
	if x.Name != name && x.Href != "" && item(x) {
		x.Href, x.Selector, x.XPath, x.ID = "", fmt.Sprintf("%s %q", x.Role, oneLine(x.Name)), "", ""
		x.Locators = slices.DeleteFunc(x.Locators, func(l site.Locator) bool { return !strings.Contains(l.Selector, flow.Fresh) })
	}
	return x
}

func renamedAll(all []site.Element, sent map[string]string) []site.Element {
	out := make([]site.Element, len(all))
	for i, x := range all {
		out[i] = renamed(x, sent)
	}
	return out
}
