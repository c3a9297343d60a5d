package browser

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/wait"
)

// A frame whose document is given by the page comes when the browser's process has decided
// about it. No request tells of it, so that one that is kept busy must not make a page look
// at rest that isn't.
func TestRestWaitsForAFrameThatTheBrowserDelays(t *testing.T) {
	for name, given := range map[string]string{
		"markup":          `f.srcdoc = '<p>x'`,
		"the same markup": `f.srcdoc = f.srcdoc`,
		"a new frame":     `const g = document.createElement('iframe'); g.srcdoc = '<p>x'; g.onload = f.onload; f.replaceWith(g)`,
	} {
		t.Run(name, func(t *testing.T) {
			p := poolToBreak(t, func(o *Options) { o.Waits = wait.Standard() })
			s, web := showIn(t, p, "")
			web.turn(t, s, fmt.Sprintf(`<p id=out>waiting</p><iframe id=f srcdoc="<p>w"></iframe><script>let given;
				f.onload = () => { if (given) setTimeout(() => out.textContent = 'done', 100) };
				setTimeout(() => { given = true; %s }, 300)</script>`, given))
			if _, err := s.Rest(within30s(t), RestOptions{Window: time.Millisecond, Brief: true}); err != nil { // it is observed from here on
				t.Fatal(err)
			}
			browser := browserPID(t, p)
			if err := syscall.Kill(browser, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(1200*time.Millisecond, func() { _ = syscall.Kill(browser, syscall.SIGCONT) })
			r, err := s.Rest(within30s(t), RestOptions{})
			if err != nil || !r.Still {
				t.Fatalf("%+v, %v", r, err)
			}
			if got := js(t, s, "out.textContent"); got != `"done"` {
				t.Errorf("at rest after %v, and the page shows %s", r.Waited, got)
			}
		})
	}
}
