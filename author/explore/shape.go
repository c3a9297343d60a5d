package explore

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/browser/scan"
	"github.com/assay-qa/assay/internal/pattern"
)

// StateTree is the outline of a page as states are compared by it.
type StateTree struct {
	root   *node
	place  string
	texts  []string // all that is said, for the exact id
	seen   []*node  // in reading order, one for each node of the scan
	repeat map[int]string
}

// node is one node of the outline.
type node struct {
	role, name, state, class string
	scan                     *scan.Node
	element                  *scan.Element
	kids                     []*node
	path                     string // roles and classes from the root
	form                     string // of its structure, names left out
	list                     string // key of the repeated list that it is an item of
	aside                    bool   // states are compared without it
}

// Read makes a tree of what a scan found at a place.
func Read(page *scan.Page, place string) *StateTree {
	t := &StateTree{root: &node{role: "page"}, place: place, repeat: map[int]string{}}
	stack := []*node{t.root}
	for i := range page.Nodes {
		n := &page.Nodes[i]
		one := &node{role: n.Role, name: n.Name, state: n.State, scan: n}
		if n.Element != nil && *n.Element < len(page.Elements) {
			one.element = &page.Elements[*n.Element]
		}
		if n.Depth+1 < len(stack) {
			stack = stack[:n.Depth+1]
		}
		above := stack[len(stack)-1]
		stack = append(stack, one)
		t.seen = append(t.seen, one)
		if !above.aside && !onlyTip(page.Nodes[i:]) {
			above.kids = append(above.kids, one)
			t.texts = append(t.texts, n.Role+"\x1f"+n.Name+"\x1f"+n.State+"\x1f"+n.Value)
		} else {
			one.aside = true
		}
	}
	t.root.structure()
	records := strings.Contains(place, "{n}")
	t.root.findLists("", false)
	t.root.classify("", records)
	for _, n := range t.seen {
		if n.list != "" && n.scan.Element != nil {
			t.repeat[*n.scan.Element] = n.list
		}
	}
	return t
}

// onlyTip reports whether the first of nodes is a tooltip with nothing to work in it: where the
// pointer has come to rest is no state of the page.
func onlyTip(nodes []scan.Node) bool {
	if nodes[0].Role != "tooltip" {
		return false
	}
	for i, n := range nodes {
		switch {
		case i > 0 && n.Depth <= nodes[0].Depth:
			return true
		case n.Element != nil:
			return false
		}
	}
	return true
}

// List returns the key of the repeated list that an element is part of; "" for none.
func (t *StateTree) List(element int) string { return t.repeat[element] }

// structure computes the form of a subtree without its names.
func (n *node) structure() {
	var b strings.Builder
	b.WriteString(n.role)
	if len(n.kids) > 0 {
		var forms []string
		for _, k := range n.kids {
			k.structure()
			if len(forms) == 0 || forms[len(forms)-1] != k.form {
				forms = append(forms, k.form)
			}
		}
		b.WriteString("(" + strings.Join(forms, ",") + ")")
	}
	n.form = b.String()
	if len(n.form) > 64 {
		sum := sha256.Sum256([]byte(n.form))
		n.form = n.role + hex.EncodeToString(sum[:8])
	}
}

// These say when siblings of the same form are items of one list.
const (
	listItems  = 3
	manyItems  = 40 // of which the addresses need not be alike
	someAlike  = 4  // of so many items at least one pair is alike
	smallTable = 2
)

// findLists marks the items of repeated lists, and all that is in them.
func (n *node) findLists(list string, inside bool) {
	groups := map[string][]*node{}
	for _, k := range n.kids {
		if k.role != "text" {
			groups[k.form] = append(groups[k.form], k)
		}
	}
	lists := map[string]bool{}
	for form, group := range groups {
		lists[form] = isList(group)
	}
	roles := map[string]int{}
	for _, k := range n.kids {
		key, item := list, inside
		switch {
		case !inside && lists[k.form]:
			key, item = n.form+"/"+k.form, true
		case inside && lists[k.form]: // a table of cells that are alike, such as a calendar
			key = list + "." + k.role
		case inside:
			key = list + "." + k.role + strconv.Itoa(roles[k.role])
		}
		roles[k.role]++
		if item {
			k.list = key
		}
		k.findLists(key, item)
	}
}

