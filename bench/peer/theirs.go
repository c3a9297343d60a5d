package peer

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/assay-qa/assay/bench/wire"
)

// theirHands know the tools of @playwright/mcp. An element is the ref that the
// last snapshot gave it.
type theirHands struct{}

func (theirHands) call(s step, page string) (wire.Call, error) {
	var ref string
	if s.role != "" {
		line := regexp.MustCompile(`(?m)^ *- '?` + regexp.QuoteMeta(fmt.Sprintf("%s %q", s.role, s.name)) + `.*?\[ref=(\w+)\]`)
		found := line.FindStringSubmatch(page)
		if found == nil {
			return wire.Call{}, fmt.Errorf("the last snapshot has no %s %q:\n%s", s.role, s.name, page)
		}
		ref = found[1]
	}
	element := s.name + " " + s.role
	switch s.verb {
	case open:
		return wire.Call{Name: "browser_navigate", Arguments: map[string]any{"url": s.value}}, nil
	case look:
		return wire.Call{Name: "browser_snapshot", Arguments: map[string]any{}}, nil
	case fill:
		return wire.Call{Name: "browser_type", Arguments: map[string]any{"element": element, "target": ref, "text": s.value}}, nil
	case press:
		return wire.Call{Name: "browser_click", Arguments: map[string]any{"element": element, "target": ref}}, nil
	case choose:
		return wire.Call{Name: "browser_select_option", Arguments: map[string]any{"element": element, "target": ref, "values": []string{s.value}}}, nil
	case check:
		return wire.Call{Name: "browser_verify_element_visible", Arguments: map[string]any{"role": s.role, "accessibleName": s.name}}, nil
	case reads:
		return wire.Call{Name: "browser_verify_text_visible", Arguments: map[string]any{"text": s.value}}, nil
	case console:
		return wire.Call{Name: "browser_console_messages", Arguments: map[string]any{"level": "info"}}, nil
	case shoot:
		return wire.Call{Name: "browser_take_screenshot", Arguments: map[string]any{"type": "png", "scale": "css"}}, nil
	}
	return wire.Call{}, fmt.Errorf("@playwright/mcp has no tool for it")
}

func (theirHands) passed(a wire.Answer) bool { return strings.Contains(a.Text, "### Result\nDone") }

// packageVersion returns the version in the package.json beside a program.
func packageVersion(program string) string {
	var p struct{ Version string }
	text, err := os.ReadFile(filepath.Join(filepath.Dir(program), "package.json"))
	if err != nil || json.Unmarshal(text, &p) != nil || p.Version == "" {
		return "of unknown version"
	}
	return p.Version
}
