package browser_test

import (
	"errors"
	"testing"

	"github.com/assay-qa/assay/browser"
)

func TestMatchURL(t *testing.T) {
	const address = "http://localhost:3000/api/kpi?range=7d&a[]=1"
	for pattern, want := range map[string]bool{
		"":                     true,
		"/api/kpi":             true,
		"/api/KPI":             false,
		"kpi?range":            true, // ? stands for itself
		"a[]=1":                true,
		"*/api/*":              true,
		"*/api":                false, // a glob is about the whole address
		"http://*:3000/*":      true,
		"*":                    true,
		"*?range=7d*":          true,
		`re:kpi\?range=\d+d`:   true,
		"re:^https:":           false,
		"re:[":                 false, // CheckURLPattern says why
		"re:":                  true,
		`\`:                    false,
		"http://localhost:300": true,
		"\xff":                 false,
		"/api/kpi?range=7d*\n": false,
	} {
		if got := browser.MatchURL(pattern, address); got != want {
			t.Errorf("MatchURL(%q): got %v", pattern, got)
		}
	}
	for pattern, ok := range map[string]bool{"": true, "*": true, "re:a+": true, "re:[": false, "\xff": false} {
		err := browser.CheckURLPattern(pattern)
		var e *browser.Error
		if ok != (err == nil) || !ok && (!errors.As(err, &e) || e.Code != browser.InvalidInput) {
			t.Errorf("CheckURLPattern(%q): %v", pattern, err)
		}
	}
}

func FuzzMatchURL(f *testing.F) {
	f.Add("*/a?b*", "http://h/a?b=1")
	f.Add("re:(", "x")
	f.Fuzz(func(t *testing.T, pattern, address string) {
		if browser.MatchURL(pattern, address) && browser.CheckURLPattern(pattern) != nil {
			t.Error("a pattern that is none fits")
		}
		if pattern != "" && pattern == address && browser.CheckURLPattern(pattern) == nil && pattern[:1] != "r" && !browser.MatchURL(pattern, address) {
			t.Errorf("%q does not fit itself", pattern)
		}
	})
}
