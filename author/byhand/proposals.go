package byhand

import (
	"cmp"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/record"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
)

// proposal is an assertion of what an act has changed.
type proposal struct {
	selector  string
	assertion qa.Assertion
	class     string // of the line that it is about; see classOf
	rank      int    // how much it tells
	event     bool   // it is about what the browser told: a dialog, a download
}

const (
	maxProposals = 3   // of one act
	maxQuoted    = 100 // characters of a line that is quoted whole
	leastTyped   = 3   // characters that tell a text that was typed from others
)

func shown(address string) string { return browser.ShownURL(address) }

func event(kind qa.AssertionType, expected string) *proposal {
	return &proposal{assertion: qa.Assertion{Type: kind, Expected: expected}, event: true}
}

// classOf returns what a line keeps when its figures and dates are others.
func classOf(l *record.Line) string { return l.Role + " " + explore.NameClass(l.Name) }

var (
	figure = pattern.New(`\d+(?:[.,]\d+)*`)
	clock  = pattern.New(`\d{1,2}:\d{2}`)
	mixed  = pattern.New(`\b(?:\d+[a-zA-Z]+\d|[a-zA-Z]+\d+[a-zA-Z])\w*|\b[0-9a-f]{8,}\b`) // letters and digits by turns, as ids have them
)

// dated reports whether a text says a date or a time, which is another one at each visit.
func dated(text string) bool {
	return clock.MatchString(text) || explore.Dated(text)
}

// steady returns the longest part of a text that has no figures, which may be others the next time.
func steady(text string) string {
	best := ""
	for _, part := range figure.Split(text, -1) {
		if part = strings.TrimSpace(part); len(part) > len(best) {
			best = part
		}
	}
	return best
}

// changes returns what is proposed of a change, what tells most first.
func (b *Builder) changes(before, after *record.Look, e *entry) []*proposal {
	var out, all []*proposal
	if p := addressOf(before.URL, after.URL, e); p != nil {
		out = append(out, p)
	}
	was, is := namesOf(before), namesOf(after)
	for i := range after.Lines {
		l := &after.Lines[i]
		if p := b.came(l, before, was, e); p != nil {
			p.rank = telling(l) + b.ownWords(l)
			all = append(all, p)
		}
	}
	for i := range before.Lines {
		l := &before.Lines[i]
		if p := b.left(l, after, is, e); p != nil && samePage(before.URL, after.URL) {
			p.rank = telling(l) - 1
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(x, y *proposal) int { return cmp.Compare(y.rank, x.rank) })
	for _, p := range all {
		if p.rank > 0 && !slices.ContainsFunc(out, p.says) {
			out = append(out, p)
		}
	}
	return out[:min(len(out), maxProposals)]
}

// says reports whether another proposal is about the same words.
func (p *proposal) says(other *proposal) bool {
	return other.assertion.Type == p.assertion.Type && p.class != "" && wordsOf(other.class) == wordsOf(p.class)
}

// wordsOf returns a class without its role.
func wordsOf(class string) string {
	_, words, _ := strings.Cut(class, " ")
	return words
}

func namesOf(look *record.Look) map[string]bool {
	out := map[string]bool{}
	for i := range look.Lines {
		l := &look.Lines[i]
		out[l.Role+" "+l.Name] = true
	}
	return out
}

// telling says how much a line tells of a page.
func telling(l *record.Line) int {
	switch l.Role {
	case "alert", "status", "dialog", "alertdialog":
		return 6
	case "heading":
		return 5
	case "row", "listitem", "cell", "text", "paragraph":
		return 3
	case "frame", "clickable", "generic":
		return 0
	}
	return 2
}

// ownWords ranks a line higher that says what was typed.
func (b *Builder) ownWords(l *record.Line) int {
	if slices.ContainsFunc(b.words(), func(w string) bool { return len(w) >= leastTyped && strings.Contains(l.Name, w) }) {
		return 2
	}
	return 0
}

// words returns what was typed and chosen so far, but for secrets.
func (b *Builder) words() []string {
	out := slices.Clone(b.typed)
	for _, e := range b.entries {
		if e.step.Action == "fill" && !e.secret && e.step.Value != "" {
			out = append(out, e.step.Value)
		}
	}
	return out
}

// came returns the assertion that a line is seen which was not there before.
func (b *Builder) came(l *record.Line, before *record.Look, was map[string]bool, e *entry) *proposal {
	class := classOf(l)
	if l.Selector == "" || l.Name == "" || len(l.Name) > maxQuoted || was[l.Role+" "+l.Name] || b.own[class] || b.tellsSecret(l.Name) || e.on != nil && l.Selector == e.on.Path() {
		return nil
	}
	p := &proposal{selector: l.Selector, assertion: qa.Assertion{Type: qa.Visible}, class: class}
	if b.explained(l, before) {
		return p
	}
	if dated(l.Name) || mixed.MatchString(l.Name) || !strings.ContainsFunc(steady(l.Name), unicode.IsLetter) {
		return nil
	}
	words := figure.Split(l.Name, -1)
	for i := range words {
		words[i] = regexp.QuoteMeta(words[i])
	}
	p.selector, p.assertion = "", qa.Assertion{Type: qa.TextMatches, Expected: strings.Join(words, `\d[\d.,]*`)}
	return p
}

// explained reports whether each figure of a line is known where it comes from: it was typed, it stood
// on the page, or another one stood in its place.
func (b *Builder) explained(l *record.Line, before *record.Look) bool {
	if dated(l.Name) {
		return false
	}
	class, words := classOf(l), b.words()
	for i := range before.Lines {
		old := &before.Lines[i]
		if classOf(old) == class && old.Selector != "" {
			return true
		}
		words = append(words, old.Name)
	}
	for _, n := range figure.FindAllString(l.Name, -1) {
		if !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(figure.FindAllString(w, -1), n) }) {
			return false
		}
	}
	return true
}

