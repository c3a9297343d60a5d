package explore

import (
	_ "embed"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/pattern"
)

// work is what is behind an action of the frontier.
type work struct {
	action site.Action
	rules  []string // constraints of forms that it tries
	at     string   // the address at which it was found, where that is not its state's own

	bare []site.Field // of a form that makes something: what must be given; nil: the same
}

// offered is an action that a view offers.
type offered struct {
	action Action
	work   *work
}

func keyOf(a Action) string {
	return a.State + "\x1f" + a.Kind + "\x1f" + strconv.Itoa(a.Index)
}

var landmarks = map[string]bool{"main": true, "navigation": true, "banner": true, "contentinfo": true,
	"complementary": true, "region": true, "form": true, "search": true, "dialog": true, "alertdialog": true}

// everywhere lists the landmarks whose controls are the same on every page.
var everywhere = pattern.New(`^(?:navigation|banner|contentinfo)\b`)

//go:embed log_out.txt
var logOutFile string

var logOut = pattern.NewLists("log_out.txt", logOutFile).Pattern("log-out")

// SignsOut reports whether the name of a control says that it signs out.
func SignsOut(name string) bool { return logOut.MatchString(name) }

// offer adds to the frontier what can be done in the state of a view, and lists what is
// left alone, with the reason.
func (e *explorer) offer(v *view) {
	e.list(v)
	e.offerLinks(v)
	e.offerDoubleClicks(v)
	if v.page.More > 0 {
		e.leave(v.state.site.ID, site.Action{Kind: site.Click}, site.ByBudget, strconv.Itoa(v.page.More)+" more elements: the page has more than element_extraction.max_elements")
	}
	for _, o := range e.listed {
		e.seen[seenKey(o.action)] = true
		e.add(o.action, o.work)
	}
}

// offerMore adds what a view of a known state offers and no view before it did, such as a
// button that only another record has.
func (e *explorer) offerMore(v *view) {
	e.list(v)
	for _, o := range e.listed {
		if e.seen[seenKey(o.action)] {
			continue
		}
		e.seen[seenKey(o.action)] = true
		e.extra++
		o.action.Index -= e.extra * popups
		o.work.at = v.page.URL
		e.add(o.action, o.work)
	}
}

// seenKey returns what actions have in common that views of one path offer.
func seenKey(a Action) string {
	return a.Kind + "\x1f" + strings.Replace(a.Class, a.Place, pathOfPlace(a.Place), 1)
}

// pathOfPlace returns a place without the parameters of its query.
func pathOfPlace(place string) string {
	path, _, _ := strings.Cut(place, "?")
	_, fragment, ok := strings.Cut(place, "#")
	if ok && !strings.Contains(path, "#") {
		path += "#" + fragment
	}
	return path
}

// twin returns an action of a view that does what another one of the same family would.
func (e *explorer) twin(v *view, a Action) (offered, bool) {
	e.quiet = true
	defer func() { e.quiet = false }()
	e.list(v)
	i := slices.IndexFunc(e.listed, func(o offered) bool { return o.action.Class == a.Class && o.action.Kind == a.Kind })
	if i < 0 || e.listed[i].action.Others && a.Rank != Ordinary {
		return offered{}, false
	}
	return e.listed[i], true
}

// list lists what can be done in the state of a view, but for links that nobody sees and
// double clicks.
func (e *explorer) list(v *view) {
	e.listed = nil
	id := v.state.site.ID
	left := map[string]bool{}
	collapsed := map[int]bool{}
	for _, n := range v.page.Nodes {
		if n.Element != nil && slices.Contains(strings.Fields(n.State), "collapsed") {
			collapsed[*n.Element] = true
		}
	}
	for i := range v.page.Elements {
		el := &v.page.Elements[i]
		if el.Disabled || !el.IsVisible || el.Behind || e.partOfForm(&v.page, el) {
			continue
		}
		a := element(&v.page, i)
		reason := e.forbidden(el)
		if reason != "" {
			if what := reason + a.Href + a.Name; !left[what] {
				left[what] = true
				e.leaveOnce(id, site.Action{Kind: site.Click, Element: &a}, site.ByGuard, reason)
			}
			continue
		}
		e.offerElement(v, i, a, collapsed[i])
	}
	for n := range v.page.Forms {
		e.offerForm(v, n)
	}
}

// leaveOnce lists an element that no state offers, once for the whole site.
func (e *explorer) leaveOnce(state string, a site.Action, cause, reason string) {
	if e.quiet {
		return
	}
	key := "left\x1f" + reason + "\x1f" + a.Element.Href + "\x1f" + a.Element.Name
	if !e.said[pagetext.Text(key)] {
		e.said[pagetext.Text(key)] = true
		e.leave(state, a, cause, reason)
	}
}

