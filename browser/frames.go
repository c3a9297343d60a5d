package browser

import "github.com/playwright-community/playwright-go"

// framesOf lists a page's frames, the main one first, not more than maxFrames.
// The binding's own list loses all of them once one is detached.
func framesOf(page playwright.Page) []playwright.Frame {
	out := []playwright.Frame{page.MainFrame()}
	for i := 0; i < len(out) && len(out) < maxFrames; i++ {
		for _, child := range out[i].ChildFrames() {
			if !child.IsDetached() && len(out) < maxFrames {
				out = append(out, child)
			}
		}
	}
	return out
}
