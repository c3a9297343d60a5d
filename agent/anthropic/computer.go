package anthropic

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/assay-qa/assay/agent"
)

// computerAction names the tool that the provider's computer tool stands for, and
// maxActions bounds what it takes at once.
const (
	computerAction = "computer_action"
	maxActions     = 20
)

// wheelStep sets how far one click of a scroll wheel goes, in CSS pixels, as desktop
// browsers have it.
const wheelStep = 100

// computerTool returns the provider's own tool. It does not offer what no browser
// can do (a button or a key that stays down, where the pointer is).
func (m *Model) computerTool(s agent.Screen) any {
	shown := pictured(s)
	if kind := m.traits.computer; kind != toolset {
		return oldComputer{Type: kind, Name: "computer", Width: shown.Width, Height: shown.Height, Zoom: kind == tool20251124}
	}
	off := enabled{false}
	return computerSet{Type: toolset, Configs: map[string]enabled{"cursor_position": off, "hold_key": off, "left_mouse_down": off, "left_mouse_up": off}}
}

// arguments returns the arguments of one call of computer_action.
func arguments(actions []agent.Gesture) json.RawMessage {
	var in any = struct {
		Actions      []agent.Gesture `json:"actions"`
		IncludeImage bool            `json:"include_image"`
	}{actions, true}
	if len(actions) == 1 {
		in = struct {
			agent.Gesture
			IncludeImage bool `json:"include_image"`
		}{actions[0], true}
	}
	out, err := json.Marshal(in)
	if err != nil { // numbers that came as JSON can be written as JSON
		panic(err)
	}
	return out
}

// computerInput holds what the model asks for: the parameters of all members together.
type computerInput struct {
	Action     string    `json:"action"`
	Coordinate []float64 `json:"coordinate"`
	Start      []float64 `json:"start_coordinate"`
	Region     []float64 `json:"region"`
	Text       string    `json:"text"`
	Repeat     int       `json:"repeat"`
	Duration   float64   `json:"duration"` // in seconds
	Direction  string    `json:"scroll_direction"`
	Amount     float64   `json:"scroll_amount"`
}

// member returns which of the computer tool's members a block calls, if any: the
// toolset names it, the older tools have it as an argument.
func (r *reader) member(b block) (string, bool) {
	switch {
	case !r.operates:
		return "", false
	case r.toolset:
		return b.Name, b.Toolset == "computer"
	case b.Name != "computer":
		return "", false
	}
	var w computerInput
	if err := json.Unmarshal(b.Input, &w); err != nil {
		return "computer", true
	}
	return w.Action, true
}

// actions translates a member's input to gestures. A member without a counterpart
// becomes one that computer_action refuses by name, so that the model learns what
// there is.
func (r *reader) actions(member string, input json.RawMessage) (list []agent.Gesture, refused bool) {
	no := func(format string, args ...any) ([]agent.Gesture, bool) {
		return []agent.Gesture{{Action: member + fmt.Sprintf(format, args...)}}, true
	}
	var w computerInput
	if err := json.Unmarshal(input, &w); err != nil {
		return no(" with parameters that can't be read")
	}
	at := r.at(w.Coordinate)
	switch member {
	case "left_click", "double_click", "triple_click", "right_click", "middle_click":
		if at == nil {
			at = r.css(r.raw.pointer)
		}
		switch {
		case w.Text != "":
			return no(" with %s held down", w.Text)
		case member == "left_click":
			list = []agent.Gesture{{Action: "click", Coords: at}}
		case member == "triple_click": // which marks a field's text
			list = []agent.Gesture{{Action: "click", Coords: at}, {Action: "hotkey", Hotkey: "ControlOrMeta+A"}}
		default:
			list = []agent.Gesture{{Action: member, Coords: at}}
		}
	case "mouse_move":
		list = []agent.Gesture{{Action: "move", Coords: at}}
	case "left_click_drag":
		if w.Text != "" {
			return no(" with %s held down", w.Text)
		}
		list = []agent.Gesture{{Action: "drag", Coords: r.css(pair(w.Start)), To: at}}
	case "scroll":
		by, known := wheel(w.Direction, w.Amount)
		if !known || w.Text != "" {
			return no(" %s %s", w.Direction, w.Text)
		}
		list = []agent.Gesture{{Action: "scroll", Coords: at, Scroll: by}}
	case "type":
		list = []agent.Gesture{{Action: "type", Text: w.Text}}
	case "key":
		for range max(w.Repeat, 1) {
			list = append(list, agent.Gesture{Action: "hotkey", Hotkey: agent.Chord(strings.TrimSpace(w.Text))})
		}
	case "wait":
		list = []agent.Gesture{{Action: "wait", Wait: &agent.Pause{Type: "ms", Value: fmt.Sprint(max(1, math.Round(w.Duration*1000)))}}}
	case "screenshot":
		list = []agent.Gesture{{Action: "screenshot"}}
	case "zoom":
		if len(w.Region) != 4 {
			return no(" without a region")
		}
		list = []agent.Gesture{{Action: "zoom", Coords: r.css(pair(w.Region[:2])), To: r.css(pair(w.Region[2:]))}}
	default:
		return no("")
	}
	return list, len(list) > maxActions
}

// at returns a place as computer_action has it; the pointer will be there.
func (r *reader) at(coordinate []float64) *agent.Point {
	p := pair(coordinate)
	if p != nil {
		r.raw.pointer = p
	}
	return r.css(p)
}

// css turns pixels of the picture that the model saw into those of the page.
func (r *reader) css(p *agent.Point) *agent.Point {
	if p == nil {
		return nil
	}
	return &agent.Point{X: math.Round(p.X*r.scale*100) / 100, Y: math.Round(p.Y*r.scale*100) / 100}
}

func pair(xy []float64) *agent.Point {
	if len(xy) != 2 {
		return nil
	}
	return &agent.Point{X: xy[0], Y: xy[1]}
}

func wheel(direction string, amount float64) (*agent.Scroll, bool) {
	switch direction {
	case "up":
		return &agent.Scroll{DeltaY: -wheelStep * amount}, true
	case "down":
		return &agent.Scroll{DeltaY: wheelStep * amount}, true
	case "left":
		return &agent.Scroll{DeltaX: -wheelStep * amount}, true
	case "right":
		return &agent.Scroll{DeltaX: wheelStep * amount}, true
	default:
		return nil, false
	}
}
