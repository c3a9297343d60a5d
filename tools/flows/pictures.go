package flows

import (
	"context"
	"fmt"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/visualcheck"
	"github.com/assay-qa/assay/visual"
)

// PictureCall adapts a call to what a comparison of pictures needs.
type PictureCall struct {
	Call    *tool.Call
	Session *browser.Session
}

// SpendPicture counts a picture against the run's budget, or refuses it.
func (v PictureCall) SpendPicture(name string) error { return v.Call.SpendPicture(name) }

// ReturnPicture gives back one that was counted and not taken.
func (v PictureCall) ReturnPicture() { v.Call.Run.ReturnPicture() }

// Expired returns why what the session shows decides nothing.
func (v PictureCall) Expired(ctx context.Context) (expired, err error) {
	return v.Call.Expired(ctx, v.Session)
}

// Mask hides secrets in a text.
func (v PictureCall) Mask(text string) string { return v.Call.Workspace.Mask(text) }

// MaskJSON hides secrets in a JSON document.
func (v PictureCall) MaskJSON(data []byte) []byte {
	return v.Call.Workspace.MaskFile("application/json", data)
}

// PictureOptions returns what every comparison of pictures in this call is given.
func PictureOptions(c *tool.Call, s *browser.Session) visualcheck.Options {
	d := c.Workspace
	return visualcheck.Options{Session: s, Baselines: d.Baselines, Defaults: d.Visual, Task: c.Run.Task(), Run: c.Run.ID(),
		Window: c.WatchTime(nil), MaxPixels: d.MaxPixels, Captured: c.Captured, Tool: c.Spec.Name}
}

// PictureOutcome holds what came of a comparison, once it is filed.
type PictureOutcome struct {
	visualcheck.Outcome
	Next     string               // what a person does about it, if anything
	Checks   []string             // ids of the checks
	Pictures []tool.ScreenshotRef // of the page as it is now, one for each row that has one
	Shown    *tool.ScreenshotRef  // the picture that tells most: the first difference, else the first of Pictures
}

// Compare compares the page of a session with a baseline, and files what
// came of it: one picture and one check for each part. What was not compared is
// filed as not executed. An error says that nothing could be looked at, and nothing
// is filed then.
func Compare(ctx context.Context, c *tool.Call, s *browser.Session, job visualcheck.Job) (PictureOutcome, error) {
	if c.RunErr != nil {
		return PictureOutcome{}, c.RunErr
	}
	v, err := visualcheck.Compare(ctx, PictureCall{Call: c, Session: s}, PictureOptions(c, s), job)
	if v.First != "" {
		c.Captured = append(c.Captured, v.First)
	}
	out := PictureOutcome{Checks: []string{}, Pictures: []tool.ScreenshotRef{}}
	if err == nil {
		err = fileVisual(c, v, &out)
		out.Next = v.Next()
	}
	out.Outcome = v.Outcome
	return out, err
}

// fileVisual stores pictures, and files rows, checks and findings.
func fileVisual(c *tool.Call, v *visualcheck.Check, out *PictureOutcome) error {
	for _, p := range v.Pictures {
		var shown *tool.ScreenshotRef
		for _, image := range v.Images(p) {
			ref, err := keepImage(c, v.Subject(p), image)
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
		ids, err := c.FileRecords(v.Records(p))
		out.Checks = append(out.Checks, ids...)
		if err != nil {
			return err
		}
	}
	return nil
}

// keepImage stores an image. That of the page counts against the run's budget;
// those beside it were not taken now, and are free.
func keepImage(c *tool.Call, subject string, i visualcheck.Image) (*tool.ScreenshotRef, error) {
	if !i.Free {
		return c.KeepPicture(i.Title, i.Data)
	}
	w, h, err := visual.Size(i.Data)
	if err != nil {
		return nil, fmt.Errorf("picture %s of %s: %w", i.What, subject, err)
	}
	a, err := c.Run.SavePicture(i.Title, i.Data, w, h, c.Step)
	if err != nil {
		return nil, err
	}
	return tool.NewScreenshotRef(c.Run, a), nil
}
