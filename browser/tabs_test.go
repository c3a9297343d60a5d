package browser

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
)

// A popup is worked as a tab: it is named with the call that selects it, and when it
// closes itself the next call is an error, never the page of another tab.
func TestTabs(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<title>main</title><button onclick="window.open('/pop')">Open</button><button onclick="document.title = confirm('sure?')">Ask</button>`)
	web.handle("/pop", text(`<title>pop</title><button onclick="opener.postMessage('in', '*'); window.close()">Sign in</button>`))
	ctx := within30s(t)
	acted, err := s.Click(ctx, `button "Open"`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if next := strings.Join(acted.Next, "\n"); !strings.Contains(next, `page_tabs {"action": "select", "tab": 2}`) {
		t.Errorf("next: %q", next)
	}
	if err := s.SelectTab(ctx, 2); err != nil {
		t.Fatal(err)
	}
	if state, err := s.State(ctx); err != nil || state.Title != "pop" {
		t.Errorf("%+v, %v", state, err)
	}
	const now = "tab 1, which had opened it, is current now"
	if acted, err = s.Click(ctx, `button "Sign in"`, 0); err != nil || !strings.Contains(string(pagetext.Join(acted.Notes, "\n")), "it closed; "+now) {
		t.Errorf("%+v, %v", acted, err)
	}
	if state, err := s.State(ctx); err != nil || strings.HasSuffix(state.URL, "/pop") {
		t.Errorf("%+v, %v", state, err)
	}
	wantCode(t, s.SelectTab(ctx, 2), explain.InvalidInput, "tab 2 is closed")
	// One that closes by itself is told until it is left.
	if _, err := s.Click(ctx, `button "Open"`, 0); err != nil {
		t.Fatal(err)
	}
	if err := s.SelectTab(ctx, 3); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Evaluate(ctx, "opener.popup = window, opener.setTimeout('popup.close()', 200), 0", nil); err != nil {
		t.Fatal(err)
	}
	for err = nil; err == nil; {
		_, err = s.State(ctx)
	}
	wantCode(t, err, explain.ClosedTab, "tab 3 has closed")
	_, err = s.State(ctx)
	wantCode(t, err, explain.ClosedTab, "tab 3 has closed")
	if got, err := s.LeaveClosedTab(ctx); got != now || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := s.LeaveClosedTab(ctx); got != "" || err != nil {
		t.Errorf("the current tab is open: %q, %v", got, err)
	}
	// A dialog is answered once, as set before it.
	for i, want := range []string{"false", "true", "false"} {
		if i == 1 {
			if err := s.ArmDialog(DialogPolicy{Action: "accept"}); err != nil {
				t.Fatal(err)
			}
		}
		acted, err := s.Click(ctx, `button "Ask"`, 0)
		if err != nil || !acted.Page.Title.Equal(want) {
			t.Errorf("%d: %+v, %v", i, acted, err)
		}
		if hinted := strings.Contains(strings.Join(acted.Next, "\n"), "page_dialog"); hinted != (want == "false") {
			t.Errorf("%d: next %q", i, acted.Next)
		}
	}
	// The last tab is replaced.
	if _, now, err := s.CloseTab(ctx, 0); err != nil || !strings.Contains(now, "blank") {
		t.Errorf("%q, %v", now, err)
	}
}

// B6: a tab that crashes is told, and comes again under its number; the others keep
// what they hold.
func TestCrashOfOneTab(t *testing.T) {
	t.Parallel()
	s, web := showIn(t, poolToBreak(t, nil), `<title>main</title><input aria-label=Name><button onclick="window.open('/pop', '', 'noopener')">Open</button>`)
	web.handle("/pop", text(`<title>pop</title>`))
	ctx := within30s(t)
	if _, _, err := s.Fill(ctx, `textbox "Name"`, "Ada", 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Click(ctx, `button "Open"`, 0); err != nil {
		t.Fatal(err)
	}
	if err := s.SelectTab(ctx, 2); err != nil {
		t.Fatal(err)
	}
	crashed := s.current()
	go func() { _, _ = crashed.page.Goto("chrome://crash") }()
	<-crashed.crashed
	becomes(t, "the crash is noticed", func() error {
		if s.latest() == nil {
			return errHeld
		}
		return nil
	})
	_, err := s.State(ctx)
	wantCode(t, err, explain.PageCrashed, s.ID())
	if state, err := s.State(ctx); err != nil || state.Title != "pop" {
		t.Errorf("%+v, %v", state, err)
	}
	if current, open := s.CurrentTab(); current != 2 || len(open) != 2 {
		t.Errorf("tab %d of %v", current, open)
	}
	if err := s.SelectTab(ctx, 1); err != nil {
		t.Fatal(err)
	}
	if got := js(t, s, "document.querySelector('input').value"); got != `"Ada"` {
		t.Errorf("tab 1 holds %s", got)
	}
}

// B6: a popup and a file whose server answers late are in the answer of the click that
// opened them; of one that doesn't come, the answer says that it is awaited.
func TestLatePopupsAndDownloads(t *testing.T) {
	t.Parallel()
	s, web := show(t, `<title>main</title><a href=/late target=_blank>Open</a><a href=/late.csv download>Save</a><a href=/never target=_blank>Never</a><a href=/never download>Not</a>`)
	late := func(then http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			timer := time.NewTimer(time.Second)
			defer timer.Stop()
			select {
			case <-timer.C:
				then(w, r)
			case <-r.Context().Done():
			}
		}
	}
	web.handle("/late", late(text(`<title>pop</title>`)))
	web.handle("/late.csv", late(attachment("late.csv", "a,b\n")))
	web.handle("/never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	for _, c := range []struct{ link, want string }{
		{"Open", `page_tabs {"action": "select", "tab": 2}`},
		{"Save", "saved as late.csv, 4 bytes"},
		{"Never", "popup: one is being opened, and its site has not answered yet"},
		{"Not", "download: the link saves a file, and no download has begun yet"},
	} {
		acted, err := s.Click(within30s(t), `link "`+c.link+`"`, 0)
		if err != nil {
			t.Fatal(err)
		}
		if told := string(pagetext.Join(append(acted.Notes, pagetext.Of(acted.Next...)...), "\n")); !strings.Contains(told, c.want) {
			t.Errorf("%s: %q", c.link, told)
		}
	}
}
