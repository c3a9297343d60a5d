package workspace

import (
	"errors"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/evidence"
)

// maxKeptRequests bounds what is kept of one-off sessions until their run ends.
const maxKeptRequests = 10_000

// traffic holds what sessions that are closed by now have sent and said, by run.
type traffic struct {
	kept    []browser.Traffic
	total   int // requests in kept
	dropped int // requests of sessions that are no longer kept
	last    bool
}

// KeepTraffic records what a session has sent, for the report of a run. The
// oldest sessions make room.
func (ws *Workspace) KeepTraffic(run string, t browser.Traffic) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.traffic == nil {
		ws.traffic = map[string]*traffic{}
	}
	kept := ws.traffic[run]
	if kept == nil {
		kept = &traffic{}
		ws.traffic[run] = kept
	}
	kept.kept, kept.total = append(kept.kept, t), kept.total+len(t.Requests)
	for kept.total > maxKeptRequests {
		oldest := len(kept.kept[0].Requests)
		kept.kept, kept.total, kept.dropped = kept.kept[1:], kept.total-oldest, kept.dropped+oldest
	}
}

// openTraffic returns what the sessions that are open now have sent and said.
func (ws *Workspace) openTraffic(since time.Time) []browser.Traffic {
	var all []browser.Traffic
	for _, id := range ws.SessionIDs() {
		if s, err := ws.Session(id); err == nil { // it may be closed meanwhile
			all = append(all, s.Traffic(since))
		}
	}
	return all
}

// LastTraffic keeps what the open sessions have sent and said, and the trace of
// them, for the reports of the open runs. It is for the moment before the pool is closed beside
// [Workspace.Close], when no call runs any more.
func (ws *Workspace) LastTraffic() {
	ws.fileLeftTraces()
	all := ws.openTraffic(time.Time{})
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for _, r := range []*evidence.Run{ws.own, ws.started} {
		if r == nil {
			continue
		}
		kept := ws.traffic[r.ID()]
		if kept == nil {
			kept = &traffic{}
		}
		for _, t := range all {
			kept.kept = append(kept.kept, t.Since(r.Started()))
		}
		kept.last = true
		if ws.traffic == nil {
			ws.traffic = map[string]*traffic{}
		}
		ws.traffic[r.ID()] = kept
	}
}

// fileTraffic files what the sessions of a run have sent and said: its one-off
// sessions, and those that are open now, since the run began. A session that
// was closed before has files of its own.
func (ws *Workspace) fileTraffic(r *evidence.Run) error {
	all, last := ws.takeTraffic(r)
	if !last {
		all = append(all, ws.openTraffic(r.Started())...)
	}
	return ws.storeTraffic(r, all)
}

// FileOwnTraffic files the traffic of a run whose sessions are all its own and
// closed by now: open ones belong to other runs.
func (ws *Workspace) FileOwnTraffic(r *evidence.Run) error {
	all, _ := ws.takeTraffic(r)
	return ws.storeTraffic(r, all)
}

// takeTraffic takes what was kept for a run; last tells that the open sessions
// are in it already.
func (ws *Workspace) takeTraffic(r *evidence.Run) (all []browser.Traffic, last bool) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	kept := ws.traffic[r.ID()]
	delete(ws.traffic, r.ID())
	if kept == nil {
		return nil, false
	}
	return append(kept.kept, browser.Traffic{Dropped: kept.dropped}), kept.last
}

// storeTraffic stores traffic as files of a run.
func (ws *Workspace) storeTraffic(r *evidence.Run, all []browser.Traffic) error {
	network, console, err := browser.TrafficLines(all)
	if err != nil {
		return err
	}
	har, err := browser.HAR(all, ws.ReportEnvironment().AssayVersion)
	if err != nil {
		return err
	}
	errs := []error{ReportTraffic(r, all)}
	save := func(name, mime string, data []byte) {
		if _, err := r.SaveFile(name, mime, data, 0); err != nil {
			errs = append(errs, err)
		}
	}
	if len(network) > 0 {
		save("network.jsonl", "application/jsonl", network)
		save("network.har", "application/json", har)
	}
	if len(console) > 0 {
		save("console.jsonl", "application/jsonl", console)
	}
	return errors.Join(errs...)
}
