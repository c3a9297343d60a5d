package auth

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/assay-qa/assay/internal/pattern"
)

// storageState holds the fields of a Playwright storage state that are checked.
type storageState struct {
	Cookies []struct {
		Name     string  `json:"name"`
		Value    string  `json:"value"`
		Expires  float64 `json:"expires"` // Unix seconds; -1 for as long as the browser runs
		HTTPOnly bool    `json:"httpOnly"`
	} `json:"cookies"`
	Origins []struct {
		LocalStorage []struct{ Name, Value string } `json:"localStorage"`
		IndexedDB    []json.RawMessage              `json:"indexedDB"`
	} `json:"origins"`
	Assay notes `json:"assay"`
}

func parse(state []byte) (storageState, error) {
	var s storageState
	if err := json.Unmarshal(state, &s); err != nil {
		return s, fmt.Errorf("it is no storage state: %w", err)
	}
	return s, nil
}

// Empty reports whether a state holds nothing: no cookie, no local storage and
// no database.
func Empty(state []byte) bool {
	s, err := parse(state)
	if err != nil {
		return true
	}
	for _, o := range s.Origins {
		if len(o.LocalStorage)+len(o.IndexedDB) > 0 {
			return false
		}
	}
	return len(s.Cookies) == 0
}

// Address returns the page that the sign-in led to, or "" if the state says none.
func Address(state []byte) string {
	s, err := parse(state)
	if err != nil {
		return ""
	}
	return s.Assay.Address
}

// WithAddress notes in a state the page that the sign-in led to.
func WithAddress(state []byte, address string) ([]byte, error) {
	return withNotes(state, func(n *notes) { n.Address = address })
}

// Refused returns the requests of that page that were refused right after the sign-in, as
// method and address: they are refused to the role.
func Refused(state []byte) []string {
	s, err := parse(state)
	if err != nil {
		return nil
	}
	return s.Assay.Refused
}

// WithRefused notes them in a state.
func WithRefused(state []byte, requests []string) ([]byte, error) {
	return withNotes(state, func(n *notes) { n.Refused = requests })
}

// OffersSignIn reports whether that page offered to sign in right after the sign-in; nil if the
// state does not say.
func OffersSignIn(state []byte) *bool {
	s, err := parse(state)
	if err != nil {
		return nil
	}
	return s.Assay.OffersSignIn
}

// WithOffersSignIn notes it in a state.
func WithOffersSignIn(state []byte, offers bool) ([]byte, error) {
	return withNotes(state, func(n *notes) { n.OffersSignIn = &offers })
}

// notes holds what we note in a state.
type notes struct {
	Address      string   `json:"address"`
	Refused      []string `json:"refused,omitempty"`
	OffersSignIn *bool    `json:"offersSignIn,omitempty"`
}

func withNotes(state []byte, note func(*notes)) ([]byte, error) {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(state, &parts); err != nil {
		return nil, fmt.Errorf("it is no storage state: %w", err)
	}
	var n notes
	if old := parts["assay"]; old != nil {
		if err := json.Unmarshal(old, &n); err != nil {
			return nil, fmt.Errorf("its notes can't be read: %w", err)
		}
	}
	note(&n)
	text, err := json.Marshal(n)
	if err != nil {
		return nil, err
	}
	parts["assay"] = text
	return json.Marshal(parts)
}

// Until returns when the first cookie of a state that has an end ends; false when
// none has: then it is the site that decides. What has ended already when the
// state was taken is no part of it.
func Until(state []byte) (time.Time, bool) {
	s, err := parse(state)
	if err != nil {
		return time.Time{}, false
	}
	first := 0.0
	for _, c := range s.Cookies {
		if c.Expires > 0 && (first == 0 || c.Expires < first) {
			first = c.Expires
		}
	}
	return time.Unix(int64(first), 0).UTC(), first > 0
}

// Bounds on the values that are kept out of texts.
const (
	minSecret  = 8   // characters; shorter ones are found in every text
	minRandom  = 16  // characters of a value that no name marks as a secret
	maxSecrets = 200 // the longest first: each one is looked for in all that is said
	maxSecret  = 4096
)

