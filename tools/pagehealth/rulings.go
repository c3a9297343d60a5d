package pagehealth

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/health"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/flowpage"
	"github.com/assay-qa/assay/tools/tool"
)

// ruling is what one rule that holds for every page says of a page.
type ruling struct {
	kind string
	qa.Outcome
}

// rulings returns what the rules say of a page that has loaded. It is the one list of them:
// what check fails by, other calls notice.
func rulings(c *tool.Call, s *browser.Session, nav browser.Navigation, images, answered qa.Outcome) []ruling {
	kept, ignored := requestsKept(c, s)
	failed := withBlocked(none("failed request", pagetext.Of(failedRequests(kept)...)), kept)
	failed.Facts.Requests = refsOf(kept, browser.NetworkEvent.Failed)
	if !images.Passed {
		images.Facts.Requests = refsOf(kept, func(e browser.NetworkEvent) bool { return e.Failed() && images.Facts.Has(e.URL) })
	}
	return []ruling{
		{"page_loads", qa.Outcome{Passed: true, Expected: "loads", Observed: pagetext.Sprintf("loaded in %d ms", nav.LoadTimeMS)}},
		{"http_status", qa.Outcome{Passed: nav.Status/100 == 2, Expected: "2xx", Observed: pagetext.Text(fmt.Sprint(nav.Status)), Facts: qa.Facts{Status: nav.Status}}},
		{"title", titled(nav.Title, nav.Effects.Page.TitleUnread)},
		{"redirects", redirects(nav)},
		{"dialogs", noDialog(s)},
		{"failed_requests", withIgnored(failed, ignored)},
		{"console_errors", none("console error", tool.ErrorTexts(c.ConsoleErrors(s), nav.URL))},
		{"broken_images", images},
		{"mixed_content", none("insecure request", pagetext.Of(insecureRequests(nav.URL, kept)...))},
		{"open_requests", answered},
	}
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

// requestsKept returns what is kept of the session's requests, and apart from them those
// that failed and are ignored for their host.
func requestsKept(c *tool.Call, s *browser.Session) (kept, ignored []browser.NetworkEvent) {
	for _, e := range s.Network("", 0, time.Time{}, 1<<30).Events {
		if e.Failed() && c.Workspace.Ignores(e.URL) {
			ignored = append(ignored, e)
		} else {
			kept = append(kept, e)
		}
	}
	return kept, ignored
}

// maxRefs bounds the requests that a finding names.
const maxRefs = 5

// refsOf returns the first requests that fit, as a finding names them.
func refsOf(events []browser.NetworkEvent, fits func(browser.NetworkEvent) bool) (out []qa.RequestRef) {
	for _, e := range events {
		if fits(e) && len(out) < maxRefs {
			out = append(out, qa.RequestRef{ID: e.RequestID, Method: e.Method, URL: e.URL, Status: e.Status, Failure: e.Failure})
		}
	}
	return out
}

// withIgnored adds to what was observed how many failed requests were ignored, by host.
func withIgnored(o qa.Outcome, ignored []browser.NetworkEvent) qa.Outcome {
	counts := map[string]int{}
	for _, e := range ignored {
		if u, err := url.Parse(e.URL); err == nil {
			counts[u.Hostname()]++
		}
	}
	for _, host := range slices.Sorted(maps.Keys(counts)) {
		o.Observed += pagetext.Sprintf("; ignored: %d of %s", counts[host], host)
	}
	return o
}

// LookLoaded looks at a page that has loaded, as [Look] does, and adds what check fails by
// and the call has not judged itself: all of it is likely only, as the call was asked for
// less. judged names the rules that it has judged.
func LookLoaded(ctx context.Context, c *tool.Call, s *browser.Session, ask Ask, nav browser.Navigation, w browser.Watched, judged ...string) ([]health.Finding, error) {
	ask.Ignore = append(slices.Clone(ask.Ignore), health.MissingFile) // the failed requests tell it
	found, err := Look(ctx, c, s, ask)
	if err != nil || nav.Status/100 != 2 { // an error page says no more of itself than that
		return found, err
	}
	unanswered := none("request without an answer", nil)
	if w.Window > 0 {
		unanswered = answered(w.Rest, w)
	}
	if logs := c.ConsoleErrors(s); onlyResources(logs, len(logs.Entries)) { // they are requests that failed
		judged = append(judged, "console_errors")
	}
	images := none("broken image", nil) // the look tells them
	for _, r := range rulings(c, s, nav, images, unanswered) {
		if !r.Passed && !r.Facts.Open && !slices.Contains(judged, r.kind) {
			found = append(found, health.Finding{Name: r.kind, Expected: r.Expected, Observed: r.Observed})
		}
	}
	return found, nil
}

// none returns the outcome of a check that wants an empty list.
func none(noun string, found []pagetext.Text) qa.Outcome {
	o := qa.Outcome{Passed: len(found) == 0, Expected: "no " + noun, Observed: pagetext.Sprintf("%d", len(found)), Facts: qa.FactsOfList(found)}
	if len(found) > 0 {
		o.Observed += ": " + engine.OneLine(pagetext.Join(found[:min(5, len(found))], "; "))
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
