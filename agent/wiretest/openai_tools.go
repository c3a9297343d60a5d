package wiretest

import (
	"encoding/json"
	"fmt"
	"slices"
)

// functionTool is a tool on offer.
type functionTool struct {
	Type       string
	Name       string
	Strict     *bool
	Parameters any
}

// tools judges the tools on offer and names them.
func (p *openAI) tools(raw []json.RawMessage, q *request) {
	for i, r := range raw {
		var t functionTool
		if err := json.Unmarshal(r, &t); err != nil {
			q.problems = append(q.problems, fmt.Sprintf("tools/%d: %v", i, err))
			continue
		}
		switch t.Type {
		case "function":
			q.problems = append(q.problems, t.judge(p.wire == Azure)...)
		case "computer":
			q.seen.Computer = true
			t.Name = "computer"
		default:
			q.problems = append(q.problems, fmt.Sprintf("tools/%d is a %q: this server has function tools and computer", i, t.Type))
		}
		if slices.Contains(q.seen.Tools, t.Name) {
			q.problems = append(q.problems, "two tools are called "+t.Name)
		}
		q.seen.Tools = append(q.seen.Tools, t.Name)
	}
}

// judge finds what is wrong with a function tool.
func (t functionTool) judge(azure bool) []string {
	var out []string
	if !name(t.Name) {
		out = append(out, fmt.Sprintf("a tool can't be called %q", t.Name))
	}
	var broken []string
	switch {
	case t.Strict != nil && *t.Strict:
		broken = strict(t.Parameters)
	case azure:
		broken = allRequired(t.Parameters, "")
	}
	for _, b := range broken {
		out = append(out, "tool "+t.Name+": "+b)
	}
	return out
}
