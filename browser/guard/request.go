package guard

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// Request describes what a browser is about to send.
type Request struct {
	Method, URL string
	Header      http.Header // may be nil
	Body        []byte      // the beginning of it, at most [MaxBody]; nil where it is not known
	Production  bool        // it goes to a host of a production system
	Unread      bool        // its page never reads the answer: a beacon
	Message     bool        // of a WebSocket, of which only the address is known
}

// MessageMethod is the method of a [Request] that is a message of a WebSocket, for rules
// over "METHOD URL".
const MessageMethod = "MESSAGE"

// MaxBody bounds how much of a body is judged, in bytes.
const MaxBody = 256 << 10

// Effect classifies what a request does to the system that it is sent to, as far
// as its method and its words show.
type Effect int

// The effects, from the mildest.
const (
	Reads Effect = iota
	Creates
	Replaces
	Removes // or pays, changes credentials, closes an account
)

// knownMethods maps the methods whose effect is known: those that IANA's registry of
// methods calls safe, and those by which applications write. Any other one is stopped:
// PURGE, BAN and UNLINK remove, MOVE takes away from where it was, and so may an unknown
// one.
var knownMethods = map[string]Effect{
	"GET": Reads, "HEAD": Reads, "OPTIONS": Reads, "TRACE": Reads, "PROPFIND": Reads, "REPORT": Reads, "SEARCH": Reads, "QUERY": Reads,
	"CONNECT": Reads, // of a tunnel: what is sent in it is judged by itself
	"POST":    Creates, "PUT": Replaces, "PATCH": Replaces,
}

// Request reports the rule by which a request is destructive, if there is one.
// The address is judged as it is written and with its percent-encoding undone.
func (g *Guard) Request(r Request) (rule string, blocked bool) {
	r.Method = strings.ToUpper(r.Method)
	if rule := g.ownRule(r); rule != "" {
		return rule, true
	}
	effect, rule := Judge(r)
	if effect == Removes {
		return rule, true
	}
	switch {
	case g.allows(r):
	case g.readOnly && !onlyReads(r):
		return ReadOnlyRule, true
	case r.Production && effect != Reads:
		return productionChange, true
	}
	return "", false
}

// ownRule returns the caller's own rule that a request fits, "" for none.
func (g *Guard) ownRule(r Request) string {
	for _, own := range g.requests {
		if own.pattern.MatchString(r.Method+" "+r.URL) || own.pattern.MatchString(r.Method+" "+decoded(r.URL)) {
			return own.name
		}
	}
	return ""
}

// allows reports whether the caller's own rules let a request change something.
func (g *Guard) allows(r Request) bool {
	return slices.ContainsFunc(g.allowed, func(re *regexp.Regexp) bool { return re.MatchString(r.Method + " " + r.URL) })
}

// ReadOnlyRule is the rule by which a guard that is [Guard.OnlyReading] stops a
// request that does no more harm than any change.
const ReadOnlyRule = "only reading is permitted"

// onlyReads reports whether a request is certain to change nothing. What its path
// asks for is no certainty.
func onlyReads(r Request) bool {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		a := readAddress(r.URL)
		override, _ := overriding(r.Header, a.query)
		return override == "" || override == http.MethodGet || override == http.MethodHead
	case http.MethodPost:
		a := readAddress(r.URL)
		if override, _ := overriding(r.Header, a.query); override != "" && override != http.MethodGet {
			return false
		}
		return signsIn(a.path) && !signsOut(a.path) || readsByGraphQL(r)
	}
	return false
}

// readsByGraphQL reports whether a body is a GraphQL document without a mutation, or a
// batch of such documents.
func readsByGraphQL(r Request) bool {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	body := bytes.TrimSpace(r.Body)
	if kind == "application/graphql" {
		effect, _ := judgeDocument(string(body))
		return graphqlDocument.Match(body) && effect == Reads
	}
	if len(body) == 0 || len(body) > MaxBody {
		return false
	}
	type document struct {
		Query *string `json:"query"`
	}
	var all []document
	if body[0] == '{' {
		all = make([]document, 1)
		if err := json.Unmarshal(body, &all[0]); err != nil {
			return false
		}
	} else if err := json.Unmarshal(body, &all); err != nil {
		return false
	}
	for _, o := range all {
		if o.Query == nil || !graphqlDocument.MatchString(*o.Query) {
			return false
		}
		if effect, _ := judgeDocument(*o.Query); effect != Reads {
			return false
		}
	}
	return len(all) > 0
}

// Allowing returns a guard that lets requests change a production host which fit
// one of the regular expressions over "METHOD URL".
func (g *Guard) Allowing(patterns []string) (*Guard, error) {
	out := *g
	out.allowed = nil
	for _, p := range patterns {
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, fmt.Errorf("guard.allow_requests: %q: %w", p, err)
		}
		out.allowed = append(out.allowed, re)
	}
	return &out, nil
}

