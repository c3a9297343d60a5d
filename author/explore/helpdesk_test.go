package explore_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/internal/helpdesk"
	"github.com/assay-qa/assay/internal/pagetext"
)

// desk is the help desk as an exploration works on it, without a browser: its pages are
// read, and what its script does is done by hand.
type desk struct {
	server  *helpdesk.Server
	guard   *guard.Guard
	stored  map[string]string // the cookies that are stored for the role
	cookies map[string]string
	renewed int
	checked int  // how often the stored sign-in was tried
	locked  bool // nobody can sign in any more

	url    string
	status int
	doc    *html.Node
	dialog *html.Node
	values map[*html.Node]string

	dropped string // a part of the page that is taken out, as another application has it
	door    string // what signs out, beside the form of the page: "link", "script", or "one address" of all scripts
	left    int    // loads until the server forgets who is signed in; 0: it does not
}

const deskAddress = "http://desk.test"

func newDesk() *desk {
	g, _ := guard.New(nil, nil)
	d := &desk{server: helpdesk.New(helpdesk.Options{}), guard: g.ByActs()}
	_ = d.Renew(context.Background())
	d.renewed = 0
	return d
}

func (d *desk) Renew(context.Context) error {
	if d.locked {
		return errors.New("the account is locked")
	}
	d.renewed++
	d.cookies = map[string]string{}
	d.ask(http.MethodPost, "/sign-in", "user="+helpdesk.User+"&password="+url.QueryEscape(helpdesk.Password))
	d.stored = map[string]string{"session": d.cookies["session"]}
	return nil
}

func (d *desk) SignedIn(context.Context) (bool, error) {
	before := *d
	before.checked++
	defer func() { *d = before }()
	d.cookies = copied(d.stored)
	d.load("/tickets")
	return !strings.HasSuffix(d.url, "/sign-in"), nil
}

// ask sends a request and returns what answers, after redirects.
func (d *desk) ask(method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, deskAddress+path, strings.NewReader(body))
	if strings.HasPrefix(body, "{") {
		r.Header.Set("Content-Type", "application/json")
	} else if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, value := range d.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	if d.door == "link" && path == "/bye" {
		r.Method, r.URL.Path = http.MethodPost, "/sign-out"
	}
	d.server.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		d.cookies[c.Name] = c.Value
		if c.MaxAge < 0 {
			delete(d.cookies, c.Name)
		}
	}
	if to := w.Header().Get("Location"); to != "" && w.Code >= 300 && w.Code < 400 {
		return d.ask(http.MethodGet, to, "")
	}
	d.url = deskAddress + r.URL.RequestURI()
	return w
}

func (d *desk) load(path string) { d.show(d.ask(http.MethodGet, path, "")) }

func (d *desk) show(w *httptest.ResponseRecorder) {
	text := w.Body.String()
	if d.dropped != "" {
		text = strings.ReplaceAll(text, d.dropped, "")
	}
	switch d.door {
	case "link":
		text = strings.ReplaceAll(text, `<form method="post" action="/sign-out"><button>Sign out</button></form>`, `<a href="/bye">See you</a>`)
	case "script", "one address":
		text = strings.ReplaceAll(text, `<form method="post" action="/sign-out"><button>Sign out</button></form>`, `<button type="button">See you</button>`)
	}
	d.doc, _ = html.Parse(strings.NewReader(text))
	d.status, d.dialog, d.values = w.Code, nil, map[*html.Node]string{}
}

func copied(m map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range m {
		out[k] = v
	}
	return out
}

func (d *desk) Open(_ context.Context, address string) (explore.Effect, error) {
	if d.left--; d.left == 0 {
		d.stored["session"] = "forgotten"
	}
	d.cookies = copied(d.stored)
	d.load(strings.TrimPrefix(address, deskAddress))
	return explore.Effect{}, nil
}

func (d *desk) Visit(_ context.Context, address string) (explore.Effect, error) {
	d.load(strings.TrimPrefix(address, deskAddress))
	return explore.Effect{}, nil
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func setAttr(n *html.Node, name, value string) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
	n.Attr = append(n.Attr, html.Attribute{Key: name, Val: value})
}

