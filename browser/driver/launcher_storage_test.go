package driver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// The storage of an origin that no page shows any more is read once, in one page of the
// driver's own, and anew when a page has shown it since. That of a frame is read in it.
func TestStorageIsReadOnce(t *testing.T) {
	var sites [3]string
	for i := range sites {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			if r.URL.Path == "/framing" {
				fmt.Fprintf(w, "<iframe src=%q></iframe>", sites[2]+"/framed")
				return
			}
			fmt.Fprintf(w, "<script>localStorage.at = %q</script>", r.URL.Path)
		}))
		t.Cleanup(site.Close)
		sites[i] = site.URL
	}
	_, b := chromiumForTest(t)
	protocol, err := b.NewBrowserCDPSession()
	if err != nil {
		t.Fatal(err)
	}
	var opened atomic.Int32
	protocol.On("Target.targetCreated", func(event any) {
		if text, _ := json.Marshal(event); strings.Contains(string(text), `"type":"page"`) {
			opened.Add(1)
		}
	})
	context, err := b.NewContext()
	if err != nil {
		t.Fatal(err)
	}
	page, err := context.NewPage()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := protocol.Send("Target.setDiscoverTargets", map[string]any{"discover": true}); err != nil {
		t.Fatal(err)
	}
	stored := func() (got [3]string, pages int32) {
		t.Helper()
		before := opened.Load()
		state, err := context.StorageState()
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range state.Origins {
			for i, site := range sites {
				if o.Origin == site {
					got[i] += o.LocalStorage[0].Value
				}
			}
		}
		return got, opened.Load() - before
	}
	for _, step := range []struct {
		goes  string
		want  [3]string
		pages int32
	}{
		{goes: sites[0] + "/one", want: [3]string{"/one"}},
		{goes: sites[1] + "/two", want: [3]string{"/one", "/two"}, pages: 1},
		{want: [3]string{"/one", "/two"}},
		{goes: sites[1] + "/three", want: [3]string{"/one", "/three"}},
		{goes: sites[0] + "/four", want: [3]string{"/four", "/three"}, pages: 1},
		{goes: sites[1] + "/five", want: [3]string{"/four", "/five"}, pages: 1},
		{goes: sites[1] + "/framing", want: [3]string{"/four", "/five", "/framed"}},
		{want: [3]string{"/four", "/five", "/framed"}},
		{goes: "about:blank", want: [3]string{"/four", "/five", "/framed"}, pages: 1}, // one page for both
		{want: [3]string{"/four", "/five", "/framed"}},
	} {
		if step.goes != "" {
			if _, err := page.Goto(step.goes); err != nil {
				t.Fatal(err)
			}
		}
		if got, n := stored(); got != step.want || n != step.pages {
			t.Errorf("at %q: %v by %d pages, want %v by %d", step.goes, got, n, step.want, step.pages)
		}
	}
	if _, err := page.Goto(sites[0] + "/six"); err != nil {
		t.Fatal(err)
	}
	popup, err := page.ExpectPopup(func() error { _, err := page.Evaluate("() => { window.open('') }"); return err })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := page.Goto(sites[1] + "/seven"); err != nil {
		t.Fatal(err)
	}
	stored()
	if _, err := popup.Evaluate("() => { localStorage.at = '/late' }"); err != nil {
		t.Fatal(err)
	}
	if got, _ := stored(); got != [3]string{"/late", "/seven", "/framed"} {
		t.Errorf("a blank page that an origin has opened changed its storage: %v", got)
	}
}
