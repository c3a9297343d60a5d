package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// theirHands know the tools of @playwright/mcp. An element is the ref that the
// last snapshot gave it.
type theirHands struct{}

func (theirHands) call(s step, page string) (toolCall, error) {
	var ref string
	if s.role != "" {
		line := regexp.MustCompile(`(?m)^ *- '?` + regexp.QuoteMeta(fmt.Sprintf("%s %q", s.role, s.name)) + `.*?\[ref=(\w+)\]`)
		found := line.FindStringSubmatch(page)
		if found == nil {
			return toolCall{}, fmt.Errorf("the last snapshot has no %s %q:\n%s", s.role, s.name, page)
		}
		ref = found[1]
	}
	element := s.name + " " + s.role
	switch s.verb {
	case open:
		return toolCall{"browser_navigate", map[string]any{"url": s.value}}, nil
	case look:
		return toolCall{"browser_snapshot", map[string]any{}}, nil
	case fill:
		return toolCall{"browser_type", map[string]any{"element": element, "target": ref, "text": s.value}}, nil
	case press:
		return toolCall{"browser_click", map[string]any{"element": element, "target": ref}}, nil
	case choose:
		return toolCall{"browser_select_option", map[string]any{"element": element, "target": ref, "values": []string{s.value}}}, nil
	case check:
		return toolCall{"browser_verify_element_visible", map[string]any{"role": s.role, "accessibleName": s.name}}, nil
	case console:
		return toolCall{"browser_console_messages", map[string]any{"level": "info"}}, nil
	case shoot:
		return toolCall{"browser_take_screenshot", map[string]any{"type": "png", "scale": "css"}}, nil
	}
	return toolCall{}, fmt.Errorf("@playwright/mcp has no tool for it")
}

func (theirHands) passed(a answer) bool { return strings.Contains(a.text, "### Result\nDone") }

// packageVersion is the version in the package.json beside a program.
func packageVersion(program string) string {
	var p struct{ Version string }
	text, err := os.ReadFile(filepath.Join(filepath.Dir(program), "package.json"))
	if err != nil || json.Unmarshal(text, &p) != nil || p.Version == "" {
		return "of unknown version"
	}
	return p.Version
}
