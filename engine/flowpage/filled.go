package flowpage

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/wait"
)

// A field that reads differently is looked at until it has had time to format.
const (
	filledLooks = 10
	filledPoll  = 100 * time.Millisecond
)

// NotTaken says why a field did not take what was typed into it (B15): it is empty, or
// holds other letters or digits. A text that is only formatted was taken, unless exact
// is set. It returns "" where the field has gone meanwhile, or does not show what it
// holds.
func NotTaken(ctx context.Context, s *browser.Session, selector, typed string, acted browser.Acted, exact bool) (string, error) {
	if acted.Value == typed || acted.URLFrom != "" {
		return "", nil
	}
	for looks := 1; ; looks++ {
		state, err := s.Look(ctx, selector, browser.FactValue, "")
		if err != nil || state.Value == nil || state.Count != 1 {
			return "", ctx.Err() // an element that is gone proves nothing
		}
		why := differs(typed, *state.Value, exact)
		if why == "" || looks > filledLooks {
			return why, nil
		}
		if err := wait.For(ctx, filledPoll); err != nil {
			return "", err
		}
	}
}

// differs says in what a field's text is another one than what was typed.
func differs(typed, held string, exact bool) string {
	switch {
	case held == typed:
		return ""
	case strings.TrimSpace(held) == "" && strings.TrimSpace(typed) != "":
		return "the field is empty after typing: the page did not take the text"
	case exact:
		return fmt.Sprintf("the field holds %.60q, and exact is set", held)
	case essence(held) != essence(typed):
		return fmt.Sprintf("the field holds %.60q, which has other letters or digits: the page did not take the text", held)
	}
	return ""
}

// essence returns the letters and digits of a text: what formatting leaves.
func essence(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
