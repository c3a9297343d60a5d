package guard

import (
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// graphqlDocument finds a text that is a GraphQL document and not somebody's
// question: an operation or a selection at its beginning.
var graphqlDocument = pattern.New(`^(?:\s|#[^\n]*\n|,)*(?:\{|(?:query|mutation|subscription|fragment)\b[^{]*\{)`)

// judgeDocument judges a GraphQL document: what it removes by the names of its
// mutations' fields, and Reads where it has no mutation.
func judgeDocument(document string) (Effect, string) {
	if rule := mutationRule(document); rule != "" {
		return Removes, rule
	}
	for field := range mutationFields(document) {
		_ = field
		return Creates, ""
	}
	return Reads, ""
}

// mutationRule returns the rule that a mutation of a document fits, "" for none.
func mutationRule(document string) string {
	for field := range mutationFields(document) {
		if rule := operationRule(field); rule != "" {
			return "mutation " + field + ": " + rule
		}
	}
	return ""
}

var graphqlTokens = pattern.New(`#[^\n]*|"""(?s:.*?)"""|"(?:[^"\\]|\\.)*"|\.\.\.|[_A-Za-z][_0-9A-Za-z]*|[{}()\[\]:@$!]`)

// mutationFields yields the names of the fields that a document's mutations ask
// for, those with arguments within them, and those of fragments on the type Mutation. Aliases, arguments, texts
// and comments are none.
func mutationFields(document string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		if !strings.Contains(strings.ToLower(document), "mutation") {
			return
		}
		tokens := graphqlTokens.FindAllString(document, -1)
		depth, parens, inMutation := 0, 0, false
		for i, token := range tokens {
			next := ""
			if i+1 < len(tokens) {
				next = tokens[i+1]
			}
			switch {
			case token[0] == '#' || token[0] == '"':
			case token == "(":
				parens++
			case token == ")":
				parens--
			case parens > 0:
			case token == "{":
				depth++
			case token == "}":
				if depth--; depth == 0 {
					inMutation = false
				}
			case depth == 0 && (token == "mutation" || strings.EqualFold(token, "Mutation") && i > 0 && tokens[i-1] == "on"):
				inMutation = true
			case (depth == 1 || depth > 1 && next == "(") && inMutation && isName(token) && next != ":" && (i == 0 || tokens[i-1] != "@" && tokens[i-1] != "..." && tokens[i-1] != "$"):
				if !yield(token) {
					return
				}
			}
		}
	}
}

func isName(token string) bool {
	return token[0] == '_' || asciiLetter(token[0])
}
