package kpicheck

import (
	"slices"
	"time"

	"github.com/assay-qa/assay/browser"
)

// waitingIsUseless reports whether a value can't change by waiting longer:
// every KPI's text has stood still for 2 s, as long ago the range's last step
// was done and the last request of any kind came to its end, and none is under
// way. After a data request that failed and was not repeated with success 1.5
// s do.
// So a value is waited for that is painted within 2 s after the step, after
// the last answer, or after a KPI's last change, however long all of that
// takes within the time-out. While a stream is open, and where the caller
// gives timeout_ms, the time-out is waited for in full. start is when the
// ranges' steps were done.
func (k *check) waitingIsUseless(all together, start time.Time) bool {
	if k.Timeout > 0 {
		return false
	}
	since, quiet := k.Session.QuietSince()
	if !quiet {
		return false
	}
	moments := []time.Time{start}
	for _, label := range k.labels {
		moments = append(moments, all[0].tracks[label].since)
	}
	for _, t := range moments {
		if t.After(since) {
			since = t
		}
	}
	rest := all[0].look.at.Sub(since)
	return rest >= k.waits.FigureWrong || rest >= k.waits.FigureRefused && slices.ContainsFunc(all, func(r *rangeCheck) bool {
		return len(refusedRequests(k.Session.DataRequests(r.since))) > 0
	})
}

// refusedIn returns the data requests of a range that failed: since its steps
// began, or since the document was requested where it has none. Each belongs
// to the first range that sees it.
func (k *check) refusedIn(r *rangeCheck) []browser.NetworkEvent {
	if r.since.IsZero() { // their document is unknown
		return nil
	}
	return slices.DeleteFunc(refusedRequests(k.Session.DataRequests(r.since)), func(e browser.NetworkEvent) bool {
		return slices.ContainsFunc(k.ranges, func(other *rangeCheck) bool {
			return slices.ContainsFunc(other.refused, func(seen browser.NetworkEvent) bool { return seen.RequestID == e.RequestID })
		})
	})
}

// refusedRequests returns those that failed and were not repeated with success.
func refusedRequests(all []browser.NetworkEvent) []browser.NetworkEvent {
	var out []browser.NetworkEvent
	for i, e := range all {
		healed := slices.ContainsFunc(all[i+1:], func(later browser.NetworkEvent) bool {
			return later.Method == e.Method && later.URL == e.URL && !later.Failed() && later.Status/100 == 2
		})
		if e.Failed() && !healed {
			out = append(out, e)
		}
	}
	return out
}
