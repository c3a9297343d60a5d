package anthropic

import "github.com/assay-qa/assay/internal/pattern"

// computerTool names a version of the provider's computer tool.
type computerTool string

const (
	toolset      computerTool = "computer_toolset_20260801"
	tool20251124 computerTool = "computer_20251124" // a beta
	tool20250124 computerTool = "computer_20250124" // a beta
)

// traits describes what a request to a model must look like.
type traits struct {
	computer computerTool
	adaptive bool // it chooses the length of its reasoning, if requested
	// binds: its thoughts are refused if anything before them has changed, unless
	// the request says that they may be dropped.
	binds bool
}

// older lists the models that differ from the newest, as of 2026-11-22; from the
// provider's pages on computer use, thinking and preserved thinking. A model that
// is not here counts as a new one.
var older = map[string]traits{
	"claude-sonnet-5":       {toolset, true, false},
	"claude-fable-5":        {toolset, true, false},
	"claude-mythos-5":       {toolset, true, false},
	"claude-opus-5":         {toolset, true, false},
	"claude-opus-4-8":       {toolset, true, false},
	"claude-opus-4-7":       {tool20251124, true, false},
	"claude-mythos-preview": {tool20251124, true, false},
	"claude-opus-4-6":       {tool20251124, true, false},
	"claude-sonnet-4-6":     {tool20251124, true, false},
	"claude-opus-4-5":       {tool20251124, false, false},
	"claude-haiku-4-5":      {tool20250124, false, false},
	"claude-sonnet-4-5":     {tool20250124, false, false},
}

// dated matches the end of a model's name that says which snapshot of it is
// meant.
var dated = pattern.New(`[-@]\d{8}$`)

func traitsOf(model string) traits {
	if k, found := older[dated.ReplaceAllString(model, "")]; found {
		return k
	}
	return traits{toolset, true, true}
}
