package e2e_test

import (
	"strings"
	"testing"
	"time"
)

// soon is more than a call may take that has a short time-out, or needs none.
const soon = 15 * time.Second

// onSite attaches to a server whose only session shows a page of a bad site.
func onSite(t *testing.T, path string) (w *wire, site string) {
	t.Helper()
	needsBrowser(t)
	w, site = attach(t, november25), badSite(t)
	w.opens(site, path)
	return w, site
}

// aloneOnSite does the same with a server of its own.
func aloneOnSite(t *testing.T, path string) (w *wire, site string) {
	t.Helper()
	needsBrowser(t)
	w, site = alone(t, november25), badSite(t)
	w.opens(site, path)
	return w, site
}

// opens shows a page of a site, if one is named.
func (w *wire) opens(site, path string) {
	w.t.Helper()
	if path != "" {
		w.do("page_navigate", map[string]any{"url": site + path})
	}
}

// well checks that the session still does its work.
func (w *wire) well(site string) {
	w.t.Helper()
	w.do("page_navigate", map[string]any{"url": site + "/ok"})
	w.shows("fine")
	w.do("page_fill", map[string]any{"selector": `textbox "Name"`, "value": "Ada"})
	w.do("page_click", map[string]any{"selector": `button "Press"`})
}

// shows checks which page is there by its title. A loaded machine may leave a look without
// its answer, and the tool says so: the next look has it.
func (w *wire) shows(title string) {
	w.t.Helper()
	eventually(w.t, patience, func() string {
		a := w.call("page_snapshot", nil)
		if !a.envelope.OK || field[string](w, a, "title") != title {
			return a.text()
		}
		return ""
	})
}

// A page that can't be loaded is an error with its code, and the same session
// loads the next one.
func TestBadPages(t *testing.T) {
	t.Parallel()
	w, site := onSite(t, "")
	for i, c := range []struct {
		name      string
		arguments map[string]any
		codes     []string
	}{
		{"nothing listens", map[string]any{"url": closedPort(t)}, []string{"NAVIGATION_FAILED"}},
		{"no such host", map[string]any{"url": "http://no-such-host.invalid/"}, []string{"NAVIGATION_FAILED"}},
		{"refused port", map[string]any{"url": "http://127.0.0.1:1/"}, []string{"NAVIGATION_FAILED"}},
		{"no TLS there", map[string]any{"url": strings.Replace(site, "http:", "https:", 1)}, []string{"NAVIGATION_FAILED"}},
		{"hangs up", map[string]any{"url": site + "/hangsup"}, []string{"NAVIGATION_FAILED"}},
		{"redirects in a circle", map[string]any{"url": site + "/circle"}, []string{"NAVIGATION_FAILED"}},
		{"no content", map[string]any{"url": site + "/nothing"}, []string{"NAVIGATION_FAILED"}},
		{"a download", map[string]any{"url": site + "/big"}, []string{"NAVIGATION_FAILED"}},
		{"never answers", map[string]any{"url": site + "/never", "timeout_ms": 500}, []string{"TIMEOUT"}},
		{"never loads", map[string]any{"url": site + "/half", "timeout_ms": 500}, []string{"TIMEOUT"}},
		{"shortest time-out", map[string]any{"url": site + "/never", "timeout_ms": 1}, []string{"TIMEOUT"}},
		{"script never ends", map[string]any{"url": site + "/spins", "timeout_ms": 500}, []string{"TIMEOUT"}},
	} {
		if i%3 != 2 && !soak() {
			continue // others of their kinds are looked at
		}
		t.Run(c.name, func(t *testing.T) {
			w := w.in(t)
			w.fails(w.result(w.answerWithin(w.begin("page_navigate", c.arguments), soon)), c.codes...)
			w.well(site)
		})
	}
	t.Run("the server's own errors are pages", func(t *testing.T) {
		w := w.in(t)
		if status := field[int](w, w.do("page_navigate", map[string]any{"url": site + "/broken"}), "status"); status != 500 {
			t.Errorf("status %d, want 500", status)
		}
	})
}

