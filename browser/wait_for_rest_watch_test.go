package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/wait"
)

// What comes within the window after the last change still counts. The page begins
// just before it is watched, however long its load took.
func TestWatchFindsWhatComesLate(t *testing.T) {
	t.Parallel()
	const refresh = "document.head.insertAdjacentHTML('beforeend', '<meta http-equiv=refresh content=\"%s;url=/broken\">')"
	for name, c := range map[string]struct {
		begin string
		ok    func(w Watched) bool
	}{
		"an exception": {`setTimeout(() => { throw new Error('late') }, 500)`,
			func(w Watched) bool { return len(w.Errors) == 1 && w.Errors[0].Level == "exception" }},
		"a rejection": {`setTimeout(() => Promise.reject(new Error('late')), 500)`, func(w Watched) bool { return len(w.Errors) == 1 }},
		"a console error": {`setTimeout(() => console.error('late'), 500)`,
			func(w Watched) bool { return len(w.Errors) == 1 && w.Errors[0].Text == "late" }},
		"data that break it": {`fetch('/slow').then(r => r.text()).then(() => setTimeout(() => null.x, 300))`,
			func(w Watched) bool { return len(w.Errors) == 1 }},
		"a dialog": {`setTimeout(() => alert('late'), 500)`, func(w Watched) bool { return len(w.Notes) == 1 }},
		"a redirect": {`setTimeout(() => location.href = '/broken', 500)`,
			func(w Watched) bool {
				return strings.HasSuffix(w.Page.URL, "/broken") && w.From != "" && w.Reloads == 1
			}},
		"a refresh": {fmt.Sprintf(refresh, "2"), func(w Watched) bool { return strings.HasSuffix(w.Page.URL, "/broken") }},
		"what the next page throws": {fmt.Sprintf(refresh, "1"),
			func(w Watched) bool { return len(w.Errors) == 1 && w.Errors[0].Text == "Error: of the next" }},
	} {
		t.Run(name, func(t *testing.T) {
			s, web := showIn(t, patientPool(t), "<p>page")
			web.handle("/slow", after(1200*time.Millisecond, text("ok")))
			web.handle("/broken", htmlPage("<script>setTimeout(() => { throw new Error('of the next') }, 500)</script>"))
			for range 20 { // on a busy machine what comes late may have come before the watch begins
				began := s.log.Now()
				js(t, s, c.begin+"; 1")
				if notes, errors := s.log.Happened(began); len(notes)+len(errors) == 0 && s.current().page.URL() == web.URL+"/" {
					break
				}
				visit(t, s, web.URL+"/")
			}
			w, err := s.Watch(within30s(t), wait.Standard().Watch)
			if err != nil || !c.ok(w) {
				t.Errorf("%+v, %v", w, err)
			}
		})
	}
}

// A page is watched once in the same state: by the second look nothing is
// waited for, and after any change it is.
func TestWatchKnowsWhatItHasWatched(t *testing.T) {
	t.Parallel()
	s, _ := showIn(t, patientPool(t), `<p id=p>x</p>`)
	for i, c := range []struct {
		change string
		known  bool
	}{{"", false}, {"", true}, {"p.textContent = 'y'", false}, {"", true}, {"console.error('x')", false}, {"location.hash = 'x'", false}, {"load", false}, {"", true}} {
		switch c.change {
		case "":
		case "load":
			visit(t, s, s.current().page.URL())
		default:
			js(t, s, c.change)
		}
		w, err := s.Watch(within30s(t), s.Waits().Watch)
		if err != nil || w.Known != c.known {
			t.Errorf("%d, after %q: known %v: %+v, %v", i, c.change, w.Known, w, err)
		}
	}
	if w, err := s.Watch(within30s(t), 2*s.Waits().Watch); err != nil || w.Known {
		t.Errorf("a longer window than before: %+v, %v", w, err)
	}
	if w, err := s.Watch(within30s(t), 0); err != nil || w.Window != 0 || w.Known {
		t.Errorf("off: %+v, %v", w, err)
	}
}

// Pictures are taken while a page is watched, and don't make the watch longer.
func TestWatchLeavesThePageFree(t *testing.T) {
	t.Parallel()
	s, _ := showIn(t, patientPool(t), `<p id=p>x</p>`)
	w := s.BeginWatch(within30s(t), wait.Standard().Watch)
	taken := 0
	for over := false; !over; {
		select {
		case <-w.done:
			over = true
		default:
			if _, err := s.Screenshot(within30s(t), ShotOptions{}); err != nil {
				t.Fatal(err)
			}
			taken++
		}
	}
	out, err := w.End()
	if err != nil || !out.Still || taken < 2 {
		t.Errorf("%d pictures, %+v, %v", taken, out, err)
	}
	t.Log(fmt.Sprint(taken), out.Waited)
}
