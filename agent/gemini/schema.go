package gemini

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// keywords lists what the API reads of a JSON Schema (the doc comment of
// GenerationConfig.responseJsonSchema). It refuses some others.
const keywords = "$anchor $defs $id $ref additionalProperties anyOf description enum format items maxItems maximum minItems minimum oneOf " +
	"prefixItems properties propertyOrdering required title type"

// dialect reduces a JSON Schema to the subset that the API reads.
func dialect(raw json.RawMessage) (agent.Schema, error) {
	s, err := agent.ReadSchema(raw)
	if err != nil {
		return nil, fmt.Errorf("gemini: a schema can't be read: %w", err)
	}
	agent.Dialect{Words: strings.Fields(keywords)}.Reduce(s)
	agent.EachSchema(s, func(s agent.Schema) {
		for _, word := range []string{"properties", "$defs"} {
			if named, ok := s[word].(agent.Schema); ok && len(named) == 0 { // an object that is open has none
				delete(s, word)
			}
		}
	})
	return s, nil
}
