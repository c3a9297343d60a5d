package explore

import (
	"testing"

	"github.com/assay-qa/assay/browser/scan"
)

// Req 0032/1: a field that offers a list is a text as others are where a person can type into it:
// what others wrote there is not replaced, and a form that has it is none for a new record.
func TestFieldsWithListsHoldWhatOthersWrote(t *testing.T) {
	field := func(tag, value string, opens, readOnly bool) scan.Element {
		return scan.Element{Tag: tag, Role: "combobox", Name: "Owner", Form: 1, IsVisible: true, Field: &scan.Field{Value: value, Filled: value != "", Opens: opens, ReadOnly: readOnly}}
	}
	note := scan.Element{Tag: "textarea", Role: "textbox", Name: "Note", Form: 1, IsVisible: true, Field: &scan.Field{}}
	for name, one := range map[string]struct {
		first       scan.Element
		edits, news bool
	}{
		"a text with a list":         {field("input", "Alice", true, false), true, false},
		"a text":                     {field("input", "Alice", false, false), true, false},
		"a list whose words are set": {field("div", "Alice", true, false), false, true},
		"a list that takes no text":  {field("input", "Alice", true, true), false, true},
		"nothing yet":                {field("input", "", true, false), false, true},
	} {
		page := scan.Page{URL: "http://a.test/projects/website", Elements: []scan.Element{one.first, note}, Forms: []scan.Form{{Method: "POST", Action: "http://a.test/projects/website"}}}
		v := &view{page: page}
		r := newRecords("http://a.test/")
		if got := r.edits(v, 1); got != one.edits {
			t.Errorf("%s: the form edits what others wrote: %t, want %t", name, got, one.edits)
		}
		if got := asksForNew(&v.page, 1); got != one.news {
			t.Errorf("%s: the form asks for something new: %t, want %t", name, got, one.news)
		}
	}
}
