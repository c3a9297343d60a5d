package tools

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
)

// markRunStart remembers where the open sessions stand when a run starts: what their
// pages said before is not the run's.
func (d *Desk) markRunStart() {
	starts := map[string]browser.Position{}
	for _, id := range d.sessionIDs() {
		if s, err := d.session(id); err == nil { // it may be closed meanwhile
			starts[id] = s.Position()
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.starts = starts
}

// startIn returns where the call's flow, or else its run, began in a session.
func (c *call) startIn(s *browser.Session) browser.Position {
	if c.began != nil {
		return *c.began
	}
	if c.inOwn || c.oneOff {
		return browser.Position{}
	}
	c.desk.mu.Lock()
	defer c.desk.mu.Unlock()
	return c.desk.starts[s.ID()]
}

// consoleErrors returns the errors that a clean console must not have. In a flow and
// in a run, those of all pages since it began. Calls outside of a run have no
// other bound than the site that they look at: what another one said before is
// not its fault.
func (c *call) consoleErrors(s *browser.Session) browser.Logs {
	if c.inOwn && !c.oneOff && c.began == nil {
		return s.SiteErrors()
	}
	return s.ErrorsSince(c.startIn(s))
}

// errorTexts returns the errors in words. One of another page than that at address
// says which.
func errorTexts(logs browser.Logs, address string) []string {
	var out []string
	for _, e := range logs.Entries {
		text := e.Text
		if e.Page != "" && e.Page != address {
			text += " (on " + e.Page + ")"
		}
		out = append(out, text)
	}
	if logs.Dropped > 0 {
		out = append(out, fmt.Sprintf("%d older ones, which are counted only", logs.Dropped))
	}
	return out
}

// maxThrown sets how many different exceptions are filed at a time.
const maxThrown = 50

// fileExceptions turns uncaught exceptions of the page into blocker findings
// (A9): the page is broken, whatever the caller was looking for. One that is
// thrown again and again is one finding.
func (c *call) fileExceptions(s *browser.Session) {
	c.fileGuardStops(s)
	c.fileFatalErrors(s)
	thrown, more := s.TakeExceptions()
	times := map[browser.LogEntry]int{} // by the exception without its time
	var different []browser.LogEntry
	for _, x := range thrown {
		kind := x
		kind.Time = time.Time{}
		if times[kind]++; times[kind] == 1 {
			different = append(different, x)
		}
	}
	for _, x := range different[:min(maxThrown, len(different))] {
		kind, observed := x, x.Text
		if kind.Time = (time.Time{}); times[kind] > 1 {
			observed += fmt.Sprintf(" (%d times)", times[kind])
		}
		c.fileException(observed, x.Time)
	}
	if more += max(0, len(different)-maxThrown); more > 0 {
		c.fileException(fmt.Sprintf("%d more exceptions", more), thrown[len(thrown)-1].Time)
	}
}

// fileFatalErrors turns errors of the console that fit a fatal pattern into blocker
// findings (A9), each text once.
func (c *call) fileFatalErrors(s *browser.Session) {
	filed := map[string]bool{}
	for _, e := range s.TakeErrors() {
		fits := func(p *regexp.Regexp) bool { return p.MatchString(e.Text) }
		if !filed[e.Text] && len(filed) < maxThrown && slices.ContainsFunc(c.desk.FatalConsole, fits) {
			filed[e.Text] = true
			c.fileBlocker("the page logs no fatal error", "the page logged a fatal error", e.Text, e.Time)
		}
	}
}

func (c *call) fileException(observed string, at time.Time) {
	c.fileBlocker("the page throws no uncaught exception", "the page threw an uncaught exception", observed, at)
}

func (c *call) fileBlocker(assertion, found, observed string, at time.Time) {
	finding := qa.Finding{Severity: qa.Blocker, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
		Assertion: assertion, Expected: "none", Observed: observed, Evidence: []qa.EvidenceRef{{Time: &at}}}
	if c.shot != nil {
		finding.Evidence[0].ScreenshotRef = c.shot.Name
	}
	if _, err := c.run.AddFinding(finding); err != nil {
		c.say("warning: a finding could not be filed: %v", err)
		return
	}
	c.say("blocker finding: %s", found)
	c.quote("%s", observed)
}
