package browser

import (
	"context"
	"strings"

	"github.com/mxschmitt/playwright-go"
)

// hitElement describes the element that a pointer or the keyboard would reach.
type hitElement struct {
	at     playwright.Locator // asks the engine about it, for the guard
	line   string             // as a selector
	secret bool               // of the focus: what is typed there is not shown
	prefix string             // of its frame
	known  identityAnswer     // where the question was to identify it
}

// hitAnswer decodes the engine's answer for one document: the element, or the frame
// that has it.
type hitAnswer struct {
	Line  string  `json:"line"`
	Frame string  `json:"frame"` // a CSS path
	X     float64 `json:"x"`     // in the frame
	Y     float64 `json:"y"`
	identityAnswer
}

// hitTest finds the element at a point of the viewport, through the frames.
func hitTest(ctx context.Context, t *tab, p Point) (hitElement, error) {
	return hitTestFrames(ctx, t, engineAsk{Op: "at", X: p.X, Y: p.Y}, false)
}

// focusedElement finds the element that has the focus, through the frames. key says that a key is
// about to be pressed that may submit a form.
func focusedElement(ctx context.Context, t *tab, key bool) (hitElement, error) {
	return hitTestFrames(ctx, t, engineAsk{Op: "focus"}, key)
}

// hitTestFrames asks a document, and the frame that the answer leads to, until the
// answer is an element.
func hitTestFrames(ctx context.Context, t *tab, ask engineAsk, key bool) (hitElement, error) {
	var frames []string
	prefix := ""
	for {
		at := enter(t.page, frames, ask.query())
		answer, err := within(ctx, t, lookLimit, func() (a hitAnswer, err error) {
			err = askEngine(at, lookTimeout, &a)
			return a, err
		})
		switch {
		case err != nil:
			return hitElement{}, err
		case answer.Frame == "" && ask.Op == "focus":
			at = enter(t.page, frames, engineAsk{Op: "about", Key: key}.query())
			return hitElement{at, prefix + answer.Line, answer.Hidden, prefix, answer.identityAnswer}, nil
		case answer.Frame == "":
			return hitElement{at, prefix + answer.Line, false, prefix, answer.identityAnswer}, nil
		case len(frames) == maxFrameDepth:
			return hitElement{}, &Error{Code: NotActionable, Message: "what is there lies in too many frames to be looked at", Hint: "use a selector that leads into them: " + prefix + "…"}
		}
		if strings.HasPrefix(answer.Line, "frame") {
			prefix += answer.Line + " > "
		}
		frames = append(frames, answer.Frame)
		ask.X, ask.Y = answer.X, answer.Y
	}
}

// enter returns a query in the document that frames lead to, outermost first.
func enter(p playwright.Page, frames []string, query string) playwright.Locator {
	if len(frames) == 0 {
		return p.Locator(query)
	}
	frame := p.FrameLocator("css=" + frames[0])
	for _, f := range frames[1:] {
		frame = frame.FrameLocator("css=" + f)
	}
	return frame.Locator(query)
}
