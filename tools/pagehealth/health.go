package pagehealth

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/health"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/visual"
)

// Ask holds what is known of a page beside what it shows.
type Ask struct {
	Asked   string   // the address that was asked for; empty: the page was come to by steps
	Arrived int      // status of the document that came for it
	Ignore  []string // names of findings, beside those of the configuration

	Since time.Time // from when writes count that were sent twice, also by pages before this one
}

const healthLooks = 4 // at most; a page that is fine needs one

// Look looks at a page, and judges it. What is certain must outlast a moment:
// a page that is still being drawn may show a template.
func Look(ctx context.Context, c *tool.Call, s *browser.Session, ask Ask) ([]health.Finding, error) {
	ignore := append(append([]string(nil), c.Workspace.HealthIgnore...), ask.Ignore...)
	var found []health.Finding
	for look := range healthLooks {
		facts, err := healthFacts(ctx, c, s, ask)
		if err != nil {
			return nil, err
		}
		now := health.Judge(facts, ignore)
		if look > 0 {
			now = both(found, now)
		}
		if found = now; !passing(found) || look == healthLooks-1 {
			break
		}
		if err := wait.For(ctx, s.Waits().Health); err != nil {
			return found, nil //nolint:nilerr // what was seen until then counts
		}
	}
	return found, nil
}

// both keeps of the newest findings those that were there before.
func both(before, now []health.Finding) []health.Finding {
	var out []health.Finding
	for _, f := range now {
		for _, b := range before {
			if b.Name == f.Name && (b.Certain || !f.Certain) {
				out = append(out, f)
				break
			}
		}
	}
	return out
}

// passing reports whether any of the findings may be gone in a moment.
func passing(found []health.Finding) bool {
	for _, f := range found {
		if f.Certain && f.Name != health.ErrorPage && f.Name != health.XMLError && f.Name != health.RefreshError ||
			f.Name == health.EndlessSpinner || f.Name == health.EndlessBones || f.Name == health.NoContent {
			return true
		}
	}
	return false
}

// healthFacts reads what a judgement needs. A picture is taken only where
// hardly anything else is drawn, or something lies over it.
func healthFacts(ctx context.Context, c *tool.Call, s *browser.Session, ask Ask) (health.Facts, error) {
	bodies := beginBodies(ctx, c, s)
	page, err := s.Facts(ctx)
	if err != nil {
		return health.Facts{}, err
	}
	f := factsOf(page)
	f.Asked, f.Arrived = ask.Asked, ask.Arrived
	f.Requests = requestsOf(s, c.Workspace.Ignores)
	f.Errors, f.Broken = bodies()
	f.Loops, f.Twice = loopsOf(s), s.SentTwice(ask.Since)
	if f.Words > 200 && f.Cover == nil && ask.Asked == "" {
		return f, nil
	}
	shot, err := s.Screenshot(ctx, browser.ShotOptions{CSS: true})
	if err != nil {
		return f, err
	}
	f.Pictured = true
	f.OneColour, err = visual.OneColour(shot.Data, c.Workspace.MaxPixels)
	return f, err
}

// Judge looks once at the page of a session that no call has opened, and returns what
// is certainly broken on it. No picture is taken for it.
func Judge(ctx context.Context, s *browser.Session, ignore []string) ([]health.Finding, error) {
	page, err := s.Facts(ctx)
	if err != nil {
		return nil, err
	}
	f := factsOf(page)
	f.Requests = requestsOf(s, func(string) bool { return false })
	return slices.DeleteFunc(health.Judge(f, ignore), func(found health.Finding) bool { return !found.Certain }), nil
}

// factsOf returns a page's facts in the words of the judge.
func factsOf(p browser.PageFacts) health.Facts {
	f := health.Facts{URL: p.URL, Status: p.Status, ContentType: p.ContentType, Title: p.Title, ParseError: p.ParseError, Words: p.Words, Codes: p.Codes,
		Drawn: p.Drawn, Below: p.Below, InView: p.InView, Canvases: p.Canvases, Controls: p.Controls,
		Passwords: p.Passwords, New: p.NewPasswords, Unread: p.Unread, Overlays: p.Overlays, Capped: p.Capped}
	if p.Cover != nil {
		f.Cover = &health.Cover{Selector: cssSelector(p.Cover.Selector), Opaque: p.Cover.Opaque, Waits: p.Cover.Waits, Over: p.Cover.Over}
	}
	if p.Dialog != nil {
		f.Dialog = &health.Place{Selector: cssSelector(p.Dialog.Selector), Text: p.Dialog.Text}
	}
	for _, w := range p.Waiting {
		f.Waiting = append(f.Waiting, health.Waiting{Skeleton: w.Kind == "skeleton", Selector: cssSelector(w.Selector), Share: w.Share})
	}
	for _, i := range p.Images {
		f.Images = append(f.Images, health.Place{Selector: cssSelector(i.Selector), Kind: i.Kind, Text: i.URL})
	}
	for _, i := range p.Frames {
		f.Frames = append(f.Frames, health.Place{Selector: cssSelector(i.Selector), Kind: i.Kind})
	}
	for _, t := range p.Texts {
		f.Texts = append(f.Texts, healthText(t))
	}
	f.Rules, f.Fonts = p.Rules, p.Fonts
	for _, sheet := range p.Sheets {
		f.Sheets = append(f.Sheets, health.Sheet{URL: sheet.URL, Rules: sheet.Rules})
	}
	for _, field := range p.Open {
		f.Open = append(f.Open, health.Place{Selector: cssSelector(field.Selector), Kind: field.Kind})
	}
	f.Wide, f.Shift = placeOf(p.Wide), placeOf(p.Shift)
	for _, icon := range p.Glyphs {
		f.Glyphs = append(f.Glyphs, *placeOf(&icon))
	}
	for _, script := range p.Blank {
		f.Blank = append(f.Blank, script.URL)
	}
	return f
}

