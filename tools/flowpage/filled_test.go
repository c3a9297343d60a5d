package flowpage_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/tools/flowpage"
)

// field answers as a page does whose field is looked at.
type field struct {
	held browser.Filled
	err  error
}

func (f field) CompareFilled(context.Context, string, input.Typing) (browser.Filled, error) {
	return f.held, f.err
}

// B15: what differs fails, what was only formatted or could not be looked at is noted, and
// what a field withholds is in neither.
func TestNotTaken(t *testing.T) {
	t.Parallel()
	const held = "other-4711"
	lost := &explain.Error{Code: explain.TimedOut, Message: "look at #f: the field does not answer"}
	for name, c := range map[string]struct {
		field
		exact     bool
		why, note string
	}{
		"equal":                {field{held: browser.Filled{Match: browser.MatchEqual}}, true, "", ""},
		"gone":                 {field{}, true, "", ""},
		"empty":                {field{held: browser.Filled{Match: browser.MatchEmpty, Withheld: true}}, false, "is empty after typing", ""},
		"other":                {field{held: browser.Filled{Match: browser.MatchOther, Value: held}}, false, held, ""},
		"withheld":             {field{held: browser.Filled{Match: browser.MatchOther, Withheld: true}}, false, "another text than was typed", ""},
		"formatted":            {field{held: browser.Filled{Match: browser.MatchFormatted, Value: held}}, false, "", ""},
		"formatted, exact":     {field{held: browser.Filled{Match: browser.MatchFormatted, Value: held}}, true, "exact is set", ""},
		"formatted, withheld":  {field{held: browser.Filled{Match: browser.MatchFormatted, Withheld: true}}, false, "", "in another form"},
		"withheld, exact":      {field{held: browser.Filled{Match: browser.MatchFormatted, Withheld: true}}, true, "exact is set", ""},
		"an editor":            {field{held: browser.Filled{Match: browser.MatchOther, Loose: true}}, false, "", "could not be verified"},
		"an editor, exact":     {field{held: browser.Filled{Match: browser.MatchOther, Loose: true, Value: held}}, true, held, ""},
		"no answer":            {field{err: lost}, false, "", "could not be verified: look at #f: the field does not answer"},
		"no answer, of others": {field{err: errors.New("odd")}, true, "", "could not be verified: odd"},
	} {
		why, note, err := flowpage.NotTaken(t.Context(), c.field, "#f", input.Typing{Text: "typed"}, browser.Acted{}, c.exact)
		if err != nil || (why == "") != (c.why == "") || (note == "") != (c.note == "") || !strings.Contains(why, c.why) || !note.Text().Contains(pagetext.Text(c.note)) {
			t.Errorf("%s: why %q, note %q, %v", name, why, note, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, note, err := flowpage.NotTaken(ended, field{err: lost}, "#f", input.Typing{Text: "typed"}, browser.Acted{}, false); !errors.Is(err, context.Canceled) || note != "" {
		t.Errorf("a call that has ended: note %q, %v", note, err)
	}
}
