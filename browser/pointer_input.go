package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
	texts "github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wait"
)

// Operated holds the outcome of an [Input].
type Operated struct {
	Acted
	Moved  bool // another document, dialog or popup came: places that were seen before may mean something else now
	Hidden bool // it typed into a field whose content is not shown
}

// Operate does one input that [CheckInputs] accepts, but for pictures, and tells
// what it met and what that caused. Places are looked at before anything is
// pressed there, as elements are.
func (s *actions) Operate(ctx context.Context, in Input) (Operated, error) {
	if err := in.check(s.Viewport()); err != nil {
		return Operated{}, err
	}
	before := s.log.Now()
	in, err := s.fromPointer(in)
	if err != nil {
		return Operated{}, err
	}
	out, err := s.operate(ctx, in)
	if err == nil {
		s.notePointer(in)
	}
	if err == nil && in.Then != nil {
		err = s.waitAfter(ctx, in, &out)
	}
	out.Moved = out.URLFrom != "" || s.interruptedSince(before)
	return out, err
}

// pointer holds where the mouse was left: at a place, or at an element.
type pointer struct {
	mu       sync.Mutex
	at       *Point
	selector string
}

// leavesPointer reports whether an input leaves the mouse where it acts.
func (in Input) leavesPointer() bool {
	return in.Action == "move" || in.Action == "hover" || in.presses()
}

// startsAtPointer reports whether an input is a drag that names no start.
func (in Input) startsAtPointer() bool {
	return in.Action == "drag" && in.At == nil && in.Selector == "" && in.To != nil
}

func errNoPointer() error {
	return explain.Invalid(`give coords and to, or selector and coords, or send {"action": "move"} first`, "drag has one place, and the pointer was at none before")
}

// notePointer keeps where an input has left the mouse.
func (s *actions) notePointer(in Input) {
	if !in.leavesPointer() {
		return
	}
	s.pointer.mu.Lock()
	defer s.pointer.mu.Unlock()
	s.pointer.at, s.pointer.selector = cmp.Or(in.To, in.At), in.Selector
	if in.To != nil {
		s.pointer.selector = ""
	}
}

// fromPointer returns a drag that names no start as one from where the mouse was left.
func (s *actions) fromPointer(in Input) (Input, error) {
	if !in.startsAtPointer() {
		return in, nil
	}
	s.pointer.mu.Lock()
	defer s.pointer.mu.Unlock()
	if in.At, in.Selector = s.pointer.at, s.pointer.selector; in.At == nil && in.Selector == "" {
		return in, errNoPointer()
	}
	return in, nil
}

// operate does the input itself.
func (s *actions) operate(ctx context.Context, in Input) (out Operated, err error) {
	switch {
	case in.Action == "wait":
		out.Acted, err = s.waitInput(ctx, in)
	case in.Action == "type":
		out.Acted, out.Hidden, err = s.typeText(ctx, in)
	case in.Action == "hotkey":
		out.Acted, err = s.Press(ctx, in.Selector, in.Key, 0)
	case in.Selector != "" && in.Action != "drag" && in.Action != "scroll":
		out.Acted, err = s.pointAtElement(ctx, in)
	default:
		out.Acted, err = s.pointAt(ctx, in)
	}
	return out, err
}

// waitAfter waits as an input says for what comes after it, and adds what happened
// meanwhile to what the input caused.
func (s *actions) waitAfter(ctx context.Context, in Input, out *Operated) error {
	waited, err := s.waitInput(ctx, *in.Then)
	if err != nil {
		return explain.Prefixed(pagetext.Sentencef("%s was done, and the wait after it was not over in time", in.Action), err)
	}
	out.Target += "; then " + waited.Target
	e := waited.Effects
	out.Page = e.Page
	out.URLFrom = cmp.Or(out.URLFrom, e.URLFrom)
	out.Notes, out.Console = merged(out.Notes, e.Notes), append(out.Console, e.Console...)
	out.Requests, out.Pending = out.Requests+e.Requests, e.Pending
	out.Failed, out.Blocked = merged(out.Failed, e.Failed), append(out.Blocked, e.Blocked...)
	return nil
}

