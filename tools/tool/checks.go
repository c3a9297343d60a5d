package tool

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/assertion"
	"github.com/assay-qa/assay/tools/engine"
)

// What the caller made itself proves no expectation; see docs/verdict.md. A check
// says so in its Void.

// AddCheck files a check of what the call's session shows, with why it proves nothing
// where it passed. One that failed where the caller's own rule of network_intercept
// may be at fault blames nobody: it was not made, and the run can't pass.
func (c *Call) AddCheck(check qa.Check) (qa.Check, error) { return c.addCheckOf(c.Session, check) }

func (c *Call) addCheckOf(s *browser.Session, check qa.Check) (qa.Check, error) {
	rules := rulesAtWork(s)
	switch {
	case check.Passed:
		check.Void = append(slices.Clone(check.Void), c.voidReasons(qa.Assertion{Type: qa.AssertionType(check.Kind), Not: check.Not})...)
		if why := c.writtenReason(check); why != "" && !slices.Contains(check.Void, why) { // a step of a flow has it from its own look
			check.Void = append(check.Void, why)
		}
	case len(rules) > 0:
		c.leaveUnjudged(strings.TrimSpace(check.Called()+" "+check.Subject), check.Observed, rules)
		return check, nil
	}
	return c.Run.AddCheck(check)
}

// AddFinding files what is wrong with what the call's session shows. Where the caller's own
// rule may be at fault it is a note, and the run can't pass.
func (c *Call) AddFinding(f qa.Finding) (qa.Finding, error) { return c.addFindingOf(c.Session, f) }

func (c *Call) addFindingOf(s *browser.Session, f qa.Finding) (qa.Finding, error) {
	if rules := rulesAtWork(s); f.Severity.Fails() && len(rules) > 0 {
		c.leaveUnjudged(c.Spec.Name, pagetext.Sprintf("%s: %s", f.Assertion, f.Observed), rules)
		f.Severity = qa.Info
	}
	return c.Run.AddFinding(f)
}

// leaveUnjudged notes that something failed of which rules of the caller may be the cause.
func (c *Call) leaveUnjudged(subject string, observed pagetext.Text, rules []string) {
	why := strings.Join(rules, "; ")
	c.Run.Interrupt(qa.Interruption{Kind: qa.NotExecuted, Subject: subject, Detail: pagetext.Sprintf("not judged, as %s; observed: %s", why, observed)})
	c.Say("not judged: %s; end the rule with network_intercept, load the page anew, and look again", why)
}

// rulesAtWork returns which rules of network_intercept have changed what a session's page
// got.
func rulesAtWork(s *browser.Session) []string {
	if s == nil {
		return nil
	}
	var out []string
	made := s.Made()
	if made.Mocked != "" {
		out = append(out, mocked(made))
	}
	if made.Refused != "" {
		out = append(out, fmt.Sprintf("network_intercept refused a request of the page (%s)", made.Refused))
	}
	return out
}

func mocked(made browser.Made) string {
	return fmt.Sprintf("network_intercept answered a request of the page with a mock (%s)", made.Mocked)
}

// voidReasons returns why a check of the page that the call's session shows proves
// nothing: what the caller made of it.
func (c *Call) voidReasons(a qa.Assertion) []string {
	if c.Session == nil {
		return nil
	}
	made := c.Session.Made()
	var out []string
	if made.Script {
		out = append(out, "a script of the caller may have changed the page, which was not loaded since")
	}
	if made.Mocked != "" {
		out = append(out, mocked(made))
	}
	if made.Refused != "" && a.Absent() {
		out = append(out, fmt.Sprintf("network_intercept refused a request of the page (%s), so something may be absent for that", made.Refused))
	}
	if c.RunErr == nil {
		if why := c.Workspace.OtherSite(c.Run, made.URL, a.Type == qa.URLMatches); why != "" {
			out = append(out, why)
		}
	}
	return out
}

