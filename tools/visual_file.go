package tools

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/assay-qa/assay/engine"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/visual"
)

// Expected values of visual checks. They hold neither a name nor a number: a
// caller chooses those, and they would prove what nobody looked for.
const (
	looksAsBaseline = "looks as its baseline"
	looksAsBefore   = "looks as it did in an earlier run"
)

// subject names a picture in checks.
func (v *visualCheck) subject(p *visualPicture) string { return oneSpace(qa.ShownName(v.name), p.part) }

// file records pictures, rows, checks and findings.
func (v *visualCheck) file() error {
	v.out.Status = qa.Passed
	for _, p := range v.pictures {
		if p.err != nil {
			v.hindered(p)
			continue
		}
		if p.restless != nil {
			v.unsettled(p)
		}
		if err := v.fileOne(p); err != nil {
			return err
		}
	}
	v.out.Next = v.next()
	return nil
}

// hindered records a picture that could not be looked at.
func (v *visualCheck) hindered(p *visualPicture) {
	e := engine.AsError(v.c.spec.name, p.err)
	v.c.run.NotExecuted("visual", v.subject(p), looksAsBaseline, e.Code, e.Message)
	v.decide(qa.Inconclusive, v.subject(p)+": "+e.Code+": "+e.Message)
}

// fileOne records one picture.
func (v *visualCheck) fileOne(p *visualPicture) error {
	run := v.c.run
	if err := v.store(p); err != nil {
		return err
	}
	row := &p.row
	v.out.Rows = append(v.out.Rows, *row)
	if err := run.AddVisual(*row); err != nil {
		return err
	}
	if len(row.Environment) > 0 {
		v.note("the baseline was made in another environment: %s", strings.Join(row.Environment, ", "))
	}
	v.out.Causes = append(v.out.Causes, causes(row.Regions)...)
	reason := v.subject(p) + ": " + row.Reason
	if !row.Status.Compared() {
		expected := looksAsBaseline
		if row.Status == qa.VisualCaptured { // what is compared with it in this run proves nothing about earlier ones
			expected = looksAsBefore
		}
		run.NotExecuted("visual", v.subject(p), expected, string(row.Status), row.Reason)
		v.decide(qa.Inconclusive, reason)
		return nil
	}
	check, err := v.c.addCheck(qa.Check{Step: v.c.step, Kind: "visual", Subject: v.subject(p), Selector: p.part, Expected: looksAsBaseline,
		Observed: row.Reason, Passed: row.Status.Passes(), Source: qa.SourceTool, Expects: v.job.Expects, Evidence: pictured(row.After, row.Diff)})
	if err != nil {
		return err
	}
	v.out.Checks = append(v.out.Checks, check.ID)
	if row.Status.Passes() {
		v.decide(qa.Passed, reason)
	} else {
		v.decide(qa.Failed, reason)
	}
	return v.fileFinding(p)
}

// decide keeps the gravest outcome, and the first reason for it.
func (v *visualCheck) decide(s qa.Status, reason string) {
	grave := []qa.Status{qa.Passed, qa.Inconclusive, qa.Failed}
	if v.out.Reason == "" || slices.Index(grave, s) > slices.Index(grave, v.out.Status) {
		v.out.Status, v.out.Reason = s, reason
	}
}

// store files the pictures. That of the page counts against the run's budget;
// those beside it were not taken now, and are free.
func (v *visualCheck) store(p *visualPicture) error {
	data, row := p.still.Data, &p.row
	if p.restless != nil {
		if data = p.restless.Last[1]; len(data) == 0 {
			v.c.run.ReturnPicture()
			return nil
		}
	}
	after, err := v.c.keep(v.title(p, "after"), data)
	if err != nil {
		return err
	}
	row.After = after.Name
	v.out.Pictures = append(v.out.Pictures, *after)
	shown := after
	if p.then != nil && row.Status != qa.VisualSame {
		before, err := v.beside(p, "before", p.then)
		if err != nil {
			return err
		}
		row.Before = before.Name
	}
	if p.diff != nil {
		if shown, err = v.beside(p, "diff", p.diff); err != nil {
			return err
		}
		row.Diff = shown.Name
	}
	if v.out.Shown == nil || v.out.Status == qa.Passed && !row.Status.Passes() {
		v.out.Shown = shown
	}
	return nil
}