// Judge returns the effect of a request by the built-in rules, and the rule where
// it removes, pays or changes credentials.
func Judge(r Request) (effect Effect, rule string) {
	method := strings.ToUpper(r.Method)
	a := readAddress(r.URL)
	override, by := overriding(r.Header, a.query)
	if override != "" {
		if e, known := knownMethods[override]; !known {
			return Removes, by + strings.ToLower(override)
		} else if e > knownMethods[method] {
			method = override
		}
	}
	effect, known := knownMethods[method]
	if !known {
		return Removes, method
	}
	if rule := statedOperation(r.Header, a.query); rule != "" {
		return Removes, rule
	}
	if effect == Reads {
		if confirmed(a) {
			if rule := pathRule(a.path); rule != "" {
				return Removes, rule + ", confirmed"
			}
		}
		for _, at := range append(a.routes(), a) {
			if rule := linkRule(at); rule != "" {
				return Removes, rule
			}
		}
		return Reads, ""
	}
	for _, at := range append(a.routes(), a) {
		if rule := pathRule(at.path); rule != "" {
			return Removes, rule
		}
	}
	e, rule := judgeBody(r.Header.Get("Content-Type"), r.Body, bodyFacts{patches: method == http.MethodPatch, asks: asks(a.path)})
	if e == Removes {
		return Removes, rule
	}
	if e == Reads || asks(a.path) || signsIn(a.path) {
		return Reads, ""
	}
	return effect, ""
}

// overrideHeaders and overrideKeys say another method than the request's own.
var (
	overrideHeaders = []string{"X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "X-Http-Verb", "X-Original-Method"}
	overrideKeys    = []string{"_method", "method", "_httpmethod", "httpmethod", "http_method", "_http_method", "x-http-method-override", "x-http-method"}
	methodName      = pattern.New(`^[A-Za-z]{3,12}$`)
	removingMethods = []string{"DELETE", "PURGE", "BAN", "UNLINK", "UNBIND", "DESTROY", "REMOVE"}
)

func overriding(h http.Header, values url.Values) (method, by string) {
	for _, name := range overrideHeaders {
		if v := strings.TrimSpace(h.Get(name)); methodName.MatchString(v) {
			return strings.ToUpper(v), name + "="
		}
	}
	for key, all := range values {
		if !slices.Contains(overrideKeys, strings.ToLower(key)) {
			continue
		}
		for _, v := range all {
			v = strings.ToUpper(strings.TrimSpace(v))
			if _, known := knownMethods[v]; known || slices.Contains(removingMethods, v) {
				return v, strings.ToLower(key) + "="
			}
		}
	}
	return "", ""
}

// operationKeys name what is done, in queries, forms and JSON.
var operationKeys = []string{"action", "act", "do", "op", "oper", "operation", "operationname", "cmd", "command", "method", "_method",
	"func", "function", "task", "intent", "verb", "mutation", "procedure", "mode", "sub_action", "subaction", "bulk_action", "batch_action"}

// namesOperation reports whether a key's value is what is done: action, enrollment_action.
func namesOperation(key string) bool {
	return slices.Contains(operationKeys, strings.ToLower(strings.TrimRight(key, "[]"))) || slices.Contains(operationKeys[:3], lastOf(lowerWords(key)))
}

// statedOperation finds an operation in what stands beside the body.
func statedOperation(h http.Header, query url.Values) string {
	for key, all := range query {
		for _, v := range all {
			if namesOperation(key) {
				if rule := operationRule(v); rule != "" {
					return key + " " + rule
				}
			}
			if slices.Contains(statements, strings.ToLower(key)) && statement.MatchString(v) {
				return "a statement that removes"
			}
			if strings.EqualFold(key, "query") && strings.Contains(v, "mutation") {
				if rule := mutationRule(v); rule != "" {
					return rule
				}
			}
		}
	}
	if v := h.Get("SOAPAction"); v != "" {
		_, name, found := cutLast(strings.Trim(v, `"`), "#/:")
		if !found {
			name = strings.Trim(v, `"`)
		}
		if rule := operationRule(name); rule != "" {
			return "SOAPAction " + rule
		}
	}
	return ""
}

func cutLast(s, separators string) (before, after string, found bool) {
	i := strings.LastIndexAny(s, separators)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// confirmed reports whether the address of a GET carries a confirmation:
// ?confirm=yes.
func confirmed(a address) bool {
	for key, all := range a.query {
		k := strings.ToLower(key)
		if k == "confirm" || k == "confirmed" || k == "sure" || k == "_wpnonce" || k == "yes" {
			if v := strings.ToLower(all[0]); v != "no" && v != "0" && v != "false" {
				return true
			}
		}
	}
	return false
}

// unescaped undoes the percent-encoding. What is no escape, which browsers send
// as it is, stays: it must not hide the others.
func unescaped(address string) string {
	if !strings.Contains(address, "%") {
		return address
	}
	return escape.ReplaceAllStringFunc(address, func(e string) string {
		b, err := hex.DecodeString(e[1:])
		if err != nil {
			return e
		}
		return string(b)
	})
}

var escape = pattern.New(`%[0-9A-Fa-f]{2}`)
