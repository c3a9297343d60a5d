package browser

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
)

func TestDialogPolicy(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<button onclick="document.title = [confirm('sure?'), prompt('name?', 'nobody'), alert('so')].join()">Ask</button>`)
	for _, c := range []struct {
		policy DialogPolicy
		title  string
		notes  []string
	}{
		{DialogPolicy{}, "false,,", []string{`confirm "sure?" dismissed`, `prompt "name?" dismissed`, `alert "so" accepted`}},
		{DialogPolicy{Action: "accept"}, "true,,", []string{`confirm "sure?" accepted`, `alert "so" accepted`}},
		{DialogPolicy{Action: "accept", Text: "Ada"}, "true,Ada,", []string{`prompt "name?" accepted with "Ada"`}},
		{DialogPolicy{Action: "dismiss"}, "false,,", []string{`alert "so" dismissed`}},
		{DialogPolicy{}, "false,,", []string{`alert "so" accepted`}},
	} {
		if err := s.SetDialogPolicy(c.policy); err != nil {
			t.Fatal(err)
		}
		acted, err := s.Click(within30s(t), `button "Ask"`, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !acted.Page.Title.Equal(c.title) {
			t.Errorf("%+v: got %q, want %q", c.policy, acted.Page.Title, c.title)
		}
		notes := string(pagetext.Join(acted.Notes, "\n"))
		for _, want := range c.notes {
			if !strings.Contains(notes, want) {
				t.Errorf("%+v: no note %s in:\n%s", c.policy, want, notes)
			}
		}
	}
	wantCode(t, s.SetDialogPolicy(DialogPolicy{Action: "maybe"}), explain.InvalidInput, "maybe", "dismiss")
	wantCode(t, s.SetDialogPolicy(DialogPolicy{Action: "dismiss", Text: "x"}), explain.InvalidInput, "text")
}

// B6: a page that asks without end, while it loads or when it is clicked,
// hangs nothing: the call ends with its code, what is kept is bounded, and a
// navigation gets away.
func TestDialogsWithoutEnd(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{
		"/asks":  "<title>T</title><script>while (true) alert('again')</script>",
		"/click": "<title>T</title><button onclick=\"while (true) confirm('again')\">Go</button>",
		"/later": "<title>T</title><script>setTimeout(() => { while (true) alert('again') }, 100)</script>",
		"/ok":    "<title>ok</title>",
	})
	s := launch(t, poolOf(t), LaunchOptions{})
	err := soon(t, 5*time.Second, func() error {
		_, err := s.Navigate(context.Background(), web.URL+"/asks", "", time.Second)
		return err
	})
	wantCode(t, err, explain.TimedOut, "dialog: alert")
	if nav := visit(t, s, web.URL+"/ok"); nav.Title != "ok" {
		t.Errorf("the page is %q", nav.Title)
	}
	visit(t, s, web.URL+"/later")
	if nav, err := s.Navigate(within30s(t), web.URL+"/ok", "", 8*time.Second); err != nil || nav.Title != "ok" {
		t.Errorf("%+v, %v", nav, err)
	}
	visit(t, s, web.URL+"/click")
	err = soon(t, 10*time.Second, func() error { _, err := s.Click(context.Background(), `button "Go"`, time.Second); return err })
	if err != nil {
		wantCode(t, err, explain.TimedOut)
	}
	err = soon(t, 10*time.Second, func() error { _, err := s.Look(context.Background(), "css=button", FactCount, ""); return err })
	wantCode(t, err, explain.TimedOut)
	if nav := visit(t, s, web.URL+"/ok"); nav.Title != "ok" {
		t.Errorf("the page is %q", nav.Title)
	}
	if n := len(s.log.NotesSince(eventlog.Mark{})); n > eventlog.MaxNotes {
		t.Errorf("%d notes are kept, more than %d", n, eventlog.MaxNotes)
	}
}

// Dialogs of popups and of frames are answered and told as the page's own.
func TestDialogsElsewhere(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{
		"/{$}":   `<title>T</title><button onclick="window.open('/popup')">Open</button><iframe srcdoc="<script>alert('framed')</script>"></iframe>`,
		"/popup": "<script>alert('popped')</script>",
	})
	s := launch(t, poolOf(t), LaunchOptions{})
	if nav := visit(t, s, web.URL+"/"); !strings.Contains(string(pagetext.Join(nav.Effects.Notes, "\n")), `alert "framed" accepted`) {
		t.Errorf("notes: %q", nav.Effects.Notes)
	}
	if _, err := s.Click(within30s(t), `button "Open"`, 0); err != nil {
		t.Fatal(err)
	}
	becomes(t, "the popup's dialog is told", func() error {
		if !pagetext.Join(s.log.NotesSince(eventlog.Mark{}), "\n").Contains(`alert "popped" accepted`) {
			return errHeld
		}
		return nil
	})
}

// A page that asks whether to leave it is left, unless the policy says no.
func TestLeavingIsAsked(t *testing.T) {
	t.Parallel()
	web := newSite(t, map[string]string{"/ok": "<title>ok</title>"})
	web.handle("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<title>T</title><button>Go</button><script>onbeforeunload = e => { e.preventDefault(); return 'stay' }</script>`))
	})
	s := launch(t, poolOf(t), LaunchOptions{})
	touch := func() {
		visit(t, s, web.URL+"/")
		if _, err := s.Click(within30s(t), `button "Go"`, 0); err != nil { // the browser asks only for pages that were used
			t.Fatal(err)
		}
	}
	touch()
	if nav := visit(t, s, web.URL+"/ok"); nav.Title != "ok" || !strings.Contains(string(pagetext.Join(nav.Effects.Notes, "\n")), "beforeunload") {
		t.Errorf("%+v", nav)
	}
	touch()
	if err := s.SetDialogPolicy(DialogPolicy{Action: "dismiss"}); err != nil {
		t.Fatal(err)
	}
	err := soon(t, 5*time.Second, func() error {
		_, err := s.Navigate(context.Background(), web.URL+"/ok", "", 3*time.Second)
		return err
	})
	wantCode(t, err, explain.NavigationFailed, "beforeunload", "dismissed")
	if got := js(t, s, "location.pathname"); got != `"/"` {
		t.Errorf("the page is at %s", got)
	}
}