func text(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func (d *desk) find(test func(*html.Node) bool) *html.Node {
	for n := range d.doc.Descendants() {
		if n.Type == html.ElementNode && test(n) {
			return n
		}
	}
	return nil
}

func above(n *html.Node, tag string) *html.Node {
	for ; n != nil; n = n.Parent {
		if n.Data == tag {
			return n
		}
	}
	return nil
}

var roles = map[string]string{"h1": "heading", "h2": "heading", "a": "link", "button": "button", "select": "combobox", "option": "option", "table": "table", "tr": "row", "td": "cell",
	"th": "columnheader", "nav": "navigation", "header": "banner", "main": "main", "ul": "list", "li": "listitem", "p": "paragraph", "dialog": "dialog", "dt": "term", "dd": "definition", "textarea": "textbox"}

func role(n *html.Node) string {
	switch {
	case attr(n, "role") != "":
		return attr(n, "role")
	case n.Data == "input":
		return map[string]string{"search": "searchbox", "checkbox": "checkbox"}[attr(n, "type")] + map[string]string{"search": "", "checkbox": ""}[attr(n, "type")] + map[bool]string{true: "textbox"}[attr(n, "type") != "search" && attr(n, "type") != "checkbox"]
	case n.Data == "section" && attr(n, "aria-label") != "":
		return "region"
	}
	return roles[n.Data]
}

func name(n *html.Node) string {
	switch {
	case attr(n, "aria-label") != "":
		return attr(n, "aria-label")
	case n.Data == "input" || n.Data == "select" || n.Data == "textarea":
		label := above(n, "label")
		return strings.TrimSpace(label.FirstChild.Data + map[bool]string{true: label.LastChild.Data}[n.Data == "input" && attr(n, "type") == "checkbox"])
	case slices.Contains([]string{"heading", "link", "button", "tab", "option", "cell", "columnheader"}, role(n)):
		return text(n)
	}
	return ""
}

func (d *desk) hidden(n *html.Node) bool {
	return has(n, "hidden") || n.Data == "dialog" && n != d.dialog || n.Data == "script" || n.Data == "head"
}

func (d *desk) value(n *html.Node) string {
	if v, ok := d.values[n]; ok {
		return v
	}
	switch n.Data {
	case "textarea":
		return text(n)
	case "select":
		for o := range n.Descendants() {
			if o.Data == "option" && has(o, "selected") {
				return text(o)
			}
		}
	}
	if attr(n, "type") == "checkbox" {
		return map[bool]string{true: "yes"}[has(n, "checked")]
	}
	return attr(n, "value")
}

func (d *desk) Scan(context.Context) (scan.Page, error) {
	p := scan.Page{URL: d.url, Status: d.status}
	if t := d.find(func(n *html.Node) bool { return n.Data == "title" }); t != nil {
		p.Title = text(t)
	}
	forms := map[*html.Node]int{}
	count := map[string]int{}
	d.walk(d.doc, 0, "", &p, forms, count)
	for i := range p.Elements {
		if line := p.Elements[i].Locators[0]; count[line] > 1 {
			p.Elements[i].Locators = p.Elements[i].Locators[1:]
		}
	}
	if d.dialog != nil {
		p.Overlays = []string{`dialog "` + name(d.dialog) + `"`}
	}
	return p, nil
}

func (d *desk) walk(n *html.Node, depth int, landmark string, p *scan.Page, forms map[*html.Node]int, count map[string]int) {
	at := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			p.Nodes = append(p.Nodes, scan.Node{Depth: depth, Role: "text", Name: strings.Join(strings.Fields(c.Data), " ")})
		}
		if c.Type != html.ElementNode || d.hidden(c) {
			continue
		}
		at++
		setAttr(c, "xpath", attr(n, "xpath")+"/"+c.Data+"["+strconv.Itoa(at)+"]")
		if c.Data == "form" {
			f := scan.Form{Method: strings.ToUpper(attr(c, "method")), Action: d.absolute(attr(c, "action")), Search: role(c) == "search", NoValidate: has(c, "novalidate"), Declared: true}
			p.Forms = append(p.Forms, f)
			forms[c] = len(p.Forms)
		}
		r, below, mark := role(c), depth, landmark
		if r != "" {
			node := scan.Node{Depth: depth, Role: r, Name: name(c), CSS: attr(c, "xpath"), Tag: c.Data}
			for a, word := range map[string]string{"aria-selected": "selected", "aria-expanded": "expanded"} {
				if has(c, a) {
					node.State = map[string]string{"true": word, "false": map[string]string{"selected": "", "expanded": "collapsed"}[word]}[attr(c, a)]
				}
			}
			if slices.Contains([]string{"a", "button", "input", "select", "textarea"}, c.Data) {
				i := len(p.Elements)
				node.Element = &i
				p.Elements = append(p.Elements, d.element(c, r, landmark, forms))
				count[r+` "`+name(c)+`"`]++
			}
			p.Nodes = append(p.Nodes, node)
			below++
			if slices.Contains([]string{"main", "navigation", "banner", "region", "search", "dialog"}, r) {
				mark = r
			}
		}
		if !slices.Contains([]string{"a", "button", "option", "select", "textarea", "h1"}, c.Data) {
			d.walk(c, below, mark, p, forms, count)
		}
	}
}

