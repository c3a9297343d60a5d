package driver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mxschmitt/playwright-go"
)

// The storage of an origin that no page shows any more is read once, in one page of the
// driver's own, and anew when a page has shown it since. That of a frame is read in it.
func TestStorageIsReadOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
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
	inst := locateForTest(t)
	l, err := NewLauncher(inst.Driver, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	pw := runForTest(t, l)
	b, err := pw.Chromium.Launch(playwright.BrowserTypeLaunchOptions{ExecutablePath: playwright.String(inst.Browser.Path), ChromiumSandbox: playwright.Bool(false)})
	if err != nil {
		t.Fatal(err)
	}
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
		before := opened.Load()
		state, err := context.StorageState()
		if err != nil {
			t.Fatal(err)
		}
		var got [3]string
		for _, o := range state.Origins {
			for i, site := range sites {
				if o.Origin == site {
					got[i] += o.LocalStorage[0].Value
				}
			}
		}
		if n := opened.Load() - before; got != step.want || n != step.pages {
			t.Errorf("at %q: %v by %d pages, want %v by %d", step.goes, got, n, step.want, step.pages)
		}
	}
}
