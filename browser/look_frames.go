package browser

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/seen"
	"github.com/assay-qa/assay/browser/selectors"
)

// inner lists the frames of a page but for the main one.
func inner(page playwright.Page) []playwright.Frame {
	return slices.DeleteFunc(slices.Clone(page.Frames()), func(f playwright.Frame) bool { return f.ParentFrame() == nil || f.IsDetached() })
}

func frameName(f playwright.Frame) string {
	if address := f.URL(); address != "" {
		return cut(address, maxNote)
	}
	return "without an address"
}

func unreadFrame(f playwright.Frame, err error) string {
	return fmt.Sprintf("the frame %s could not be read: %s", frameName(f), firstLine(plain(err)))
}

// lookAtFrame tells whether a person sees a frame: its element, and those of the
// frames around it.
func (s *looker) lookAtFrame(ctx context.Context, t *tab, frame playwright.Frame) (Look, error) {
	for f := frame; f.ParentFrame() != nil; f = f.ParentFrame() {
		element, err := f.FrameElement()
		if err != nil {
			return Look{}, err
		}
		q := newQuestion(t, target{frame: f.ParentFrame()})
		_, err = element.QuerySelectorAll(engineAsk{Op: "collect", Look: q.name}.query()) //nolint:staticcheck // there is no locator of a frame's element
		_ = element.Dispose()                                                             // it goes with the document at the latest
		if err != nil {
			return Look{}, err
		}
		out, top, err := s.lookAtCollected(ctx, q)
		if err != nil {
			return Look{}, err
		}
		if out.Seen == 0 {
			return Look{Doubt: out.Doubt, Unseen: []string{"in a frame that is " + strings.Join(out.Unseen, ", ")}}, nil
		}
		if top {
			break
		}
	}
	return Look{Seen: 1}, nil
}

// throughFrames takes back what a look found to be seen when a frame around it
// is not: a frame of another site can't be looked out of.
func (s *looker) throughFrames(ctx context.Context, t *tab, inner target, out Look) (Look, error) {
	if inner.frame != nil {
		around, err := s.lookAtFrame(ctx, t, inner.frame)
		if err == nil && around.Seen == 0 {
			around.Count = out.Count
			return around, nil
		}
		return out, err
	}
	for i := range inner.Frames {
		frame := target{Selector: selectors.Selector{Frames: inner.Frames[:i], Parts: []selectors.Part{{Line: &inner.Frames[i]}}}}
		around, err := s.lookAtAll(ctx, t, frame)
		if err != nil {
			return out, err
		}
		if around.Seen == 0 {
			return Look{Count: out.Count, Doubt: around.Doubt, Unseen: []string{"in a frame that is " + strings.Join(around.Unseen, ", ")}}, nil
		}
	}
	return out, nil
}

// Bounds on waiting for the frames of other sites, as for a page that goes on.
const (
	maxRestFrames   = 20
	frameRestAnswer = 500 * time.Millisecond
)

// WatchFrames does watch, and then waits until the frames of other sites, which no
// watch of the page notices, have stood still for the window too. One that goes
// on is not waited for longer than 3 s, and one that does not answer not at all.
func (s *waiter) WatchFrames(ctx context.Context, window time.Duration, watch func() error) error {
	left, err := s.framesMove(ctx, window) // they are observed from here on
	if err != nil {
		return err
	}
	if err := watch(); err != nil || left == 0 {
		return err
	}
	until := s.pool.Now().Add(pageRestLimit)
	for s.pool.Now().Before(until) {
		if left, err = s.framesMove(ctx, window); err != nil || left <= 0 {
			return err
		}
		if err := rest(ctx, min(left, restPoll)); err != nil {
			return classify(err, restOp+" the frames")
		}
	}
	return nil
}

// framesMove returns how much longer the frames of other sites must stand still; 0
// where there are none, or they do.
func (s *waiter) framesMove(ctx context.Context, window time.Duration) (time.Duration, error) {
	return on(ctx, s.livePage, restOp, "the frames", func(_ context.Context, t *tab) (time.Duration, error) {
		out, asked, own := time.Duration(0), 0, origin(t.page.URL())
		for _, frame := range inner(t.page) {
			if address := frame.URL(); strings.HasPrefix(address, "about:") || origin(address) == own {
				continue
			}
			if asked++; asked > maxRestFrames {
				break
			}
			var a restAnswer
			if err := askEngine(frame.Locator(engineAsk{Op: "rest"}.query()), frameRestAnswer, &a); err != nil {
				continue // it has gone, or does not answer: whoever looks into it finds out
			}
			still := time.Duration(a.Still * float64(time.Millisecond))
			if a.Loading || a.Ending > 0 {
				still = 0
			}
			out = max(out, window-still)
		}
		return out, nil
	})
}

// framesOf lists a page's frames, the main one first, not more than maxFrames.
func framesOf(page playwright.Page) []playwright.Frame {
	frames := page.Frames()
	return frames[:min(len(frames), maxFrames)]
}

// maxForeign bounds how many frames are looked into for what the page does not
// show.
const maxForeign = 50

// elsewhere tells where a text that the page does not show may be seen all the
// same: in a frame of another site, or on a drawing that most of the page is.
// Neither is read with the page.
func (r *reading) elsewhere(ctx context.Context, out *TextLook) {
	if r.drawn != "" {
		out.Doubt = "most of the page is drawn on " + r.drawn + ", and what a canvas shows is not read"
		return
	}
	frames := inner(r.q.tab.page)
	for i, frame := range frames {
		if i == maxForeign {
			out.Doubt = fmt.Sprintf("only %d of %d frames are read", maxForeign, len(frames))
			return
		}
		stands, doubt, err := r.standsIn(ctx, frame)
		switch {
		case err != nil && frame.IsDetached():
		case err != nil:
			out.Doubt = unreadFrame(frame, err)
			return
		case stands || doubt != "":
			out.Doubt = fmt.Sprintf("it stands in the frame %s, which is of another site: give a selector that enters the frame", frameName(frame))
			if stands {
				out.Frame = frameName(frame)
			}
			return
		}
	}
}

// standsIn looks for the text in a frame of another site; those of the page's own
// were read with it.
func (r *reading) standsIn(ctx context.Context, frame playwright.Frame) (stands bool, doubt string, err error) {
	in := &reading{looker: r.looker, q: newQuestion(r.q.tab, target{frame: frame}), wanted: r.wanted, apart: r.apart, find: r.find, states: map[seen.Span]elementState{}}
	foreign, err := in.load(false)
	if err != nil || !foreign {
		return false, "", err
	}
	var look TextLook
	if err := in.contains(ctx, &look); err != nil || !look.Fits {
		return false, look.Doubt, err
	}
	around, err := r.looker.lookAtFrame(ctx, r.q.tab, frame)
	return around.Seen > 0, around.Doubt, err
}