func (d *desk) absolute(path string) string {
	base, _ := url.Parse(d.url)
	to, err := base.Parse(path)
	if err != nil {
		return path
	}
	return to.String()
}

func (d *desk) element(c *html.Node, r, landmark string, forms map[*html.Node]int) scan.Element {
	e := scan.Element{Tag: c.Data, Type: attr(c, "type"), Role: r, Name: name(c), Text: text(c), ID: attr(c, "id"), XPath: attr(c, "xpath"), Selector: attr(c, "xpath"), Landmark: landmark,
		IsVisible: true, Behind: d.dialog != nil && above(c, "dialog") == nil, Locators: []string{r + ` "` + name(c) + `"`, attr(c, "xpath")}}
	if e.HrefSet = attr(c, "href"); e.HrefSet != "" {
		e.Href = d.absolute(e.HrefSet)
	}
	if f := above(c, "form"); f != nil {
		e.Form = forms[f]
		e.Submit = c.Data == "button" && e.Type != "button"
	}
	if c.Data == "input" || c.Data == "select" || c.Data == "textarea" {
		length, _ := strconv.Atoi(attr(c, "maxlength"))
		e.Field = &scan.Field{Name: attr(c, "name"), Label: e.Name, Required: has(c, "required"), MaxLength: length, Value: d.value(c), Checked: d.value(c) == "yes", Filled: d.value(c) != "", Autocomplete: attr(c, "autocomplete")}
		for o := range c.Descendants() {
			if o.Data == "option" {
				e.Field.Options = append(e.Field.Options, scan.Option{Label: text(o), Value: text(o)})
			}
		}
	}
	return e
}

func (d *desk) Do(_ context.Context, a explore.Act) (explore.Effect, error) {
	var n *html.Node
	for _, line := range a.Selectors {
		n = d.find(func(n *html.Node) bool {
			if n.Data == "html" || role(n) == "" || attr(n, "xpath") != line && role(n)+` "`+name(n)+`"` != line {
				return false
			}
			for at := n; at != nil; at = at.Parent {
				if d.hidden(at) {
					return false
				}
			}
			return d.dialog == nil || above(n, "dialog") != nil
		})
		if n != nil {
			break
		}
	}
	if n == nil {
		return explore.Effect{}, fmt.Errorf("nothing is %v on %s", a.Selectors, d.url)
	}
	switch a.Kind {
	case site.Fill:
		d.values[n] = a.Value
		return explore.Effect{}, nil
	case site.Select:
		d.values[n] = a.Option
		return explore.Effect{}, nil
	case site.Check:
		d.values[n] = "yes"
		return explore.Effect{}, nil
	}
	if attr(n, "type") == "checkbox" {
		d.values[n] = map[string]string{"": "yes"}[d.value(n)]
		return explore.Effect{}, nil
	}
	effect, err := d.activate(n, a)
	return effect, err
}

