package tool

import (
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/visual"
)

// optionalShotLimit bounds the wait for a picture outside the caller's
// request.
const optionalShotLimit = 2 * time.Second

// ScreenshotBefore takes a picture of the page ahead of what is about to change it (E3),
// as long as such pictures leave half of the budget to those that a check or
// the caller asks for. The call itself is worth more than its picture.
func (c *Call) ScreenshotBefore(ctx context.Context, s *browser.Session, action string) {
	if !c.Workspace.PictureBefore || c.RunErr != nil || !c.Run.SpendOptionalPicture() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, optionalShotLimit)
	defer cancel()
	ref, err := c.optionalScreenshot(ctx, s, "before-"+action, action == "page_navigate")
	if err != nil {
		c.Workspace.Log.Warn("no picture before a call", "tool", c.Spec.Name, "run", c.Run.ID(), "err", err)
	}
	if ref == nil {
		c.Run.ReturnOptionalPicture()
		return
	}
	c.ShotBefore = ref
}

// optionalScreenshot stores a screenshot outside of the caller's request. With
// skipBlank it returns nil on about:blank.
func (c *Call) optionalScreenshot(ctx context.Context, s *browser.Session, name string, skipBlank bool) (*ScreenshotRef, error) {
	if skipBlank {
		if state, err := s.State(ctx); err != nil || state.URL == "about:blank" {
			return nil, err
		}
	}
	shot, err := s.Screenshot(ctx, browser.ShotOptions{})
	if err != nil {
		return nil, err
	}
	return c.KeepPicture(name, shot.Data)
}

// screenshotOfException takes a picture of a page that has thrown the first uncaught
// exception of the run, unless the call has one, for the report. The answer stays
// without it.
func (c *Call) screenshotOfException(ctx context.Context) {
	isBlocker := func(f qa.Finding) bool { return f.Severity == qa.Blocker }
	if c.Shot != nil || !c.Session.HasThrown() || slices.ContainsFunc(c.Run.Record().Findings, isBlocker) || !c.Run.SpendOptionalPicture() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, FinishLimit)
	defer cancel()
	ref, err := c.optionalScreenshot(ctx, c.Session, "exception", true)
	if err != nil {
		c.Workspace.Log.Warn("no picture of a page that threw an exception", "tool", c.Spec.Name, "run", c.Run.ID(), "err", err)
	}
	if ref == nil {
		c.Run.ReturnOptionalPicture()
	}
	c.shotOfException = ref
}

// lastShotLimit bounds a run's last picture, of a page that answers within [FinishLimit]: who
// interrupts a run does not wait for one that is frozen.
const lastShotLimit = 10 * time.Second

// ScreenshotAtEnd takes a picture of the page at the end of the run (D4),
// where the workspace is set to and the budget allows it.
func (c *Call) ScreenshotAtEnd(ctx context.Context) {
	ids := c.Workspace.SessionIDs()
	if !c.Workspace.PictureAtEnd || c.RunErr != nil || len(ids) == 0 || !c.Run.SpendOptionalPicture() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, lastShotLimit)
	defer cancel()
	s, err := c.Workspace.Session(ids[len(ids)-1])
	var page browser.PageState
	if err == nil {
		answer, stop := context.WithTimeout(ctx, FinishLimit)
		page, err = s.State(answer)
		stop()
	}
	var ref *ScreenshotRef
	if err == nil && page.URL != "about:blank" {
		ref, err = c.optionalScreenshot(ctx, s, "end", false)
	}
	if err != nil {
		c.Workspace.Log.Warn("no picture at the end of a run", "run", c.Run.ID(), "err", err)
	}
	if ref == nil {
		c.Run.ReturnOptionalPicture()
	}
}

// screenshotBeforeTool calls ScreenshotBefore for the tools that always change the
// page. computer_action and the steps of a range call it themselves: not all they
// do changes the page.
func (c *Call) screenshotBeforeTool(ctx context.Context) {
	if c.Session != nil && c.Spec.ChangesPage {
		c.ScreenshotBefore(ctx, c.Session, c.Spec.Name)
	}
}

// SpendPicture counts a picture, or refuses it.
func (c *Call) SpendPicture(name string) error {
	return overBudget(c.Run.SpendPicture(name))
}

// Picture files one as the evidence of a check, which is worth more than its
// picture: where a budget allows none, the call goes on without.
func (c *Call) Picture(ctx context.Context, name string) error {
	return c.PictureOf(ctx, name, browser.ShotOptions{})
}

// PictureOf takes a picture as Picture does, with options of its own.
func (c *Call) PictureOf(ctx context.Context, name string, o browser.ShotOptions) error {
	err := c.Shoot(ctx, name, o)
	if !IsOverBudget(err) {
		return err
	}
	c.Say("no screenshot: %s", engine.AsError(c.Spec.Name, err).Message)
	return nil
}

