package explore

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// family is what is known of the views of one path: which lines they have. A view is of a
// new kind where it has a line that none before it had, or lacks one that all had. What
// combines parts that other views of the path have shown apart is no new kind.
type family struct {
	some   map[string]bool // lines that a view had
	all    map[string]bool // lines, without those of texts, that each view had
	states []*state
}

// lines lists what a view shows, a line for each kind of node.
func (v *view) lines(mask *StateMask) map[string]bool {
	if v.shown != nil {
		return v.shown
	}
	v.shown = map[string]bool{}
	v.tree.root.eachLine(mask, func(n *node) { v.shown[lineOf(n)] = true })
	_, query, _ := strings.Cut(v.id.Place, "?")
	query, _, _ = strings.Cut(query, "#")
	for part := range strings.SplitSeq(query, "&") {
		v.shown[queryLine+part] = true
	}
	for _, o := range v.id.Overlays {
		v.shown["overlay "+o] = true
	}
	if len(v.page.Skeleton) > 0 && len(mask.nodes) == 0 {
		v.shown["skeleton "+digest(skeletonShape(v.page.Skeleton))] = true
	}
	return v.shown
}

// eachLine visits what is not masked of a subtree.
func (n *node) eachLine(mask *StateMask, visit func(*node)) {
	for _, k := range n.kids {
		if mask.nodes[k.path] {
			continue
		}
		if k.role != "option" {
			visit(k)
		}
		k.eachLine(mask, visit)
	}
}

// queryLine begins the lines of the parts of the query of an address.
const queryLine = "?"

// textLine begins the lines of what only says something.
const textLine = "text "

// lineOf writes a node as a short line that equal kinds of nodes share.
func lineOf(n *node) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(n.path + "\x1f" + n.class + "\x1f" + coarseState(n.state))) // it never fails
	line := strconv.FormatUint(h.Sum64(), 36)
	if n.element == nil && telling(n.scan) <= 1 {
		return textLine + line
	}
	return line
}

// nearest returns the state of a family that is most like a view; nil where the view is of
// a new kind.
func (f *family) nearest(v *view, lines map[string]bool) *state {
	if f.novel(lines) {
		return nil
	}
	var best *state
	most := -1
	for _, s := range f.states {
		if !slices.Equal(s.overlays, v.id.Overlays) {
			continue
		}
		if n := likeness(s.lines, lines); n > most {
			best, most = s, n
		}
	}
	return best
}

// likeness counts the lines that two views share, and takes off those that one has alone.
// What only says something counts least.
func likeness(a, b map[string]bool) int {
	weight := func(line string) int {
		if strings.HasPrefix(line, textLine) {
			return 1
		}
		return 4
	}
	n := 0
	for line := range a {
		if b[line] {
			n += weight(line)
		} else {
			n -= weight(line)
		}
	}
	for line := range b {
		if !a[line] {
			n -= weight(line)
		}
	}
	return n + 1_000_000
}

// shared returns the share of the lines of two views that both have, but for those of the
// query of their addresses.
func shared(a, b map[string]bool) float64 {
	both, all := 0, 0
	for line := range a {
		if strings.HasPrefix(line, queryLine) {
			continue
		}
		all++
		if b[line] {
			both++
		}
	}
	for line := range b {
		if !strings.HasPrefix(line, queryLine) && !a[line] {
			all++
		}
	}
	return float64(both) / float64(max(all, 1))
}

func (f *family) novel(lines map[string]bool) bool {
	return f.novelBy(lines, func(string) bool { return true })
}

// variant reports whether a view differs from those before it by the query of its address
// alone: what can be done there can be done in these.
func (f *family) variant(lines map[string]bool) bool {
	return !f.novelBy(lines, func(line string) bool { return !strings.HasPrefix(line, queryLine) })
}

// novelBy reports whether a view is of a new kind by those lines that count.
func (f *family) novelBy(lines map[string]bool, counts func(line string) bool) bool {
	for line := range lines {
		if counts(line) && !f.some[line] {
			return true
		}
	}
	for line := range f.all {
		if counts(line) && !lines[line] {
			return true
		}
	}
	return len(f.states) == 0
}

// learn enters what a view of the family shows.
func (f *family) learn(lines map[string]bool) {
	if f.all == nil {
		f.all = map[string]bool{}
		for line := range lines {
			if !strings.HasPrefix(line, textLine) {
				f.all[line] = true
			}
		}
	}
	for line := range lines {
		f.some[line] = true
	}
	for line := range f.all {
		if !lines[line] {
			delete(f.all, line)
		}
	}
}
