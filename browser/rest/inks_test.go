package rest_test

import (
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/rest"
)

// Which texts that are seen no more have gone as announcements go; newest first.
func TestWentAway(t *testing.T) {
	t.Parallel()
	saved := func(live string, gone, replaced bool) rest.Ink {
		return rest.Ink{Text: "Saved", Fits: true, Live: live, Gone: gone, Replaced: replaced}
	}
	for name, tt := range map[string]struct {
		inks []rest.Ink
		went bool
	}{
		"a toast":                               {[]rest.Ink{saved("toast", true, false)}, true},
		"a status":                              {[]rest.Ink{saved("status", true, false)}, true},
		"an alert that tells of success":        {[]rest.Ink{saved("alert", true, false)}, true},
		"it stands":                             {[]rest.Ink{saved("status", false, false)}, false},
		"plain words":                           {[]rest.Ink{saved("", true, false)}, false},
		"another text in its place":             {[]rest.Ink{{Text: "Not saved", Live: "status"}, saved("status", true, true)}, false},
		"an alert after it":                     {[]rest.Ink{{Text: "Could not save", Live: "alert"}, saved("toast", true, false)}, false},
		"an alert before it":                    {[]rest.Ink{saved("toast", true, false), {Text: "Unsaved changes", Live: "alert", Gone: true}}, true},
		"another toast after it":                {[]rest.Ink{{Text: "Synced", Live: "toast"}, saved("toast", true, false)}, true},
		"said twice, and taken back the second": {[]rest.Ink{saved("status", true, true), saved("status", true, false)}, false},
		"never seen":                            {nil, false},
	} {
		if _, went := rest.WentAway(tt.inks); went != tt.went {
			t.Errorf("%s: %v, want %v", name, went, tt.went)
		}
	}
}

// Which texts were a state of before that what was asserted later has followed; newest first.
func TestSuperseded(t *testing.T) {
	t.Parallel()
	ink := func(text string, place, around int, gone bool) rest.Ink {
		return rest.Ink{Text: text, Place: place, Around: around, Gone: gone, Fits: text == "Processing", Later: text == "Done"}
	}
	for name, tt := range map[string]struct {
		inks []rest.Ink
		want bool
	}{
		"the block says what was asserted later":      {[]rest.Ink{ink("Done", 1, 9, false), ink("Processing", 1, 9, true)}, true},
		"another block in its place":                  {[]rest.Ink{ink("Done", 2, 9, false), ink("Processing", 1, 9, true)}, true},
		"it says something else":                      {[]rest.Ink{ink("Refused", 1, 9, false), ink("Processing", 1, 9, true)}, false},
		"something else came after what was asserted": {[]rest.Ink{ink("Refused", 1, 9, false), ink("Done", 1, 9, true), ink("Processing", 1, 9, true)}, false},
		"beside it, long after it went":               {[]rest.Ink{{Text: "Done", Place: 2, Around: 9, Later: true}, {Text: "Processing", Place: 1, Around: 9, Fits: true, Gone: true, Went: time.Second}}, false},
		"what was asserted later stands elsewhere":    {[]rest.Ink{ink("Done", 3, 8, false), ink("Processing", 1, 9, true)}, false},
		"nothing in its place":                        {[]rest.Ink{ink("Processing", 1, 9, true)}, false},
		"it stands still":                             {[]rest.Ink{ink("Done", 2, 9, false), ink("Processing", 1, 9, false)}, false},
		"it stood before, too":                        {[]rest.Ink{ink("Processing", 1, 9, true), ink("Done", 1, 9, true)}, false},
		"never seen":                                  {nil, false},
	} {
		if _, got := rest.Superseded(tt.inks); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