// echoReasons returns why an assertion that was just seen to hold proves nothing: its words
// are the caller's own, and the page may only repeat them. It is about the page as it is
// now: asked later, it would be about another one.
func (c *Call) echoReasons(a qa.Assertion, selector string) (out []string) {
	if c.Session == nil || a.Absent() {
		return nil
	}
	text := ""
	switch a.Type {
	case qa.TextContains, qa.TextEquals, qa.ValueEquals, qa.ValueContains, qa.NameEquals, qa.TitleEquals, qa.TitleContains:
		text = a.Expected
	}
	made := c.Session.Made()
	if made.Says(made.Kept, text, selector) {
		out = append(out, "a script of the caller has stored or sent these words itself")
	}
	if made.Says(made.Asked(), text, selector) {
		out = append(out, "the words stand in the address that the caller opened, and the page may only repeat them")
	}
	return out
}

// writtenReason returns why a check that holds proves nothing of the site: a script of the
// caller has written something that outlives the document, in whatever words, and nothing was
// done through the page that can have brought about what is seen. What is known to have been
// so before that script is the site's.
func (c *Call) writtenReason(check qa.Check) string {
	s := c.Session
	if s == nil {
		return ""
	}
	w, act := s.Made().Written, c.Workspace.NewestAct(s.ID(), s.Acts())
	broughtAbout := w.Acted && (!check.Held || act.To == 0 || act.From > w.First)
	if len(w.What) == 0 || broughtAbout || c.heldBeforeScript(s, check) {
		return ""
	}
	return fmt.Sprintf("a script of the caller has written %s, and nothing that was done through the page since has brought this about", strings.Join(w.What, ", "))
}

// heldBeforeScript reports whether a check says nothing of what a script of the caller may have
// written: it is known to have held before that, or it is about no content.
func (c *Call) heldBeforeScript(s *browser.Session, check qa.Check) bool {
	stood := s.StoodBeforeScript()
	switch a := check.Assertion; {
	case a == nil:
		return check.Kind != qa.KPIKind || stood.Says(check.Expected, browser.WholeWords)
	case a.SinceAct() || a.Type == qa.ConsoleClean:
		return true
	case a.Absent():
		return !assertion.DeniesWhatStood(*a, check.Selector, stood)
	default:
		return c.Workspace.HeldBeforeScript(s.ID(), heldAs(*a, check.Selector)) || assertion.StoodBefore(s, *a, check.Selector, qa.Observation{}, stood)
	}
}

// sayVoid says why a check that passed proves nothing.
func (c *Call) sayVoid(check qa.Check) {
	for _, why := range check.Void {
		c.Say("it proves nothing: %s", why)
	}
}

// noteOpened notes that the caller opened an address, and where that led.
func (c *Call) noteOpened(asked, landed string) {
	if c.RunErr == nil && !c.Signing {
		c.Workspace.NoteOpened(c.Run, asked, landed)
	}
}

// Demanded holds an assertion that is made for expectations.
type Demanded struct {
	qa.Asked
	Expects []string
}

// Verified holds a check that was made and filed, with what it saw.
type Verified struct {
	Check qa.Check
	assertion.Result
	Shot *ScreenshotRef // of the page, where it failed
}

// Verify makes an assertion and files it.
func (c *Call) Verify(ctx context.Context, s *browser.Session, a qa.Assertion, selector string, expects []string, timeout time.Duration) (qa.Check, assertion.Result, error) {
	made, err := c.VerifyAll(ctx, s, []Demanded{{qa.Asked{A: a, Selector: selector, Timeout: timeout}, expects}})
	if err != nil {
		return qa.Check{}, assertion.Result{}, err
	}
	return made[0].Check, made[0].Result, nil
}

// VerifyAll makes assertions with no act between them as one, and files each. Where one could
// not be made, those before it are filed.
func (c *Call) VerifyAll(ctx context.Context, s *browser.Session, all []Demanded) (out []Verified, err error) {
	asked, held := make([]qa.Asked, len(all)), make([]bool, len(all))
	for i, d := range all {
		asked[i], held[i] = d.Asked, c.HeldBefore(s, d.A, d.Selector)
	}
	c.about(all[0])
	c.Progress("asserting " + string(all[0].A.Type))
	defer c.Workspace.NoteChecked(s.ID(), s.Acts())
	for i, looked := range c.Checker(s).CheckAll(ctx, asked) {
		if c.about(all[i]); i > 0 {
			c.Shot = nil
		}
		if looked.Err != nil {
			return out, looked.Err
		}
		made, err := c.fileVerified(ctx, s, asked[i], looked.Result, held[i])
		if err != nil {
			return out, err
		}
		out = append(out, made)
	}
	return out, nil
}

