package tools

import (
	"context"
	"slices"
	"time"

	"github.com/assay-qa/assay/browser"
)

// changing are the tools ahead of whose calls a picture is taken, where the
// desk wants them; see [Settings]. computer_action and the steps of a range
// take theirs themselves: not all they do changes the page.
var changing = []string{"page_click", "page_fill", "page_select", "page_press", "page_navigate"}

// looking are the actions of computer_action that leave the page as it is.
var looking = []string{"move", "hover", "scroll", "wait", "screenshot", "zoom"}

// beforeLimit bounds the wait for a picture that nobody asked for.
const beforeLimit = 2 * time.Second

// before takes a picture of the page ahead of what is about to change it (E3),
// as long as such pictures leave half of the budget to those that a check or
// the caller asks for. The call itself is worth more than its picture.
func (c *call) before(ctx context.Context, s *browser.Session, action string) {
	if !c.desk.PictureBefore || c.runErr != nil || !c.run.SpendOptionalPicture() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, beforeLimit)
	defer cancel()
	ref, err := c.spare(ctx, s, "before-"+action, action == "page_navigate")
	if err != nil {
		c.desk.Log.Warn("no picture before a call", "tool", c.spec.name, "run", c.run.ID(), "err", err)
	}
	if ref == nil {
		c.run.ReturnOptionalPicture()
		return
	}
	c.ahead = ref
}

// spare takes and stores a picture that nobody asked for; nil where there is no
// page yet, if that is looked at.
func (c *call) spare(ctx context.Context, s *browser.Session, name string, look bool) (*ScreenshotRef, error) {
	if look {
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

// endLimit bounds the wait for a run's last picture: who interrupts a run waits
// for its end.
const endLimit = time.Second

// atEnd takes a picture of what the run ends with (D4), where the desk wants
// one and the budget leaves it.
func (c *call) atEnd(ctx context.Context) {
	ids := c.desk.sessionIDs()
	if !c.desk.PictureAtEnd || c.runErr != nil || len(ids) == 0 || !c.run.SpendOptionalPicture() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, endLimit)
	defer cancel()
	s, err := c.desk.session(ids[len(ids)-1])
	var ref *ScreenshotRef
	if err == nil {
		ref, err = c.spare(ctx, s, "end", true)
	}
	if err != nil {
		c.desk.Log.Warn("no picture at the end of a run", "run", c.run.ID(), "err", err)
	}
	if ref == nil {
		c.run.ReturnOptionalPicture()
	}
}

// beforeTool is before, for the tools that always change the page.
func (c *call) beforeTool(ctx context.Context) {
	if c.session != nil && slices.Contains(changing, c.spec.name) {
		c.before(ctx, c.session, c.spec.name)
	}
}
