package browser

import (
	"context"
)

// ScrollPlace says where a scroller stands, in CSS pixels.
type ScrollPlace struct {
	Top    float64 `json:"top"`
	View   float64 `json:"view"`   // height of what is seen of it
	Height float64 `json:"height"` // of all that it holds
	Gone   bool    `json:"gone"`   // the page has taken it away
}

// viewShare sets how far a scroller goes at once, as a share of its view: a row that is
// cut at the end of one view is whole in the next.
const viewShare = 0.8

// Next returns where the next view begins; of a scroller that was not scrolled yet, its
// start.
func (p ScrollPlace) Next() float64 { return p.Top + viewShare*p.View }

// AtEnd reports whether the last of what it holds is seen.
func (p ScrollPlace) AtEnd() bool { return p.Gone || p.Top+p.View >= p.Height-1 }

// Scrollers names the scrollers of the page's document that hold rows which are not
// rendered, and remembers them for [Session.ScrollTo] and where they stand for
// [Session.ScrollBack].
func (s *looker) Scrollers(ctx context.Context) ([]string, error) {
	return on(ctx, s.livePage, "look at", "scrollers", func(_ context.Context, t *tab) ([]string, error) {
		var answer struct {
			Names []string `json:"names"`
		}
		err := askEngine(t.page.MainFrame().Locator(engineAsk{Op: "scrollers"}.query()), lookTimeout, &answer)
		return answer.Names, err
	})
}

// ScrollTo scrolls one of the scrollers that were named last, and waits until the page
// was painted there.
func (s *looker) ScrollTo(ctx context.Context, scroller int, top float64) (ScrollPlace, error) {
	return on(ctx, s.livePage, "scroll", "", func(ctx context.Context, t *tab) (at ScrollPlace, err error) {
		if err := askEngine(t.page.MainFrame().Locator(engineAsk{Op: "scrollTo", Piece: scroller, Y: top}.query()), lookTimeout, &at); err != nil {
			return at, err
		}
		return at, nextTurn(ctx, t, true)
	})
}

// ScrollBack puts the scrollers back to where they stood. A page that does not answer
// any more is not scrolled back.
func (s *looker) ScrollBack(ctx context.Context) {
	_, _ = on(ctx, s.livePage, "scroll", "", func(_ context.Context, t *tab) (int, error) {
		return 0, askEngine(t.page.MainFrame().Locator(engineAsk{Op: "scrollBack"}.query()), lookTimeout, &struct{}{}) // the next look returns what is wrong
	})
}