// merged returns a with what only b holds behind it.
func merged(a, b []pagetext.Text) []pagetext.Text {
	for _, text := range b {
		if !slices.Contains(a, text) {
			a = append(a, text)
		}
	}
	return a
}

// interruptedSince reports whether a dialog, a popup or another document came.
func (s *actions) interruptedSince(m eventlog.Mark) bool {
	return s.log.Navigates(s.current().page, m) || s.log.Noted(m, func(kind string) bool { return kind != eventlog.KindDownload })
}

// buttons are the mouse buttons by action, and how often each is pressed.
func (in Input) button() (*playwright.MouseButton, int) {
	switch in.Action {
	case "double_click":
		return playwright.MouseButtonLeft, 2
	case "right_click":
		return playwright.MouseButtonRight, 1
	case "middle_click":
		return playwright.MouseButtonMiddle, 1
	}
	return playwright.MouseButtonLeft, 1
}

// op returns what an input is called in errors.
func (in Input) op() string { return "computer_action " + in.Action }

// pointAtElement points at, or clicks, the element of a selector.
func (s *actions) pointAtElement(ctx context.Context, in Input) (Acted, error) {
	if in.Action == "hover" || in.Action == "move" {
		return s.Hover(ctx, in.Selector, 0)
	}
	button, times := in.button()
	return s.act(ctx, in.op(), in.Selector, 0, s.clicks(button, times))
}

// clicks returns the action that clicks an element, so often as one gesture.
func (s *actions) clicks(button *playwright.MouseButton, times int) action {
	click := func(l playwright.Locator, limit *float64, trial bool) error {
		return l.Click(playwright.LocatorClickOptions{Timeout: limit, Button: button, ClickCount: &times, Trial: &trial})
	}
	return action{acts: true,
		look: engineAsk{Op: "aim", Point: s.opts.Type == "chromium"},
		input: func(ctx context.Context, t *tab, at aimed, limit time.Duration) (bool, error) {
			err := inputWithin(ctx, t, limit, func() error { return clickPoint(t.page.Mouse(), *at.Point, button, times) })
			return err != nil || s.endAim(ctx, t, at) == "", err
		},
		ready: func(l playwright.Locator, limit *float64) error { return click(l, limit, true) },
		do:    func(l playwright.Locator, limit *float64) error { return click(l, limit, false) },
	}
}

// endAim ends what a look began with a point, and returns why the events since did not
// meet their element; "" where they did, or the document has gone with its element.
func (s *actions) endAim(ctx context.Context, t *tab, at aimed) (why string) {
	var missed struct{ Why string }
	_, _ = within(ctx, t, rest.LookLimit, func() (int, error) {
		return 0, askEngine(at.of.in(t.page, engineAsk{Op: "hit"}.query()), rest.LookLimit, &missed)
	})
	return missed.Why
}

// clickPoint moves the pointer to a point, and clicks there once that is painted: the page
// lets the events through only where they meet the element that was looked at, and that
// has not moved since.
func clickPoint(mouse playwright.Mouse, at Point, button *playwright.MouseButton, times int) error {
	if err := mouse.Move(at.X, at.Y); err != nil {
		return err
	}
	for i := 1; i <= times; i++ {
		if err := mouse.Down(playwright.MouseDownOptions{Button: button, ClickCount: &i}); err != nil {
			return err
		}
		if err := mouse.Up(playwright.MouseUpOptions{Button: button, ClickCount: &i}); err != nil {
			return err
		}
	}
	return nil
}

