package site

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/assay-qa/assay/tools/tool"
)

// ExamplesFile holds the examples of the tools' pages, below the top of the tree.
const ExamplesFile = "packaging/site/examples.json"

//go:embed examples.json
var examplesJSON []byte

// Example is a call of a tool and what it answered. Those of the file are one conversation,
// in its order: TestExamplesOfTheTools in e2e has it with the built program and a browser.
type Example struct {
	Tool      string          `json:"tool"`
	About     string          `json:"about"`             // what the call is for, in a sentence
	Arguments json.RawMessage `json:"arguments"`         // a text ${TOOL.FIELD} is a field of that tool's last answer
	NotRun    string          `json:"not_run,omitempty"` // why no test has this call answered; it has no answer then
	Text      []string        `json:"text,omitempty"`    // the lines that a model reads
	Answer    any             `json:"answer,omitempty"`  // the structured content; what varies in both is put in one form
}

// Examples returns the examples, each of a tool of the catalogue. A tool without one is an error.
func Examples(catalogue []tool.Tool) ([]Example, error) {
	var all []Example
	if err := json.Unmarshal(examplesJSON, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", ExamplesFile, err)
	}
	for i, e := range all {
		switch {
		case !slices.ContainsFunc(catalogue, func(t tool.Tool) bool { return t.Definition.Name == e.Tool }):
			return nil, fmt.Errorf("%s: example %d is of the tool %q, which the catalogue does not have: take it away", ExamplesFile, i+1, e.Tool)
		case e.About == "":
			return nil, fmt.Errorf("%s: example %d (%s) does not say in about what the call is for", ExamplesFile, i+1, e.Tool)
		}
	}
	for _, t := range catalogue {
		name := t.Definition.Name
		if !slices.ContainsFunc(all, func(e Example) bool { return e.Tool == name }) {
			return nil, fmt.Errorf("%s: the tool %s has no example: add a call, or one with not_run and the reason, and run: go test ./e2e -run ExamplesOfTheTools -update", ExamplesFile, name)
		}
	}
	return all, nil
}
