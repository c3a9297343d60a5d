package kpi

import (
	"math/big"
	"slices"
	"strings"
)

// between stand between two pairs of label and value in a line.
const between = "·|•;"

// behindLabel may stand between a label and its value.
const behindLabel = ":：*·•=|–— -" + string(nbsp)

// lineFigure describes a figure that stands in a line with its label.
type lineFigure struct {
	labels []string // what may be its label: all words before it, or those of the last element
	tail   string   // the words behind it
	value  Parsed
	alone  bool // it is the only figure of the line
}

// lineFigures reads a line as labels with their figures side by side, such as Orders:
// 1,078 · Revenue $12. cuts are where one element ends and another begins.
func (p *Page) lineFigures(line int, text string, cuts []int) []lineFigure {
	runes := normalise(text)
	if len(text) > maxText {
		return nil
	}
	if len([]rune(text)) != len(runes) { // what is invisible was dropped, and the places are others
		cuts = nil
	}
	l := p.lexicons[line]
	tokens := l.scan(runes)
	var out []lineFigure
	from := 0
	for i, t := range tokens {
		begin := max(from, t.start)
		lead := string(runes[from:begin])
		start := from
		from = max(from, t.end)
		if unsaid := p.unsaid && t.isUnsaid(runes); !unsaid && (len(t.readings) == 0 && (!p.compounds || !t.compound) || t.rank == rankTrend || t.rank == rankWorded && len(tokens) > 1) {
			continue
		}
		if at := strings.LastIndexAny(lead, between); at >= 0 {
			start += len([]rune(lead[:at])) + 1
			lead = string(runes[start:begin])
		}
		s := lineFigure{labels: []string{strings.TrimRight(lead, behindLabel)}, alone: len(tokens) == 1,
			value: l.valueOf(runes, t)}
		tail := ownTail(runes, tokens, i)
		if unknown := l.unknownWords(tail, false, false); len(unknown) > 0 { // they are compared with it
			s.value.Unread, s.value.Text = append(s.value.Unread, unknown...), strings.TrimSpace(string(runes[t.start:t.end])+string(tail))
		}
		if i < len(tokens)-1 && strings.TrimSpace(string(runes[t.end:max(t.end, tokens[i+1].start)])) == "/" { // 500 / 1,000
			s.value.Text, s.value.Rest = string(runes[t.start:tokens[i+1].end]), []string{string(runes[tokens[i+1].start:tokens[i+1].end])}
			s.value.Unread = append(s.value.Unread, "/")
		}
		if i > 0 {
			for _, cut := range cuts {
				if cut > start && cut < begin {
					s.labels = append(s.labels, strings.TrimRight(string(runes[cut:begin]), behindLabel))
				}
			}
		}
		if trimmed := strings.TrimSpace(lead); strings.HasSuffix(strings.TrimSpace(strings.TrimRight(trimmed, "-–—")), ":") && !strings.HasSuffix(trimmed, ":") {
			s.value = s.value.negated() // Profit: - 5
		}
		s.tail, _, _ = strings.Cut(string(runes[t.end:]), "·")
		out = append(out, s)
	}
	return out
}

// ownTail returns what stands behind the figure i of a line and belongs to no other
// one: up to a mark that parts two pairs, or all behind the last. Brackets with figures
// are passed over; what stands before them is its own.
func ownTail(runes []rune, tokens []token, i int) []rune {
	from, next := tokens[i].end, i+1
	var own []rune
	for next < len(tokens) {
		open, end := bracketsAround(runes, from, tokens[next].start)
		if end < 0 {
			break
		}
		if strings.ContainsAny(string(runes[from:open]), between) {
			return append(own, untilMark(runes[from:open])...)
		}
		own, from = append(own, runes[from:open]...), end
		for next < len(tokens) && tokens[next].start < end {
			next++
		}
	}
	if next == len(tokens) {
		return append(own, runes[min(from, len(runes)):]...)
	}
	return append(own, untilMark(runes[from:max(from, tokens[next].start)])...)
}

// untilMark returns what stands before the last mark that parts two pairs; nothing where
// there is none.
func untilMark(s []rune) []rune {
	text := string(s)
	return []rune(text[:max(0, strings.LastIndexAny(text, between))])
}

// bracketsAround returns where the brackets begin and end that are opened behind from and
// are around i; end is -1 where none are.
func bracketsAround(runes []rune, from, i int) (open, end int) {
	open = slices.Index(runes[from:max(from, min(i, len(runes)))], '(')
	if open < 0 {
		return 0, -1
	}
	if end = slices.Index(runes[from+open:], ')'); end < 0 || from+open+end < i {
		return 0, -1
	}
	return from + open, from + open + end + 1
}

// negated returns a text whose sign is separated from its digits.
func (p Parsed) negated() Parsed {
	out := p
	out.Text, out.Readings = "−"+p.Text, nil
	for _, n := range p.Readings {
		n.Value = new(big.Rat).Neg(n.Value)
		out.Readings = append(out.Readings, n)
	}
	return out
}

// inLines finds texts in which the label stands beside its value: before it, or,
// ahead, behind it.
func (f *valueFinder) inLines(is func(string) bool, ahead bool) {
	for i, t := range f.Texts {
		if t.Kind != "text" || f.inMenu(t.Box) {
			continue
		}
		for _, s := range f.lineFigures(i, t.Text, t.Cuts) {
			for _, label := range s.labels {
				if !ahead && is(label) {
					f.addLine(i, s.value, label)
					break
				}
			}
			if ahead && s.alone && len(words(s.labels[0])) == 0 && is(s.tail) {
				f.addLine(i, s.value, s.tail)
			}
		}
		if rest, ok := labelIn(t.Text, f.label); ok && !ahead && is(f.label) && rest != "" {
			if v := f.lexicons[i].parse(rest); v.NoValue {
				f.add(i, v, "text", false)
			}
		}
	}
}

func (f *valueFinder) addLine(text int, value Parsed, label string) {
	f.asked = strings.TrimSpace(label)
	f.add(text, value, "text", !f.whole(label))
}

// whole reports whether a text is the whole label, with its unit or without.
func (f *valueFinder) whole(text string) bool {
	is, _ := f.isLabel(text)
	return is
}

// part reports whether a text has the label's words and more.
func (f *valueFinder) part(text string) bool {
	return contains(text, f.label) && !f.known[normal(text)] && !f.whole(text)
}

// namesOtherKPI reports whether a figure's own text names another KPI.
func (f *valueFinder) namesOtherKPI(figure int) bool {
	t := f.Texts[figure]
	if f.values[figure].Whole {
		return false
	}
	for _, s := range f.lineFigures(figure, t.Text, t.Cuts) {
		for _, label := range s.labels {
			if f.known[normal(label)] {
				return true
			}
		}
	}
	return false
}