// forbidden returns why an element is never worked; "" where it may be.
func (e *explorer) forbidden(el *scan.Element) string {
	if el.Field != nil {
		switch {
		case IsPayment(el.Field):
			return "it takes a means of payment"
		case IsSecret(*el):
			return site.TakesPassword
		case el.Type == "file":
			return "it takes a file"
		}
		return ""
	}
	if el.Href == "" {
		return ""
	}
	u, err := url.Parse(el.Href)
	if err != nil {
		return "its address can't be read"
	}
	if u.Scheme == "javascript" {
		return ""
	}
	return e.outside(el.Href)
}

// offerLinks adds the addresses of links that nobody sees in a state, such as those of a
// menu that is closed: whoever knows an address can go there.
func (e *explorer) offerLinks(v *view) {
	for i, link := range v.page.Links {
		if e.outside(link.Href) != "" || logOut.MatchString(link.Text+" "+lastSegment(link.Href)) || NormalText(link.Href) == NormalText(v.page.URL) {
			continue
		}
		key := "unseen\x1f" + NormalText(link.Href)
		if e.said[pagetext.Text(key)] {
			continue
		}
		e.said[pagetext.Text(key)] = true
		template := PlaceTemplate(link.Href)
		one := Action{State: v.state.site.ID, Kind: site.Navigate, Index: -1 - i, Class: "unseen\x1f" + template, Goal: NormalText(link.Href), Visit: template, Free: true}
		one.Spare = address.Page(link.Href) == address.Page(v.page.URL) // what hides it is opened first: one choice of several, such as of an order
		e.add(one, &work{action: site.Action{Kind: site.Navigate, URL: link.Href, Reason: "a link leads there that nobody sees in " + v.state.site.ID}})
	}
}

// position matches where an element stands among its like in a path.
var position = pattern.New(`\[\d+\]`)

// offerDoubleClicks adds double clicks on what answers them. Those on elements that stand
// at the same place of several items are of one class.
func (e *explorer) offerDoubleClicks(v *view) {
	for i := range v.doubles {
		el := &v.doubles[i]
		if el.Field != nil && e.forbidden(el) != "" {
			continue
		}
		a := elementOf(el, -1)
		class := strings.Join([]string{v.id.Place, site.DoubleClick, position.ReplaceAllString(el.XPath, ""), el.Classes}, "\x1f")
		e.add(Action{State: v.state.site.ID, Kind: site.DoubleClick, Index: i, Class: class, Item: true, Place: v.id.Place}, &work{action: site.Action{Kind: site.DoubleClick, Element: &a}})
	}
}

// offerElement adds what can be done with one element. collapsed says that it opens what
// is closed.
func (e *explorer) offerElement(v *view, i int, a site.Element, collapsed bool) {
	el := &v.page.Elements[i]
	one := Action{State: v.state.site.ID, Index: i, Kind: site.Click}
	list := v.tree.List(i)
	one.Item, one.Opens = list != "", collapsed
	one.Class = e.class(v, el, list)
	one.Place, one.Kin, one.Called, one.Door = v.id.Place, kin(el), called(el), door(v, http.MethodGet, el.Href)
	standing := e.records.standing(v)
	one.Others, one.Own = standing == guard.Others || el.Form != noForm && e.records.edits(v, el.Form), standing == guard.Own
	one.Script = e.records.isScript(v)
	switch KindOf(*el) {
	case FieldChoice, ListChoice, Text, Box:
		e.offerField(one, el, a)
		return
	case None:
		if el.Field != nil && el.Type != "" {
			return
		}
	}
	one.Asked = one.Own && dialog.MatchString(el.Landmark)
	if el.Href != "" && strings.HasPrefix(el.Href, "http") {
		one.Goal, one.Visit = NormalText(el.Href), PlaceTemplate(el.Href)
		if one.Goal == NormalText(v.page.URL) {
			if !strings.HasPrefix(el.HrefSet, "#") {
				return // a link to the page that it stands on
			}
			one.Goal, one.Visit, one.Spare = "", "", len(el.HrefSet) > 1 // a place within the page, or a handler
		}
	}
	if logOut.MatchString(el.Name + " " + el.AriaLabel + " " + lastSegment(el.Href)) {
		if !e.o.AllowWrites {
			e.leaveOnce(one.State, site.Action{Kind: site.Click, Element: &a}, site.ByWrites, "it signs out: --allow-writes tries it at the very end")
			return
		}
		one.Rank, one.Goal, one.Visit, one.Once = LogsOut, "", "", true
	}
	if harm := max(e.harm[one.Class], e.harm[one.Called]); one.Rank == Ordinary && harm != Ordinary {
		if !one.Own {
			e.leaveOnce(one.State, site.Action{Kind: site.Click, Element: &a}, site.ByGuard, notOurs)
			return
		}
		one.Rank, one.Once = harm, true
	}
	e.put(one, &work{action: site.Action{Kind: site.Click, Element: &a}})
}

// dialog matches the landmarks that are dialogs.
var dialog = pattern.New(`^(?:alert)?dialog\b`)

// put lists an action of a view.
func (e *explorer) put(one Action, w *work) { e.listed = append(e.listed, offered{one, w}) }

