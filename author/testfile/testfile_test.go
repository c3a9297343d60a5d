package testfile_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

var update = flag.Bool("update", false, "write golden files instead of comparing with them")

func asserts(selector string, a qa.Assertion) qa.FlowStep {
	return qa.FlowStep{Action: "assert", Selector: selector, Assertion: &a}
}

// newer returns assertions of the types beside the first fifteen, some with not.
func newer() []qa.FlowStep {
	return []qa.FlowStep{
		asserts("#a", qa.Assertion{Type: qa.InViewport, Not: true}), asserts("", qa.Assertion{Type: qa.TextMatches, Expected: `(?i)^a\s"b"$`}),
		asserts("#a", qa.Assertion{Type: qa.TextContains, Not: true, WholeWords: true, Expected: "5 kg"}), asserts("", qa.Assertion{Type: qa.TextContains, WholeWords: true, Expected: "(Paid)"}),
		asserts("#m", qa.Assertion{Type: qa.ValueContains, WholeWords: true, Expected: "Ada"}), asserts("#m", qa.Assertion{Type: qa.ValueContains, Not: true, Expected: "a/b  c"}), asserts("", qa.Assertion{Type: qa.TitleContains, Expected: "Orders"}),
		asserts("#a", qa.Assertion{Type: qa.Visible, Not: true}), asserts("#a", qa.Assertion{Type: qa.CountAtLeast, Expected: "2"}), asserts("#a", qa.Assertion{Type: qa.CountAtMost, Not: true, Expected: "2"}),
		asserts("#a", qa.Assertion{Type: qa.ValuesEqual, Expected: "a\nb"}), asserts("#a", qa.Assertion{Type: qa.SelectedLabel, Expected: " A  b"}),
		asserts("#a", qa.Assertion{Type: qa.ClassContains, Expected: "a b"}), asserts("#a", qa.Assertion{Type: qa.CSSEquals, Attribute: "color", Expected: "red"}),
		asserts("#a", qa.Assertion{Type: qa.RoleEquals, Expected: "button"}), asserts("#a", qa.Assertion{Type: qa.NameEquals, Expected: "A"}),
		asserts("#a", qa.Assertion{Type: qa.DescriptionEquals, Expected: "A"}), asserts("#a", qa.Assertion{Type: qa.ErrorMessageEquals, Not: true, Expected: "A"}),
		asserts("#a", qa.Assertion{Type: qa.Checked, Not: true}), asserts("#a", qa.Assertion{Type: qa.Indeterminate, Expected: "false"}), asserts("#a", qa.Assertion{Type: qa.Editable, Not: true}),
		asserts("#a", qa.Assertion{Type: qa.Focused}), asserts("#a", qa.Assertion{Type: qa.Empty, Not: true}), asserts("#a", qa.Assertion{Type: qa.Expanded}), asserts("#a", qa.Assertion{Type: qa.Pressed, Not: true}),
		asserts("#a", qa.Assertion{Type: qa.NumberCompared, Op: "!=", Value: "-0.5", Not: true}), asserts("#a", qa.Assertion{Type: qa.SortedBy, Order: "desc", As: "date"}),
		asserts("#a", qa.Assertion{Type: qa.ComesBefore, Other: `button "B"`}), asserts("", qa.Assertion{Type: qa.AriaSnapshot, Expected: "main\n- paragraph \"It's \\\"x\\\"\"\n textbox \"N\" [disabled]: Ada"}),
		asserts("", qa.Assertion{Type: qa.RequestMade, Not: true, Expected: "/a"}), asserts("", qa.Assertion{Type: qa.ResponseStatus, Not: true, Expected: "200"}), asserts("", qa.Assertion{Type: qa.ResponseOK, URL: "/a"}),
		asserts("", qa.Assertion{Type: qa.Downloaded, Expected: "a*.csv"}), asserts("", qa.Assertion{Type: qa.DialogShown, Not: true, Expected: "a  b"}), asserts("", qa.Assertion{Type: qa.PopupOpened, Expected: "/p"}), asserts("", qa.Assertion{Type: qa.Shown, Expected: "Saved"}),
	}
}

