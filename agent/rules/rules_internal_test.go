package rules

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/qa"
)

// What offers a choice in the main part of the page is found, with what it is
// set to, and nothing that merely can be pressed.
func TestControls(t *testing.T) {
	for name, c := range map[string]struct {
		outline string
		want    []string // selector: choices, the initial one in brackets
	}{
		"lists": {`banner [1]
  combobox "Language" [options: EN | DE]: EN
main [1]
  form "Filters"
    combobox "Range" [options: Today | Last 7 days | Last 30 days]: Today
    combobox "Range" [2] [options: A | B]: B
    combobox "Off" [disabled] [options: A | B]: B
    combobox "One" [options: A]: A
    button "Refresh"
contentinfo [1]
  combobox "Theme" [options: Light | Dark]: Light`, []string{`combobox "Range": [Today] Last 7 days, Last 30 days`, `combobox "Range" [2]: A, [B]`}},
		"cut names are no names": {`main [1]
  combobox "Many" [options: A | A very long name that was cut… | B | … 3 more]: A`, []string{`combobox "Many": [A] B`}},
		"tabs": {`main [1]
  tablist "Period"
    tab "Day" [selected]
    tab "Week"
    tab "Year" [disabled]
  tabpanel "Day"`, []string{`tablist "Period": [tab "Day"] tab "Week"`}},
		"groups of which one is on": {`main [1]
  group "Range"
    button "1d" [pressed]
    button "7d"
  group "Actions"
    button "Delete all"
    button "Export"
  toolbar "Text"
    button "Bold" [pressed]
    button "Italic" [pressed]
  radiogroup "Unit"
    radio "USD" [checked]
    radio "EUR"`, []string{`group "Range": [button "1d"] button "7d"`, `radiogroup "Unit": [radio "USD"] radio "EUR"`}},
		"no main part": {`navigation "Main"
  combobox "Site" [options: A | B]: A
heading "Sales"
combobox "Range" [options: A | B]: A
dialog "Cookies"
  radiogroup "Level"
    radio "All" [checked]
    radio "None"`, []string{`combobox "Range": [A] B`}},
		"nothing": {"", nil},
	} {
		var got []string
		for _, c := range controls(c.outline) {
			text := c.selector + ":"
			for i, choice := range c.choices {
				switch {
				case i == c.initial:
					text += " [" + choice.name + "]"
				case i > 0 && i-1 != c.initial:
					text += ", " + choice.name
				default:
					text += " " + choice.name
				}
			}
			got = append(got, strings.ReplaceAll(text, "A [B]", "A, [B]"))
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", name, got, c.want)
		}
	}
}

// drive works a plan against answers, and returns the calls it made.
func drive(t *testing.T, o Options, answer func(c agent.Call) string) (calls []agent.Call, last agent.Reply, unable []qa.Interruption) {
	t.Helper()
	return driveOn(t, o, "", answer)
}

// driveOn works a plan on a page with an outline.
func driveOn(t *testing.T, o Options, outline string, answer func(c agent.Call) string) (calls []agent.Call, last agent.Reply, unable []qa.Interruption) {
	t.Helper()
	m := New(o)
	defer func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}()
	talk := agent.Conversation{}
	for _, name := range []string{"browser_launch", "page_navigate", "check_kpis", "compare_visual_regression"} {
		talk.Tools = append(talk.Tools, agent.Tool{Name: name})
	}
	for range 200 {
		reply, err := m.Next(t.Context(), talk)
		if err != nil {
			t.Fatal(err)
		}
		unable = append(unable, reply.Unable...)
		if len(reply.Calls) == 0 {
			return calls, reply, unable
		}
		calls = append(calls, reply.Calls...)
		structured := answer(reply.Calls[0])
		talk.Turns = append(talk.Turns, agent.Turn{Reply: reply, Results: []agent.Result{{ID: reply.Calls[0].ID, Parts: []agent.Part{{Text: "<page-1a>\npage: http://a.test/\n" + outline + "\n</page-1a>"}}, Structured: json.RawMessage(structured), IsError: strings.Contains(structured, `"ok":false`)}}})
	}
	t.Fatal("the plan has no end")
	return nil, agent.Reply{}, nil
}

