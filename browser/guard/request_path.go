package guard

import (
	"net/url"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// segment is one piece of a path.
type segment struct {
	text      string
	wordings  [][]string // see [wordings]
	extension bool       // it follows a dot: it is what a file is called after its name
}

// is reports whether a segment is one of some words, joined by hyphens.
func (s segment) is(list []string) bool {
	return slices.ContainsFunc(s.wordings, func(ws []string) bool { return slices.Contains(list, strings.Join(ws, "-")) })
}

// endsWith reports whether the last word of a segment is one of some words.
func (s segment) endsWith(list []string) bool {
	return slices.ContainsFunc(s.wordings, func(ws []string) bool { return len(ws) > 1 && slices.Contains(list, ws[len(ws)-1]) })
}

// has reports whether a segment has one of some words.
func (s segment) has(list []string) bool {
	return slices.ContainsFunc(s.wordings, func(ws []string) bool {
		return slices.ContainsFunc(ws, func(w string) bool { return slices.Contains(list, w) })
	})
}

// address holds what counts of a URL.
type address struct {
	path  []segment
	query url.Values // decoded until it stays the same
}

func readAddress(raw string) address {
	raw, _, _ = strings.Cut(raw, "#")
	rest, query, _ := strings.Cut(raw, "?")
	if _, after, found := strings.Cut(rest, "://"); found {
		rest = after
	}
	_, path, _ := strings.Cut(rest, "/")
	a := address{path: readPath(path)}
	values, _ := url.ParseQuery(query) // what it could read is what counts
	a.query = decodedValues(values)
	return a
}

// routeKeys name the parameters by which an application that has one page finds its own
// paths.
var routeKeys = []string{"route", "r", "path", "controller", "fuseaction"}

// routes returns the paths that a query holds.
func (a address) routes() (out []address) {
	for key, all := range a.query {
		for _, v := range all {
			if slices.Contains(routeKeys, strings.ToLower(key)) && strings.Contains(v, "/") {
				out = append(out, address{path: readPath(v), query: a.query})
			}
		}
	}
	return out
}

func readPath(path string) (out []segment) {
	for piece := range strings.FieldsFuncSeq(decoded(path), func(r rune) bool { return strings.ContainsRune("/:;,?&=#\\", r) }) {
		for i, part := range strings.Split(piece, ".") {
			if ws := wordings(part); len(ws[0]) > 0 {
				out = append(out, segment{text: part, wordings: ws, extension: i > 0})
			}
		}
	}
	return out
}

// maxDecoding bounds how often an encoding is undone.
const maxDecoding = 8

// decoded undoes the percent-encoding until the text stays the same. What is no escape,
// which browsers send as it is, stays: it must not hide the others.
func decoded(text string) string {
	for range maxDecoding {
		next := unescaped(text)
		if next == text {
			break
		}
		text = next
	}
	return text
}

func decodedValues(values url.Values) url.Values {
	out := make(url.Values, len(values))
	for key, all := range values {
		for _, v := range all {
			out.Add(decoded(key), decoded(v))
		}
	}
	return out
}

// pathRule returns the rule that the path of a request fits which changes something, ""
// for none.
func pathRule(path []segment) string {
	basket, screen := pathHas(path, basketWords), pathHas(path, screenWords)
	for i, s := range path {
		switch {
		case pathHas(path[i+1:], basketWords) && s.is([]string{"checkout"}): // a section of a shop, and what happens is to its basket
			continue
		case s.is([]string{"payment"}), s.is(programWords.Entries("payment")), s.endsWith(programWords.Entries("payment")),
			s.is(programWords.Entries("confirm")) && slices.ContainsFunc(path[:i], func(s segment) bool { return s.has([]string{"payment", "payments"}) }):
			return "pay in the path"
		case s.is(programWords.Entries("credential-segment")):
			return "credentials in the path"
		}
		if rule := s.rule(endsPath(path[i+1:]), basket, screen); rule != "" {
			return rule + " in the path"
		}
	}
	return ""
}

// rule returns the rule that a segment fits. A weak word alone is an act where the path
// ends with it or goes on with what it happens to.
func (s segment) rule(ends, basket, screen bool) string {
	for _, o := range readOperations(s.wordings) {
		rule := o.rule()
		if rule == "" || basket && rule == "delete" {
			continue
		}
		if weak := weakest(o); weak && (basket || screen || len(o.words) == 1 && !ends) {
			continue
		}
		return rule
	}
	return ""
}

// weakest reports whether nothing but weak words makes a name destructive.
func weakest(o operation) bool {
	weak := false
	for _, f := range o.found {
		if f.kind < len(consequences) && o.means(f) {
			if !consequences[f.kind].weak {
				return false
			}
			weak = true
		}
	}
	return weak
}

func pathHas(path []segment, kind int) bool {
	return slices.ContainsFunc(path, func(s segment) bool {
		return slices.ContainsFunc(s.wordings, func(ws []string) bool { return readOperation(ws).has(kind) })
	})
}

// endsPath reports whether what follows a segment is at most the name of a thing.
func endsPath(rest []segment) bool {
	switch len(rest) {
	case 0:
		return true
	case 1:
		return rest[0].extension || identifies(rest[0].text)
	}
	return len(rest) == 2 && (rest[1].extension || identifies(rest[1].text)) // 5.json, order_id/5
}

var identifier = pattern.New(`^(?:\d+|[0-9a-fA-F]{8,}|[0-9a-fA-F-]{32,}|[A-Za-z]{1,6}[_-]?\d[\w-]*|[\w-]*\d{3,}[\w-]*)$`)

// identifies reports whether a segment looks like the name of one thing: a number, or
// what a program draws.
func identifies(text string) bool { return identifier.MatchString(text) }

// linkRule returns the rule that a request fits which is meant to read only, but names
// an act and what it happens to: GET /users/5/delete. Paying and credentials are pages
// there, and so is an act without a thing: they ask.
func linkRule(a address) string {
	if len(a.path) == 0 || slices.ContainsFunc(a.path, func(s segment) bool { return s.is(programWords.Entries("read-page")) }) ||
		a.path[len(a.path)-1].extension && a.path[len(a.path)-1].is(programWords.Entries("file-end")) {
		return ""
	}
	basket, screen := pathHas(a.path, basketWords), pathHas(a.path, screenWords)
	if rule := namedItem(a.query); rule != "" && !basket {
		return rule
	}
	for i, s := range a.path {
		if s.isTitle() || !endsPath(a.path[i+1:]) {
			continue
		}
		rule := s.rule(true, basket, screen)
		if rule == "" || rule == "pay" || rule == "credentials" || resets(s) && ofCredentials(a.path) {
			continue
		}
		if aboutItem(a, i) {
			return rule + " in the path"
		}
	}
	return ""
}

// isTitle reports whether a segment is a title of several words and no operation.
func (s segment) isTitle() bool {
	flat := s.wordings[min(1, len(s.wordings)-1)]
	return len(flat) > 2 || len(s.wordings[0]) > 4 && len(flat) > 1
}

// namedItem returns the rule of a parameter that is an act and whose value is what it
// happens to, or nothing: ?delete=17, ?deletecustomer.
func namedItem(query url.Values) string {
	for key, all := range query {
		for _, o := range readOperations(wordings(key)) {
			rule := o.rule()
			if rule == "" || rule == "pay" || weakest(o) || len(o.words) > 3 {
				continue
			}
			if slices.ContainsFunc(all, func(v string) bool { return v == "" || len(o.words) == 1 && identifies(v) }) {
				return rule + " in the query"
			}
		}
	}
	return ""
}

func resets(s segment) bool { return s.has([]string{"reset"}) }

func ofCredentials(path []segment) bool {
	return slices.ContainsFunc(path, func(s segment) bool { return s.has(programWords.Entries("credential-segment")) })
}

// aboutItem reports whether an address names what the act at a segment happens to.
func aboutItem(a address, at int) bool {
	for i, s := range a.path {
		if i != at && identifies(s.text) && !versions.MatchString(s.text) {
			return true
		}
	}
	for key := range a.query {
		if ws := wordings(key); len(ws[0]) > 0 && programWords.Has("item-key", ws[0][len(ws[0])-1]) && a.query.Get(key) != "" {
			return true
		}
	}
	return at >= 2 && !isCollection(a.path[at-1]) && isCollection(a.path[at-2])
}

// versions match the versions of an interface, which name no thing.
var versions = pattern.New(`^[vV]\d+$`)

// isCollection reports whether a segment names a kind of things and not one of them.
func isCollection(s segment) bool {
	return slices.ContainsFunc(s.wordings, func(ws []string) bool { return len(ws) == 1 && isThing(built(), ws[0]) })
}

func asks(path []segment) bool     { return lastWord(path, programWords.Entries("asking")) }
func signsOut(path []segment) bool { return lastWord(path, programWords.Entries("sign-out")) }
func signsIn(path []segment) bool  { return lastWord(path, programWords.Entries("sign-in")) }

func lastWord(path []segment, list []string) bool {
	if len(path) == 0 {
		return false
	}
	last := path[len(path)-1]
	return last.is(list) || slices.ContainsFunc(last.wordings, func(ws []string) bool { return len(ws) > 0 && slices.Contains(list, ws[len(ws)-1]) })
}
