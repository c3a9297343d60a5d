package tools

// The lists of tools leave out fields that few callers need. They are accepted, and
// the schemas that descriptions name have them.

// rareOfOracle lists those of an oracle.
func rareOfOracle(path string) []string {
	return below(path, "params", "map", "timeoutMs", "units", "selectors", "sums")
}

// rareOfAssertion lists those of an assertion outside of verify_assertion.
func rareOfAssertion(path string) []string {
	return below(path, "whole_words", "url", "op", "value", "order", "as", "other")
}

func below(path string, names ...string) []string {
	for i, name := range names {
		names[i] = path + "." + name
	}
	return names
}
