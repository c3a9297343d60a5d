package tool

import (
	"cmp"
	"context"
	"errors"
	"mime"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/engine"
)

// fileGuardStops files what the guard has stopped in a session. The page lacks
// an answer because of us, so a run can neither pass nor blame the page.
func (c *Call) fileGuardStops(s *browser.Session) {
	stopped := s.TakeStopped()
	for _, what := range stopped {
		c.Run.Interrupt(qa.Interruption{Kind: qa.NeedsHuman, Subject: c.Spec.Name, Detail: "the guard stopped " + what})
	}
	if len(stopped) > 0 {
		c.Say("this run can't pass; destructive actions and requests that the guard stopped: %d", len(stopped))
		for _, what := range stopped {
			c.Quote("stopped: %s", engine.OneLine(what))
		}
	}
}

// fileDownloads files in the run what the session's pages gave to save since
// the last call, and adds its path to the answer. What the configuration sends
// to a folder of its own stays there.
func (c *Call) fileDownloads(s *browser.Session) {
	for _, d := range s.TakeDownloads() {
		switch {
		case d.Failed != "":
			c.Quote("download %s not saved: %s", d.Name, d.Failed)
		case c.Workspace.KeepDownloads:
			c.Quote("download %s: %s, %d bytes, sha256 %s", d.Name, d.Path, d.Size, d.SHA256)
		default:
			c.fileDownload(d)
		}
	}
}

// EndDownloads cancels what a session that is about to end still downloads, and
// files what it has saved: its files go with it.
func (c *Call) EndDownloads(s *browser.Session) {
	if c.RunErr != nil {
		return
	}
	cancelled := s.CancelDownloads()
	c.fileDownloads(s)
	c.fileUploads(s)
	for _, d := range cancelled {
		c.Quote("cancelled, it was still running: %s", d)
	}
}

func (c *Call) fileDownload(d browser.Download) {
	data, err := os.ReadFile(d.Path) // bounded by the session
	if err == nil {
		kind := cmp.Or(mime.TypeByExtension(filepath.Ext(d.Name)), "application/octet-stream")
		a, stored := c.Run.SaveDownload(d.Name, kind, data, c.Step)
		if err = stored; err == nil {
			c.Quote("download %s: %s, %d bytes, sha256 %s", d.Name, filepath.Join(c.Run.Dir(), filepath.FromSlash(a.Name)), a.Size, a.SHA256)
			if removed := os.Remove(d.Path); removed != nil {
				c.Workspace.Log.Warn("remove the browser's copy of a download", "err", removed)
			}
			return
		}
	}
	c.Say("warning: a download could not be filed: %v", err)
}

// keptUploads bounds the files of one call that are stored with the run; of
// larger ones only the digest is filed.
const keptUploads = 50 << 20

// fileUploads files in the run what the session's pages were given since the last
// call, and adds its digest and path to the answer.
func (c *Call) fileUploads(s *browser.Session) {
	left := int64(keptUploads)
	for _, f := range s.TakeUploads() {
		if f.Size > left {
			c.Quote("file: %s; not kept: the files of a call are stored up to %d MB", f, keptUploads>>20)
			continue
		}
		left -= f.Size
		data, err := os.ReadFile(f.Path)
		if err == nil {
			kind := cmp.Or(mime.TypeByExtension(filepath.Ext(f.Name)), "application/octet-stream")
			var a qa.Artifact
			if a, err = c.Run.SaveUpload(f.Name, kind, data, c.Step); err == nil {
				c.Quote("file: %s, %d bytes: %s", f.Name, f.Size, a.Name) // the digest is in the fields, and in the event log
				continue
			}
		}
		c.Say("warning: an uploaded file could not be filed: %v", err)
	}
}

// ConsoleErrors returns the errors that a clean console must not have. In a flow and
// in a run, those of all pages since it began. Calls outside of a run have no
// other bound than the site that they look at: what another one said before is
// not its fault.
func (c *Call) ConsoleErrors(s *browser.Session) browser.Logs {
	var logs browser.Logs
	if c.InOwn && !c.oneOff && c.Began == nil {
		logs = s.SiteErrors()
	} else {
		logs = s.ErrorsSince(c.StartIn(s))
	}
	logs.Entries = slices.DeleteFunc(logs.Entries, func(e browser.LogEntry) bool { return e.OfResource && c.Workspace.Ignores(e.URL) })
	return logs
}

// ErrorTexts returns the errors in words. One of another page than that at address
// says which.
func ErrorTexts(logs browser.Logs, address string) []pagetext.Text {
	var out []pagetext.Text
	for _, e := range logs.Entries {
		text := e.Text
		if e.Page != "" && e.Page != address {
			text += pagetext.Sprintf(" (on %s)", e.Page)
		}
		out = append(out, text)
	}
	if logs.Dropped > 0 {
		out = append(out, pagetext.Sprintf("%d older ones, which are counted only", logs.Dropped))
	}
	return out
}

// maxThrown sets how many different exceptions are filed at a time.
const maxThrown = 50

// FileExceptions turns uncaught exceptions of the page into blocker findings
// (A9): the page is broken, whatever the caller was looking for. One that is
// thrown again and again is one finding.
func (c *Call) FileExceptions(s *browser.Session) {
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
			observed += pagetext.Sprintf(" (%d times)", times[kind])
		}
		c.fileException(s, observed, x.Time, placeOf(x))
	}
	if more += max(0, len(different)-maxThrown); more > 0 {
		c.fileException(s, pagetext.Sprintf("%d more exceptions", more), thrown[len(thrown)-1].Time, nil)
	}
}