// everything returns a flow with each kind of step, selector and assertion.
func everything() flow.Flow {
	steps := []qa.FlowStep{
		{Action: "fill", Selector: `textbox "E-mail" [2]: old value`, Value: "a${secret:MAIL}b${secret:MAIL}"},
		{Action: "fill", Selector: `label="Pass \ word"`, Value: "it's `${x}`\n\u2028</script>"},
		{Action: "click", Selector: `row "Anna | 3" >> button "Say \"hi\"" [focused]`, TimeoutMS: 1500, Description: "a\nb"},
		{Action: "click", Selector: "testid=pay >> nth=-1 >> visible=true"},
		{Action: "double_click", Selector: "css=label", TimeoutMS: 1500},
		{Action: "hover", Selector: `frame "Pay" [2] > text="Now"`},
		{Action: "select", Selector: "css=#s > .x", Option: "Two"},
		{Action: "press", Selector: `role=button[name="Go"]`, Key: "Enter"}, {Action: "press", Key: "Control+A"},
		{Action: "navigate", URL: "/next?a=1#b"}, {Action: "navigate", URL: "https://other.test/"},
		{Action: "wait", Value: "20"}, {Action: "wait", Selector: "//p"}, {Action: "screenshot", Name: "end"},
		{Action: "upload", Selector: "#f", Value: "a.txt\nb.txt"}, {Action: "drop", Selector: "#z", Value: "a.txt"}, {Action: "drag", Selector: "#a", To: `listitem "B"`},
		{Action: "dialog", Value: "accept", Option: "Bob"}, {Action: "dialog", Value: "dismiss"}, {Action: "back", TimeoutMS: 1500},
		{Action: "color_scheme", Value: "dark"}, {Action: "evaluate", Value: "localStorage.a = '1'"}, {Action: "evaluate", Value: "async () => { await caches.keys() }"},
		{Action: "fill", Selector: "#otp", Value: "${totp:KEY}"},
		flow.Gap(flow.GapOfAct, "call 3, page_evaluate"), flow.Gap(flow.GapOfCheck, "call 4, check_kpis"),
		asserts("label=Mail", qa.Assertion{Type: qa.Exists}), asserts(`listitem "Tea (1)"`, qa.Assertion{Type: qa.Visible}),
		asserts(`heading "A long one…" [2]`, qa.Assertion{Type: qa.Hidden}), asserts("", qa.Assertion{Type: qa.TextContains, Expected: "Hi"}),
		asserts("text=/h.i/i", qa.Assertion{Type: qa.TextEquals, Expected: "Hi"}), asserts(`textbox [1]`, qa.Assertion{Type: qa.ValueEquals}),
		asserts("h1", qa.Assertion{Type: qa.CountEquals, Expected: "3"}), asserts("a", qa.Assertion{Type: qa.AttributeEquals, Attribute: "href", Expected: "/x"}),
		asserts("#c", qa.Assertion{Type: qa.Checked}), asserts("#c", qa.Assertion{Type: qa.Enabled, Expected: "false"}),
		asserts("", qa.Assertion{Type: qa.URLMatches, Expected: "**/a?b=*"}), asserts("", qa.Assertion{Type: qa.TitleEquals, Expected: "T"}),
		asserts("", qa.Assertion{Type: qa.ConsoleClean}), asserts("", qa.Assertion{Type: qa.RequestMade, Expected: "POST **/api/* 201"}),
		asserts("", qa.Assertion{Type: qa.RequestMade, Expected: `re:^https://.*\.js$`}),
		asserts("", qa.Assertion{Type: qa.ResponseStatus, URL: "PUT /api", Expected: "204"}), asserts("", qa.Assertion{Type: qa.ResponseStatus, Expected: "200"}),
	}
	steps = append(append(steps, newer()...),
		qa.FlowStep{Action: "fill", Selector: "#k", Value: "Zoë", DelayMS: 20, TimeoutMS: 1500}, qa.FlowStep{Action: "fill", Selector: "#k", Value: "${secret:PIN}x", DelayMS: 20, Exact: true},
		qa.FlowStep{Action: "fill", Selector: "#k", Value: "Ada", Exact: true}, qa.FlowStep{Action: "click", Selector: "css=#tidy"})
	n := len(steps)
	return flow.Flow{Name: `It's "all"`, Role: "admin", StartURL: "/", TimeoutMS: 60_000, Steps: steps, Recorded: &flow.Recorded{Cleanup: n - 1,
		Steps: []flow.RecordedStep{{Text: "Sign in */ `now`", To: 6}, {Text: "Look on", From: 6, To: 6}, {Text: "Check", From: 26, To: n}}}}
}

