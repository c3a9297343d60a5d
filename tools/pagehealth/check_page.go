package pagehealth

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/engine/flowpage"
	"github.com/assay-qa/assay/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/health"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
	"github.com/assay-qa/assay/wait"
)

// CheckPage loads one page in a fresh context, checks its health by rule, and
// returns the report with the folder it is stored in. It is what `assay check`
// does; the checks of one page make one run.
//
// A page has [PageLimit] until it is judged, whatever it does, and [FilingLimit] to be
// put away and reported.
func CheckPage(ctx context.Context, ws *workspace.Workspace, url string, timeout time.Duration) (qa.QAReport, string, error) {
	run, err := ws.Store.Start(qa.TaskSpec{Goal: url, Route: url})
	if err != nil {
		return qa.QAReport{}, "", err
	}
	c := tool.NewCall(ws, tool.Spec{Name: "check", Verifies: true}, run, func(string) {})
	run.Annotate(qa.CommandKey, "assay check '"+strings.ReplaceAll(url, "'", "%27")+"'")
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
		if e.Code == string(browser.DriverMissing) {
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
	says := e.Message.Text()
	if e.Code == string(browser.NavigationFailed) {
		says = qa.LoadFault(browser.ShownURL(url), engine.FactsOf("check", err))
	}
	if next == "" {
		return says
	}
	return pagetext.Sprintf("%s; %s", says, next)
}

// checkLimit bounds the looks at a page that has loaded, beside the time that it
// is watched.
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
	ctx, cancel := context.WithTimeout(ctx, checkLimit+c.WatchTime(nil)) // a page may freeze after it has loaded
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
	requests := s.Network("", 0, time.Time{}, 1<<30).Events
	for _, check := range []struct {
		kind string
		qa.Outcome
	}{
		{"page_loads", qa.Outcome{Passed: true, Expected: "loads", Observed: pagetext.Sprintf("loaded in %d ms", nav.LoadTimeMS)}},
		{"http_status", qa.Outcome{Passed: nav.Status/100 == 2, Expected: "2xx", Observed: pagetext.Text(fmt.Sprint(nav.Status)), Facts: qa.Facts{Status: nav.Status}}},
		{"title", titled(nav.Title, nav.Effects.Page.TitleUnread)},
		{"redirects", redirects(nav)},
		{"dialogs", noDialog(s)},
		{"console_errors", none("console error", tool.ErrorTexts(c.ConsoleErrors(s), nav.URL))},
		{"failed_requests", withBlocked(none("failed request", pagetext.Of(failedRequests(requests)...)), requests)},
		{"broken_images", none("broken image", pagetext.Of(images...))},
		{"mixed_content", none("insecure request", pagetext.Of(insecureRequests(nav.URL, requests)...))},
		{"open_requests", answered},
	} {
		found := c.About.Finding
		switch {
		case check.Passed:
		case check.kind == "console_errors" && nav.Status/100 == 2:
			found = onlyException(c, s, c.ConsoleErrors(s))
		case check.kind == "console_errors" && !onlyResources(c.ConsoleErrors(s), 1),
			check.kind == "failed_requests" && !onlyDocument(requests, nav.URL),
			!slices.Contains([]string{"page_loads", "http_status", "console_errors", "failed_requests"}, check.kind):
			found = ""
		}
		filed, err := rule(c, check.kind, nav.URL, check.Outcome, found)
		if err != nil {
			return err
		}
		if check.kind == "http_status" && !check.Passed {
			c.About.Finding = filed.Finding // the console and the list of requests repeat it
		}
	}
	return judgeHealth(ctx, c, s, url, nav)
}

// judgeHealth files what is wrong with what the page shows, and that it was
// looked at. Broken images have a check of their own.
func judgeHealth(ctx context.Context, c *tool.Call, s *browser.Session, url string, nav browser.Navigation) error {
	found, err := Look(ctx, c, s, Ask{Asked: url, Arrived: nav.Status, Ignore: []string{health.BrokenImage}})
	if err != nil {
		return err
	}
	certain := certainOf(found)
	o := qa.Outcome{Passed: len(certain) == 0, Expected: "no error text, missing value or leftover of a template", Observed: pagetext.Text(cmp.Or(strings.Join(certain, ", "), "no error text, missing value or leftover of a template"))}
	if err := File(c, nav.URL, found); err != nil {
		return err
	}
	if len(certain) > 0 {
		c.About.Finding = c.PartFinding(certain...)
	}
	_, err = rule(c, "health", nav.URL, o, c.About.Finding)
	return err
}

