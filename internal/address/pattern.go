// Package address says what a pattern of an address means, once for all callers:
// checks of the page's address and of its requests, rules on requests, and generated
// tests. It has no access to pages.
package address

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// Pattern matches addresses:
//
//   - /orders is that path, on any host; https://shop.test/orders is that address.
//   - * stands for any characters but /, ? and #; ** for any characters at all.
//   - **/orders is a path that ends so, /orders/** one that goes on below.
//   - ?page=2 asks for that parameter with that value, among others and in any
//     order; ? alone for no query. Without a ? the query may be anything.
//   - #/login asks for that fragment; # alone for none. Without a # it may be
//     anything.
//   - re: begins a regular expression of Go, for the address as it stands.
//
// A trailing slash, the case of scheme and host, a default port and the way in
// which characters are escaped make no difference.
type Pattern struct {
	expr  *regexp.Regexp // after re:
	base  *regexp.Regexp // scheme, host and path
	query *query         // nil: any
	hash  *hash          // nil: any

	source  string // of base
	any     bool
	anyHost bool // it is a path
}

// hash holds a pattern's condition on the fragment.
type hash struct {
	text   *regexp.Regexp // of all of it, or of a route's path
	source string
	query  *query // of a route; nil: any
	route  bool
}

// Error reports what is wrong with a pattern, and what to write instead.
type Error struct{ Message, Hint string }

func (e *Error) Error() string { return e.Message + ": " + e.Hint }

// Parse reads a pattern. The empty one fits every address. An error is an [*Error].
func Parse(pattern string) (Pattern, error) {
	if expr, ok := strings.CutPrefix(pattern, "re:"); ok {
		re, err := regexp.Compile(expr)
		if err != nil {
			return Pattern{}, &Error{fmt.Sprintf("pattern %s: %v", pattern, err), "write a Go regular expression after re:, or a path such as /orders or **/api/orders/*"}
		}
		return Pattern{expr: re}, nil
	}
	if pattern == "" {
		return Pattern{any: true}, nil
	}
	text, fragment, hasFragment := strings.Cut(pattern, "#")
	text, parameters, hasQuery := strings.Cut(text, "?")
	base, err := baseOf(text)
	if err != nil {
		return Pattern{}, &Error{fmt.Sprintf("pattern %q %v", pattern, err), suggestion(pattern)}
	}
	p := Pattern{source: base, anyHost: strings.HasPrefix(base, anyHost)}
	if p.base, err = regexp.Compile("^(?:" + base + ")$"); err != nil {
		return Pattern{}, &Error{fmt.Sprintf("pattern %q: %v", pattern, err), "write a shorter one"}
	}
	if hasQuery {
		if p.query, err = readQuery(parameters); err != nil {
			return Pattern{}, &Error{fmt.Sprintf("pattern %q: %v", pattern, err), "write a shorter one"}
		}
	}
	if hasFragment {
		p.hash, err = readHash(fragment)
	}
	if err != nil {
		return Pattern{}, &Error{fmt.Sprintf("pattern %q: %v", pattern, err), "write a shorter one"}
	}
	return p, nil
}

// Fits reports whether an address fits.
func (p Pattern) Fits(address string) bool {
	switch {
	case p.any:
		return true
	case p.expr != nil:
		return p.expr.MatchString(address)
	case p.base == nil:
		return false
	}
	a := split(address)
	return p.base.MatchString(a.base) && p.query.fits(a.query) && p.hash.fits(a)
}

// JavaScript returns the pattern as a regular expression of JavaScript, for addresses
// as browsers write them. ok is false for a regular expression of Go.
func (p Pattern) JavaScript() (literal string, ok bool) {
	if p.expr != nil {
		return "", false
	}
	if p.any {
		return "/^/", true
	}
	text := "^" + p.source + p.query.source(`[^#]*`, `[&#]|$`)
	switch h := p.hash; {
	case h == nil:
		text += "(?:#.*)?"
	case h.source == "":
		text += "#?"
	case h.route:
		text += "#" + h.source + h.query.source(`.*`, `&|$`)
	default:
		text += "#" + h.source
	}
	return "/" + strings.ReplaceAll(text, "/", `\/`) + "$/s", true
}

// IsPath reports whether the pattern names a path, on whatever host it is.
func (p Pattern) IsPath() bool { return p.anyHost }

const anyHost = `[^/?#]*//[^/?#]*`