// E7: every kind of step, selector and assertion has its words in a Playwright
// test, whatever the texts hold.
func TestEverything(t *testing.T) {
	f := everything()
	said := map[string]bool{}
	for _, s := range f.Steps {
		said[s.Action] = true
		if s.Assertion != nil {
			said[string(s.Assertion.Type)] = true
		}
	}
	for _, a := range flow.Actions() {
		if !said[a] && !slices.Contains([]string{"visual", "tab", "popup"}, a) { // see TestAsPlaywrightTests
			t.Errorf("no step %s", a)
		}
	}
	for _, a := range qa.AssertionTypes() {
		if !said[string(a)] {
			t.Errorf("no assertion %s", a)
		}
	}
	got, err := testfile.Of(f, testfile.Options{Source: "all\n.md.flow.json", Width: 800, Height: 600})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "everything.spec.ts")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("-want +got; go test ./author/testfile -update\n%s", diff)
	}
}

// Each step knows its lines: what it writes stands there and nowhere else, in the order of
// the steps.
func TestLinesOfSteps(t *testing.T) {
	f := everything()
	text, lines, err := testfile.WithLines(f, testfile.Options{Source: "x"})
	if err != nil {
		t.Fatal(err)
	}
	before := strings.Split(text, "\n")
	for i, s := range f.Steps {
		probe := f
		probe.Steps = slices.Clone(f.Steps)
		probe.Steps[i].Description = "this step"
		marked, err := testfile.Of(probe, testfile.Options{Source: "x"})
		if err != nil {
			t.Fatal(err)
		}
		after, at := strings.Split(marked, "\n"), lines[i].From-1
		if after[at] == before[at] || !strings.Contains(after[at], "this step") {
			t.Errorf("step %d (%s): line %d is %q", i+1, s.Action, at+1, after[at])
		}
		if extra := len(after) - len(before); extra > 1 || after[lines[i].To+extra] != before[lines[i].To] {
			t.Errorf("step %d (%s): it ends behind line %d", i+1, s.Action, lines[i].To)
		}
		if i > 0 && lines[i].From <= lines[i-1].To {
			t.Errorf("step %d begins at line %d, before the end of the one before at %d", i+1, lines[i].From, lines[i-1].To)
		}
	}
}

