package browser

import (
	"strings"
	"testing"
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
	if acted, err = s.Click(ctx, `button "Sign in"`, 0); err != nil || !strings.Contains(strings.Join(acted.Next, "\n"), `"tab": 1}`) {
		t.Errorf("%+v, %v", acted, err)
	}
	for range 2 {
		_, err = s.State(ctx)
		wantCode(t, err, PageCrashed, "tab 2 is closed", `page_tabs {"action": "select", "tab": 1}`)
	}
	wantCode(t, s.SelectTab(ctx, 2), InvalidInput, "tab 2 is closed")
	if err := s.SelectTab(ctx, 1); err != nil {
		t.Fatal(err)
	}
	// A dialog is answered once, as set before it.
	for i, want := range []string{"false", "true", "false"} {
		if i == 1 {
			if err := s.ArmDialog(DialogPolicy{Action: "accept"}); err != nil {
				t.Fatal(err)
			}
		}
		acted, err := s.Click(ctx, `button "Ask"`, 0)
		if err != nil || acted.Page.Title != want {
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
