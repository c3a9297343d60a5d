package browser

import "github.com/mxschmitt/playwright-go"

// steadyScript lets no page hear of a window of one pixel. Chromium gives it that
// size for a moment now and then when more than the viewport is taken, and there
// are pages that fold their menu for good then: the next picture would show
// another page. It must be the first to listen, because a window's listeners are
// called in the order in which they came, capturing or not: so it is there before
// all of the page's own.
const steadyScript = `if (self === top) addEventListener('resize', event => {
	if (innerWidth <= 1 && innerHeight <= 1) event.stopImmediatePropagation();
})`

// steady keeps the pages of a context from what taking their picture does to
// their window.
func steady(context playwright.BrowserContext) error {
	script := steadyScript
	return context.AddInitScript(playwright.Script{Content: &script})
}
