package wiretest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/jpeg" // pictures that are judged
	_ "image/png"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// picture judges base64 of a picture: of the kind that it claims, with a head
// that decodes, and not torn off. The size is in pixels.
func picture(mime, data string) (image.Config, error) {
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return image.Config{}, fmt.Errorf("a picture is no base64: %w", err)
	}
	c, format, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return image.Config{}, fmt.Errorf("a picture of %d bytes does not decode: %w", len(raw), err)
	}
	if mime != "image/"+format {
		return image.Config{}, fmt.Errorf("a picture says that it is %s and is image/%s", mime, format)
	}
	end := []byte("IEND\xaeB`\x82")
	if format == "jpeg" {
		end = []byte{0xff, 0xd9}
	}
	if !bytes.HasSuffix(raw, end) {
		return image.Config{}, fmt.Errorf("a %s of %d bytes has no end", format, len(raw))
	}
	return c, nil
}

// isPictureURL judges a picture in a data URL.
func isPictureURL(v any) error {
	address, _ := v.(string)
	rest, ok := strings.CutPrefix(address, "data:")
	mime, data, found := strings.Cut(rest, ";base64,")
	if !ok || !found {
		return fmt.Errorf("a picture is no data URL but %.40q", address)
	}
	_, err := picture(mime, data)
	return err
}

// isPicture judges a picture in an object with its kind and its data.
func isPicture(v any) error {
	source, _ := v.(jsonObject)
	_, err := PictureOf(source)
	return err
}

// PictureOf judges the picture in an object with its kind and its data, and returns
// its size.
func PictureOf(source jsonObject) (image.Config, error) {
	mime, ok := source["media_type"].(string)
	if !ok {
		mime, _ = source["mimeType"].(string)
	}
	data, _ := source["data"].(string)
	return picture(mime, data)
}

// largeEdges are Anthropic's models that take pictures of 2576 pixels.
var largeEdges = pattern.New(`^claude-(opus-4-[7-9]|\w+-[5-9])`)

// edges bounds the pictures of a request to Anthropic: 1568 or 2576 pixels by the
// model, and 2000 where there are more than 20. Of a model that it can't read,
// nothing is demanded.
func edges(v any) error {
	whole, _ := v.(jsonObject)
	model, _ := whole["model"].(string)
	limit := 1568
	switch {
	case largeEdges.MatchString(model):
		limit = 2576
	case !strings.HasPrefix(model, "claude-"):
		limit = 1 << 20
	}
	var found []image.Config
	for o := range Objects(whole["body"], "tools") {
		source, _ := o["source"].(jsonObject)
		if c, err := PictureOf(source); err == nil {
			found = append(found, c)
		}
	}
	if len(found) > 20 {
		limit = min(limit, 2000)
	}
	for _, c := range found {
		if max(c.Width, c.Height) > limit {
			return fmt.Errorf("a picture of %d×%d: its longest edge may have %d pixels", c.Width, c.Height, limit)
		}
	}
	return nil
}
