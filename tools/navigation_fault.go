package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
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
	case !errors.As(err, &be) || testersFault(be.Message):
		return ""
	case be.Code == browser.NavigationFailed || be.Code == browser.TimedOut:
		return be.Message
	default:
		return ""
	}
}

// testersFault recognises network errors that say nothing about the site: this
// machine or the browser itself refused.
func testersFault(message string) bool {
	return slices.ContainsFunc([]string{
		"ERR_UNSAFE_PORT", "ERR_INVALID_URL", "ERR_INTERNET_DISCONNECTED", "ERR_NETWORK_CHANGED", "ERR_NETWORK_ACCESS_DENIED",
		"ERR_PROXY", "ERR_TUNNEL", "ERR_BLOCKED_BY", "ERR_INSUFFICIENT_RESOURCES", "ERR_ABORTED",
	}, func(code string) bool { return strings.Contains(message, code) })
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
