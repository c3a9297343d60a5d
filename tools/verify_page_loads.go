package tools

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
)

type verifyPageLoadsInput struct {
	URL           string `json:"url"`
	ExpectedTitle string `json:"expected_title,omitempty" jsonschema:"the whole title"`
	timeLimit
	binds
}

type verifyPageLoadsOutput struct {
	Success       bool               `json:"success"`
	LoadTimeMS    int64              `json:"load_time_ms"`
	Status        int                `json:"status"`
	Title         string             `json:"title"`
	ConsoleErrors []browser.LogEntry `json:"console_errors"`
	Reason        string             `json:"reason" jsonschema:"why it failed, or what was checked"`
	CheckIDs      []string           `json:"check_ids"`
}

const defaultLoadTimeout Millis = 10_000

func (d *Desk) verifyPageLoads() Tool {
	return define(d, spec{
		name: "verify_page_loads", set: Core, verifies: true, publish: true, fields: []string{"success", "load_time_ms", "status", "title", "console_errors"},
		description: "Check in a fresh context that an address loads in time with status 2xx and the title.",
	}, func(ctx context.Context, c *call, in verifyPageLoadsInput) (verifyPageLoadsOutput, error) {
		var err error
		if in.URL, err = d.address(in.URL); err != nil {
			return verifyPageLoadsOutput{}, err
		}
		c.about = qa.Check{Kind: "verify_page_loads", Subject: in.URL, Expected: loadsOK(in.URL), Expects: in.Expects}
		c.progress("loading " + in.URL)
		s, err := c.fresh(ctx, in.URL)
		if err != nil {
			return verifyPageLoadsOutput{}, err
		}
		nav, err := c.navigate(ctx, s, in.URL, "load", cmp.Or(in.TimeoutMS, defaultLoadTimeout).duration())
		fault := faultOfSite(nav, err)
		if err != nil && fault == "" {
			return verifyPageLoadsOutput{}, err
		}
		return c.judgeLoad(ctx, in, nav, fault)
	})
}

// judgeLoad files the checks of a loaded, or not loaded, page.
func (c *call) judgeLoad(ctx context.Context, in verifyPageLoadsInput, nav browser.Navigation, fault string) (verifyPageLoadsOutput, error) {
	if fault != "" {
		if err := c.siteDown(ctx, in.URL, fault); err != nil {
			return verifyPageLoadsOutput{}, err
		}
	} else if err := c.picture(ctx, "page-loads"); err != nil {
		return verifyPageLoadsOutput{}, err
	}
	out := verifyPageLoadsOutput{LoadTimeMS: nav.LoadTimeMS, Status: nav.Status, Title: nav.Title, ConsoleErrors: []browser.LogEntry{}, CheckIDs: []string{}}
	out.ConsoleErrors = append(out.ConsoleErrors, nav.Effects.Console...)
	loads := qa.Outcome{Passed: fault == "" && nav.Status/100 == 2, Expected: loadsOK(in.URL), Observed: fmt.Sprintf("status %d in %d ms", nav.Status, nav.LoadTimeMS)}
	if fault != "" {
		loads.Observed = fault
	}
	outcomes := []qa.Outcome{loads}
	kinds := []string{"verify_page_loads"}
	if in.ExpectedTitle != "" && fault == "" {
		outcomes = append(outcomes, qa.Assertion{Type: qa.TitleEquals, Expected: in.ExpectedTitle}.Compare(qa.Observation{Title: nav.Title}))
		kinds = append(kinds, string(qa.TitleEquals))
	}
	out.Success = true
	var reasons []string
	for i, o := range outcomes {
		c.about.Kind = kinds[i]
		check, err := c.check(o)
		if err != nil {
			return out, err
		}
		out.CheckIDs = append(out.CheckIDs, check.ID)
		out.Success = out.Success && o.Passed
		reasons = append(reasons, fmt.Sprintf("%s: expected %s, observed %s", pass(o.Passed), o.Expected, o.Observed))
	}
	out.Reason = strings.Join(reasons, "; ")
	c.say("%s", pass(out.Success))
	c.quote("%s", strings.Join(reasons, "\n"))
	if nav.Status != 0 {
		c.changes(nav.Effects)
	}
	return out, nil
}

// loadsOK is what verify_page_loads expects, with the address, so that an
// expectation which quotes it can be proved.
func loadsOK(url string) string { return url + " loads with status 2xx" }

// pass is the word for a check's outcome.
func pass(ok bool) string {
	if ok {
		return "PASSED"
	}
	return "FAILED"
}
