package health

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/pattern/patterntest"
)

// Issue 31, point 7: each entry of the lists finds something that no other entry does.
func TestEachEntryIsReached(t *testing.T) {
	patterntest.Check(t, leftovers)
	patterntest.Check(t, statusLines)
}

// Each line of error_pages.txt recognises a page, and the page that is made of a
// description is told to be that of its maker.
func TestEachErrorPageIsReached(t *testing.T) {
	for _, k := range knownPages() {
		titles, heads, bodies := generated(t, k.of, k.titles), generated(t, k.of, k.heads), generated(t, k.of, k.bodies)
		told := 0
		for i := range max(len(titles), len(heads), len(bodies)) {
			f := pageOf(titles[i%len(titles)], heads[i%len(heads)], bodies[i%len(bodies)])
			if !k.match(f, headings(f), bodyOf(f)) {
				t.Errorf("%s: it is not recognised by the title %q, the heading %q and the text %q", k.of, f.Title, heads[i%len(heads)], bodies[i%len(bodies)])
			}
			if found, _ := errorPage(f); strings.HasPrefix(found, "the error page of "+k.of+":") {
				told++
			}
		}
		if told == 0 {
			t.Errorf("%s: no page that is made of its description is told to be its own: another description comes before it", k.of)
		}
	}
}

// generated returns a member of each expression, one that no other expression finds, or
// one empty text where none is given.
func generated(t *testing.T, of string, expressions []string) []string {
	t.Helper()
	if len(expressions) == 0 {
		return []string{""}
	}
	var out []string
	for i, e := range expressions {
		others := "(?i)" + strings.Join(slices.Delete(slices.Clone(expressions), i, i+1), "|")
		members := patterntest.Members("(?i)" + e)
		own := slices.IndexFunc(members, func(m string) bool {
			found, err := regexp.MatchString(others, m)
			return err == nil && (!found || len(expressions) == 1)
		})
		if own < 0 {
			t.Errorf("%s: %q can't match what no other does: %q", of, e, members)
			continue
		}
		out = append(out, members[own])
	}
	return out
}

func pageOf(title, heading, body string) Facts {
	f := Facts{Title: title}
	if heading != "" && !strings.HasPrefix(body, heading) {
		f.Texts = append(f.Texts, Text{Text: heading, Level: 1})
	}
	for i, line := range strings.Split(body, "\n") {
		if line != "" {
			f.Texts = append(f.Texts, Text{Text: line, Level: max(0, 1-i)})
		}
	}
	return f
}

// A description that cannot be read is told with its line.
func TestErrorPagesThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"\ttitle ^x$":                    `error_pages.txt:1: `,
		"page X\n\n# note\n\tfooter x":   `error_pages.txt:4: a page has no "footer"`,
		"page X\r\n\theading ^y\r\nsite": `error_pages.txt:3: "site" is no page`,
		"page X\n\ttitle (":              `the page X: error parsing regexp`,
		"page":                           `error_pages.txt:1: "page" is no page`,
	} {
		if _, err := readPages(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Each kind of trace finds what it is made of, and no other of them comes before it.
func TestEachTraceIsReached(t *testing.T) {
	for i, tr := range traces() {
		told := ""
		for _, member := range patterntest.Members(tr.found.String()) {
			if first := slices.IndexFunc(traces(), func(o trace) bool { return o.found.MatchString(member) }); first == i {
				told = member
			}
		}
		if told == "" {
			t.Errorf("%s: %s finds nothing of its own", tr.of, tr.found)
		}
	}
	if _, err := readTraces("# note\nGo\t(\n"); err == nil || !strings.HasPrefix(err.Error(), "stack_traces.txt:2: ") {
		t.Errorf("a broken expression: %v", err)
	}
}
