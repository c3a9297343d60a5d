package gemini

import (
	"strconv"
	"strings"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/internal/pattern"
)

// facts describes what depends on a model (https://ai.google.dev/gemini-api/docs,
// as of 2026-11).
type facts struct {
	modern   bool // Gemini 3: a schema may stand beside tools
	pictures bool // in function responses
	computer bool // has a computer tool
	early    bool // that tool has click_at and type_text_at, not of click and type
}

var version = pattern.New(`^gemini-(\d+)(?:\.(\d+))?-`)

// about returns the facts by a model's name. What the name does not show is taken
// to be missing: each of it can be done without.
func about(model string) facts {
	model = strings.TrimPrefix(model, "models/")
	found := version.FindStringSubmatch(model + "-")
	if found == nil {
		return facts{}
	}
	major, _ := strconv.Atoi(found[1]) // digits
	minor, _ := strconv.Atoi(found[2]) // digits or nothing
	recent := major > 3 || major == 3 && minor >= 5
	early := !recent && (strings.Contains(model, "computer-use") || strings.HasPrefix(model, "gemini-3-flash"))
	return facts{modern: major >= 3, pictures: major >= 3 || early, computer: recent || early, early: early}
}

// schema reports whether the answer's text can be held to a schema while there
// are tools: before Gemini 3, and beside the computer tool, a request with both
// is refused.
func (f facts) schema(c agent.Connection) bool {
	return f.modern && (!f.computer || !c.Computer)
}

// excluded returns the predefined functions that we have a tool for, or nothing.
func (f facts) excluded() []string {
	if f.early {
		return []string{"open_web_browser", "search", "navigate", "go_back", "go_forward"}
	}
	return []string{"navigate", "go_back", "go_forward", "triple_click", "mouse_down", "mouse_up", "key_down", "key_up"}
}
