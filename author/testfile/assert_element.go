package testfile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
)

// elementWriters says how assertions about elements are written. Where one of
// several is enough for us, it is for Playwright, which takes several for an
// error otherwise.
func elementWriters() map[qa.AssertionType]assertionWriter {
	return map[qa.AssertionType]assertionWriter{
		qa.Exists:  matcher(func(on string) string { return on + ".first()" }, "toBeAttached", nothing),
		qa.Visible: matcher(func(on string) string { return seen(on) + ".first()" }, "toBeVisible", nothing),
		qa.Hidden:  matcher(seen, "toHaveCount", func(qa.Assertion) string { return "0" }),
		qa.InViewport: func(_ *writer, a qa.Assertion, on, limit string) ([]string, error) {
			return append([]string{"await expect(" + on + ").toBeAttached(" + options(limit) + ");"}, matched(on, negatedState(a), "toBeInViewport", options(limit))...), nil
		},
		qa.TextContains: textContains, qa.TextMatches: textMatches,
		qa.TextEquals: func(_ *writer, a qa.Assertion, on, limit string) ([]string, error) {
			return matched(on, a, "toHaveText", options("useInnerText: true", limit), quote(a.Expected)), nil
		},
		qa.ValueEquals: matcher(itself, "toHaveValue", expected), qa.ValueContains: matcher(itself, "toHaveValue", partly), qa.ValuesEqual: chosen("value"), qa.SelectedLabel: chosen("label"),
		qa.AttributeEquals: matcher(itself, "toHaveAttribute", named), qa.CSSEquals: matcher(itself, "toHaveCSS", named),
		qa.CountEquals: func(_ *writer, a qa.Assertion, on, limit string) ([]string, error) {
			n, err := strconv.Atoi(a.Expected)
			return matched(on, a, "toHaveCount", options(limit), strconv.Itoa(n)), err
		},
		qa.CountAtLeast: counted("toBeGreaterThanOrEqual"), qa.CountAtMost: counted("toBeLessThanOrEqual"),
		qa.ClassContains: matcher(itself, "toContainClass", expected), qa.RoleEquals: matcher(itself, "toHaveRole", expected),
		qa.NameEquals: matcher(itself, "toHaveAccessibleName", expected), qa.DescriptionEquals: matcher(itself, "toHaveAccessibleDescription", expected),
		qa.ErrorMessageEquals: matcher(itself, "toHaveAccessibleErrorMessage", expected),
		qa.Checked:            optionState("toBeChecked", "checked"), qa.Enabled: optionState("toBeEnabled", "enabled"), qa.Editable: optionState("toBeEditable", "editable"),
		qa.Focused: plainState("toBeFocused"), qa.Empty: plainState("toBeEmpty"),
		qa.Indeterminate: func(_ *writer, a qa.Assertion, on, limit string) ([]string, error) {
			return matched(on, negatedState(a), "toBeChecked", options("indeterminate: true", limit)), nil
		},
		qa.Expanded: evaluatedState("(e) => (e.localName === 'summary' ? e.parentElement : e).open ?? e.getAttribute('aria-expanded') === 'true'"),
		qa.Pressed:  evaluatedState("(e) => e.getAttribute('aria-pressed') === 'true'"),
		qa.NumberCompared: func(w *writer, a qa.Assertion, on, limit string) ([]string, error) {
			w.needs["compared"] = true
			return pollHelper(fmt.Sprintf("async () => compared(await %s.innerText(), %s, %s, %s)", on, quote(a.Op), a.Value, w.language(on)), "number "+a.Op+" "+a.Value, limit, a), nil
		},
		qa.SortedBy: func(w *writer, a qa.Assertion, on, limit string) ([]string, error) {
			w.needs["compared"], w.needs["reading"], w.needs["sorted"] = true, true, true
			return pollHelper(fmt.Sprintf("async () => sorted(await %s.evaluateAll(reading, null), %s, %s, %s)", seen(on), quote(a.Order), quote(a.As), w.language(on)),
				"order "+a.Order+" by "+a.As, limit, a), nil
		},
		qa.ComesBefore: func(w *writer, a qa.Assertion, on, limit string) ([]string, error) {
			w.needs["reading"], w.needs["before"] = true, true
			other, err := Locator(a.Other)
			return pollHelper(fmt.Sprintf("() => before(%s, %s)", on, other), "before "+a.Other, limit, a), err
		},
		qa.AriaSnapshot: snapshot,
	}
}