// Shoot takes a picture and files it in the run.
func (c *Call) Shoot(ctx context.Context, name string, o browser.ShotOptions) error {
	if c.RunErr != nil {
		return c.RunErr
	}
	if err := c.SpendPicture(name); err != nil {
		return err
	}
	shot, err := c.Session.Screenshot(ctx, o)
	if err != nil {
		c.Run.ReturnPicture()
		return err
	}
	ref, err := c.KeepPicture(name, shot.Data, Boxes(shot)...)
	if err != nil {
		c.Run.ReturnPicture()
		return err
	}
	c.Shot = ref
	return nil
}

// KeepPicture stores a picture in the run.
func (c *Call) KeepPicture(name string, data []byte, boxes ...qa.ElementBox) (*ScreenshotRef, error) {
	return StorePicture(c.Run, name, data, c.Step, boxes...)
}

// Boxes returns the places of elements in a picture as a run keeps them.
func Boxes(shot browser.Shot) []qa.ElementBox {
	out := make([]qa.ElementBox, len(shot.Boxes))
	for i, b := range shot.Boxes {
		out[i] = qa.ElementBox(b)
	}
	return out
}

// StorePicture stores a picture in a run, as a step's.
func StorePicture(run *evidence.Run, name string, data []byte, step int, boxes ...qa.ElementBox) (*ScreenshotRef, error) {
	w, h, err := visual.Size(data)
	if err != nil {
		return nil, &engine.Error{Code: string(explain.ImageInvalid), Message: pagetext.Sentencef("the browser returned no picture: %v", err), Retriable: true}
	}
	artifact, err := run.SaveScreenshot(name, data, w, h, step, boxes...)
	if err != nil {
		return nil, err
	}
	return NewScreenshotRef(run, artifact), nil
}

// NewScreenshotRef points at a picture that a run has stored.
func NewScreenshotRef(run *evidence.Run, a qa.Artifact) *ScreenshotRef {
	return &ScreenshotRef{
		URI: evidence.ArtifactURI(run.ID(), a.Name), Name: filepath.Base(a.Name), Path: filepath.Join(run.Dir(), filepath.FromSlash(a.Name)),
		SHA256: a.SHA256, MIMEType: a.MIMEType, Width: a.Width, Height: a.Height,
	}
}

// ScreenshotRef points at a stored picture.
type ScreenshotRef struct {
	URI      string `json:"uri"`
	Name     string `json:"name" jsonschema:"name to cite as evidence"`
	Path     string `json:"path"`
	SHA256   string `json:"sha256"`
	MIMEType string `json:"mimeType"`
	Width    int    `json:"width"`
	Height   int    `json:"height"`
}

// What models take in one picture (design §5), and an answer in all of them.
const (
	modelSide    = 1568
	modelPixels  = 1_150_000
	maxShownData = 8 << 20 // base64
)

// Shown adds a picture in base64 to the outputs of tools whose specification
// has it so.
type Shown struct {
	Screenshot string `json:"screenshot,omitempty" jsonschema:"base64, with include_image"`
}

// Show sets the call's own picture.
func (s *Shown) Show(picture func(path string) string) { s.Screenshot = picture("") }

// shower lets outputs with pictures in base64 fill them in: picture returns a
// stored file's, the call's own one for "", and nothing where the answer would
// become too large.
type shower interface {
	Show(picture func(path string) string)
}

// showing reports whether the caller asks for pictures.
type showing interface{ showing() bool }

// AttachPicture adds the call's picture, or its strip, to the answer, small enough for
// a model.
func (c *Call) AttachPicture() (err error) {
	if len(c.Strip) == 0 {
		c.Image, err = c.fitted(c.Shot.Path)
		return err
	}
	pictures := make([][]byte, len(c.Strip))
	for i, path := range c.Strip {
		if pictures[i], err = os.ReadFile(path); err != nil {
			return err
		}
	}
	c.Image, err = visual.Strip(visual.Limits{Side: modelSide, Pixels: modelPixels, Decode: c.Workspace.MaxPixels}, pictures...)
	return err
}

func (c *Call) fitted(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return visual.Fit(data, visual.Limits{Side: modelSide, Pixels: modelPixels, Decode: c.Workspace.MaxPixels})
}

// showPictures adds to an answer the pictures that its caller asked for: the call's
// own as an image, and as base64 where the specifications have it. An agent's model
// gets the image only: the text would cost it many tokens.
func (c *Call) showPictures(data any) {
	if !c.show {
		return
	}
	if c.Image == nil && c.Shot != nil {
		if err := c.AttachPicture(); err != nil {
			c.Say("the picture can't be attached: %v", err)
			return
		}
	}
	out, ok := data.(shower)
	if !ok || c.Workspace.FromFile {
		return
	}
	left, omitted := maxShownData, 0
	out.Show(func(path string) string {
		picture := c.Image
		if path != "" {
			var err error
			if picture, err = c.fitted(path); err != nil {
				c.Workspace.Log.Warn("show a picture", "path", path, "err", err)
			}
		}
		size := base64.StdEncoding.EncodedLen(len(picture))
		if size > left {
			omitted++
			return ""
		}
		left -= size
		return base64.StdEncoding.EncodeToString(picture)
	})
	if omitted > 0 {
		c.Say("%d pictures are not in this answer, which would become too large: read them by their uri or path", omitted)
	}
}
