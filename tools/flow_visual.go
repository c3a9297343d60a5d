package tools

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine/visualcheck"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// notCompared is the code of a picture that there was nothing to compare with.
const notCompared = "NOT_COMPARED"

// Visual compares a picture with its baseline. Rows, checks and findings are
// filed with it.
func (p *flowPage) Visual(ctx context.Context, s qa.FlowStep, timeout time.Duration) (qa.Outcome, int, error) {
	r := p.run
	job := visualcheck.Job{Name: s.Name, Parts: []string{s.Selector}, Expects: r.expects, Timeout: timeout}
	if s.Visual != nil {
		job.Options = *s.Visual
	}
	out, err := r.c.compareVisual(ctx, p.Session, job)
	if err := p.Fault(err, false); err != nil {
		return qa.Outcome{}, 0, err
	}
	for _, note := range out.Notes {
		r.notes = append(r.notes, "baseline "+qa.ShownName(s.Name)+": "+note)
	}
	shot := 0
	if r.files != nil && len(out.Pictures) > 0 { // the steps of a range have none
		shot = r.files.is(out.Pictures[0])
	}
	if out.Status != qa.Passed {
		r.shown = out.Shown
	}
	if out.Next != "" {
		r.notes = append(r.notes, "baseline "+qa.ShownName(s.Name)+": next: "+out.Next)
	}
	said := strings.Join(append(slices.Clone(out.Causes), out.Reason), "; ")
	if out.Status == qa.Inconclusive {
		return qa.Outcome{}, shot, &flow.Fault{Code: notCompared, Message: joined(said, out.Next), GoesOn: true}
	}
	return qa.Outcome{Passed: out.Status == qa.Passed, Expected: "as its baseline", Observed: said}, shot, nil
}

// Visual refuses: a sign-in proves nothing, and a picture may show what is typed.
func (loginPage) Visual(context.Context, qa.FlowStep, time.Duration) (qa.Outcome, int, error) {
	return qa.Outcome{}, 0, &flow.Fault{Code: string(browser.InvalidInput), Message: "a login flow compares no pictures", Hint: "take the visual step out of it, and put it into the flow that follows the sign-in"}
}

// Shoot takes a picture; measuring, hashing and storing it is done behind the
// flow's back.
func (p *flowPage) Shoot(ctx context.Context, name, selector string) (int, error) {
	if err := p.run.c.spendPicture(name); err != nil {
		return 0, p.Fault(err, false)
	}
	shot, err := p.Session.Screenshot(ctx, browser.ShotOptions{Selector: selector})
	if err := p.Fault(err, false); err != nil {
		p.run.c.run.ReturnPicture()
		return 0, err
	}
	return p.run.files.picture(name, shot.Data), nil
}
