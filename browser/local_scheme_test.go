package browser

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/explain"
)

// B4: a page can't read a file, whatever it does: by navigation, redirect,
// popup, frame, script, or a scheme that wraps another one.
func TestLocalSchemesShowNothing(t *testing.T) {
	t.Parallel()
	const secret = "the-canary-sings-7719"
	file := filepath.Join(t.TempDir(), "canary.html")
	if err := os.WriteFile(file, []byte("<title>"+secret+"</title><p>"+secret), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.ToSlash(file)
	all := []string{"frame", "object", "script", "refresh", "popup", "link", "form", "download", "fetch", "image"}
	few := []string{"script"}
	if soak() {
		few = append(few, "popup")
	}
	local := map[string][]string{
		"file://" + path: all, "FILE:///" + path: few, "file://localhost" + path: few, "view-source:file://" + path: few, "filesystem:file://" + path: few,
		"chrome://version": few, "devtools://devtools/bundled/inspector.html": few, "about:version": few,
	}
	web := newSite(t, map[string]string{"/{$}": "<!doctype html><title>Home</title><p>home"})
	web.handle("/to", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", r.FormValue("url"))
		w.WriteHeader(http.StatusFound)
	})
	web.handle("/try", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		how, to := r.FormValue("how"), r.FormValue("url")
		fmt.Fprintf(w, map[string]string{
			"frame":    `<title>Try</title><iframe id=f src="%[1]s"></iframe>`,
			"object":   `<title>Try</title><object data="%[1]s"></object><embed src="%[1]s">`,
			"script":   `<title>Try</title><script>setTimeout(() => { location = %[2]q }, 10)</script>`,
			"refresh":  `<title>Try</title><meta http-equiv=refresh content="0; url=%[1]s">`,
			"popup":    `<title>Try</title><script>window.p = open(%[2]q)</script>`,
			"link":     `<title>Try</title><a id=a href="%[1]s">a</a><script>a.click()</script>`,
			"form":     `<title>Try</title><form id=f action="%[1]s"></form><script>setTimeout(() => f.submit(), 10)</script>`,
			"download": `<title>Try</title><a id=a download href="%[1]s">a</a><script>a.click()</script>`,
			"fetch":    `<title>Try</title><p id=p></p><script>fetch(%[2]q).then(r => r.text()).then(t => { p.textContent = t }, () => {})</script>`,
			"image":    `<title>Try</title><img src="%[1]s"><link rel=stylesheet href="%[1]s"><script src="%[1]s"></script>`,
		}[how], to, to)
	})
	s := launch(t, poolOf(t), LaunchOptions{})
	// shows looks at all that a caller may see of every page.
	shows := func(how, address string) {
		t.Helper()
		for _, page := range s.current().context.pw.Pages() {
			for _, frame := range page.Frames() {
				if strings.HasPrefix(frame.URL(), "file:") {
					t.Errorf("%s %s: a frame is at %s", how, address, frame.URL())
				}
			}
			if body := contentOf(page); strings.Contains(body, secret) {
				t.Errorf("%s %s: %s shows %.200s", how, address, page.URL(), body)
			}
		}
		if out, _, err := s.Snapshot(within30s(t), OutlineOptions{}); err == nil && strings.Contains(fmt.Sprint(out), secret) {
			t.Errorf("%s %s: the snapshot shows it", how, address)
		}
	}
	for address, ways := range local {
		_, err := s.Navigate(within30s(t), address, "", 0)
		wantCode(t, err, explain.InvalidInput)
		if nav, err := s.Navigate(within30s(t), web.URL+"/to?url="+address, "", 5*time.Second); err == nil && nav.Status/100 == 2 {
			t.Errorf("redirect to %s: %+v", address, nav)
		}
		shows("redirect", address)
		for _, how := range ways {
			// Some of these pages never fire load: the browser stops them half-way.
			if _, err := s.Navigate(within30s(t), web.URL+"/try?how="+how+"&url="+address, "domcontentloaded", 0); err != nil {
				t.Fatal(how, address, err)
			}
			settled(t, s)
			shows(how, address)
			closePopups(s)
		}
		visit(t, s, web.URL+"/")
		if len(ways) < len(all) {
			continue
		}
		for _, script := range []string{`location = %q`, `open(%q)`, `document.body.append(Object.assign(document.createElement('iframe'), { src: %q }))`, `location.assign('view-source:' + %q)`} {
			_, _, _ = s.Evaluate(within30s(t), fmt.Sprintf(script, address), nil) // the browser may refuse aloud
			settled(t, s)
			shows(script, address)
			closePopups(s)
		}
	}
	for _, address := range []string{"javascript:document.title='js'", "data:text/html,hi", "blob:" + web.URL + "/1"} {
		_, err := s.Navigate(within30s(t), address, "", 0)
		wantCode(t, err, explain.InvalidInput)
	}
}

// What a page makes of its own data is its own: data: and blob: frames work.
func TestDataAndBlobFramesWork(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<iframe src="data:text/html,<p>from data"></iframe><iframe id=b></iframe><script>b.src = URL.createObjectURL(new Blob(['<p>from blob'], { type: 'text/html' }))</script>`)
	if _, err := s.Quiet(within30s(t)); err != nil {
		t.Fatal(err)
	}
	becomes(t, "both frames are there", func() error {
		var all strings.Builder
		for _, frame := range pageOf(s).Frames() {
			if body, err := frame.Content(); err == nil {
				all.WriteString(body)
			}
		}
		if text := all.String(); !strings.Contains(text, "<p>from data") || !strings.Contains(text, "<p>from blob") {
			return fmt.Errorf("%s", text)
		}
		return nil
	})
}

// settled gives a page the time that its timers of 10 ms take, and what they
// load.
func settled(t *testing.T, s *Session) {
	t.Helper()
	if _, _, err := s.Evaluate(within30s(t), `new Promise(r => setTimeout(r, 50))`, nil); err != nil {
		t.Log(err) // it was on its way elsewhere
	}
	if _, err := s.Quiet(within30s(t)); err != nil {
		t.Error(err)
	}
}

// contentOf returns the HTML of a page; "" of one that was stopped before it had any.
func contentOf(page playwright.Page) string {
	got := make(chan string, 1)
	go func() {
		body, err := page.Content()
		if err != nil {
			body = ""
		}
		got <- body
	}()
	select {
	case body := <-got:
		return body
	case <-time.After(100 * time.Millisecond):
		return ""
	}
}

func closePopups(s *Session) {
	for _, page := range s.current().context.pw.Pages() {
		if page != pageOf(s) {
			_ = page.Close() // it may be gone
		}
	}
}
