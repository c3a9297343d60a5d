package tools

import (
	"context"
	"time"

	"github.com/assay-qa/assay/browser"
)

// looking are the actions of computer_action that leave the page as it is.
var looking = []string{"move", "hover", "scroll", "wait", "screenshot", "zoom"}

// optionalShotLimit bounds the wait for a picture that nobody asked for.
const optionalShotLimit = 2 * time.Second

// screenshotBefore takes a picture of the page ahead of what is about to change it (E3),
// as long as such pictures leave half of the budget to those that a check or
// the caller asks for. The call itself is worth more than its picture.
func (c *call) screenshotBefore(ctx context.Context, s *browser.Session, action string) {
	if !c.desk.PictureBefore || c.runErr != nil || !c.run.SpendOptionalPicture() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, optionalShotLimit)
	defer cancel()
	ref, err := c.optionalScreenshot(ctx, s, "before-"+action, action == "page_navigate")
	if err != nil {
		c.desk.Log.Warn("no picture before a call", "tool", c.spec.name, "run", c.run.ID(), "err", err)
	}
	if ref == nil {
		c.run.ReturnOptionalPicture()
		return
	}
	c.shotBefore = ref
}

// optionalScreenshot stores a screenshot outside of the caller's request. With
// skipBlank it returns nil on about:blank.
func (c *call) optionalScreenshot(ctx context.Context, s *browser.Session, name string, skipBlank bool) (*ScreenshotRef, error) {
	if skipBlank {
		if state, err := s.State(ctx); err != nil || state.URL == "about:blank" {
			return nil, err
		}
	}
	shot, err := s.Screenshot(ctx, browser.ShotOptions{})
	if err != nil {
		return nil, err
	}
	return c.keep(name, shot.Data)
}

// lastShotLimit bounds the wait for a run's last picture: who interrupts a run waits
// for its end.
const lastShotLimit = time.Second

// screenshotAtEnd takes a picture of what the run ends with (D4), where the desk wants
// one and the budget leaves it.
func (c *call) screenshotAtEnd(ctx context.Context) {
	ids := c.desk.sessionIDs()
	if !c.desk.PictureAtEnd || c.runErr != nil || len(ids) == 0 || !c.run.SpendOptionalPicture() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, lastShotLimit)
	defer cancel()
	s, err := c.desk.session(ids[len(ids)-1])
	var ref *ScreenshotRef
	if err == nil {
		ref, err = c.optionalScreenshot(ctx, s, "end", true)
	}
	if err != nil {
		c.desk.Log.Warn("no picture at the end of a run", "run", c.run.ID(), "err", err)
	}
	if ref == nil {
		c.run.ReturnOptionalPicture()
	}
}

// screenshotBeforeTool calls screenshotBefore for the tools that always change the
// page. computer_action and the steps of a range call it themselves: not all they
// do changes the page.
func (c *call) screenshotBeforeTool(ctx context.Context) {
	if c.session != nil && c.spec.changesPage {
		c.screenshotBefore(ctx, c.session, c.spec.name)
	}
}
