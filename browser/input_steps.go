package browser

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/act"
	"github.com/assay-qa/assay/browser/eventlog"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/internal/pagetext"
	texts "github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wait"
)

// Operated holds the outcome of an [input.Step].
type Operated struct {
	Acted
	Moved  bool // another document, dialog or popup came: places that were seen before may mean something else now
	Hidden bool // it typed into a field whose content is not shown
}

// Operate does one step that [input.Check] accepts, but for pictures, and tells
// what it met and what that caused. Places are looked at before anything is
// pressed there, as elements are.
func (s *actions) Operate(ctx context.Context, in input.Step) (Operated, error) {
	v := s.Viewport()
	if err := input.Check([]input.Step{in}, v.Width, v.Height); err != nil {
		return Operated{}, err
	}
	before := s.log.Now()
	in, err := s.pointer.Start(in)
	if err != nil {
		return Operated{}, err
	}
	out, err := s.operate(ctx, in)
	if err == nil {
		s.pointer.Note(in)
	}
	if err == nil && in.Then != nil {
		err = s.waitAfter(ctx, in, &out)
	}
	out.Moved = out.URLFrom != "" || s.interruptedSince(before)
	return out, err
}

// CheckInputs refuses steps of which any could not be done as it is written; see
// [input.Pointer.Check].
func (s *actions) CheckInputs(steps []input.Step) error {
	v := s.Viewport()
	return s.pointer.Check(steps, v.Width, v.Height)
}

