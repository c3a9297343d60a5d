package tools

import (
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
)

// fileGuardStops files what the guard has stopped in a session. The page did not
// get what it asked for by our doing, so a run can neither pass nor blame it.
func (c *call) fileGuardStops(s *browser.Session) {
	stopped := s.TakeStopped()
	for _, what := range stopped {
		c.run.Interrupt(qa.Interruption{Kind: qa.NeedsHuman, Subject: c.spec.name, Detail: "the guard stopped " + what})
	}
	if len(stopped) > 0 {
		c.say("the guard stopped %d destructive action(s) or request(s): this run can't pass", len(stopped))
		for _, what := range stopped {
			c.quote("stopped: %s", engine.OneLine(what))
		}
	}
}
