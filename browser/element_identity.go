package browser

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/selectors"
)

// Identity describes what an element is known again by when its page has changed.
type Identity struct {
	Locators    []string          `json:"locators"`    // selectors; each led to this element alone, the steadiest first
	Fingerprint map[string]string `json:"fingerprint"` // see browser/outline/identity.js
	Frame       string            `json:"frame,omitempty"`
	URL         string            `json:"url"`              // of the page
	Secret      bool              `json:"secret,omitempty"` // what is typed there is not shown
	Empty       bool              `json:"empty,omitempty"`  // it is a text control without a text
}

// identityAnswer is an identity as the engine tells it.
type identityAnswer struct {
	Several  bool `json:"several"` // elements match
	None     bool `json:"none"`    // nothing is there that could be known again
	Locators []struct{ Kind, Value string }
	Print    map[string]string `json:"fingerprint"`
	Hidden   bool              `json:"secret"`
	Empty    bool              `json:"empty"`
}

// Identify tells what the one element is that selector names, without touching
// it. It waits for the element as an action does, and its errors are those of
// the action that it is about: op. A timeout of 0 means the default.
func (s *pageReader) Identify(ctx context.Context, op, selector string, timeout time.Duration) (Identity, error) {
	target, err := parseSelector(selector)
	if err != nil {
		return Identity{}, err
	}
	if timeout <= 0 {
		timeout = min(absentLimit, s.pool.Timeout)
	}
	return on(ctx, s.livePage, op, selector, func(ctx context.Context, t *tab) (Identity, error) {
		var answer identityAnswer
		err := inPieces(ctx, timeout, func(limit *float64) error {
			at := target.locator(t.page).Locator(engineAsk{Op: "identity", Look: rand.Text()}.query())
			return askEngine(at.Last(), time.Duration(*limit)*time.Millisecond, &answer)
		}, nil)
		if err == nil && answer.Several {
			err = errAmbiguous
		}
		if err != nil {
			return Identity{}, explain(ctx, t, target, op, err)
		}
		return answer.identity(t.page, target.Prefix()), nil
	})
}

// IdentifyAt tells what is at a point of the viewport: the control there, or the
// element. ok is false where nothing is.
func (s *pageReader) IdentifyAt(ctx context.Context, p Point) (id Identity, ok bool, err error) {
	return s.identifyHit(ctx, engineAsk{Op: "at", X: p.X, Y: p.Y, Identify: true})
}

// IdentifyFocus tells what has the focus. ok is false where nothing has it.
func (s *pageReader) IdentifyFocus(ctx context.Context) (id Identity, ok bool, err error) {
	return s.identifyHit(ctx, engineAsk{Op: "focus", Identify: true})
}

func (s *pageReader) identifyHit(ctx context.Context, ask engineAsk) (id Identity, ok bool, err error) {
	id, err = on(ctx, s.livePage, "identify", ask.Op, func(ctx context.Context, t *tab) (Identity, error) {
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
	for _, l := range a.Locators {
		selector, ok := locatorText(l.Kind, l.Value)
		if !ok {
			continue
		}
		if t, err := parseSelector(prefix + selector); err == nil {
			out.Locators = append(out.Locators, t.String())
		}
	}
	return out
}

// locatorText writes what the engine has found as a selector. ok is false where
// the text can't be written without meaning something else.
func locatorText(kind, value string) (selector string, ok bool) {
	if kind == "line" {
		return value, true
	}
	if kind == "css" {
		return "css=" + value, true
	}
	_, inQuotes := selectors.Unquote(value)
	plain := !strings.ContainsAny(value, "\"\\\n`") && !strings.Contains(value, ">>") && !inQuotes && strings.TrimSpace(value) == value
	switch kind {
	case "testid":
		return "testid=" + value, plain
	case "label", "text":
		return kind + `="` + value + `"`, plain
	default:
		return "", false
	}
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
	return on(ctx, s.livePage, "look near", role+" "+name, func(_ context.Context, t *tab) ([]string, error) {
		var out []string
		for _, asked := range []string{name, ""} {
			var answer struct {
				Lines []string `json:"lines"`
			}
			ask := engineAsk{Op: "near", Role: role, Name: asked, Limit: limit}
			if err := askEngine(inFrames(t.page, hops, ask.query()), lookTimeout, &answer); err != nil {
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
