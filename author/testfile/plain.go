package testfile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// PlainOptions adds what a flow does not say to a plain test file.
type PlainOptions struct {
	Source        string   // name of what the test is made from
	Notes         []string // for the reader, a comment line each
	Describe      string   // of the block around the test
	BaseURL       string   // of the site: the test takes BASE_URL instead, where it is set
	Width, Height int      // of the viewport, in CSS pixels; 0: Playwright's own
	Cookies       []Cookie // that each test begins with
	Draft         bool     // no runner has run it, which the first line says
	Nobody        bool     // the test begins signed out, whatever it is run with
}

// Cookie is set before the first page loads.
type Cookie struct {
	Name, Value  string
	Domain, Path string // empty: those of the site
}

// Lines are lines of a file, from 1. Those of a step that wrote none are empty: To is
// before From.
type Lines struct{ From, To int }

// Has reports whether a line is one of them.
func (l Lines) Has(line int) bool { return l.From <= line && line <= l.To }

// Plain returns a test file that does and asserts what a flow does, without types and
// helpers: it is valid JavaScript, as ESLint and Prettier want it. The flow's recorded
// steps are its test.steps. What has no such form is an [*UnsayableError].
func Plain(f flow.Flow, o PlainOptions) (string, error) {
	text, _, err := PlainWithLines(f, o)
	return text, err
}

// PlainWithLines returns a file as [Plain] does, and the lines of each of the flow's
// steps.
func PlainWithLines(f flow.Flow, o PlainOptions) (string, []Lines, error) {
	rows := slices.ContainsFunc(f.Steps, func(s qa.FlowStep) bool { return s.Action == OtherRows })
	if !f.Asserts() && !rows || f.SuccessCondition != "" {
		return "", nil, &UnsayableError{Why: "the flow has no assert step, so the test would prove nothing"}
	}
	w := &writer{flow: f, needs: map[string]bool{}, plain: true, lines: make([]Lines, len(f.Steps))}
	w.raw(0, "test.describe("+quotePlain(o.Describe)+", () => {")
	w.cookies(o.Cookies)
	w.raw(1, w.testLine(title(f)))
	if usesFresh(f) {
		w.raw(2, "const fresh = Date.now().toString(36) + test.info().workerIndex;")
		w.out.WriteString("\n")
	}
	if err := w.plainSteps(); err != nil {
		return "", nil, err
	}
	w.raw(1, "});")
	w.raw(0, "});")
	if w.bad != nil {
		return "", nil, &UnsayableError{Why: w.bad.Error()}
	}
	header := w.plainHeader(o)
	body := header + w.out.String()
	from := ", which it is made from again: changes belong there.\n"
	if o.Draft {
		from = ", a draft that no runner has run: make the test of it without --draft.\n"
	}
	text := Mark + quote(o.Source) + from + digestMark + digest(body) + "\n" + body
	return text, below(w.lines, 2+strings.Count(header, "\n")), nil
}

// usesFresh reports whether a flow enters, finds or expects a text that is another one each time.
func usesFresh(f flow.Flow) bool {
	return slices.ContainsFunc(f.Steps, func(s qa.FlowStep) bool {
		text := s.URL + s.Value + s.Option + s.Selector
		if s.Assertion != nil {
			text += s.Assertion.Expected
		}
		return strings.Contains(text, flow.Fresh)
	})
}

// below returns lines that stand below a number of others.
func below(all []Lines, above int) []Lines {
	out := slices.Clone(all)
	for i := range out {
		out[i].From, out[i].To = out[i].From+above, out[i].To+above
	}
	return out
}

// cookies writes that cookies are set before each test.
func (w *writer) cookies(all []Cookie) {
	if len(all) == 0 {
		return
	}
	fixtures := "context"
	if slices.ContainsFunc(all, func(c Cookie) bool { return c.Domain == "" }) {
		fixtures = "baseURL, context"
	}
	w.raw(1, "test.beforeEach(async ({ "+fixtures+" }) => {")
	for _, c := range all {
		place := "url: baseURL"
		if c.Domain != "" {
			path := c.Path
			if path == "" {
				path = "/"
			}
			place = "domain: " + quote(c.Domain) + ", path: " + quote(path)
		}
		w.line(2, "await context.addCookies([{ name: %s, value: %s, %s }]);", quote(c.Name), quote(c.Value), place)
	}
	w.raw(1, "});")
	w.out.WriteString("\n")
}

// testLine returns the line that begins a test.
func (w *writer) testLine(title string) string {
	line := "test(" + quotePlain(title) + ", async ({ page }) => {"
	if width("  "+line) <= lineWidth {
		return line
	}
	return "test(" + quotePlain(title) + ", async ({\n    page,\n  }) => {"
}