func named(calls []agent.Call) string {
	var out []string
	for _, c := range calls {
		out = append(out, c.Name)
	}
	return strings.Join(out, " ")
}

func fine(agent.Call) string { return `{"ok":true,"data":{"passed":true}}` }

// Seam 11: the plan of a task, in its order: what is about the page as it was
// opened before the ranges, what is about its history at last.
func TestPlan(t *testing.T) {
	visible, requested := qa.Assertion{Type: qa.Visible}, qa.Assertion{Type: qa.RequestMade, Expected: "GET **/api/kpi"}
	task := qa.TaskSpec{Goal: "g", Route: "/dashboard", Role: "analyst", KPISpec: &qa.KPISpec{Type: qa.StaticValues}, Ranges: []qa.Range{{Name: "7d"}},
		Expectations: []qa.Expectation{
			{Text: "the figures are asked for", Assertion: &requested},
			{Text: "the filter is there", Selector: `combobox "Range"`, Assertion: &visible},
			{Text: `the page shows "Sales" and "Orders"`},
			{Text: "the console stays clean"}, {Text: "all KPIs are right"},
			{Text: "it looks nice"}, {Text: `no "Error" is shown`}, {Text: "the total is 42"},
		}}.Number()
	calls, last, unable := drive(t, Options{Task: task, Address: "http://shop.test/app/dashboard", AllowedHosts: []string{"shop.test"}}, fine)
	if got, want := named(calls), "browser_launch page_navigate page_screenshot page_snapshot analyze_console_errors verify_assertion verify_assertion verify_assertion verify_assertion check_kpis analyze_console_errors verify_assertion verify_assertion"; got != want {
		t.Errorf("calls\n%s\nwant\n%s", got, want)
	}
	all, _ := json.Marshal(calls)
	for _, want := range []string{
		`{"options":{"allowed_hosts":["shop.test"],"role":"analyst"}}`,
		`{"url":"http://shop.test/app/dashboard","wait_until":"load"}`,
		`"name":"verify_assertion","arguments":{"expects":["E2"]}`, `"name":"verify_assertion","arguments":{"expects":["E3"]}`, `"name":"verify_assertion","arguments":{"expects":["E7"]}`,
		`"name":"verify_assertion","arguments":{"expects":["E8"]}`, `"name":"analyze_console_errors","arguments":{}`, `"name":"check_kpis","arguments":{"ranges":[{"name":"7d"}]}`,
	} {
		if !strings.Contains(string(all), want) {
			t.Errorf("no call has %s", want)
		}
	}
	last2, _ := json.Marshal(calls[len(calls)-2:])
	for _, want := range []string{`{"expects":["E1"]}`, `{"expects":["E4"]}`} {
		if !strings.Contains(string(last2), want) {
			t.Errorf("the last calls are not about what happened: %s", last2)
		}
	}
	for _, e := range []string{`"E5"`, `"E6"`} { // nothing proves it: the report says so
		if strings.Contains(string(all), e) {
			t.Errorf("a check was bound to %s", e)
		}
	}
	if len(unable) > 0 || last.Text == "" {
		t.Errorf("unable %+v, said %q", unable, last.Text)
	}
}

