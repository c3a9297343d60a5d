package browser

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/act"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/selectors"
	"github.com/assay-qa/assay/internal/pagetext"
)

// Identity describes what an element is known again by when its page has changed.
type Identity struct {
	Locators    []string          `json:"locators"`    // selectors; each led to this element alone, the steadiest first
	Fingerprint map[string]string `json:"fingerprint"` // see browser/outline/element_identity.js
	Frame       string            `json:"frame,omitempty"`
	URL         string            `json:"url"`              // of the page
	Secret      bool              `json:"secret,omitempty"` // what is typed there is not shown
	Empty       bool              `json:"empty,omitempty"`  // it is a text control without a text
}

// identityAnswer holds an identity as the engine returns it.
type identityAnswer struct {
	Several  bool `json:"several"` // elements match
	None     bool `json:"none"`    // nothing is there that could be known again
	Locators []string
	Print    map[string]string `json:"fingerprint"`
	Hidden   bool              `json:"secret"`
	Empty    bool              `json:"empty"`
}

// Identify returns what the one element is that selector names, without touching
// it. It waits for the element as an action does, and its errors are those of
// the action that it is about: op. A timeout of 0 means the default.
func (s *pageReader) Identify(ctx context.Context, op, selector string, timeout time.Duration) (Identity, error) {
	target, err := parseSelector(selector)
	if err != nil {
		return Identity{}, err
	}
	given := timeout > 0
	if !given {
		timeout = min(s.pool.Waits.Absent, s.pool.Timeout)
	}
	return on(ctx, s.livePage, op, explain.Quoting(selector), func(ctx context.Context, t *tab) (Identity, error) {
		var answer identityAnswer
		var look func(time.Duration) rest.Presence
		if !given {
			look = absentIn(ctx, s.livePage, t, target)
		}
		ask := func(limit time.Duration) error {
			at := target.locator(t.page).Locator(engineAsk{Op: "identity", Look: rand.Text()}.query())
			return askEngine(at.Last(), limit, &answer)
		}
		err := inPieces(ctx, timeout, func(limit *float64) error { return ask(time.Duration(*limit) * time.Millisecond) }, look)
		if errors.Is(err, playwright.ErrTimeout) && ctx.Err() == nil {
			// The time is for the element to come. One that is there is looked at, however
			// long a busy machine takes for that.
			if n, counted := target.count(t.page); counted == nil && n > 0 {
				err = ask(rest.LookLimit)
			}
		}
		if err == nil && answer.Several {
			err = act.ErrSeveral
		}
		if err != nil {
			return Identity{}, whyNot(ctx, t, target, op, err)
		}
		return answer.identity(t.page, target.Prefix()), nil
	})
}

// IdentifyAt returns what is at a point of the viewport: the control there, or the
// element. ok is false where nothing is.
func (s *pageReader) IdentifyAt(ctx context.Context, p input.Point) (id Identity, ok bool, err error) {
	return s.identifyHit(ctx, engineAsk{Op: "at", X: p.X, Y: p.Y, Identify: true})
}

// IdentifyFocus returns what has the focus. ok is false where nothing has it.
func (s *pageReader) IdentifyFocus(ctx context.Context) (id Identity, ok bool, err error) {
	return s.identifyHit(ctx, engineAsk{Op: "focus", Identify: true})
}

func (s *pageReader) identifyHit(ctx context.Context, ask engineAsk) (id Identity, ok bool, err error) {
	id, err = on(ctx, s.livePage, "identify", pagetext.Sentencef("%s", ask.Op), func(ctx context.Context, t *tab) (Identity, error) {
		there, err := hitTestFrames(ctx, t, ask, false)
		if err != nil || there.known.None || there.known.Print == nil {
			return Identity{}, err
		}
		return there.known.identity(t.page, there.prefix), nil
	})
	return id, len(id.Locators) > 0, err
}

// identity returns the answer with selectors that lead into the element's frame.
func (a identityAnswer) identity(p playwright.Page, prefix string) Identity {
	out := Identity{Fingerprint: a.Print, Frame: strings.TrimSuffix(prefix, " > "), URL: p.URL(), Secret: a.Hidden, Empty: a.Empty}
	out.Locators = locatorsIn(prefix, a.Locators)
	return out
}

// NearestTo lists the lines of a frame, or of the page, that come nearest to an
// element of that role and name, as selectors: those of the same words in any
// role first, and where there are none, those of the role.
func (s *pageReader) NearestTo(ctx context.Context, frame, role, name string, limit int) ([]string, error) {
	var hops []selectors.Line
	if frame != "" {
		t, err := parseSelector(frame + " > css=*")
		if err != nil {
			return nil, err
		}
		hops = t.Frames
	}
	return on(ctx, s.livePage, "look near", explain.Quoting(role+" "+name), func(_ context.Context, t *tab) ([]string, error) {
		var out []string
		for _, asked := range []string{name, ""} {
			var answer struct {
				Lines []string `json:"lines"`
			}
			ask := engineAsk{Op: "near", Role: role, Name: asked, Limit: limit}
			if err := askEngine(inFrames(t.page, hops, ask.query()), rest.LookLimit, &answer); err != nil {
				return out, err
			}
			for _, line := range answer.Lines {
				if line = (selectors.Selector{Frames: hops}).Prefix() + line; !slices.Contains(out, line) && len(out) < limit {
					out = append(out, line)
				}
			}
			if name == "" {
				break
			}
		}
		return out, nil
	})
}

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
func hitTest(ctx context.Context, t *tab, p input.Point) (hitElement, error) {
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
		answer, err := within(ctx, t, rest.LookLimit, func() (a hitAnswer, err error) {
			err = askEngine(at, rest.LookLimit, &a)
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
			return hitElement{}, explain.TooDeep(prefix)
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