// activate clicks, as far as the guard lets it.
func (d *desk) activate(n *html.Node, a explore.Act) (explore.Effect, error) {
	as := max(a.As, guard.Explored)
	about := guard.Element{Names: []string{name(n)}}
	if d.dialog != nil {
		about.Around = []string{name(d.dialog)}
	}
	form := above(n, "form")
	submits := form != nil && n.Data == "button" && attr(n, "type") != "button"
	request := guard.Request{Method: http.MethodGet, URL: d.absolute(attr(n, "href"))}
	values := url.Values{}
	if submits {
		request.Method, request.URL = strings.ToUpper(attr(form, "method")), d.absolute(attr(form, "action"))
		if has(form, "data-comments") {
			request.Method, request.URL = http.MethodPost, d.absolute(attr(form, "data-comments"))
		}
		for f := range form.Descendants() {
			if key := attr(f, "name"); key != "" {
				values.Set(key, d.value(f))
			}
		}
		about.Requests = []guard.Request{request}
	}
	if rule, stopped := d.guard.ActOf(about, as); stopped {
		return explore.Effect{}, &explore.Refused{Why: pagetext.Sentencef("the guard takes it for destructive (rule: %s)", rule), Rule: rule}
	}
	if rule, stopped := d.guard.RequestOf(request, guard.Cause{Kind: as, ByAct: true, UnderTest: true, Record: a.Record}); stopped && request.Method != http.MethodGet {
		return explore.Effect{Stopped: []pagetext.Text{pagetext.Text(request.Method + " " + request.URL + ": " + rule)}}, nil
	}
	path := strings.TrimPrefix(request.URL, deskAddress)
	switch {
	case submits && has(form, "data-comments"):
		at := d.url
		d.ask(http.MethodPost, path, `{"Text": `+strconv.Quote(values.Get("comment"))+`}`)
		refused := values.Get("comment") == ""
		d.load(strings.TrimPrefix(at, deskAddress))
		if alert := d.find(func(n *html.Node) bool { return attr(n, "role") == "alert" }); refused {
			alert.AppendChild(&html.Node{Type: html.TextNode, Data: "Write something first."})
		}
	case submits && request.Method == http.MethodPost:
		d.show(d.ask(http.MethodPost, path, values.Encode()))
	case submits:
		d.load(strings.Split(path, "?")[0] + "?" + values.Encode())
		return explore.Effect{Loaded: true}, nil
	case attr(n, "href") != "":
		d.load(path)
		return explore.Effect{Loaded: true}, nil
	default:
		d.script(n)
		request.Method, request.URL = http.MethodGet, ""
		if name(n) == "See you" {
			request.Method, request.URL = http.MethodPost, deskAddress+"/sign-out"
		}
		return d.wrote(request, false), nil
	}
	return d.wrote(request, !has(form, "data-comments")), nil
}

// wrote returns the effect of a request.
func (d *desk) wrote(r guard.Request, loaded bool) explore.Effect {
	effect := explore.Effect{Loaded: loaded}
	if r.Method != http.MethodPost {
		return effect
	}
	if d.door == "one address" && !loaded {
		r.URL = deskAddress + "/api"
	}
	effect.Wrote, effect.WroteTo = true, []string{r.Method + " " + r.URL}
	return effect
}

