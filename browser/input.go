package browser

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/nearest"
)

// Point is a place in the viewport, in CSS pixels from its upper left corner.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

func (p Point) String() string { return fmt.Sprintf("%g,%g", p.X, p.Y) }

// Area is a part of the viewport, in CSS pixels.
type Area struct{ X, Y, Width, Height float64 }

func (a *Area) rect() *playwright.Rect {
	if a == nil {
		return nil
	}
	return &playwright.Rect{X: a.X, Y: a.Y, Width: a.Width, Height: a.Height}
}

// scale tells Playwright to make CSS pixels of the device's.
func (o ShotOptions) scale() *playwright.ScreenshotScale {
	if o.CSS {
		return playwright.ScreenshotScaleCss
	}
	return nil
}

// Input is one action of a person at the machine; what it does not use is left
// at its zero value.
type Input struct {
	Action   string // one of Inputs
	At, To   *Point
	Selector string // in place of At
	Text     string
	Key      string // or a chord, such as Control+A
	ScrollX  float64
	ScrollY  float64
	Wait     string // ms, networkidle or selectorVisible
	For      time.Duration
}

// inputFields says what each action takes: ! before a field that it needs.
// place is coordinates or a selector, and exactly one of them if needed.
var inputFields = map[string]string{
	"move": "!place", "click": "!place", "double_click": "!place", "right_click": "!place", "middle_click": "!place", "hover": "!place",
	"drag": "!place !to", "type": "!text selector", "hotkey": "!hotkey selector", "scroll": "!scroll place", "wait": "!wait selector",
	"screenshot": "", "zoom": "!coords !to",
}

// Inputs returns the actions that [Session.Operate] and its callers know.
func Inputs() []string {
	return strings.Fields("move click double_click right_click middle_click hover drag type hotkey scroll wait screenshot zoom")
}

// Bounds on what one input may ask for.
const (
	maxTyped  = 4000             // characters
	maxScroll = 100_000          // CSS pixels
	maxPause  = 30 * time.Second // of all waits together, so that the call can answer
)

// Viewport describes what a session shows of a page.
type Viewport struct {
	Width  int     `json:"width"`
	Height int     `json:"height"`
	DPR    float64 `json:"dpr" jsonschema:"device pixels of a CSS pixel"`
}

// Viewport returns the size of the session's pages.
func (s *livePage) Viewport() Viewport {
	return Viewport{Width: s.opts.Width, Height: s.opts.Height, DPR: s.scale}
}

// CheckInputs refuses a batch of which any action could not be done as it is
// written: before the first one is done.
func CheckInputs(inputs []Input, v Viewport) error {
	var pauses time.Duration
	for i, in := range inputs {
		err := in.check(v)
		if pauses += in.For; err == nil && pauses > maxPause {
			err = invalid("wait for less, or in another call", "the waits take more than %d ms together", maxPause.Milliseconds())
		}
		if err != nil && len(inputs) > 1 {
			return prefixed(fmt.Sprintf("actions[%d] %s", i, cut(in.Action, maxNote)), err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (in Input) check(v Viewport) error {
	takes, known := inputFields[in.Action]
	if !known {
		return invalid("use one of "+strings.Join(Inputs(), ", "), "action %q is unknown%s", cut(in.Action, maxNote), nearest.Hint(in.Action, Inputs()))
	}
	if err := in.checkFields(strings.Fields(takes)); err != nil {
		return err
	}
	for name, p := range map[string]*Point{"coords": in.At, "to": in.To} {
		if p != nil && !(p.X >= 0 && p.Y >= 0 && p.X < float64(v.Width) && p.Y < float64(v.Height)) { // nor NaN
			return invalid(fmt.Sprintf("use x 0 to %d and y 0 to %d; scroll first for what lies beyond", v.Width-1, v.Height-1), "%s %s is outside of the viewport", name, *p)
		}
	}
	if in.Selector != "" {
		if err := CheckSelector(in.Selector); err != nil {
			return err
		}
	}
	switch in.Action {
	case "type":
		return checkTyped(in.Text)
	case "hotkey":
		return checkKey(in.Key)
	case "scroll":
		if !(math.Abs(in.ScrollX) <= maxScroll && math.Abs(in.ScrollY) <= maxScroll) {
			return invalid(fmt.Sprintf("use up to %d", maxScroll), "scroll %g,%g is too far", in.ScrollX, in.ScrollY)
		}
	case "zoom":
		if in.At.X == in.To.X || in.At.Y == in.To.Y {
			return invalid("give two opposite corners", "the region %s to %s has no area", *in.At, *in.To)
		}
	case "wait":
		return in.checkWait()
	}
	return nil
}

// checkFields refuses what the action would ignore, and asks for what it needs.
func (in Input) checkFields(takes []string) error {
	given := map[string]bool{"coords": in.At != nil, "to": in.To != nil, "selector": in.Selector != "", "text": in.Text != "",
		"hotkey": in.Key != "", "scroll": in.ScrollX != 0 || in.ScrollY != 0, "wait": in.Wait != ""}
	may := func(field string) bool {
		return slices.ContainsFunc(takes, func(f string) bool {
			f = strings.TrimPrefix(f, "!")
			return f == field || f == "place" && (field == "coords" || field == "selector")
		})
	}
	for _, field := range []string{"coords", "to", "selector", "text", "hotkey", "scroll", "wait"} {
		if given[field] && !may(field) {
			return invalid("leave it out", "%s takes no %s", in.Action, field)
		}
		if !given[field] && slices.Contains(takes, "!"+field) {
			return invalid("add it", "%s needs %s", in.Action, field)
		}
	}
	switch place := given["coords"] || given["selector"]; {
	case slices.Contains(takes, "!place") && !place:
		return invalid("add coords {x, y}, or selector", "%s needs coords or selector", in.Action)
	case given["coords"] && given["selector"]:
		return invalid("leave one of them out", "coords and selector exclude each other")
	}
	return nil
}

func (in Input) checkWait() error {
	switch in.Wait {
	case "ms":
		if in.For <= 0 {
			return invalid("give wait.value in milliseconds", "wait.type ms needs a value")
		}
	case "networkidle":
	case "selectorVisible":
		if in.Selector == "" {
			return invalid("give wait.selector", "wait.type selectorVisible needs a selector")
		}
	default:
		return invalid("use ms, networkidle or selectorVisible", "wait.type %q is unknown", cut(in.Wait, maxNote))
	}
	if in.Wait != "selectorVisible" && in.Selector != "" {
		return invalid("leave it out", "wait.type %s takes no selector", in.Wait)
	}
	if in.For < 0 || in.For > maxPause {
		return invalid(fmt.Sprintf("use 1 to %d", maxPause.Milliseconds()), "wait.value %d is out of range", in.For.Milliseconds())
	}
	return nil
}

func checkTyped(text string) error {
	if n := utf8.RuneCountInString(text); n > maxTyped {
		return invalid("use page_fill for long texts", "text has %d characters, the limit is %d", n, maxTyped)
	}
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return invalid("use hotkey for keys", "text holds the control character %U", r)
		}
	}
	return nil
}
