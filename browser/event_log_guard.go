package browser

import (
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/browser/redact"
)

// guardStop records what the guard stopped: a request, or an action, which has no
// address.
type guardStop struct {
	what, rule, method, address string

	explained bool // the log's entry of the request says so
}

// stopTexts describes stops in words.
func stopTexts(stops []*guardStop) []string {
	out := make([]string, len(stops))
	for i, x := range stops {
		out[i] = x.what
	}
	return out
}

func (j *EventLog) addStop(what guardStop) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stopped.add(&what)
}

// TakeStopped returns what the guard has stopped since the last call of it: the
// tester was not permitted to go on, so what was seen then proves little.
func (j *EventLog) TakeStopped() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := stopTexts(j.stopped.since(j.stopsReported))
	j.stopsReported = j.stopped.total
	return out
}

// refuseAction logs a stop and returns the error of an action that was not done.
func (j *EventLog) refuseAction(code Code, what, why, hint string, a actionElement, cause error) error {
	j.addStop(guardStop{what: what + ": " + why})
	return &Error{Code: code, Message: what + " was not done: " + why, Hint: hint + "; the element:", Page: []string{cut(a.Line, maxNote)}, Cause: cause}
}

// stoppedDocument returns the error of a navigation whose own document the guard
// stopped; nil when it did not.
func (j *EventLog) stoppedDocument(m mark, address string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, x := range j.stopped.since(m.stopped) {
		if x.address == cut(address, maxURL) {
			return &Error{Code: ActionBlocked, Message: "page_navigate " + redact.URL(address) + " was not done: the guard takes it for destructive (rule: " + x.rule + ")", Hint: guardHint}
		}
	}
	return nil
}

// explainStop sets the rule by which a request that has ended was stopped, where
// the browser reports only that it was; j.mu is held. A stop explains one request:
// what becomes of the next one to the same address is the site's.
func (j *EventLog) explainStop(x *exchange) {
	if x.Failure == "" || x.Blocked != "" && !strings.HasPrefix(x.Blocked, guardRule) {
		return
	}
	found := j.unexplained(x.Method, x.request.URL())
	if len(found) == 0 {
		return
	}
	if x.Blocked == "" {
		x.Blocked = guardRule + found[0].rule
	}
	again := slices.ContainsFunc(j.network.since(0), func(o *exchange) bool {
		return o != x && o.Pending && o.Method == x.Method && o.request.URL() == x.request.URL()
	})
	if again {
		found = found[:1]
	}
	for _, stop := range found { // a browser may have tried the same request more than once
		stop.explained = true
	}
}

// unexplained returns the stops of such a request that no entry of the log
// explains yet, oldest first; j.mu is held.
func (j *EventLog) unexplained(method, address string) []*guardStop {
	return slices.DeleteFunc(j.stopped.since(0), func(x *guardStop) bool {
		return x.explained || x.address == "" || x.method != method || x.address != cut(address, maxURL)
	})
}

// refusedByUs reports whether a request to an address was stopped by a rule of
// ours; the browser's message about it may come before the request's end.
func (j *EventLog) refusedByUs(address string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.ContainsFunc(j.stopped.since(0), func(x *guardStop) bool {
		return x.address != "" && x.address == cut(address, maxURL)
	}) || slices.ContainsFunc(j.network.since(0), func(x *exchange) bool {
		return x.Blocked != "" && x.request.URL() == address
	})
}

// requests returns how many there were so far.
func (j *EventLog) requests() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.network.total
}

// unanswered returns those of the session's first n requests that went to a host
// and port and have no answer yet.
func (j *EventLog) unanswered(target string, n int) []guard.Request {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []guard.Request
	for i, x := range j.network.since(0) {
		if j.network.dropped()+i < n && x.Pending && x.Status == 0 && hostPortOf(x.request.URL()) == target {
			out = append(out, routedRequest(x.request))
		}
	}
	return out
}
