package browser

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// posePoll is how often the page is asked what it still waits for.
const posePoll = 8 * time.Millisecond

// openRequest is how long a request is waited for. One that takes longer is
// held open by design: it waits for news.
const openRequest = 5 * time.Second

// nextFrame is what the engine awaits between two pictures.
const nextFrame = "its next frame"

// pose brings the page and its frames into the pose that is taken, holds it, and
// waits until nothing is awaited that would change what is painted.
func (k *stillShoot) pose(ctx context.Context) error {
	for {
		waits, err := k.strike(ctx)
		if err != nil {
			return err // what was awaited before still is
		}
		k.waits = waits
		if len(k.waits) == 0 {
			k.waits = k.s.paintRequests()
		}
		if len(k.waits) == 0 {
			if k.of == nil || k.brought {
				return nil
			}
			k.brought = true
			if err := k.bring(ctx); err != nil {
				return err
			}
			continue // what it scrolled may bring in more, and has scrolled the page
		}
		if err := rest(ctx, posePoll); err != nil {
			return err
		}
	}
}

// strike asks every frame to take the pose, or to hold it, and gathers what they
// wait for. A frame that does not answer shows nothing that changes.
func (k *stillShoot) strike(ctx context.Context) ([]string, error) {
	whole := k.o.FullPage && k.of == nil
	var waits []string
	err := k.eachFrame(ctx, func(main bool) engineAsk {
		ask := engineAsk{Op: "pose", Top: main && (whole || k.of != nil), Walk: main && whole}
		if main && k.seen[1].at.beyond {
			ask.Taken = k.tries
		}
		return ask
	}, &waits)
	return waits, err
}

// unpose undoes the pose, whatever became of the caller. A page that is gone, or
// does not answer any more, has nothing to undo.
func (k *stillShoot) unpose(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTimeout)
	defer cancel()
	if err := k.eachFrame(ctx, func(bool) engineAsk { return engineAsk{Op: "unpose"} }, new([]string)); err != nil && k.t.usable() && !isClosed(err) {
		k.s.pool.Log.Warn("put the page back after a picture", "session", k.s.id, "err", err)
	}
}

// posed describes what a frame answers.
type posed struct {
	Waits    []string
	Document string // tells it from the one before and the next
}

// errReplaced says that the page is another one by now.
var errReplaced = errors.New("the page was replaced meanwhile")

// stays fails if the page was replaced since a picture of it was begun: what is
// known of it may be of the next one.
func (k *stillShoot) stays(ctx context.Context, v view) error {
	now, err := within(ctx, k.t, lookLimit, func() (a posed, err error) {
		err = askEngine(k.t.page.Locator(engineAsk{Op: "posed"}.query()), lookTimeout, &a)
		return a, err
	})
	if err == nil && now.Document != v.document {
		return errReplaced
	}
	return err
}

func (k *stillShoot) eachFrame(ctx context.Context, ask func(main bool) engineAsk, waits *[]string) error {
	for i, frame := range framesOf(k.t.page) {
		got, err := within(ctx, k.t, frameTimeout, func() (posed, error) {
			var a posed
			err := askEngine(frame.Locator(ask(i == 0).query()), frameTimeout, &a)
			return a, err
		})
		switch {
		case err == nil:
			*waits = append(*waits, got.Waits...)
			if i == 0 {
				k.document = got.Document
			}
		case ctx.Err() != nil:
			return ctx.Err()
		case i > 0 && (isNavigating(err) || errors.Is(err, errNoAnswer) || errors.Is(err, playwright.ErrTimeout) || frame.IsDetached()):
		default:
			return err
		}
	}
	return nil
}

// paintRequests returns the requests under way whose answers may change what the
// page shows.
func (j *EventLog) paintRequests() []string {
	kinds := []string{"document", "stylesheet", "script", "image", "font", "xhr", "fetch"}
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []string
	now := j.now()
	for _, x := range j.network.since(0) {
		if x.Pending && !x.cutOff && awaited(x) && !x.refused() && slices.Contains(kinds, x.Type) && now.Sub(x.Start) < openRequest {
			out = append(out, x.Method+" "+cut(x.URL, maxNote))
		}
	}
	return out
}

// bring scrolls the element into view within what it scrolls in. It must be
// visible soon, as the page has come to rest otherwise, and be the only one.
func (k *stillShoot) bring(ctx context.Context) error {
	l, kind := k.of.locator(k.t.page), playwright.WaitForSelectorStateVisible
	if err := inPieces(ctx, lookLimit, func(limit *float64) error {
		return l.WaitFor(playwright.LocatorWaitForOptions{State: kind, Timeout: limit})
	}, nil); err != nil {
		return explain(ctx, k.t, *k.of, stillOp, err)
	}
	if err := askEngine(l.Locator(engineAsk{Op: "bring"}.query()), lookTimeout, &struct{}{}); err != nil {
		return explain(ctx, k.t, *k.of, stillOp, err)
	}
	return nil
}