// operate does the input itself.
func (s *actions) operate(ctx context.Context, in input.Step) (out Operated, err error) {
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
func (s *actions) waitAfter(ctx context.Context, in input.Step, out *Operated) error {
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
func button(in input.Step) (*playwright.MouseButton, int) {
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

// pointAtElement points at, or clicks, the element of a selector.
func (s *actions) pointAtElement(ctx context.Context, in input.Step) (Acted, error) {
	if in.Action == "hover" || in.Action == "move" {
		return s.Hover(ctx, in.Selector, 0)
	}
	button, times := button(in)
	return s.act(ctx, in.Op(), in.Selector, 0, s.clicks(button, times))
}

// clicks returns the act that clicks an element, so often as one gesture.
func (s *actions) clicks(button *playwright.MouseButton, times int) func(*actedElement) act.Act {
	return func(e *actedElement) act.Act {
		click := func(limit time.Duration, trial bool) error {
			return e.at().Click(playwright.LocatorClickOptions{Timeout: inMilliseconds(limit), Button: button, ClickCount: &times, Trial: &trial, Force: &e.force})
		}
		return act.Act{Activates: true,
			Ask: act.Question{Op: act.TakeAim, Point: s.opts.Type == "chromium"},
			Input: func(ctx context.Context, at act.Aim, limit time.Duration) (bool, error) {
				err := e.atOnce(ctx, limit, func() error { return clickPoint(e.tab.page.Mouse(), *at.Point, button, times) })
				return err != nil || e.EndAim(ctx) == "", err
			},
			Ready: func(limit time.Duration) error { return click(limit, true) },
			Do:    func(limit time.Duration) error { return click(limit, false) },
		}
	}
}

// clickPoint moves the pointer to a point, and clicks there once that is painted: the page
// lets the events through only where they meet the element that was looked at, and that
// has not moved since.
func clickPoint(mouse playwright.Mouse, at input.Point, button *playwright.MouseButton, times int) error {
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
func (s *actions) pointAt(ctx context.Context, in input.Step) (Acted, error) {
	return on(ctx, s.livePage, in.Op(), in.Place(), func(ctx context.Context, t *tab) (Acted, error) {
		m, what := s.log.MarkAct(t.page), explain.Doing(in.Op(), in.Place())
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
		if in.Presses() {
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
			button, times := button(in)
			err = s.useMouse(ctx, t, func() error {
				return mouse.Click(at.X, at.Y, playwright.MouseClickOptions{Button: button, ClickCount: &times})
			})
		}
		if err != nil && !s.closedItself(t) {
			return Acted{}, err
		}
		out.Effects, err = s.aftermath(ctx, t, m, what, in.Presses())
		return out, err
	})
}

// useMouse does one thing with the mouse, within the time of one action.
func (s *actions) useMouse(ctx context.Context, t *tab, do func() error) error {
	return inputWithin(ctx, t, s.pool.Timeout, do)
}

// dragTo holds the button down on the way to a place. What is there is judged
// too: a button that is let go where it went down is a click.
func (s *actions) dragTo(ctx context.Context, t *tab, to input.Point, what pagetext.Sentence) error {
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

// Drag drags the element of one selector onto that of another, as a person does: the button goes down
// on the one, and up on the other. Both must fit into the viewport at once.
func (s *actions) Drag(ctx context.Context, selector, to string, timeout time.Duration) (Acted, error) {
	onto, err := parseSelector(to)
	if err != nil {
		return Acted{}, err
	}
	return s.act(ctx, "page_drag", selector, timeout, func(e *actedElement) act.Act {
		return act.Act{Activates: true,
			Ready: func(limit time.Duration) error {
				return e.at().Hover(playwright.LocatorHoverOptions{Timeout: inMilliseconds(limit), Trial: playwright.Bool(true)})
			},
			Do: func(limit time.Duration) error { return s.dragElement(ctx, e, onto, limit) },
		}
	})
}

// dragElement drags an element onto another, once both are in view and in reach of the pointer.
func (s *actions) dragElement(ctx context.Context, e *actedElement, onto target, limit time.Duration) error {
	deadline := s.pool.Now().Add(limit)
	there := onto.locator(e.tab.page)
	reach := func(l playwright.Locator) (input.Point, error) {
		left := max(deadline.Sub(s.pool.Now()), rest.SettlePoll)
		if err := l.Hover(playwright.LocatorHoverOptions{Timeout: inMilliseconds(left), Trial: playwright.Bool(true)}); err != nil {
			return input.Point{}, err
		}
		return middleOf(l, left)
	}
	if _, err := reach(there); err != nil {
		return whyNot(ctx, e.tab, onto, "page_drag", err)
	}
	from, err := reach(e.at())
	if err != nil {
		return err
	}
	to, err := reach(there) // where that scrolled, the one to be dragged has gone from its place
	if err != nil {
		return whyNot(ctx, e.tab, onto, "page_drag", err)
	}
	if now, err := middleOf(e.at(), limit); err != nil || now != from {
		return errors.Join(err, explain.OutOfReach(onto.quoted()))
	}
	if err := s.useMouse(ctx, e.tab, func() error { return e.tab.page.Mouse().Move(from.X, from.Y) }); err != nil {
		return err
	}
	return s.dragTo(ctx, e.tab, to, e.what)
}

// middleOf returns the middle of an element's box.
func middleOf(l playwright.Locator, limit time.Duration) (input.Point, error) {
	box, err := l.BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: inMilliseconds(limit)})
	if err != nil || box == nil {
		return input.Point{}, errors.Join(errors.New("the element has no box"), err)
	}
	return input.Point{X: box.X + box.Width/2, Y: box.Y + box.Height/2}, nil
}

// placeOf returns the point of an input: its own, the middle of its element once
// that is in view, or the middle of the viewport.
func (s *actions) placeOf(ctx context.Context, t *tab, in input.Step) (input.Point, error) {
	v := s.Viewport()
	switch {
	case in.At != nil:
		return *in.At, nil
	case in.Selector == "":
		return input.Point{X: float64(v.Width) / 2, Y: float64(v.Height) / 2}, nil
	}
	target, err := parseSelector(in.Selector)
	if err != nil {
		return input.Point{}, err
	}
	l := target.locator(t.page)
	if err := inPieces(ctx, min(s.pool.Waits.Absent, s.pool.Timeout), func(limit *float64) error {
		return l.ScrollIntoViewIfNeeded(playwright.LocatorScrollIntoViewIfNeededOptions{Timeout: limit})
	}, absentIn(ctx, s.livePage, t, target)); err != nil {
		return input.Point{}, whyNot(ctx, t, target, in.Op(), err)
	}
	box, err := l.BoundingBox(playwright.LocatorBoundingBoxOptions{Timeout: left(ctx, rest.LookLimit)})
	if err != nil || box == nil {
		return input.Point{}, whyNot(ctx, t, target, in.Op(), errors.Join(errors.New("the element has no box"), err))
	}
	// Of an element that is larger than the viewport, the part in view.
	x0, x1 := max(box.X, 0), min(box.X+box.Width, float64(v.Width))
	y0, y1 := max(box.Y, 0), min(box.Y+box.Height, float64(v.Height))
	return input.Point{X: (x0 + x1) / 2, Y: (y0 + y1) / 2}, nil
}

// waitInput waits as an input says, and tells what happened meanwhile.
func (s *actions) waitInput(ctx context.Context, in input.Step) (Acted, error) {
	if in.Wait == "selectorVisible" {
		waited, err := s.waiter.WaitFor(ctx, in.Selector, "visible", in.For)
		if err != nil {
			return Acted{}, err
		}
		state, err := s.State(ctx)
		return Acted{Target: pagetext.Sprintf("%s is visible after %d ms", in.Selector, waited.Milliseconds()), Effects: Effects{Page: state}}, err
	}
	return on(ctx, s.livePage, in.Op(), pagetext.Sentencef("%s", in.Wait), func(ctx context.Context, t *tab) (Acted, error) {
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

// typeText types into what has the focus, or into the element of a selector,
// key by key. Enter, and a space where it presses a button, are judged as such.
func (s *actions) typeText(ctx context.Context, in input.Step) (acted Acted, hidden bool, err error) {
	if in.Selector != "" {
		if _, err := s.focusOn(ctx, in); err != nil {
			return Acted{}, true, err
		}
	}
	hidden = true
	acted, err = on(ctx, s.livePage, in.Op(), explain.Quoting(in.Selector), func(ctx context.Context, t *tab) (Acted, error) {
		m, what := s.log.MarkAct(t.page), explain.Doing(in.Op(), explain.Quoting(in.Selector))
		defer s.guard.actsFor(ctx)()
		s.log.BeginAct()
		there, err := focusedElement(ctx, t, false)
		if err != nil {
			return Acted{}, err
		}
		out := Acted{Target: pagetext.Text(there.line)}
		secret := there.secret
		s.log.Touch(true)
		var ends []func() // of permissions: what a key causes may come after the last one
		defer func() {
			for _, end := range ends {
				end()
			}
		}()
		for _, keys := range input.Strokes(in.Text) {
			end, err := s.permitTyping(ctx, t, keys, what)
			ends = append(ends, end)
			if err == nil {
				err = s.useMouse(ctx, t, func() error { return pressEach(ctx, t.page.Keyboard(), keys) })
			}
			if err != nil && !s.closedItself(t) {
				return Acted{}, err
			}
			if keys != "\n" && keys != "\t" {
				typedByKey(ctx, t)
			}
			if at, err := focusedElement(ctx, t, false); err == nil {
				secret = secret || at.secret
			}
		}
		hidden = secret
		out.Effects, err = s.aftermath(ctx, t, m, what, true)
		return out, err
	})
	return acted, hidden, err
}

// pressEach presses the key of each character; one that has no key is put in
// as an input method does. The binding's own Type only puts texts in.
func pressEach(ctx context.Context, keyboard playwright.Keyboard, text string) error {
	names := map[rune]string{'\n': "Enter", '\t': "Tab"}
	for _, r := range text {
		press, key := keyboard.Press, string(r)
		switch {
		case names[r] != "":
			key = names[r]
		case r < ' ' || r > '~':
			press = func(text string, _ ...playwright.KeyboardPressOptions) error { return keyboard.InsertText(text) }
		}
		if err := press(key); err != nil {
			return err
		}
		if ctx.Err() != nil { // no caller waits for the rest
			return ctx.Err()
		}
	}
	return nil
}

// permitTyping returns the guard's word on keys that could press what has the focus.
func (s *actions) permitTyping(ctx context.Context, t *tab, keys string, what pagetext.Sentence) (end func(), err error) {
	enter := keys == "\n"
	if s.guard.guardPolicy().Guard == nil || !enter && !strings.Contains(keys, " ") {
		return func() {}, nil
	}
	there, err := focusedElement(ctx, t, enter)
	if err != nil {
		return func() {}, err
	}
	return s.guard.permitAction(ctx, t, there.at, what+" into "+explain.Quoting(texts.Cut(there.line, maxNote)))
}

// focusOn gives the element of an input's selector the focus.
func (s *actions) focusOn(ctx context.Context, in input.Step) (Acted, error) {
	target, err := parseSelector(in.Selector)
	if err != nil {
		return Acted{}, err
	}
	return on(ctx, s.livePage, in.Op(), explain.Quoting(in.Selector), func(ctx context.Context, t *tab) (Acted, error) {
		l := target.locator(t.page)
		err := inPieces(ctx, min(s.pool.Waits.Absent, s.pool.Timeout),
			func(limit *float64) error { return l.Focus(playwright.LocatorFocusOptions{Timeout: limit}) }, absentIn(ctx, s.livePage, t, target))
		if err != nil {
			return Acted{}, whyNot(ctx, t, target, in.Op(), err)
		}
		var holds struct{ On bool }
		_, err = within(ctx, t, rest.LookLimit, func() (int, error) {
			return 0, askEngine(l.Locator(engineAsk{Op: "holds"}.query()), rest.LookLimit, &holds)
		})
		if err == nil && !holds.On {
			err = explain.Unfocusable(explain.Doing(in.Op(), target.quoted()))
		}
		return Acted{Target: pagetext.Text(target.String())}, err
	})
}

// awaitIdle waits until no request has been under way for a while. A limit of 0
// means ten seconds.
func (s *actions) awaitIdle(ctx context.Context, t *tab, limit time.Duration) error {
	if limit == 0 {
		limit = rest.IdleLimit
	}
	last, since := s.log.RequestCount(), s.pool.Now()
	idle := func() (bool, error) {
		if now := s.log.RequestCount(); now != last || s.underWay(t, eventlog.Mark{}) {
			last, since = now, s.pool.Now()
		}
		return s.pool.Now().Sub(since) >= s.pool.Waits.NetworkIdle, nil
	}
	err := rest.Until(ctx, idle, rest.Policy{Every: rest.SettlePoll, Limit: limit, Events: []rest.Event{{Of: t.context.gone, Err: errGone}}})
	if errors.Is(err, rest.ErrLimit) {
		pending := s.log.Effects(t.page, eventlog.Mark{}, "").Pending
		return explain.NotIdle(pending)
	}
	return err
}