// plainSteps writes the start, and then each recorded step as a test.step.
func (w *writer) plainSteps() error {
	started := w.out.Len()
	if w.flow.StartURL != "" {
		if err := w.open(2, 0, w.flow.StartURL, 0); err != nil {
			return err
		}
	}
	at := 0
	if w.flow.Recorded != nil {
		for _, s := range w.flow.Recorded.Steps {
			if err := w.steps(2, at, s.From); err != nil {
				return err
			}
			if w.out.Len() > started {
				w.out.WriteString("\n")
			}
			w.raw(2, "await test.step("+quotePlain(s.Text)+", async () => {")
			if err := w.steps(3, s.From, s.To); err != nil {
				return err
			}
			w.raw(2, "});")
			at = s.To
		}
	}
	return w.steps(2, at, len(w.flow.Steps))
}

// raw writes a line as it is.
func (w *writer) raw(depth int, text string) {
	w.out.WriteString(strings.Repeat("  ", depth) + text + "\n")
}

// plainAssertion writes what is said otherwise in a plain test: an address as it is, and
// what must be seen as one element.
func plainAssertion(a qa.Assertion, on, limit string) (lines []string, ok bool) {
	switch a.Type {
	case qa.URLMatches:
		if strings.HasPrefix(a.Expected, "re:") { // it is written as in other tests
			return nil, false
		}
		if strings.Contains(a.Expected, "*") {
			expr := strings.ReplaceAll(regexp.QuoteMeta(a.Expected), `\*`, "[^/?#]+") + "$"
			return matched("page", a, "toHaveURL", options(limit), "new RegExp("+quote(expr)+")"), true
		}
		return matched("page", a, "toHaveURL", options(limit), quote(a.Expected)), true
	case qa.Visible:
		return matched(on, a, "toBeVisible", options(limit)), true
	case qa.SelectedLabel:
		return matched(on+".locator("+quote("option:checked")+")", a, "toHaveText", options(limit), quote(a.Expected)), true
	}
	return nil, false
}

// plainHeader writes what stands before the test.
func (w *writer) plainHeader(o PlainOptions) string {
	var b strings.Builder
	for _, note := range o.Notes {
		b.WriteString("// " + strings.Join(strings.Fields(note), " ") + "\n")
	}
	b.WriteString("import { expect, test } from \"@playwright/test\";\n\n")
	if w.flow.Role != "" {
		w.needs["variable"] = true
	}
	if w.needs["variable"] {
		b.WriteString(plainVariable)
	}
	var use []string
	if o.BaseURL != "" {
		use = append(use, baseLine(quotePlain(o.BaseURL)))
	}
	if o.Nobody {
		use = append(use, "storageState: { cookies: [], origins: [] }")
	} else if w.flow.Role != "" {
		use = append(use, `storageState: variable("STORAGE_STATE")`)
	}
	if o.Width > 0 && o.Height > 0 {
		use = append(use, fmt.Sprintf("viewport: { width: %d, height: %d }", o.Width, o.Height))
	}
	use = append(use, fmt.Sprintf("actionTimeout: %d", stepMS))
	b.WriteString("test.use({\n  " + strings.Join(use, ",\n  ") + ",\n});\n\n")
	return b.String()
}

// baseLine returns the line of the site's address, broken as Prettier does it.
func baseLine(address string) string {
	const key, value = "baseURL:", "process.env.BASE_URL ??"
	switch {
	case width("  "+key+" "+value+" "+address+",") <= lineWidth:
		return key + " " + value + " " + address
	case width("    "+value+" "+address+",") <= lineWidth:
		return key + "\n    " + value + " " + address
	}
	return key + "\n    " + value + "\n    " + address
}

const plainVariable = `function variable(name) {
  const value = process.env[name];
  if (!value) throw new Error(` + "`set ${name} in the environment`" + `);
  return value;
}

`

// digestMark begins the second line of a plain file.
const digestMark = "// sha256 of all below: "

func digest(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:])
}

// Origin says who wrote a file of a folder of tests.
type Origin int

// The origins.
const (
	ByHand    Origin = iota // a person's, who must not lose it
	Generated               // as it was generated
	Edited                  // it was generated, and a person changed it since
)

// OriginOf tells the origin of a test file, and what it was made from.
func OriginOf(text string) (Origin, string) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	first, rest, _ := strings.Cut(text, "\n")
	source, ok := strings.CutPrefix(first, Mark)
	second, body, found := strings.Cut(rest, "\n")
	sum, marked := strings.CutPrefix(second, digestMark)
	if !ok || !found || !marked {
		return ByHand, ""
	}
	var name string
	if err := json.Unmarshal([]byte(jsonText.FindString(source)), &name); err != nil {
		return ByHand, ""
	}
	if digest(body) != sum {
		return Edited, name
	}
	return Generated, name
}
