package testfile

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser/selectors"
	"github.com/assay-qa/assay/internal/pattern"
)

// Locator writes a selector as Playwright's tests do, from the variable page.
func Locator(selector string) (string, error) {
	frames, chain, err := selectors.Steps(selector)
	if err != nil {
		return "", err
	}
	out := "page"
	for _, f := range frames {
		if out, err = frame(out, f); err != nil {
			return "", err
		}
	}
	for _, p := range chain {
		if out, err = part(out, p); err != nil {
			return "", err
		}
	}
	return out, nil
}

// frame writes the locator of what is in a frame, which a line names by its accessible name, or else
// by its name, its id or the last part of its address.
func frame(in string, p selectors.Step) (string, error) {
	if p.Name == "" || strings.HasSuffix(p.Name, "…") {
		return "", errors.New("a frame without a name, or with one that is cut: a Playwright test finds it by nothing")
	}
	var ways []string
	for _, name := range []string{"title", "aria-label", "name", "id"} {
		ways = append(ways, "["+name+"="+quoteCSS(p.Name)+"]")
	}
	ways = append(ways, "[src*="+quoteCSS("/"+p.Name)+"]", "[src^="+quoteCSS(p.Name)+"]")
	out := in + ".locator(" + quote("iframe:is("+strings.Join(ways, ", ")+")") + ")"
	return out + nth(p.Nth) + ".contentFrame()", nil
}

func quoteCSS(s string) string { return `"` + escapeCSS(s) + `"` }

func escapeCSS(s string) string { return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) }

// ownText returns what finds an element by its own text between its children, as text= in quotes
// does. An exact getByText compares all of its text, that of a link in it as well.
func ownText(escaped string) string { return `text="` + escaped + `"` }

func nth(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(".nth(%d)", n-1)
}

// prose lists the roles whose lines quote their text, though it is not their name.
var prose = []string{"paragraph", "listitem", "blockquote", "term", "definition", "caption", "note"}

// part writes one part of a chain, within what is found so far.
func part(in string, p selectors.Step) (string, error) {
	switch p.Engine {
	case "":
		if p.Column != "" {
			return "", errors.New("a cell by the heads of its row and column has no form in a Playwright test: name the cell itself")
		}
		return line(in, p)
	case "testid":
		return in + ".getByTestId(" + quote(p.Body) + ")", nil
	case "label":
		return in + ".getByLabel(" + quote(p.Body) + exact(p.Quoted) + ")", nil
	case "text":
		if !p.Quoted && strings.HasPrefix(p.Body, "/") { // a regular expression
			return in + ".locator(" + quote("text="+p.Body) + ")", nil
		}
		if p.Quoted {
			return in + ".locator(" + quote(ownText(p.Body)) + ")", nil
		}
		return in + ".getByText(" + quote(p.Body) + ")", nil
	case "nth":
		return in + ".nth(" + strings.TrimSpace(p.Body) + ")", nil
	case "visible":
		return in + ".filter({ visible: " + strings.TrimSpace(p.Body) + " })", nil
	case "role":
		if bareRole.MatchString(p.Body) {
			return in + ".getByRole(" + quote(p.Body) + ")", nil
		}
		return in + ".locator(" + quote("role="+p.Body) + ")", nil
	case "css":
		if m := oneAttribute.FindStringSubmatch(p.Body); m != nil {
			return in + "." + attributeLocators[m[1]] + "(" + quote(m[2]) + exact(true) + ")", nil
		}
		fallthrough
	default: // xpath and others of Playwright's own
		return in + ".locator(" + quote(p.Engine+"="+p.Body) + ")", nil
	}
}

// attributeLocators are Playwright's names for what finds an element by one attribute.
var attributeLocators = map[string]string{"placeholder": "getByPlaceholder", "alt": "getByAltText", "title": "getByTitle"}

var oneAttribute = pattern.New(`^\[(placeholder|alt|title)="([^"\\]+)"\]$`)

var bareRole = pattern.New(`^[a-z]+$`)

func exact(yes bool) string {
	if !yes {
		return ""
	}
	return ", { exact: true }"
}

// line writes a line of a snapshot: role, name and place among those like it.
func line(in string, p selectors.Step) (string, error) {
	name := p.Name
	if p.Role == "row" && p.Named {
		return in + row(name) + nth(p.Nth), nil
	}
	start, cut := strings.CutSuffix(name, "…")
	pattern := "new RegExp(" + quote("^"+regexp.QuoteMeta(start)) + ")"
	switch {
	case (p.Role == "text" || p.Role == "clickable") && (!p.Named || p.Nth > 0):
		return "", fmt.Errorf("%s is no role of ARIA, so its number is not to be had: use a test id, a label or CSS", p.Role)
	case p.Role == "frame":
		return "", errors.New("a frame itself is no element of a Playwright test: use CSS")
	case (p.Role == "text" || p.Role == "clickable") && cut:
		return in + ".getByText(" + pattern + ")", nil
	case p.Role == "text" || p.Role == "clickable":
		return within(in, "page.getByText("+quote(name)+", { exact: true }).or(page.locator("+quote(ownText(escapeCSS(name)))+"))"), nil
	case !p.Named && p.Nth == 0:
		return in + ".getByRole(" + quote(p.Role) + ")", nil
	case slices.Contains(prose, p.Role) && cut:
		return in + ".getByRole(" + quote(p.Role) + ").filter({ hasText: new RegExp(" + quote(`^\s*`+regexp.QuoteMeta(start)) + ") })" + nth(p.Nth), nil
	case slices.Contains(prose, p.Role):
		role, all := "page.getByRole("+quote(p.Role)+")", `^\s*`+strings.ReplaceAll(regexp.QuoteMeta(name), " ", `\s+`)+`\s*$`
		return within(in, role+".filter({ hasText: new RegExp("+quote(all)+") }).or("+role+".and(page.locator("+quote(ownText(escapeCSS(name)))+")))") + nth(p.Nth), nil
	case cut:
		return in + ".getByRole(" + quote(p.Role) + ", { name: " + pattern + " })" + nth(p.Nth), nil
	default:
		return in + ".getByRole(" + quote(p.Role) + ", { name: " + quote(name) + ", exact: true })" + nth(p.Nth), nil
	}
}

// within returns what a locator of the page finds within another one.
func within(in, locator string) string {
	if in == "page" {
		return locator
	}
	return in + ".locator(" + locator + ")"
}

// row returns the row that has these texts, each alone in an element: its line has its
// cells without their controls, while its name of ARIA has all of them.
func row(cells string) string {
	out := `.getByRole("row")`
	for cell := range strings.SplitSeq(cells, "|") {
		if cell = strings.TrimSpace(cell); cell == "" {
			continue
		}
		text := quote(cell) + ", { exact: true }"
		if start, cut := strings.CutSuffix(cell, "…"); cut {
			text = "new RegExp(" + quote("^"+regexp.QuoteMeta(start)) + ")"
		}
		out += ".filter({ has: page.getByText(" + text + ") })"
	}
	return out
}