// left returns the assertion that a line is not seen any more.
func (b *Builder) left(l *record.Line, after *record.Look, is map[string]bool, e *entry) *proposal {
	class := classOf(l)
	if l.Selector == "" || l.Name == "" || len(l.Name) > maxQuoted || is[l.Role+" "+l.Name] || b.own[class] || dated(l.Name) || b.tellsSecret(l.Name) || e.on != nil && l.Selector == e.on.Path() {
		return nil
	}
	for i := range after.Lines {
		now := &after.Lines[i]
		if classOf(now) == class {
			return nil // another figure stands in its place, which says more
		}
	}
	return &proposal{selector: l.Selector, assertion: qa.Assertion{Type: qa.Hidden}, class: class}
}

// tellsSecret reports whether a text says a secret that was typed.
func (b *Builder) tellsSecret(text string) bool {
	return slices.ContainsFunc(b.entries, func(e *entry) bool {
		return e.secret && len(e.step.Value) >= leastTyped && strings.Contains(text, e.step.Value)
	})
}

// noteOwn notes which lines are others while nothing is done.
func (b *Builder) noteOwn(before, after *record.Look) {
	was, is := namesOf(before), namesOf(after)
	gone := map[string]bool{}
	for i := range before.Lines {
		l := &before.Lines[i]
		if !is[l.Role+" "+l.Name] {
			gone[classOf(l)] = true
		}
	}
	for i := range after.Lines {
		l := &after.Lines[i]
		if !was[l.Role+" "+l.Name] && gone[classOf(l)] {
			b.own[classOf(l)] = true
		}
	}
}

func samePage(a, b string) bool {
	pathA, _, _ := strings.Cut(a, "#")
	pathB, _, _ := strings.Cut(b, "#")
	return pathA == pathB
}

// addressOf returns the assertion that another address is shown. Parts that are other ones for each record fit any.
func addressOf(before, after string, e *entry) *proposal {
	was, errWas := url.Parse(before)
	is, err := url.Parse(after)
	if err != nil || errWas != nil || is.Host == "" || explore.AddressPattern(was) == explore.AddressPattern(is) && was.Host == is.Host || e.step.Action == "navigate" && e.step.URL == after {
		return nil
	}
	return &proposal{assertion: qa.Assertion{Type: qa.URLMatches, Expected: explore.AddressPattern(is)}}
}
