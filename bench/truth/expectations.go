package truth

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"

	"github.com/BurntSushi/toml"
)

// check describes a look at a page that a sentence stands for, in the words of an
// assertion. An empty selector is the page.
type check struct {
	Selector  string `toml:"selector" json:"selector"`
	Type      string `toml:"type" json:"type"`
	Expected  string `toml:"expected" json:"expected,omitempty"`
	Not       bool   `toml:"not" json:"not,omitempty"`
	Attribute string `toml:"attribute" json:"attribute,omitempty"`
	URL       string `toml:"url" json:"url,omitempty"`
	Other     string `toml:"other" json:"other,omitempty"` // of comes_before: what comes later
	Order     string `toml:"order" json:"order,omitempty"` // of sorted_by: ascending or descending
	As        string `toml:"as" json:"as,omitempty"`       // of sorted_by: number, date or text

	alike      []string // further selectors of the same subject
	wholeWords bool     // what is looked for is no part of a word
}

// expectation pairs a sentence with its meaning.
type expectation struct {
	Sentence string    `toml:"sentence" json:"sentence"`
	Language string    `toml:"language" json:"language"`
	Kind     string    `toml:"kind" json:"kind"`
	Split    string    `toml:"split" json:"split"`
	Claims   []check   `toml:"claims" json:"claims"`
	Or       [][]check `toml:"or" json:"or,omitempty"`
	Note     string    `toml:"note" json:"note,omitempty"`
}

// The splits: a reader may be made by the first, and is measured by the second.
const (
	dev     = "dev"
	heldOut = "held-out"
)

//go:embed expectations.toml
var expectationsFile string

// loadExpectations reads the file, and refuses what would be counted wrongly.
func loadExpectations() ([]expectation, error) {
	var file struct {
		Expectation []expectation `toml:"expectation"`
	}
	meta, err := toml.Decode(expectationsFile, &file)
	if err != nil {
		return nil, fmt.Errorf("expectations.toml: %w", err)
	}
	var errs []error
	for _, key := range meta.Undecoded() {
		errs = append(errs, fmt.Errorf("expectations.toml: nobody knows the key %s", key))
	}
	seen := map[string]bool{}
	for _, e := range file.Expectation {
		if seen[e.Sentence] {
			errs = append(errs, fmt.Errorf("%q is there twice", e.Sentence))
		}
		seen[e.Sentence] = true
		if e.Split != dev && e.Split != heldOut {
			errs = append(errs, fmt.Errorf("%q: split is %q", e.Sentence, e.Split))
		}
		for _, reading := range append(slices.Clone(e.Or), e.Claims) {
			for _, c := range reading {
				if !slices.Contains(types(), c.Type) {
					errs = append(errs, fmt.Errorf("%q: there is no type %q", e.Sentence, c.Type))
				}
			}
		}
	}
	return file.Expectation, errors.Join(errs...)
}

// types returns those that a meaning may have: the assertion types of the
// contract, figures, and what people write and no type has.
func types() []string {
	return []string{"exists", "visible", "hidden", "in_viewport", "checked", "indeterminate", "enabled", "editable", "focused", "empty", "expanded", "pressed",
		"text_contains", "text_equals", "text_matches", "value_equals", "values_equal", "selected_label", "count_equals", "count_at_least", "count_at_most",
		"attribute_equals", "class_contains", "css_equals", "role_equals", "name_equals", "description_equals", "error_message_equals", "title_equals", "url_matches",
		"response_ok", "response_status", "console_clean", "request_made", "downloaded", "dialog_shown", "popup_opened", "number_compared", "sorted_by", "comes_before",
		"kpi", "title_contains", "value_contains"}
}
