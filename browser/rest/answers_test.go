package rest_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/rest"
)

// Which requests are waited for, in virtual time: at is the time in ms of the look, after
// the check began at 0. Earlier ones are negative; 0 of an answer or end is none. want is how
// many of them a proof waits for, rest how many who waits for rest does.
func TestAwaited(t *testing.T) {
	t.Parallel()
	base := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	when := func(ms int) time.Time { return base.Add(time.Duration(ms) * time.Millisecond) }
	type sent struct {
		method, url           string
		sent, answered, ended int
		endless, done, again  bool
	}
	poll := func(first int, waits ...int) (row []sent) { // asks again 100 ms after each answer; the last is under way
		for _, ms := range waits {
			row = append(row, sent{"GET", "/inbox?since=" + strconv.Itoa(first), first, 0, first + ms, false, false, false})
			first += ms + 100
		}
		return append(row, sent{"GET", "/inbox?since=x", first, 0, 0, false, false, false})
	}
	for name, tt := range map[string]struct {
		all   []sent
		acted int
		at    int
		want  int
		rest  int
	}{
		"a figure that is fetched":                      {[]sent{{"GET", "/api/total", -500, 0, 0, false, false, false}}, -600, 100, 1, 1},
		"the same after 2.4 s":                          {[]sent{{"GET", "/api/total", -500, 0, 0, false, false, false}}, -600, 1900, 1, 0},
		"the same, answered":                            {[]sent{{"GET", "/api/total", -500, 1800, 1900, false, false, false}}, -600, 1950, 0, 0},
		"a body that is still read":                     {[]sent{{"GET", "/api/rows", -500, 50, 0, false, false, false}}, -600, 100, 1, 1},
		"an answer that does not end":                   {[]sent{{"GET", "/api/tail", -2500, -2400, 0, false, false, false}}, -9000, 100, 0, 0},
		"a stream, by its type":                         {[]sent{{"GET", "/api/tail", -100, 0, 0, true, false, false}}, -600, 100, 0, 0},
		"an order that is refused after 6 s":            {[]sent{{"POST", "/orders", -3200, 0, 0, false, false, false}}, -3300, 2500, 1, 0},
		"a write that is never answered":                {[]sent{{"PUT", "/orders/1", -60000, 0, 0, false, false, false}}, -60100, 0, 1, 0},
		"a reading that is open for long":               {[]sent{{"GET", "/api/inbox", -11000, 0, 0, false, false, false}}, -12000, 0, 0, 0},
		"no body, though it is under way":               {[]sent{{"DELETE", "/orders/1", -200, -100, 0, false, true, false}}, -300, 0, 0, 0},
		"a row of long polls without a word":            {[]sent{{"GET", "/q?n=1", -40000, 0, -10000, false, false, false}, {"GET", "/q?n=2", -9990, 0, 0, false, false, false}}, -41000, 0, 0, 0},
		"a slow page whose reader asks again":           {[]sent{{"GET", "/q?n=1", -9000, 0, -4000, false, false, false}, {"GET", "/q?n=2", -3900, 0, 0, false, false, false}}, -3950, 0, 1, 0},
		"a slow answer, and the same much later":        {[]sent{{"GET", "/q", -9000, 0, -6000, false, false, false}, {"GET", "/q", -1000, 0, 0, false, false, false}}, -9100, 0, 1, 1},
		"asked anew behind a cached figure":             {[]sent{{"GET", "/q", -900, 0, -800, false, false, false}, {"GET", "/q", -100, 0, 0, false, false, true}}, -1000, 50, 1, 0},
		"a loop that goes on while the check waits":     {[]sent{{"GET", "/q", -80, 0, 10, false, false, true}, {"GET", "/q", 11, 0, 0, false, false, true}}, -1000, 50, 0, 0},
		"a second request that the first answer sends":  {[]sent{{"GET", "/q", -80, 0, 10, false, false, false}, {"GET", "/rows", 11, 0, 0, false, false, false}}, -1000, 50, 1, 1},
		"a poll of a name that says nothing, the first": {poll(-3000), -3100, 0, 1, 0},
		"the same for 10 s":                             {poll(-10001), -11000, 0, 0, 0},
		"a row of them, each waits 5 s":                 {poll(-11000, 5000, 5000), -11100, 100, 0, 0},
		"pages of a list, one after the other":          {poll(-900, 300, 300), -1000, 0, 1, 1},
		"one that was there before the act":             {[]sent{{"GET", "/inbox", -6000, 0, 0, false, false, false}}, -500, 0, 0, 0},
		"two of them":                                   {[]sent{{"GET", "/inbox", -6000, 0, 0, false, false, false}, {"GET", "/news", -5900, 0, 0, false, false, false}}, -500, 0, 0, 0},
		"the same, younger":                             {[]sent{{"GET", "/inbox", -4000, 0, 0, false, false, false}}, -500, 0, 1, 0},
		"the same, of the last act":                     {[]sent{{"GET", "/inbox", -6000, 0, 0, false, false, false}}, -6100, 0, 1, 0},
		"the same, and the act asked for something":     {[]sent{{"GET", "/inbox", -6000, 0, 0, false, false, false}, {"GET", "/rows", -300, 0, 0, false, false, false}}, -500, 0, 2, 1},
		"the same, and the act's answer has just come":  {[]sent{{"GET", "/inbox", -6000, 0, 0, false, false, false}, {"GET", "/rows", -400, -300, -200, false, false, false}}, -500, 0, 1, 0},
		"the same, 2 s later":                           {[]sent{{"GET", "/inbox", -6000, 0, 0, false, false, false}, {"GET", "/rows", -400, -300, -200, false, false, false}}, -500, 1900, 0, 0},
		"a write that was sent before the act":          {[]sent{{"PUT", "/orders/1", -6000, 0, 0, false, false, false}}, -500, 0, 1, 0},
		"a style sheet is waited for":                   {[]sent{{"STYLE", "/site.css", -4000, 0, 0, false, false, false}}, -4100, 0, 1, 1},
		"an address that says poll is like any other":   {[]sent{{"GET", "/socket.io/?transport=polling&t=x", -2100, 0, 0, false, false, false}}, -9000, 0, 1, 0},
		"the same, known from a page before":            {[]sent{{"KNOWN", "/socket.io/?transport=polling&t=x", -2100, 0, 0, false, false, false}}, -9000, 0, 0, 0},
		"a slow reading like one that stayed open, new": {[]sent{{"KNOWN", "/inbox", -1900, 0, 0, false, false, false}}, -9000, 0, 1, 1},
	} {
		var all []rest.Request
		for _, s := range tt.all {
			r := rest.Request{Method: s.method, URL: s.url, Sent: when(s.sent), Endless: s.endless, Done: s.done, Repeats: s.again, Data: s.method != "STYLE"}
			if s.method == "KNOWN" {
				r.Method, r.Waited = "GET", true
			}
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
		for _, ask := range []struct {
			who   string
			began time.Time // rest leaves out all that is sent again
			p     rest.Patience
			want  int
		}{{"a proof", base, rest.ToProve(), tt.want}, {"rest", time.Time{}, rest.ToRest(), tt.rest}} {
			if got := rest.Awaited(when(tt.at), ask.began, when(tt.acted), all, ask.p); len(got) != ask.want {
				t.Errorf("%s: %s waits for %d, want %d: %+v", name, ask.who, len(got), ask.want, got)
			}
		}
	}
}

// What stayed open by design, so that those like it are known on the next page.
func TestStayedOpen(t *testing.T) {
	t.Parallel()
	base := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		r    rest.Request
		want bool
	}{
		"answered after 25 s":        {rest.Request{Method: "GET", Data: true, Sent: base, Ended: base.Add(25 * time.Second)}, true},
		"under way for 25 s":         {rest.Request{Method: "GET", Data: true, Sent: base.Add(5 * time.Second)}, true},
		"answered after 6 s":         {rest.Request{Method: "GET", Data: true, Sent: base, Ended: base.Add(6 * time.Second)}, false},
		"a write that took 25 s":     {rest.Request{Method: "POST", Data: true, Sent: base, Ended: base.Add(25 * time.Second)}, false},
		"a picture that took 25 s":   {rest.Request{Method: "GET", Sent: base, Ended: base.Add(25 * time.Second)}, false},
		"under way, and young still": {rest.Request{Method: "GET", Data: true, Sent: base.Add(29 * time.Second)}, false},
	} {
		if got := tt.r.StayedOpen(base.Add(30 * time.Second)); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
