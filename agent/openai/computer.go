package openai

import (
	"encoding/json"

	"github.com/assay-qa/assay/agent"
)

// computerTool names the tool of ours that the provider's computer tool stands
// for.
const computerTool = "computer_action"

// computerOrders instructs a model that works with the provider's computer
// tool, whose own description does not mention its screen.
const computerOrders = "\n\nThe computer tool works the visible area of the current page: there is no browser window and no address bar around it. " +
	"Use page_navigate to go to an address. Coordinates count in pixels of the picture that you were shown last; no need to convert them."

// batch holds the input of computer_action.
type batch struct {
	Actions      []agent.Gesture `json:"actions"`
	IncludeImage bool            `json:"include_image"`
}

// scale holds how many CSS pixels a pixel of the shown picture has.
type scale struct{ x, y float64 }

// scaleOf looks at the last picture of the screen that the model was shown.
func scaleOf(c agent.Conversation) scale {
	for i := len(c.Turns) - 1; i >= 0; i-- {
		for j := len(c.Turns[i].Results) - 1; j >= 0; j-- {
			r := c.Turns[i].Results[j]
			image := lastImage(r)
			if r.Name != computerTool || image == nil || image.Width <= 0 || image.Height <= 0 || c.Screen.Width <= 0 || c.Screen.Height <= 0 {
				continue
			}
			return scale{x: float64(c.Screen.Width) / float64(image.Width), y: float64(c.Screen.Height) / float64(image.Height)}
		}
	}
	return scale{x: 1, y: 1}
}

func lastImage(r agent.Result) *agent.Image {
	for i := len(r.Parts) - 1; i >= 0; i-- {
		if r.Parts[i].Image != nil {
			return r.Parts[i].Image
		}
	}
	return nil
}

// computerArguments makes a call of computer_action from a computer call. What
// computer_action doesn't know goes in by its name: the tool refuses the batch
// and the model learns why.
func computerArguments(call computerCall, s scale) (json.RawMessage, error) {
	wanted := call.Actions
	if len(wanted) == 0 && call.Action != nil {
		wanted = []action{*call.Action}
	}
	out := batch{Actions: []agent.Gesture{}, IncludeImage: true}
	for _, w := range wanted {
		out.Actions = append(out.Actions, actionOf(w, s))
	}
	return json.Marshal(out)
}

func actionOf(w action, s scale) agent.Gesture {
	var at *agent.Point
	if w.X != nil && w.Y != nil {
		at = s.point(*w.X, *w.Y)
	}
	held := agent.Chord(w.Keys...) // while the pointer does it; the tool refuses what it can't hold
	switch w.Type {
	case "click":
		return agent.Gesture{Action: clickOf(w.Button), Coords: at, Hotkey: held}
	case "drag":
		out := agent.Gesture{Action: "drag", Hotkey: held}
		if n := len(w.Path); n > 1 {
			out.Coords, out.To = s.point(w.Path[0].X, w.Path[0].Y), s.point(w.Path[n-1].X, w.Path[n-1].Y)
		}
		return out
	case "keypress":
		return agent.Gesture{Action: "hotkey", Hotkey: held}
	case "scroll":
		return agent.Gesture{Action: "scroll", Coords: at, Hotkey: held, Scroll: &agent.Scroll{DeltaX: w.ScrollX * s.x, DeltaY: w.ScrollY * s.y}}
	case "wait":
		return agent.Gesture{Action: "wait", Wait: &agent.Pause{Type: "ms", Value: "1000"}}
	default: // double_click, move, screenshot, type; and what there may be one day
		return agent.Gesture{Action: w.Type, Coords: at, Hotkey: held, Text: w.Text}
	}
}

func (s scale) point(x, y float64) *agent.Point {
	return &agent.Point{X: x * s.x, Y: y * s.y}
}

// clickOf names the click of a button: left, right, wheel, back or forward.
func clickOf(button string) string {
	switch button {
	case "", "left":
		return "click"
	case "right":
		return "right_click"
	case "wheel", "middle":
		return "middle_click"
	default:
		return button + "_click"
	}
}
