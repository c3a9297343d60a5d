package browser

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// A5: an error status is an answer, though the page never reads its body and
// the body never ends: nothing waits for it. What is under way, and a stream
// that is open, are no rest.
func TestARefusedRequestIsNotPending(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		button string
		quiet  bool
	}{{"refused", true}, {"hang", false}, {"events", false}} {
		t.Run(tt.button, func(t *testing.T) {
			s, web := show(t, `<button id=refused onclick="fetch('/refused')">R</button><button id=hang onclick="fetch('/hang')">H</button>
				<button id=events onclick="new EventSource('/events').onmessage = () => { document.title = 'open' }">E</button>`)
			body := func(status int, kind string) http.HandlerFunc {
				return func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", kind)
					w.WriteHeader(status)
					fmt.Fprint(w, "data: 1\n\n")
					w.(http.Flusher).Flush()
					<-r.Context().Done()
				}
			}
			web.handle("/refused", body(http.StatusInternalServerError, "application/json"))
			web.handle("/events", body(http.StatusOK, "text/event-stream"))
			web.handle("/hang", slow(nil, nil))
			if _, ok := s.QuietSince(); !ok {
				t.Fatal("the page is not at rest before anything is done")
			}
			a, err := s.Click(within30s(t), "css=#"+tt.button, 0)
			if err != nil {
				t.Fatal(err)
			}
			if last, ok := s.QuietSince(); ok != tt.quiet || ok && last.IsZero() {
				t.Errorf("quiet %v since %v, want %v", ok, last, tt.quiet)
			}
			if tt.button != "refused" {
				return
			}
			all := s.DataRequests(time.Time{})
			if len(all) != 1 || all[0].Pending || all[0].Status != http.StatusInternalServerError || !all[0].Failed() {
				t.Errorf("data requests: %+v", all)
			}
			if len(a.Pending) > 0 {
				t.Errorf("the click waited for %q", a.Pending)
			}
		})
	}
}