// language writes in which language figures are read: the one that the tester
// declares, or that of the element.
func (w *writer) language(on string) string {
	if w.numberLocale != "" {
		return quote(w.numberLocale)
	}
	return "await language(" + on + ")"
}

func itself(on string) string        { return on }
func seen(on string) string          { return on + ".filter({ visible: true })" }
func nothing(qa.Assertion) string    { return "" }
func expected(a qa.Assertion) string { return quote(a.Expected) }
func named(a qa.Assertion) string    { return quote(a.Attribute) + ", " + quote(a.Expected) }

// partly returns an expression that finds what the assertion expects in a longer text.
func partly(a qa.Assertion) string {
	if a.WholeWords {
		return wholeWords(a.Expected)
	}
	words := strings.Fields(a.Expected)
	for i, word := range words {
		words[i] = regexp.QuoteMeta(word)
	}
	return "new RegExp(" + quote(strings.Join(words, `\s+`)) + ")"
}

// negatedState returns an assertion of a state that says not where it says false.
func negatedState(a qa.Assertion) qa.Assertion {
	a.Not = a.Not || a.Expected == "false"
	return a
}

func matcher(subject func(on string) string, name string, argument func(qa.Assertion) string) assertionWriter {
	return func(_ *writer, a qa.Assertion, on, limit string) ([]string, error) {
		return matched(subject(on), a, name, options(limit), argument(a)), nil
	}
}

// optionState returns a state whose opposite Playwright takes as an option.
func optionState(name, state string) assertionWriter {
	return func(_ *writer, a qa.Assertion, on, limit string) ([]string, error) {
		off := ""
		if negatedState(a).Not {
			off = state + ": false"
		}
		a.Not = false
		return matched(on, a, name, options(off, limit)), nil
	}
}

func plainState(name string) assertionWriter {
	return func(_ *writer, a qa.Assertion, on, limit string) ([]string, error) {
		return matched(on, negatedState(a), name, options(limit)), nil
	}
}

// evaluatedState returns a state that Playwright has no matcher for.
func evaluatedState(function string) assertionWriter {
	return func(_ *writer, a qa.Assertion, on, limit string) ([]string, error) {
		return poll("() => "+on+".evaluate("+strings.Replace(function, "(e)", "(e: any)", 1)+")", string(a.Type), limit, fmt.Sprintf(".toBe(%t)", !negatedState(a).Not)), nil
	}
}

func counted(name string) assertionWriter {
	return func(_ *writer, a qa.Assertion, on, limit string) ([]string, error) {
		n, err := strconv.Atoi(a.Expected)
		return poll("() => "+seen(on)+".count()", "number of elements", limit, not(a)+fmt.Sprintf(".%s(%d)", name, n)), err
	}
}

// chosen compares what is chosen in a select, or what another control shows.
func chosen(property string) assertionWriter {
	return func(_ *writer, a qa.Assertion, on, limit string) ([]string, error) {
		wanted := []string{}
		if a.Expected != "" {
			wanted = strings.Split(strings.TrimSuffix(a.Expected, "\n"), "\n")
		}
		if property == "label" {
			for i, label := range wanted {
				wanted[i] = strings.Join(strings.Fields(label), " ")
			}
		}
		look := "() => " + on + ".evaluate((e: any) => (e.selectedOptions ? [...e.selectedOptions].map((o) => o." +
			property + ") : [e.value ?? e.innerText]).map((t) => t.replace(/\\s+/g, ' ').trim()))"
		if property == "value" {
			look = "() => " + on + ".evaluate((e: any) => [...e.selectedOptions].map((o) => o.value))"
		}
		return poll(look, "what is chosen", limit, not(a)+".toEqual("+quoteAll(wanted)+")"), nil
	}
}

func textContains(_ *writer, a qa.Assertion, on, limit string) ([]string, error) {
	want := quote(a.Expected)
	if a.WholeWords {
		want = wholeWords(a.Expected)
	}
	return matched(on, a, "toContainText", options("useInnerText: true", limit), want), nil
}

