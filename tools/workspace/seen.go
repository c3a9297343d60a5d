package workspace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// siteScope holds the sites that a run has to do with, as it finds them out.
type siteScope struct {
	sync.Mutex
	run    string
	first  []string // of the address that the run opened first, and where that led
	opened string   // of the address that the caller opened last
}

// of returns the sites of a run; the lock is held.
func (s *siteScope) of(run string) *siteScope {
	if s.run != run {
		s.run, s.first, s.opened = run, nil, ""
	}
	return s
}

// NoteOpened notes that a call of a run opened an address, and where that led.
func (ws *Workspace) NoteOpened(run *evidence.Run, asked, landed string) {
	known := &ws.sites
	known.Lock()
	defer known.Unlock()
	s := known.of(run.ID())
	s.opened = address.Site(asked)
	if route := ws.routeSite(run); len(s.first) == 0 && (route == "" || route == s.opened) {
		s.first = []string{s.opened, address.Site(landed)}
	}
}

// routeSite returns the site that a run's task names; empty: none.
func (ws *Workspace) routeSite(run *evidence.Run) string {
	route := run.Task().Route
	if full, err := ws.Address(route); err == nil && route != "" {
		route = full
	}
	return address.Site(route)
}

// OtherSite returns why what a page at an address shows proves nothing of a run's
// task: it is of another site. Where the page itself led there, that it is there
// is what the site under test did.
func (ws *Workspace) OtherSite(run *evidence.Run, at string, whereItIs bool) string {
	site := address.Site(at)
	if site == "" || len(run.Task().Expectations) == 0 || len(ws.Hosts) > 0 { // other hosts are out of reach
		return ""
	}
	known := &ws.sites
	known.Lock()
	defer known.Unlock()
	s, route := known.of(run.ID()), ws.routeSite(run)
	if len(s.first) == 0 && route == "" { // it was open when the run began
		s.first = []string{site}
	}
	own := append([]string{route, address.Site(ws.Target.BaseURL)}, s.first...)
	if slices.Contains(own, site) || whereItIs && slices.Contains(own, cmp.Or(s.opened, site)) {
		return ""
	}
	return fmt.Sprintf("the page is of the site %s, and the task is about %s", site, cmp.Or(own...))
}

// presence holds what calls of a run have seen so far: selectors that matched,
// texts that were found, lines of snapshots. With it an absence can say whether
// the thing was ever there: one that was never seen may be absent because its name
// is wrong.
type presence struct {
	sync.Mutex
	run  string
	at   map[pagetext.Text]time.Time
	full bool // more was met than is kept
}

// maxPresence bounds what is kept of a run.
const maxPresence = 5000

// NoteSeen records what calls of a run have seen.
func (ws *Workspace) NoteSeen(run string, what []pagetext.Text) {
	s, now := &ws.presence, ws.Now()
	s.Lock()
	defer s.Unlock()
	if s.run != run || s.at == nil {
		s.run, s.at, s.full = run, map[pagetext.Text]time.Time{}, false
	}
	for _, text := range what {
		text, _ = text.Map(oneSpace).CutPrefix("- ")
		if _, known := s.at[text]; !known && len(s.at) == maxPresence {
			s.full = true
			continue
		}
		if text != "" {
			s.at[text] = now
		}
	}
}

// oneSpace returns a text with one space between its words.
func oneSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// SeenBefore says whether something was seen before in a run; never reports that it was not.
func (ws *Workspace) SeenBefore(run, whole, within string) (words string, never bool) {
	s := &ws.presence
	s.Lock()
	defer s.Unlock()
	var newest time.Time
	for text, at := range s.at {
		if s.run == run && at.After(newest) && (text.Equal(whole) || within != "" && text.Contains(pagetext.Text(within))) {
			newest = at
		}
	}
	switch {
	case !newest.IsZero():
		return "; seen before in this run, at " + newest.UTC().Format(time.TimeOnly), false
	case s.full && s.run == run:
		return "; it is not known whether it was seen before in this run", false
	default:
		return "; never seen in this run", true
	}
}

