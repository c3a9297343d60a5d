// Package testfile says a recorded flow as a Playwright test, for those who run
// their tests without us. It is pure: a flow in, TypeScript out.
//
// What it can't say in full it refuses: a test that checks less than the
// recording would pass where the recording fails.
package testfile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// Mark begins the first line of each generated file: what begins otherwise was
// written by a person.
const Mark = "// Made by assay from "

// Options adds what a flow does not say.
type Options struct {
	Source        string // name of the recording's file
	SignedIn      bool   // it starts with what a sign-in left: the file named by STORAGE_STATE
	Width, Height int    // of the viewport, in CSS pixels; 0: Playwright's own
	NumberLocale  string // how pages write figures, whatever language they declare; "" for as they declare
	Draft         bool   // no runner has run it, which the first line says
}

// UnsayableError says which step a Playwright test can't say in full.
type UnsayableError struct {
	Step   int // from 1; 0: it is about the flow as a whole
	Action string
	Why    string
}

func (e *UnsayableError) Error() string {
	if e.Step == 0 {
		return "can't be said as a Playwright test: " + e.Why
	}
	return fmt.Sprintf("can't be said as a Playwright test: step %d (%s): %s", e.Step, e.Action, e.Why)
}

// Of returns the text of a test file that does and asserts what the flow does. What
// can't be said is an [*UnsayableError].
func Of(f flow.Flow, o Options) (string, error) {
	text, _, err := WithLines(f, o)
	return text, err
}

// WithLines returns a file as [Of] does, and the lines of each of the flow's steps.
func WithLines(f flow.Flow, o Options) (string, []Lines, error) {
	w := &writer{flow: f, numberLocale: o.NumberLocale, needs: map[string]bool{}, lines: make([]Lines, len(f.Steps)), traffic: asksForTraffic(f.Steps), events: asksForEvents(f.Steps)}
	main, tidy := f.Steps, []qa.FlowStep(nil)
	if r := f.Recorded; r != nil && r.Cleanup > 0 {
		if f.SuccessCondition != "" {
			return "", nil, &UnsayableError{Why: "a success condition is looked at after cleanup"}
		}
		main, tidy = f.Steps[:r.Cleanup], f.Steps[r.Cleanup:]
	}
	if !f.Asserts() && len(f.Gaps()) == 0 {
		return "", nil, &UnsayableError{Why: "the flow asserts nothing, so the test would prove nothing"}
	}
	w.tabs = slices.ContainsFunc(f.Steps, func(s qa.FlowStep) bool { return s.Action == "tab" || s.Action == "popup" })
	w.popups = slices.ContainsFunc(f.Steps, func(s qa.FlowStep) bool { return s.Action == "popup" })
	if w.tabs && (w.traffic || w.events || len(tidy) > 0) {
		return "", nil, &UnsayableError{Why: "it works in several tabs, and asserts what was sent or opened, or tidies up"}
	}
	w.line(0, "")
	w.line(0, "test(%s, async ({ %s }) => {", quote(title(f)), w.pageParameter())
	limit := f.TimeoutMS
	if limit == 0 {
		limit = flowMS
	}
	w.line(1, "test.setTimeout(%d);", limit)
	if w.tabs {
		w.line(1, "let page = first;")
		w.line(1, "const tabs = [first]; // in the order in which they were opened")
		if w.popups {
			w.line(1, "let opened = 1; // how many there were before the last act")
		}
		w.line(1, "page.context().on('page', (tab) => tabs.push(tab));")
	}
	if err := w.main(len(main)); err != nil {
		return "", nil, err
	}
	for _, s := range main {
		if s.Action == "gap" && s.Value == flow.GapOfCheck {
			w.line(1, "test.fixme(true, %s);", quote("gap: "+s.Description))
		}
	}
	w.line(0, "});")
	for _, part := range []string{"errors", "answers"} {
		if w.tabs && w.needs[part] {
			return "", nil, &UnsayableError{Why: "it works in several tabs, and asks about the console or statuses of one"}
		}
	}
	if len(tidy) > 0 {
		w.line(0, "")
		w.line(0, "test.afterEach('tidy up', async ({ page }) => {")
		if err := w.steps(1, len(main), len(f.Steps)); err != nil {
			return "", nil, err
		}
		w.line(0, "});")
	}
	header := w.fileHeader(o)
	return header + w.out.String(), below(w.lines, strings.Count(header, "\n")), nil
}

