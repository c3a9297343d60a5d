package peer

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/bench/wire"
)

// ourHands know assay's tools. An element is a line of the last snapshot.
type ourHands struct{}

func (ourHands) call(s step, page string) (wire.Call, error) {
	selector := fmt.Sprintf("%s %q", s.role, s.name)
	if s.role != "" && !strings.Contains(page, selector) {
		return wire.Call{}, fmt.Errorf("the last snapshot has no %s:\n%s", selector, page)
	}
	switch s.verb {
	case open:
		return wire.Call{Name: "page_navigate", Arguments: map[string]any{"url": s.value}}, nil
	case look:
		return wire.Call{Name: "page_snapshot", Arguments: map[string]any{}}, nil
	case fill:
		return wire.Call{Name: "page_fill", Arguments: map[string]any{"selector": selector, "value": s.value}}, nil
	case press:
		return wire.Call{Name: "page_click", Arguments: map[string]any{"selector": selector}}, nil
	case choose:
		return wire.Call{Name: "page_select", Arguments: map[string]any{"selector": selector, "option": s.value}}, nil
	case check:
		return wire.Call{Name: "verify_assertion", Arguments: map[string]any{"selector": selector, "assertion": map[string]any{"type": "visible"}}}, nil
	case reads:
		return wire.Call{Name: "verify_assertion", Arguments: map[string]any{"assertion": map[string]any{"type": "text_contains", "expected": s.value}}}, nil
	case console:
		return wire.Call{Name: "page_get_console_logs", Arguments: map[string]any{}}, nil
	case shoot:
		return wire.Call{Name: "page_screenshot", Arguments: map[string]any{}}, nil
	}
	return wire.Call{}, fmt.Errorf("assay has no tool for it")
}

func (ourHands) passed(a wire.Answer) bool {
	var result struct {
		StructuredContent struct {
			Data struct{ Passed bool }
		}
	}
	return json.Unmarshal(a.Result, &result) == nil && result.StructuredContent.Data.Passed
}

// flowCall returns the whole flow as one call, in a fresh context, without the
// watch at its end, which neither of the others has.
func flowCall(site string) wire.Call {
	var steps []map[string]any
	for _, s := range flowSteps() {
		selector := fmt.Sprintf("%s %q", s.role, s.name)
		switch s.verb {
		case fill:
			steps = append(steps, map[string]any{"action": "fill", "selector": selector, "value": s.value})
		case press:
			steps = append(steps, map[string]any{"action": "click", "selector": selector})
		case choose:
			steps = append(steps, map[string]any{"action": "select", "selector": selector, "option": s.value})
		case check:
			steps = append(steps, map[string]any{"action": "assert", "selector": selector, "assertion": map[string]any{"type": "visible"}})
		case reads:
			steps = append(steps, map[string]any{"action": "assert", "assertion": map[string]any{"type": "text_contains", "expected": s.value}})
		}
	}
	return wire.Call{Name: "verify_user_flow", Arguments: map[string]any{"name": "sign in and look", "start_url": site + "/login", "steps": steps, "watch_ms": 0}}
}

// flowPassed reads the outcome of a flow.
func flowPassed(a wire.Answer) error {
	var flow struct {
		Success        bool
		StepsCompleted int `json:"steps_completed"`
		Screenshots    []json.RawMessage
	}
	if err := a.Data(&flow); err != nil {
		return err
	}
	if want := len(flowSteps()); !flow.Success || flow.StepsCompleted != want || len(flow.Screenshots) < want {
		return fmt.Errorf("the flow did not pass with %d steps and pictures: %s", want, a.Text)
	}
	return nil
}
