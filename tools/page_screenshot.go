package tools

import (
	"cmp"
	"context"
	"os"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/visual"
)

type pageScreenshotInput struct {
	onSession
	Selector     string   `json:"selector,omitempty"`
	FullPage     *bool    `json:"full_page,omitempty"`
	Format       string   `json:"format,omitempty" jsonschema:"png or jpeg"`
	Mask         []string `json:"mask,omitempty" jsonschema:"selectors to paint over"`
	Name         string   `json:"name,omitempty"`
	IncludeImage bool     `json:"include_image,omitempty"`
}

type pageScreenshotOutput struct {
	Name   string `json:"name" jsonschema:"cite it as evidence by this name"`
	SHA256 string `json:"sha256"`
	Path   string `json:"path"`
}

// modelLimits are what models take in one picture (design §5).
const (
	modelSide   = 1568
	modelPixels = 1_150_000
)

func (d *Desk) pageScreenshot() Tool {
	return define(d, spec{
		name: "page_screenshot", set: Core, repeat: repeat{nothing: true},
		description: "File a picture of the viewport, full page or one element as evidence.",
	}, func(ctx context.Context, c *call, in pageScreenshotInput) (pageScreenshotOutput, error) {
		if _, err := c.sessionFor(ctx, in.SessionID); err != nil {
			return pageScreenshotOutput{}, err
		}
		shot := browser.ShotOptions{Selector: in.Selector, Mask: in.Mask, Quality: d.Screenshot.Quality, Format: cmp.Or(in.Format, d.Screenshot.Format)}
		shot.FullPage = d.Screenshot.FullPage && in.Selector == ""
		if in.FullPage != nil {
			shot.FullPage = *in.FullPage
		}
		if err := c.shoot(ctx, cmp.Or(in.Name, "screenshot"), shot); err != nil {
			return pageScreenshotOutput{}, err
		}
		if in.IncludeImage {
			if err := c.attach(); err != nil {
				return pageScreenshotOutput{}, err
			}
		}
		c.say("took %d×%d pixels, sha256 %s", c.shot.Width, c.shot.Height, c.shot.SHA256[:12])
		return pageScreenshotOutput{Name: c.shot.Name, SHA256: c.shot.SHA256, Path: c.shot.Path}, nil
	})
}

// attach adds the call's picture to the answer, small enough for a model.
func (c *call) attach() error {
	data, err := os.ReadFile(c.shot.Path)
	if err != nil {
		return err
	}
	c.image, err = visual.Fit(data, visual.Limits{Side: modelSide, Pixels: modelPixels, Decode: c.desk.MaxPixels})
	return err
}