// pointAt acts at a place.
func (s *actions) pointAt(ctx context.Context, in Input) (Acted, error) {
	return on(ctx, s.livePage, in.op(), in.place(), func(ctx context.Context, t *tab) (Acted, error) {
		m, what := s.log.MarkAct(t.page), explain.Doing(in.op(), in.place())
		defer s.guard.actsFor(ctx)()
		s.log.BeginAct()
		at, err := s.placeOf(ctx, t, in)
		if err != nil {
			return Acted{}, err
		}
		mouse := t.page.Mouse()
		s.log.Touch(true)
		// The pointer goes there first: what the page then shows is what is judged.
		if err := s.useMouse(ctx, t, func() error { return mouse.Move(at.X, at.Y) }); err != nil {
			return Acted{}, err
		}
		there, err := hitTest(ctx, t, at)
		if err != nil {
			return Acted{}, err
		}
		out := Acted{Target: pagetext.Text(there.line)}
		end := func() {}
		if in.presses() {
			if end, err = s.guard.permitAction(ctx, t, there.at, what+", "+explain.Quoting(texts.Cut(there.line, maxNote))); err != nil {
				return Acted{}, err
			}
			defer func() { end() }()
		}
		switch in.Action {
		case "move", "hover":
		case "scroll":
			err = s.useMouse(ctx, t, func() error { return mouse.Wheel(in.ScrollX, in.ScrollY) })
		case "drag":
			err = s.dragTo(ctx, t, *in.To, what)
		default:
			button, times := in.button()
			err = s.useMouse(ctx, t, func() error {
				return mouse.Click(at.X, at.Y, playwright.MouseClickOptions{Button: button, ClickCount: &times})
			})
		}
		if err != nil && !s.closedItself(t) {
			return Acted{}, err
		}
		out.Effects, err = s.aftermath(ctx, t, m, what)
		return out, err
	})
}

// presses reports whether a mouse button goes down.
func (in Input) presses() bool {
	return strings.HasSuffix(in.Action, "click") || in.Action == "drag"
}

// place returns where an input acts, in words.
func (in Input) place() pagetext.Sentence {
	switch {
	case in.At != nil && in.To != nil:
		return pagetext.Sentencef("at %s to %s", *in.At, *in.To)
	case in.At != nil:
		return pagetext.Sentencef("at %s", *in.At)
	}
	return explain.Quoting(in.Selector)
}

// useMouse does one thing with the mouse, within the time of one action.
func (s *actions) useMouse(ctx context.Context, t *tab, do func() error) error {
	return inputWithin(ctx, t, s.pool.Timeout, do)
}

// inputWithin does one thing with the mouse or the keyboard.
func inputWithin(ctx context.Context, t *tab, limit time.Duration, do func() error) error {
	_, err := within(ctx, t, limit, func() (struct{}, error) { return struct{}{}, do() })
	return err
}

// dragTo holds the button down on the way to a place. What is there is judged
// too: a button that is let go where it went down is a click.
func (s *actions) dragTo(ctx context.Context, t *tab, to Point, what pagetext.Sentence) error {
	there, err := hitTest(ctx, t, to)
	if err != nil {
		return err
	}
	end, err := s.guard.permitAction(ctx, t, there.at, what+", "+explain.Quoting(texts.Cut(there.line, maxNote)))
	if err != nil {
		return err
	}
	defer end()
	mouse := t.page.Mouse()
	if err := s.useMouse(ctx, t, func() error { return mouse.Down() }); err != nil {
		return err
	}
	err = s.useMouse(ctx, t, func() error { return mouse.Move(to.X, to.Y, playwright.MouseMoveOptions{Steps: playwright.Int(10)}) })
	after, cancel := s.cleanUp(s.pool.Timeout)
	defer cancel()
	return errors.Join(err, s.useMouse(after, t, func() error { return mouse.Up() }))
}