// spaced matches a letter of a script that has spaces between words.
const spaced = `(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])[\p{L}\p{M}\p{Nd}_]`

// wholeWords returns a regular expression of JavaScript that finds a text between the
// limits of words: see words.Alone.
func wholeWords(text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		words[i] = regexp.QuoteMeta(word)
	}
	expr := strings.Join(words, `\s+`)
	runes := []rune(strings.Join(strings.Fields(text), " "))
	first, last := runes[0], runes[len(runes)-1]
	if wordly.MatchString(string(first)) {
		expr = `(?<!` + spaced + `)` + expr
	}
	if amount.MatchString(string(runes)) {
		expr = `(?<!\p{Nd}[.,:/'’])(?<!(?<![\p{L}\p{M}\p{Nd}_)\]])[-−–‐]\p{Sc}?)(?<!(?<![\p{L}\p{M}\p{Nd}_])\.)` + expr
	}
	if wordly.MatchString(string(last)) {
		expr += `(?!` + spaced + `)`
	}
	if digitly.MatchString(string(last)) {
		expr += `(?![.,:/'’]\p{Nd})`
	}
	return "new RegExp(" + quote(expr) + ", 'u')"
}

var (
	wordly  = pattern.New(`^[\p{L}\p{M}\p{Nd}_]$`)
	digitly = pattern.New(`^\p{Nd}$`)
	amount  = pattern.New(`^[\p{Sc}]?\p{Nd}`)
)

// leadingFlags are those that an expression of Go begins with.
var leadingFlags = pattern.New(`^\(\?([ims]+)\)`)

// textMatches compares the text as it is read on the page, with one space for
// any white space.
func textMatches(_ *writer, a qa.Assertion, on, limit string) ([]string, error) {
	expr, flags := a.Expected, ""
	if m := leadingFlags.FindStringSubmatch(expr); m != nil {
		expr, flags = expr[len(m[0]):], m[1]
	}
	if odd := goOnlySyntax.FindString(expr); odd != "" {
		return nil, fmt.Errorf("the expression has %s, which JavaScript reads otherwise", odd)
	}
	if strings.ContainsFunc(expr, func(r rune) bool { return r > 0xffff }) {
		flags += "u"
	}
	re := "new RegExp(" + quote(expr) + ", '" + flags + "')"
	return poll("async () => (await "+on+`.innerText()).replace(/\s+/g, ' ').trim()`, "the text", limit, not(a)+".toMatch("+re+")"), nil
}

// theirMarks lists the marks that Playwright's snapshots have as well.
var theirMarks = pattern.New(`^(?:checked|checked=mixed|disabled|expanded|level=[1-6]|pressed|pressed=mixed|selected)$`)

// snapshot looks for the lines in Playwright's own snapshot, which calls some of
// them otherwise.
func snapshot(w *writer, a qa.Assertion, on, limit string) ([]string, error) {
	w.needs["lines"] = true
	var wanted []string
	for _, l := range a.SnapshotLines() {
		head, role, value := l.Head, strings.Fields(l.Head)[0], l.Value
		text, quoted := strings.CutPrefix(head, role+" ")
		switch {
		case strings.Contains(head, " > ") && !quoted, role == "frame", role == "clickable", role == "row" && quoted:
			return nil, fmt.Errorf("a snapshot of Playwright's has no line %s", head)
		case quoted:
			name, err := strconv.Unquote(text)
			if err != nil {
				return nil, fmt.Errorf("the line %s can't be read", head)
			}
			if head = role + " " + quote(name); role == "text" || slices.Contains(prose, role) {
				head, value = role, name
			}
		}
		for _, mark := range l.Marks {
			if !theirMarks.MatchString(mark) {
				return nil, fmt.Errorf("a snapshot of Playwright's has no mark [%s]", mark)
			}
		}
		wanted = append(wanted, fmt.Sprintf("{ head: %s, marks: %s, value: %s }", quote(head), quoteAll(l.Marks), quote(value)))
	}
	return pollHelper("async () => lines(await "+on+".ariaSnapshot(), ["+strings.Join(wanted, ", ")+"])", "lines of the snapshot", limit, a), nil
}