// Time that a flow has, and each of its steps, unless they say otherwise.
const (
	flowMS = 30_000
	stepMS = 10_000
)

func title(f flow.Flow) string {
	if f.Name == "" {
		return "recorded flow"
	}
	return f.Name
}

// writer holds one file in the making.
type writer struct {
	flow  flow.Flow
	out   strings.Builder
	needs map[string]bool // parts of the prelude

	numberLocale string // see [Options]

	tabs    bool // it works in several tabs
	popups  bool // it goes on in popups
	traffic bool // it asks about requests since the last act
	events  bool // it asks about dialogs, popups or downloads since the last act

	plain bool    // see [Plain]
	lines []Lines // of the steps, counted from the first line behind the header
	bad   error   // the first statement that has no plain form
}

func (w *writer) line(depth int, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if w.plain && !strings.HasPrefix(text, "//") {
		laid, err := layout(depth, text)
		w.bad = cmp.Or(w.bad, err)
		w.out.WriteString(laid + "\n")
		return
	}
	if text != "" {
		w.out.WriteString(strings.Repeat("  ", depth))
	}
	w.out.WriteString(text + "\n")
}

// pageParameter returns what the test calls its page: the first one, where it works in several tabs.
func (w *writer) pageParameter() string {
	if w.tabs {
		return "page: first"
	}
	return "page"
}

// main writes the steps up to end, those of one step of the spec together.
func (w *writer) main(end int) error {
	at, opened := 0, w.flow.StartURL == ""
	if w.flow.Recorded != nil {
		for _, s := range w.flow.Recorded.Steps {
			from, to := min(s.From, end), min(s.To, end)
			if s.Text == "" || from < at {
				continue
			}
			if err := w.steps(1, at, from); err != nil {
				return err
			}
			w.line(1, "await test.step(%s, async () => {", quote(s.Text))
			if !opened {
				opened = true
				if err := w.open(2, 0, w.flow.StartURL, 0); err != nil {
					return err
				}
			}
			if err := w.steps(2, from, to); err != nil {
				return err
			}
			w.line(1, "});")
			at = to
		}
	}
	if !opened {
		if err := w.open(1, 0, w.flow.StartURL, 0); err != nil {
			return err
		}
	}
	if err := w.steps(1, at, end); err != nil {
		return err
	}
	if w.flow.SuccessCondition == "" {
		return nil
	}
	a, selector := flow.Condition(w.flow.SuccessCondition)
	return w.assert(1, len(w.flow.Steps), qa.FlowStep{Action: flow.FinalCheck, Assertion: &a, Selector: selector})
}

func (w *writer) steps(depth, from, to int) error {
	for _, s := range w.flow.Steps[from:to] {
		if s.Action != OtherRows {
			continue
		}
		on, err := Locator(s.Selector)
		if err != nil {
			return w.refuse(from, s, "%v", err)
		}
		w.line(depth, "await expect(%s.nth(1)).toBeVisible();", on) // the head, and one that came
		w.line(depth, "const before = await %s.allTextContents();", on)
	}
	for i := from; i < to; i++ {
		first := strings.Count(w.out.String(), "\n") + 1
		if err := w.step(depth, i, w.flow.Steps[i]); err != nil {
			return err
		}
		w.lines[i] = Lines{first, strings.Count(w.out.String(), "\n")}
	}
	return nil
}

// refuse returns the error of a step, from 0.
func (w *writer) refuse(i int, s qa.FlowStep, format string, args ...any) error {
	return &UnsayableError{Step: i + 1, Action: s.Action, Why: fmt.Sprintf(format, args...)}
}

