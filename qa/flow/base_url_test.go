package flow_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// A relative address is appended to the base URL, which keeps its path (A10).
func TestJoin(t *testing.T) {
	for _, tc := range []struct{ base, address, want string }{
		{"https://h.test", "/login", "https://h.test/login"},
		{"https://h.test/app/", "/login?x=1#top", "https://h.test/app/login?x=1#top"},
		{"https://h.test/app", "/", "https://h.test/app/"},
		{"https://h.test/app", "?x=1", "https://h.test/app?x=1"},
		{"https://h.test/app", "/a%2Fb", "https://h.test/app/a%2Fb"},
		{"https://h.test/app", "/é", "https://h.test/app/%C3%A9"},
		{"https://h.test/app", "https://other.test/x", "https://other.test/x"},
		{"https://h.test/app", "//other.test/x", "//other.test/x"},
		{"https://h.test/app", "login", "login"},
		{"", "/login", "/login"},
		{"https://h.test/app", "", ""},
	} {
		if got, err := flow.Join(tc.base, tc.address); err != nil || got != tc.want {
			t.Errorf("%q and %q: %q, %v; want %q", tc.base, tc.address, got, err, tc.want)
		}
	}
	if _, err := flow.Join("https://h.test", "/%zz"); err == nil {
		t.Error("an address that is none")
	}
}

func TestBelow(t *testing.T) {
	f := flow.Flow{StartURL: "/login", Steps: []qa.FlowStep{{Action: "navigate", URL: "/next"}, {Action: "navigate", URL: "?page=2"}, {Action: "click"}}}
	got, problems := f.Below("https://h.test/app").Resolve("https://h.test/app")
	if len(problems) > 0 || got.StartURL != "https://h.test/app/login" || got.Steps[0].URL != "https://h.test/app/next" || got.Steps[1].URL != "https://h.test/app/login?page=2" || got.Steps[2].URL != "" {
		t.Errorf("%+v, %v", got, problems)
	}
	if f.StartURL != "/login" || f.Steps[0].URL != "/next" {
		t.Errorf("the flow itself was changed: %+v", f)
	}
	if got := f.Below("https://h.test"); got.StartURL != "/login" {
		t.Errorf("without a path: %q", got.StartURL)
	}
}

// Req 0033/A: what lies below a base is relative to it, and joined with it the same again; what only
// looks so stays.
func TestRelative(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ base, address, want string }{
		{"http://shop.test", "http://shop.test/a?b=1#c", "/a?b=1#c"}, {"http://shop.test/", "http://shop.test", "/"}, {"http://shop.test/app/", "http://shop.test/app/orders", "/orders"},
		{"http://shop.test", "http://shop.test?q=1", "?q=1"}, {"http://shop.test", "http://shop.test:81/a", "http://shop.test:81/a"}, {"http://shop.test", "http://shop.test.evil/a", "http://shop.test.evil/a"},
		{"http://shop.test/app", "http://shop.test/apple", "http://shop.test/apple"}, {"http://shop.test", "http://shop.test//other.test/a", "http://shop.test//other.test/a"},
		{"http://shop.test", "/a", "/a"}, {"", "http://shop.test/a", "http://shop.test/a"}, {"http://shop.test", "", ""},
	} {
		f := flow.Flow{StartURL: one.address, Steps: []qa.FlowStep{{Action: "navigate", URL: one.address}}}
		got := f.Relative(one.base)
		if got.StartURL != one.want || got.Steps[0].URL != one.want || f.Steps[0].URL != one.address {
			t.Errorf("%s below %s: %q and %q, want %q", one.address, one.base, got.StartURL, got.Steps[0].URL, one.want)
		}
		again, err := flow.Join(one.base, got.StartURL)
		if err != nil || one.address != "" && one.address[0] != '/' && strings.TrimSuffix(again, "/") != strings.TrimSuffix(one.address, "/") {
			t.Errorf("%q joined with %s again: %q, %v", got.StartURL, one.base, again, err)
		}
	}
}
