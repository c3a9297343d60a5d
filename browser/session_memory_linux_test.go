package browser

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/wait"
)

// hog has the page keep so many megabytes that it has written to.
const hog = `n => { window.kept = (window.kept || []).concat([...Array(n / 4)].map((_, i) => new Uint8Array(4 << 20).fill(i + 1))); return window.kept.length }`

// eat has the session's page use more memory, and must succeed.
func eat(t *testing.T, s *Session, mb int) {
	t.Helper()
	if _, err := pageOf(s).Evaluate(hog, mb); err != nil {
		t.Fatal(err)
	}
}

// B16: the memory of a session is what the renderers of its own pages use, and no other's.
func TestSessionMemory(t *testing.T) {
	t.Parallel()
	p := poolWith(t, nil)
	web := newSite(t, map[string]string{"/{$}": "<title>T</title>"})
	light, heavy := launch(t, p, LaunchOptions{}), launch(t, p, LaunchOptions{})
	visit(t, light, web.URL+"/")
	visit(t, heavy, web.URL+"/")
	eat(t, heavy, 200)
	small, err := light.Memory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	big, err := heavy.Memory(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("a page: %d MB, with 200 MB more: %d MB, browser: %d MB, in %v", small.Session/memoryMB, big.Session/memoryMB, small.Browser/memoryMB, time.Since(began))
	if mb := small.Session / memoryMB; mb < 1 || mb > 150 {
		t.Errorf("an almost empty page uses %d MB", mb)
	}
	if more := (big.Session - small.Session) / memoryMB; more < 180 || more > 300 {
		t.Errorf("200 MB more are counted as %d MB", more)
	}
	if mb := big.Browser / memoryMB; mb < 1 || mb > 1000 {
		t.Errorf("the browser itself uses %d MB", mb)
	}
}

// B16: a session that uses more memory than it may is rebuilt, once, and says why; one beside it is
// none the worse. A page that is over the limit again is left blank.
func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	p := poolToBreak(t, func(o *Options) { o.MemoryLimit = 200 << 20 })
	web := patient(t)
	s, beside := launch(t, p, LaunchOptions{}), launch(t, p, LaunchOptions{})
	signIn(t, beside, web)
	signIn(t, s, web)
	over := func() {
		t.Helper()
		n, _ := s.Losses()
		if _, err := pageOf(s).Evaluate(hog, 400); err != nil { // counted after the call before, and ended meanwhile
			t.Log(err)
		}
		s.noteUse()
		becomes(t, "the session is rebuilt", func() error {
			if now, _ := s.Losses(); now == n || !ended(s.latest().done) {
				return errHeld
			}
			return nil
		})
	}
	over()
	_, err := s.Look(within30s(t), "css=body", FactCount, "")
	e := wantCode(t, err, explain.PageCrashed, s.ID(), "MB of memory", "limits.memory_mb", "(200)", "was rebuilt", web.URL+"/who")
	if !e.Retriable {
		t.Error("calling again helps")
	}
	knows(t, s, web)
	over()
	for range 2 {
		_, err := s.Look(within30s(t), "css=body", FactCount, "")
		wantCode(t, err, explain.PageCrashed, "blank", heavyAgain, "raise limits.memory_mb", "page_navigate")
	}
	visit(t, s, web.URL+"/signin")
	if n, _ := beside.Losses(); n != 0 {
		t.Errorf("the session beside it was rebuilt %d times", n)
	}
	knows(t, beside, web)
}

// B16: a page that takes memory in a script without end is ended too, and the call that runs it.
func TestMemoryLimitOfPageThatHangs(t *testing.T) {
	if !soak() {
		t.Skip("takes 13 s: make soak has it")
	}
	p := poolToBreak(t, func(o *Options) { o.MemoryLimit = 200 << 20 })
	web := newSite(t, map[string]string{"/{$}": "<title>T</title>"})
	s := launch(t, p, LaunchOptions{})
	visit(t, s, web.URL+"/")
	_, _, err := s.Evaluate(within30s(t), "(() => { ("+hog+")(400); for (;;); })()", nil)
	wantCode(t, err, explain.PageCrashed, "limits.memory_mb", "MB of memory", web.URL)
	visit(t, s, web.URL+"/")
}

// B16: a page that uses too much whenever it is loaded is not loaded in a circle.
func TestMemoryLimitEachLoad(t *testing.T) {
	t.Parallel()
	p := poolToBreak(t, func(o *Options) { o.MemoryLimit, o.Waits = 200<<20, wait.Standard() })
	web := newSite(t, map[string]string{"/{$}": "<title>T</title><script>(" + hog + ")(400)</script>"})
	s := launch(t, p, LaunchOptions{})
	first := s.current().context.gone // closed when the browser ends
	// Chromium 156 now and then dies itself when the process of a page that still loads is
	// ended: a segmentation fault of its main process.
	crashed := func(err error, words ...string) {
		t.Helper()
		code := explain.PageCrashed
		if _, last := s.Losses(); last == explain.BrowserCrashed {
			if !ended(first) {
				t.Error("the browser is said to have died, and lives")
			}
			t.Log("the browser did not survive the end of its page")
			code = explain.BrowserCrashed
		}
		wantCode(t, err, code, append(words, "limits.memory_mb", "MB of memory")...)
	}
	_, err := s.Navigate(within30s(t), web.URL+"/", "commit", 0)
	reported := err != nil // the page was ended before it had loaded
	if reported {
		crashed(err)
	}
	becomes(t, "the session is rebuilt", func() error {
		if n, _ := s.Losses(); n == 0 || !ended(s.latest().done) {
			return errHeld
		}
		return nil
	})
	if !reported {
		_, err := s.Look(within30s(t), "css=body", FactCount, "")
		crashed(err)
	}
	becomes(t, "it is given up", func() error {
		_, err := s.Look(within30s(t), "css=body", FactCount, "")
		if err == nil || !strings.Contains(err.Error(), heavyAgain) {
			return errors.Join(errHeld, err)
		}
		return nil
	})
	n, _ := s.Losses()
	for range 3 { // a rebuilt page would answer the second of them
		_, err := s.Look(within30s(t), "css=body", FactCount, "")
		crashed(err, heavyAgain)
	}
	if now, _ := s.Losses(); now != n {
		t.Errorf("it was rebuilt %d times more", now-n)
	}
}
