package element

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
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

// doubt says why the first candidate is not taken for the element by itself.
func (p Pair) doubt() string {
	best := p.Best[0]
	switch {
	case Known(p.Old) < Enough:
		return "too little is known of the old element"
	case best.Score < Floor:
		return fmt.Sprintf("the best candidate has %.3f of what is known of it, less than %.2f", best.Score, Floor)
	case p.Margin < Margin:
		return fmt.Sprintf("the best candidate is %.3f ahead of the next, less than %.2f", p.Margin, Margin)
	case !best.Element.Visible:
		return "the best candidate is not visible"
	}
	why := differs(p.Old, best.Element)
	if why == "" && p.Old.Twins > 0 && !told(p.Old, best.Element) {
		why = "others on its page were called the same, and nothing tells it from them"
	}
	return why
}

// Decide looks for an element among those of two looks at a page. Others are the elements
// that were known of its page, with or without itself; nil: it alone is known. May says
// what else keeps a candidate from being taken without a person; it may be nil.
func Decide(old Element, others []Element, looks [2][]Element, may func(now Element) string) Pair {
	all := append([]Element{old}, slices.DeleteFunc(slices.Clone(others), old.sameSpot)...)
	p, again := assign(all, looks[0]).pair(0), assign(all, looks[1]).pair(0)
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
func Drifted(old Element, others []Element, now Element, looks [2][]Element) bool {
	p := Decide(old, others, looks, nil)
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
	case called(old, now) != "":
		return called(old, now)
	case farApart(old.Landmark, now.Landmark):
		return fmt.Sprintf("it stood in %s, and the best candidate stands in %s", cmp.Or(old.Landmark, "no landmark"), cmp.Or(now.Landmark, "none"))
	}
	return ""
}

// called says what an element is called otherwise; empty: it is called the same.
func called(old, now Element) string {
	switch {
	case old.Name != "" && !SameName(old.Name, now.called()) && !isStart(old.Name, now.Name):
		return fmt.Sprintf("it was called %q, and the best candidate %q", old.Name, now.called())
	case old.Name == "" && old.Text != "" && !SameName(old.Text, now.Text) && !SameName(old.Text, now.called()):
		return fmt.Sprintf("it said %q, and the best candidate %q", old.Text, now.called())
	case old.called() == "" && now.Name != "":
		return fmt.Sprintf("it was called nothing, and the best candidate %q", now.Name)
	}
	return ""
}

// comparable reports whether an element may be another one at all: of one without a role the
// tag is what is known.
func mayBeOne(old, now Element) bool {
	return now.Family() == old.Family() || old.Role == "" && now.Tag == old.Tag
}

type ranked struct {
	Candidate
	at int // of the later look
}

// rank returns the candidates of the same family, the best first.
func rank(old Element, all []Element) []ranked {
	var out []ranked
	for i, e := range all {
		if !mayBeOne(old, e) {
			continue
		}
		if score, unnamed := scores(old, e); score >= Least || unnamed >= Renamed {
			out = append(out, ranked{Candidate{e, score}, i})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Score > out[j].Score })
	return out
}

// ahead returns how far a candidate is before the best other one that is no part of it and
// that it is no part of. It is below 0 where the other one is better.
func ahead(first Candidate, all []Candidate) float64 {
	for _, other := range all {
		if other.Element.Path == first.Element.Path && other.Element.sameSpot(first.Element) || nested(first.Element.Path, other.Element.Path) {
			continue
		}
		return first.Score - other.Score
	}
	return first.Score
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
