package health_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa/health"
)

// texts returns painted texts; a # makes one a heading.
func texts(lines ...string) (out []health.Text, words int) {
	for _, line := range lines {
		heading, ok := strings.CutPrefix(line, "#")
		t := health.Text{Text: heading, Tag: "p"}
		if ok {
			t.Level, t.Tag = 1, "h1"
		}
		out, words = append(out, t), words+len(heading)
	}
	return out, words
}

// Issue 14, item 4: the error pages of servers, gateways and frameworks are
// known by title and heading, whatever their status; neither alone is enough.
func TestErrorPages(t *testing.T) {
	data, err := os.ReadFile("testdata/error-pages.json")
	if err != nil {
		t.Fatal(err)
	}
	var pages []struct {
		Of, Title string
		Texts     []string
	}
	if err := json.Unmarshal(data, &pages); err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		f := health.Facts{Title: p.Title, Status: 200}
		f.Texts, f.Words = texts(p.Texts...)
		found := health.Judge(f, nil)
		if len(found) == 0 || found[0].Name != health.ErrorPage || !found[0].Certain {
			t.Errorf("%s: %+v", p.Of, found)
		}
		// The same title over a page of an application.
		f = health.Facts{Title: "Error budget", Status: 200, Controls: 12}
		f.Texts, f.Words = texts(append([]string{"#Incidents", "Seventeen of them in the last week, none of them open, and all of them told to the team."}, p.Texts...)...)
		for _, x := range health.Judge(f, nil) {
			if x.Certain && x.Name == health.ErrorPage {
				t.Errorf("%s within an application: %+v", p.Of, x)
			}
		}
	}
}

// A number in title and heading makes no error page.
func TestPagesNamedByNumbers(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"101 Dalmatians", "365 Days", "500 Miles", "404 Not Lost"} {
		f := health.Facts{Title: name, Status: 200}
		f.Texts, f.Words = texts("#"+name, "A film.")
		for _, x := range health.Judge(f, nil) {
			if x.Name == health.ErrorPage {
				t.Errorf("%s: %+v", name, x)
			}
		}
	}
}

// Each name is known, told once, and left out when it is ignored.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, n := range health.Names() {
		if seen[n.Name] || n.Means == "" || n.Noun == "" || !health.Known(n.Name) {
			t.Errorf("%+v", n)
		}
		seen[n.Name] = true
	}
	f := health.Facts{Title: "Document"}
	f.Texts, f.Words = texts("NaN", "undefined items")
	if found := health.Judge(f, nil); len(found) != 2 || found[0].Name != health.NoValue || !found[0].Observed.Contains(pagetext.Text("1 more")) {
		t.Errorf("%+v", found)
	}
	if found := health.Judge(f, []string{health.NoValue, health.PlaceholderTitle}); len(found) != 0 {
		t.Errorf("ignored: %+v", found)
	}
}

func TestValues(t *testing.T) {
	for text, want := range map[string]bool{
		"NaN": true, "$NaN": true, "NaN %": true, "undefined items": true, "Total: undefined": true, "€ undefined": true, "Hello undefined": true, "null kg": true, "3 of NaN": true, "undefined undefined": true,
		"Naan bread": false, "NaN is not a number": false, "The function returns undefined": false, "Undefined": false, "Nan's kitchen": false, "null hypothesis": false, "an undefined outcome": false, "Type: undefined": false,
	} {
		f := health.Facts{Title: "Shop"}
		f.Texts, f.Words = texts("#Orders", text)
		got := false
		for _, x := range health.Judge(f, nil) {
			got = got || x.Name == health.NoValue && x.Certain
		}
		if got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// A form that asks for a new password signs somebody up, or changes the password: it is no
// page that asks to sign in.
func TestSignUpIsNoSignIn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		passwords, fresh int
		want             bool
	}{"a sign-in": {1, 0, true}, "a sign-up": {2, 2, false}, "both": {3, 2, true}, "neither": {0, 0, false}} {
		f := health.Facts{Asked: "http://a.test/account", URL: "http://a.test/other", Title: "Shop", Status: 200, Passwords: c.passwords, New: c.fresh, Words: 20, Controls: 3}
		f.Texts, _ = texts("#Shop", "All that there is")
		got := slices.ContainsFunc(health.Judge(f, nil), func(f health.Finding) bool { return f.Name == health.SignIn })
		if got != c.want {
			t.Errorf("%s: asks to sign in: %v", name, got)
		}
	}
}
