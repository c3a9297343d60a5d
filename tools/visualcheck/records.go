package visualcheck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/tools/engine"
)

// These are the expected values of visual checks. They hold neither a name nor
// a number: a caller chooses those, and they would prove an expectation that
// no check covers.
const (
	LooksAsBaseline = "looks as its baseline"
	isApproved      = "a person has approved its baseline"
	looksAsBefore   = "looks as it did in an earlier run"
)

// Subject returns what checks call a picture.
func (v *Check) Subject(p *Picture) string { return engine.OneSpace(qa.ShownName(v.name), p.Part) }

// Image holds one file that is to be stored of a picture.
type Image struct {
	What  string // after, before or diff
	Title string
	Data  []byte // PNG
	Free  bool   // it was not taken now, and counts against no budget
}

// Images returns what is to be stored of a picture, the page as it is now first.
func (v *Check) Images(p *Picture) []Image {
	if p.err != nil {
		return nil
	}
	data := p.Still.Data
	if p.restless != nil {
		v.unsettled(p)
		if data = p.restless.Last[1]; len(data) == 0 {
			v.ReturnPicture()
			return nil
		}
	}
	out := []Image{{What: "after", Data: data}}
	if p.then != nil && p.Row.Status != qa.VisualSame {
		out = append(out, Image{What: "before", Data: p.then, Free: true})
	}
	if p.diff != nil {
		out = append(out, Image{What: "diff", Data: p.diff, Free: true})
	}
	for i := range out {
		out[i].Title = v.Title(p, out[i].What)
	}
	return out
}

// Stored enters the name under which an image was stored.
func (p *Picture) Stored(what, name string) {
	switch what {
	case "after":
		p.Row.After = name
	case "before":
		p.Row.Before = name
	case "diff":
		p.Row.Diff = name
	}
}

// Records returns what is to be filed of a picture, once its images are stored,
// and takes it into the outcome.
func (v *Check) Records(p *Picture) engine.Records {
	var out engine.Records
	if p.err != nil {
		e := engine.AsError(v.Tool, p.err)
		facts := engine.FactsOf(v.Tool, p.err)
		facts.Open = true // nothing was compared
		out.AddNotExecuted(engine.NotExecuted{Kind: "visual", Subject: v.Subject(p), Expected: LooksAsBaseline, Code: e.Code, Detail: e.Message})
		v.decide(false, facts, pagetext.Sentencef("%s: %s: %s", v.Subject(p), e.Code, e.Message))
		return out
	}
	row := &p.Row
	v.Outcome.Rows = append(v.Outcome.Rows, *row)
	out.AddVisual(*row)
	if len(row.Environment) > 0 {
		v.note("the baseline was made in another environment: %s", strings.Join(row.Environment, ", "))
	}
	v.Outcome.Causes = append(v.Outcome.Causes, causes(row.Regions)...)
	reason := pagetext.Sentencef("%s: %s", v.Subject(p), row.Reason)
	if !row.Status.Compared() {
		expected := LooksAsBaseline
		if row.Status == qa.VisualCaptured { // what is compared with it in this run proves nothing about earlier ones
			expected = looksAsBefore
		}
		out.AddNotExecuted(engine.NotExecuted{Kind: "visual", Subject: v.Subject(p), Expected: expected, Code: string(row.Status), Detail: row.Reason})
		captured := row.Status == qa.VisualCaptured
		v.decide(false, qa.Facts{NoBaseline: captured, Open: !captured, Approvable: cmp.Or(row.ProposalID, v.First), Proposed: row.ProposalID != "", Why: row.Reason.Text()}, reason)
		return out
	}
	check := qa.Check{Kind: "visual", Subject: v.Subject(p), Selector: p.Part, Source: qa.SourceTool, Expects: v.Job.Expects, Evidence: given(row.After, row.Diff)}
	o := qa.Outcome{Expected: LooksAsBaseline, Observed: row.Reason.Text(), Passed: row.Status.Passes()}
	if row.ProposalID != "" {
		o.Facts.Approvable = row.ProposalID
	}
	var unapproved pagetext.Sentence
	if open := v.inForce && !row.Approved; open && o.Passed {
		unapproved = pagetext.Sentencef("no person has approved version %d of %q", row.Version, v.name)
		o.Void = []string{fmt.Sprintf("no person has approved version %d of %q", row.Version, v.name)}
		o.Facts.NotApproved, o.Facts.Approvable, o.Facts.Why = true, row.BaselineID, unapproved.Text()
		out.AddNotExecuted(engine.NotExecuted{Kind: "visual", Subject: v.Subject(p), Expected: isApproved, Code: code.NeedsHuman,
			Detail: pagetext.Sentencef("%s, so that it looks so proves nothing: %s", unapproved, qa.Approving(row.BaselineID))})
	}
	check.Take(o)
	found := v.finding(p)
	if o.Facts.NotApproved {
		reason = pagetext.Sentencef("%s; %s, so it proves nothing", reason, unapproved)
	}
	v.decide(o.Passed, o.Facts, reason)
	if !check.Passed {
		out.AddFailed(check, *found)
		return out
	}
	out.AddCheck(check)
	if found != nil {
		out.AddFinding(*found)
	}
	return out
}

