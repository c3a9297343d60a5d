package openai

import "strings"

// What is known of models by their names, as of November 2026. A name that is
// not known, such as that of Azure's deployments, is taken for a new model's.

// hasComputer reports whether a model takes the tool {"type":"computer"}:
// those from GPT-5.4 on. computer-use-preview has one of its own, which is
// retired.
func hasComputer(model string) bool {
	switch {
	case isGeneration(model, "gpt-5"), strings.HasPrefix(model, "gpt-5.4-nano"), strings.HasPrefix(model, "computer-use-preview"):
		return false
	}
	for _, old := range []string{"gpt-3.5", "gpt-4", "chatgpt-", "o1", "o3", "o4", "codex-", "gpt-5.1", "gpt-5.2", "gpt-5.3"} {
		if isGeneration(model, old) {
			return false
		}
	}
	return true
}

// reasons reports whether a model has a reasoning phase: the others refuse a
// request for encrypted reasoning.
func reasons(model string) bool {
	for _, plain := range []string{"gpt-3.5", "gpt-4", "chatgpt-", "gpt-5-chat"} {
		if isGeneration(model, plain) {
			return false
		}
	}
	return true
}

// isGeneration reports whether a model is of a generation: gpt-5-mini is of
// gpt-5, and gpt-5.4 is not.
func isGeneration(model, generation string) bool {
	rest, found := strings.CutPrefix(model, generation)
	return found && (rest == "" || generation != "gpt-5" || rest[0] == '-')
}
