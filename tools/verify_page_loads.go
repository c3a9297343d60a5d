package tools

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flowpage"
	"github.com/assay-qa/assay/tools/pagehealth"
	"github.com/assay-qa/assay/tools/schema"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type verifyPageLoadsInput struct {
	URL           string   `json:"url"`
	ExpectedTitle string   `json:"expected_title,omitempty" jsonschema:"the whole title"`
	Ignore        []string `json:"ignore,omitempty" jsonschema:"findings to leave out, by name"`
	tool.TimeLimit
	tool.Watches
	tool.Binds
	tool.Shows
}

type verifyPageLoadsOutput struct {
	tool.Shown
	tool.Opened
	Success       bool               `json:"success"`
	LoadTimeMS    int64              `json:"load_time_ms"`
	Status        int                `json:"status"`
	Title         pagetext.Text      `json:"title"`
	ConsoleErrors []browser.LogEntry `json:"console_errors"`
	Reason        pagetext.Text      `json:"reason" jsonschema:"why it failed, or what was checked"`
	CheckIDs      []string           `json:"check_ids"`
	Noticed       []pagetext.Text    `json:"noticed,omitempty"`
}

const defaultLoadTimeout schema.Millis = 10_000

func verifyPageLoads(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "verify_page_loads", Set: tool.Core, Verifies: true, Publish: true,
		Description: "Check in a fresh context that an address loads in time with status 2xx and the title.",
	}, func(ctx context.Context, c *tool.Call, in verifyPageLoadsInput) (verifyPageLoadsOutput, error) {
		err := in.Valid()
		if err != nil {
			return verifyPageLoadsOutput{}, err
		}
		if in.URL, err = ws.Address(in.URL); err != nil {
			return verifyPageLoadsOutput{}, err
		}
		if err := pagehealth.KnownHealth(in.Ignore); err != nil {
			return verifyPageLoadsOutput{}, engine.InvalidInput("docs/verdict.md says what they mean", "ignore: %v", err)
		}
		c.About = qa.Check{Kind: "verify_page_loads", Subject: in.URL, Expected: tool.LoadsOK(in.URL), Expects: in.Expects}
		c.Progress("loading " + in.URL)
		s, nav, err := c.OpenAddress(ctx, in.URL, cmp.Or(in.TimeoutMS, defaultLoadTimeout).Duration())
		if s == nil {
			return verifyPageLoadsOutput{}, err
		}
		fault, facts := tool.SiteFault(ctx, nav, err)
		if err != nil && fault == "" {
			return verifyPageLoadsOutput{}, err
		}
		if fault != "" {
			if nav.Effects.Page.URL == "" {
				if err := c.FileSiteDown(ctx, in.URL, fault, facts); err != nil {
					return verifyPageLoadsOutput{}, err
				}
			}
			return judgeLoad(ctx, c, s, in, browser.Watched{}, nav, fault.Text(), facts)
		}
		return judgeWatched(ctx, c, s, in, nav)
	})
}

// judgeWatched watches the page that has loaded, and judges what it has become.
func judgeWatched(ctx context.Context, c *tool.Call, s *browser.Session, in verifyPageLoadsInput, nav browser.Navigation) (verifyPageLoadsOutput, error) {
	watching := s.BeginWatch(ctx, c.WatchTime(in.WatchMS))
	if err := c.Picture(ctx, "page-loads"); err != nil {
		_, _ = watching.End() // that there is no picture is the reason
		return verifyPageLoadsOutput{}, err
	}
	w, err := watching.End()
	if err != nil {
		return verifyPageLoadsOutput{}, err
	}
	if w.From != "" || w.Reloads > 0 {
		if err := c.Picture(ctx, "page-loads"); err != nil {
			return verifyPageLoadsOutput{}, err
		}
	}
	if w.Page.TitleUnread { // it was busy then, and is at rest now
		if w.Page, err = s.State(ctx); err != nil {
			return verifyPageLoadsOutput{}, err
		}
	}
	if w.Page.Status != 0 {
		nav.Status = w.Page.Status
	}
	nav.Title, nav.Effects.Page = w.Page.Title, w.Page
	for _, e := range w.Errors {
		if !slices.Contains(nav.Effects.Console, e) {
			nav.Effects.Console = append(nav.Effects.Console, e)
		}
	}
	for _, note := range w.Notes {
		if !slices.Contains(nav.Effects.Notes, note) {
			nav.Effects.Notes = append(nav.Effects.Notes, note)
		}
	}
	var fault pagetext.Text
	if broke := flowpage.WentWrong(w); broke != nil {
		fault = broke.Observed
	} else if threw := flowpage.Thrown(s, time.Time{}); threw != nil {
		fault = "uncaught exceptions: " + threw.Observed
	}
	out, err := judgeLoad(ctx, c, s, in, w, nav, fault, qa.Facts{Why: fault})
	c.Quote("%s", flowpage.Watched(w))
	return out, err
}

