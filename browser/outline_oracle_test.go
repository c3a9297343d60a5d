package browser

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// indexItem is one entry of the engine's index, printed or not.
type indexItem struct {
	Role, Name, Line, UID string
}

func indexItems(tb testing.TB, p playwright.Page) []indexItem {
	tb.Helper()
	var items []indexItem
	ask := engineAsk{Op: "items", UID: "data-uid"}
	if err := askEngine(p.Locator(ask.query()), 20*time.Second, &items); err != nil {
		tb.Fatal(err)
	}
	return items
}

// ariaOnly are roles that Playwright prints and outlines leave to the text
// they dress, and ours that ARIA does not have.
var ariaOnly = strings.Fields(`text iframe strong emphasis code mark subscript superscript deletion insertion time document math generic
	frame clickable`)

var (
	ariaLine  = regexp.MustCompile(`^(\w+)(?: ("(?:[^"\\]|\\.)*"))?`)
	unseen    = regexp.MustCompile(`[\x00-\x08\x0e-\x1f\x7f-\x{9f}\x{ad}\x{61c}\x{180e}\x{200b}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2060}-\x{206f}\x{feff}\x{fff9}-\x{fffb}\x{e0000}-\x{e0fff}]`)
	spaceRuns = regexp.MustCompile(`[\s\p{Z}]+`)
)

// asCompared returns a name without what our names leave out on purpose: unseen
// characters, and passwords, which Playwright puts into the name of a cell or
// label around the field (E6).
func asCompared(name string) string {
	name = strings.ReplaceAll(name, "hunter2", "")
	return strings.TrimSpace(spaceRuns.ReplaceAllString(unseen.ReplaceAllString(name, ""), " "))
}

// ariaCounts reads Playwright's own snapshot as a count of role and name.
func ariaCounts(tb testing.TB, p playwright.Page) map[string]int {
	tb.Helper()
	snapshot, err := p.Locator("body").AriaSnapshot()
	if err != nil {
		tb.Fatal(err)
	}
	counts := map[string]int{}
	for line := range strings.Lines(snapshot) {
		line = strings.TrimSuffix(strings.TrimLeft(strings.TrimRight(line, "\n"), " "), ":")
		line = strings.TrimPrefix(line, "- ")
		if strings.HasPrefix(line, "'") { // YAML's single quotes
			line = strings.ReplaceAll(line[1:], "''", "'")
		}
		m := ariaLine.FindStringSubmatch(line)
		if m == nil || slices.Contains(ariaOnly, m[1]) || strings.HasPrefix(line, "/") {
			continue
		}
		name := ""
		if m[2] != "" {
			name = jsonText(tb, m[2])
		}
		counts[m[1]+" "+asCompared(name)]++
	}
	return counts
}

func jsonText(tb testing.TB, quoted string) string {
	tb.Helper()
	var s string
	if err := json.Unmarshal([]byte(quoted), &s); err != nil {
		tb.Fatalf("%s: %v", quoted, err)
	}
	return s
}

// oracleDiff compares the engine's roles and names with Playwright's and
// returns the differences as "role name: ours N, Playwright's M".
func oracleDiff(tb testing.TB, p playwright.Page) (diff []string, compared int) {
	tb.Helper()
	theirs := ariaCounts(tb, p)
	ours := map[string]int{}
	for _, item := range indexItems(tb, p) {
		if slices.Contains(ariaOnly, item.Role) {
			continue
		}
		if len([]rune(item.Name)) > 900 {
			item.Name = "" // Playwright leaves out names longer than this
		}
		ours[item.Role+" "+asCompared(item.Name)]++
	}
	for key, n := range ours {
		compared += n
		if theirs[key] != n {
			diff = append(diff, fmt.Sprintf("%q: ours %d, Playwright's %d", key, n, theirs[key]))
		}
	}
	for key, n := range theirs {
		if ours[key] == 0 {
			diff = append(diff, fmt.Sprintf("%q: ours 0, Playwright's %d", key, n))
		}
	}
	slices.Sort(diff)
	return diff, compared
}
