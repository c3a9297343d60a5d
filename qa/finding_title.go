package qa

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/pagetext"
	"github.com/assay-qa/assay/pattern"
	"github.com/assay-qa/assay/texts"
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
	"broken_images": "broken image", "mixed_content": "insecure request", "dialogs": "unexpected dialog", "redirects": "redirect", "settles": "request without an answer",
}

var leadingCount = pattern.New(`^(\d+)( console errors?)?\b`)

// stepError matches what precedes the words of an error: its code, tool and subject.
var stepError = pattern.New(`^([A-Z][A-Z_]+: )?(page_[a-z_]+ (.*?): )?`)

// title says what a failed check has observed.
func (c Check) title(observed string) string {
	observed = oneLine(observed)
	of := cmp.Or(c.Selector, c.Subject, "The page")
	if noun := counted[c.Kind]; noun != "" {
		if m := leadingCount.FindStringSubmatch(observed); m != nil {
			n, _ := strconv.Atoi(m[1])
			return oneLine(texts.Count(n, noun) + strings.TrimPrefix(observed, m[0]))
		}
	}
	switch c.Kind {
	case "page_loads", "verify_page_loads", "navigate":
		return loadFault(c.Subject).words(observed)
	case "http_status":
		return oneLine(c.Subject + " answers " + observed)
	case "title":
		return "The page has no title"
	case "verify_user_flow":
		if _, failed, ok := strings.Cut(observed, "; failed: "); ok {
			return capital(failed)
		}
	case KPIKind:
		return oneLine(fmt.Sprintf("%s shows %s instead of %s", of, observed, c.Expected))
	case VisualKind:
		return capital(c.Subject + " does not look as its baseline: " + observed)
	case "click", "fill", "select", "press", "hover", "wait", "upload", "dialog":
		return capital(c.Kind + " failed: " + strings.TrimPrefix(observed, stepError.FindString(observed)))
	}
	if rest, ok := strings.CutPrefix(observed, noElement); ok {
		return oneLine("No element matches " + of + rest)
	}
	return c.assertionTitle(of, observed)
}

// visibility maps whether a thing was to be visible to how it was found.
var visibility = map[bool]string{true: "not visible", false: "visible"}

// assertionTitle says what a failed assertion has observed of its subject.
func (c Check) assertionTitle(of, observed string) string {
	shown, want := strconv.Quote(observed), strconv.Quote(oneLine(c.Expected))
	switch kind := AssertionType(c.Kind); {
	case kind == TitleEquals && !c.Not:
		return oneLine(fmt.Sprintf("The title is %s instead of %s", shown, want))
	case kind == URLMatches:
		return oneLine("The address is " + observed)
	case kind == TextEquals && !c.Not, kind == ValueEquals && !c.Not:
		return oneLine(fmt.Sprintf("%s shows %s instead of %s", of, shown, want))
	case kind == TextContains && !c.Not:
		return oneLine(fmt.Sprintf("%s does not show %s: %s", of, want, shown))
	case kind == Visible, kind == Hidden:
		return oneLine(fmt.Sprintf("%s is %s (%s)", of, visibility[(kind == Visible) != c.Not], observed))
	case kind.known():
		return oneLine(of + ": " + observed)
	}
	if what, ok := strings.CutPrefix(c.Expected, "no "); ok { // a rule that looks for a fault
		if strings.Contains(observed, what) {
			return capital(observed)
		}
		return capital(what + ": " + observed)
	}
	return oneLine(strings.TrimPrefix(c.Subject+": ", ": ") + observed)
}

func (t AssertionType) known() bool {
	_, ok := typeRowOf(t)
	return ok
}

// loadFaults maps errors of a browser to what they mean for a reader.
var loadFaults = []struct{ code, means string }{
	{"ERR_CONNECTION_REFUSED", "Nothing answers at %s (connection refused)"},
	{"ERR_NAME_NOT_RESOLVED", "Nothing answers at %s (its name has no address)"},
	{"ERR_ADDRESS_UNREACHABLE", "Nothing answers at %s (address unreachable)"},
	{"ERR_CONNECTION_TIMED_OUT", "Nothing answers at %s (timed out)"},
	{"ERR_TIMED_OUT", "Nothing answers at %s (timed out)"},
	{"ERR_CONNECTION_CLOSED", "%s closes the connection without an answer"},
	{"ERR_INVALID_HTTP_RESPONSE", "%s does not speak HTTP"},
	{"ERR_HTTP2_", "%s breaks the rules of HTTP/2"},
	{"ERR_RESPONSE_HEADERS_", "%s answers with headers that contradict themselves"},
	{"ERR_UNSAFE_PORT", "%s has an unsafe port"},
	{"ERR_INTERNET_DISCONNECTED", "This machine has no network to reach %s"},
	{"ERR_PROXY_", "The proxy to %s does not answer"},
	{"ERR_TUNNEL_", "The proxy refuses to connect to %s"},
	{"ERR_ABORTED", "%s shows no page"},
	{"ERR_EMPTY_RESPONSE", "%s closes the connection without an answer"},
	{"ERR_CONNECTION_RESET", "%s resets the connection"},
	{"ERR_TOO_MANY_REDIRECTS", "%s redirects without end"},
	{"ERR_SSL_PROTOCOL_ERROR", "%s does not speak https (try http://)"},
	{"ERR_SSL_", "%s and the browser agree on no way to speak https"},
	{"ERR_CERT_", "%s has no valid certificate"},
}

var exceeded = pattern.New(`took longer than its time-out of (\S+ s)`)

var navigated = pattern.New(`page_navigate (\S+): `)

// LoadFault says why an address did not load, from the words of the browser. An empty
// address is the one that they name.
func LoadFault(address string, fault pagetext.Text) pagetext.Text {
	return fault.Map(loadFault(address).words)
}

// loadFault is the address that did not load.
type loadFault string

func (l loadFault) words(fault string) string {
	address := string(l)
	if m := navigated.FindStringSubmatch(fault); address == "" && m != nil {
		address = m[1]
	}
	address = cmp.Or(address, "the page")
	for _, f := range loadFaults {
		if strings.Contains(fault, f.code) {
			return oneLine(fmt.Sprintf(f.means, address))
		}
	}
	if m := exceeded.FindStringSubmatch(fault); m != nil {
		return oneLine(fmt.Sprintf("%s did not load within %s", address, m[1]))
	}
	fault = strings.TrimPrefix(fault, stepError.FindString(fault))
	if rest, ok := strings.CutPrefix(fault, "the address "); ok {
		return oneLine(address + " " + rest)
	}
	if strings.HasPrefix(fault, address) {
		return oneLine(fault)
	}
	return oneLine(address + " does not load: " + fault)
}

func oneLine(s string) string { return texts.Shorten(strings.Join(strings.Fields(s), " "), maxTitle) }

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
