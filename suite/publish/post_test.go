package publish_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/publish"
)

const secretPath = "/services/T000SECRET/B000SECRET/xyzSECRETxyz"

func sanity() suite.View {
	at := time.Date(2026, 11, 21, 5, 50, 36, 0, time.UTC)
	var many []qa.Finding
	for i := range 7 {
		many = append(many, qa.Finding{Severity: qa.Minor, Category: qa.Visual, Assertion: pagetext.Text(fmt.Sprint("minor ", i)), Evidence: []qa.EvidenceRef{}})
	}
	many = append(many, qa.Finding{Severity: qa.Blocker, Category: qa.Functional, Assertion: "Revenue (7d) shows the value of today", Expected: "8,421.50", Observed: "1,234.00"})
	return suite.View{Title: "Sanity", StartedAt: at, FinishedAt: at.Add(9 * time.Second), Cases: []suite.CaseView{
		{Name: "Home", Status: qa.Passed, Report: "runs/a/report.html"},
		{Name: "Dashboard", Path: "tasks/dashboard.task.toml", Status: qa.Failed, Reason: "1 check of 15 failed", Report: "https://ci.test/report.html?a=1&b=2", Findings: many, RunID: "r1"},
	}}
}

// hook is a real webhook: it answers as told, one answer after the other, and
// keeps what it got.
type hook struct {
	*httptest.Server
	bodies  []string
	types   []string
	answers []func(http.ResponseWriter)
}

func serve(t *testing.T, answers ...func(http.ResponseWriter)) *hook {
	t.Helper()
	h := &hook{answers: answers}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		n := len(h.bodies)
		h.bodies, h.types = append(h.bodies, string(body)), append(h.types, r.Method+" "+r.URL.Path+" "+r.Header.Get("Content-Type"))
		if n < len(h.answers) {
			h.answers[n](w)
		}
	}))
	t.Cleanup(h.Close)
	return h
}

func status(code int, headers ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, "no: "+secretPath+" is xyzSECRETxyz")
	}
}

// requireNoSecret: the webhook's address is a secret, so no error has a part of it.
func requireNoSecret(t *testing.T, err error, h *hook) {
	t.Helper()
	for _, part := range []string{"SECRET", "services", strings.TrimPrefix(h.URL, "http://"), "127.0.0.1"} {
		if err != nil && strings.Contains(err.Error(), part) {
			t.Errorf("the error shows %q of the webhook: %v", part, err)
		}
	}
}

// TestSlack: top findings and links, within Slack's bounds (A15).
func TestSlack(t *testing.T) {
	h := serve(t)
	if err := publish.Post(t.Context(), h.URL+secretPath, publish.Slack, sanity()); err != nil {
		t.Fatal(err)
	}
	if len(h.bodies) != 1 || h.types[0] != "POST "+secretPath+" application/json" {
		t.Fatalf("the webhook got %v", h.types)
	}
	var got struct {
		Text   string
		Blocks []struct {
			Type string
			Text struct{ Type, Text string }
		}
	}
	if err := json.Unmarshal([]byte(h.bodies[0]), &got); err != nil {
		t.Fatal(err)
	}
	var all string
	for _, b := range got.Blocks {
		if b.Type != "section" || b.Text.Type != "mrkdwn" || b.Text.Text == "" || len([]rune(b.Text.Text)) > 3000 {
			t.Errorf("block %+v is none that Slack takes", b)
		}
		all += b.Text.Text + "\n"
	}
	for _, want := range []string{":x: *Sanity*", "1 of 2 cases passed, 1 failed", "*blocker* <https://ci.test/report.html?a=1&b=2|Dashboard>: Revenue (7d) shows the value of today", "… and 3 more", "1 check of 15 failed"} {
		if !strings.Contains(all, want) {
			t.Errorf("the message lacks %q:\n%s", want, all)
		}
	}
	if strings.Index(all, "*blocker*") > strings.Index(all, "*minor*") || strings.Count(all, "•") != 5 {
		t.Errorf("want five findings, the gravest first:\n%s", all)
	}
	if got.Text != "Sanity: 1 of 2 cases passed, 1 failed" {
		t.Errorf("text = %q", got.Text)
	}
}

