package similar

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

// Decision says what became of an element.
type Decision struct {
	Sure   bool        // the first candidate is the element
	Why    string      // it is not sure; empty if it is
	Best   []Candidate // those of a proposal, the best first; none: it is gone
	Margin float64     // of the first before the second
}

// Gone reports whether nothing on the page comes near to the element.
func (d Decision) Gone() bool { return len(d.Best) == 0 }

// Decide looks for an element among those of two looks at a page. May says what else
// keeps a candidate from being taken without a person; it may be nil.
func Decide(old Element, looks [2][]Element, may func(now Element) string) Decision {
	first, second := rank(old, looks[0]), rank(old, looks[1])
	d := Decision{Best: first[:min(len(first), Shown)]}
	if d.Gone() {
		d.Why = "nothing on the page comes near to it"
		return d
	}
	best := first[0]
	d.Margin = ahead(first)
	switch {
	case Known(old) < Enough:
		d.Why = "too little is known of the old element"
	case best.Score < Floor:
		d.Why = fmt.Sprintf("the best candidate has %.3f of what is known of it, less than %.2f", best.Score, Floor)
	case d.Margin < Margin:
		d.Why = fmt.Sprintf("the best candidate is %.3f ahead of the next, less than %.2f", d.Margin, Margin)
	case len(second) == 0 || !best.Element.Same(second[0].Element) || second[0].Score < Floor || ahead(second) < Margin:
		d.Why = "a second look at the page found it otherwise"
	case !best.Element.Visible:
		d.Why = "the best candidate is not visible"
	case !SameName(old.Name, best.Element.Name):
		d.Why = fmt.Sprintf("it was called %q, and the best candidate %q", old.Name, best.Element.Name)
	case old.Name == "" && !SameName(old.Text, best.Element.Text):
		d.Why = fmt.Sprintf("it said %q, and the best candidate %q", old.Text, best.Element.Text)
	case old.Twins > 0 && !told(old, best.Element):
		d.Why = "others on its page were called the same, and nothing tells it from them"
	case farApart(old.Landmark, best.Element.Landmark):
		d.Why = fmt.Sprintf("it stood in %s, and the best candidate stands in %s", cmp.Or(old.Landmark, "no landmark"), cmp.Or(best.Element.Landmark, "none"))
	default:
		if may != nil {
			d.Why = may(best.Element)
		}
	}
	d.Sure = d.Why == ""
	return d
}

// rank returns the candidates of the same family, the best first.
func rank(old Element, all []Element) []Candidate {
	var out []Candidate
	for _, e := range all {
		if e.Family() != old.Family() {
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
	return same(a.ID, b.ID) || same(a.TestID, b.TestID) || same(a.Href, b.Href) && !strings.HasSuffix(a.Href, "#") || same(a.Path, b.Path) && same(a.Near, b.Near)
}

// farApart reports whether an element came into a part of the page that stands for no
// other, or went out of a dialog: what was in the content is not what is in the footer.
func farApart(old, now string) bool {
	return old != now && (slices.Contains([]string{"contentinfo", "banner", "dialog"}, now) || old == "dialog")
}
