package tools_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image"
	_ "image/png" // decodes pictures
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/visual"
)

// picturesIn returns the sizes of the base64 pictures that data holds, under the names
// of the specifications.
func picturesIn(t *testing.T, a answer) (sizes []image.Point) {
	t.Helper()
	add := func(v any) {
		text, _ := v.(string)
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil || text == "" {
			return
		}
		c, kind, err := image.DecodeConfig(bytes.NewReader(raw))
		if err != nil || kind != "png" {
			t.Errorf("a base64 picture is no PNG: %s %v", kind, err)
		}
		sizes = append(sizes, image.Pt(c.Width, c.Height))
	}
	add(a.Data["screenshot"])
	add(a.Data["base64_image"])
	add(a.Data["diff_image"])
	list, _ := a.Data["screenshots"].([]any)
	for _, item := range list {
		add(item.(map[string]any)["base64"])
	}
	return sizes
}

// B2, B14: include_image attaches the picture of every tool that takes one, and gives
// it as base64 where the specifications have it; without it no answer carries one.
func TestIncludeImage(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.Limit = 45 * time.Second
	url := site(t, map[string]string{"/": specificationShop, "/new": strings.Replace(specificationShop, "Nothing yet", "Sold out", 1)})
	d.ok("page_navigate", `{"url": %q}`, url)
	flow := `"steps": [{"action": "assert", "selector": "main", "assertion": {"type": "visible"}}, {"action": "screenshot", "name": "a"}], "watch_ms": 0`
	for _, call := range []struct {
		tool, args string
		least      int // pictures as base64
	}{
		{"page_screenshot", `"full_page": false`, 1},
		{"computer_action", `"action": "screenshot"`, 1},
		{"verify_page_loads", `"url": "` + url + `", "watch_ms": 0`, 1},
		{"verify_element_exists", `"selector": "#buy"`, 1},
		{"verify_element_exists", `"selector": "#none", "timeout_ms": 300`, 1},
		{"verify_user_flow", `"session_id": "` + d.session() + `", ` + flow, 2},
		{"capture_visual_baseline", `"name": "shop", "selectors": ["main", "h1"]`, 2},
		{"compare_visual_regression", `"url": "` + url + `/new", "name": "shop"`, 1},
	} {
		plain := d.raw(call.tool, "{"+call.args+"}")
		if n := len(picturesIn(t, plain)); n != 0 || attached(plain) != 0 {
			t.Errorf("%s: %d pictures and %d attached that nobody asked for", call.tool, n, attached(plain))
		}
		shown := d.raw(call.tool, "{"+call.args+`, "include_image": true}`)
		if n := len(picturesIn(t, shown)); !shown.OK || n < call.least || attached(shown) != 1 {
			t.Errorf("%s %s: %d pictures as base64, %d attached: %s", call.tool, call.args, n, attached(shown), shown.text)
		}
	}
	if a := d.raw("page_click", `{"selector": "#none", "timeout_ms": 300, "include_image": true}`); a.Error.Code != "INVALID_INPUT" {
		t.Errorf("a tool that takes no picture takes include_image: %s", a.text)
	}
	d.FromFile = true // as in an agent's run: its model would pay for every byte
	if a := d.ok("page_screenshot", `{"include_image": true}`); len(picturesIn(t, a)) != 0 || attached(a) != 1 {
		t.Errorf("in an agent's run: %d pictures as base64, %d attached", len(picturesIn(t, a)), attached(a))
	}
}

// attached counts the pictures beside an answer's text.
func attached(a answer) (n int) {
	for _, c := range a.result.Content {
		if _, ok := c.(mcp.ImageContent); ok {
			n++
		}
	}
	return n
}

// B15: the picture of verify_element_exists is the element's own, and the viewport's
// where no element is seen.
func TestPictureOfTheElement(t *testing.T) {
	t.Parallel()
	d := online(t)
	d.ok("page_navigate", `{"url": %q}`, site(t, map[string]string{"/": `<p>x<p>y<div id="box" style="width:120px;height:40px;background:red;margin-top:2000px">Box</div>`}))
	for selector, want := range map[string]image.Point{"#box": {120, 40}, "#none": {1280, 720}, "p": {1280, 720}} {
		a := d.ok("verify_element_exists", `{"selector": %q, "timeout_ms": 300}`, selector)
		if a.Screenshot == nil || a.Screenshot.Width != want.X || a.Screenshot.Height != want.Y {
			t.Errorf("%s: the picture is %+v, want %v", selector, a.Screenshot, want)
		}
	}
}

// B2: visual answers say where each picture is.
func TestVisualAnswersNameTheirPictures(t *testing.T) {
	t.Parallel()
	d := online(t)
	url := site(t, map[string]string{"/": specificationShop, "/new": strings.Replace(specificationShop, "Nothing yet", "Sold out", 1)})
	shots := d.ok("capture_visual_baseline", `{"url": %q, "name": "shop", "selectors": ["main"]}`, url).Data["screenshots"].([]any)
	a := d.ok("compare_visual_regression", `{"url": "%s/new", "name": "shop"}`, url)
	kinds := ""
	for _, item := range append(shots, a.Data["images"].([]any)...) {
		p := item.(map[string]any)
		if _, err := os.Stat(p["path"].(string)); err != nil || !strings.HasPrefix(p["uri"].(string), "assay://runs/") {
			t.Errorf("a picture is at %v, %v: %v", p["uri"], p["path"], err)
		}
		if kind, ok := p["kind"]; ok {
			kinds += " " + kind.(string)
		}
	}
	if kinds != " before after diff" {
		t.Errorf("the pictures are%s", kinds)
	}
	// Who is shown one picture sees all three, beside each other.
	shown := d.ok("compare_visual_regression", `{"url": "%s/new", "name": "shop", "include_image": true}`, url)
	for _, c := range shown.result.Content {
		picture, ok := c.(mcp.ImageContent)
		if !ok {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(picture.Data)
		w, h, sizeErr := visual.Size(data)
		if err = errors.Join(err, sizeErr); err != nil || w*shown.Screenshot.Height < 2*h*shown.Screenshot.Width {
			t.Errorf("%d×%d px are attached, and one picture has %d×%d: %v", w, h, shown.Screenshot.Width, shown.Screenshot.Height, err)
		}
	}
}
