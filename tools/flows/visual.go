package flows

import (
	"context"
	"slices"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/flowpage"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/visualcheck"
)

// notCompared names the code of a picture that had no baseline to compare
// with.
const notCompared = "NOT_COMPARED"

// Visual compares a picture with its baseline. Rows, checks and findings are
// filed with it.
func (p *Page) Visual(ctx context.Context, s qa.FlowStep, timeout time.Duration) (qa.Outcome, int, error) {
	r := p.run
	job := visualcheck.Job{Name: s.Name, Parts: []string{s.Selector}, Expects: r.Expects, Timeout: timeout}
	if s.Visual != nil {
		job.Options = *s.Visual
	}
	out, err := Compare(ctx, r.Call, p.Session, job)
	if err := flowpage.NotCompared(p.Fault(err, false)); err != nil {
		return qa.Outcome{}, 0, err
	}
	for _, note := range out.Notes {
		r.Notes = append(r.Notes, pagetext.Text("baseline "+qa.ShownName(s.Name)+": ")+note.Text())
	}
	shot := 0
	if r.Files != nil && len(out.Pictures) > 0 { // the steps of a range have none
		shot = r.Files.is(out.Pictures[0])
	}
	if out.Status != qa.Passed {
		r.Shown = out.Shown
	}
	if out.Next != "" {
		r.Notes = append(r.Notes, pagetext.Text("baseline "+qa.ShownName(s.Name)+": next: "+out.Next))
	}
	said := pagetext.Join(append(slices.Clone(out.Causes), out.Reason.Text()), "; ")
	if out.Status == qa.Inconclusive {
		facts := out.Cause.Facts
		facts.Code = notCompared
		if facts.NotApproved {
			facts.Code = code.NeedsHuman
		}
		return qa.Outcome{}, shot, &flow.Fault{Code: facts.Code, Message: notComparedBy(out), GoesOn: true, Ended: qa.CauseOf(false, facts)}
	}
	return qa.Outcome{Passed: out.Status == qa.Passed, Expected: "as its baseline", Observed: said}, shot, nil
}

// notComparedBy says why a picture was not compared, and what to do next.
func notComparedBy(out PictureOutcome) pagetext.Sentence {
	said := out.Reason
	if len(out.Causes) > 0 {
		said = pagetext.Sentencef("%s; %s", pagetext.Join(out.Causes, "; "), out.Reason)
	}
	if out.Next != "" {
		said = pagetext.Sentencef("%s; %s", said, out.Next)
	}
	return said
}

// Shoot takes a picture; measuring, hashing and storing it is done behind the
// flow's back.
func (p *Page) Shoot(ctx context.Context, name, selector, locate string) (int, error) {
	if err := p.run.Call.SpendPicture(name); err != nil {
		return 0, p.Fault(err, false)
	}
	shot, err := p.Session.Screenshot(ctx, browser.ShotOptions{Selector: selector, Locate: locate})
	if err := p.Fault(err, false); err != nil {
		p.run.Call.Run.ReturnPicture()
		return 0, err
	}
	return p.run.Files.picture(name, shot.Data, tool.Boxes(shot)...), nil
}
