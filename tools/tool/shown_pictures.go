package tool

import (
	"encoding/base64"
	"os"

	"github.com/assay-qa/assay/visual"
)

// What models take in one picture (design §5), and an answer in all of them.
const (
	modelSide    = 1568
	modelPixels  = 1_150_000
	maxShownData = 8 << 20 // base64
)

// Shown is embedded by outputs of tools whose picture the specifications have as
// base64.
type Shown struct {
	Screenshot string `json:"screenshot,omitempty" jsonschema:"base64, with include_image"`
}

// Show sets the call's own picture.
func (s *Shown) Show(picture func(path string) string) { s.Screenshot = picture("") }

// shower is implemented by outputs that hold pictures as base64. picture returns that
// of a stored file, of the call's own one for "", and nothing where the answer would
// become too large.
type shower interface {
	Show(picture func(path string) string)
}

// showing is implemented by inputs in which the caller asks for pictures.
type showing interface{ showing() bool }

// AttachPicture adds the call's picture to the answer, small enough for a model.
func (c *Call) AttachPicture() (err error) {
	c.Image, err = c.fitted(c.Shot.Path)
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
