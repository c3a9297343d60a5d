package selectors

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pattern"
)

const maxChars = 2000

// Accepted holds the hint of every refusal.
const Accepted = `use a line of a snapshot such as button "Sign in", button "Delete" [2], row "A-1" column "Status" or frame "Payment" > textbox "Card"; ` +
	`or CSS, //xpath, text=…, role=button[name="…"], testid=…, label=…`

// Error reports why a text is no selector.
type Error struct {
	Selector string // empty where that is the reason
	Reason   string
}

// Error quotes the beginning of the selector.
func (e *Error) Error() string {
	if e.Selector == "" {
		return e.Reason
	}
	s := e.Selector
	if r := []rune(s); len(r) > 120 {
		s = string(r[:120]) + "…"
	}
	return fmt.Sprintf("selector %q: %s", s, e.Reason)
}

// Refuse returns the error of a text that is no selector.
func Refuse(s, format string, args ...any) error {
	return &Error{Selector: s, Reason: fmt.Sprintf(format, args...)}
}

// Selector holds a parsed selector: the frames to enter, outermost first, and
// what to look for in the last of them.
type Selector struct {
	Frames []Line
	Parts  []Part // joined by >>; never empty
}

// Parse reads a selector of any accepted form. A line of a snapshot
// is taken whole: its indentation and what it says about the element's state
// are skipped, so a stored line stays good when the state changes.
func Parse(s string) (Selector, error) {
	if err := checkSelectorText(s); err != nil {
		return Selector{}, err
	}
	rest := strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, s))
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "- "), " ")
	var t Selector
	for {
		more, err := t.parsePart(s, &rest)
		if err != nil {
			return Selector{}, err
		}
		if !more {
			return t, nil
		}
	}
}

func checkSelectorText(s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return &Error{Reason: "the selector is empty"}
	case !utf8.ValidString(s):
		return Refuse(s, "it is not valid UTF-8")
	case utf8.RuneCountInString(s) > maxChars:
		return Refuse(s, "it is longer than %d characters", maxChars)
	}
	for _, r := range s {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return Refuse(s, "it contains the control character %U", r)
		}
	}
	return nil
}

// parsePart takes one part off rest and reports whether another must follow.
func (s *Selector) parsePart(whole string, rest *string) (bool, error) {
	line, after, ok, err := ScanLine(*rest)
	if err != nil {
		return false, Refuse(whole, "%v", err)
	}
	if !ok {
		piece, tail, more, err := cutChain(*rest)
		if err != nil {
			return false, Refuse(whole, "%v", err)
		}
		part, err := parseQuery(piece)
		if err != nil {
			return false, Refuse(whole, "%v", err)
		}
		s.Parts, *rest = append(s.Parts, part), tail
		return more, nil
	}
	*rest = strings.TrimLeft(after, " ")
	chained := strings.HasPrefix(*rest, ">>")
	nested := !chained && strings.HasPrefix(*rest, ">")
	switch {
	case (nested || chained) && line.Role == "frame" && len(s.Parts) == 0:
		s.Frames = append(s.Frames, line)
	case nested:
		return false, Refuse(whole, "only frames can stand before >; name the element itself, with its [n] if there are several")
	case chained || *rest == "" || isDecoration(*rest):
		s.Parts = append(s.Parts, Part{Line: &line})
	default:
		return false, Refuse(whole, "%q can't follow %s", *rest, line)
	}
	*rest = strings.TrimLeft(*rest, "> ")
	return nested || chained, nil
}

// decorationStart matches the beginning of the part of a printed line that no
// selector needs.
var decorationStart = pattern.New(`^(?::|\((?:not readable|not ` +
	`entered)|\[(?:checked|disabled|expanded|collapsed|selected|sorted|pressed|required|readonly|invalid|current|focused|match|icon |level=|options:|files?: |not seen: ))`)

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
	unquotedText = pattern.New(`^ *(?:text|testid|label) *=.`)
	chainOption  = pattern.New(`^(?:nth *= *-?[0-9]+|visible *= *(?:true|false))$`)
	engineBody   = pattern.New(`^([A-Za-z_0-9+:*-]+) *=(.*)$`)
	xpathStart   = pattern.New(`^(?:\(*//|\.\.)`)
	bareWord     = pattern.New(`^[a-z]+$`)
)

// engines lists the words that may stand before = in a selector.
var engines = []string{"css", "xpath", "text", "role", "testid", "label", "nth", "visible"}

// parseQuery reads one part of a chain that is not a snapshot line with a name.
func parseQuery(piece string) (Part, error) {
	piece = strings.TrimSpace(piece)
	switch m := engineBody.FindStringSubmatch(piece); {
	case piece == "":
		return Part{}, fmt.Errorf("a part of it is empty")
	case m != nil && !slices.Contains(engines, m[1]):
		return Part{}, fmt.Errorf("%s= is not one of the accepted kinds", m[1])
	case m != nil && strings.TrimSpace(m[2]) == "":
		return Part{}, fmt.Errorf("nothing follows %s=", m[1])
	case m != nil && (m[1] == "nth" || m[1] == "visible") && !chainOption.MatchString(piece):
		return Part{}, fmt.Errorf("%q is neither nth= with a number nor visible= with true or false", piece)
	case m != nil:
		return Part{Engine: m[1], Body: strings.TrimSpace(m[2])}, nil
	case xpathStart.MatchString(piece):
		return Part{Engine: "xpath", Body: piece}, nil
	case isQuotedText(piece):
		return Part{Engine: "text", Body: piece}, nil
	case bareWord.MatchString(piece) && slices.Contains(lineRoles, piece) && !slices.Contains(tagRoles, piece):
		return Part{Line: &Line{Role: piece}}, nil
	default:
		return Part{Engine: "css", Body: piece, bare: true}, nil
	}
}

func isQuotedText(s string) bool {
	_, ok := Unquote(s)
	return ok
}
