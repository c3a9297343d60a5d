package eventlog

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

type sentTo struct{ method, url, kind string }

func (r *sentTo) Method() string             { return r.method }
func (r *sentTo) URL() string                { return r.url }
func (r *sentTo) ResourceType() string       { return r.kind }
func (r *sentTo) Headers() map[string]string { return nil }
func (r *sentTo) PostData() (string, error)  { return "", errors.New("none") }

type answered int

func (a answered) Status() int                { return int(a) }
func (a answered) StatusText() string         { return "" }
func (a answered) Headers() map[string]string { return nil }

type pageAt string

func (p pageAt) URL() string { return string(p) }

// Step 15, point 10: which answers may say that nobody is signed in: the newest of each data
// request that the page has sent to its own site since its document was asked for.
func TestUnauthorizedRequests(t *testing.T) {
	t.Parallel()
	const site = "https://www.shop.example/app"
	for name, c := range map[string]struct {
		lines []string // METHOD KIND URL STATUS; "->" before the status: redirected to it
		want  string
	}{
		"none":                     {[]string{"GET fetch https://www.shop.example/api/a 200"}, ""},
		"a fetch":                  {[]string{"GET fetch https://www.shop.example/api/a?x=1 401"}, "GET https://www.shop.example/api/a"},
		"an old request":           {[]string{"POST xhr https://www.shop.example/graphql 401"}, "POST https://www.shop.example/graphql"},
		"of the site's other host": {[]string{"GET fetch https://api.shop.example/a 401"}, "GET https://api.shop.example/a"},
		"of another site":          {[]string{"GET fetch https://ads.example/a 401"}, ""},
		"of another port":          {[]string{"GET fetch https://www.shop.example:8443/a 401"}, ""},
		"no data":                  {[]string{"GET image https://www.shop.example/a.png 401", "GET script https://www.shop.example/a.js 401"}, ""},
		"another status":           {[]string{"GET fetch https://www.shop.example/api/a 403", "GET fetch https://www.shop.example/api/b 500"}, ""},
		"renewed by the page":      {[]string{"GET fetch https://www.shop.example/api/a 401", "POST fetch https://www.shop.example/refresh 200", "GET fetch https://www.shop.example/api/a 200"}, ""},
		"refused later":            {[]string{"GET fetch https://www.shop.example/api/a 200", "GET fetch https://www.shop.example/api/a 401"}, "GET https://www.shop.example/api/a 3 after 2"},
		"several, newest first":    {[]string{"GET fetch https://www.shop.example/api/a 401", "GET fetch https://www.shop.example/api/a 401", "GET fetch https://www.shop.example/api/b 401"}, "GET https://www.shop.example/api/b, GET https://www.shop.example/api/a"},
		"led elsewhere":            {[]string{"GET fetch https://www.shop.example/login ->200"}, "GET https://www.shop.example/login to https://www.shop.example/login"},
		"of the document before":   {[]string{"GET fetch https://www.shop.example/api/a 401", "GET document " + site + " 200"}, ""},
		"without an answer":        {[]string{"GET fetch https://www.shop.example/api/a 0"}, ""},
	} {
		page := pageAt(site)
		log := New(Options{Now: func() time.Time { return time.Unix(0, 0) }, Mask: func(s string) string { return s }, Page: func() Page { return page }})
		for _, line := range append([]string{"GET document " + site + " 200"}, c.lines...) {
			var r sentTo
			var status string
			if _, err := fmt.Sscan(line, &r.method, &r.kind, &r.url, &status); err != nil {
				t.Fatal(err)
			}
			code, led := strings.CutPrefix(status, "->")
			log.RequestSent(&r, Sender{URL: site, Page: page, Navigates: r.kind == "document", Redirected: led})
			if code == "0" {
				continue
			}
			var of answered
			if _, err := fmt.Sscan(code, &of); err != nil {
				t.Fatal(err)
			}
			log.ResponseCame(&r, of)
			if r.kind == "document" {
				log.FrameNavigated(page, site, true)
			}
		}
		var got []string
		for _, u := range log.PageState(page, "").Unauthorized {
			if u.Granted > 0 {
				u.Request += fmt.Sprintf(" %d after %d", u.Number, u.Granted)
			}
			if u.LedTo != "" {
				u.Request += " to " + u.LedTo
			}
			got = append(got, u.Request)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