// about says what the call checks now.
func (c *Call) about(d Demanded) {
	c.About = d.A.Check(d.Selector)
	c.About.Expects = d.Expects
}

// fileVerified files what came of an assertion. held: it is known to have held before the newest
// act.
func (c *Call) fileVerified(ctx context.Context, s *browser.Session, of qa.Asked, r assertion.Result, held bool) (Verified, error) {
	a, selector := of.A, of.Selector
	c.About.Held = r.Passed && (held || c.StoodBefore(ctx, s, a, selector, r.Seen))
	if !r.Passed {
		if err := c.Shoot(ctx, "assertion-failed", browser.ShotOptions{Locate: selector}); err != nil {
			c.Say("no screenshot: %s", engine.AsError(c.Spec.Name, err).Message)
		}
	}
	check, err := c.FileCheck(r.Outcome)
	if err != nil {
		return Verified{}, err
	}
	check.Void = append(slices.Clone(check.Void), c.provesNone(check)...)
	c.NoteHeld(s, a, selector, r)
	first, nearest := neverSeen(ctx, s, selector, r)
	c.Say("%s after %d ms: %s%s"+first, append([]any{outcomeWord(check), r.Waited.Milliseconds(), engine.OneSpace(check.Called(), selector), notLookedInto(r.Blind)}, nearest...)...)
	if r.Passed {
		r.Observed = r.Observed.Around(engine.OneLine(r.Expected), passedObserved)
	}
	if !r.Passed || !c.saidByCaller(pagetext.Text(r.Expected)) {
		c.Quote("expected: %s", engine.OneLine(r.Expected))
	}
	c.Quote("observed: %s", engine.OneLine(r.Observed))
	return Verified{check, r, c.Shot}, nil
}

// neverSeen says in the first line of an absence that nothing of the kind was ever seen, nor
// is there now, and what is nearest to its selector, which may be a wrong name.
func neverSeen(ctx context.Context, s *browser.Session, selector string, r assertion.Result) (format string, args []any) {
	if !r.Passed || !r.NeverSeen || r.Seen.Count > 0 {
		return "", nil
	}
	format = "; never seen in this run, which a wrong name brings about too: no proof by itself"
	if selector == "" {
		return format, nil
	}
	if lines, err := s.Nearest(ctx, selector); err == nil && len(lines) > 0 {
		return format + "; nearest: %s", []any{pagetext.Join(pagetext.Of(lines...), ", ")}
	}
	return format, nil
}

// notLookedInto says in the first line of an absence where it was not looked for.
func notLookedInto(blind []string) string {
	if len(blind) == 0 {
		return ""
	}
	return "; it was not looked for in " + strings.Join(blind, ", ")
}

// passedObserved bounds what an answer repeats of a long text that has what was expected,
// in characters. The check has all of it.
const passedObserved = 80

