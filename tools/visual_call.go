package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine/visualcheck"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/visual"
)

// visualCall adapts a call to what a comparison of pictures needs.
type visualCall struct {
	c       *call
	session *browser.Session
}

// SpendPicture counts a picture against the run's budget, or refuses it.
func (v visualCall) SpendPicture(name string) error { return v.c.spendPicture(name) }

// ReturnPicture gives back one that was counted and not taken.
func (v visualCall) ReturnPicture() { v.c.run.ReturnPicture() }

// Expired returns why what the session shows decides nothing.
func (v visualCall) Expired(ctx context.Context) (expired, err error) {
	e, err := v.c.signInExpired(ctx, v.session)
	if e == nil { // no error of a nil pointer
		return nil, err
	}
	return e, err
}

// Mask hides secrets in a text.
func (v visualCall) Mask(text string) string { return v.c.desk.mask(text) }

// MaskJSON hides secrets in a JSON document.
func (v visualCall) MaskJSON(data []byte) []byte { return v.c.desk.maskFile("application/json", data) }

// visualOptions returns what every comparison of pictures in this call is given.
func (c *call) visualOptions(s *browser.Session) visualcheck.Options {
	d := c.desk
	return visualcheck.Options{Session: s, Baselines: d.Baselines, Defaults: d.Visual, Task: c.run.Task(), Run: c.run.ID(),
		Window: c.watchTime(nil), MaxPixels: d.MaxPixels, Captured: c.captured, Tool: c.spec.name}
}

// visualOutcome holds what came of a comparison, once it is filed.
type visualOutcome struct {
	visualcheck.Outcome
	Next     string          // what a person does about it, if anything
	Checks   []string        // ids of the checks
	Pictures []ScreenshotRef // of the page as it is now, one for each row that has one
	Shown    *ScreenshotRef  // the picture that tells most: the first difference, else the first of Pictures
}

// compareVisual compares the page of a session with a baseline, and files what
// came of it: one picture and one check for each part. What was not compared is
// filed as not executed. An error says that nothing could be looked at, and nothing
// is filed then.
func (c *call) compareVisual(ctx context.Context, s *browser.Session, job visualcheck.Job) (visualOutcome, error) {
	if c.runErr != nil {
		return visualOutcome{}, c.runErr
	}
	v, err := visualcheck.Compare(ctx, visualCall{c: c, session: s}, c.visualOptions(s), job)
	if v.First != "" {
		c.captured = append(c.captured, v.First)
	}
	out := visualOutcome{Checks: []string{}, Pictures: []ScreenshotRef{}}
	if err == nil {
		err = c.fileVisual(v, &out)
		out.Next = v.Next()
	}
	out.Outcome = v.Outcome
	return out, err
}

// fileVisual stores pictures, and files rows, checks and findings.
func (c *call) fileVisual(v *visualcheck.Check, out *visualOutcome) error {
	for _, p := range v.Pictures {
		var shown *ScreenshotRef
		for _, image := range v.Images(p) {
			ref, err := c.keepImage(v.Subject(p), image)
			if err != nil {
				return err
			}
			p.Stored(image.What, ref.Name)
			if !image.Free {
				out.Pictures = append(out.Pictures, *ref)
			}
			if image.What != "before" {
				shown = ref
			}
		}
		if shown != nil && (out.Shown == nil || v.Outcome.Status == qa.Passed && !p.Row.Status.Passes()) {
			out.Shown = shown
		}
		ids, err := c.fileRecords(v.Records(p))
		out.Checks = append(out.Checks, ids...)
		if err != nil {
			return err
		}
	}
	return nil
}

// keepImage stores an image. That of the page counts against the run's budget;
// those beside it were not taken now, and are free.
func (c *call) keepImage(subject string, i visualcheck.Image) (*ScreenshotRef, error) {
	if !i.Free {
		return c.keep(i.Title, i.Data)
	}
	w, h, err := visual.Size(i.Data)
	if err != nil {
		return nil, fmt.Errorf("picture %s of %s: %w", i.What, subject, err)
	}
	a, err := c.run.SavePicture(i.Title, i.Data, w, h, c.step)
	if err != nil {
		return nil, err
	}
	return screenshotRef(c.run, a), nil
}

// joined joins the texts that are given.
func joined(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), "; ")
}