// isList reports whether siblings of one form are records of one list and not, say,
// the entries of a menu.
func isList(group []*node) bool {
	if len(group) < listItems && (len(group) < smallTable || group[0].role != "row") {
		return false
	}
	if group[0].role == "row" {
		return true
	}
	links, folders, names := map[string]bool{}, map[string]bool{}, map[string]bool{}
	with := 0
	for _, item := range group {
		link, control := item.first("link"), item.firstControl()
		switch {
		case link != nil && link.element != nil && link.element.Href != "":
			with++
			template := PlaceTemplate(link.element.Href)
			links[template] = true
			folders[template[:strings.LastIndex(template, "/")+1]] = true
		case control != nil:
			names[NameClass(control.name)] = true
		}
	}
	few := max(1, len(group)/someAlike)
	switch {
	case with > 0:
		return len(links) <= few || len(group) >= manyItems && len(folders) <= few
	case len(names) > 0:
		return len(names) <= few || len(group) >= manyItems
	}
	return false // texts are merged by their class
}

// first returns the first node of a role in a subtree.
func (n *node) first(role string) *node {
	if n.role == role {
		return n
	}
	for _, k := range n.kids {
		if found := k.first(role); found != nil {
			return found
		}
	}
	return nil
}

func (n *node) firstControl() *node {
	if n.element != nil {
		return n
	}
	for _, k := range n.kids {
		if found := k.firstControl(); found != nil {
			return found
		}
	}
	return nil
}

// classify sets the class of each name, and the paths.
func (n *node) classify(above string, records bool) {
	n.class = n.classOf(records)
	n.path = above + "/" + n.role
	if n.role != "text" {
		n.path += "=" + n.class
	}
	for _, k := range n.kids {
		k.classify(n.path, records)
	}
}

// classOf returns the class of a node's name: of data only what kind it is.
func (n *node) classOf(records bool) string {
	switch {
	case n.role == "text", n.role == "img", n.role == "row":
		return TextClass(n.name)
	case n.name == "":
		return "" // alone as among others
	case n.list != "":
		return "*"
	case n.role == "link" && n.element != nil && strings.Contains(PlaceTemplate(n.element.Href), "{n}"):
		return "→" + PlaceTemplate(n.element.Href)
	case n.role == "heading" && records, n.role == "status" || n.role == "alert" || n.role == "log":
		return TextClass(n.name)
	case n.role == "option":
		return "*"
	}
	return NameClass(n.name)
}

// StateMask holds what changes by itself at a place.
type StateMask struct {
	nodes  map[string]bool // paths of nodes that come and go
	states map[string]bool // paths of nodes whose state changes
	Lines  []string        // what of them has a name, as snapshot lines
}

// Differences adds to a mask what differs between two looks at the same state.
func (m *StateMask) Differences(a, b *StateTree) {
	if m.nodes == nil {
		m.nodes, m.states = map[string]bool{}, map[string]bool{}
	}
	m.compare(a.root, b.root)
	slices.Sort(m.Lines)
	m.Lines = slices.Compact(m.Lines)
}

func (m *StateMask) compare(a, b *node) {
	if a.state != b.state {
		m.states[a.path] = true
		m.line(a)
	}
	if a.name != b.name {
		m.line(a)
		if a.role == "text" { // a look may come before it is there
			m.nodes[a.path] = true
		}
	}
	pairs, onlyA, onlyB := align(a.kids, b.kids)
	for _, p := range pairs {
		m.compare(p[0], p[1])
	}
	for _, n := range append(onlyA, onlyB...) {
		m.nodes[n.path] = true
		m.line(n)
	}
}

func (m *StateMask) line(n *node) {
	if n.name != "" && n.role != "page" {
		m.Lines = append(m.Lines, TreeLine(n.role, n.name))
	}
}

