package tools

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/flowpage"
	"github.com/assay-qa/assay/qa"
)

// siteFault tells a fault of the site (down, answering 5xx, too slow), which
// is a finding, from one of the tester, which is an error. It returns the fault
// in words, or "".
func siteFault(nav browser.Navigation, err error) string {
	var be *browser.Error
	switch {
	case err == nil && nav.Status >= 500:
		return fmt.Sprintf("%s answers status %d", nav.URL, nav.Status)
	case !errors.As(err, &be) || flowpage.TestersFault(be.Message):
		return ""
	case be.Code == browser.NavigationFailed || be.Code == browser.TimedOut:
		return be.Message
	default:
		return ""
	}
}

// fileSiteDown files the blocker finding that a site at fault is, with a picture
// if there is anything to see.
func (c *call) fileSiteDown(ctx context.Context, url, fault string) error {
	if c.runErr != nil {
		return c.runErr
	}
	finding := qa.Finding{Severity: qa.Blocker, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
		Assertion: url + " loads", Expected: loadsOK(url), Observed: fault, Evidence: []qa.EvidenceRef{}}
	shooting, cancel := context.WithTimeout(ctx, 2*time.Second) // there may be nothing that answers
	defer cancel()
	if err := c.shoot(shooting, "site-down", browser.ShotOptions{}); err != nil {
		c.say("no screenshot: %s", engine.AsError(c.spec.name, err).Message)
	} else {
		finding.Evidence = append(finding.Evidence, qa.EvidenceRef{ScreenshotRef: c.shot.Name})
	}
	_, err := c.run.AddFinding(finding)
	return err
}
