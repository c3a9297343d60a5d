package browser

import (
	"slices"
	"strings"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/redact"
)

// navigates reports whether the page asked for another document since m.
func (j *EventLog) navigates(t *tab, m mark) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, x := range j.network.since(m.net) {
		if x.page == t.page {
			return true
		}
	}
	return false
}

// loading returns the address of the document that the page waits for, or "". Until
// its answer comes, Chromium answers nothing that is asked of the page.
func (j *EventLog) loading(t *tab) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	if x := j.requested[t.page]; x != nil && x.Pending && x.response == nil {
		return cut(x.URL, maxNote)
	}
	return ""
}

// pageState returns the page line; title was read from the page.
func (j *EventLog) pageState(t *tab, title string) PageState {
	url := t.page.URL()
	j.mu.Lock()
	defer j.mu.Unlock()
	state := PageState{URL: url, Title: title, Loading: j.underWay(t.page)}
	if d := j.documents[t.page]; d != nil {
		state.ConsoleErrors = d.errors
	}
	if x := j.documentOf(t.page, url); x != nil {
		state.Status = x.Status
	}
	return state
}

// moveCount returns how often a frame went to another address so far.
func (j *EventLog) moveCount() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.moves
}

// newestPosition returns the newest position of the event log.
func (j *EventLog) newestPosition() mark {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.position()
}

// overtaken reports whether a navigation was given up because the page, which
// may do so for ever, went to another address at the same time.
func (j *EventLog) overtaken(t *tab, m mark, address string, err error) bool {
	if text := rawText(err); !strings.Contains(text, "ERR_ABORTED") || strings.Contains(text, "Download is starting") {
		return false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	asked := j.network.since(m.net)
	for _, x := range slices.Backward(asked) {
		if x.page != t.page {
			continue
		}
		if sameDocument(x.request.URL(), address) { // news of what overtook it may come later
			return x.response == nil && x.Blocked == "" && len(j.unexplained(x.Method, x.request.URL())) == 0
		}
		return x.request.RedirectedFrom() == nil
	}
	return false
}

// explainNavigation adds to a failed navigation what the event log knows.
func (j *EventLog) explainNavigation(t *tab, m mark, address string, err error) error {
	if ended(t.closed) || ended(t.crashed) {
		return err
	}
	text := rawText(err)
	e := asError(err, "page_navigate "+redact.URL(address))
	switch {
	case e.Code == TimedOut:
		e.Hint = "the server is slow or never answers; raise timeout_ms, or use wait_until commit or domcontentloaded"
	case strings.Contains(text, "Download is starting"):
		e.Code, e.Hint = NavigationFailed, "the address is a download, not a page"
	case strings.Contains(text, "interrupted by another navigation"):
		e.Message, e.Hint = "page_navigate "+redact.URL(address)+": the page went to another address before this one was loaded", "look where it is with page_snapshot; call again if that is not where it should be"
	case strings.Contains(text, "Cannot navigate to invalid URL"):
		e.Code, e.Hint, e.Retriable = InvalidInput, "fix the address", false
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if notes := j.notesSince(m.notes); len(notes) > 0 {
		e.Page = append(e.Page, notes[max(0, len(notes)-maxListed):]...)
	}
	return e
}

// redirects lists the hops before the final request, oldest first.
func (j *EventLog) redirects(final playwright.Request) []Redirect {
	hops := []Redirect{}
	j.mu.Lock()
	defer j.mu.Unlock()
	for r := final.RedirectedFrom(); r != nil; r = r.RedirectedFrom() {
		hop := Redirect{URL: j.address(r.URL(), maxURL)}
		if x := j.byID[r]; x != nil {
			hop.Status = x.Status
		}
		hops = append(hops, hop)
	}
	slices.Reverse(hops)
	return hops
}

// counts tell whether anything was sent, answered or went to another address.
func (j *EventLog) counts() [2]int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return [2]int{j.network.total + j.responses, j.moves}
}

// watchedState returns the page as it is at w's last look.
func (j *EventLog) watchedState(w *waiting) watchedState {
	j.mu.Lock()
	defer j.mu.Unlock()
	at := j.position()
	return watchedState{w.last.ID, w.last.Count, at.logs, at.notes, at.net, j.moves, w.window}
}

// Acts returns how many acts and loads of a caller the session has seen: where it is
// as it was, whatever has changed on the page was changed by the page itself.
func (j *EventLog) Acts() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.actCount
}