// onlyException returns the id of the finding of an uncaught exception where the console
// has no other error: that is one fault, and not two.
func onlyException(c *tool.Call, s *browser.Session, errors browser.Logs) string {
	c.FileExceptions(s)
	if len(errors.Entries) != 1 || errors.Dropped > 0 {
		return ""
	}
	for _, f := range c.Run.Record().Findings {
		if f.Severity == qa.Blocker && f.Observed == errors.Entries[0].Text {
			return f.ID
		}
	}
	return ""
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

// none returns the outcome of a check that wants an empty list.
func none(noun string, found []pagetext.Text) qa.Outcome {
	o := qa.Outcome{Passed: len(found) == 0, Expected: "no " + noun, Observed: pagetext.Sprintf("%d", len(found)), Facts: qa.FactsOfList(found)}
	if len(found) > 0 {
		o.Observed += ": " + engine.OneLine(pagetext.Join(found[:min(5, len(found))], "; "))
	}
	return o
}

// titled returns the outcome of a look at the page's title. One that could not be read is
// not one that the page lacks.
func titled(title pagetext.Text, unread bool) qa.Outcome {
	o := qa.Outcome{Passed: !unread && title.Trim() != "", Expected: "a title", Observed: pagetext.Sprintf("%q", title)}
	if unread {
		o.Observed, o.Facts = "the title could not be read, as the page was busy", qa.Facts{Open: true}
	}
	return o
}

// maxRedirects sets how many hops to a page are taken for healthy.
const maxRedirects = 5

func redirects(nav browser.Navigation) qa.Outcome {
	o := qa.Outcome{Passed: len(nav.Redirects) <= maxRedirects, Expected: fmt.Sprintf("at most %d, none from https to http", maxRedirects), Observed: pagetext.Text(fmt.Sprint(len(nav.Redirects)))}
	chain := make([]string, 0, len(nav.Redirects)+1)
	for _, hop := range nav.Redirects {
		chain = append(chain, hop.URL)
	}
	chain = append(chain, nav.URL)
	for i := 1; i < len(chain); i++ {
		if strings.HasPrefix(chain[i-1], "https:") && strings.HasPrefix(chain[i], "http:") {
			o.Passed = false
		}
	}
	if len(chain) > 1 {
		way := strings.Join(chain, " → ")
		o.Observed += pagetext.Text(": " + way)
		o.Facts = qa.Facts{Count: len(nav.Redirects), Found: pagetext.Of(way)}
	}
	return o
}

// withBlocked adds to what was observed how many requests rules of ours refused.
func withBlocked(o qa.Outcome, events []browser.NetworkEvent) qa.Outcome {
	counts := map[string]int{}
	for _, e := range events {
		if e.Blocked != "" {
			counts[e.Blocked]++
		}
	}
	for _, rule := range slices.Sorted(maps.Keys(counts)) {
		o.Observed += pagetext.Sprintf("; %d blocked by %s", counts[rule], rule)
	}
	return o
}

// failedRequests leaves out what the page itself gave up, and what a rule of ours
// refused: that proves nothing about the page.
func failedRequests(events []browser.NetworkEvent) []string {
	var out []string
	for _, e := range events {
		if e.Failed() {
			out = append(out, e.Method+" "+e.URL+" "+e.Fault())
		}
	}
	return out
}

// insecureRequests lists what a page served over https loads over http.
func insecureRequests(page string, events []browser.NetworkEvent) []string {
	var out []string
	if !strings.HasPrefix(page, "https:") {
		return nil
	}
	for _, e := range events {
		if strings.HasPrefix(e.URL, "http:") && e.Type != "document" {
			out = append(out, e.URL)
		}
	}
	return out
}

// noDialog returns the outcome of the check for unexpected dialogs.
func noDialog(s *browser.Session) qa.Outcome {
	return none("dialog that nothing asked for", flowpage.Unasked(s, browser.Position{}))
}
