package tools

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/schema"
	"github.com/assay-qa/assay/tools/tool"
	"github.com/assay-qa/assay/tools/workspace"
	"github.com/assay-qa/assay/visual"
)

// maxActions bounds one batch.
const maxActions = 20

type computerInput struct {
	tool.OnSession
	computerStep
	Actions []computerStep `json:"actions,omitempty"`
	tool.Shows
}

// computerStep holds one action as a caller writes it.
type computerStep struct {
	Action   string          `json:"action,omitempty"`
	Coords   *input.Point    `json:"coords,omitempty" jsonschema:"CSS pixels"`
	To       *input.Point    `json:"to,omitempty" jsonschema:"of drag, zoom"`
	Selector string          `json:"selector,omitempty"`
	Text     string          `json:"text,omitempty"`
	Hotkey   string          `json:"hotkey,omitempty"`
	Scroll   *computerScroll `json:"scroll,omitempty"`
	Wait     *computerWait   `json:"wait,omitempty" jsonschema:"after the action"`
}

type computerScroll struct {
	DeltaX float64 `json:"deltaX,omitempty"`
	DeltaY float64 `json:"deltaY,omitempty"`
}

type computerWait struct {
	Type     string `json:"type"`
	Value    string `json:"value,omitempty"` // a number is taken too, see ScalarsToText
	Selector string `json:"selector,omitempty"`
}

type computerOutput struct {
	tool.Shown
	Done          int                    `json:"done"`
	Dropped       int                    `json:"dropped" jsonschema:"actions that were not done, because the page changed"`
	Viewport      browser.Viewport       `json:"viewport"`
	ConsoleEvents []computerConsoleEvent `json:"consoleEvents" jsonschema:"since the call began"`
	NetworkEvents []computerNetworkEvent `json:"networkEvents" jsonschema:"since the call began"`
	Changes       []pagetext.Text        `json:"changes,omitempty" jsonschema:"outline lines that came (+), went (-) or changed (~) since before the first act"`
	Omitted       int                    `json:"omitted,omitempty" jsonschema:"older events that the logs still hold"`
}

type computerConsoleEvent struct {
	Level     string        `json:"level"`
	Text      pagetext.Text `json:"text"`
	Timestamp time.Time     `json:"timestamp"`
}

type computerNetworkEvent struct {
	RequestID string    `json:"requestId"`
	URL       string    `json:"url"`
	Status    int       `json:"status"`
	Timestamp time.Time `json:"timestamp"`
}

func computerAction(ws *workspace.Workspace) tool.Tool {
	return tool.Define(ws, tool.Spec{
		Name: "computer_action", Set: tool.Core, Destructive: true, Plain: []string{"coords", "to", "scroll", "wait"}, Loose: []string{"actions"},
		Enums:       map[string][]string{"action": input.Actions(), "wait.type": {"ms", "networkidle", "selectorVisible"}},
		Unlisted:    []string{"actions"},
		Description: "Act by place and key, then show the viewport (1366×768 in its own session). A batch, actions: up to 20 objects, is checked first and ends when the page changes.",
	}, func(ctx context.Context, c *tool.Call, in computerInput) (computerOutput, error) {
		c.Hidden = []string{"text", "actions"} // until it is known where what is typed goes
		inputs, err := in.inputs()
		if err != nil {
			return computerOutput{}, err
		}
		c.Defaults = ws.ComputerStart()
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return computerOutput{}, err
		}
		v := s.Viewport()
		if err := s.CheckInputs(inputs); err != nil {
			return computerOutput{}, err
		}
		out := computerOutput{Viewport: v}
		shown, err := operate(ctx, c, s, inputs, &out)
		if err != nil {
			return out, err
		}
		if !shown {
			if err := c.PictureOf(ctx, "computer", browser.ShotOptions{CSS: true}); err != nil {
				return out, err
			}
		}
		out.since(s, c.Started)
		if c.Shot == nil {
			return out, nil
		}
		return out, pixels(c, v, in.IncludeImage)
	})
}

// operate does the inputs, until one changes the page. shown tells that the last
// one took a picture.
func operate(ctx context.Context, c *tool.Call, s *browser.Session, inputs []input.Step, out *computerOutput) (shown bool, err error) {
	var effects browser.Effects
	hidden, acted := false, false
	changing := slices.ContainsFunc(inputs, func(in input.Step) bool { return !slices.Contains(looking, in.Action) || in.Action == "hover" })
	if changing {
		c.LookBefore(ctx, s, "")
	}
	for i, in := range inputs {
		c.Progress(fmt.Sprintf("%d of %d: %s", i+1, len(inputs), in.Action))
		var o browser.Operated
		shown = in.Action == "screenshot" || in.Action == "zoom"
		if shown {
			err = show(ctx, c, in)
		} else {
			if c.ShotBefore == nil && !slices.Contains(looking, in.Action) {
				c.ScreenshotBefore(ctx, s, in.Action)
			}
			if err = c.IdentifyInput(ctx, s, i, in); err == nil {
				err = c.UnlessLapsed(ctx, s, false, func() (err error) { o, err = s.Operate(ctx, in); return err })
			}
			hidden = hidden || o.Hidden
		}
		if err != nil {
			return shown, notAll(err, i, inputs)
		}
		out.Done++
		if !shown {
			c.Quote("%s: %s", in.Action, engine.OneLine(o.Target))
			effects, acted = o.Effects, true
		}
		if o.Moved && i+1 < len(inputs) {
			out.Dropped = len(inputs) - i - 1
			c.Say("the page changed at action %d, %s: the %d after it were not done; look before you go on", i+1, in.Action, out.Dropped)
			break
		}
	}
	if !hidden {
		c.Hidden = nil
	}
	if acted {
		c.SayEffects(effects)
	}
	if acted && changing {
		out.Changes = c.SayChanges(ctx, s, "")
	}
	c.Say("%d of %d actions done", out.Done, len(inputs))
	return shown, nil
}

