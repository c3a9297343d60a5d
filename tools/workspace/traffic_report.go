package workspace

import (
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
)

// ReportTraffic puts into a run's report what its pages complained of, and the
// requests that failed.
func ReportTraffic(r *evidence.Run, all []browser.Traffic) error {
	var console []qa.ConsoleEntry
	var network []qa.NetworkEntry
	for _, t := range all {
		for _, e := range t.Console {
			if e.IsError() || e.Level == "warning" {
				console = append(console, qa.ConsoleEntry{Level: e.Level, Text: e.Text, URL: e.URL, Line: e.Line, Time: e.Time})
			}
		}
		for _, s := range t.Requests {
			if s.Status < 400 && s.Failure == "" && s.Blocked == "" {
				continue
			}
			failure := s.Failure
			if s.Blocked != "" {
				failure = "refused by " + s.Blocked
			}
			network = append(network, qa.NetworkEntry{RequestID: s.RequestID, Method: s.Method, URL: s.URL, Status: s.Status, Type: s.Type,
				Time: s.Start, DurationMS: s.DurationMS, Failure: failure})
		}
	}
	return r.AddTraffic(console, network)
}