// What can't be looked at ends the plan or is noted; it is never forgotten.
func TestPlanInTrouble(t *testing.T) {
	task := qa.TaskSpec{Goal: "g", Route: "/", KPISpec: &qa.KPISpec{Type: qa.StaticValues}, Expectations: []qa.Expectation{{Text: `the page says "Sales"`}}}.Number()
	says := func(tool, structured string) func(agent.Call) string {
		return func(c agent.Call) string {
			if c.Name == tool {
				return structured
			}
			return fine(c)
		}
	}
	for name, c := range map[string]struct {
		answer func(agent.Call) string
		calls  string
		unable string
	}{
		"the site is down": {says("page_navigate", `{"ok":false,"error":{"code":"NAVIGATION_FAILED","message":"refused"}}`),
			"browser_launch page_navigate browser_close verify_page_loads", ""},
		"the site was down for a moment": {func() func(agent.Call) string {
			tries := 0
			return func(c agent.Call) string {
				switch c.Name {
				case "page_navigate":
					if tries++; tries == 1 {
						return `{"ok":false,"error":{"code":"NAVIGATION_FAILED","message":"refused"}}`
					}
				case "verify_page_loads":
					return `{"ok":true,"data":{"success":true}}`
				}
				return fine(c)
			}
		}(), "browser_launch page_navigate browser_close verify_page_loads browser_launch page_navigate page_screenshot page_snapshot analyze_console_errors verify_assertion check_kpis analyze_console_errors", ""},
		"the page answers 500": {says("page_navigate", `{"ok":true,"data":{"status":500,"url":"http://a.test/"}}`),
			"browser_launch page_navigate verify_assertion assert", ""},
		"the page answers 404": {says("page_navigate", `{"ok":true,"data":{"status":404,"url":"http://a.test/"}}`),
			"browser_launch page_navigate verify_assertion assert page_screenshot page_snapshot analyze_console_errors verify_assertion check_kpis analyze_console_errors", ""},
		"sign-in has expired": {says("page_navigate", `{"ok":false,"error":{"code":"NEEDS_HUMAN","message":"signed out"}}`),
			"browser_launch page_navigate", "needs-human"},
		"no session": {says("browser_launch", `{"ok":false,"error":{"code":"SESSION_LIMIT","message":"full"}}`),
			"browser_launch", "not-executed"},
		"the KPIs can't be checked": {says("check_kpis", `{"ok":false,"error":{"code":"ORACLE_FAILED","message":"500"}}`),
			"browser_launch page_navigate page_screenshot page_snapshot analyze_console_errors verify_assertion check_kpis analyze_console_errors", "not-executed"},
		"the browser crashes": {says("page_snapshot", `{"ok":false,"error":{"code":"BROWSER_CRASHED","message":"gone"}}`),
			"browser_launch page_navigate page_screenshot page_snapshot", "crash"},
		"a budget is spent": {says("analyze_console_errors", `{"ok":false,"error":{"code":"BUDGET_EXCEEDED","message":"spent"}}`),
			"browser_launch page_navigate page_screenshot page_snapshot analyze_console_errors", ""},
	} {
		calls, last, unable := drive(t, Options{Task: task, Address: "http://a.test/"}, c.answer)
		kinds := ""
		for _, in := range unable {
			kinds += string(in.Kind)
		}
		if named(calls) != c.calls || kinds != c.unable || last.Text == "" {
			t.Errorf("%s:\ncalls  %s\nwant   %s\nunable %q, want %q", name, named(calls), c.calls, kinds, c.unable)
		}
	}
}