// placeOf returns an element in the words of the judge; nil where there is none.
func placeOf(p *browser.PagePlace) *health.Place {
	if p == nil {
		return nil
	}
	return &health.Place{Selector: cssSelector(p.Selector), Kind: p.Kind, Text: p.Text}
}

func healthText(t browser.PageText) health.Text {
	out := health.Text{Text: t.Text, Tag: t.Tag, Level: t.Level, Font: t.Font, Own: t.Own, Selector: cssSelector(t.Selector)}
	for _, place := range strings.Fields(t.Where) {
		switch place {
		case "code":
			out.Code = true
		case "pre":
			out.Pre = true
		case "edit":
			out.Edit = true
		case "user":
			out.User = true
		case "alert":
			out.Alert = true
		case "prose":
			out.Prose = true
		case "cell":
			out.Cell = true
		case "link":
			out.Link = true
		case "button":
			out.Button = true
		}
	}
	return out
}

// cssSelector returns a path in the document as a selector.
func cssSelector(path string) string {
	if path == "" {
		return ""
	}
	return "css=" + path
}

// requestsOf returns the requests since the page's newest document was
// requested.
func requestsOf(s *browser.Session, ignored func(address string) bool) []health.Request {
	var out []health.Request
	for _, r := range s.Traffic(time.Time{}).Requests {
		if r.Main {
			out = nil
		}
		if !r.Pending && (r.Main || !ignored(r.URL)) {
			out = append(out, health.Request{URL: r.URL, Type: r.Type, Status: r.Status,
				ContentType: r.ResponseHeaders["content-type"], Failure: r.Failure, Aborted: r.Aborted(), Blocked: r.Blocked != "", Main: r.Main})
		}
	}
	return out
}

// endLook bounds the look at a page that a run or a flow ends on.
const endLook = 4 * time.Second

// AtEnd judges the page that something ends on, at its address. It returns nil where there is
// no page, or where it does not answer: other checks report that. What its
// address did not request may be a dialog that a step has opened.
func AtEnd(ctx context.Context, c *tool.Call, s *browser.Session, address string) []health.Finding {
	if !strings.HasPrefix(address, "http") {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, endLook)
	defer cancel()
	if e, err := c.SignInExpired(ctx, s); e != nil || err != nil { // a login page proves nothing about the requested page
		return nil
	}
	ask := Ask{Ignore: []string{health.DialogOver}}
	if c.RunErr == nil {
		ask.Since = c.Run.Started()
	}
	found, err := Look(ctx, c, s, ask)
	if err != nil {
		c.Workspace.Log.Warn("look at a page's health", "session", s.ID(), "err", err)
	}
	return found
}

// JudgeRunEnd judges the pages on which a run ends: those that its calls used.
func JudgeRunEnd(ctx context.Context, c *tool.Call) {
	if c.RunErr != nil {
		return
	}
	for _, id := range c.Workspace.UsedIn(c.Run.ID()) {
		s, err := c.Workspace.Session(id)
		if err != nil { // it was closed
			continue
		}
		state, err := s.State(ctx)
		if err != nil {
			continue
		}
		Say(c, state.URL, AtEnd(ctx, c, s, state.URL))
	}
}

// Say files what was found where a run or a flow ends, and says it.
func Say(c *tool.Call, subject string, found []health.Finding) {
	if c.RunErr != nil || len(found) == 0 {
		return
	}
	if err := File(c, subject, found); err != nil {
		c.Say("warning: a finding could not be filed: %v", err)
		return
	}
	if names := certainOf(found); len(names) > 0 {
		c.Say("the page is broken: %s; the run fails by it", strings.Join(names, ", "))
	}
}

// File files what was found: what is certain as a failed check, the rest
// as minor findings.
func File(c *tool.Call, subject string, found []health.Finding) error {
	for _, f := range found {
		check := qa.Check{Step: c.Step, Kind: f.Name, Subject: subject, Selector: f.Where, Expected: f.Wanted(), Source: qa.SourceRule}
		check.Take(qa.Outcome{Expected: check.Expected, Observed: f.Observed, Facts: qa.Facts{Why: f.Sentence()}})
		if !f.Certain {
			finding := qa.Finding{Severity: qa.Minor, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 0.7,
				Title: check.AsFinding().Title, Assertion: pagetext.Text("the page is healthy: " + f.Name), Expected: pagetext.Text(check.Expected), Observed: f.Observed, Evidence: []qa.EvidenceRef{}}
			if f.Where != "" || c.Shot != nil {
				ref := qa.EvidenceRef{Selector: f.Where}
				if c.Shot != nil {
					ref.ScreenshotRef = c.Shot.Name
				}
				finding.Evidence = append(finding.Evidence, ref)
			}
			if _, err := c.AddFinding(finding); err != nil {
				return err
			}
			continue
		}
		if c.Shot != nil {
			check.Evidence = []string{c.Shot.Name}
		}
		if _, err := c.AddCheck(check); err != nil {
			return err
		}
	}
	return nil
}

// certainOf returns the names of what is certain.
func certainOf(found []health.Finding) []string {
	var out []string
	for _, f := range found {
		if f.Certain {
			out = append(out, f.Name)
		}
	}
	return out
}

// KnownHealth refuses names that no finding about a page's health has.
func KnownHealth(names []string) error {
	var known []string
	for _, n := range health.Names() {
		known = append(known, n.Name)
	}
	for _, name := range names {
		if !health.Known(name) {
			return fmt.Errorf("there is no finding %q%s; there are: %s", name, text.Hint(name, known), strings.Join(known, ", "))
		}
	}
	return nil
}
