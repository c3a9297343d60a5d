package input

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
)

// Point holds a place in the viewport, in CSS pixels from its upper left
// corner.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

func (p Point) String() string { return fmt.Sprintf("%g,%g", p.X, p.Y) }

// Step holds one action of a person at the machine; fields that it does not
// use are zero.
type Step struct {
	Action   string // one of [Actions]
	At, To   *Point
	Selector string // in place of At
	Text     string
	Key      string // or a chord, such as Control+A
	ScrollX  float64
	ScrollY  float64
	Wait     string // ms, networkidle or selectorVisible
	For      time.Duration
	Then     *Step // a wait after it; nil: none
}

// fields says what each action takes: ! before a field that it needs.
// place is coordinates or a selector, and exactly one of them if needed.
var fields = map[string]string{
	"move": "!place", "click": "!place", "double_click": "!place", "right_click": "!place", "middle_click": "!place", "hover": "!place",
	"drag": "!to place", "type": "!text selector", "hotkey": "!hotkey selector", "scroll": "!scroll place", "wait": "!wait selector",
	"screenshot": "", "zoom": "!coords !to",
}

// forms shows how a field is written that isn't a text.
var forms = map[string]string{
	"coords": `: {"x": …, "y": …}`, "to": `: {"x": …, "y": …}`, "scroll": `: {"deltaX": …, "deltaY": …}`, "wait": `: {"type": "ms", "value": "500"}`,
}

// Actions returns the names of the actions.
func Actions() []string {
	return strings.Fields("move click double_click right_click middle_click hover drag type hotkey scroll wait screenshot zoom")
}

// Bounds on what one input may ask for.
const (
	maxTyped  = 4000    // characters
	maxScroll = 1 << 25 // CSS pixels: no document of Chromium is higher
	maxQuoted = 200     // bytes that an error quotes of what was given
)

// Check refuses a batch of which any action could not be done as it is
// written, in a viewport of that size: before the first one is done.
func Check(steps []Step, width, height int) error {
	var pauses time.Duration
	for i, in := range steps {
		err := in.check(width, height)
		if pauses += in.For; in.Then != nil {
			pauses += in.Then.For
		}
		if err == nil && pauses > rest.PauseLimit {
			err = explain.Invalid("wait for less, or in another call", "the waits take more than %d ms together", rest.PauseLimit.Milliseconds())
		}
		if err != nil {
			return inBatch(err, i, steps)
		}
	}
	return nil
}

// inBatch says in an error which input of several it is about.
func inBatch(err error, i int, steps []Step) error {
	if len(steps) == 1 {
		return err
	}
	return explain.Prefixed(pagetext.Sentencef("actions[%d] %s", i, text.Cut(steps[i].Action, maxQuoted)), err)
}

func (in Step) check(width, height int) error {
	takes, known := fields[in.Action]
	if !known {
		return explain.Invalid("use one of "+strings.Join(Actions(), ", "), "action %q is unknown%s", text.Cut(in.Action, maxQuoted), text.Hint(in.Action, Actions()))
	}
	if err := in.checkFields(strings.Fields(takes)); err != nil {
		return err
	}
	for name, p := range map[string]*Point{"coords": in.At, "to": in.To} {
		if p != nil && !(p.X >= 0 && p.Y >= 0 && p.X < float64(width) && p.Y < float64(height)) { // nor NaN
			return explain.Invalid(fmt.Sprintf("use x 0 to %d and y 0 to %d; scroll first for what lies beyond", width-1, height-1), "%s %s is outside of the viewport", name, *p)
		}
	}
	if in.Selector != "" {
		if err := CheckSelector(in.Selector); err != nil {
			return err
		}
	}
	if err := in.checkThen(width, height); err != nil {
		return err
	}
	switch in.Action {
	case "type":
		return checkTyped(in.Text)
	case "hotkey":
		return checkKey(in.Key)
	case "scroll":
		if !(math.Abs(in.ScrollX) <= maxScroll && math.Abs(in.ScrollY) <= maxScroll) {
			return explain.Invalid(fmt.Sprintf("use up to %d", maxScroll), "scroll %g,%g is too far", in.ScrollX, in.ScrollY)
		}
	case "zoom":
		if in.At.X == in.To.X || in.At.Y == in.To.Y {
			return explain.Invalid("give two opposite corners", "the region %s to %s has no area", *in.At, *in.To)
		}
	case "wait":
		return in.checkWait()
	}
	return nil
}

// checkThen refuses a wait after what changes nothing, and one that is wrong itself.
func (in Step) checkThen(width, height int) error {
	switch {
	case in.Then == nil:
		return nil
	case in.Action == "wait" || in.Action == "screenshot" || in.Action == "zoom":
		return explain.Invalid("leave it out", "%s takes no wait", in.Action)
	case in.Then.Action != "wait" || in.Then.Then != nil:
		return explain.Invalid("give type ms, networkidle or selectorVisible", "only a wait comes after an action")
	}
	return in.Then.check(width, height)
}

