package browser

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
)

const formsPage = `
<h1 data-uid="h1">Team</h1>
<form aria-label="Find" data-uid="form"><label data-uid="lab">Email <input data-uid="email"></label>
<button data-uid="go" data-testid="go it's" class="b">Go</button></form>
<ul><li data-uid="li1">Ann <button data-uid="d1">Delete</button></li><li data-uid="li2">Bob <button data-uid="d2">Delete</button></li></ul>
<p data-uid="p">Total <b>3</b></p>
<table><tr data-uid="row"><td data-uid="c1">Ann</td><td data-uid="c2">12</td></tr></table>
<nav data-uid="nav"><a href="#" data-uid="a"><i>&#xf015;</i> Home</a></nav>
<iframe data-uid="f" title="Pay" srcdoc='<button data-uid="fb">Go</button><iframe name="deep" srcdoc="<input data-uid=card aria-label=Card>"></iframe>'></iframe>`

// Every accepted form of a selector finds the element it should.
func TestSelectorForms(t *testing.T) {
	t.Parallel()
	p := newOutlinePage(t)
	setContent(t, p, formsPage)
	tests := []struct{ selector, uid string }{
		{`button "Go"`, "go"},
		{`button "Delete" [2]`, "d2"},
		{`      - button "Delete" [1] [disabled]`, "d1"},
		{`listitem "Bob"`, "li2"},
		{`text "Team"`, "h1"},
		{`text "Total 3"`, "p"},
		{`paragraph "Total 3"`, "p"},
		{`cell "12"`, "c2"},
		{`row "Ann | 12"`, "row"},
		{`navigation [1]`, "nav"},
		{`navigation`, "nav"},
		{`link "Home"`, "a"}, // the icon's glyph is not needed
		{"link \"\uf015 Home\"", "a"},
		{`textbox`, "email"},
		{`frame "Pay"`, "f"},
		{`frame "Pay" > button "Go"`, "fb"},
		{`frame "Pay" > frame "deep" > textbox "Card"`, "card"},
		{`frame "Pay" > button`, "fb"},
		{`frame "Pay" > text=Go`, "fb"},
		{`ul >> button "Delete" [2]`, "d2"}, // a number counts within what the chain found
		{`li:nth-child(2) >> button "Delete"`, "d2"},
		{`.b`, "go"},
		{`css=.b`, "go"},
		{`//button[@class="b"]`, "go"},
		{`(//button)[3]`, "d2"},
		{`xpath=//h1`, "h1"},
		{`text=Total`, "p"},
		{`"Team"`, "h1"},
		{`role=button[name="Go"]`, "go"},
		{`testid=go it's`, "go"},
		{`testid="go it's"`, "go"},
		{`label=email`, "email"},
		{`label="Email"`, "email"},
		{`ul >> button >> nth=1`, "d2"},
	}
	for _, tt := range tests {
		parsed, err := parseSelector(tt.selector)
		if err != nil {
			t.Errorf("%s: %v", tt.selector, err)
			continue
		}
		l := parsed.locator(p)
		if n, err := l.Count(); n != 1 || err != nil {
			t.Errorf("%s matches %d elements, %v; want 1", tt.selector, n, err)
			continue
		}
		if uid, err := l.GetAttribute("data-uid"); uid != tt.uid || err != nil {
			t.Errorf("%s finds %q, %v; want %q", tt.selector, uid, err, tt.uid)
		}
	}
}

// A stored line finds the same element after its state and value changed.
func TestLineOutlivesState(t *testing.T) {
	t.Parallel()
	p := newOutlinePage(t)
	setContent(t, p, `<label><input type="checkbox" data-uid="c"> Remember</label><input aria-label="Name" data-uid="n" value="a">`)
	before := outlineText(t, p, OutlineOptions{})
	if _, err := p.Evaluate(`() => { document.querySelector('[data-uid=c]').click(); document.querySelector('[data-uid=n]').value = 'b "] > x'; }`); err != nil {
		t.Fatal(err)
	}
	after := outlineText(t, p, OutlineOptions{})
	if before == after {
		t.Fatalf("the state did not change: %s", after)
	}
	for i, uid := range []string{"c", "n"} {
		for _, text := range []string{before, after} {
			mustFind(t, p, strings.Split(text, "\n")[i], uid)
		}
	}
}

func mustFind(t *testing.T, p playwright.Page, selector, uid string) {
	t.Helper()
	parsed, err := parseSelector(selector)
	if err != nil {
		t.Fatal(err)
	}
	got, err := parsed.locator(p).GetAttribute("data-uid", playwright.LocatorGetAttributeOptions{Timeout: playwright.Float(3000)})
	if err != nil || got != uid {
		t.Errorf("%s finds %q, %v; want %q", selector, got, err, uid)
	}
}

