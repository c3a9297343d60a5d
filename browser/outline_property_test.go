package browser

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/selectors"
)

const generatedPages = 200

// Promise 2 of the design: on every generated page every line of the
// snapshot, as printed, finds exactly one element, and the right one.
func TestEveryLineIsASelector(t *testing.T) {
	t.Parallel()
	const workers = 2
	for w := range workers {
		t.Run(fmt.Sprint("worker ", w), func(t *testing.T) {
			t.Parallel()
			p := newOutlinePage(t)
			lines := 0
			for seed := w; seed < repeats(generatedPages/10, generatedPages) && !t.Failed(); seed += workers {
				lines += checkGeneratedPage(t, p, uint64(seed))
			}
			t.Logf("%d lines of %d pages", lines, repeats(generatedPages/10, generatedPages)/workers)
		})
	}
}

func checkGeneratedPage(t *testing.T, p playwright.Page, seed uint64) int {
	m := &pageMaker{Rand: rand.New(rand.NewPCG(seed, 20)), room: 80, want: map[string]string{}}
	page := m.page()
	setContent(t, p, page)
	lines := outlineLines(t, p)
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("seed %d: %s", seed, fmt.Sprintf(format, args...))
	}
	for i, line := range lines {
		checkLine(p, line, fail)
		if line.Prefix == "" && i%3 == 0 {
			checkByRole(p, line, fail)
		}
		if strings.HasPrefix(line.Head, "text ") {
			checkText(p, line, fail)
		}
	}
	checkNumbers(lines, fail)
	checkSure(lines, m.want, fail)
	checkReadingOrder(t, p, lines, fail)
	checkOracle(t, p, fail)
	if t.Failed() {
		for _, line := range lines {
			t.Logf("%s%s\t→ %s", strings.Repeat("  ", line.Depth), line, line.UID)
		}
		t.Logf("page:\n%s", page)
	}
	return len(lines)
}

type failer func(format string, args ...any)

// outlineLines returns the outline with the uid of each line's element.
func outlineLines(tb testing.TB, p playwright.Page) []outlineLine {
	tb.Helper()
	r := outlineReader{page: p, ask: engineAsk{Op: "outline", UID: "data-uid"}, patience: rest.FramesLimit}
	if err := r.readAll("", 10*time.Second); err != nil {
		tb.Fatal(err)
	}
	return r.lines
}

// checkLine resolves a line the way every tool does.
func checkLine(p playwright.Page, line outlineLine, fail failer) {
	printed := strings.Repeat("  ", line.Depth) + line.String()
	parsed, err := parseSelector(printed)
	if err != nil {
		fail("%s: %v", printed, err)
		return
	}
	uid, err := parsed.locator(p).GetAttribute("data-uid", playwright.LocatorGetAttributeOptions{Timeout: playwright.Float(3000)})
	if err != nil || uid != line.UID || uid == "" {
		fail("%s finds %q, want %q (%v)", printed, uid, line.UID, err)
	}
	if strings.Contains(line.State, "hunter2") || strings.Contains(line.Head, "hunter2") {
		fail("%s shows a password", printed)
	}
}

// checkText: the element of a text holds all of it.
func checkText(p playwright.Page, line outlineLine, fail failer) {
	parsed, err := parseSelector(line.String())
	if err != nil {
		return // checkLine says so
	}
	got, err := parsed.locator(p).Evaluate(`e => {
		const drawn = (n) => n.shadowRoot?.childNodes || (n.localName === 'slot' && n.assignedNodes().length ? n.assignedNodes() : n.childNodes);
		const text = (n) => (n.nodeValue || '') + [...drawn(n)].map(text).join('');
		return text(e);
	}`, nil, playwright.LocatorEvaluateOptions{Timeout: playwright.Float(3000)})
	if err != nil {
		fail("%s: %v", line, err)
		return
	}
	held := []rune(strings.Join(strings.Fields(asCompared(fmt.Sprint(got))), ""))
	for _, r := range strings.Join(strings.Fields(strings.TrimSuffix(parsed.Parts[0].Line.Name, "…")), "") {
		i := slices.Index(held, r) // hidden text may stand in between
		if i < 0 {
			fail("%s: its element %s holds only %q", line, line.UID, got)
			return
		}
		held = held[i+1:]
	}
}

// widgetRoles are the roles whose name Playwright computes as we do.
var widgetRoles = strings.Fields(`button link textbox checkbox radio combobox listbox tab heading img navigation region group form
	complementary table`)

