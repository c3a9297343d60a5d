package workspace

import (
	"maps"
	"strings"
	"sync"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
)

// beforeActs holds what is known of a page before the newest act on it, without asking the
// page: what looks have noted, less what the outline says that acts have changed since. Of
// an act whose changes are not told in full nothing is known afterwards. Acts that follow one
// another without a check between them count as one.
type beforeActs struct {
	sync.Mutex
	session string
	acts    int // of the session, up to which this is true
	before  known
	now     known
	last    Act  // the newest act
	checked bool // a check came after it

	scripted     string // the session in which a script of the caller began to write what outlives the document
	beforeScript known  // what held there before it
}

// Act says what is known of an act on a session's page.
type Act struct {
	From, To int  // counts of the session's acts, before it and after it
	Told     bool // Changes are all that it changed of the outline
	Changes  []pagetext.Text
	Stood    browser.Stood  // what was seen before it
	Inert    bool           // nothing came of it, as far as the page and its requests tell
	Done     browser.Moment // when that was found
}

// known holds lines of snapshots, texts and selectors that were found, and assertions that
// held; true: an assertion.
type known map[pagetext.Text]bool

// at forgets all where something was done of which nothing was said, such as a load; the lock
// is held.
func (b *beforeActs) at(session string, acts int) {
	if b.now == nil || b.session != session || b.acts != acts {
		b.session, b.acts, b.before, b.now, b.last, b.checked = session, acts, known{}, known{}, Act{}, false
	}
}

// saw notes what holds now.
func (b *beforeActs) saw(session string, acts int, assertion bool, what ...pagetext.Text) {
	b.Lock()
	defer b.Unlock()
	b.at(session, acts)
	for _, text := range what {
		text, _ = text.Map(oneSpace).CutPrefix("- ")
		if _, noted := b.now[text]; !noted && text != "" && len(b.now) < maxPresence {
			b.now[text] = assertion
		}
	}
}

// acted notes that something was done on a session's page.
func (b *beforeActs) acted(session string, act Act) {
	b.Lock()
	defer b.Unlock()
	b.at(session, act.From)
	now := known{}
	for text, assertion := range b.now {
		if act.Told && !touched(text, assertion, act.Changes) {
			now[text] = assertion
		}
	}
	if b.goesOn() { // what one of them brought about did not hold before all of them
		maps.DeleteFunc(b.before, func(text pagetext.Text, _ bool) bool { _, still := b.now[text]; return !still })
		b.last.Inert = b.last.Inert && act.Inert
	} else {
		b.before, b.last = b.now, act
	}
	b.acts, b.now, b.last.To, b.checked = act.To, now, act.To, false
}

// scriptFollows notes that a script of the caller may write to what outlives the document.
func (b *beforeActs) scriptFollows(session string, acts int) {
	b.Lock()
	defer b.Unlock()
	b.at(session, acts)
	b.scripted, b.beforeScript = session, maps.Clone(b.now)
}

// heldBeforeScript reports whether an assertion is known to have held before that script.
func (b *beforeActs) heldBeforeScript(session string, assertion pagetext.Text) bool {
	b.Lock()
	defer b.Unlock()
	return b.scripted == session && b.beforeScript[assertion.Map(oneSpace)]
}

// checkedNow notes that a check is made.
func (b *beforeActs) checkedNow(session string, acts int) {
	b.Lock()
	defer b.Unlock()
	b.at(session, acts)
	b.checked = true
}

// goOn reports whether an act that comes now goes on with the newest one.
func (b *beforeActs) goOn(session string, acts int) bool {
	b.Lock()
	defer b.Unlock()
	b.at(session, acts)
	return b.goesOn()
}

// goesOn reports the same; the lock is held.
func (b *beforeActs) goesOn() bool { return b.last.To > 0 && !b.checked }

// touched reports whether changes of an outline may have changed something: a line of them
// has its words, or a part of them. Of an assertion any may have.
func touched(text pagetext.Text, assertion bool, changes []pagetext.Text) bool {
	for _, line := range changes {
		words := line.Map(withoutSign)
		if assertion || words.Contains(text) || text.Contains(words) {
			return true
		}
	}
	return false
}

// withoutSign returns a line of changes without what says how it changed.
func withoutSign(line string) string { return oneSpace(strings.TrimLeft(line, "+-~ ")) }

// newest returns what is known of the newest act; nothing where none is known.
func (b *beforeActs) newest(session string, acts int) Act {
	b.Lock()
	defer b.Unlock()
	b.at(session, acts)
	return b.last
}

// held reports whether something was there before the newest act: as it was noted, or, of
// what is not empty, within it.
func (b *beforeActs) held(session string, acts int, whole, within pagetext.Text) bool {
	b.Lock()
	defer b.Unlock()
	b.at(session, acts)
	if _, noted := b.before[whole.Map(oneSpace)]; noted {
		return true
	}
	within = within.Map(oneSpace)
	for text, assertion := range b.before {
		if within != "" && !assertion && text.Contains(within) {
			return true
		}
	}
	return false
}