func outlineText(tb testing.TB, p playwright.Page, o OutlineOptions) string {
	tb.Helper()
	out, err := takeOutline(p, o, 10_000)
	if err != nil {
		tb.Fatal(err)
	}
	return out.Text
}

// A selector that is none is INVALID_INPUT, whoever notices.
func TestBrokenQueries(t *testing.T) {
	t.Parallel()
	p := newOutlinePage(t)
	setContent(t, p, formsPage)
	for _, s := range []string{`a[`, `p:nth-child(x)`, `:not(`, `//div[`, `(//a`, `xpath=]`, `role=`, `role=button[nam="x"]`, `role=button[level=x]`,
		`text=/(/`, `a:has-text(`, `##a`, `Sign in!`, `1abc`, `nth=x`, `visible=maybe`, `frame "Pay" > a[`} {
		parsed, err := parseSelector(s)
		if err == nil {
			_, err = parsed.count(p)
		}
		var e *explain.Error
		if !errors.As(err, &e) || e.Code != explain.InvalidInput || !strings.Contains(e.Hint, "testid=") {
			t.Errorf("%s: %v; want %s and what is accepted", s, err, explain.InvalidInput)
		}
	}
}

// Ambiguity lists the candidates as selectors, whatever kind the selector was.
func TestCandidates(t *testing.T) {
	t.Parallel()
	p := newOutlinePage(t)
	setContent(t, p, formsPage+`<iframe title="Pay" srcdoc="<button>Go</button>"></iframe><div class="x"></div><div class="x" id="second" style="display:none"></div>`)
	tests := []struct {
		selector string
		want     []string
	}{
		{`button "Delete"`, []string{`button "Delete" [1]`, `button "Delete" [2]`}},
		{`text=Delete`, []string{`button "Delete" [1]`, `button "Delete" [2]`}},
		{`li`, []string{`listitem "Ann"`, `listitem "Bob"`}},
		{`button`, []string{`button "Go"`, `button "Delete" [1]`, `button "Delete" [2]`}},
		{`.x`, []string{`html > body > div:nth-of-type(1)`, `#second`}},
		{`frame "Pay" > button "Go"`, []string{`frame "Pay" [1] > button "Go"`, `frame "Pay" [2] > button "Go"`}},
		{`frame "Pay" [1] > css=*[data-uid]`, []string{`frame "Pay" [1] > button "Go"`}},
	}
	for _, tt := range tests {
		parsed, err := parseSelector(tt.selector)
		if err != nil {
			t.Fatal(err)
		}
		found, err := parsed.candidates(p, 5)
		var got []string
		for _, c := range found {
			got = append(got, c.selector)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.selector, err, diff)
		}
		for _, candidate := range got {
			one, err := parseSelector(candidate)
			if err != nil {
				t.Errorf("candidate: %v", err)
			} else if n, err := one.count(p); n != 1 || err != nil {
				t.Errorf("candidate %s matches %d, %v", candidate, n, err)
			}
		}
	}
}

// Where nothing matches, what comes nearest is named: other case, part of
// the name, a typing error, another role, a frame on the way.
func TestNearest(t *testing.T) {
	t.Parallel()
	p := newOutlinePage(t)
	setContent(t, p, formsPage)
	tests := []struct{ selector, first string }{
		{`button "delete" [3]`, `button "Delete" [1]`},
		{`button "Delet"`, `button "Delete" [1]`},
		{`button "Dlete"`, `button "Delete" [1]`},
		{`link "Go"`, `button "Go"`},
		{`textbox "E-mail"`, `textbox "Email"`},
		{`text=Tea`, `heading "Team"`},
		{`frame "Payment" > textbox "Card"`, `frame "Pay" > frame "deep" > textbox "Card"`},
		{`frame "Payment" > textbox "Nothing of it"`, `frame "Pay"`},
		{`frame "Pay" > frame "deep" > textbox "Carb"`, `frame "Pay" > frame "deep" > textbox "Card"`},
		{`textbox "Card"`, `frame "Pay" > frame "deep" > textbox "Card"`},
		{`navigation "Main"`, ``},
		{`#nothing-at-all`, ``},
	}
	for _, tt := range tests {
		parsed, err := parseSelector(tt.selector)
		if err != nil {
			t.Fatal(err)
		}
		got, alike, err := nearestLines(p, parsed, 3)
		if err != nil {
			t.Errorf("%s: %v", tt.selector, err)
		}
		first := ""
		if alike && len(got) > 0 {
			first = got[0]
		}
		if first != tt.first || len(got) == 0 || len(got) > 3 {
			t.Errorf("nearest to %s: %q, %v, want %q first", tt.selector, got, alike, tt.first)
		}
		for _, line := range got {
			if one, err := parseSelector(line); err != nil {
				t.Errorf("nearest to %s: %v", tt.selector, err)
			} else if n, err := one.count(p); n != 1 || err != nil {
				t.Errorf("nearest to %s: %s matches %d, %v", tt.selector, line, n, err)
			}
		}
	}
}

