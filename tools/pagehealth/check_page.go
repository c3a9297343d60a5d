package pagehealth

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/health"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flowpage"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

// CheckPage loads one page in a fresh context, checks its health by rule, and
// returns the report with the folder it is stored in. It is what `assay check`
// does; the checks of one page make one run.
//
// A page has [PageLimit] until it is judged, whatever it does, and [FilingLimit] to be
// put away and reported. flags are those by which the command checks it in the same way
// again, quoted for a shell.
func CheckPage(ctx context.Context, ws *workspace.Workspace, url string, timeout time.Duration, flags ...string) (qa.QAReport, string, error) {
	run, err := ws.Store.Start(qa.TaskSpec{Goal: url, Route: url})
	if err != nil {
		return qa.QAReport{}, "", err
	}
	c := tool.NewCall(ws, tool.Spec{Name: "check", Verifies: true}, run, func(string) {})
	run.Annotate(qa.CommandKey, strings.Join(append([]string{"assay check"}, flags...), " ")+" '"+strings.ReplaceAll(url, "'", "%27")+"'")
	c.About = qa.Check{Kind: "page_loads", Subject: url}
	ctx, cancel := context.WithTimeout(ctx, PageLimit(timeout, c.WatchTime(nil)))
	defer cancel()
	err = checkPage(ctx, c, url, timeout)
	for c.LookAgain(ctx, err) {
		err = checkPage(ctx, c, url, timeout)
	}
	filing, cancel := wait.CleanUp(ctx, FilingLimit)
	defer cancel()
	c.CloseOneOff(filing)
	if err != nil {
		e := engine.AsError("check", err)
		if e.Code == string(explain.DriverMissing) {
			return qa.QAReport{}, "", err
		}
		run.NotExecuted(c.About.Kind, c.About.Subject, c.About.Expected, e.Code, unseen(url, err, e))
	}
	if c.Session != nil {
		c.FileExceptions(c.Session)
	}
	if _, err := c.Opened(qa.Judge(run.Record()).Status == qa.Passed); err != nil {
		return qa.QAReport{}, "", err
	}
	if err := ws.FileOwnTraffic(run); err != nil {
		ws.Log.Warn("file the run's traffic", "run", run.ID(), "err", err)
	}
	ws.EndTraces(filing, run)
	report, err := run.Finish("", ws.ReportEnvironment(), ws.Views)
	return report, run.Dir(), err
}

// unseen says in words why a page could not be looked at, and what to do next.
func unseen(url string, err error, e *engine.Error) pagetext.Text {
	next := e.Hint
	if browser.IsDownload(err) {
		next = "check the page that links to it"
	}
	facts := engine.FactsOf("check", err)
	says := facts.Why
	if e.Code == string(explain.NavigationFailed) {
		says = qa.LoadFault(browser.ShownURL(url), facts)
	}
	if next == "" {
		return says
	}
	return pagetext.Sprintf("%s; %s", says, next)
}

// checkLimit bounds the looks at a page that has loaded, beside the time that it
// is watched. Where any call has less by configuration, so have they.
const checkLimit = 20 * time.Second

// openLimit bounds what comes before an address is loaded: a session is opened, and a
// browser started for it.
const openLimit = 30 * time.Second

// FilingLimit bounds what is left when a page has been judged: its session is closed, and
// its trace stored.
const FilingLimit = 30 * time.Second

// PageLimit returns how long a page may take until it is judged, with a bound on loading
// it and the time that it is watched.
func PageLimit(timeout, watch time.Duration) time.Duration {
	if timeout <= 0 {
		timeout = 2 * time.Minute // each attempt has the pool's
	}
	return openLimit + timeout + checkLimit + watch
}

// checkPage files the checks. It returns an error when it could not look; what
// is wrong with the page is in the checks.
func checkPage(ctx context.Context, c *tool.Call, url string, timeout time.Duration) error {
	s, nav, err := c.OpenAddress(ctx, url, timeout)
	if s == nil {
		return err
	}
	fault, facts := tool.SiteFault(ctx, nav, err)
	if fault != "" {
		if err := c.FileSiteDown(ctx, url, fault, facts); err != nil {
			return err
		}
	}
	switch {
	case err != nil && fault != "":
		_, err := rule(c, "page_loads", url, qa.Outcome{Expected: "loads", Observed: fault.Text() + pagetext.Text(c.Tries()), Facts: facts}, c.About.Finding)
		return err
	case err != nil:
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, min(checkLimit, c.Workspace.HardLimit)+c.WatchTime(nil)) // a page may freeze after it has loaded
	defer cancel()
	rest, err := s.Rest(ctx, browser.RestOptions{})
	if err != nil {
		return err
	}
	watching := s.BeginWatch(ctx, c.WatchTime(nil))
	if err := c.Shoot(ctx, "page", browser.ShotOptions{}); err != nil {
		_, _ = watching.End() // that there is no picture is the reason
		return err
	}
	w, err := watching.End()
	if err != nil {
		return err
	}
	if w.Window > 0 {
		rest = w.Rest
	}
	if w.Page.URL != nav.URL || w.Reloads > 0 { // it went on by itself: what it has become is judged
		if err := c.Shoot(ctx, "page", browser.ShotOptions{}); err != nil {
			return err
		}
		nav.URL, nav.Title, nav.Effects.Page = w.Page.URL, w.Page.Title, w.Page
		nav.Status = cmp.Or(w.Page.Status, nav.Status)
	}
	if nav.Effects.Page.TitleUnread { // it was busy then, and is at rest now
		state, err := s.State(ctx)
		if err != nil {
			return err
		}
		nav.Title, nav.Effects.Page = state.Title, state
	}
	rest.Pending = slices.DeleteFunc(rest.Pending, func(request string) bool { return slices.ContainsFunc(strings.Fields(request), c.Workspace.Ignores) })
	return judgePage(ctx, c, s, url, nav, answered(rest, w))
}

