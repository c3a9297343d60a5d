package look

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// soon bounds how long a check waits on a page that stands still, in milliseconds.
const soon = 400

// drawn returns the source of the values that are drawn. It is the same in each run.
func drawn(kind string) *rand.Rand {
	seed := uint64(29)
	for _, c := range kind {
		seed = seed*31 + uint64(c)
	}
	return rand.New(rand.NewPCG(15, seed)) //nolint:gosec // values of a measure, the same each time
}

// assertion describes what verify_assertion is asked.
type assertion map[string]any

// holdsWithin asks verify_assertion in the session, in a time in milliseconds.
func holdsWithin(ms int, selector string, a assertion) question {
	arguments := map[string]any{"assertion": a, "timeout_ms": ms}
	if selector != "" {
		arguments["selector"] = selector
	}
	return onPage("verify_assertion", arguments, field("passed"))
}

// proves asks verify_assertion on a page that stands still.
func proves(selector string, a assertion) question { return holdsWithin(soon, selector, a) }

// toolCall describes a call in the middle of a run.
type toolCall struct {
	name      string
	arguments map[string]any
}

// expectation describes what a run must prove: a sentence, or a check beside it.
type expectation struct {
	text, selector string
	assertion      assertion
}

// runOf makes a run on the page: it opens it, makes the calls, has the expectation proved, and finishes. Addresses
// of a call that begin with "/" are those of the site. A finding alone is withFinding.
func runOf(e expectation, ms int, calls ...toolCall) question {
	return func(w *worker, page string) (outcome, string, error) {
		w.at = ""
		want := map[string]any{"text": e.text}
		if e.assertion != nil {
			want["assertion"] = e.assertion
		}
		if e.selector != "" {
			want["selector"] = e.selector
		}
		if a, err := w.call("run_start", map[string]any{"goal": "look at the page", "route": w.site + page, "expectations": []map[string]any{want}}); err != nil || !a.ok {
			return refused, short(a.Text), err
		}
		all := append([]toolCall{{"page_navigate", map[string]any{"url": page}}}, calls...)
		said := ""
		for _, c := range append(all, toolCall{"verify_assertion", map[string]any{"expects": []string{"E1"}, "timeout_ms": ms}}) {
			if address, ok := c.arguments["url"].(string); ok && strings.HasPrefix(address, "/") {
				c.arguments = map[string]any{"url": w.site + address}
			}
			a, err := w.call(c.name, c.arguments)
			if err != nil {
				return "", "", err
			}
			if said = a.Text; !a.ok && c.name != "verify_assertion" {
				_, _, err := w.ask("run_finish", nil, status)
				return refused, short(c.name + ": " + said), err
			}
		}
		o, finished, err := w.ask("run_finish", nil, statusAndFindings)
		return o, short(finished + " ‖ " + said), err
	}
}

// statusAndFindings reads how a run or flow ended. A finding alone is withFinding.
func statusAndFindings(data json.RawMessage) outcome {
	o := status(data)
	if o == passed && strings.Contains(string(data), `"severity"`) {
		return withFinding
	}
	return o
}

// flowOf runs a flow that begins on the page. A finding alone is withFinding.
func flowOf(steps ...step) question {
	return func(w *worker, page string) (outcome, string, error) {
		return w.ask("verify_user_flow", map[string]any{"name": "look", "start_url": w.site + page, "steps": steps}, statusAndFindings)
	}
}

// act returns the step of a flow that acts on an element.
func act(action, selector string) step { return step{"action": action, "selector": selector} }

// fill returns the step that fills a field.
func fill(selector, value string) step {
	return step{"action": "fill", "selector": selector, "value": value}
}

// click returns the call of a run that clicks.
func click(selector string) toolCall {
	return toolCall{"page_click", map[string]any{"selector": selector}}
}

// evaluated returns the call that runs a script of the caller's in the page.
func evaluated(script string) toolCall {
	return toolCall{"page_evaluate", map[string]any{"script": script}}
}

// contains returns the check that the page, or an element, contains a text.
func contains(text string) assertion { return assertion{"type": "text_contains", "expected": text} }

// denied returns the opposite of a check.
func denied(a assertion) assertion {
	out := assertion{"not": true}
	for k, v := range a {
		out[k] = v
	}
	return out
}

// among returns a member of a list, by turns.
func among[T any](list []T, i int) T { return list[i%len(list)] }

// wordsOf returns those of a line.
func wordsOf(line string) []string { return strings.Split(line, " | ") }

// listing wraps a body in a document of some language.
func listing(lang, title, body string) page {
	return page{body: fmt.Sprintf(`<!doctype html><html lang=%q><head><meta charset="utf-8"><title>%s</title><style>body{font:16px/1.5 Arial,sans-serif;margin:0;padding:24px;color:#222;background:#fff}</style></head><body>%s</body></html>`, lang, title, body)}
}
