package layout

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// inherited lists the styles that an element has from its parent when a map does
// not hold them.
var inherited = map[string]bool{"color": true, "letter-spacing": true, "text-align": true, "text-transform": true, "text-shadow": true, "visibility": true,
	"fill": true, "stroke": true, "font-family": true, "font-size": true, "font-weight": true, "font-style": true, "line-height": true,
	"list-style-type": true, "word-spacing": true}

// significance orders the styles of one element: the first that changed is the
// one that its change is called by. Those before "padding" are painted only,
// and move nothing.
var significance = []string{"visibility", "background-color", "background-image", "color", "border-color", "border-style", "box-shadow", "opacity", "fill", "stroke", "filter",
	"text-decoration-line", "text-shadow", "outline", "border-radius", "background-position", "clip-path", "mask-image", "mix-blend-mode", "object-fit", "object-position",
	"list-style-type", "z-index", "font-size", "font-weight", "font-family", "font-style", "letter-spacing", "word-spacing", "line-height", "text-transform", "text-align",
	"padding", "margin", "gap", "border-width", "transform", "rotate", "scale", "translate",
	"flex-direction", "order", "justify-content", "align-items", "float", "position", "display", "vertical-align"}

// movingStyles lists the styles that move what stands in an element or beside it,
// even where its own box stays.
var movingStyles = map[string]bool{"padding": true, "margin": true, "gap": true, "border-width": true, "transform": true, "flex-direction": true, "order": true, "justify-content": true,
	"align-items": true, "float": true, "position": true, "display": true, "vertical-align": true, "text-align": true, "line-height": true, "font-size": true,
	"font-weight": true, "font-family": true, "font-style": true, "letter-spacing": true, "word-spacing": true, "text-transform": true, "translate": true, "scale": true, "rotate": true}

// spacing reports whether a style, or one side of it, is a shifting one.
func spacing(property string) bool {
	whole, _, _ := strings.Cut(property, "-")
	return movingStyles[property] || movingStyles[whole] || strings.HasSuffix(property, "-width")
}

// initialValue returns the value of a style that a map leaves out.
func initialValue(property string) string {
	switch property {
	case "background-color":
		return "transparent"
	case "border-radius", "padding", "margin", "border-width", "::before width", "::after width":
		return "0px"
	case "border-color", "fill", "stroke":
		return "currentcolor"
	case "opacity":
		return "1"
	case "display":
		return "block"
	case "position":
		return "static"
	case "flex-direction":
		return "row"
	case "vertical-align":
		return "baseline"
	case "order":
		return "0"
	case "background-position":
		return "0% 0%"
	case "object-position":
		return "50% 50%"
	case "object-fit":
		return "fill"
	case "z-index":
		return "auto"
	case "list-style-type":
		return "disc"
	case "word-spacing":
		return "0px"
	case "gap", "justify-content", "align-items", "mix-blend-mode":
		return "normal"
	}
	return "none"
}

// version2Styles lists the styles that maps of version 2 hold, and older ones don't.
var version2Styles = map[string]bool{"background-position": true, "clip-path": true, "mask-image": true, "rotate": true, "scale": true, "translate": true, "z-index": true,
	"mix-blend-mode": true, "object-fit": true, "object-position": true, "list-style-type": true, "word-spacing": true}

// styleEdit records a style whose value changed.
type styleEdit struct{ property, from, to string }

func rank(property string) int {
	if i := slices.Index(significance, property); i >= 0 {
		return i
	}
	return len(significance)
}

// styleEdits returns the styles of a pair that changed by themselves, most
// significant first: not those that it has from an element around it, nor
// those that follow a size of type that changed around it.
func (p *pairing) styleEdits(b, a int) []styleEdit {
	x, y := p.before.all[b].Styles, p.after.all[a].Styles
	var out []styleEdit
	var ratios []float64
	for _, styles := range []map[string]string{x, y} {
		for property := range styles {
			from, to := p.before.effectiveStyle(b, property), p.after.effectiveStyle(a, property)
			if from == to || version2Styles[property] && p.before.version != p.after.version || slices.ContainsFunc(out, func(e styleEdit) bool { return e.property == property }) {
				continue
			}
			if ratios == nil {
				ratios = p.typeRatios(a)
			}
			if !p.follows(b, a, property, from, to, ratios) {
				out = append(out, styleEdit{property, from, to})
			}
		}
	}
	slices.SortFunc(out, func(e, f styleEdit) int {
		if d := rank(e.property) - rank(f.property); d != 0 {
			return d
		}
		return strings.Compare(e.property, f.property)
	})
	return out
}