// What was to be acted on is nearer than a text of the very words.
func TestNearestControl(t *testing.T) {
	t.Parallel()
	p := newOutlinePage(t)
	setContent(t, p, `<p>Team name</p><h2>Terms</h2><input aria-label="Team name *"><input type=checkbox aria-label="I agree to the Terms *"><button>Terms</button>`)
	for selector, want := range map[string]string{
		`textbox "Team name"`: `textbox "Team name *"`, `checkbox "Terms"`: `button "Terms"`, `heading "Term"`: `heading "Terms"`,
	} {
		parsed, err := parseSelector(selector)
		if err != nil {
			t.Fatal(err)
		}
		if got, alike, err := nearestLines(p, parsed, 2); err != nil || !alike || got[0] != want {
			t.Errorf("nearest to %s: %q, %v, %v, want %s first", selector, got, alike, err, want)
		}
	}
}

func TestOutlineOptions(t *testing.T) {
	t.Parallel()
	p := newOutlinePage(t)
	setContent(t, p, `<main><section aria-label="A"><h2>Alpha</h2><button>Edit</button></section>
<section aria-label="B" id="b"><h2>Beta</h2><button>Edit</button><iframe title="F" srcdoc="<p>Betamax</p>"></iframe></section></main>`)
	tests := []struct {
		name    string
		options OutlineOptions
		want    string
		lines   int
		shown   int
	}{
		{"root, ordinals of the whole page", OutlineOptions{Root: `region "B"`}, `region "B"
  heading "Beta" [level=2]
  button "Edit" [2]
  frame "F"
    frame "F" > paragraph "Betamax"
`, 5, 5},
		{"root by CSS", OutlineOptions{Root: `#b h2`}, "heading \"Beta\" [level=2]\n", 1, 1},
		{"root in a frame", OutlineOptions{Root: `frame "F" > css=body`}, "frame \"F\" > paragraph \"Betamax\"\n", 1, 1},
		{"find keeps ancestors, in any case", OutlineOptions{Find: `bETA`}, `main [1]
  region "B"
    heading "Beta" [match] [level=2]
    frame "F"
      frame "F" > paragraph "Betamax" [match]
… 4 lines not shown for find "bETA"; narrow with root, find or depth, or raise depth or max_chars`, 9, 5},
		{"find nothing", OutlineOptions{Find: `Gamma`}, `… 9 lines not shown for find "Gamma"; narrow with root, find or depth, or raise depth or max_chars`, 9, 0},
		{"depth", OutlineOptions{Depth: 2}, `main [1]
  region "A"
  region "B"
… 6 lines lie deeper than depth 2; narrow with root, find or depth, or raise depth or max_chars`, 9, 3},
		{"max_chars cuts at a line's end", OutlineOptions{MaxChars: 30}, `main [1]
  region "A"
… 7 more lines; narrow with root, find or depth, or raise depth or max_chars`, 9, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := takeOutline(p, tt.options, 5000)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.Text); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got.Lines != tt.lines || got.Shown != tt.shown || (got.Cut == "") != (tt.lines == tt.shown) || !strings.HasSuffix(got.Text, got.Cut) {
				t.Errorf("Lines %d, Shown %d, Cut %q; want %d and %d", got.Lines, got.Shown, got.Cut, tt.lines, tt.shown)
			}
		})
	}
	for root, code := range map[string]explain.Code{`button "Edit"`: explain.SelectorAmbiguous, `button "None"`: explain.ElementNotFound, `buton "x"`: explain.InvalidInput,
		`a[`: explain.InvalidInput, `frame "None" > button "x"`: explain.ElementNotFound} {
		_, err := takeOutline(p, OutlineOptions{Root: root}, 5000)
		var e *explain.Error
		if !errors.As(err, &e) || e.Code != code {
			t.Errorf("root %s: %v, want %s", root, err, code)
		}
	}
}