// checkFields refuses what the action would ignore, and asks for what it needs.
func (in Step) checkFields(takes []string) error {
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
			return explain.Invalid("leave it out", "%s takes no %s", in.Action, field)
		}
		if !given[field] && slices.Contains(takes, "!"+field) {
			return explain.Invalid("add it", "%s needs %q%s", in.Action, field, forms[field])
		}
	}
	switch place := given["coords"] || given["selector"]; {
	case slices.Contains(takes, "!place") && !place:
		return explain.Invalid("add coords {x, y}, or selector", "%s needs coords or selector", in.Action)
	case given["coords"] && given["selector"]:
		return explain.Invalid("leave one of them out", "coords and selector exclude each other")
	}
	return nil
}

func (in Step) checkWait() error {
	switch in.Wait {
	case "ms":
		if in.For <= 0 {
			return explain.Invalid("give wait.value in milliseconds", "wait.type ms needs a value")
		}
	case "networkidle":
	case "selectorVisible":
		if in.Selector == "" {
			return explain.Invalid("give wait.selector", "wait.type selectorVisible needs a selector")
		}
	default:
		return explain.Invalid("use ms, networkidle or selectorVisible", "wait.type %q is unknown", text.Cut(in.Wait, maxQuoted))
	}
	if in.Wait != "selectorVisible" && in.Selector != "" {
		return explain.Invalid("leave it out", "wait.type %s takes no selector", in.Wait)
	}
	if in.For < 0 || in.For > rest.PauseLimit {
		return explain.Invalid(fmt.Sprintf("use 1 to %d", rest.PauseLimit.Milliseconds()), "wait.value %d is out of range", in.For.Milliseconds())
	}
	return nil
}

func checkTyped(text string) error {
	if n := utf8.RuneCountInString(text); n > maxTyped {
		return explain.Invalid("use page_fill for long texts", "text has %d characters, the limit is %d", n, maxTyped)
	}
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return explain.Invalid("use hotkey for keys", "text holds the control character %U", r)
		}
	}
	return nil
}

// Op returns what a step is called in errors.
func (in Step) Op() string { return "computer_action " + in.Action }

// Place returns where a step acts, in words.
func (in Step) Place() pagetext.Sentence {
	switch {
	case in.At != nil && in.To != nil:
		return pagetext.Sentencef("at %s to %s", *in.At, *in.To)
	case in.At != nil:
		return pagetext.Sentencef("at %s", *in.At)
	}
	return explain.Quoting(in.Selector)
}

// Presses reports whether a mouse button goes down.
func (in Step) Presses() bool {
	return strings.HasSuffix(in.Action, "click") || in.Action == "drag"
}

// Pointer holds where the mouse of a session was left: at a place, or at an element.
type Pointer struct {
	mu       sync.Mutex
	at       *Point
	selector string
}

// leavesPointer reports whether a step leaves the mouse where it acts.
func (in Step) leavesPointer() bool {
	return in.Action == "move" || in.Action == "hover" || in.Presses()
}

// startsAtPointer reports whether a step is a drag that names no start.
func (in Step) startsAtPointer() bool {
	return in.Action == "drag" && in.At == nil && in.Selector == "" && in.To != nil
}

func errNoPointer() error {
	return explain.Invalid(`give coords and to, or selector and coords, or send {"action": "move"} first`, "drag has one place, and the pointer was at none before")
}

// Note keeps where a step that was done has left the mouse.
func (p *Pointer) Note(in Step) {
	if !in.leavesPointer() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at, p.selector = cmp.Or(in.To, in.At), in.Selector
	if in.To != nil {
		p.selector = ""
	}
}

// Start returns a drag that names no start as one from where the mouse was left.
func (p *Pointer) Start(in Step) (Step, error) {
	if !in.startsAtPointer() {
		return in, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if in.At, in.Selector = p.at, p.selector; in.At == nil && in.Selector == "" {
		return in, errNoPointer()
	}
	return in, nil
}

// Check refuses steps as [Check] does. A drag that names no start needs a place where the
// mouse was left, by a step before it in the batch or in the session.
func (p *Pointer) Check(steps []Step, width, height int) error {
	p.mu.Lock()
	left := p.at != nil || p.selector != ""
	p.mu.Unlock()
	for i, in := range steps {
		if in.startsAtPointer() && !left {
			return inBatch(errNoPointer(), i, steps)
		}
		left = left || in.leavesPointer()
	}
	return Check(steps, width, height)
}
