package tools

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/assay-qa/assay/address"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// What the caller made itself proves no expectation; see docs/verdict.md. A check
// says so in its Void.

// addCheck files a check, with why it proves nothing where it passed.
func (c *call) addCheck(check qa.Check) (qa.Check, error) {
	if check.Passed {
		check.Void = append(slices.Clone(check.Void), c.voidReasons(qa.Assertion{Type: qa.AssertionType(check.Kind), Not: check.Not})...)
	}
	return c.run.AddCheck(check)
}

// voidReasons returns why a check of the page that the call's session shows proves
// nothing: what the caller made of it.
func (c *call) voidReasons(a qa.Assertion) []string {
	if c.session == nil {
		return nil
	}
	made := c.session.Made()
	var out []string
	if made.Script {
		out = append(out, "a script of the caller may have changed the page, which was not loaded since")
	}
	if made.Mocked != "" {
		out = append(out, fmt.Sprintf("network_intercept answered a request of the page with a mock (%s)", made.Mocked))
	}
	if made.Refused != "" && a.Absent() {
		out = append(out, fmt.Sprintf("network_intercept refused a request of the page (%s), so something may be absent for that", made.Refused))
	}
	if c.runErr == nil {
		if why := c.desk.otherSite(c.run, made.URL, a.Type == qa.URLMatches); why != "" {
			out = append(out, why)
		}
	}
	return out
}

// voidSteps returns why a flow proves nothing: none of its assertions does.
func voidSteps(steps []*flow.Step) []string {
	var why []string
	for _, s := range steps {
		if s.Outcome == nil || s.Assertion == nil {
			continue
		}
		if len(s.Outcome.Void) == 0 {
			return nil
		}
		why = s.Outcome.Void
	}
	return why
}

// sayVoid says why a check that passed proves nothing.
func (c *call) sayVoid(check qa.Check) {
	for _, why := range check.Void {
		c.say("it proves nothing: %s", why)
	}
}

// siteScope holds the sites that a run has to do with, as it finds them out.
type siteScope struct {
	sync.Mutex
	run    string
	first  []string // of the address that the run opened first, and where that led
	opened string   // of the address that the caller opened last
}

// of returns the sites of a run; the lock is held.
func (s *siteScope) of(run string) *siteScope {
	if s.run != run {
		s.run, s.first, s.opened = run, nil, ""
	}
	return s
}

// noteOpened notes that the caller opened an address, and where that led.
func (c *call) noteOpened(asked, landed string) {
	if c.runErr == nil && !c.signing {
		c.desk.noteOpened(c.run, asked, landed)
	}
}

// noteOpened notes that a call of a run opened an address, and where that led.
func (d *Desk) noteOpened(run *evidence.Run, asked, landed string) {
	known := &d.sites
	known.Lock()
	defer known.Unlock()
	s := known.of(run.ID())
	s.opened = address.Site(asked)
	if route := d.routeSite(run); len(s.first) == 0 && (route == "" || route == s.opened) {
		s.first = []string{s.opened, address.Site(landed)}
	}
}

// routeSite returns the site that a run's task names; empty: none.
func (d *Desk) routeSite(run *evidence.Run) string {
	route := run.Task().Route
	if full, err := d.address(route); err == nil && route != "" {
		route = full
	}
	return address.Site(route)
}

// otherSite returns why what a page at an address shows proves nothing of a run's
// task: it is of another site. Where the page itself led there, that it is there
// is what the site under test did.
func (d *Desk) otherSite(run *evidence.Run, at string, whereItIs bool) string {
	site := address.Site(at)
	if site == "" || len(run.Task().Expectations) == 0 || len(d.Hosts) > 0 { // other hosts are out of reach
		return ""
	}
	known := &d.sites
	known.Lock()
	defer known.Unlock()
	s, route := known.of(run.ID()), d.routeSite(run)
	if len(s.first) == 0 && route == "" { // it was open when the run began
		s.first = []string{site}
	}
	own := append([]string{route, address.Site(d.Target.BaseURL)}, s.first...)
	if slices.Contains(own, site) || whereItIs && slices.Contains(own, cmp.Or(s.opened, site)) {
		return ""
	}
	return fmt.Sprintf("the page is of the site %s, and the task is about %s", site, cmp.Or(own...))
}
