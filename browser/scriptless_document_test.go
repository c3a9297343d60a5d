package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/scan"
)

// A document whose scripts are blocked (a frame with sandbox, a file that is served with such a
// policy) is looked at, acted on and waited for as others are, and its console says nothing but
// what it says of the page's own scripts.
func TestDocumentsWhoseScriptsAreBlocked(t *testing.T) {
	t.Parallel()
	site := newSite(t, map[string]string{
		"/inner":    `<!doctype html><title>Inner</title><p>Inner text</p><button>Ok</button>`,
		"/scripted": `<!doctype html><title>Scripted</title><p>Inner text</p><button>Ok</button><script>1</script>`,
		"/frame":    `<!doctype html><title>Frame</title><h1>Mail</h1><iframe sandbox src="/inner" title=m></iframe>`,
		"/srcdoc":   `<!doctype html><title>Srcdoc</title><h1>Mail</h1><iframe sandbox="allow-same-origin" srcdoc="<p>Inner text</p><button>Ok</button>" title=m onload="contentDocument.addEventListener('click', () => { told.textContent = 'The frame was clicked' })"></iframe><p id=told></p>`,
		"/own":      `<!doctype html><title>Own</title><h1>Mail</h1><iframe sandbox src="/scripted" title=m></iframe>`,
	})
	site.handle("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", "sandbox")
		fmt.Fprint(w, `<!doctype html><title>File</title><h1>Mail</h1><p>Inner text</p><button>Ok</button><div style="height:3000px"></div><p>End</p>`)
	})
	for _, c := range []struct {
		path, in string
		traced   bool // the driver observes each document, and acts by itself
		errors   int
	}{
		{"/frame", `frame "m" > `, true, 0}, {"/own", `frame "m" > `, true, 1}, {"/file", "", true, 0},
		{"/srcdoc", `frame "m" > `, false, 0}, {"/own", `frame "m" > `, false, 1}, {"/file", "", false, 0},
	} {
		s := launch(t, poolOf(t), LaunchOptions{OneCall: true})
		if c.traced {
			if err := s.StartTrace(within30s(t)); err != nil {
				t.Fatal(err)
			}
		}
		told := 0
		for _, step := range []struct {
			name string
			do   func() error
		}{
			{"navigate", func() error { _, err := s.Navigate(within30s(t), site.URL+c.path, "load", 0); return err }},
			{"rest", func() error { _, err := s.Rest(within30s(t), RestOptions{}); return err }},
			{"watch", func() error { _, err := s.Watch(within30s(t), time.Second); return err }},
			{"snapshot", func() error {
				outline, _, err := s.Snapshot(within30s(t), OutlineOptions{})
				if err == nil && !strings.Contains(outline.Text, c.in+`button "Ok"`) {
					err = fmt.Errorf("no button in %s", outline.Text)
				}
				return err
			}},
			{"click", func() error { _, err := s.Click(within30s(t), c.in+`button "Ok"`, 2*time.Second); return err }},
			{"what the page around it listens to", func() error {
				if c.path != "/srcdoc" {
					return nil
				}
				got, err := s.Read(within30s(t), "css=#told", "The frame was clicked", false)
				if err == nil && !got.Fits {
					err = fmt.Errorf("%+v", got)
				}
				return err
			}},
			{"hover", func() error { _, err := s.Hover(within30s(t), c.in+`button "Ok"`, 2*time.Second); return err }},
			{"look", func() error {
				look, err := s.Look(within30s(t), c.in+`paragraph "Inner text"`, FactCount, "")
				if err == nil && look.Seen != 1 {
					err = fmt.Errorf("%+v", look)
				}
				return err
			}},
			{"images", func() error { _, err := s.BrokenImages(within30s(t)); return err }},
			{"facts", func() error { _, err := s.Facts(within30s(t)); return err }},
			{"double clicks", func() error { _, err := s.DoubleClicks(within30s(t)); return err }},
			{"scan", func() error { _, err := s.Scan(within30s(t), scan.Options{}); return err }},
			{"picture", func() error { _, err := s.Screenshot(within30s(t), ShotOptions{}); return err }},
			{"whole picture", func() error { _, err := s.Screenshot(within30s(t), ShotOptions{FullPage: true}); return err }},
		} {
			if err := step.do(); err != nil {
				t.Errorf("%s, %s: %v", c.path, step.name, err)
			}
			logs, err := s.Console("error", time.Time{}, 0)
			if err != nil {
				t.Fatal(err)
			}
			if now := len(logs.Entries); now > max(told, c.errors) {
				t.Errorf("%s: %s brought %d errors: %s", c.path, step.name, now-told, logs.Entries[now-1].Text)
			}
			told = len(logs.Entries)
		}
		if told != c.errors {
			t.Errorf("%s: %d errors, want %d", c.path, told, c.errors)
		}
	}
}