// E7: what a Playwright test would not say in full is refused, and the step named.
func TestUnsayable(t *testing.T) {
	holds := asserts("", qa.Assertion{Type: qa.TitleEquals, Expected: "T"})
	for name, c := range map[string]struct {
		f    flow.Flow
		step int
		why  string
	}{
		"a picture":           {flow.Flow{Steps: []qa.FlowStep{holds, {Action: "visual", Name: "x"}}}, 2, "baseline"},
		"nothing asserted":    {flow.Flow{StartURL: "/"}, 0, "prove nothing"},
		"an unknown action":   {flow.Flow{Steps: []qa.FlowStep{holds, {Action: "drag", Selector: "a"}}}, 2, "drag"},
		"a text by number":    {flow.Flow{Steps: []qa.FlowStep{asserts(`text "Hi" [2]`, qa.Assertion{Type: qa.Visible})}}, 1, "no role"},
		"a frame by number":   {flow.Flow{Steps: []qa.FlowStep{asserts(`frame [2] > button "Hi"`, qa.Assertion{Type: qa.Visible})}}, 1, "frame"},
		"no selector":         {flow.Flow{Steps: []qa.FlowStep{{Action: "click", Selector: "foo=bar"}, holds}}, 1, "foo="},
		"a pattern of Go":     {flow.Flow{Steps: []qa.FlowStep{asserts("", qa.Assertion{Type: qa.URLMatches, Expected: "re:(?i)a"})}}, 1, "(?i"},
		"another, of traffic": {flow.Flow{Steps: []qa.FlowStep{asserts("", qa.Assertion{Type: qa.RequestMade, Expected: `GET re:a\z`})}}, 1, `\z`},
		"an expression of Go": {flow.Flow{Steps: []qa.FlowStep{asserts("", qa.Assertion{Type: qa.TextMatches, Expected: `a\z`})}}, 1, `\z`},
		"a mark of ours":      {flow.Flow{Steps: []qa.FlowStep{asserts("", qa.Assertion{Type: qa.AriaSnapshot, Expected: `textbox "A" [required]`})}}, 1, "[required]"},
		"a line of ours":      {flow.Flow{Steps: []qa.FlowStep{asserts("", qa.Assertion{Type: qa.AriaSnapshot, Expected: `frame "A" > button "B"`})}}, 1, "no line"},
		"no other":            {flow.Flow{Steps: []qa.FlowStep{asserts("#a", qa.Assertion{Type: qa.ComesBefore, Other: "foo=bar"})}}, 1, "foo="},
		"a rule that blocks":  {flow.Flow{Steps: []qa.FlowStep{asserts("", qa.Assertion{Type: qa.RequestMade, Expected: "/a blocked"})}}, 1, "blocks"},
		"a relative address":  {flow.Flow{Steps: []qa.FlowStep{holds, {Action: "navigate", URL: "next"}}}, 2, "relative"},
		"after cleanup": {flow.Flow{Steps: []qa.FlowStep{holds, {Action: "press", Key: "a"}}, SuccessCondition: "x", Recorded: &flow.Recorded{Cleanup: 1}},
			0, "cleanup"},
	} {
		got, err := testfile.Of(c.f, testfile.Options{})
		var bad *testfile.UnsayableError
		if !errors.As(err, &bad) || bad.Step != c.step || !strings.Contains(err.Error(), c.why) || got != "" {
			t.Errorf("%s: %v, %q", name, err, got)
		}
	}
}

// Req 0033/B: a dialog is answered in the tab that the answer was given for; what is counted of one
// page alone is still refused among several.
func TestDialogsAmongTabs(t *testing.T) {
	steps := []qa.FlowStep{{Action: "click", Selector: "#open"}, {Action: "tab", Value: "2"}, {Action: "dialog", Value: "accept"}, {Action: "click", Selector: "#ask"},
		asserts("", qa.Assertion{Type: qa.TextContains, Expected: "Done"})}
	got, err := testfile.Of(flow.Flow{StartURL: "/", Steps: steps}, testfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"import { type Dialog, type Page, expect, test }", "next.push({ page, answer: (dialog) => dialog.accept() });", "n.page === dialog.page()"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in:\n%s", want, got)
		}
	}
	_, err = testfile.Of(flow.Flow{StartURL: "/", Steps: append(slices.Clone(steps), asserts("", qa.Assertion{Type: qa.ConsoleClean}))}, testfile.Options{})
	if err == nil || !strings.Contains(err.Error(), "several tabs") {
		t.Errorf("the console of one tab: %v", err)
	}
}
