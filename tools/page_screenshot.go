package tools

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/tools/engine"
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
	Type     string   `json:"type,omitempty" jsonschema:"the same as format"`
	Path     string   `json:"path,omitempty" jsonschema:"a name within the run, such as login.png, in place of name and format"`
	Clip     *clip    `json:"clip,omitempty" jsonschema:"a part of the viewport, in CSS pixels"`
	tool.Shows
}

type clip struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// shot returns what the picture is of, and its name. Where the input names no format, the
// ending of its path does.
func (in pageScreenshotInput) shot(usual browser.ShotOptions) (name string, o browser.ShotOptions, err error) {
	name, format := in.Name, in.Format
	switch {
	case in.Type != "" && format != "" && in.Type != format:
		return "", o, engine.InvalidInput("leave one of them out", "format is %q and type is %q", format, in.Type)
	case in.Path != "" && name != "":
		return "", o, engine.InvalidInput("leave one of them out", "name and path exclude each other")
	case in.Path != "" && !filepath.IsLocal(in.Path):
		return "", o, engine.InvalidInput("give a name such as login.png; the answer says where the picture is", "path %q leads out of the run, which keeps all pictures", in.Path)
	}
	format = cmp.Or(format, in.Type)
	if ending := filepath.Ext(in.Path); in.Path != "" {
		name = strings.TrimSuffix(in.Path, ending)
		format = cmp.Or(format, map[string]string{".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg"}[strings.ToLower(ending)])
	}
	o = browser.ShotOptions{Selector: in.Selector, Mask: in.Mask, Quality: cmp.Or(in.Quality, usual.Quality), Format: cmp.Or(format, usual.Format)}
	o.FullPage = usual.FullPage && in.Selector == "" && in.Clip == nil
	if in.FullPage != nil {
		o.FullPage = *in.FullPage
	}
	if c := in.Clip; c != nil {
		o.Clip = &browser.Area{X: c.X, Y: c.Y, Width: c.Width, Height: c.Height}
	}
	return cmp.Or(name, "screenshot"), o, nil
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
		Name: "page_screenshot", Set: tool.Core, Repeat: workspace.Repeat{Nothing: true}, Unlisted: []string{"quality", "type", "path", "clip"},
		Options: map[string]string{"type": "type", "path": "path", "clip": "clip", "format": "format",
			"full_page": "full_page", "fullPage": "full_page", "quality": "quality", "selector": "selector", "mask": "mask", "name": "name"},
		Enums:       map[string][]string{"format": {"png", "jpeg"}},
		Description: "File a picture of the viewport, full page or one element as evidence.",
	}, func(ctx context.Context, c *tool.Call, in pageScreenshotInput) (pageScreenshotOutput, error) {
		name, shot, err := in.shot(ws.Screenshot)
		if err != nil {
			return pageScreenshotOutput{}, err
		}
		if _, err := c.SessionFor(ctx, in.SessionID); err != nil {
			return pageScreenshotOutput{}, err
		}
		if err := c.Shoot(ctx, name, shot); err != nil {
			return pageScreenshotOutput{}, err
		}
		c.Say("took %d×%d pixels, sha256 %s", c.Shot.Width, c.Shot.Height, c.Shot.SHA256[:12])
		return pageScreenshotOutput{Name: c.Shot.Name, SHA256: c.Shot.SHA256, Path: c.Shot.Path, URI: c.Shot.URI}, nil
	})
}
