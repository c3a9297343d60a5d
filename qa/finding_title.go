package qa

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa/code"
)

// maxTitle bounds a finding's title, in characters.
const maxTitle = 200

// Headline returns the finding's title: what was observed. A finding without one, such
// as a model's, has it made of its other fields.
func (f Finding) Headline() pagetext.Text {
	observed := f.Observed.Map(oneLine)
	switch {
	case f.Title != "":
		return f.Title.Map(oneLine)
	case observed == "":
		return f.Assertion.Map(oneLine)
	case observed.Words() > 3:
		return observed.Map(capital)
	default:
		return (f.Assertion + ": observed " + observed).Map(oneLine)
	}
}

// counted maps rules that count faults to what they count.
var counted = map[string]string{
	"console_errors": "console error", string(ConsoleClean): "console error", "analyze_console_errors": "console error", "failed_requests": "failed request",
	"broken_images": "broken image", "mixed_content": "insecure request", "dialogs": "unexpected dialog", "redirects": "redirect", "open_requests": "request without an answer",
}

// title says what a check has observed that does not hold, or why it was not judged, by how
// it ended, its kind and the facts. called is what the page calls the element; it may be empty.
func (c Check) title(called string) pagetext.Text {
	ended := c.Ended()
	if ended.Ending.Status() == Inconclusive && !c.loads() {
		return pagetext.Sprintf("%s: %s: %s", ended.Ending.Said(), c.held(), cmp.Or(ended.Why, c.Observed)).Map(oneLine)
	}
	facts := ended.Facts
	observed := c.Observed.Map(oneLine)
	if noun := counted[c.Kind]; noun != "" && facts.Count > 0 {
		return pagetext.Sprintf("%s: %s", text.Count(facts.Count, noun), pagetext.Join(facts.Found, "; ")).Map(oneLine)
	}
	if facts.Code != "" && !c.loads() {
		act := capital(strings.ReplaceAll(c.Kind, "_", " "))
		if of := cmp.Or(called, c.Selector, c.Subject); of != "" && facts.Code != code.ElementNotFound { // that reason names the element itself
			act += " of " + of
		}
		return pagetext.Sprintf("%s failed: %s", act, cmp.Or(facts.Why, observed)).Map(oneLine)
	}
	if c.loads() {
		facts.Why = cmp.Or(facts.Why, observed)
		return LoadFault(c.Subject, facts)
	}
	switch c.Kind {
	case "http_status":
		return pagetext.Sprintf("%s answers %s", c.Subject, observed).Map(oneLine)
	case "title":
		return "The page has no title"
	case "verify_user_flow":
		return cmp.Or(facts.Why, observed).Map(capital)
	case KPIKind:
		return c.figureTitle(cmp.Or(called, c.Selector, c.Subject), observed)
	case VisualKind:
		return pagetext.Sprintf("%s does not look as its baseline: %s", c.Subject, observed).Map(capital)
	}
	switch {
	case facts.Alike: // the values say it, and would contradict each other in a sentence
		return pagetext.Sprintf("%s: %s", cmp.Or(called, c.Selector, c.Subject, "The page"), observed).Map(oneLine)
	case facts.Missing:
		return pagetext.Text(oneLine("No element matches " + cmp.Or(c.Selector, c.Subject, "The page")))
	}
	return c.assertionTitle(cmp.Or(called, c.Selector, c.Subject, "The page"), observed)
}

// loads reports whether the check is about an address that is loaded.
func (c Check) loads() bool {
	return c.Kind == "page_loads" || c.Kind == "verify_page_loads" || c.Kind == "navigate"
}

// figureTitle says what a figure shows that does not hold.
func (c Check) figureTitle(of string, observed pagetext.Text) pagetext.Text {
	if facts := c.Ended().Facts; facts.Unseen {
		return cmp.Or(facts.Why, pagetext.Sprintf("%s is there and can't be seen: %s", of, observed)).Map(oneLine)
	}
	return pagetext.Sprintf("%s shows %s instead of %s", of, observed, c.Expected).Map(oneLine)
}

// visibility maps whether a thing was to be visible to how it was found.
var visibility = map[bool]string{true: "not visible", false: "visible"}

// assertionTitle says what a failed assertion has observed of its subject.
func (c Check) assertionTitle(of string, observed pagetext.Text) pagetext.Text {
	shown, want := quoted(observed), strconv.Quote(oneLine(c.Expected))
	switch kind := AssertionType(c.Kind); {
	case kind == TitleEquals && !c.Not:
		return pagetext.Sprintf("The title is %s instead of %s", shown, want).Map(oneLine)
	case kind == URLMatches:
		return ("The address is " + observed).Map(oneLine)
	case kind == TextEquals && !c.Not, kind == ValueEquals && !c.Not:
		return pagetext.Sprintf("%s shows %s instead of %s", of, shown, want).Map(oneLine)
	case kind == TextContains && !c.Not:
		return pagetext.Sprintf("%s does not show %s: %s", of, want, shown).Map(oneLine)
	case kind == Visible, kind == Hidden:
		return pagetext.Sprintf("%s is %s (%s)", of, visibility[(kind == Visible) != c.Not], observed).Map(oneLine)
	case kind.known():
		return pagetext.Sprintf("%s: %s", of, observed).Map(oneLine)
	}
	if why := c.Ended().Why; why != "" {
		return why.Map(capital)
	}
	if c.Subject == "" {
		return observed
	}
	return pagetext.Sprintf("%s: %s", c.Subject, observed).Map(oneLine)
}

func quoted(t pagetext.Text) pagetext.Text { return t.Map(strconv.Quote) }

func (t AssertionType) known() bool {
	_, ok := typeRowOf(t)
	return ok
}

// LoadFault says why an address did not load, by the facts. An empty address is the page.
func LoadFault(address string, f Facts) pagetext.Text {
	address = cmp.Or(address, "the page")
	switch title := code.Net(f.Net).Title; {
	case title != "":
		return pagetext.Text(oneLine(fmt.Sprintf(title, address)))
	case f.OutOfTime:
		return pagetext.Text(oneLine(address + " was not judged: the tester's own time was over before it had loaded"))
	case f.LimitMS > 0:
		return pagetext.Text(oneLine(fmt.Sprintf("%s did not load within %g s", address, float64(f.LimitMS)/1000)))
	case f.Download:
		return pagetext.Text(oneLine(address + " is a file" + ofType(f.Type) + ", which the browser downloads; it is not a page"))
	case f.Status > 0 && f.Why != "":
		return f.Why.Map(oneLine)
	case f.Status > 0:
		return pagetext.Text(oneLine(fmt.Sprintf("%s answers status %d", address, f.Status)))
	default:
		return (pagetext.Text(address+" does not load: ") + f.Why).Map(oneLine)
	}
}

func ofType(kind string) string {
	if kind == "" {
		return ""
	}
	return " of type " + kind
}

func oneLine(s string) string { return text.Shorten(strings.Join(strings.Fields(s), " "), maxTitle) }

// capital begins a sentence with a capital letter, unless it begins with a name such as
// an address or a selector.
func capital(s string) string {
	s = oneLine(s)
	first, _, _ := strings.Cut(s, " ")
	if strings.ContainsAny(first, `:/#.=["`) {
		return s
	}
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}
