package guard_test

import (
	"testing"

	"github.com/assay-qa/assay/browser/guard"
)

// A12: a button without a word, and one that only says "Yes", are judged by what
// stands around them; a name that says something else is believed.
func TestAct(t *testing.T) {
	g := newGuard(t, nil, nil)
	for what, test := range map[string]struct {
		element guard.Element
		stopped bool
	}{
		"an icon's class":           {guard.Element{Hints: []string{"icon-btn", "fa-solid fa-trash-can"}}, true},
		"an icon's picture":         {guard.Element{Names: []string{""}, Hints: []string{"wastebin3.svg"}}, true},
		"a private glyph":           {guard.Element{Names: []string{"\ue872"}, Hints: []string{"row-remove-user"}}, true},
		"a data attribute":          {guard.Element{Hints: []string{"data-testid member_delete"}}, true},
		"the code that it runs":     {guard.Element{Hints: []string{"eraseRow(3)"}}, true},
		"its form":                  {guard.Element{Requests: []guard.Request{{Method: "POST", URL: "http://a.test/members/3/destroy"}}}, true},
		"a name and its attribute":  {guard.Element{Names: []string{"Go"}, Requests: []guard.Request{{Method: "DELETE", URL: "http://a.test/3"}}}, true},
		"yes to a question":         {guard.Element{Names: []string{"Yes"}, Around: []string{"Remove Anna from the team?"}}, true},
		"yes in another language":   {guard.Element{Names: []string{"Подтвердить"}, Around: []string{"Удалить отчёт?"}}, true},
		"no to a question":          {guard.Element{Names: []string{"Keep it"}, Around: []string{"Remove Anna from the team?"}}, false},
		"yes to a harmless one":     {guard.Element{Names: []string{"OK"}, Around: []string{"Save the report?"}}, false},
		"a thing that is emptied":   {guard.Element{Hints: []string{"emptyMailbox(7)"}}, true},
		"a bin that is emptied":     {guard.Element{Hints: []string{"btn empty-trash"}}, true},
		"a table that is dropped":   {guard.Element{Hints: []string{"drop-table"}}, true},
		"a state of its value":      {guard.Element{Hints: []string{"new-todo ng-untouched ng-valid ng-not-empty ng-dirty"}}, false},
		"a state without a value":   {guard.Element{Hints: []string{"toggle is-empty"}}, false},
		"a place to drop things":    {guard.Element{Hints: []string{"file-drop"}}, false},
		"closing by an icon":        {guard.Element{Names: []string{"×"}, Hints: []string{"modal-close js-remove-modal"}}, false},
		"a chip's cross":            {guard.Element{Names: []string{"✕"}, Hints: []string{"filter-chip__remove"}}, false},
		"a name beside its class":   {guard.Element{Names: []string{"Show archive"}, Hints: []string{"btn-delete-style fa-trash"}}, false},
		"a link to the page of it":  {guard.Element{Names: []string{"Manage"}, Requests: []guard.Request{{Method: "GET", URL: "http://a.test/account/delete"}}}, false},
		"a link with what it hits":  {guard.Element{Names: []string{"Manage"}, Requests: []guard.Request{{Method: "GET", URL: "http://a.test/users/3/delete"}}}, true},
		"a link that acts":          {guard.Element{Names: []string{"Manage"}, Requests: []guard.Request{{Method: "GET", URL: "http://a.test/x?action=delete&id=3"}}}, true},
		"an element without a name": {guard.Element{}, false},
	} {
		if rule, hit := g.Act(test.element); hit != test.stopped {
			t.Errorf("%s: %q, %v; want %v", what, rule, hit, test.stopped)
		}
	}
}
