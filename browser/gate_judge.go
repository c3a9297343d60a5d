package browser

import (
	"net"
	"time"

	"github.com/assay-qa/assay/browser/egress"
)

// guardRule begins the rules of the guard, among those that block a request.
const guardRule = "guard: "

// judge is the guard's word on a request that the gate can read.
func (s *Session) judge(method, address string) egress.Rule {
	if !s.stops(method, address) {
		return ""
	}
	rule, _ := s.pool.Guard.Request(method, address)
	return guardRule + egress.Rule(rule)
}

// tunnelPatience is how long a session's first tunnel may wait until its pages
// are watched.
const tunnelPatience = 5 * time.Second

// judgeTunnel is the guard's word on a tunnel, in which the gate can read
// nothing. The first one waits until the session's pages are watched; what they
// sent before is known by then.
func (s *Session) judgeTunnel(host, port string) egress.Rule {
	if s.pool.Guard == nil || s.opts.Type != "chromium" || ended(s.secured) {
		return ""
	}
	target := net.JoinHostPort(host, port)
	go s.securing.Do(func() {
		defer close(s.secured)
		// Its last answer comes after the news of all requests sent before.
		if err := s.watchSecure("https://" + target); err != nil {
			s.journal.note("guard: a page's requests can't be watched: " + plain(err))
		}
		s.contextAlive(s.current().life)
	})
	timer := time.NewTimer(tunnelPatience)
	defer timer.Stop()
	select {
	case <-s.secured:
	case <-s.ended:
	case <-timer.C:
		return guardRule + "the page does not answer, so that its requests can't be watched"
	}
	for _, r := range s.journal.unanswered(target) {
		if rule := s.judge(r.Method, r.URL); rule != "" {
			return rule
		}
	}
	return ""
}

// unanswered are the requests to a host and port that have no answer yet.
func (j *journal) unanswered(target string) []NetworkEvent {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []NetworkEvent
	for _, x := range j.network.since(0) {
		if x.Pending && x.Status == 0 && hostPortOf(x.request.URL()) == target {
			e := x.NetworkEvent
			e.URL = x.request.URL()
			out = append(out, e)
		}
	}
	return out
}
