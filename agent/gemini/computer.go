package gemini

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// gesture holds the arguments of every predefined function, of both
// vocabularies (https://ai.google.dev/gemini-api/docs/computer-use). Places and
// the magnitude of scroll_at are counted from 0 to 999 across the picture.
type gesture struct {
	X, Y         *float64
	StartX       *float64 `json:"start_x"`
	StartY       *float64 `json:"start_y"`
	EndX         *float64 `json:"end_x"`
	EndY         *float64 `json:"end_y"`
	DestinationX *float64 `json:"destination_x"`
	DestinationY *float64 `json:"destination_y"`
	Text         string   `json:"text"`
	PressEnter   *bool    `json:"press_enter"`
	Clear        *bool    `json:"clear_before_typing"`
	Direction    string   `json:"direction"`
	Magnitude    float64  `json:"magnitude"`
	Pixels       float64  `json:"magnitude_in_pixels"`
	Key          string   `json:"key"`
	Keys         chord    `json:"keys"`
	Seconds      float64  `json:"seconds"`
	URL          string   `json:"url"`
}

// chord holds keys that are pressed together. In JSON it is a list, or a text
// joined by +.
type chord []string

// UnmarshalJSON reads either.
func (k *chord) UnmarshalJSON(data []byte) error {
	var joined string
	if json.Unmarshal(data, &joined) == nil {
		*k = chord{joined}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(k))
}

// act turns a call of the model's computer tool into one of ours, and reports
// whether it was one. An action without a counterpart stays as it is: the loop
// answers it with the list of tools.
func act(c *agent.Call, screen agent.Screen) bool {
	if !slices.Contains(predefined(), c.Name) {
		return false
	}
	var g gesture
	if len(c.Arguments) > 0 && json.Unmarshal(c.Arguments, &g) != nil {
		return true // the tools say what is wrong with it
	}
	if c.Name == "navigate" {
		c.Name, c.Arguments = "page_navigate", encoded(map[string]string{"url": g.URL})
		return true
	}
	if steps := g.steps(c.Name, screen); steps != nil {
		c.Name, c.Arguments = computerTool, encoded(map[string]any{"actions": steps, "include_image": true})
	}
	return true
}

func encoded(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil { // of texts and numbers
		panic("gemini: an action can't be encoded: " + err.Error())
	}
	return raw
}

// predefined returns the functions of the computer tool, of both vocabularies.
func predefined() []string {
	return strings.Fields(`open_web_browser wait_5_seconds go_back go_forward search navigate click_at hover_at type_text_at key_combination
		scroll_document scroll_at drag_and_drop
		click double_click triple_click middle_click right_click mouse_down mouse_up move type wait press_key key_down key_up hotkey
		take_screenshot scroll`)
}

// steps returns what a predefined function does, or nil.
func (g gesture) steps(name string, screen agent.Screen) []agent.Gesture {
	at := place(g.X, g.Y, screen)
	switch name {
	case "click_at", "click":
		return []agent.Gesture{{Action: "click", Coords: at}}
	case "double_click", "right_click", "middle_click":
		return []agent.Gesture{{Action: name, Coords: at}}
	case "hover_at", "move":
		return []agent.Gesture{{Action: "move", Coords: at}}
	case "type_text_at": // clears and presses Enter unless an argument says otherwise
		return slices.Concat([]agent.Gesture{{Action: "click", Coords: at}}, g.typed(true))
	case "type":
		return g.typed(false)
	case "key_combination", "hotkey":
		return []agent.Gesture{{Action: "hotkey", Hotkey: agent.Chord(g.Keys...)}}
	case "press_key":
		return []agent.Gesture{{Action: "hotkey", Hotkey: agent.Chord(g.Key)}}
	case "scroll_document", "scroll_at":
		far := cmp.Or(g.Magnitude, 800) / 1000
		return []agent.Gesture{{Action: "scroll", Coords: at, Scroll: along(g.Direction, far*float64(screen.Width), far*float64(screen.Height))}}
	case "scroll":
		far := cmp.Or(g.Pixels, g.Magnitude, 300)
		return []agent.Gesture{{Action: "scroll", Coords: at, Scroll: along(g.Direction, far, far)}}
	case "drag_and_drop":
		from, to := at, place(g.DestinationX, g.DestinationY, screen)
		if g.StartX != nil {
			from = place(g.StartX, g.StartY, screen)
		}
		if g.EndX != nil {
			to = place(g.EndX, g.EndY, screen)
		}
		return []agent.Gesture{{Action: "drag", Coords: from, To: to}}
	case "wait_5_seconds":
		return []agent.Gesture{{Action: "wait", Wait: &agent.Pause{Type: "ms", Value: "5000"}}}
	case "wait":
		ms := min(max(cmp.Or(g.Seconds, 1), 0.1), 30) * 1000 // what one call may wait
		return []agent.Gesture{{Action: "wait", Wait: &agent.Pause{Type: "ms", Value: strconv.Itoa(int(ms))}}}
	case "take_screenshot", "open_web_browser": // it is open
		return []agent.Gesture{{Action: "screenshot"}}
	default:
		return nil
	}
}

// typed types at the focus.
func (g gesture) typed(usual bool) []agent.Gesture {
	var out []agent.Gesture
	if flag(g.Clear, usual) {
		out = append(out, agent.Gesture{Action: "hotkey", Hotkey: "Control+A"}, agent.Gesture{Action: "hotkey", Hotkey: "Delete"})
	}
	if g.Text != "" || len(out) == 0 {
		out = append(out, agent.Gesture{Action: "type", Text: g.Text})
	}
	if flag(g.PressEnter, usual) {
		out = append(out, agent.Gesture{Action: "hotkey", Hotkey: "Enter"})
	}
	return out
}

func flag(b *bool, usual bool) bool {
	if b == nil {
		return usual
	}
	return *b
}

// place scales a place to CSS pixels. A place beyond the edge is at the edge;
// without one there is none, and the tool asks for it.
func place(x, y *float64, screen agent.Screen) *agent.Point {
	if x == nil || y == nil {
		return nil
	}
	return &agent.Point{X: scaled(*x, screen.Width), Y: scaled(*y, screen.Height)}
}

func scaled(v float64, size int) float64 {
	return max(0, min(float64(size-1), math.Round(v/1000*float64(size))))
}

// along returns a scroll into a direction.
func along(direction string, x, y float64) *agent.Scroll {
	switch strings.ToLower(direction) {
	case "up":
		return &agent.Scroll{DeltaY: -math.Trunc(y)}
	case "left":
		return &agent.Scroll{DeltaX: -math.Trunc(x)}
	case "right":
		return &agent.Scroll{DeltaX: math.Trunc(x)}
	case "down":
		return &agent.Scroll{DeltaY: math.Trunc(y)}
	default: // the tool asks for one
		return nil
	}
}
