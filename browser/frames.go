package browser

import "github.com/mxschmitt/playwright-go"

// framesOf lists a page's frames, the main one first, not more than maxFrames.
func framesOf(page playwright.Page) []playwright.Frame {
	frames := page.Frames()
	return frames[:min(len(frames), maxFrames)]
}
