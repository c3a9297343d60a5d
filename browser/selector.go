package browser

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxSelectorChars = 2000

// acceptedSelectors is the hint of every refusal.
const acceptedSelectors = `use a line of page_snapshot such as button "Sign in", button "Delete" [2] or frame "Payment" > textbox "Card"; ` +
	`or CSS, //xpath, text=…, role=button[name="…"], testid=…, label=…`

// refusedSelector says why a text is no selector.
type refusedSelector struct {
	selector string // empty where that is the reason
	reason   string
}

// Error quotes the beginning of the selector.
func (e *refusedSelector) Error() string {
	if e.selector == "" {
		return e.reason
	}
	s := e.selector
	if r := []rune(s); len(r) > 120 {
		s = string(r[:120]) + "…"
	}
	return fmt.Sprintf("selector %q: %s", s, e.reason)
}

func badSelector(s, format string, args ...any) error {
	return &refusedSelector{selector: s, reason: fmt.Sprintf(format, args...)}
}

// selector is a parsed selector: the frames to enter, outermost first, and what
// to look for in the last of them.
type selector struct {
	hops  []snapshotLine
	parts []selectorPart // joined by >>; never empty
}

// parse reads a selector of any accepted form. A line of a snapshot
// is taken whole: its indentation and what it says about the element's state
// are skipped, so a stored line stays good when the state changes.
func parse(s string) (selector, error) {
	if err := checkSelectorText(s); err != nil {
		return selector{}, err
	}
	rest := strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, s))
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "- "), " ")
	var t selector
	for {
		more, err := t.parsePart(s, &rest)
		if err != nil {
			return selector{}, err
		}
		if !more {
			return t, nil
		}
	}
}

func checkSelectorText(s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return &refusedSelector{reason: "the selector is empty"}
	case !utf8.ValidString(s):
		return badSelector(s, "it is not valid UTF-8")
	case utf8.RuneCountInString(s) > maxSelectorChars:
		return badSelector(s, "it is longer than %d characters", maxSelectorChars)
	}
	for _, r := range s {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return badSelector(s, "it contains the control character %U", r)
		}
	}
	return nil
}

// parsePart takes one part off rest and reports whether another must follow.
func (t *selector) parsePart(whole string, rest *string) (bool, error) {
	line, after, ok, err := scanLine(*rest)
	if err != nil {
		return false, badSelector(whole, "%v", err)
	}
	if !ok {
		piece, tail, more, err := cutChain(*rest)
		if err != nil {
			return false, badSelector(whole, "%v", err)
		}
		part, err := parseQuery(piece)
		if err != nil {
			return false, badSelector(whole, "%v", err)
		}
		t.parts, *rest = append(t.parts, part), tail
		return more, nil
	}
	*rest = strings.TrimLeft(after, " ")
	chained := strings.HasPrefix(*rest, ">>")
	nested := !chained && strings.HasPrefix(*rest, ">")
	switch {
	case (nested || chained) && line.role == "frame" && len(t.parts) == 0:
		t.hops = append(t.hops, line)
	case nested:
		return false, badSelector(whole, "only frames can stand before >; name the element itself, with its [n] if there are several")
	case chained || *rest == "" || isDecoration(*rest):
		t.parts = append(t.parts, selectorPart{line: &line})
	default:
		return false, badSelector(whole, "%q can't follow %s", *rest, line)
	}
	*rest = strings.TrimLeft(*rest, "> ")
	return nested || chained, nil
}

// decorationStart is how the part of a printed line begins that no selector needs.
var decorationStart = regexp.MustCompile(`^(?::|\((?:not readable|not entered)|\[(?:checked|disabled|expanded|collapsed|selected|pressed|required|readonly|invalid|current|focused|match|icon |level=|options:))`)

func isDecoration(s string) bool { return decorationStart.MatchString(s) }

// cutChain cuts s at the first >> outside quotes, as Playwright does. A quote
// left open would swallow what is chained on later.
func cutChain(s string) (piece, rest string, found bool, err error) {
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\'' || c == '`') && !unquotedText.MatchString(s[:i]):
			quote = c
		case quote == 0 && c == '>' && strings.HasPrefix(s[i:], ">>"):
			return s[:i], strings.TrimLeft(s[i+2:], " "), true, nil
		}
	}
	if quote != 0 {
		return "", "", false, fmt.Errorf("a closing %c is missing", quote)
	}
	return s, "", false, nil
}

var (
	unquotedText = regexp.MustCompile(`^ *(?:text|testid|label) *=.`)
	chainOption  = regexp.MustCompile(`^(?:nth *= *-?[0-9]+|visible *= *(?:true|false))$`)
	engineBody   = regexp.MustCompile(`^([A-Za-z_0-9+:*-]+) *=(.*)$`)
	xpathStart   = regexp.MustCompile(`^(?:\(*//|\.\.)`)
	bareWord     = regexp.MustCompile(`^[a-z]+$`)
)

// selectorEngines are the words that may stand before = in a selector.
var selectorEngines = []string{"css", "xpath", "text", "role", "testid", "label", "nth", "visible"}

// parseQuery reads one part of a chain that is not a snapshot line with a name.
func parseQuery(piece string) (selectorPart, error) {
	piece = strings.TrimSpace(piece)
	switch m := engineBody.FindStringSubmatch(piece); {
	case piece == "":
		return selectorPart{}, fmt.Errorf("a part of it is empty")
	case m != nil && !slices.Contains(selectorEngines, m[1]):
		return selectorPart{}, fmt.Errorf("%s= is not one of the accepted kinds", m[1])
	case m != nil && strings.TrimSpace(m[2]) == "":
		return selectorPart{}, fmt.Errorf("nothing follows %s=", m[1])
	case m != nil && (m[1] == "nth" || m[1] == "visible") && !chainOption.MatchString(piece):
		return selectorPart{}, fmt.Errorf("%q is neither nth= with a number nor visible= with true or false", piece)
	case m != nil:
		return selectorPart{engine: m[1], body: strings.TrimSpace(m[2])}, nil
	case xpathStart.MatchString(piece):
		return selectorPart{engine: "xpath", body: piece}, nil
	case isQuotedText(piece):
		return selectorPart{engine: "text", body: piece}, nil
	case bareWord.MatchString(piece) && slices.Contains(lineRoles, piece) && !slices.Contains(tagRoles, piece):
		return selectorPart{line: &snapshotLine{role: piece}}, nil
	default:
		return selectorPart{engine: "css", body: piece}, nil
	}
}

func isQuotedText(s string) bool {
	_, ok := unwrapQuotes(s)
	return ok
}
