package browser_test

import (
	"errors"
	"testing"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
)

// A filter is a search: a part will do. A pattern in it is a pattern as anywhere.
func TestCheckFilter(t *testing.T) {
	t.Parallel()
	for filter, ok := range map[string]bool{"": true, "kpi?range": true, "**/api/*": true, "re:a+": true, "re:[": false, "*/api": false} {
		err := browser.CheckFilter(filter)
		var e *explain.Error
		if ok != (err == nil) || !ok && (!errors.As(err, &e) || e.Code != explain.InvalidInput || e.Hint == "") {
			t.Errorf("CheckFilter(%q): %v", filter, err)
		}
	}
	if !browser.MatchURL("/a", "http://h/a/") || browser.MatchURL("/a", "http://h/ab") || browser.MatchURL("a", "http://h/a") {
		t.Error("MatchURL is not what address.Pattern says")
	}
}