// A7: what a check has found is told as a finding, with what shows it; an
// expectation once, and console errors and figures not at all: they have their own.
func TestFindings(t *testing.T) {
	visible, clean := qa.Assertion{Type: qa.Visible}, qa.Assertion{Type: qa.ConsoleClean}
	task := qa.TaskSpec{Goal: "g", Route: "/", KPISpec: &qa.KPISpec{Type: qa.StaticValues}, Expectations: []qa.Expectation{
		{Text: "the filter is there", Selector: "css=#f", Assertion: &visible}, {Text: `the page shows "one" and "two"`}, {Text: "no errors", Assertion: &clean}, {Text: "the total is 42"}}}.Number()
	calls, _, _ := drive(t, Options{Task: task, Address: "http://a.test/"}, func(c agent.Call) string {
		switch c.Name {
		case "verify_assertion":
			return map[string]string{
				`{"expects":["E1"]}`: `{"ok":true,"data":{"passed":false,"expected":"visible","observed":"0 elements","checks":[{"passed":false,"selector":"css=#f","assertion":{"type":"visible"}}]},"screenshot":{"name":"002-assertion-failed.png"}}`,
				`{"expects":["E2"]}`: `{"ok":true,"data":{"passed":false,"expected":"text; text","observed":"none","checks":[{"passed":true,"assertion":{"type":"console_clean"}},{"passed":false,"assertion":{"type":"text_contains"}}]}}`,
				`{"expects":["E3"]}`: `{"ok":true,"data":{"passed":false,"expected":"no error","observed":"1","checks":[{"passed":false,"assertion":{"type":"console_clean"}}]}}`,
				`{"expects":["E4"]}`: `{"ok":true,"data":{"passed":false,"expected":"42","observed":"41","checks":[{"passed":false,"figure":"total"}]}}`,
			}[string(c.Arguments)]
		case "analyze_console_errors":
			return `{"ok":true,"data":{"has_errors":true,"errors":[{"message":"boom","source":"a.js"}]}}`
		}
		return fine(c)
	})
	var found []string
	for _, c := range calls {
		if c.Name == "assert" {
			found = append(found, string(c.Arguments))
		}
	}
	want := []string{
		`{"assertion":"the filter is there","category":"functional","confidence":1,"evidence":[{"screenshotRef":"002-assertion-failed.png","selector":"css=#f"}],"expected":"visible","observed":"0 elements","severity":"major"}`,
		`{"assertion":"the page shows \"one\" and \"two\"","category":"functional","confidence":1,"evidence":[],"expected":"text; text","observed":"none","severity":"major"}`,
	}
	if fmt.Sprint(found) != fmt.Sprint(want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
	}
}

// Filters that the task doesn't use are tried, a few choices each, and set
// back; a budget that runs low ends it.
func TestExplore(t *testing.T) {
	outline := `main [1]
  combobox "Range" [options: Today | Last 7 days]: Today
  combobox "Category" [options: All | A | B | C | D | E | F]: All
  tablist "View"
    tab "Chart" [selected]
    tab "Table"`
	answer := func(agent.Call) string {
		return `{"ok":true,"data":{"url":"http://a.test/x?a","page":{"url":"http://a.test/x?b"}}}`
	}
	task := qa.TaskSpec{Goal: "g", Route: "/x", Ranges: []qa.Range{{Name: "7d", Steps: []qa.FlowStep{{Action: "select", Selector: `combobox "Range"`}}}}}
	calls, _, _ := driveOn(t, Options{Task: task, Address: "http://a.test/", Explore: true}, outline, answer)
	var chosen []string
	for i, c := range calls {
		var in struct{ Selector, Option string }
		if err := json.Unmarshal(c.Arguments, &in); err != nil {
			t.Fatal(err)
		}
		if c.Name == "page_select" || c.Name == "page_click" {
			chosen = append(chosen, strings.TrimSpace(in.Selector+" "+in.Option))
			if i+1 == len(calls) || calls[i+1].Name != "analyze_console_errors" {
				t.Errorf("the console was not looked at after %s", chosen[len(chosen)-1])
			}
		}
	}
	want := `combobox "Category" A, combobox "Category" B, combobox "Category" C, combobox "Category" D, combobox "Category" All, tab "Table", tab "Chart"`
	if got := strings.Join(chosen, ", "); got != want {
		t.Errorf("chosen\n%s\nwant\n%s", got, want)
	}
	task.Budgets = &qa.Budgets{MaxToolCalls: 15}
	if calls, _, _ := driveOn(t, Options{Task: task, Address: "http://a.test/", Explore: true}, outline, answer); strings.Contains(named(calls), "page_select") {
		t.Errorf("filters were tried on a small budget: %s", named(calls))
	}
}