// typeRatios returns by how much the size of type changed around a pair, and, as
// the first, in it.
func (p *pairing) typeRatios(a int) []float64 {
	ratios := []float64{1}
	for own := true; a >= 0; own, a = false, p.after.all[a].Parent {
		b := p.toBefore[a]
		if b < 0 {
			continue
		}
		from, to := pixels(p.before.effectiveStyle(b, "font-size")), pixels(p.after.effectiveStyle(a, "font-size"))
		if len(from) != 1 || len(to) != 1 || from[0] <= 0 || from[0] == to[0] {
			continue
		}
		if own {
			ratios[0] = to[0] / from[0]
		} else if r := to[0] / from[0]; !slices.Contains(ratios[1:], r) {
			ratios = append(ratios, r)
		}
	}
	return ratios
}

// follows reports whether a style's change comes from elsewhere: from the parent
// that it is inherited from, or from a size of type that it is a multiple of.
func (p *pairing) follows(b, a int, property, from, to string, ratios []float64) bool {
	if inherited[property] {
		_, has := p.after.all[a].Styles[property]
		_, hasBefore := p.before.all[b].Styles[property]
		if !has && !hasBefore {
			return true
		}
		up, upBefore := p.after.all[a].Parent, p.before.all[b].Parent
		if up >= 0 && upBefore >= 0 && p.before.effectiveStyle(upBefore, property) == from && p.after.effectiveStyle(up, property) == to {
			return true
		}
	}
	if property == "font-size" {
		ratios = ratios[1:]
	}
	f, t := pixels(from), pixels(to)
	if len(f) == 0 || len(f) != len(t) {
		return false
	}
	return slices.ContainsFunc(ratios, func(r float64) bool {
		if r == 1 {
			return false
		}
		for i := range f {
			if math.Abs(f[i]*r-t[i]) > max(0.02*math.Abs(t[i]), 0.6) {
				return false
			}
		}
		return true
	})
}

var length = pattern.New(`(-?[0-9.]+(?:e-?[0-9]+)?)px`)

// pixels returns the lengths of a value, if it has nothing else but zeros.
func pixels(value string) []float64 {
	var out []float64
	for _, word := range strings.Fields(value) {
		m := length.FindStringSubmatch(word)
		if m == nil || m[0] != word {
			return nil
		}
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return nil
		}
		out = append(out, n)
	}
	return out
}

// singleSide writes the one side of padding, margin or border that changed, if it
// is one: margin-top for margin.
func (e styleEdit) singleSide() styleEdit {
	if e.property != "padding" && e.property != "margin" && !strings.HasPrefix(e.property, "border-") || e.property == "border-radius" {
		return e
	}
	f, t := fourSides(e.from), fourSides(e.to)
	changed := -1
	for i := range f {
		if f[i] == t[i] {
			continue
		}
		if changed >= 0 {
			return e
		}
		changed = i
	}
	if changed < 0 {
		return e
	}
	side := [4]string{"top", "right", "bottom", "left"}[changed]
	property := e.property + "-" + side
	if what, ok := strings.CutPrefix(e.property, "border-"); ok {
		property = "border-" + side + "-" + what
	}
	return styleEdit{property, f[changed], t[changed]}
}

// fourSides reads a value of one to four sides, as CSS does.
func fourSides(value string) [4]string {
	var words []string
	depth, start := 0, 0
	for i := 0; i <= len(value); i++ {
		switch {
		case i == len(value) || value[i] == ' ' && depth == 0:
			if i > start {
				words = append(words, value[start:i])
			}
			start = i + 1
		case value[i] == '(':
			depth++
		case value[i] == ')':
			depth--
		}
	}
	switch len(words) {
	case 1:
		return [4]string{words[0], words[0], words[0], words[0]}
	case 2:
		return [4]string{words[0], words[1], words[0], words[1]}
	case 3:
		return [4]string{words[0], words[1], words[2], words[1]}
	case 4:
		return [4]string(words)
	}
	return [4]string{value, value, value, value}
}