// notAll says in an error which action of several it was.
func notAll(err error, i int, inputs []input.Step) error {
	if len(inputs) == 1 {
		return err
	}
	e := *engine.AsError("computer_action", err)
	e.Message = pagetext.Sentencef("action %d of %d: %s; %d were done before it, %d after it were not", i+1, len(inputs), e.Message, i, len(inputs)-i-1)
	return &e
}

// show takes the picture that an input asks for.
func show(ctx context.Context, c *tool.Call, in input.Step) error {
	if in.Action == "screenshot" {
		return c.Shoot(ctx, "computer", browser.ShotOptions{CSS: true})
	}
	area := browser.Area{X: min(in.At.X, in.To.X), Y: min(in.At.Y, in.To.Y), Width: math.Abs(in.At.X - in.To.X), Height: math.Abs(in.At.Y - in.To.Y)}
	c.Say("zoom: %g,%g to %g,%g", area.X, area.Y, area.X+area.Width, area.Y+area.Height)
	return c.Shoot(ctx, "zoom", browser.ShotOptions{Clip: &area})
}

// pixels says how the picture's pixels relate to coords, and attaches it when
// it is wanted.
func pixels(c *tool.Call, v browser.Viewport, attach bool) error {
	c.Say("viewport %d×%d, device pixel ratio %g; the stored picture has %d×%d pixels", v.Width, v.Height, v.DPR, c.Shot.Width, c.Shot.Height)
	if !attach {
		return nil
	}
	if err := c.AttachPicture(); err != nil {
		return err
	}
	w, h, err := visual.Size(c.Image)
	if err == nil && (w != c.Shot.Width || h != c.Shot.Height) {
		c.Say("the attached one is scaled to %d×%d: multiply its coordinates by %.3f", w, h, float64(c.Shot.Width)/float64(w))
	}
	return err
}

// inputs returns the actions of a call, one or a batch.
func (in computerInput) inputs() ([]input.Step, error) {
	steps, single := in.Actions, in.computerStep != computerStep{}
	switch {
	case single && steps != nil:
		return nil, engine.InvalidInput("put all into actions, or leave actions out", "action and its fields exclude actions")
	case single:
		steps = []computerStep{in.computerStep}
	case len(steps) == 0:
		return nil, engine.InvalidInput(`such as action "click" and coords {"x": 10, "y": 20}`, "argument %q is missing", "action")
	case len(steps) > maxActions:
		return nil, engine.InvalidInput("send the rest in another call", "actions has %d, the limit is %d", len(steps), maxActions)
	}
	out := make([]input.Step, len(steps))
	for i, step := range steps {
		var err error
		if out[i], err = step.input(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s computerStep) input() (input.Step, error) {
	in := input.Step{Action: s.Action, At: s.Coords, To: s.To, Selector: s.Selector, Text: s.Text, Key: s.Hotkey}
	if s.Action == "drag" && s.To == nil { // as the specification writes it: coords are where it ends
		in.At, in.To = nil, s.Coords
	}
	if s.Scroll != nil {
		in.ScrollX, in.ScrollY = s.Scroll.DeltaX, s.Scroll.DeltaY
	}
	if s.Wait == nil {
		return in, nil
	}
	wait, err := s.Wait.input()
	if err != nil || s.Action != "wait" {
		in.Then = &wait
		return in, err
	}
	if in.Selector != "" && wait.Selector != "" {
		return in, engine.InvalidInput("give it in wait only", "selector is given twice")
	}
	in.Wait, in.For, in.Selector = wait.Wait, wait.For, cmp.Or(wait.Selector, in.Selector)
	return in, nil
}

// input returns a wait as an action of its own.
func (w computerWait) input() (input.Step, error) {
	in := input.Step{Action: "wait", Wait: w.Type, Selector: w.Selector}
	if w.Value != "" {
		ms, err := strconv.Atoi(w.Value)
		if err != nil || ms < 1 || ms > schema.MaxTimeoutMS {
			return in, engine.InvalidInput("give whole milliseconds, up to 30000", "wait.value %q is out of range", w.Value)
		}
		in.For = schema.Millis(ms).Duration()
	}
	return in, nil
}

// since fills in what the session's pages said and sent since the call began.
func (out *computerOutput) since(s *browser.Session, began time.Time) {
	out.ConsoleEvents, out.NetworkEvents = []computerConsoleEvent{}, []computerNetworkEvent{}
	if logs, err := s.Console("", began, defaultLogLimit); err == nil { // no level is always good
		out.Omitted = logs.Matched - len(logs.Entries)
		for _, e := range logs.Entries {
			out.ConsoleEvents = append(out.ConsoleEvents, computerConsoleEvent{e.Level, e.Text, e.Time})
		}
	}
	sent := s.Network("", 0, began, defaultLogLimit)
	out.Omitted += sent.Matched - len(sent.Events)
	for _, e := range sent.Events {
		out.NetworkEvents = append(out.NetworkEvents, computerNetworkEvent{e.RequestID, e.URL, e.Status, e.Start})
	}
}

// looking lists the actions of computer_action that leave the page as it is.
var looking = []string{"move", "hover", "scroll", "wait", "screenshot", "zoom"}