// door returns what an act asks of the server; "" where that is the page's own address.
func door(v *view, method, address string) string {
	if address == "" || PlaceTemplate(address) == PlaceTemplate(v.page.URL) {
		return ""
	}
	return method + " " + PlaceTemplate(address)
}

func lastSegment(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.NewReplacer("_", " ", "-", "").Replace(u.Path[strings.LastIndex(u.Path, "/")+1:])
}

// add adds an action with what is behind it, unless it would never be tried.
func (e *explorer) add(one Action, w *work) {
	if !e.frontier.Worth(one) {
		return
	}
	e.frontier.Add(one)
	if _, known := e.work[keyOf(one)]; !known {
		e.work[keyOf(one)] = w
	}
}

// tidy forgets what is behind actions that are not tried any more.
func (e *explorer) tidy() {
	open := map[string]*work{}
	e.frontier.Open(func(a Action) {
		if w := e.work[keyOf(a)]; w != nil {
			open[keyOf(a)] = w
		}
	})
	e.work = open
}

// class returns what an action has in common with those that are expected to do alike.
func (e *explorer) class(v *view, el *scan.Element, list string) string {
	name := NameClass(el.Name)
	place := v.id.Place
	switch {
	case list != "":
		name = list
	case el.Href != "" && strings.Contains(PlaceTemplate(el.Href), "{n}"):
		name = PlaceTemplate(el.Href)
	case name == "":
		name = el.Tag + "." + el.Classes
		if el.Classes == "" {
			name = el.Selector
		}
	}
	if everywhere.MatchString(el.Landmark) {
		place = ""
	}
	return strings.Join([]string{place, el.Frame, el.Landmark, el.Role, el.Type, name}, "\x1f")
}

// kin returns what a control has in common with the same control on other pages.
func kin(el *scan.Element) string {
	target := PlaceTemplate(el.Href)
	if strings.HasPrefix(el.HrefSet, "#") { // a place of each page, or a handler
		target = el.HrefSet
	}
	return strings.Join([]string{el.Frame, el.XPath, el.Role, el.Type, NameClass(el.Name), target}, "\x1f")
}

// called returns what the guard judges a control by that has a name.
func called(el *scan.Element) string {
	if el.Name == "" {
		return ""
	}
	return strings.Join([]string{el.Role, NameClass(el.Name), PlaceTemplate(el.Href)}, "\x1f")
}

// offerField adds what can be done with a field that no form submits.
func (e *explorer) offerField(one Action, el *scan.Element, a site.Element) {
	value, ok := e.filler.Valid(*el)
	if !ok {
		return
	}
	w := &work{action: site.Action{Element: &a}}
	switch KindOf(*el) {
	case FieldChoice:
		one.Kind, w.action.Kind, w.action.Option = site.Select, site.Select, value.Option
	case ListChoice:
		one.Kind, w.action.Kind, w.action.Value, w.action.Choice = site.Select, site.Select, value.Text, &site.Choice{}
	case Box:
		one.Kind, w.action.Kind = site.Check, site.Check
		if el.Field.Checked && el.Type == "radio" {
			return
		}
		if el.Field.Checked { // a click takes the mark away
			one.Kind, w.action.Kind = site.Click, site.Click
		}
	case Text:
		one.Kind, w.action.Kind, w.action.Value = site.Fill, site.Fill, value.Text
		enter := one
		enter.Kind, enter.Class = site.Press, one.Class+"\x1fenter"
		e.put(enter, &work{action: site.Action{Kind: site.Press, Element: &a, Value: value.Text, Key: "Enter"}})
	case None:
	}
	one.Class += "\x1f" + one.Kind
	one.Kin += "\x1f" + one.Kind
	e.put(one, w)
}

// partOfForm reports whether an element is worked as a part of its form: its fields, and
// what submits it.
func (e *explorer) partOfForm(page *scan.Page, el *scan.Element) bool {
	if el.Form == 0 || el.Form > len(page.Forms) {
		return false
	}
	_, _, sent := submissions(page, el.Form)
	return sent && (el.Submit || el.Field != nil)
}

// onlyCloses is the method of a form that closes its dialog and sends nothing.
const onlyCloses = "dialog"

// submitter returns the index of what submits a form; -1 where nothing does.
func submitter(page *scan.Page, form int) int {
	return slices.IndexFunc(page.Elements, func(el scan.Element) bool {
		return el.Form == form && el.Submit && el.IsVisible && !el.Disabled && !el.Behind
	})
}

// lateSubmitter returns the index of what submits a form once something is entered; -1 where
// nothing does.
func lateSubmitter(page *scan.Page, form int) int {
	return slices.IndexFunc(page.Elements, func(el scan.Element) bool {
		return el.Form == form && el.Submit && el.IsVisible && el.Disabled && !el.Behind
	})
}

// firstText returns the index of the first text field of a form, whose Enter submits it.
func firstText(page *scan.Page, form int) int {
	return slices.IndexFunc(page.Elements, func(el scan.Element) bool {
		return el.Form == form && el.Tag == "input" && entersText(&el) && !el.Behind
	})
}