// B2: a verify tool that could not look answers with the error; one that
// looked and found nothing good answers with a verdict.
func TestVerifyBadPages(t *testing.T) {
	t.Parallel()
	w, site := onSite(t, "")
	for path, loads := range map[string]bool{"/ok": true, "/broken": false, "/never": false, "/circle": false} {
		t.Run(path, func(t *testing.T) {
			w := w.in(t)
			a := w.result(w.answerWithin(w.begin("verify_page_loads", map[string]any{"url": site + path, "timeout_ms": 1000}), soon))
			if a.envelope.OK && field[bool](w, a, "success") != loads {
				t.Errorf("%s: %s", path, a.text())
			}
			if !a.envelope.OK && loads {
				t.Errorf("%s could not be looked at: %s", path, a.text())
			}
		})
	}
}

// Dialogs during load block nothing and are told.
func TestDialogsDuringLoad(t *testing.T) {
	t.Parallel()
	w, site := onSite(t, "")
	a := w.do("page_navigate", map[string]any{"url": site + "/dialogs"})
	for _, said := range []string{"one", "two", "three"} {
		if !strings.Contains(a.text(), said) {
			t.Errorf("the answer doesn't tell of the dialog %q: %s", said, a.text())
		}
	}
	if title := field[string](w, w.do("page_navigate", map[string]any{"url": site + "/dialogs"}), "title"); title != "dialogs" {
		t.Errorf("title %q", title)
	}
	w.well(site)
}

// 10 MB of console output (50 by make soak) are counted and cut, never kept or sent whole.
func TestConsoleFlood(t *testing.T) {
	t.Parallel()
	w, site := onSite(t, "")
	w.do("page_navigate", map[string]any{"url": site + "/console", "timeout_ms": 60_000})
	w.do("page_wait_for_selector", map[string]any{"selector": "html", "state": "attached"})
	a := w.do("page_get_console_logs", map[string]any{"limit": 1000})
	if n := field[int](w, a, "matched"); n != consoleEntries()+1 {
		t.Errorf("%d entries, want %d", n, consoleEntries()+1)
	}
	if n := len(a.StructuredContent) + len(a.text()); n > megabyte {
		t.Errorf("the answer has %d bytes", n)
	}
	last := w.do("page_get_console_logs", map[string]any{"level": "error", "limit": 1})
	if !strings.Contains(last.text(), "the last word") {
		t.Errorf("the newest entry is lost: %s", last.text())
	}
	w.well(site)
	w.do("browser_close", nil)
}

// A body of 100 MB is neither kept nor sent, and its size is told.
func TestBigResponse(t *testing.T) {
	t.Parallel()
	w, site := onSite(t, "/fetches")
	has := map[string]any{"selector": "h1", "timeout_ms": 45_000, "assertion": map[string]any{"type": "text_equals", "expected": "got 104857600"}}
	for range 3 { // a page that takes in that much may answer no look for some seconds
		if a := w.call("verify_assertion", has); a.envelope.OK {
			break
		}
	}
	w.do("verify_assertion", has)
	var data struct {
		Events []struct {
			RequestID string `json:"request_id"`
			Size      int64
		}
	}
	decode(t, w.do("page_get_network_logs", map[string]any{"filter": "**/big"}).envelope.Data, &data)
	if len(data.Events) != 1 {
		t.Fatalf("%d requests for the big body, want 1", len(data.Events))
	}
	a := w.do("page_get_network_logs", map[string]any{"request_id": data.Events[0].RequestID})
	if n := len(a.StructuredContent) + len(a.text()); n > 64<<10 {
		t.Errorf("the answer has %d bytes", n)
	}
	if !strings.Contains(string(a.StructuredContent), "not fetched") {
		t.Errorf("the answer doesn't say why there is no body: %s", a.StructuredContent)
	}
	w.well(site)
}

// A document of 100 MB loads or times out, and both are fine.
func TestBigDocument(t *testing.T) {
	t.Parallel()
	w, site := onSite(t, "")
	a := w.result(w.answerWithin(w.begin("page_navigate", map[string]any{"url": site + "/bigpage", "timeout_ms": 20_000}), 2*soon))
	if !a.envelope.OK {
		w.fails(a, "TIMEOUT", "PAGE_CRASHED")
	}
	w.well(site)
}

// A picture of a page of 100,000 pixels is refused before anybody allocates it.
func TestTallPage(t *testing.T) {
	t.Parallel()
	w, site := onSite(t, "/tall")
	w.fails(w.call("page_screenshot", map[string]any{"full_page": true}), "IMAGE_INVALID")
	w.fails(w.call("page_screenshot", map[string]any{"selector": "div"}), "IMAGE_INVALID")
	w.do("page_screenshot", map[string]any{"include_image": true})
	w.well(site)
}