// beside files a picture that belongs to the one of the page.
func (v *visualCheck) beside(p *visualPicture, what string, data []byte) (*ScreenshotRef, error) {
	w, h, err := visual.Size(data)
	if err != nil {
		return nil, fmt.Errorf("picture %s of %s: %w", what, v.subject(p), err)
	}
	a, err := v.c.run.SavePicture(v.title(p, what), data, w, h, v.c.step)
	if err != nil {
		return nil, err
	}
	return screenshotRef(v.c.run, a), nil
}

// maxTitle bounds a picture's name in bytes, so that what it shows is not cut off.
const maxTitle = 46

// title names a stored picture.
func (v *visualCheck) title(p *visualPicture, what string) string {
	name := v.subject(p)
	if len(name) > maxTitle {
		name = name[:maxTitle]
		for !utf8.ValidString(name) {
			name = name[:len(name)-1]
		}
	}
	return "visual-" + name + "-" + what
}

func pictured(names ...string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return n == "" })
}

// maxCauses bounds the sentences that a finding and an answer tell.
const maxCauses = 5

// causes are the sentences of what changed, causes only.
func causes(regions []qa.VisualRegion) []string {
	var out []string
	for _, r := range regions {
		if r.Cause {
			out = append(out, r.Text)
		}
	}
	if more := len(out) - maxCauses; more > 0 {
		out = append(out[:maxCauses], fmt.Sprintf("and %d more", more))
	}
	return out
}

// fileFinding files what a person should know of a compared picture.
func (v *visualCheck) fileFinding(p *visualPicture) error {
	row := p.row
	f := qa.Finding{Severity: qa.Info, Category: qa.Visual, Source: qa.SourceTool, Confidence: 1, Assertion: "page looks as its baseline",
		Expected: fmt.Sprintf("as version %d of %q", row.Version, v.name), Observed: row.Reason}
	if p.part != "" {
		f.Assertion = p.part + " looks as its baseline"
	}
	for _, picture := range pictured(row.Diff, row.After, row.Before) {
		f.Evidence = append(f.Evidence, qa.EvidenceRef{ScreenshotRef: picture})
	}
	switch {
	case !row.Status.Passes():
		f.Severity = qa.Major
		f.Observed = strings.Join(append(causes(row.Regions), row.Reason), "; ")
		f.SuggestedFix = "mend the page"
		if row.ProposalID != "" {
			f.SuggestedFix += "; if the change is wanted, a person approves it: " + approving(row.ProposalID)
		}
		if at := slices.IndexFunc(row.Regions, func(r qa.VisualRegion) bool { return r.Cause && r.Selector != "" }); at >= 0 {
			f.Evidence[0].Selector = row.Regions[at].Selector
		}
	case row.Status == qa.VisualWithin:
		f = f.AsWithin()
		f.Observed = strings.Join(append(causes(row.Regions), row.Reason), "; ")
		v.unapproved(&f, row)
	case !row.Approved && v.inForce:
		v.unapproved(&f, row)
	case len(row.Environment) > 0:
		f.Observed += "; though it was made in another environment: " + strings.Join(row.Environment, ", ")
	default:
		return nil
	}
	_, err := v.c.run.AddFinding(f)
	return err
}

// unapproved adds to a finding that nobody has approved what was compared with.
func (v *visualCheck) unapproved(f *qa.Finding, row qa.VisualRow) {
	if row.Approved || !v.inForce {
		return
	}
	f.Observed += "; nobody has approved that version"
	f.SuggestedFix = "a person looks at it and approves it: " + approving(row.BaselineID)
	v.note("nobody has approved version %d of %q yet: %s", row.Version, v.name, approving(row.BaselineID))
}
