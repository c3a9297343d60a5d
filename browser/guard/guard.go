package guard

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Guard judges names and requests. It is safe for concurrent use.
type Guard struct {
	clicks   []clickRule   // of the caller's own, beside the built-in ones
	requests []requestRule // of the caller's own

	allowed []*regexp.Regexp // requests that may change a production host

	readOnly bool // every change is stopped
	byActs   bool // it heeds who acts
}

// OnlyReading returns a guard that stops every request which may change something on
// a server: all but GET, HEAD and OPTIONS, sign-ins, and queries of GraphQL. Requests
// that [Guard.Allowing] names pass.
func (g *Guard) OnlyReading() *Guard {
	out := *g
	out.readOnly = true
	return &out
}

type clickRule struct {
	name    string
	pattern *regexp.Regexp
}

type requestRule struct {
	name    string
	pattern *regexp.Regexp
}

// New returns a guard with the built-in rules and the caller's regular
// expressions in Go's syntax: clickPatterns over accessible names,
// requestPatterns over "METHOD URL".
func New(clickPatterns, requestPatterns []string) (*Guard, error) {
	g := &Guard{}
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
func (g *Guard) JudgesAnyRequest() bool { return len(g.requests) > 0 }

// Click reports the rule that the accessible name of what is about to be
// clicked fits, if there is one.
func (g *Guard) Click(name string) (rule string, destructive bool) {
	readings := forms(name)
	for _, form := range readings {
		if rule := nameRule(form); rule != "" {
			return rule, true
		}
	}
	if rule := g.ownName(readings); rule != "" {
		return rule, true
	}
	if nameless(name) {
		for icon, rule := range iconActs {
			if strings.ContainsRune(name, icon) {
				return rule, true
			}
		}
	}
	return "", false
}

// ownName returns the caller's own rule that a reading of a name fits, "" for none.
func (g *Guard) ownName(readings []string) string {
	for _, own := range g.clicks {
		if slices.ContainsFunc(readings, own.pattern.MatchString) {
			return own.name
		}
	}
	return ""
}

// nameRule returns the rule that a text fits in any language, "" for none.
func nameRule(text string) string {
	r := built().readText(folded(text))
	return r.rule()
}

// iconActs lists icons that stand for an act when a name has nothing else.
var iconActs = map[rune]string{'🗑': "delete", '🚮': "delete", '💳': "pay", '💸': "pay"}