// placeOf returns the point of an input: its own, the middle of its element once
// that is in view, or the middle of the viewport.
func (s *actions) placeOf(ctx context.Context, t *tab, in Input) (Point, error) {
	v := s.Viewport()
	switch {
	case in.At != nil:
		return *in.At, nil
	case in.Selector == "":
		return Point{float64(v.Width) / 2, float64(v.Height) / 2}, nil
	}
	target, err := parseSelector(in.Selector)
	if err != nil {
		return Point{}, err
	}
	l := target.locator(t.page)
	if err := inPieces(ctx, min(s.pool.Waits.Absent, s.pool.Timeout), func(limit *float64) error {
		return l.ScrollIntoViewIfNeeded(playwright.LocatorScrollIntoViewIfNeededOptions{Timeout: limit})
	}, absentIn(ctx, s.livePage, t, target)); err != nil {
		return Point{}, whyNot(ctx, t, target, in.op(), err)
	}
	box, err := l.BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: left(ctx, rest.LookLimit)})
	if err != nil || box == nil {
		return Point{}, whyNot(ctx, t, target, in.op(), errors.Join(errors.New("the element has no box"), err))
	}
	// Of an element that is larger than the viewport, the part in view.
	x0, x1 := max(box.X, 0), min(box.X+box.Width, float64(v.Width))
	y0, y1 := max(box.Y, 0), min(box.Y+box.Height, float64(v.Height))
	return Point{(x0 + x1) / 2, (y0 + y1) / 2}, nil
}

// waitInput waits as an input says, and tells what happened meanwhile.
func (s *actions) waitInput(ctx context.Context, in Input) (Acted, error) {
	if in.Wait == "selectorVisible" {
		waited, err := s.waiter.WaitFor(ctx, in.Selector, "visible", in.For)
		if err != nil {
			return Acted{}, err
		}
		state, err := s.State(ctx)
		return Acted{Target: pagetext.Sprintf("%s is visible after %d ms", in.Selector, waited.Milliseconds()), Effects: Effects{Page: state}}, err
	}
	return on(ctx, s.livePage, in.op(), pagetext.Sentencef("%s", in.Wait), func(ctx context.Context, t *tab) (Acted, error) {
		m, start := s.log.MarkAct(t.page), s.pool.Now()
		var err error
		if in.Wait == "ms" {
			err = wait.For(ctx, in.For)
		} else {
			err = s.awaitIdle(ctx, t, in.For)
		}
		if err != nil {
			return Acted{}, err
		}
		e, err := s.outcome(ctx, t, m, nil)
		return Acted{Target: pagetext.Sprintf("%s after %d ms", in.Wait, s.pool.Now().Sub(start).Milliseconds()), Effects: e}, err
	})
}

// Point holds a place in the viewport, in CSS pixels from its upper left
// corner.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

func (p Point) String() string { return fmt.Sprintf("%g,%g", p.X, p.Y) }

// Area holds a part of the viewport, in CSS pixels.
type Area struct{ X, Y, Width, Height float64 }

func (a Area) String() string { return fmt.Sprintf("%g,%g, %g×%g", a.X, a.Y, a.Width, a.Height) }

// isShown reports whether the area has pixels, all of them in the viewport.
func (a Area) isShown(v Viewport) bool {
	return a.X >= 0 && a.Y >= 0 && a.Width > 0 && a.Height > 0 && a.X+a.Width <= float64(v.Width) && a.Y+a.Height <= float64(v.Height) // nor NaN
}

func (a *Area) rect() *playwright.Rect {
	if a == nil {
		return nil
	}
	return &playwright.Rect{X: a.X, Y: a.Y, Width: a.Width, Height: a.Height}
}

// scale returns whether pixels are CSS pixels or the device's.
func (o ShotOptions) scale() *playwright.ScreenshotScale {
	if o.CSS {
		return playwright.ScreenshotScaleCss
	}
	return nil
}

// Input holds one action of a person at the machine; fields that it does not
// use are zero.
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
	Then     *Input // a wait after it; nil: none
}

// inputFields says what each action takes: ! before a field that it needs.
// place is coordinates or a selector, and exactly one of them if needed.
var inputFields = map[string]string{
	"move": "!place", "click": "!place", "double_click": "!place", "right_click": "!place", "middle_click": "!place", "hover": "!place",
	"drag": "!to place", "type": "!text selector", "hotkey": "!hotkey selector", "scroll": "!scroll place", "wait": "!wait selector",
	"screenshot": "", "zoom": "!coords !to",
}