// judgeLoad files the checks of a loaded, or not loaded, page.
func judgeLoad(ctx context.Context, c *tool.Call, s *browser.Session, in verifyPageLoadsInput,
	w browser.Watched, nav browser.Navigation, fault pagetext.Text, facts qa.Facts) (verifyPageLoadsOutput, error) {
	out := verifyPageLoadsOutput{LoadTimeMS: nav.LoadTimeMS, Status: nav.Status, Title: nav.Title, ConsoleErrors: []browser.LogEntry{}, CheckIDs: []string{}}
	out.ConsoleErrors = append(out.ConsoleErrors, nav.Effects.Console...)
	loads := qa.Outcome{Passed: fault == "" && nav.Status/100 == 2, Expected: tool.LoadsOK(in.URL), Observed: pagetext.Sprintf("status %d in %d ms", nav.Status, nav.LoadTimeMS)}
	if fault != "" {
		loads.Observed, loads.Facts = fault, facts
	} else if !loads.Passed {
		loads.Facts = qa.Facts{Status: nav.Status}
	}
	if texts := flowpage.Unasked(s, browser.Position{}); len(texts) > 0 && loads.Passed {
		why := flowpage.UnaskedReason(texts).Text()
		loads.Passed, loads.Observed, loads.Facts = false, loads.Observed+"; "+why, qa.Facts{Why: why}
	}
	outcomes := []qa.Outcome{loads}
	kinds := []string{"verify_page_loads"}
	if in.ExpectedTitle != "" && fault == "" {
		titled := qa.Assertion{Type: qa.TitleEquals, Expected: in.ExpectedTitle}.Compare(qa.Observation{Title: nav.Title})
		if nav.Effects.Page.TitleUnread {
			titled = qa.Outcome{Expected: titled.Expected, Observed: "the title could not be read, as the page was busy", Facts: qa.Facts{Open: true}}
		}
		outcomes = append(outcomes, titled)
		kinds = append(kinds, string(qa.TitleEquals))
	}
	status := qa.Passed
	var reasons []pagetext.Text
	for i, o := range outcomes {
		c.About.Kind = kinds[i]
		check, err := c.FileCheck(o)
		if err != nil {
			return out, err
		}
		out.CheckIDs = append(out.CheckIDs, check.ID)
		status = status.Worse(check.Status())
		reasons = append(reasons, pagetext.Sprintf("%s: expected %s, observed %s", check.Status().Shouted(), o.Expected, o.Observed))
	}
	if fault == "" {
		broken, noticed, err := loadedHealth(ctx, c, in, w, nav)
		if err != nil {
			return out, err
		}
		status = status.Worse(qa.StatusOf(len(broken) > 0, false))
		out.Noticed = noticed
		reasons = append(reasons, broken...)
		for _, n := range noticed {
			reasons = append(reasons, "noticed, minor: "+n)
		}
	}
	out.Reason = pagetext.Join(reasons, "; ")
	out.Success = status == qa.Passed
	c.Say("%s", status.Shouted())
	c.Quote("%s", pagetext.Join(reasons, "\n"))
	if nav.Status == http.StatusUnauthorized {
		c.Say("%s", signInHint)
	}
	if nav.Status != 0 {
		c.SayEffects(nav.Effects)
	}
	var err error
	out.Opened, err = c.Opened(out.Success)
	return out, err
}

// loadedHealth files what is wrong with the page, and returns what is certain of it, and
// what is likely, in words.
func loadedHealth(ctx context.Context, c *tool.Call, in verifyPageLoadsInput, w browser.Watched, nav browser.Navigation) (broken, noticed []pagetext.Text, err error) {
	judged := []string{"page_loads", "http_status", "dialogs"}
	if in.ExpectedTitle != "" {
		judged = append(judged, "title")
	}
	found, err := pagehealth.LookLoaded(ctx, c, c.Session, pagehealth.Ask{Asked: in.URL, Arrived: nav.Status, Ignore: in.Ignore}, nav, w, judged...)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range found {
		if f.Certain {
			broken = append(broken, pagetext.Sprintf("FAILED: %s: %s", f.Name, f.Observed))
		} else {
			noticed = append(noticed, pagetext.Sprintf("%s: %s", f.Name, f.Observed))
		}
	}
	return broken, noticed, pagehealth.File(c, in.URL, found)
}