// decide keeps the gravest outcome, and the first reason for it.
func (v *Check) decide(passed bool, facts qa.Facts, reason pagetext.Sentence) {
	cause := qa.CauseOf(passed, facts)
	grave := func(s qa.Status) int { return qa.Told(s, 0, 2, 1) }
	if status := cause.Ending.Status(); v.Outcome.Reason == "" || grave(status) > grave(v.Outcome.Status) {
		v.Outcome.Status, v.Outcome.Cause, v.Outcome.Reason = status, cause, reason
	}
}

// maxTitle bounds a picture's name in bytes, so that what it shows is not cut off.
const maxTitle = 46

// Title returns the name of a stored picture.
func (v *Check) Title(p *Picture, what string) string {
	name := v.Subject(p)
	if len(name) > maxTitle {
		name = name[:maxTitle]
		for !utf8.ValidString(name) {
			name = name[:len(name)-1]
		}
	}
	return "visual-" + name + "-" + what
}

func given(names ...string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return n == "" })
}

// MaxCauses bounds the sentences that a finding and an answer tell.
const MaxCauses = 5

// causes returns the sentences of what changed, causes only.
func causes(regions []qa.VisualRegion) []pagetext.Text {
	var out []pagetext.Text
	for _, r := range regions {
		if r.Cause {
			out = append(out, pagetext.Text(r.Text))
		}
	}
	if more := len(out) - MaxCauses; more > 0 {
		out = append(out[:MaxCauses], pagetext.Sprintf("and %d more", more))
	}
	return out
}

// finding returns what a person should know of a compared picture; nil if nothing.
// One that does not pass always has one.
func (v *Check) finding(p *Picture) *qa.Finding {
	row := p.Row
	f := qa.Finding{Severity: qa.Info, Category: qa.Visual, Source: qa.SourceTool, Confidence: 1, Assertion: "page looks as its baseline",
		Expected: pagetext.Sprintf("as version %d of %q", row.Version, v.name), Observed: row.Reason.Text()}
	if p.Part != "" {
		f.Assertion = pagetext.Text(p.Part + " looks as its baseline")
	}
	for _, picture := range given(row.Diff, row.After, row.Before) {
		f.Evidence = append(f.Evidence, qa.EvidenceRef{ScreenshotRef: picture})
	}
	switch {
	case !row.Status.Passes():
		f.Severity = qa.Major
		f.Observed = pagetext.Join(append(causes(row.Regions), row.Reason.Text()), "; ")
		f.Title = pagetext.Text(v.Subject(p)+": ") + pagetext.Join(append(causes(row.Regions), row.Reason.Text())[:max(1, len(causes(row.Regions)))], "; ")
		f.SuggestedFix = "fix the page"
		if row.ProposalID != "" {
			f.SuggestedFix += pagetext.Text("; " + qa.CauseOf(false, qa.Facts{Approvable: row.ProposalID}).Next())
		}
		if at := slices.IndexFunc(row.Regions, func(r qa.VisualRegion) bool { return r.Cause && r.Selector != "" }); at >= 0 {
			f.Evidence[0].Selector = row.Regions[at].Selector
		}
	case row.Status == qa.VisualWithin:
		f = f.AsWithin()
		f.Observed = pagetext.Join(append(causes(row.Regions), row.Reason.Text()), "; ")
		v.unapproved(&f, row)
	case !row.Approved && v.inForce:
		v.unapproved(&f, row)
	case len(row.Environment) > 0:
		f.Observed += pagetext.Text("; though it was made in another environment: " + strings.Join(row.Environment, ", "))
	default:
		return nil
	}
	return &f
}

// unapproved adds to a finding that its baseline is not approved yet.
func (v *Check) unapproved(f *qa.Finding, row qa.VisualRow) {
	if row.Approved || !v.inForce {
		return
	}
	f.Observed += "; that version is not approved yet"
	f.SuggestedFix = pagetext.Text(qa.CauseOf(true, qa.Facts{NotApproved: true, Approvable: row.BaselineID}).Next())
	v.note("version %d of %q is not approved yet: %s", row.Version, v.name, qa.Approving(row.BaselineID))
}
