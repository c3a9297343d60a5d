package guard

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says who is behind the acts in a session, and so what permits them.
type Kind int

// The kinds of acts.
const (
	// Worked is what is done for somebody who named the site: calls of a client, specs and
	// goals that a model works.
	Worked Kind = iota
	// Written is what stands word for word in a file of a person: the file permits it.
	Written
	// Explored is what a program tries without being told to.
	Explored
	// Own is the same on what that program itself has made: it may be deleted.
	Own
	// Others is the same on a record that somebody else made: nothing of it is changed.
	Others
)

// maker returns a rule, unless it is one that whoever made a record may break on it.
func (k Kind) maker(rule string) (string, bool) {
	if k == Own && (Deletes(rule) || slices.ContainsFunc(changing[:], func(begin string) bool { return strings.HasPrefix(rule, begin) })) {
		return "", false
	}
	return rule, rule != ""
}

// changing begin the rules of what changes a record and does not delete it.
var changing = [...]string{"close account or revoke", "cancel", "reset"}

// Deletes reports whether a rule is one of those by which something is deleted.
func Deletes(rule string) bool { return strings.HasPrefix(strings.ToLower(rule), "delete") }

// Cause describes why a request is sent.
type Cause struct {
	Kind      Kind
	ByAct     bool   // an act of ours came before it on its page
	UnderTest bool   // it goes to an origin under test
	Record    string // of [Others]: what names the record in addresses; "": any record
}

// ForeignRule is the rule by which acts send nothing to an origin that nobody named.
const ForeignRule = "an act writes only to origins under test"

// productionChange is the rule by which nothing is changed on a production host.
const productionChange = "a change on a production host"

// ByActs returns a guard that heeds who acts: what a person wrote is permitted, what a
// page sends without an act passes, and acts write to origins under test only. Without
// it, all requests are judged alike.
func (g *Guard) ByActs() *Guard {
	out := *g
	out.byActs = true
	return &out
}

// HeedsActs reports whether the guard was made by [Guard.ByActs].
func (g *Guard) HeedsActs() bool { return g.byActs }

// RequestOf reports the rule by which a request is stopped in view of its cause.
func (g *Guard) RequestOf(r Request, c Cause) (rule string, blocked bool) {
	r.Method = strings.ToUpper(r.Method)
	switch {
	case r.Message:
		rule = g.messageRule(r, c)
		return rule, rule != ""
	case c.Kind == Others && c.ByAct && r.changes(c.Record):
		return g.OnlyReading().Request(r)
	case !g.byActs:
		return g.Request(r)
	}
	if rule := g.ownRule(r); rule != "" {
		return rule, true
	}
	if rule := g.productionRule(r); rule != "" {
		return rule, true
	}
	switch {
	case c.Kind == Written, !c.ByAct:
		return "", false
	case !g.readOnly && !c.UnderTest && !g.allows(r) && writesElsewhere(r):
		return ForeignRule, true
	}
	rule, _ = g.Request(r)
	if rule, blocked = c.Kind.maker(rule); !blocked && g.readOnly && !g.allows(r) && !onlyReads(r) {
		return ReadOnlyRule, true
	}
	return rule, blocked
}

// messageRule returns the rule by which a message of a WebSocket is stopped, "" for none.
// What it says is not known, so that one to an origin under test always passes.
func (g *Guard) messageRule(r Request, c Cause) string {
	if rule := g.ownRule(r); rule != "" {
		return rule
	}
	switch {
	case g.allows(r):
		return ""
	case r.Production:
		return productionChange
	case g.byActs && c.ByAct && c.Kind != Written && !c.UnderTest:
		return ForeignRule
	}
	return ""
}

// ActOf reports the rule by which activating an element is destructive, in view of who
// acts.
func (g *Guard) ActOf(e Element, kind Kind) (rule string, destructive bool) {
	if g.byActs && kind == Written {
		return g.ownAct(e)
	}
	rule, destructive = g.Act(e)
	if g.byActs && destructive {
		return kind.maker(rule)
	}
	return rule, destructive
}

// writesElsewhere reports whether a request to an origin that nobody named may change
// something there.
func writesElsewhere(r Request) bool {
	return knownMethods[r.Method] != Reads || !isKnown(r.Method)
}

func isKnown(method string) bool {
	_, known := knownMethods[method]
	return known
}

// ownAct judges an element by the caller's own rules alone.
func (g *Guard) ownAct(e Element) (rule string, destructive bool) {
	for _, name := range e.Names {
		if rule := g.ownName(forms(name)); rule != "" {
			return rule, true
		}
	}
	for _, r := range e.Requests {
		r.Method = strings.ToUpper(r.Method)
		if rule := g.ownRule(r); rule != "" {
			return rule, true
		}
		if rule := g.productionRule(r); rule != "" {
			return rule, true
		}
	}
	return "", false
}

// productionRule returns the rule by which a request is stopped because it goes to a
// production host, "" for none.
func (g *Guard) productionRule(r Request) string {
	if !r.Production || g.allows(r) {
		return ""
	}
	effect, rule := Judge(r)
	switch effect {
	case Reads:
		return ""
	case Removes:
		return rule
	}
	return productionChange
}

// Opening reports the rule by which opening an address is destructive.
func (g *Guard) Opening(address string) (rule string, blocked bool) {
	return g.Request(Request{Method: http.MethodGet, URL: address})
}

// Names reports whether an address names a record: as a part of its path, or as a value of
// its query.
func Names(address, record string) bool {
	u, err := url.Parse(address)
	if err != nil || record == "" {
		return true
	}
	if slices.Contains(strings.Split(u.Path, "/"), record) {
		return true
	}
	for _, values := range u.Query() {
		if slices.Contains(values, record) {
			return true
		}
	}
	return false
}

// changes reports whether a request may change a record: it replaces or removes
// something, or its address or its body names the record.
func (r Request) changes(record string) bool {
	return r.Method != http.MethodPost || Names(r.URL, record) || hasWord(r.Body, record)
}

// hasWord reports whether a body of any form has a text that is no part of a longer word
// or number.
func hasWord(body []byte, word string) bool {
	part := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for rest := body; ; {
		i := bytes.Index(rest, []byte(word))
		if i < 0 {
			return false
		}
		before, _ := utf8.DecodeLastRune(rest[:i])
		after, _ := utf8.DecodeRune(rest[i+len(word):])
		if !part(before) && !part(after) {
			return true
		}
		rest = rest[i+len(word):]
	}
}
