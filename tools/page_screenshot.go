package tools

import (
	"cmp"
	"context"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/reproduce"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
)

type pageScreenshotInput struct {
	tool.OnSession
	Selector string   `json:"selector,omitempty"`
	FullPage *bool    `json:"full_page,omitempty"`
	Format   string   `json:"format,omitempty"`
	Mask     []string `json:"mask,omitempty" jsonschema:"selectors to paint over"`
	Name     string   `json:"name,omitempty"`
	Quality  int      `json:"quality,omitempty" jsonschema:"1 to 100, of jpeg"`
	tool.Shows
}

type pageScreenshotOutput struct {
	Name   string `json:"name" jsonschema:"cite it as evidence by this name"`
	SHA256 string `json:"sha256"`
	Path   string `json:"path"`
	URI    string `json:"uri"`
	Image  string `json:"base64_image,omitempty" jsonschema:"with include_image"`
}

// Show sets the picture itself.
func (o *pageScreenshotOutput) Show(picture func(path string) string) { o.Image = picture("") }

func pageScreenshot(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "page_screenshot", Set: tool.Core, Repeat: reproduce.Repeat{Nothing: true}, Unlisted: []string{"quality"},
		Options:     map[string]string{"format": "format", "full_page": "full_page", "fullPage": "full_page", "quality": "quality", "selector": "selector", "mask": "mask", "name": "name"},
		Enums:       map[string][]string{"format": {"png", "jpeg"}},
		Description: "File a picture of the viewport, full page or one element as evidence.",
	}, func(ctx context.Context, c *tool.Call, in pageScreenshotInput) (pageScreenshotOutput, error) {
		if _, err := c.SessionFor(ctx, in.SessionID); err != nil {
			return pageScreenshotOutput{}, err
		}
		shot := browser.ShotOptions{Selector: in.Selector, Mask: in.Mask, Quality: cmp.Or(in.Quality, ws.Screenshot.Quality), Format: cmp.Or(in.Format, ws.Screenshot.Format)}
		shot.FullPage = ws.Screenshot.FullPage && in.Selector == ""
		if in.FullPage != nil {
			shot.FullPage = *in.FullPage
		}
		if err := c.Shoot(ctx, cmp.Or(in.Name, "screenshot"), shot); err != nil {
			return pageScreenshotOutput{}, err
		}
		c.Say("took %d×%d pixels, sha256 %s", c.Shot.Width, c.Shot.Height, c.Shot.SHA256[:12])
		return pageScreenshotOutput{Name: c.Shot.Name, SHA256: c.Shot.SHA256, Path: c.Shot.Path, URI: c.Shot.URI}, nil
	})
}
