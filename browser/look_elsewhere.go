package browser

import (
	"fmt"

	"github.com/assay-qa/assay/browser/seen"
)

// maxForeign bounds how many frames are read for a text that the page does not
// show.
const maxForeign = 50

// elsewhere tells why a text that the page does not show may be seen all the
// same: a frame of another site shows it, or most of the page is a drawing.
// Neither is read with the page.
func (r *reading) elsewhere(out *TextLook) {
	if r.drawn != "" {
		out.Doubt = "most of the page is drawn on " + r.drawn + ", and what a canvas shows is not read"
		return
	}
	page := r.q.tab.page
	frames := page.Frames()
	for i, frame := range frames {
		if frame == page.MainFrame() || frame.IsDetached() {
			continue
		}
		if i > maxForeign {
			out.Doubt = fmt.Sprintf("only %d of %d frames are read", maxForeign, len(frames))
			return
		}
		var answer textsAnswer
		err := askEngine(frame.Locator(engineAsk{Op: "texts", Look: r.q.name, Apart: r.apart}.query()), lookTimeout, &answer)
		switch {
		case err != nil && frame.IsDetached() || err == nil && answer.Top: // it was read with the page
		case err != nil:
			out.Doubt = fmt.Sprintf("the frame %s could not be read: %s", cut(frame.URL(), maxNote), firstLine(plain(err)))
			return
		case len(r.find(seen.Compose(answer.pieces(), func(i int) bool { return answer.Pieces[i].Why == "" }))) > 0:
			out.Doubt = fmt.Sprintf("it stands in the frame %s, which is of another site: give a selector that enters the frame", cut(frame.URL(), maxNote))
			return
		}
	}
}