// TestSlackIsHostileProof: page text makes no mention, no link, no format and
// no block that Slack refuses (promise 5).
func TestSlackIsHostileProof(t *testing.T) {
	h := serve(t)
	s := sanity()
	evil := "<!channel> <@U123> <https://evil.test|click> *bold* `code` https://evil.test @here \u202e&" + strings.Repeat("<&>", 2000) + "\nnext \xff"
	for i := range s.Cases {
		s.Cases[i].Name, s.Cases[i].Reason, s.Cases[i].Status = evil, pagetext.Text(evil), qa.Failed
		s.Cases[i].Report = "https://ci.test/<!channel>|x"
		s.Cases[i].Findings = []qa.Finding{{Severity: qa.Major, Assertion: pagetext.Text(evil), Expected: pagetext.Text(evil), Observed: pagetext.Text(evil)}}
	}
	s.Title = evil
	if err := publish.Post(t.Context(), h.URL, publish.Slack, s); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Blocks []struct{ Text struct{ Text string } }
	}
	if err := json.Unmarshal([]byte(h.bodies[0]), &got); err != nil {
		t.Fatal(err)
	}
	for _, b := range got.Blocks {
		text := b.Text.Text
		if len([]rune(text)) > 3000 {
			t.Errorf("a block of %d characters", len([]rune(text)))
		}
		for _, bad := range []string{"<!", "<@", "<https://evil", "https://evil", "@here", "*bold*", "`", "\u202e"} {
			if strings.Contains(text, bad) {
				t.Errorf("%q is live in %.300s", bad, text)
			}
		}
	}
}

// TestJSON: the whole outcome for a program (A15).
func TestJSON(t *testing.T) {
	h := serve(t)
	if err := publish.Post(t.Context(), h.URL, publish.JSON, sanity()); err != nil {
		t.Fatal(err)
	}
	var got publish.Message
	if err := json.Unmarshal([]byte(h.bodies[0]), &got); err != nil {
		t.Fatal(err)
	}
	if got.Status != qa.Failed || got.Totals.Failed != 1 || got.Totals.Cases != 2 || len(got.Findings) != 5 || got.MoreFindings != 3 ||
		got.Findings[0].Severity != qa.Blocker || len(got.Cases) != 2 || got.Cases[1].Report != "https://ci.test/report.html?a=1&b=2" {
		t.Errorf("message = %+v", got)
	}
}

// TestRetry: once, on 429 and 5xx alone, after what the server asks for.
func TestRetry(t *testing.T) {
	for name, c := range map[string]struct {
		answers []func(http.ResponseWriter)
		calls   int
		fails   string
	}{
		"down for a moment": {[]func(http.ResponseWriter){status(503, "Retry-After", "0"), status(200)}, 2, ""},
		"too many":          {[]func(http.ResponseWriter){status(429, "Retry-After", "0"), status(204)}, 2, ""},
		"down":              {[]func(http.ResponseWriter){status(500, "Retry-After", "0"), status(502), status(200)}, 2, "502"},
		"gone":              {[]func(http.ResponseWriter){status(410), status(200)}, 1, "410"},
		"elsewhere":         {[]func(http.ResponseWriter){status(302, "Location", "http://127.0.0.1:2/"), status(200)}, 1, "302"},
	} {
		t.Run(name, func(t *testing.T) {
			h := serve(t, c.answers...)
			err := publish.Post(t.Context(), h.URL+secretPath, publish.JSON, sanity())
			if len(h.bodies) != c.calls {
				t.Errorf("%d calls, want %d", len(h.bodies), c.calls)
			}
			if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
				t.Errorf("err = %v, want %q", err, c.fails)
			}
			requireNoSecret(t, err, h)
			if c.calls == 2 && h.bodies[0] != h.bodies[1] {
				t.Error("the second message is another one")
			}
		})
	}
}

// TestPauseIsBounded: a server that asks for an hour doesn't get one: the
// caller's end comes first, and the error still says what the server answered.
func TestPauseIsBounded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	h := serve(t, func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
		cancel()
	})
	err := publish.Post(ctx, h.URL+secretPath, publish.JSON, sanity())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want the cancellation", err)
	}
	requireNoSecret(t, err, h)
}

// TestNobodyThere: the error tells what to see to, and not where.
func TestNobodyThere(t *testing.T) {
	h := serve(t)
	address := h.URL + secretPath
	h.Close()
	err := publish.Post(t.Context(), address, publish.Slack, sanity())
	if err == nil || !strings.Contains(err.Error(), "reachable") {
		t.Errorf("err = %v", err)
	}
	requireNoSecret(t, err, h)
}

func TestRefuses(t *testing.T) {
	h := serve(t)
	for name, c := range map[string]struct{ webhook, format string }{
		"no address": {"hooks-SECRET", publish.Slack}, "a file": {"file:///etc/SECRET", publish.Slack},
		"no URL": {"http://[SECRET", publish.Slack}, "control character": {"http://127.0.0.1/\x00SECRET", publish.Slack}, "unknown format": {h.URL, "teams"},
	} {
		err := publish.Post(t.Context(), c.webhook, c.format, sanity())
		if err == nil {
			t.Errorf("%s is accepted", name)
		}
		requireNoSecret(t, err, h)
	}
	if len(h.bodies) != 0 {
		t.Errorf("%d messages were sent", len(h.bodies))
	}
}
