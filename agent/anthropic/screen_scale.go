package anthropic

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"math"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// How large a picture in an answer may be, and the screen where none is given:
// those of the tools.
const (
	pictureSide   = 1568
	picturePixels = 1_150_000
	usualWidth    = 1366
	usualHeight   = 768
)

// pictured returns the size that pictures of a screen have.
func pictured(s agent.Screen) agent.Screen {
	if s.Width <= 0 || s.Height <= 0 {
		return agent.Screen{Width: usualWidth, Height: usualHeight}
	}
	w, h := float64(s.Width), float64(s.Height)
	by := min(1, pictureSide/max(w, h), math.Sqrt(picturePixels/(w*h)))
	return agent.Screen{Width: max(1, int(w*by)), Height: max(1, int(h*by))}
}

// scale returns how many CSS pixels a pixel has of the picture that the model saw
// last: coordinates are always those of a whole screen.
func (m *Model) scale(c agent.Conversation) float64 {
	if c.Screen.Width <= 0 {
		return 1
	}
	for i := len(c.Turns) - 1; i >= 0; i-- {
		turn, ours := c.Turns[i].Reply.Raw.(*raw)
		if !ours {
			continue
		}
		if width := turn.pictureWidth(c.Turns[i].Results); width > 0 {
			return float64(c.Screen.Width) / float64(width)
		}
	}
	return float64(c.Screen.Width) / float64(pictured(c.Screen).Width)
}

// pictureWidth returns the width of the last picture of the whole screen in a
// turn's answers; 0: there is none.
func (r *raw) pictureWidth(results []agent.Result) int {
	width := 0
	for _, result := range results {
		if result.Name != computerAction || r.zoomed(result.ID) {
			continue
		}
		for _, p := range result.Parts {
			if p.Image != nil {
				width = cmp.Or(p.Image.Width, pngWidth(p.Image.Data))
			}
		}
	}
	return width
}

func (r *raw) zoomed(call string) bool {
	zoomed := false
	for _, u := range r.uses {
		if u.call == call {
			zoomed = u.zoomed // of the last one
		}
	}
	return zoomed
}

// pngWidth reads the width out of a PNG's header (W3C PNG, 11.2.1); 0: it is
// none.
func pngWidth(data string) int {
	head := make([]byte, 24)
	if n, _ := base64.StdEncoding.Decode(head, []byte(data[:min(len(data), 32)])); n < len(head) || !strings.HasPrefix(string(head), "\x89PNG\r\n\x1a\n") {
		return 0
	}
	return int(binary.BigEndian.Uint32(head[16:20]))
}

// pointerOf returns where a conversation leaves the pointer, as far as is known.
func pointerOf(c agent.Conversation) *agent.Point {
	if len(c.Turns) == 0 {
		return nil
	}
	if last, ours := c.Turns[len(c.Turns)-1].Reply.Raw.(*raw); ours {
		return last.pointer
	}
	return nil
}