// The page is hostile: what it does to its own prototypes, and names of form
// fields that hide properties of the form, change nothing.
func TestOutlineOfHostilePage(t *testing.T) {
	t.Parallel()
	p := newOutlinePage(t)
	setContent(t, p, `<form aria-label="Trap"><input name="childNodes" aria-label="a"><input name="firstChild" aria-label="b"><input name="nextSibling" aria-label="c">
<input name="parentNode" aria-label="d"><input name="getAttribute" aria-label="e"><input name="shadowRoot" aria-label="f"><input name="nodeType" aria-label="g">
<input name="tagName" aria-label="h"><input name="localName" aria-label="i"><input name="ownerDocument" aria-label="j"><input name="querySelectorAll" aria-label="k">
<input name="assignedSlot" aria-label="l"><input name="checkVisibility" aria-label="m"><input name="attributes" aria-label="n"></form>
<img name="documentElement" alt=""><img name="activeElement" alt=""><img name="createElement" alt=""><form name="body"></form>
<constructor>Odd</constructor> <valueof role="toString">tags</valueof>
<script>
  for (const proto of [Node.prototype, Element.prototype, Document.prototype]) for (const name of Object.getOwnPropertyNames(proto)) {
    try { Object.defineProperty(proto, name, { get() { return 'owned'; }, configurable: true }); } catch {}
  }
  window.getComputedStyle = () => { throw 'owned'; };
  JSON.stringify = () => '{"lines":[{"d":0,"h":"button \\"owned\\"","s":""}]}';
  Array.prototype.map = Map.prototype.get = Set.prototype.has = () => 'owned';
</script>`)
	want := "form \"Trap\"\n"
	for c := 'a'; c <= 'n'; c++ {
		want += fmt.Sprintf("  textbox \"%c\"\n", c)
	}
	want += "text \"Odd tags\"\n"
	got := outlineText(t, p, OutlineOptions{})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for line := range strings.Lines(got) {
		parsed, err := parseSelector(line)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := parsed.locator(p).Count(); n != 1 || err != nil {
			t.Errorf("%s matches %d, %v", line, n, err)
		}
	}
}

// B5: a normal page costs milliseconds; a huge one is bounded and says so.
func TestOutlineOfLargePages(t *testing.T) {
	t.Parallel()
	p := newOutlinePage(t)
	card := `<div><h3>Card %d</h3><p>Some <b>text</b> %[1]d</p><ul><li><a href="#">Link %[1]d</a></li><li>Item</li></ul><button>Delete</button></div>`
	page := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, card, i)
		}
		return b.String()
	}
	setContent(t, p, page(560)) // 5,000 elements
	out, err := takeOutline(p, OutlineOptions{}, 10_000)
	if err != nil || out.Lines != 560*5 || out.Cut == "" {
		t.Errorf("%d lines, cut %q, %v", out.Lines, out.Cut, err)
	}
	setContent(t, p, page(4_000)) // 36,000 elements, 80,000 nodes with their texts
	out, err = takeOutline(p, OutlineOptions{}, 60_000)
	if err != nil || out.Lines > 60_000 || !strings.Contains(out.Cut, "larger than an outline reads") {
		t.Errorf("%d lines, cut %q, %v", out.Lines, out.Cut, err)
	}
}

// A tree deeper than any page's ends the walk, and nothing else.
func TestOutlineOfDeepPage(t *testing.T) {
	t.Parallel()
	p := newOutlinePage(t)
	setContent(t, p, `<button>Top</button>`)
	if _, err := p.Evaluate(`() => { let at = document.body; for (let i = 0; i < 2000; i++) at = at.appendChild(document.createElement('div')); at.textContent = 'deep'; }`); err != nil {
		t.Fatal(err)
	}
	if got := outlineText(t, p, OutlineOptions{}); !strings.Contains(got, "button \"Top\"\n") || !strings.Contains(got, "larger") {
		t.Error(got)
	}
}

// A frame that never loads has its line, says so, and holds nobody up.
func TestOutlineOfStuckFrame(t *testing.T) {
	t.Parallel()
	p := newOutlinePage(t)
	release := make(chan struct{})
	if err := p.Route("**/never", func(r playwright.Route) {
		go func() { <-release; _ = r.Abort() }()
	}); err != nil {
		t.Fatal(err)
	}
	defer close(release)
	if err := p.SetContent(`<button>Here</button><iframe title="Slow" src="http://127.0.0.1:9/never"></iframe><button>After</button>`,
		playwright.PageSetContentOptions{WaitUntil: playwright.WaitUntilStateCommit}); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	got := outlineText(t, p, OutlineOptions{})
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
	if !strings.HasPrefix(got, "button \"Here\"\nframe \"Slow\"") || !strings.HasSuffix(got, "button \"After\"\n") {
		t.Error(got)
	}
}