// step writes one step, the i-th from 0.
func (w *writer) step(depth, i int, s qa.FlowStep) error {
	if s.Description != "" && s.Action != "gap" {
		w.line(depth, "// %s", quote(s.Description))
	}
	if done, err := w.pageStep(depth, i, s); done {
		return err
	}
	on, target := "page", ""
	if s.Selector != "" {
		var err error
		if on, err = Locator(s.Selector); err != nil {
			return w.refuse(i, s, "%v", err)
		}
		target = on
	}
	limit := options(timeout(s))
	if s.Action != "wait" && s.Action != "screenshot" {
		w.act(depth)
	}
	switch {
	case s.Action == "click" || s.Action == "hover":
		w.line(depth, "await %s.%s(%s);", target, s.Action, limit)
	case s.Action == "double_click":
		w.line(depth, "await %s.dblclick(%s);", target, limit)
	case s.Action == "drag":
		onto, err := Locator(s.To)
		if err != nil {
			return w.refuse(i, s, "%v", err)
		}
		w.line(depth, "await %s.dragTo(%s%s);", target, onto, more(limit))
	case s.Action == "fill":
		w.fill(depth, target, limit, s)
	case s.Action == "select":
		w.line(depth, "await %s.selectOption(%s%s);", target, quote(s.Option), more(limit))
	case s.Action == "press" && target == "":
		w.line(depth, "await page.keyboard.press(%s);", quote(s.Key))
	case s.Action == "press":
		w.line(depth, "await %s.press(%s%s);", target, quote(s.Key), more(limit))
	case s.Action == "upload":
		w.needs["upload"] = true
		w.line(depth, "await upload(%s, %s%s);", target, quoteAll(strings.Split(s.Value, "\n")), more(limit))
	case s.Action == "drop":
		w.needs["drop"] = true
		w.line(depth, "await drop(%s, %s);", target, quoteAll(strings.Split(s.Value, "\n")))
	case s.Action == "screenshot":
		w.line(depth, "await test.info().attach(%s, { body: await %s.screenshot(), contentType: 'image/png' });", quote(strings.TrimSpace("screenshot "+s.Name)), on)
	case s.Action == "wait" && target != "":
		w.line(depth, "await %s.filter({ visible: true }).first().waitFor(%s);", target, options(fmt.Sprintf("timeout: %d", waitMS(s))))
	case s.Action == "wait":
		ms, err := strconv.Atoi(s.Value)
		if s.Value == "" && s.TimeoutMS > 0 {
			ms, err = s.TimeoutMS, nil
		}
		if err != nil {
			return w.refuse(i, s, "%q are no milliseconds", s.Value)
		}
		w.line(depth, "await page.waitForTimeout(%d);", ms)
	default:
		return w.refuse(i, s, "it has no form in a Playwright test")
	}
	return nil
}

// pageStep writes a step of the page as a whole; done is false of one about an element.
func (w *writer) pageStep(depth, i int, s qa.FlowStep) (done bool, err error) {
	switch s.Action {
	case "navigate":
		return true, w.open(depth, i, s.URL, s.TimeoutMS)
	case "assert":
		return true, w.assert(depth, i, s)
	case "dialog":
		w.needs["dialogs"] = true
		w.line(depth, "next.push({ page, answer: (dialog) => dialog.%s(%s) });", s.Value, quoteAny(s.Option))
		return true, nil
	case "back":
		w.act(depth)
		w.line(depth, "await page.goBack(%s);", options(timeout(s)))
		return true, nil
	case "color_scheme":
		w.act(depth)
		w.line(depth, "await page.emulateMedia({ colorScheme: %s });", quote(s.Value))
		return true, nil
	case "evaluate":
		w.act(depth)
		w.line(depth, "await page.evaluate(%s);", quote(called(s.Value)))
		return true, nil
	case "tab", "popup":
		w.tab(depth, s)
		return true, nil
	case "gap":
		return true, w.gap(depth, i, s)
	case "reload":
		w.act(depth)
		w.line(depth, "await page.reload();")
		return true, nil
	case OtherRows:
		return true, w.otherRows(depth, i, s)
	case Loaded:
		return true, w.loaded(depth, i, s)
	case "visual":
		return true, w.refuse(i, s, "it compares a picture with a baseline that people approve here")
	}
	return false, nil
}

