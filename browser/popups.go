package browser

import "github.com/mxschmitt/playwright-go"

// maxPopups bounds how many popups of a session are open at once.
const maxPopups = 10

// onPopup notes a new page, and closes it when there are too many. It has no
// address yet; the note tells it as soon as there is one.
func (j *EventLog) onPopup(popup playwright.Page) {
	j.mu.Lock()
	j.popups++
	j.opened[popup] = true
	j.sideEffects.add(&sideEffect{SideEffect: SideEffect{Kind: PopupOpened}, popup: popup})
	extra := j.popups > maxPopups
	j.mu.Unlock()
	popup.OnClose(func(playwright.Page) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.popups = max(0, j.popups-1) // it may have been counted in an earlier context
	})
	about := func() string { return "popup: " + j.address(popup.URL(), maxNote) }
	if extra {
		j.note(about() + " closed: more than the 10 that may be open at once")
		go func() { _ = popup.Close() }() // it may close itself meanwhile
		return
	}
	note := j.note(about())
	popup.OnFrameNavigated(func(f playwright.Frame) {
		if f.ParentFrame() != nil {
			return
		}
		j.mu.Lock()
		defer j.mu.Unlock()
		*note = about()
	})
}
