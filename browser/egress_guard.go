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
	if rule := s.blocksRequest(method, address); rule != "" {
		return guardRule + egress.Rule(rule)
	}
	return ""
}

// tunnelPatience is how long a session's first tunnel may wait until its pages
// are watched.
const tunnelPatience = 5 * time.Second

// judgeTunnel is the guard's word on a tunnel, in which the gate can read
// nothing. The first ones wait until the session's pages are watched; what they
// sent before is known by then, and judged here, however late its tunnel comes.
func (s *Session) judgeTunnel(host, port string) egress.Rule {
	if s.guardPolicy().Guard == nil || s.opts.Type != "chromium" {
		return ""
	}
	target := net.JoinHostPort(host, port)
	watched := make(chan error, 1)
	go func() { watched <- s.guardSecurePages("https://" + target) }()
	timer := time.NewTimer(tunnelPatience)
	defer timer.Stop()
	select {
	case err := <-watched:
		if err != nil {
			s.EventLog.note("guard: a page's requests can't be watched: " + plain(err))
			return guardRule + "a page's requests can't be watched"
		}
	case <-s.ended:
	case <-timer.C:
		return guardRule + "the page does not answer, so that its requests can't be watched"
	}
	s.counting.Do(func() {
		s.contextAlive(s.current().context) // its answer comes after the news of all requests sent before
		s.unwatched = s.EventLog.requests()
	})
	for _, r := range s.EventLog.unanswered(target, s.unwatched) {
		if rule := s.judge(r.Method, r.URL); rule != "" {
			return rule
		}
	}
	return ""
}
