package flowpage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
)

// A field that reads differently is looked at until it has had time to format.
const (
	filledLooks = 10
	filledPoll  = 100 * time.Millisecond
)

// comparer compares what a field holds with what was typed there, as a browser.Session does.
type comparer interface {
	CompareFilled(ctx context.Context, selector string, typed input.Typing) (browser.Filled, error)
}

// NotTaken says why a field did not take what was typed into it (B15): it is empty, or
// holds other letters or digits; a password must be the same to the letter. A text that
// is only formatted was taken, unless exact is set. note says what else is to be told of
// the field, such as that it could not be looked at. Both are empty where the field has
// gone meanwhile. Neither holds the text of a field that withholds it.
func NotTaken(ctx context.Context, s comparer, selector string, typed input.Typing, acted browser.Acted, exact bool) (why string, note pagetext.Sentence, err error) {
	if acted.Value.Equal(typed.Text) || acted.URLFrom != "" {
		return "", "", nil
	}
	for looks := 1; ; looks++ {
		held, err := s.CompareFilled(ctx, selector, typed)
		switch {
		case ctx.Err() != nil:
			return "", "", ctx.Err()
		case err != nil:
			return "", unverified(err), nil
		}
		why, note = judgeFilled(held, exact)
		if why == "" || looks > filledLooks {
			return why, note, nil
		}
		if err := wait.For(ctx, filledPoll); err != nil {
			return "", "", err
		}
	}
}

// unverified returns the note of a field that could not be looked at.
func unverified(err error) pagetext.Sentence {
	reason := pagetext.Sentencef("%v", err)
	if ours, ok := errors.AsType[*explain.Error](err); ok {
		reason = ours.Message
	}
	return "what the field holds could not be verified: " + reason
}

// judgeFilled says in what a field's text is another one than what was typed, or, where
// that is no fault, what is to be noted.
func judgeFilled(held browser.Filled, exact bool) (why string, note pagetext.Sentence) {
	text := "another text (it is withheld)"
	if !held.Withheld {
		text = fmt.Sprintf("%.60q", held.Value)
	}
	switch {
	case held.Match == browser.MatchNone || held.Match == browser.MatchEqual:
		return "", ""
	case held.Match != browser.MatchFormatted && held.Loose && !exact:
		return "", "what the field holds could not be verified: it may show something else than it took"
	case held.Match == browser.MatchEmpty:
		return "the field is empty after typing: the page did not take the text", ""
	case exact:
		return "the field holds " + text + ", and exact is set", ""
	case held.Match == browser.MatchOther && held.Withheld:
		return "the field holds another text than was typed (it is withheld): the page cut or changed it", ""
	case held.Match == browser.MatchOther:
		return "the field holds " + text + ", which has other letters or digits: the page did not take the text", ""
	case held.Withheld:
		return "", "the field holds the text in another form (it is withheld)"
	}
	return "", ""
}
