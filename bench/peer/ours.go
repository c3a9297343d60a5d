package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// ourHands know assay's tools. An element is a line of the last snapshot.
type ourHands struct{}

func (ourHands) call(s step, page string) (toolCall, error) {
	selector := fmt.Sprintf("%s %q", s.role, s.name)
	if s.role != "" && !strings.Contains(page, selector) {
		return toolCall{}, fmt.Errorf("the last snapshot has no %s:\n%s", selector, page)
	}
	switch s.verb {
	case open:
		return toolCall{"page_navigate", map[string]any{"url": s.value}}, nil
	case look:
		return toolCall{"page_snapshot", map[string]any{}}, nil
	case fill:
		return toolCall{"page_fill", map[string]any{"selector": selector, "value": s.value}}, nil
	case press:
		return toolCall{"page_click", map[string]any{"selector": selector}}, nil
	case choose:
		return toolCall{"page_select", map[string]any{"selector": selector, "option": s.value}}, nil
	case check:
		return toolCall{"verify_assertion", map[string]any{"selector": selector, "assertion": map[string]any{"type": "visible"}}}, nil
	case console:
		return toolCall{"page_get_console_logs", map[string]any{}}, nil
	case shoot:
		return toolCall{"page_screenshot", map[string]any{}}, nil
	}
	return toolCall{}, fmt.Errorf("assay has no tool for it")
}

func (ourHands) passed(a answer) bool {
	var result struct {
		StructuredContent struct {
			Data struct{ Passed bool }
		}
	}
	return json.Unmarshal(a.result, &result) == nil && result.StructuredContent.Data.Passed
}
