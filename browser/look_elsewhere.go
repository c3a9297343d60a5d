package browser

import (
	"context"
	"fmt"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/seen"
)

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
	in := &reading{session: r.session, q: newQuestion(r.q.tab, target{frame: frame}), wanted: r.wanted, apart: r.apart, find: r.find, states: map[seen.Span]elementState{}}
	foreign, err := in.load(false)
	if err != nil || !foreign {
		return false, "", err
	}
	var look TextLook
	if err := in.contains(ctx, &look); err != nil || !look.Fits {
		return false, look.Doubt, err
	}
	around, err := r.session.lookAtFrame(ctx, r.q.tab, frame)
	return around.Seen > 0, around.Doubt, err
}
