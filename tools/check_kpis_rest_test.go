package tools_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// A5: without timeout_ms a range is over when waiting promises nothing, and not
// before: the page is given 2 s after its last answer, and time to ask again
// for what failed. timeout_ms is waited for in full.
func TestCheckKPIsStopsWaitingAtRest(t *testing.T) {
	t.Parallel()
	later := func(ms int) string {
		return fmt.Sprintf(`let now = show; show = (d) => d.orders == 2100 ? setTimeout(now, %d, d) : now(d)`, ms)
	}
	all := patient(t)
	var asked atomic.Int32
	// Headers and the beginning of a body that never ends, which the page does not read.
	unread := func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("range") != "7d" || asked.Add(1) > 1 {
			return true
		}
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprint(w, "no")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return false
	}
	for i, tt := range []struct {
		name, script string
		data         func(http.ResponseWriter, *http.Request) bool
		args         string
		status       string // of Revenue and Orders
		words        string
	}{
		{"painted 1 s after the answer", later(1000), nil, `{"ranges": [{"name": "7d"}]}`, "ok ", "PASSED"},
		{"painted long after the answer", later(4500), nil, `{"ranges": [{"name": "7d"}]}`, "mismatch wrong-value", "FAILED"},
		{"waited for in full", later(4500), nil, `{"ranges": [{"name": "7d"}], "timeout_ms": 8000}`, "ok ", "PASSED"},
		{"a stream is open", `new EventSource('/events'); ` + later(2800), nil, `{"ranges": [{"name": "7d"}]}`, "ok ", "PASSED"},
		{"refused", "", unread, `{"ranges": [{"name": "7d"}]}`, "mismatch wrong-value", "the data request GET"},
		{"refused, and asked again", `let first = load; load = async () => { await first(); if (range.value == '7d' && orders.textContent == '321') setTimeout(first, 1000) }`, unread, `{"ranges": [{"name": "7d"}]}`, "ok ", "PASSED"},
		{"refused on the first load", `revenue.textContent = '$12,345'; orders.textContent = '321'`, func(w http.ResponseWriter, _ *http.Request) bool {
			http.Error(w, "no", http.StatusInternalServerError)
			return false
		}, `{"ranges": [{"name": "today"}]}`, "ok ", "FAILED: 2 of 2 KPI values hold"},
	} {
		if !sampled(i, 3) {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			asked.Store(0)
			d := all
			d.t = t
			base := live(t, tt.script, func(w http.ResponseWriter, r *http.Request) bool { return tt.data == nil || tt.data(w, r) })
			d.ok("page_navigate", `{"url": %q}`, base+"/")
			d.ok("run_start", "%s", liveTask)
			a := d.ok("check_kpis", "%s", tt.args)
			if all := rows(a); len(all) != 2 || !strings.Contains(a.text, tt.words) {
				t.Errorf("%d rows\n%s", len(all), a.text)
			}
			for key, row := range rows(a) {
				if got := string(row.Status) + " " + string(row.Cause); got != tt.status {
					t.Errorf("%s: %s, want %s (%s for %s)", key, got, tt.status, row.Observed, row.Expected)
				}
			}
			d.ok("run_finish", `{}`) // the next case has a run of its own
		})
	}
}