// Present returns, of each of several subjects that several roles may have, the first selector
// whose element, or the container of it, is seen, else the first that is there. They are waited
// for together; of one that does not come in time it is the first of all.
func (c *Call) Present(ctx context.Context, s *browser.Session, alike [][]string, timeout time.Duration) ([]string, error) {
	out, known := make([]string, len(alike)), make([]bool, len(alike))
	for i, selectors := range alike {
		out[i], known[i] = selectors[0], len(selectors) == 1
	}
	for start, pause := c.Workspace.Now(), 20*time.Millisecond; ; pause = min(2*pause, 250*time.Millisecond) {
		for i, selectors := range alike {
			if known[i] {
				continue
			}
			there, err := c.presentOf(ctx, s, selectors)
			if err != nil {
				return out[:i], err
			}
			out[i], known[i] = cmp.Or(there, selectors[0]), there != ""
		}
		if !slices.Contains(known, false) || c.Workspace.Now().Sub(start) >= timeout {
			return out, nil
		}
		if err := wait.For(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// presentOf returns the selector of a subject that is present now; "" where none is.
func (c *Call) presentOf(ctx context.Context, s *browser.Session, alike []string) (there string, err error) {
	for _, selector := range alike {
		container, _, _ := strings.Cut(selector, " >> ")
		seen, err := c.Checker(s).Observe(ctx, qa.Assertion{Type: qa.Visible}, container)
		if err != nil {
			return "", err
		}
		if seen.Seen > 0 {
			return selector, nil
		}
		if seen.Count > 0 {
			there = cmp.Or(there, selector)
		}
	}
	return there, nil
}

// maxWanted bounds the expectations that an answer lists.
const maxWanted = 5

// SayUnmetDemand says what the expectations that a check names demand, where it is not
// what they demand: it proves none of them.
func (c *Call) SayUnmetDemand(check qa.Check) {
	told := 0
	for _, e := range c.Task().Expectations {
		if told < maxWanted && slices.Contains(check.Expects, e.ID) && !check.Proves(e) {
			c.Say("this check does not prove %s. %s", e.ID, engine.OneLine(e.Wants()))
			told++
		}
	}
}

// provesNone returns why a check that holds proves none of the expectations that it names, where
// forms read these: it looks for something else. In the record it stays what it is.
func (c *Call) provesNone(check qa.Check) (why []string) {
	for _, e := range c.Task().Expectations {
		if !check.Passed || !slices.Contains(check.Expects, e.ID) {
			continue
		}
		if check.Proves(e) {
			return nil
		}
		if _, err := e.Demands(); err == nil {
			why = append(why, e.ID+" is not proved by it. "+e.Wants())
		}
	}
	return why
}

// outcomeWord returns the word for a check that was filed.
func outcomeWord(check qa.Check) string {
	if len(check.Void) > 0 {
		return "VOID"
	}
	return check.Status().Shouted()
}

// Checker returns what makes assertions about the page of a session in this call.
func (c *Call) Checker(s *browser.Session) assertion.Checker {
	return assertion.Checker{Call: checkerCall{c, s}, Session: s, Window: c.Window, Watch: c.WatchTime(nil), NumberLocale: c.NumberLocale()}
}

// NumberLocale returns how pages write figures by the task, or else by the
// environment; "" means as they declare.
func (c *Call) NumberLocale() string {
	return cmp.Or(c.Task().NumberLocale, c.Workspace.Target.NumberLocale)
}

// FileCheck files what c.about was about as executed, with its outcome.
func (c *Call) FileCheck(o qa.Outcome) (qa.Check, error) {
	if c.RunErr != nil {
		return qa.Check{}, c.RunErr
	}
	check := c.About
	check.Step, check.Source = c.Step, qa.SourceTool
	check.Take(o)
	if check.Passed && check.Assertion != nil {
		check.Void = append(slices.Clone(check.Void), c.echoReasons(*check.Assertion, check.Selector)...)
	}
	if c.Shot != nil {
		check.Evidence = []string{c.Shot.Name}
	}
	filed, err := c.AddCheck(check)
	if err == nil {
		c.void = strings.Join(filed.Void, "; ")
		c.sayVoid(filed)
		c.SayUnmetDemand(filed)
	}
	return filed, err
}

// NoteSeen records what the call has seen.
func (c *Call) NoteSeen(what ...pagetext.Text) {
	if c.RunErr != nil {
		return
	}
	c.Workspace.NoteSeen(c.Run.ID(), what)
	if s := c.Session; s != nil && c.remembers() {
		c.Workspace.NoteOnPage(s.ID(), s.Acts(), what)
	}
}

// remembers reports whether what the call sees in its session may tell, in a later call, what
// held before an act: a flow looks for itself, a page that is opened for one call has no act,
// and what is met during an act is of before or after it.
func (c *Call) remembers() bool {
	return c.RunErr == nil && !c.oneOff && c.Began == nil && c.from == 0
}

// HeldBefore reports whether an assertion is known to have held before the newest act. The
// page is not asked: what nobody has seen is not held against it.
func (c *Call) HeldBefore(s *browser.Session, a qa.Assertion, selector string) bool {
	return c.remembers() && !a.SinceAct() && c.Workspace.HeldBefore(s.ID(), s.Acts(), heldAs(a, selector), assertion.SeenAs(a, selector))
}

// StoodBefore reports whether an assertion that holds is known to have held before the newest
// act: what was seen before it says so, or nothing came of the act. Only in the second case
// the page is asked, once, whether it was changed since.
func (c *Call) StoodBefore(ctx context.Context, s *browser.Session, a qa.Assertion, selector string, o qa.Observation) bool {
	if !c.remembers() {
		return false
	}
	act := c.Workspace.NewestAct(s.ID(), s.Acts())
	if assertion.StoodBefore(s, a, selector, o, act.Stood) {
		return true
	}
	if !act.Inert || !assertion.ByDocument(a) {
		return false
	}
	return !s.ChangedSince(ctx, act.Done)[0]
}

// heldAs names an assertion with all that it says.
func heldAs(a qa.Assertion, selector string) pagetext.Text {
	return pagetext.Text(string(engine.JSON(a)) + " " + selector)
}

// SeenLines returns the lines of a snapshot that a person sees.
func SeenLines(outline pagetext.Text) []pagetext.Text {
	return slices.DeleteFunc(outline.Split("\n"), func(line pagetext.Text) bool { return line.Contains("[not seen: ") })
}

// seenBefore says whether something was seen before in the run: whole, as it was
// noted, or within what was.
func (c *Call) seenBefore(whole, within string) (words string, never bool) {
	if c.RunErr != nil {
		return "", false
	}
	words, never = c.Workspace.SeenBefore(c.Run.ID(), whole, within)
	if s := c.Session; never && within != "" && s != nil && c.remembers() {
		if stood := c.Workspace.NewestAct(s.ID(), s.Acts()).Stood; stood.Shows(within) || stood.Says(within, browser.AnyPart) {
			return "; seen before the last act", false
		}
	}
	return words, never
}

// FileRecords files what an engine has recorded, in its order, and returns the ids
// of the checks.
func (c *Call) FileRecords(records engine.Records) ([]string, error) {
	ids := []string{}
	for _, r := range records {
		var err error
		switch {
		case r.Check != nil:
			var filed qa.Check
			if filed, err = c.fileRecorded(*r.Check, r.Finding); err == nil {
				ids = append(ids, filed.ID)
			}
		case r.Finding != nil:
			err = c.fileFault(*r.Finding)
		case r.KPI != nil:
			err = c.Run.AddKPI(*r.KPI)
		case r.Visual != nil:
			err = c.Run.AddVisual(*r.Visual)
		case r.NotExecuted != nil:
			n := r.NotExecuted
			c.Run.NotExecuted(n.Kind, n.Subject, n.Expected, n.Code, n.Detail.Text())
		}
		if err != nil {
			return ids, err
		}
	}
	return ids, nil
}

// fileRecorded files a check that an engine has recorded, after the finding about
// it, if there is one.
func (c *Call) fileRecorded(check qa.Check, about *qa.Finding) (qa.Check, error) {
	check.Step = c.Step
	if about != nil {
		found, err := c.AddFinding(*about)
		if err != nil {
			return check, err
		}
		check.Finding = found.ID
	}
	return c.AddCheck(check)
}

// fileFault files a finding about no check of its own, and records it for the
// check of the whole.
func (c *Call) fileFault(f qa.Finding) error {
	found, err := c.AddFinding(f)
	if f.Severity.Fails() && c.fault == "" {
		c.fault = found.ID
	}
	return err
}

// PartFinding returns the finding of the first part of this call that failed, or the
// first of these kinds: a check of the whole fails by it, and is no second fault.
// It returns "" where no part has failed.
func (c *Call) PartFinding(kinds ...string) string {
	for _, check := range c.Run.Record().Checks {
		if check.Step == c.Step && !check.Passed && (len(kinds) == 0 || slices.Contains(kinds, check.Kind)) {
			return check.Finding
		}
	}
	return c.fault
}
