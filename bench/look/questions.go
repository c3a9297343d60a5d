package look

import (
	"encoding/json"
	"strings"

	"github.com/assay-qa/assay/qa/code"
)

// patience bounds how long a single check waits for what may not come.
const patience = 1500

// read turns a tool's answer into an outcome. holds reads its data.
func (a answer) read(holds func(data json.RawMessage) outcome) (outcome, string) {
	switch {
	case a.ok:
		return holds(a.data), short(a.Text)
	case a.code == code.InvalidInput || a.code == "":
		return refused, short(a.Text)
	default:
		return inconclusive, short(a.code + ": " + a.error)
	}
}

// field returns a check that a field of the data is true.
func field(name string) func(json.RawMessage) outcome {
	return func(data json.RawMessage) outcome {
		var fields map[string]json.RawMessage
		if json.Unmarshal(data, &fields) == nil && string(fields[name]) == "true" {
			return passed
		}
		return failed
	}
}

// status reads the field that says how a flow, a comparison or a run ended.
func status(data json.RawMessage) outcome {
	var s struct{ Status outcome }
	if json.Unmarshal(data, &s) != nil || s.Status == "" {
		return refused
	}
	return s.Status
}

// onPage opens the page in the worker's session and calls the tool.
func onPage(tool string, arguments map[string]any, holds func(json.RawMessage) outcome) question {
	return func(w *worker, page string) (outcome, string, error) {
		if err := w.open(page); err != nil {
			return "", "", err
		}
		return w.ask(tool, arguments, holds)
	}
}

func (w *worker) ask(tool string, arguments map[string]any, holds func(json.RawMessage) outcome) (outcome, string, error) {
	a, err := w.call(tool, arguments)
	if err != nil {
		return "", "", err
	}
	o, said := a.read(holds)
	return o, said, nil
}

// asserts asks verify_assertion in the session. An empty selector is the page.
func asserts(kind, selector, expected string) question {
	assertion := map[string]any{"type": kind}
	if expected != "" {
		assertion["expected"] = expected
	}
	arguments := map[string]any{"assertion": assertion, "timeout_ms": patience}
	if selector != "" {
		arguments["selector"] = selector
	}
	return onPage("verify_assertion", arguments, field("passed"))
}

func exists(selector string) question {
	return onPage("verify_element_exists", map[string]any{"selector": selector, "timeout_ms": patience}, field("passed"))
}

// step describes a step of a flow.
type step = map[string]any

// assertStep returns the step that asserts.
func assertStep(kind, selector, expected string) step {
	assertion := map[string]any{"type": kind}
	if expected != "" {
		assertion["expected"] = expected
	}
	s := step{"action": "assert", "assertion": assertion, "timeout_ms": patience}
	if selector != "" {
		s["selector"] = selector
	}
	return s
}

// flow runs a flow that begins on the page, in a context of its own.
func flow(success string, steps ...step) question {
	return func(w *worker, page string) (outcome, string, error) {
		arguments := map[string]any{"name": "look", "start_url": w.site + page, "steps": steps}
		if success != "" {
			arguments["success_condition"] = success
		}
		return w.ask("verify_user_flow", arguments, status)
	}
}

// loads calls verify_page_loads. A finding alone is withFinding.
func loads() question {
	return func(w *worker, page string) (outcome, string, error) {
		return w.ask("verify_page_loads", map[string]any{"url": w.site + page}, func(data json.RawMessage) outcome {
			o := field("success")(data)
			var d struct {
				ConsoleErrors []json.RawMessage `json:"console_errors"`
				Findings      []json.RawMessage
				Noticed       []json.RawMessage
			}
			if o == passed && json.Unmarshal(data, &d) == nil && len(d.ConsoleErrors)+len(d.Findings)+len(d.Noticed) > 0 {
				return withFinding
			}
			return o
		})
	}
}

// consoleErrors asks analyze_console_errors in a context of its own.
func consoleErrors() question {
	return func(w *worker, page string) (outcome, string, error) {
		return w.ask("analyze_console_errors", map[string]any{"url": w.site + page}, func(data json.RawMessage) outcome {
			if field("has_errors")(data) == passed {
				return failed
			}
			return passed
		})
	}
}

// kpis compares figures of the page.
func kpis(values, units map[string]string) question { return kpisWithin(3000, values, units, nil) }

// kpisWithin compares figures of the page in a time, in milliseconds. selectors lead from labels to values.
func kpisWithin(ms int, values, units, selectors map[string]string) question {
	spec := map[string]any{"type": "staticValues", "values": values}
	if len(units) > 0 {
		spec["units"] = units
	}
	arguments := map[string]any{"spec": spec, "timeout_ms": ms}
	if len(selectors) > 0 {
		arguments["selectors"] = selectors
	}
	return onPage("check_kpis", arguments, func(data json.RawMessage) outcome {
		var d struct {
			Passed   bool
			KPITable []struct{ Status string }
		}
		if json.Unmarshal(data, &d) != nil || len(d.KPITable) == 0 {
			return refused
		}
		if d.Passed {
			return passed
		}
		for _, row := range d.KPITable {
			if row.Status == "mismatch" || row.Status == "missing" {
				return failed
			}
		}
		return inconclusive
	})
}

// marked reads a snapshot: the text stands in it, and nothing says that it is
// not seen. A mark is whatever stands in brackets behind the line's own words.
func marked(text string) question {
	return onPage("page_snapshot", map[string]any{"max_chars": 20000}, func(data json.RawMessage) outcome {
		var d struct{ Outline string }
		if json.Unmarshal(data, &d) != nil {
			return refused
		}
		for line := range strings.Lines(d.Outline) {
			_, after, ok := strings.Cut(line, text)
			if ok && !unseenMark(after) {
				return passed
			}
		}
		return failed
	})
}

// unseenMark reports whether the end of an outline's line says that it is
// invisible.
func unseenMark(after string) bool {
	for _, word := range []string{"not seen", "unseen", "hidden", "transparent", "covered", "off-screen", "clipped", "invisible", "same colour", "no size", "too small", "under "} {
		if strings.Contains(after, word) {
			return true
		}
	}
	return false
}