// Secrets returns the values of a state that let others act as the role: those of
// cookies, and what looks like a token in local storage and IndexedDB. Values
// that are words, numbers, dates or addresses are none: they stand on the page
// for everybody. Long ones come in parts.
func Secrets(state []byte) []string {
	s, err := parse(state)
	if err != nil {
		return nil
	}
	found := map[string]bool{}
	for _, c := range s.Cookies {
		collect(found, c.Name, c.Value, c.HTTPOnly)
	}
	for _, o := range s.Origins {
		for _, item := range o.LocalStorage {
			collect(found, item.Name, item.Value, false)
		}
		for _, db := range o.IndexedDB {
			walk(found, "", db)
		}
	}
	values := slices.Collect(maps.Keys(found))
	slices.SortFunc(values, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return values[:min(maxSecrets, len(values))]
}

// collect notes a value if it is a secret, or what is one within it: storage
// holds JSON, cookies hold values in percent code.
func collect(found map[string]bool, name, value string, marked bool) {
	if text := strings.TrimSpace(value); strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") || strings.HasPrefix(text, `"`) {
		if json.Valid([]byte(text)) {
			walk(found, name, json.RawMessage(text))
			return
		}
	}
	if !secret(value, marked || namesSecret.MatchString(name)) {
		return
	}
	for ; len(value) > maxSecret; value = value[maxSecret:] {
		found[value[:maxSecret]] = true
	}
	if len(value) >= minSecret {
		found[value] = true
	}
}

// walk looks for secrets in JSON. Playwright writes a member that is not plain
// JSON as {k: name, v: value}.
func walk(found map[string]bool, name string, data json.RawMessage) {
	var v any
	if json.Unmarshal(data, &v) == nil {
		walkValue(found, name, v)
	}
}

func walkValue(found map[string]bool, name string, v any) {
	switch v := v.(type) {
	case string:
		collect(found, name, v, false)
	case []any:
		for _, item := range v {
			walkValue(found, name, item)
		}
	case map[string]any:
		if k, ok := v["k"].(string); ok && v["v"] != nil && len(v) == 2 {
			walkValue(found, k, v["v"])
			return
		}
		for key, item := range v {
			if key == "keyPath" || key == "keyPathArray" {
				continue
			}
			inner := key
			switch key {
			case "value", "valueEncoded", "v", "o", "a": // Playwright's own
				inner = name
			}
			walkValue(found, inner, item)
		}
	}
}

var namesSecret = pattern.New(`(?i)token|secret|auth|jwt|session|sid\b|passw|credential|api_?key|csrf|xsrf`)

// secret reports whether a value is one. marked says that its name implies it.
func secret(value string, marked bool) bool {
	if len(value) < minSecret || strings.ContainsFunc(value, func(r rune) bool { return r > unicode.MaxASCII || unicode.IsSpace(r) }) {
		return false
	}
	if plainValue.MatchString(value) {
		return marked && !address.MatchString(value) && slices.ContainsFunc(alnums.FindAllString(value, -1), func(run string) bool { return len(run) >= minRandom && different(run) >= 8 })
	}
	var lower, upper, digit bool
	for _, r := range value {
		lower, upper, digit = lower || unicode.IsLower(r), upper || unicode.IsUpper(r), digit || unicode.IsDigit(r)
	}
	mixed := digit && (lower || upper) || lower && upper
	if marked {
		return mixed && different(value) >= 5 || len(value) >= minRandom && different(value) >= 8
	}
	return len(value) >= minRandom && mixed && different(value) >= 8
}

// different counts the characters of a value, each one once.
func different(value string) int {
	seen := map[rune]bool{}
	for _, r := range value {
		seen[r] = true
	}
	return len(seen)
}

// plainValue matches what stands on pages and means no right: an address, a date, a
// number, words with hyphens. A random value looks like one now and then: it has no digit,
// nothing but digits, or begins with a slash. But no word is as long as it.
var plainValue = pattern.New(`^(?:[a-z]+://.*|/[\w./-]*|\d{4}-\d\d-\d\d(?:[T ].*)?|[-+]?[\d.,:]+(?:[eE][-+]?\d+)?|[A-Za-z]+(?:[-_ .][A-Za-z]+)*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)$`)

var (
	alnums  = pattern.New(`[A-Za-z0-9]+`)
	address = pattern.New(`^[a-z]+://|@`)
)
