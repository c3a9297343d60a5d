package browser

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// String returns the line as printed, without indentation.
func (l outlineLine) String() string {
	mark := ""
	if l.Match == 1 {
		mark = " [match]"
	}
	return l.Prefix + l.Head + mark + l.State
}

// composeOutline writes the requested lines, and what was left out.
func composeOutline(lines []outlineLine, unread int, capped bool, opt OutlineOptions) Outline {
	out := Outline{Lines: len(lines) + unread}
	var cuts []string
	if opt.Find != "" {
		kept := withAncestors(lines)
		cuts = appendCut(cuts, out.Lines-len(kept), "%s not shown for find %q", opt.Find)
		lines = kept
	}
	if opt.Depth > 0 {
		kept := aboveDepth(lines, opt.Depth)
		cuts = appendCut(cuts, len(lines)-len(kept), "%s lie deeper than depth %d", opt.Depth)
		lines = kept
	}
	limit := opt.MaxChars
	if limit <= 0 {
		limit = DefaultOutlineChars
	}
	var text string
	text, out.Shown = fitLines(lines, limit)
	if opt.Find != "" {
		unread = 0 // a search has them all
	}
	if left := len(lines) - out.Shown + unread; left > 0 {
		cuts = append([]string{plural(left, "more line")}, cuts...)
	}
	if capped {
		cuts = append(cuts, "the page is larger than an outline reads")
	}
	if len(cuts) > 0 {
		out.Cut = "… " + strings.Join(cuts, ", ") + "; narrow with root, find or depth, or raise depth or max_chars"
	}
	out.Text = text + out.Cut
	return out
}

func appendCut(cuts []string, n int, format string, arg any) []string {
	if n <= 0 {
		return cuts
	}
	return append(cuts, fmt.Sprintf(format, plural(n, "line"), arg))
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// withAncestors keeps the lines that match and those they stand under.
func withAncestors(lines []outlineLine) []outlineLine {
	keep := make([]bool, len(lines))
	var path []int // the open line at each depth
	for i, line := range lines {
		for len(path) > 0 && lines[path[len(path)-1]].Depth >= line.Depth {
			path = path[:len(path)-1]
		}
		path = append(path, i)
		if line.Match == 1 {
			for _, up := range path {
				keep[up] = true
			}
		}
	}
	var kept []outlineLine
	for i, line := range lines {
		if keep[i] {
			kept = append(kept, line)
		}
	}
	return kept
}

func aboveDepth(lines []outlineLine, depth int) []outlineLine {
	var kept []outlineLine
	for _, line := range lines {
		if line.Depth < depth {
			kept = append(kept, line)
		}
	}
	return kept
}

// fitLines writes as many whole lines as fit in limit characters.
func fitLines(lines []outlineLine, limit int) (text string, shown int) {
	var b strings.Builder
	for _, line := range lines {
		s := strings.Repeat("  ", line.Depth) + line.String() + "\n"
		if limit -= utf8.RuneCountInString(s); limit < 0 {
			break
		}
		b.WriteString(s)
		shown++
	}
	return b.String(), shown
}
