// Package guard knows what destroys, pays or changes credentials: by the name
// of what is about to be clicked, and by method and address of a request.
//
// It is pure: patterns and texts in, the rule that fits out. Who is asked and
// what is stopped is decided elsewhere. It refuses to guess from what it can't
// see, such as the body of a request or a picture on a button.
package guard

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// Guard judges names and requests. It is safe for concurrent use.
type Guard struct {
	clicks   []clickRule
	requests []requestRule
	custom   bool // request patterns of the caller's own, which may mean any request
}

type clickRule struct {
	name     string
	pattern  *regexp.Regexp
	harmless *regexp.Regexp // what makes a name harmless all the same; may be nil
}

type requestRule struct {
	name    string
	pattern *regexp.Regexp
}

// New returns a guard with the built-in rules and the caller's regular
// expressions in Go's syntax: clickPatterns over accessible names,
// requestPatterns over "METHOD URL".
func New(clickPatterns, requestPatterns []string) (*Guard, error) {
	g := &Guard{clicks: builtInClicks(), requests: builtInRequests(), custom: len(requestPatterns) > 0}
	for _, p := range clickPatterns {
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, fmt.Errorf("guard.click_patterns: %q: %w", p, err)
		}
		g.clicks = append(g.clicks, clickRule{name: "guard.click_patterns " + p, pattern: re})
	}
	for _, p := range requestPatterns {
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, fmt.Errorf("guard.request_patterns: %q: %w", p, err)
		}
		g.requests = append(g.requests, requestRule{name: "guard.request_patterns " + p, pattern: re})
	}
	return g, nil
}

// JudgesAnyRequest reports whether requests other than documents, fetches and
// beacons can be meant: the built-in rules mean no picture, script or style.
func (g *Guard) JudgesAnyRequest() bool { return g.custom }

// Click reports the rule that the accessible name of what is about to be
// clicked fits, if there is one.
func (g *Guard) Click(name string) (rule string, destructive bool) {
	name = readable(name)
	for _, r := range g.clicks {
		if r.pattern.MatchString(name) && (r.harmless == nil || !r.harmless.MatchString(name)) {
			return r.name, true
		}
	}
	return "", false
}

// Request reports the rule that a request fits, if there is one. The address
// is judged as it is written and with its percent-encoding undone.
func (g *Guard) Request(method, address string) (rule string, blocked bool) {
	method = strings.ToUpper(method)
	forms := []string{method + " " + address}
	if plain := unescaped(address); plain != address {
		forms = append(forms, method+" "+plain)
	}
	for _, r := range g.requests {
		for _, form := range forms {
			if r.pattern.MatchString(form) {
				return r.name, true
			}
		}
	}
	return "", false
}

// unescaped undoes the percent-encoding. What is no escape, which browsers send
// as it is, stays: it must not hide the others.
func unescaped(address string) string {
	return escape.ReplaceAllStringFunc(address, func(e string) string {
		b, err := hex.DecodeString(e[1:])
		if err != nil {
			return e
		}
		return string(b)
	})
}

var escape = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// readable returns a name as a person sees it: without characters that draw
// nothing, and with single spaces.
func readable(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) { // soft hyphens, zero-width joiners
			return -1
		}
		return r
	}, name)
	return strings.Join(strings.Fields(name), " ")
}