// checkByRole compares a named line with Playwright's own role engine.
func checkByRole(p playwright.Page, line outlineLine, fail failer) {
	l, _, ok, err := selectors.ScanLine(line.Head)
	if !ok || err != nil || !l.Named || !slices.Contains(widgetRoles, l.Role) || strings.HasSuffix(l.Name, "…") {
		return
	}
	// The page's own name may hold characters that a line leaves out: ask for
	// the element's uid among all of its role, and let Playwright compare the
	// name where it can be typed as it is.
	options := playwright.PageGetByRoleOptions{}
	if printableName(l.Name) {
		options.Name, options.Exact = l.Name, playwright.Bool(true)
	}
	got, err := p.GetByRole(playwright.AriaRole(l.Role), options).EvaluateAll(`els => els.map(e => e.getAttribute('data-uid'))`)
	uids, _ := got.([]any)
	if err != nil || !slices.Contains(uids, any(line.UID)) {
		fail("%s is %s, but getByRole finds %v (%v)", line, line.UID, uids, err)
	}
}

// printableName tells names that a line shows as the page has them.
func printableName(name string) bool {
	for _, odd := range oddNames {
		if asCompared(odd) != strings.Join(strings.Fields(odd), " ") && strings.Contains(name, asCompared(odd)) {
			return false
		}
	}
	return true
}

// checkNumbers: lines alike are numbered upwards, and a number stands only
// where it must. Roles that are always printed are numbered without gaps.
func checkNumbers(lines []outlineLine, fail failer) {
	last := map[string]int{}
	for _, line := range lines {
		l, _, _, err := selectors.ScanLine(line.Head)
		if err != nil {
			fail("%s: %v", line, err)
			continue
		}
		l.Name = asCompared(strings.Map(withoutGlyphs, l.Name))
		n := l.Nth
		l.Nth = 0
		key := line.Prefix + l.String()
		gapless := slices.Contains([]string{"button", "link", "textbox", "checkbox", "tab", "frame"}, l.Role)
		if before, ok := last[key]; ok && n <= before || gapless && n > last[key]+1 {
			fail("%s comes after number %d", line, before)
		}
		last[key] = n
	}
}

func withoutGlyphs(r rune) rune {
	if r >= 0xe000 && r <= 0xf8ff {
		return -1
	}
	return r
}

// checkSure: what the maker is sure of has its line, with the role and name
// it was made with.
func checkSure(lines []outlineLine, want map[string]string, fail failer) {
	printed := map[string]outlineLine{}
	for _, line := range lines {
		if line.Prefix == "" && !strings.HasPrefix(line.Head, "text ") {
			printed[line.UID] = line
		}
	}
	for uid, made := range want {
		role, name, _ := strings.Cut(made, "\x00")
		line, ok := printed[uid]
		if !ok {
			if role != "heading" { // one in a cell or control is said by the line above it
				fail("no line for %s %q, uid %s", role, name, uid)
			}
			continue
		}
		l, _, _, err := selectors.ScanLine(line.Head)
		words := asCompared(strings.Map(withoutGlyphs, name))
		got := asCompared(strings.Map(withoutGlyphs, l.Name))
		if long, cut := strings.CutSuffix(got, "…"); cut && words != "…" && len(words) > 75 {
			words, got = words[:len(long)], long
		}
		if err != nil || l.Role != role || got != words {
			fail("%s is %s, made as %s %q", line, uid, role, name)
		}
	}
}

// checkReadingOrder: no button's line comes after that of one which is drawn
// entirely below it, wherever slots have put the two. Table rows and flex
// boxes, whose parts stand side by side, are left out.
func checkReadingOrder(t *testing.T, p playwright.Page, lines []outlineLine, fail failer) {
	t.Helper()
	got, err := p.Evaluate(`() => {
		const boxes = {};
		const beside = (e) => e && (e.localName === 'tr' || e.style?.display === 'flex' || beside(e.assignedSlot || e.parentNode || e.host));
		const walk = (root) => { for (const e of root.querySelectorAll('*')) {
			const box = e.getBoundingClientRect();
			if (e.localName === 'button' && !beside(e)) boxes[e.getAttribute('data-uid')] = [box.top, box.bottom];
			if (e.shadowRoot) walk(e.shadowRoot);
		} };
		walk(document);
		return JSON.stringify(boxes);
	}`)
	if err != nil {
		t.Fatal(err)
	}
	var boxes map[string][2]float64 // top and bottom
	if err := json.Unmarshal([]byte(got.(string)), &boxes); err != nil {
		t.Fatal(err)
	}
	last := -1e9
	for _, line := range lines {
		box, ok := boxes[line.UID]
		if !ok || line.Prefix != "" {
			continue
		}
		if box[1] <= last {
			fail("%s (uid %s) ends at %.0f, above the line before it at %.0f", line, line.UID, box[1], last)
		}
		last = max(last, box[0])
	}
}

// checkOracle compares roles and names with Playwright's own snapshot.
func checkOracle(t *testing.T, p playwright.Page, fail failer) {
	t.Helper()
	diff, _ := oracleDiff(t, p)
	for _, d := range diff {
		fail("%s", d)
	}
}
