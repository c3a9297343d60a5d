package assertion

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/tools/engine"
)

// ofTraffic looks at what the session's pages sent.
func ofTraffic(ctx context.Context, k Checker, a qa.Assertion, _ string) (qa.Observation, error) {
	window := k.Window
	if _, err := k.Session.State(ctx); err != nil { // a round trip: what the page sent is in
		return qa.Observation{}, err
	}
	if a.Type == qa.ResponseStatus || a.Type == qa.ResponseOK {
		answer, err := k.Session.Answered(a.URL, window)
		if err == nil && answer.Status == 0 && answer.Outcome == "" {
			err = lost(answer.Lost)
		}
		o := qa.Observation{Status: answer.Status, Others: answer.Outcome}
		if answer.Before != 0 && o.Others == "" {
			o.Others = fmt.Sprintf("%s it answered %d", before(window), answer.Before)
		}
		return o, err
	}
	asked, err := k.Session.Requested(a.Expected, window)
	if err == nil && asked.Came == 0 {
		err = lost(asked.Lost)
	}
	o := qa.Observation{Came: asked.Came}
	if o.Came > 0 {
		return o, err
	}
	var told []string
	for _, other := range asked.Others {
		told = append(told, other.Method+" "+other.URL+" "+other.Outcome)
	}
	if asked.Before > 0 {
		told = append(told, fmt.Sprintf("%d %s", asked.Before, before(window)))
	}
	o.Others = strings.Join(told, ", ")
	return o, err
}

func before(w browser.Window) string {
	if w == browser.SinceAct {
		return "before the last act"
	}
	return "before this page"
}

// lost returns the error of a question to which the answer is no longer kept.
func lost(requests int) error {
	if requests == 0 {
		return nil
	}
	return &engine.Error{Code: code.Timeout, Message: pagetext.Sentencef("%d requests of this page are no longer kept, and the one asked for may be among them", requests),
		Hint: "check right after the act, or look at what it shows"}
}