// TreeLine writes a snapshot line.
func TreeLine(role, name string) string {
	return role + ` "` + strings.ReplaceAll(strings.ReplaceAll(name, `\`, `\\`), `"`, `\"`) + `"`
}

// maxAligned bounds the siblings that are aligned with each other.
const maxAligned = 400

// align pairs the children of two nodes that are alike, in order.
func align(a, b []*node) (pairs [][2]*node, onlyA, onlyB []*node) {
	a, b = a[:min(len(a), maxAligned)], b[:min(len(b), maxAligned)]
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].path == b[j].path {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i].path == b[j].path:
			pairs = append(pairs, [2]*node{a[i], b[j]})
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			onlyA, i = append(onlyA, a[i]), i+1
		default:
			onlyB, j = append(onlyB, b[j]), j+1
		}
	}
	return pairs, append(onlyA, a[i:]...), append(onlyB, b[j:]...)
}

// AlikeStates returns the share of nodes that two trees have in common, by their paths.
func AlikeStates(a, b *StateTree) float64 {
	count := map[string]int{}
	for _, n := range a.seen {
		count[n.path]++
	}
	common := 0
	for _, n := range b.seen {
		if count[n.path] > 0 {
			count[n.path]--
			common++
		}
	}
	whole := max(len(a.seen), len(b.seen))
	if whole == 0 {
		return 1
	}
	return float64(common) / float64(whole)
}

// StateID holds the two names of a state: the shape, by which states are told apart and
// counted, and the digest of all that is said.
type StateID struct {
	Place    string
	Shape    string
	Exact    string
	Overlays []string
}

// Key returns the coarse identity in one text.
func (i StateID) Key(principal string) string {
	return strings.Join([]string{i.Place, i.Shape, strings.Join(i.Overlays, "\x1f"), principal}, "\x1e")
}

// Of returns the identity of the state that a scan shows.
func Of(page *scan.Page, t *StateTree, mask *StateMask) StateID {
	if mask == nil {
		mask = &StateMask{}
	}
	shape := t.root.shape(mask)
	if len(page.Skeleton) > 0 && len(mask.nodes) == 0 {
		shape += "\x1e" + skeletonShape(page.Skeleton)
	}
	out := StateID{Place: t.place, Shape: digest(shape), Exact: digest(strings.Join(t.texts, "\n"))}
	for _, o := range page.Overlays {
		out.Overlays = append(out.Overlays, NameClass(o))
	}
	return out
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// shape writes a subtree, equal siblings once.
func (n *node) shape(m *StateMask) string {
	state := coarseState(n.state)
	if m.states[n.path] || n.role == "option" { // what is chosen is a value

		state = ""
	}
	var kids []string
	for _, k := range n.kids {
		if m.nodes[k.path] {
			continue
		}
		if s := k.shape(m); !slices.Contains(kids, s) {
			kids = append(kids, s)
		}
	}
	out := n.role + "\x1f" + state + "\x1f" + n.class + "(" + strings.Join(kids, ",") + ")"
	if len(out) > 200 {
		return n.role + digest(out)
	}
	return out
}

// coarseState leaves out what a person sets item by item: it would make a state of
// each combination.
func coarseState(state string) string {
	var out []string
	for _, word := range strings.Fields(state) {
		if word != "checked" && word != "checked=mixed" && word != "pressed" {
			out = append(out, word)
		}
	}
	return strings.Join(out, " ")
}

// skeletonShape writes a skeleton, equal siblings once.
func skeletonShape(tags []scan.Tag) string {
	root := &node{}
	stack := []*node{root}
	for _, t := range tags {
		one := &node{role: t.Text}
		if t.Depth+1 < len(stack) {
			stack = stack[:t.Depth+1]
		}
		above := stack[len(stack)-1]
		above.kids = append(above.kids, one)
		stack = append(stack, one)
	}
	return root.shape(&StateMask{})
}

var (
	spaces  = pattern.New(`\s+`)
	numeral = pattern.New(`\d+(?:[.,:]\d+)*`)
	month   = pattern.New(`(?i)\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|` +
		`oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|januar|februar|märz|juni|juli|oktober|dezember)\b`)
	weekday = pattern.New(`(?i)\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b`)
	money   = pattern.New(`[$€£¥]\s?[\d.,]+|[\d.,]+\s?(?:[$€£¥]|USD|EUR|GBP)`)
)

// maxClass bounds a name class, in characters.
const maxClass = 60

// NameClass returns a name without what changes from day to day: numbers, dates.
func NameClass(name string) string {
	name = spaces.ReplaceAllString(strings.ToLower(strings.TrimSpace(name)), " ")
	if numeral.MatchString(name) || weekday.MatchString(name) {
		name = weekday.ReplaceAllString(month.ReplaceAllString(name, "{d}"), "{d}")
	}
	if month.FindString(name) == name {
		name = "{d}"
	}
	name = numeral.ReplaceAllString(name, "{n}")
	if runes := []rune(name); len(runes) > maxClass {
		name = string(runes[:maxClass])
	}
	return name
}

// TextClass returns what kind of text stands somewhere: number, date, money, words;
// "" for none.
func TextClass(text string) string {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return ""
	case money.MatchString(text) && len(money.FindString(text)) >= len(text)-4:
		return "money"
	case date.FindString(text) != "" && len(text) <= 30:
		return "date"
	case numeral.MatchString(text) && len(strings.Trim(numeral.ReplaceAllString(text, ""), " %+-–.,/()×x")) <= 3:
		return "number"
	}
	return "words"
}