// answered returns the outcome of waiting for what the page has requested, and tells what
// still moves: that alone is no fault.
func answered(rest browser.Rest, w browser.Watched) qa.Outcome {
	o := none("request without an answer", pagetext.Of(rest.Pending...))
	o.Observed += pagetext.Text("; " + flowpage.Watched(w))
	return o
}

// judgePage files one check for each way in which a page can be broken.
func judgePage(ctx context.Context, c *tool.Call, s *browser.Session, url string, nav browser.Navigation, answered qa.Outcome) error {
	images, err := s.BrokenImages(ctx)
	if err != nil {
		return err
	}
	images = slices.DeleteFunc(images, c.Workspace.Ignores)
	kept, _ := requestsKept(c, s)
	requests := "" // the finding of those that failed
	for _, r := range rulings(c, s, nav, none("broken image", pagetext.Of(images...)), answered) {
		found := c.About.Finding
		switch {
		case r.Passed:
		case r.kind == "console_errors" && nav.Status/100 == 2:
			found = toldAlready(c, s, c.ConsoleErrors(s), requests)
		case r.kind == "broken_images" && addresses(r.Facts.Requests) == r.Facts.Count: // the request of each has failed
			found = requests
		case r.kind == "console_errors" && !onlyResources(c.ConsoleErrors(s), 1),
			r.kind == "failed_requests" && !onlyDocument(kept, nav.URL),
			!slices.Contains([]string{"page_loads", "http_status", "console_errors", "failed_requests"}, r.kind):
			found = ""
		}
		filed, err := rule(c, r.kind, nav.URL, r.Outcome, found)
		if err != nil {
			return err
		}
		switch {
		case r.kind == "http_status" && !r.Passed:
			c.About.Finding = filed.Finding // the console and the list of requests repeat it
		case r.kind == "failed_requests":
			requests = filed.Finding
		}
	}
	return judgeHealth(ctx, c, s, url, nav)
}

// judgeHealth files what is wrong with what the page shows, and that it was
// looked at. Broken images, and files that did not come, have checks of their own.
func judgeHealth(ctx context.Context, c *tool.Call, s *browser.Session, url string, nav browser.Navigation) error {
	found, err := Look(ctx, c, s, Ask{Asked: url, Arrived: nav.Status, Ignore: []string{health.BrokenImage, health.MissingFile}})
	if err != nil {
		return err
	}
	certain := certainOf(found)
	o := qa.Outcome{Passed: len(certain) == 0, Expected: "no error text, missing value or leftover of a template",
		Observed: pagetext.Text(cmp.Or(strings.Join(certain, ", "), "no error text, missing value or leftover of a template"))}
	if err := File(c, nav.URL, found); err != nil {
		return err
	}
	if len(certain) > 0 {
		c.About.Finding = c.PartFinding(certain...)
	}
	_, err = rule(c, "health", nav.URL, o, c.About.Finding)
	return err
}

// toldAlready returns the id of a finding where the console says only what findings say
// already: the first uncaught exception, or else the requests that failed. A fault is one
// finding, and not two.
func toldAlready(c *tool.Call, s *browser.Session, errors browser.Logs, requests string) string {
	c.FileExceptions(s)
	told, findings := "", c.Run.Record().Findings
	for _, e := range errors.Entries {
		at := slices.IndexFunc(findings, func(f qa.Finding) bool {
			return slices.ContainsFunc(f.Evidence, func(ref qa.EvidenceRef) bool { return ref.Time != nil && ref.Time.Equal(e.Time) })
		})
		switch {
		case e.OfResource && requests != "":
		case at >= 0 && told == "":
			told = findings[at].ID
		case at < 0 && (e.Level != "exception" || told == ""): // of equal exceptions the first has the finding
			return ""
		}
	}
	if errors.Dropped > 0 {
		return ""
	}
	return cmp.Or(told, requests)
}

// onlyResources reports whether the console says n times that a resource failed to load,
// and nothing else.
func onlyResources(errors browser.Logs, n int) bool {
	return len(errors.Entries) == n && errors.Dropped == 0 && !slices.ContainsFunc(errors.Entries, func(e browser.LogEntry) bool { return !e.OfResource })
}

// onlyDocument reports whether the only request that failed is that for the page.
func onlyDocument(requests []browser.NetworkEvent, page string) bool {
	failed := slices.DeleteFunc(slices.Clone(requests), func(r browser.NetworkEvent) bool { return !r.Failed() })
	return len(failed) == 1 && failed[0].Method == http.MethodGet && failed[0].URL == page
}

// rule files a check that a built-in rule makes on every page,
// with the finding that says the same, or "".
func rule(c *tool.Call, kind, subject string, o qa.Outcome, finding string) (qa.Check, error) {
	check := qa.Check{Step: c.Step, Kind: kind, Subject: subject, Source: qa.SourceRule, Finding: finding}
	check.Take(o)
	if c.Shot != nil {
		check.Evidence = []string{c.Shot.Name}
	}
	return c.Run.AddCheck(check)
}

// addresses counts the addresses of requests, each once.
func addresses(requests []qa.RequestRef) int {
	seen := map[string]bool{}
	for _, r := range requests {
		seen[r.URL] = true
	}
	return len(seen)
}