// baseOf returns the part of a pattern before query and fragment, as an expression.
func baseOf(text string) (string, error) {
	scheme, rest, full := strings.Cut(text, "://")
	switch {
	case strings.ContainsAny(text, " \t\n"):
		return "", fmt.Errorf("contains white space")
	case strings.HasPrefix(text, "//"):
		return "", fmt.Errorf("names a host without a scheme")
	case strings.HasPrefix(text, "/"):
		return anyHost + pathOf(text), nil
	case text == "**", text == "*": // alone it bounds nothing
		return `[^?#]*`, nil
	case full && schemeForm.MatchString(scheme):
		host, path, _ := strings.Cut(rest, "/")
		scheme = strings.ToLower(scheme)
		return within(scheme, `[^/?#]*`) + "://" + authority(scheme, host) + pathOf("/"+path), nil
	case strings.HasPrefix(text, "**/"):
		return anyHost + pathOf("/"+text), nil
	case strings.HasPrefix(text, "**"):
		first, path, _ := strings.Cut(text, "/")
		return segment(first) + pathOf("/"+path), nil
	case opaque.MatchString(text):
		return glob(text, `[^?#]*`, `[^?#]*`, inPath), nil
	case strings.HasPrefix(text, "*"):
		return "", fmt.Errorf("begins with *, which does not go beyond a /")
	default:
		return "", fmt.Errorf("is neither a path nor an address")
	}
}

var (
	schemeForm = pattern.New(`^[A-Za-z*][A-Za-z0-9+.*-]*$`)
	opaque     = pattern.New(`^(?:about|data|blob):`)
	hostForm   = pattern.New(`^(?:localhost|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}|\d+\.\d+\.\d+\.\d+|[A-Za-z0-9.-]+:\d+)(?::\d+)?(?:/|$)`)
	methodForm = pattern.New(`(?i)^(get|head|post|put|patch|delete|options) +(\S.*)$`)
)

// suggestion suggests what to write in place of an invalid or outdated pattern.
func suggestion(pattern string) string {
	text, rest := pattern, ""
	if i := strings.IndexAny(pattern, "?#"); i >= 0 {
		text, rest = pattern[:i], pattern[i:]
	}
	switch m := methodForm.FindStringSubmatch(pattern); {
	case m != nil:
		return "write the method in capitals, as in " + strings.ToUpper(m[1]) + " " + m[2] + ", where a method is taken"
	case strings.ContainsAny(text, " \t\n"):
		return "write %20 for a space"
	case text == "":
		return "write **" + pattern + " for any path, or the path before it, as in /" + pattern
	case strings.HasPrefix(text, "//"):
		return "write https:" + pattern + ", or *:" + pattern + " for any scheme"
	case strings.HasPrefix(text, "*"):
		return "write *" + pattern + " (** goes beyond a /; what follows a ? or # counts only where it is written)"
	case hostForm.MatchString(text):
		return "write https://" + pattern + ", or *://" + pattern + " for any scheme; for a path **/" + text + "**" + rest
	default:
		return "write **/" + strings.TrimSuffix(text, "*") + "**" + rest + " for any path with that in it, or /" + pattern + " for that path"
	}
}

// authority writes a pattern's host and port.
func authority(scheme, host string) string {
	if i := strings.LastIndex(host, "@"); i >= 0 {
		host = host[i+1:]
	}
	return segment(plainHost(scheme, host))
}

// pathOf writes a path. A segment that is * or ends the pattern as ** is not empty; **
// between two slashes also stands for no segment.
func pathOf(path string) string {
	var segments []string
	for s := range strings.SplitSeq(path, "/") {
		if s != "" {
			segments = append(segments, s)
		}
	}
	var b strings.Builder
	for i, s := range segments {
		last := i == len(segments)-1
		switch {
		case s == "*":
			b.WriteString(`/+[^/?#]+`)
		case strings.Trim(s, "*") != "":
			b.WriteString("/+" + segment(s))
		case last && i > 0:
			b.WriteString(`/+[^/?#][^?#]*`)
		default:
			b.WriteString(`(?:/[^?#]*)?`)
		}
	}
	return b.String() + "/*"
}

func segment(s string) string { return glob(s, `[^/?#]*`, `[^?#]*`, inPath) }

// within writes a glob in which ** stands for no more than *.
func within(s, star string) string { return glob(s, star, star, inPath) }

// readHash reads what a pattern says after #. One that begins with / or ! is a
// route of the page's own: its query is like the address's.
func readHash(text string) (*hash, error) {
	h := &hash{route: strings.HasPrefix(text, "/") || strings.HasPrefix(text, "!")}
	if h.route {
		path, parameters, hasQuery := strings.Cut(text, "?")
		mark := strings.HasPrefix(path, "!")
		if path = strings.TrimPrefix(path, "!"); mark {
			h.source = "!"
		}
		if mark && path != "" && !strings.HasPrefix(path, "/") {
			h.source += segment(path)
		} else {
			h.source += pathOf(path)
		}
		if hasQuery {
			var err error
			if h.query, err = readQuery(parameters); err != nil {
				return nil, err
			}
		}
	} else {
		h.source = glob(text, `[^/?#]*`, `.*`, inHash)
	}
	var err error
	h.text, err = regexp.Compile("(?s)^(?:" + h.source + ")$")
	return h, err
}

func (h *hash) fits(a parts) bool {
	switch {
	case h == nil:
		return true
	case h.source == "":
		return a.hash == ""
	case !a.hashed:
		return false
	case !h.route:
		return h.text.MatchString(a.hash)
	}
	path, parameters, _ := strings.Cut(a.hash, "?")
	return h.text.MatchString(path) && h.query.fits(parameters)
}
