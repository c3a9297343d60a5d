package browser

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/scan"
)

// A scan says after what time the page may have changed by itself: once each timer that is due
// soon has run, and no later.
func TestScanOfWhatChangesByItself(t *testing.T) { // Req 0032/4
	t.Parallel()
	const ms = time.Millisecond
	s, web := show(t, "")
	web.handle("/endless", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: 1\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	web.handle("/hang", slow(nil, nil))
	for name, page := range map[string]struct {
		body        string
		least, most time.Duration
	}{
		"nothing":                   {`<h1>Still</h1>`, 0, 0},
		"a timer far off":           {`<h1>Later</h1><script>setTimeout(() => {}, 60000)</script>`, 0, 0},
		"an interval":               {`<h1>Polls</h1><script>setInterval(() => {}, 400)</script>`, 1 * ms, 400 * ms},
		"two intervals":             {`<h1>Polls</h1><script>setInterval(() => {}, 250); setInterval(() => {}, 450)</script>`, 1 * ms, 450 * ms},
		"a frame's interval":        {`<h1>Framed</h1><iframe title=Inner srcdoc="<p>Inner</p><script>setInterval(() => {}, 400)</script>"></iframe>`, 1 * ms, 400 * ms},
		"a stream that goes on":     {`<h1>Streams</h1><script>new EventSource('/endless')</script>`, rest.SelfLimit, rest.SelfLimit},
		"an answer that is to come": {`<h1>Asks</h1><script>fetch('/hang')</script>`, rest.SelfLimit, rest.SelfLimit},
	} {
		t.Run(name, func(t *testing.T) {
			web.turn(t, s, page.body)
			found, err := s.Scan(within30s(t), scan.Options{Max: 50})
			if err != nil {
				t.Fatal(err)
			}
			if found.Changing < page.least || found.Changing > page.most {
				t.Errorf("may have changed after %v, want %v to %v", found.Changing, page.least, page.most)
			}
			if found.Other {
				t.Error("it is said to be no page")
			}
		})
	}
}