// inputForms shows how a field is written that isn't a text.
var inputForms = map[string]string{
	"coords": `: {"x": …, "y": …}`, "to": `: {"x": …, "y": …}`, "scroll": `: {"deltaX": …, "deltaY": …}`, "wait": `: {"type": "ms", "value": "500"}`,
}

// Inputs returns the actions that [Session.Operate] and its callers know.
func Inputs() []string {
	return strings.Fields("move click double_click right_click middle_click hover drag type hotkey scroll wait screenshot zoom")
}

// Bounds on what one input may ask for.
const (
	maxTyped  = 4000    // characters
	maxScroll = 1 << 25 // CSS pixels: no document of Chromium is higher
)

// CheckInputs refuses inputs of which any could not be done as it is written; see
// [CheckInputs]. A drag that names no start needs a place where the mouse was left, by an
// input before it in the batch or in the session.
func (s *actions) CheckInputs(inputs []Input) error {
	s.pointer.mu.Lock()
	left := s.pointer.at != nil || s.pointer.selector != ""
	s.pointer.mu.Unlock()
	for i, in := range inputs {
		if in.startsAtPointer() && !left {
			return inBatch(errNoPointer(), i, inputs)
		}
		left = left || in.leavesPointer()
	}
	return CheckInputs(inputs, s.Viewport())
}

// CheckInputs refuses a batch of which any action could not be done as it is
// written: before the first one is done.
func CheckInputs(inputs []Input, v Viewport) error {
	var pauses time.Duration
	for i, in := range inputs {
		err := in.check(v)
		if pauses += in.For; in.Then != nil {
			pauses += in.Then.For
		}
		if err == nil && pauses > rest.PauseLimit {
			err = explain.Invalid("wait for less, or in another call", "the waits take more than %d ms together", rest.PauseLimit.Milliseconds())
		}
		if err != nil {
			return inBatch(err, i, inputs)
		}
	}
	return nil
}

// inBatch says in an error which input of several it is about.
func inBatch(err error, i int, inputs []Input) error {
	if len(inputs) == 1 {
		return err
	}
	return explain.Prefixed(pagetext.Sentencef("actions[%d] %s", i, texts.Cut(inputs[i].Action, maxNote)), err)
}

func (in Input) check(v Viewport) error {
	takes, known := inputFields[in.Action]
	if !known {
		return explain.Invalid("use one of "+strings.Join(Inputs(), ", "), "action %q is unknown%s", texts.Cut(in.Action, maxNote), texts.Hint(in.Action, Inputs()))
	}
	if err := in.checkFields(strings.Fields(takes)); err != nil {
		return err
	}
	for name, p := range map[string]*Point{"coords": in.At, "to": in.To} {
		if p != nil && !(p.X >= 0 && p.Y >= 0 && p.X < float64(v.Width) && p.Y < float64(v.Height)) { // nor NaN
			return explain.Invalid(fmt.Sprintf("use x 0 to %d and y 0 to %d; scroll first for what lies beyond", v.Width-1, v.Height-1), "%s %s is outside of the viewport", name, *p)
		}
	}
	if in.Selector != "" {
		if err := CheckSelector(in.Selector); err != nil {
			return err
		}
	}
	if err := in.checkThen(v); err != nil {
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
func (in Input) checkThen(v Viewport) error {
	switch {
	case in.Then == nil:
		return nil
	case in.Action == "wait" || in.Action == "screenshot" || in.Action == "zoom":
		return explain.Invalid("leave it out", "%s takes no wait", in.Action)
	case in.Then.Action != "wait" || in.Then.Then != nil:
		return explain.Invalid("give type ms, networkidle or selectorVisible", "only a wait comes after an action")
	}
	return in.Then.check(v)
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
			return explain.Invalid("leave it out", "%s takes no %s", in.Action, field)
		}
		if !given[field] && slices.Contains(takes, "!"+field) {
			return explain.Invalid("add it", "%s needs %q%s", in.Action, field, inputForms[field])
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

func (in Input) checkWait() error {
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
		return explain.Invalid("use ms, networkidle or selectorVisible", "wait.type %q is unknown", texts.Cut(in.Wait, maxNote))
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