// script does what the script of the help desk does for a button.
func (d *desk) script(n *html.Node) {
	byID := func(id string) *html.Node { return d.find(func(n *html.Node) bool { return attr(n, "id") == id }) }
	switch {
	case name(n) == "See you":
		at := d.url
		d.ask(http.MethodPost, "/sign-out", "")
		d.url = at
	case has(n, "data-asks"):
		d.dialog = byID(attr(n, "data-asks"))
	case has(n, "data-cancels"):
		d.dialog = nil
	case has(n, "data-opens"):
		answer := byID(attr(n, "data-opens"))
		open := has(answer, "hidden")
		answer.Attr = slices.DeleteFunc(answer.Attr, func(a html.Attribute) bool { return a.Key == "hidden" })
		if !open {
			setAttr(answer, "hidden", "")
		}
		setAttr(n, "aria-expanded", strconv.FormatBool(open))
	case role(n) == "tab":
		for t := range n.Parent.Descendants() {
			if t.Type == html.ElementNode && role(t) == "tab" {
				setAttr(t, "aria-selected", strconv.FormatBool(t == n))
				panel := byID(attr(t, "aria-controls"))
				panel.Attr = slices.DeleteFunc(panel.Attr, func(a html.Attribute) bool { return a.Key == "hidden" })
				if t != n {
					setAttr(panel, "hidden", "")
				}
			}
		}
	}
}

func (d *desk) DoubleClicks(context.Context) ([]scan.Element, error) { return nil, nil }
func (d *desk) Pause(context.Context, time.Duration) error           { return nil }
func (d *desk) Scripts(context.Context) ([]scan.Script, error)       { return nil, nil }
func (d *desk) Faults() []site.Finding                               { return nil }
func (d *desk) Health(context.Context) ([]site.Finding, error)       { return nil, nil }

func (d *desk) Principal(address string, _ int) string {
	if strings.HasSuffix(address, "/sign-in") {
		return ""
	}
	return "agent"
}

// Picture returns what a person calls the state, in place of a picture.
func (d *desk) Picture(context.Context) ([]byte, string, error) { return []byte(d.kind()), ".txt", nil }

// kind names what the page shows as a person tells states apart.
func (d *desk) kind() string {
	u, _ := url.Parse(d.url)
	all := text(d.find(func(n *html.Node) bool { return n.Data == "main" }))
	var out []string
	shown := func(test func(*html.Node) bool) bool {
		return d.find(func(n *html.Node) bool {
			for at := n; at != nil; at = at.Parent {
				if at.Type == html.ElementNode && d.hidden(at) {
					return false
				}
			}
			return test(n)
		}) != nil
	}
	alert := shown(func(n *html.Node) bool { return attr(n, "role") == "alert" && text(n) != "" })
	notice := shown(func(n *html.Node) bool { return attr(n, "role") == "status" })
	switch {
	case d.dialog != nil:
		out = append(out, name(d.dialog))
	case u.Path == "/tickets":
		for key, word := range map[string]string{"status": "filtered", "sort": "sorted", "page": "later page"} {
			if u.Query().Get(key) != "" {
				out = append(out, word)
			}
		}
		if u.Query().Get("q") != "" {
			out = append(out, map[bool]string{true: "nothing found", false: "found"}[strings.Contains(all, "No ticket matches")])
		}
		out = append(out, "list")
	case strings.HasSuffix(u.Path, "/new"), strings.HasSuffix(u.Path, "/edit"):
		out = append(out, u.Path[strings.LastIndex(u.Path, "/"):]+" form")
	case strings.HasPrefix(u.Path, "/tickets/") && d.status == http.StatusNotFound:
		out = append(out, "missing")
	case strings.HasPrefix(u.Path, "/tickets/"):
		out = append(out, "ticket")
		if strings.Contains(all, "Give back") {
			out = append(out, "assigned")
		}
		if strings.Contains(all, "Open again") {
			out = append(out, "closed")
		}
		if shown(func(n *html.Node) bool { return attr(n, "id") == "customer" }) {
			out = append(out, "customer")
		}
		if shown(func(n *html.Node) bool { return n.Data == "li" }) {
			out = append(out, "comments")
		}
	case u.Path == "/help":
		out = append(out, "help")
		for _, id := range []string{"open", "close"} {
			if shown(func(n *html.Node) bool { return attr(n, "id") == id }) {
				out = append(out, id)
			}
		}
	default:
		out = append(out, u.Path)
	}
	if alert {
		out = append(out, "refused")
	}
	if notice {
		out = append(out, "notice")
	}
	return strings.Join(out, " ")
}
