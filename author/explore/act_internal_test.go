package explore

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser/guard"
)

// changing is a page whose field "Place" is gone.
type changing struct {
	Page
	done []string
}

func (c *changing) Do(_ context.Context, a Act) (Effect, error) {
	if a.Selectors[0] == "Place" {
		return Effect{}, &Gone{Cause: errors.New("no element matches")}
	}
	c.done = append(c.done, a.Selectors[0])
	return Effect{}, nil
}

// A field that is gone once others are filled is left out, but not where a value breaks a rule:
// it may be that of the field, and then nothing has broken it.
func TestFieldsThatAreGone(t *testing.T) { // Req 0032/1
	element := func(name string) site.Element {
		return site.Element{Name: name, Locators: []site.Locator{{Selector: name, Matches: 1}}}
	}
	button := element("Create")
	for invalid, taken := range map[string]bool{"": true, allEmpty: true, "Place: maxlength 3": false} {
		p := &changing{}
		e := &explorer{page: p, records: newRecords("http://a.test/"), o: Options{Log: slog.New(slog.DiscardHandler)}}
		a := site.Action{Kind: site.Submit, Element: &button, Invalid: invalid, Fields: []site.Field{{Element: element("Kind")}, {Element: element("Place")}, {Element: element("Note")}}}
		_, err := e.doFirst(t.Context(), &a, guard.Explored)
		if (err == nil) != taken || slices.Contains(p.done, "Create") != taken || taken && len(a.Fields) != 2 {
			t.Errorf("%q: %v, did %v, %d fields are left", invalid, err, p.done, len(a.Fields))
		}
	}
}
