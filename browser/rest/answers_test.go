package rest_test

import (
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/rest"
)

// Which requests a check waits for, in virtual time: at is the time in ms of the look, after
// the check began at 0. Earlier ones are negative; 0 of an answer or end is none.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	base := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	when := func(ms int) time.Time { return base.Add(time.Duration(ms) * time.Millisecond) }
	type sent struct {
		method, url           string
		sent, answered, ended int
		endless, done, again  bool
	}
	for name, tt := range map[string]struct {
		all   []sent
		acted int
		at    int
		want  int
	}{
		"a figure that is fetched":                     {[]sent{{"GET", "/api/total", -500, 0, 0, false, false, false}}, -600, 100, 1},
		"the same after 2.4 s":                         {[]sent{{"GET", "/api/total", -500, 0, 0, false, false, false}}, -600, 1900, 1},
		"the same, answered":                           {[]sent{{"GET", "/api/total", -500, 1800, 1900, false, false, false}}, -600, 1950, 0},
		"a body that is still read":                    {[]sent{{"GET", "/api/rows", -500, 50, 0, false, false, false}}, -600, 100, 1},
		"an answer that does not end":                  {[]sent{{"GET", "/api/tail", -2500, -2400, 0, false, false, false}}, -9000, 100, 0},
		"a stream, by its type":                        {[]sent{{"GET", "/api/tail", -100, 0, 0, true, false, false}}, -600, 100, 0},
		"an order that is refused after 6 s":           {[]sent{{"POST", "/orders", -3200, 0, 0, false, false, false}}, -3300, 2500, 1},
		"a write that is never answered":               {[]sent{{"PUT", "/orders/1", -60000, 0, 0, false, false, false}}, -60100, 0, 1},
		"a reading that is open for long":              {[]sent{{"GET", "/api/inbox", -11000, 0, 0, false, false, false}}, -12000, 0, 0},
		"a poll that says so":                          {[]sent{{"GET", "/socket.io/?transport=polling&t=x", -2100, 0, 0, false, false, false}}, -9000, 0, 0},
		"the same, just sent":                          {[]sent{{"GET", "/socket.io/?transport=polling&t=x", -100, 0, 0, false, false, false}}, -9000, 0, 1},
		"a host called events":                         {[]sent{{"GET", "https://events.test/api/total", -2100, 0, 0, false, false, false}}, -9000, 0, 1},
		"a word within a word":                         {[]sent{{"GET", "/api/pollution", -2100, 0, 0, false, false, false}}, -9000, 0, 1},
		"no body, though it is under way":              {[]sent{{"DELETE", "/orders/1", -200, -100, 0, false, true, false}}, -300, 0, 0},
		"a row of long polls without a word":           {[]sent{{"GET", "/q?n=1", -40000, 0, -10000, false, false, false}, {"GET", "/q?n=2", -9990, 0, 0, false, false, false}}, -41000, 0, 0},
		"a slow page whose reader asks again":          {[]sent{{"GET", "/q?n=1", -9000, 0, -4000, false, false, false}, {"GET", "/q?n=2", -3900, 0, 0, false, false, false}}, -3950, 0, 1},
		"a slow answer, and the same much later":       {[]sent{{"GET", "/q", -9000, 0, -6000, false, false, false}, {"GET", "/q", -1000, 0, 0, false, false, false}}, -9100, 0, 1},
		"asked anew behind a cached figure":            {[]sent{{"GET", "/q", -900, 0, -800, false, false, false}, {"GET", "/q", -100, 0, 0, false, false, true}}, -1000, 50, 1},
		"a loop that goes on while the check waits":    {[]sent{{"GET", "/q", -80, 0, 10, false, false, true}, {"GET", "/q", 11, 0, 0, false, false, true}}, -1000, 50, 0},
		"a second request that the first answer sends": {[]sent{{"GET", "/q", -80, 0, 10, false, false, false}, {"GET", "/rows", 11, 0, 0, false, false, false}}, -1000, 50, 1},
	} {
		var all []rest.Request
		for _, s := range tt.all {
			r := rest.Request{Method: s.method, URL: s.url, Sent: when(s.sent), Endless: s.endless, Done: s.done, Repeats: s.again}
			if s.url[0] == '/' {
				r.URL = "http://a.test" + s.url
			}
			if s.answered != 0 {
				r.Answered = when(s.answered)
			}
			if s.ended != 0 {
				r.Ended = when(s.ended)
			}
			all = append(all, r)
		}
		if got := rest.Unanswered(when(tt.at), base, when(tt.acted), all); len(got) != tt.want {
			t.Errorf("%s: %d are waited for, want %d: %+v", name, len(got), tt.want, got)
		}
	}
}
