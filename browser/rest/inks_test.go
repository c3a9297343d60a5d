package rest_test

import (
	"testing"

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