// fileFatalErrors turns errors of the console that fit a fatal pattern into blocker
// findings (A9), each text once.
func (c *Call) fileFatalErrors(s *browser.Session) {
	filed := map[pagetext.Text]bool{}
	for _, e := range s.TakeErrors() {
		fits := func(p *regexp.Regexp) bool { return e.Text.Matches(p) }
		if !filed[e.Text] && len(filed) < maxThrown && slices.ContainsFunc(c.Workspace.FatalConsole, fits) {
			filed[e.Text] = true
			c.fileBlocker(s, "Fatal error on the page: ", "the page logs no fatal error", "the page logged a fatal error", e.Text, e.Time, placeOf(e))
		}
	}
}

// placeOf returns where a line of the console arose; nil: that is not known.
func placeOf(e browser.LogEntry) *qa.Place {
	if e.URL == "" || e.Line == 0 {
		return nil
	}
	return &qa.Place{URL: e.URL, Line: e.Line, Column: e.Column}
}

func (c *Call) fileException(s *browser.Session, observed pagetext.Text, at time.Time, place *qa.Place) {
	c.fileBlocker(s, "Uncaught exception: ", "the page throws no uncaught exception", "the page threw an uncaught exception", observed, at, place)
}

func (c *Call) fileBlocker(s *browser.Session, title, assertion pagetext.Text, found string, observed pagetext.Text, at time.Time, place *qa.Place) {
	finding := qa.Finding{Severity: qa.Blocker, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
		Title: title + observed, Assertion: assertion, Expected: "none", Observed: observed, At: place, Evidence: []qa.EvidenceRef{{Time: &at}}}
	if shown := cmp.Or(c.Shot, c.shotOfException); shown != nil {
		finding.Evidence[0].ScreenshotRef = shown.Name
	}
	filed, err := c.addFindingOf(s, finding)
	if err != nil {
		c.Say("warning: a finding could not be filed: %v", err)
		return
	}
	c.Say("%s finding: %s", filed.Severity, found)
	c.Quote("%s", observed)
}

// FileAllExceptions files what the pages of all open sessions have thrown since
// they were last looked at.
func (c *Call) FileAllExceptions() {
	for _, id := range c.Workspace.SessionIDs() {
		if s, err := c.Workspace.Session(id); err == nil { // it may be closed meanwhile
			c.FileExceptions(s)
		}
	}
}

// SiteFault distinguishes a fault of the site (down, answering 5xx, too slow), which
// is a finding, from one of the tester, which is an error. It returns the fault
// in words, or "", and its facts. Where ctx ended before the site's own time was over, nothing is known of it.
func SiteFault(ctx context.Context, nav browser.Navigation, err error) (pagetext.Sentence, qa.Facts) {
	var be *explain.Error
	switch {
	case err != nil && ctx.Err() != nil:
		return "", qa.Facts{}
	case err == nil && nav.Status >= 500:
		said := pagetext.Sentencef("%s answers status %d", pagetext.Text(nav.URL), nav.Status)
		return said, qa.Facts{Code: code.NavigationFailed, Status: nav.Status, Why: said.Text()}
	case !errors.As(err, &be) || be.Code != explain.NavigationFailed && be.Code != explain.TimedOut:
		return "", qa.Facts{}
	}
	facts := engine.FactsOf("page_navigate", err)
	if qa.CauseOf(false, facts).Ending != qa.DoesNotHold {
		return "", qa.Facts{}
	}
	return be.Message, facts
}

// FileSiteDown files the blocker finding that a site at fault is, with a picture
// if there is anything to see. It is the finding of the check that the call is about.
func (c *Call) FileSiteDown(ctx context.Context, url string, fault pagetext.Sentence, facts qa.Facts) error {
	if c.RunErr != nil {
		return c.RunErr
	}
	finding := qa.Finding{Severity: qa.Blocker, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
		Title: qa.LoadFault(url, facts), Assertion: pagetext.Text(url + " loads"), Expected: pagetext.Text(LoadsOK(url)), Observed: fault.Text(), Evidence: []qa.EvidenceRef{}}
	shooting, cancel := context.WithTimeout(ctx, 2*time.Second) // there may be nothing that answers
	defer cancel()
	if state, err := c.Session.State(shooting); err == nil && noPage(state.URL) {
		c.Say("no screenshot: no page came")
	} else if err := c.Shoot(shooting, "site-down", browser.ShotOptions{}); err != nil {
		c.Say("no screenshot: %s", engine.AsError(c.Spec.Name, err).Message)
	} else {
		finding.Evidence = append(finding.Evidence, qa.EvidenceRef{ScreenshotRef: c.Shot.Name})
	}
	found, err := c.AddFinding(finding)
	c.About.Finding = found.ID
	return err
}

// noPage reports whether an address is the one that a browser shows where no page came.
func noPage(address string) bool {
	return address == "" || address == "about:blank" || strings.HasPrefix(address, "chrome-error:")
}

// FileFlaky files, as a minor finding, that something passed only after transient faults
// were retried.
func (c *Call) FileFlaky(assertion string, retries []flow.Retry) error {
	if c.RunErr != nil {
		return c.RunErr
	}
	last := retries[len(retries)-1]
	_, err := c.Run.AddFinding(qa.Finding{Severity: qa.Minor, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
		Title: pagetext.Sprintf("Flaky: passed at attempt %d", len(retries)+1), Assertion: pagetext.Text(assertion), Expected: "no retry",
		Observed: pagetext.Sprintf("flaky: passed at attempt %d; attempt %d: %s: %s", len(retries)+1, last.Attempt, last.Step, last.Cause),
		Evidence: []qa.EvidenceRef{}})
	return err
}

// LoadsOK returns what verify_page_loads expects, with the address, so that an
// expectation which quotes it can be proved.
func LoadsOK(url string) string { return url + " loads with status 2xx" }