// NoteHolds notes that an assertion holds on a session's page now.
func (ws *Workspace) NoteHolds(session string, acts int, assertion pagetext.Text) {
	ws.beforeActs.saw(session, acts, true, assertion)
}

// NoteOnPage notes what a person sees on a session's page now.
func (ws *Workspace) NoteOnPage(session string, acts int, what []pagetext.Text) {
	ws.beforeActs.saw(session, acts, false, what...)
}

// NoteScript notes that a script of the caller follows on a session's page, the first since
// something was done through the page that may write to what outlives the document.
func (ws *Workspace) NoteScript(session string, acts int) { ws.beforeActs.scriptFollows(session, acts) }

// HeldBeforeScript reports whether an assertion is known to have held before that script.
func (ws *Workspace) HeldBeforeScript(session string, assertion pagetext.Text) bool {
	return ws.beforeActs.heldBeforeScript(session, assertion)
}

// NoteActed notes that something was done on a session's page.
func (ws *Workspace) NoteActed(session string, act Act) { ws.beforeActs.acted(session, act) }

// NoteChecked notes that a check is made on a session's page: what acts did before it is
// judged by it.
func (ws *Workspace) NoteChecked(session string, acts int) { ws.beforeActs.checkedNow(session, acts) }

// ActsGoOn reports whether an act on a session's page goes on with acts that no check has
// followed yet, so that they are judged as one.
func (ws *Workspace) ActsGoOn(session string, acts int) bool {
	return ws.beforeActs.goOn(session, acts)
}

// NewestAct returns what is known of the newest acts on a session's page that no check came
// between, as one; nothing where that is not known.
func (ws *Workspace) NewestAct(session string, acts int) Act {
	return ws.beforeActs.newest(session, acts)
}

// HeldBefore reports whether an assertion is known to have held before the newest act on a
// session's page, or words, if there are any, to have been seen there.
func (ws *Workspace) HeldBefore(session string, acts int, assertion, words pagetext.Text) bool {
	return ws.beforeActs.held(session, acts, assertion, words)
}

// lastAssertions holds the assertions that held since something acted last, of the tools that
// make one.
type lastAssertions struct {
	sync.Mutex
	s    *browser.Session
	acts int
	run  string
	all  []HeldAssertion
}

// HeldAssertion holds an assertion that held, and the check that it was filed as.
type HeldAssertion struct {
	A        qa.Assertion
	Selector string
	Check    qa.Check
	At       browser.Moment // when it held
}

// maxHeld bounds how many assertions a run's end looks at again.
const maxHeld = 50

// NoteHeld records an assertion that has held in a run, unless something acts
// after it.
func (ws *Workspace) NoteHeld(s *browser.Session, run string, held HeldAssertion) {
	h := &ws.lastHeld
	h.Lock()
	defer h.Unlock()
	if acts := s.Acts(); h.s != s || h.acts != acts || h.run != run {
		h.s, h.acts, h.run, h.all = s, acts, run, nil
	}
	if len(h.all) == maxHeld {
		h.all = h.all[1:]
	}
	h.all = append(h.all, held)
}

// HeldOn returns what held last in a run on the page of a session. It is empty where
// something has acted since.
func (ws *Workspace) HeldOn(s *browser.Session, run string) []HeldAssertion {
	h := &ws.lastHeld
	h.Lock()
	defer h.Unlock()
	if h.s != s || h.run != run || s.Acts() != h.acts {
		return nil
	}
	return slices.Clone(h.all)
}

// TakeHeld returns what held last in a run, with its session, and drops it. It
// is nil where something has acted since.
func (ws *Workspace) TakeHeld(run string) (*browser.Session, []HeldAssertion) {
	h := &ws.lastHeld
	h.Lock()
	s, acts, of, all := h.s, h.acts, h.run, h.all
	h.s, h.all = nil, nil
	h.Unlock()
	if s == nil || of != run || s.Acts() != acts {
		return nil, nil
	}
	return s, all
}
