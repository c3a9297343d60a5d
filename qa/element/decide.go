package element

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Bounds of what is healed without a person. They are set so that an element that is
// gone is hardly ever healed onto another: see docs/heal.md for what that costs.
const (
	Floor   = .75 // share of what is known of the old element
	Margin  = .10 // ahead of the next
	Least   = .45 // below it, there is no candidate…
	Renamed = .60 // …unless it has so much of what is known beside the name
	Enough  = 6   // weight of what has to be known of the old element
	Shown   = 3   // candidates of a proposal
)

// Candidate is an element with its score.
type Candidate struct {
	Element Element `json:"element"`
	Score   float64 `json:"score"`
}

// Pair is an element of a look at a page with those of a later look that come near to it.
type Pair struct {
	Old    Element
	Best   []Candidate // the best first, at most those of a proposal; none: it is gone
	Margin float64     // of the first before the second
	Why    string      // why the first is not taken for the element; empty if it is
}

// Sure reports whether the first candidate is the element.
func (p Pair) Sure() bool { return p.Why == "" }

// Gone reports whether nothing on the page comes near to the element.
func (p Pair) Gone() bool { return len(p.Best) == 0 }

// Match looks for each of the old elements among those of a later look.
func Match(old, now []Element) []Pair {
	out := make([]Pair, len(old))
	for i, e := range old {
		out[i] = match(e, now)
	}
	return out
}

func match(old Element, now []Element) Pair {
	all := rank(old, now)
	p := Pair{Old: old, Best: all[:min(len(all), Shown)]}
	if p.Gone() {
		p.Why = "nothing on the page comes near to it"
		return p
	}
	best := all[0]
	p.Margin = ahead(all)
	switch {
	case Known(old) < Enough:
		p.Why = "too little is known of the old element"
	case best.Score < Floor:
		p.Why = fmt.Sprintf("the best candidate has %.3f of what is known of it, less than %.2f", best.Score, Floor)
	case p.Margin < Margin:
		p.Why = fmt.Sprintf("the best candidate is %.3f ahead of the next, less than %.2f", p.Margin, Margin)
	case !best.Element.Visible:
		p.Why = "the best candidate is not visible"
	default:
		p.Why = differs(old, best.Element)
	}
	if p.Why == "" && old.Twins > 0 && !told(old, best.Element) {
		p.Why = "others on its page were called the same, and nothing tells it from them"
	}
	return p
}

// Decide looks for an element among those of two looks at a page. May says what else
// keeps a candidate from being taken without a person; it may be nil.
func Decide(old Element, looks [2][]Element, may func(now Element) string) Pair {
	p, again := match(old, looks[0]), match(old, looks[1])
	switch {
	case !p.Sure():
	case !again.Sure() || !p.Best[0].Element.sameSpot(again.Best[0].Element):
		p.Why = "a second look at the page found it otherwise"
	case may != nil:
		p.Why = may(p.Best[0].Element)
	}
	return p
}

// Drifted reports whether a locator that led to an element leads to another one now, while
// that one is elsewhere on the page.
func Drifted(old, now Element, looks [2][]Element) bool {
	p := Decide(old, looks, nil)
	return p.Sure() && !p.Best[0].Element.sameSpot(now) && p.Best[0].Score-Score(old, now) >= Margin
}

// Same reports whether an element that is met where another one was is that one: the very
// role, called the same, and told from its namesakes by the same.
func Same(old, now Element) bool {
	field := func(e Element) string { return cmp.Or(e.FormName, e.Placeholder) }
	return differs(old, now) == "" && old.Role == now.Role && old.Within == now.Within && (old.Twins > 0) == (now.Twins > 0) &&
		(old.Name != "" || field(old) == field(now)) && (old.Path == "" || old.Path == now.Path)
}

// differs says by what an element can't be another one; empty: by nothing.
func differs(old, now Element) string {
	switch {
	case old.Role != "" && old.Family() != now.Family() || old.Role == "" && old.Tag != now.Tag && old.Tag != "":
		return fmt.Sprintf("it was %s, and the best candidate is %s", cmp.Or(old.Role, old.Tag), cmp.Or(now.Role, now.Tag))
	case old.takes() != now.takes() && old.Type != "" && now.Type != "":
		return fmt.Sprintf("it took %s, and the best candidate takes %s", old.takes(), now.takes())
	case old.Name != "" && !SameName(old.Name, now.called()) && !isStart(old.Name, now.Name):
		return fmt.Sprintf("it was called %q, and the best candidate %q", old.Name, now.called())
	case old.Name == "" && old.Text != "" && !SameName(old.Text, now.Text) && !SameName(old.Text, now.called()):
		return fmt.Sprintf("it said %q, and the best candidate %q", old.Text, now.called())
	case old.called() == "" && now.Name != "":
		return fmt.Sprintf("it was called nothing, and the best candidate %q", now.Name)
	case farApart(old.Landmark, now.Landmark):
		return fmt.Sprintf("it stood in %s, and the best candidate stands in %s", cmp.Or(old.Landmark, "no landmark"), cmp.Or(now.Landmark, "none"))
	}
	return ""
}

// rank returns the candidates of the same family, the best first.
func rank(old Element, all []Element) []Candidate {
	var out []Candidate
	for _, e := range all {
		if e.Family() != old.Family() && (old.Role != "" || e.Tag != old.Tag) { // of an element without a role the tag is what is known
			continue
		}
		if score := Score(old, e); score >= Least || unnamed(old, e) >= Renamed {
			out = append(out, Candidate{e, score})
		}
	}
	slices.SortStableFunc(out, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

// ahead returns how far the first candidate is before the next that is no part of it and
// that it is no part of.
func ahead(all []Candidate) float64 {
	for _, other := range all[1:] {
		if !nested(all[0].Element.Path, other.Element.Path) {
			return all[0].Score - other.Score
		}
	}
	return all[0].Score
}

func nested(a, b string) bool {
	return a != "" && b != "" && (strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/"))
}

// told reports whether two elements share what tells one from its namesakes: a key, or
// both their place and what is said around it.
func told(a, b Element) bool {
	same := func(x, y string) bool { return x != "" && x == y }
	return same(a.Within, b.Within) || same(a.ID, b.ID) || same(a.TestID, b.TestID) || same(a.Href, b.Href) && !strings.HasSuffix(a.Href, "#") || same(a.Path, b.Path) && same(a.Near, b.Near)
}

// called returns what people call an element by.
func (e Element) called() string { return cmp.Or(e.Name, e.Text) }

// isStart reports whether a name that was cut is the start of another one.
func isStart(old, now string) bool {
	start, cut := strings.CutSuffix(old, "…")
	return cut && strings.HasPrefix(now, start)
}

// farApart reports whether an element came into a part of the page that stands for no
// other, or went out of a dialog: what was in the content is not what is in the footer.
func farApart(old, now string) bool {
	return old != now && (slices.Contains([]string{"contentinfo", "banner", "dialog"}, now) || old == "dialog")
}