// called returns a script as an expression: a function is called.
func called(script string) string {
	if function.MatchString(script) {
		return "(" + script + ")()"
	}
	return script
}

var function = pattern.New(`^\s*(?:async\b\s*)?(?:function\b|(?:\([^()]*\)|[\w$]+)\s*=>)`)

// tab writes that another tab is gone on with.
func (w *writer) tab(depth int, s qa.FlowStep) {
	switch {
	case w.plain:
		w.bad = errors.New("it works in several tabs")
	case s.Action == "popup":
		w.needs["popup"] = true
		w.line(depth, "page = await popupOf(page, tabs, opened);")
	case s.Value == flow.CloseTab:
		w.needs["close"] = true
		w.line(depth, "page = await closed(page, tabs);")
	default:
		w.needs["tab"] = true
		w.line(depth, "page = await tab(%s, tabs);", s.Value)
	}
}

// gap writes that something is missing: the test is reported as one to be mended, never as passed.
// What is missing and looks only is said at the end, when all else has been looked at.
func (w *writer) gap(depth, i int, s qa.FlowStep) error {
	if w.plain {
		return w.refuse(i, s, "%s", s.Description)
	}
	if s.Value == flow.GapOfCheck {
		w.line(depth, "// gap: %s", quote(s.Description))
		return nil
	}
	w.line(depth, "test.fixme(true, %s);", quote("gap: "+s.Description))
	return nil
}

// otherRows writes that rows are others than those noted before the act. A list that is
// loaded anew is empty for a moment, so it is compared again when there are rows.
func (w *writer) otherRows(depth, i int, s qa.FlowStep) error {
	on, err := Locator(s.Selector)
	if err != nil {
		return w.refuse(i, s, "%v", err)
	}
	w.line(depth, "await page.waitForLoadState();")
	w.line(depth, "await expect(%s).not.toHaveText(before);", on)
	w.line(depth, "await expect(%s.nth(1)).toBeVisible();", on)
	w.line(depth, "await expect(%s).not.toHaveText(before);", on)
	return nil
}

// loaded writes that the page has loaded that a step leads to.
func (w *writer) loaded(depth, i int, s qa.FlowStep) error {
	if s.URL == "" {
		w.line(depth, "await page.waitForLoadState();")
		return nil
	}
	expr, err := addressExpression(s.URL)
	if err != nil {
		return w.refuse(i, s, "%v", err)
	}
	w.line(depth, "await page.waitForURL(%s);", expr)
	return nil
}

// act begins an act.
func (w *writer) act(depth int) {
	if w.popups {
		w.line(depth, "opened = tabs.length;")
	}
	if w.traffic {
		w.line(depth, "acted = requests.length;")
	}
	if w.events {
		w.line(depth, "brought = happened.length;")
	}
}

func waitMS(s qa.FlowStep) int {
	if s.TimeoutMS > 0 {
		return s.TimeoutMS
	}
	return stepMS
}

// open writes that an address is opened; one that begins with / is below the base.
func (w *writer) open(depth, i int, address string, ms int) error {
	s := qa.FlowStep{Action: "navigate", TimeoutMS: ms}
	u, err := url.Parse(address)
	target := quote(address)
	switch {
	case err != nil:
		return w.refuse(i, s, "%v", err)
	case strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") && w.plain:
	case strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//"):
		w.needs["at"] = true
		target = "at(" + target + ")"
	case !u.IsAbs():
		return w.refuse(i, s, "address %s is relative to another one", quote(address))
	}
	w.act(depth)
	w.line(depth, "await page.goto(%s%s);", target, more(options(timeout(s))))
	return nil
}

