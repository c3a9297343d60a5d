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
	if !c.desk.PictureBefore || c.runErr != nil || !c.run.SparePicture() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, beforeLimit)
	defer cancel()
	ref, err := c.pictureBefore(ctx, s, action)
	if err != nil {
		c.desk.Log.Warn("no picture before a call", "tool", c.spec.name, "run", c.run.ID(), "err", err)
	}
	if ref == nil {
		c.run.ReturnSpare()
		return
	}
	c.ahead = ref
}

// pictureBefore takes and stores the picture; nil where there is no page yet.
func (c *call) pictureBefore(ctx context.Context, s *browser.Session, action string) (*ScreenshotRef, error) {
	if action == "page_navigate" {
		if state, err := s.State(ctx); err != nil || state.URL == "about:blank" {
			return nil, err
		}
	}
	shot, err := s.Screenshot(ctx, browser.ShotOptions{})
	if err != nil {
		return nil, err
	}
	return c.keep("before-"+action, shot.Data)
}

// beforeTool is before, for the tools that always change the page.
func (c *call) beforeTool(ctx context.Context) {
	if c.session != nil && slices.Contains(changing, c.spec.name) {
		c.before(ctx, c.session, c.spec.name)
	}
}