// fill writes that a field is filled, key by key where the step has a delay, and that it
// holds just that where the step is exact.
func (w *writer) fill(depth int, target, limit string, s qa.FlowStep) {
	text, secret := w.typed(s.Value), len(flow.Secrets(s.Value)) > 0
	if s.DelayMS == 0 {
		w.line(depth, "await %s.fill(%s%s);", target, text, more(limit))
	} else {
		keys := strconv.Itoa(waitMS(s) + 2*s.DelayMS*utf8.RuneCountInString(s.Value)) // the keys' own time comes on top
		if secret {
			keys = fmt.Sprintf("%d + %d * (%s).length", waitMS(s), 2*s.DelayMS, text)
		}
		w.line(depth, "await %s.fill(%s%s);", target, quote(""), more(limit))
		w.line(depth, "await %s.pressSequentially(%s, { delay: %d, timeout: %s });", target, text, s.DelayMS, keys)
	}
	switch {
	case s.Exact && secret: // toHaveValue would print it
		w.line(depth, "await expect.poll(async () => (await %s.inputValue()) === %s, { message: 'the field holds what was typed' }).toBe(true);", target, text)
	case s.Exact:
		w.line(depth, "await expect(%s).toHaveValue(%s);", target, text)
	}
}

// typed returns the value of a fill. Secrets come from the environment.
func (w *writer) typed(value string) string {
	var parts []string
	for _, ref := range flow.SecretRefs(value) {
		before, after, _ := strings.Cut(value, ref.Text)
		if before != "" {
			parts = append(parts, quote(before))
		}
		w.needs["variable"] = true
		part := "variable(" + quote(ref.Name) + ")"
		if ref.Code {
			w.needs["code"] = true
			part = "oneTimeCode(" + part + ")"
		}
		parts, value = append(parts, part), after
	}
	if value != "" || len(parts) == 0 {
		parts = append(parts, quote(value))
	}
	return strings.Join(parts, " + ")
}

// quote returns a text as a string of TypeScript. JSON's strings are such, and Go
// escapes the line separators that older engines take for ends of a line. Glyphs of icon
// fonts, which no editor shows, are escaped. One with [flow.Fresh] in it is a template.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can always be encoded
	text := escapeGlyphs(strings.TrimSuffix(b.String(), "\n"))
	if s = strings.ReplaceAll(text, freshInPattern, flow.Fresh); !strings.Contains(s, flow.Fresh) {
		return text
	}
	parts := strings.Split(s[1:len(s)-1], flow.Fresh)
	for i, p := range parts {
		parts[i] = strings.NewReplacer("`", "\\`", "${", "\\${", `\"`, `"`, `\\`, `\\`).Replace(p)
	}
	return "`" + strings.Join(parts, flow.Fresh) + "`"
}

// escapeGlyphs writes characters of private use by their codes.
func escapeGlyphs(s string) string {
	var b strings.Builder
	for _, r := range s {
		if !unicode.Is(unicode.Co, r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// freshInPattern is [flow.Fresh] as it stands in a regular expression in a text of JSON.
const freshInPattern = `\\$\\{fresh\\}`

// OtherRows is the action of a step of a plain test that looks whether the elements that its
// selector leads to have other texts than before the act of its recorded step.
const OtherRows = "other_rows"

// Loaded is the action of a step of a plain test that waits until the page has loaded whose address
// fits its pattern; without one, the page that is shown. A control whose script has not run yet does
// nothing when it is clicked.
const Loaded = "loaded"

// quoteAny returns a text as [quote] does; nothing where it is empty.
func quoteAny(s string) string {
	if s == "" {
		return ""
	}
	return quote(s)
}

func quoteAll(all []string) string {
	out := slices.Clone(all)
	for i, s := range out {
		out[i] = quote(s)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func timeout(s qa.FlowStep) string {
	if s.TimeoutMS == 0 {
		return ""
	}
	return fmt.Sprintf("timeout: %d", s.TimeoutMS)
}

// options returns the given fields as an object, or nothing.
func options(fields ...string) string {
	fields = slices.DeleteFunc(slices.Clone(fields), func(f string) bool { return f == "" })
	if len(fields) == 0 {
		return ""
	}
	return "{ " + strings.Join(fields, ", ") + " }"
}

// more writes an argument that follows others.
func more(argument string) string {
	if argument == "" {
		return ""
	}
	return ", " + argument
}
