package plan_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/site"
)

var withoutLines = cmp.Options{cmpopts.IgnoreFields(plan.Step{}, "Line", "Element", "Edge", "To", "Part"), cmpopts.IgnoreFields(plan.Notable{}, "Element"), cmpopts.IgnoreFields(plan.Plan{}, "Start", "Records", "Left"), cmpopts.IgnoreFields(plan.Flow{}, "Ask", "Left", "Alien"), cmpopts.IgnoreUnexported(plan.Flow{})}

func specification(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "specification.md"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// C3, C7: the specification's own example is read, and printed as it was.
func TestSpecificationsExample(t *testing.T) {
	text := specification(t)
	got, err := plan.Parse("test-plan.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := plan.Plan{StartURL: "https://example.com", Flows: []plan.Flow{{Steps: []plan.Step{{
		Number: 2, Kind: "click", Selector: "a.link-unstyled.font-md", Text: "Investing", Link: "https://example.com/investing", XPath: "/html/body/div[1]/a[2]",
		Expected: plan.Expected{URL: "https://example.com/investing", Title: "Investing - Example", Notable: []plan.Notable{
			{Selector: "#main-heading", Text: "Investing", Description: "Main page heading"},
			{Selector: ".button-primary", Text: "Get Started", Description: "Call to action button"}}},
	}}}}}
	if diff := cmp.Diff(want, got, withoutLines); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(text, plan.Print(got)); diff != "" {
		t.Error(diff)
	}
	doc, err := os.ReadFile("../../docs/generate.md")
	if err != nil || !strings.Contains(strings.ReplaceAll(string(doc), "\r\n", "\n"), "```markdown\n"+text+"```\n") {
		t.Errorf("docs/generate.md does not show this plan (issue 33): %v", err)
	}
	if line := got.Flows[0].Steps[0].Line; line != 7 {
		t.Errorf("the step stands in line %d", line)
	}
	windows := "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n")
	colons := strings.NewReplacer("**Start URL**:", "**Start URL:**", "**Link**:", "**Link:**", "**Action:**", "**Action**:", "**Expected Results:**", "**Expected Results**:").Replace(text)
	for _, other := range []string{windows, colons} {
		if p, err := plan.Parse("x", []byte(other)); err != nil || plan.Print(p) != text {
			t.Errorf("%v\n%s", err, other)
		}
	}
}

// everything returns a plan with each field, and texts in each.
func everything(texts ...string) plan.Plan {
	n := 0
	next := func() string { n++; return texts[n%len(texts)] }
	p := plan.Plan{StartURL: "https://a.test/ü?x=1#y", Role: next(), Marked: true, Summary: []string{"| Loop | Action |", "|---:|---|", `| 1 | click button "a \| b" |`}}
	for f := range 2 {
		flow := plan.Flow{Name: next()}
		for i, kind := range plan.Kinds() {
			value := next()
			flow.Steps = append(flow.Steps, plan.Step{Number: i + f + 1, Kind: kind, Selector: "x" + next(), Text: next(), Link: "/" + next(), XPath: next(), ID: next(), Frame: next(),
				Value: &value, Option: next(), Key: next(), Reason: next(),
				Expected: plan.Expected{URL: next(), Title: next(), Notable: []plan.Notable{
					{Selector: next(), Text: next(), Description: next()}, {Selector: next() + "y"}, {Selector: next(), Description: next()}}}})
		}
		p.Flows = append(p.Flows, flow)
	}
	return p
}

// C3: whatever a page's texts hold, a plan that is printed reads as it was.
func TestPrintedReadsAsItWas(t *testing.T) {
	odd := []string{`say "hi" \ there`, "a`b", "`", "``x`` ", "two\nlines\r\n", " padded ", "a\u2028b\u0085c", "\x00\x1b", `"`, `\`, "- **URL**: /x", "### Step 9: CLICK", "<!-- end of plan -->", "\ufeff", "ünï ✓ 日本 🙂", `\n`, "a ` b `` c", "` `", "x - y", "\t"}
	for i := range odd {
		want := everything(append(odd[i:], odd[:i]...)...)
		text := plan.Print(want)
		got, err := plan.Parse("p", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(want, got, withoutLines, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	}
}

// C3: expected results are never empty, whatever a step does and types; what is said of a
// step that expects nothing is no expectation when it is read again.
func TestEveryStepHasAResult(t *testing.T) {
	for _, odd := range []string{"hammer", `say "hi" \ there`, "a`b", "two\nlines", "\u2028", "", " ", "- **URL**: /x", "<b>"} {
		f := plan.Flow{}
		for i, kind := range plan.Kinds() {
			f.Steps = append(f.Steps, plan.Step{Number: i + 2, Kind: kind, Selector: "#a", Link: "/b", Option: "o " + odd, Value: &odd})
		}
		want := plan.Plan{StartURL: "http://a.test/", Flows: []plan.Flow{f}}
		text := plan.Print(want)
		if n := strings.Count(text, "**Expected Results:**\n- **Result**: "); n != len(f.Steps) {
			t.Errorf("%d of %d steps have a result:\n%s", n, len(f.Steps), text)
		}
		got, err := plan.Parse("p", []byte(text))
		if err != nil {
			t.Fatalf("%q: %v\n%s", odd, err, text)
		}
		if diff := cmp.Diff(want, got, withoutLines, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	}
}

// C3: what a plan does not have is an error that names the line, and what was meant.
func TestMistakes(t *testing.T) {
	text := specification(t)
	replaced := func(old, by string) string { return strings.Replace(text, old, by, 1) }
	for name, c := range map[string]struct{ text, want string }{
		"a heading of one's own":   {replaced("**Expected", "### Notes of mine\n\n**Expected"), "p:15: unknown line"},
		"a title of one's own":     {replaced("# Test Plan", "# My plan"), `p:1: a plan begins with the line "# Test Plan"`},
		"a section of one's own":   {text + "\n## Appendix\n", `p:22: unknown line "## Appendix"`},
		"a mistyped field":         {replaced("**Selector**", "**Selektor**"), `p:10: unknown line "- **Selektor**: ` + "`a.link-unstyled.font-md`" + `"; the nearest known is "Selector"`},
		"a mistyped expectation":   {replaced("**Page Title**", "**Title**"), `the nearest known is "Page Title"`},
		"a field of another part":  {replaced("- **URL**", "- **Link**"), "p:16: unknown line"},
		"a field twice":            {replaced("- **Text**", "- **Selector**: `b`\n- **Text**"), "p:11: Selector stands in line 10 already"},
		"an unknown action":        {replaced(": CLICK", ": CLIK"), `p:7: there is no action "CLIK"; did you mean "click"?`},
		"two actions":              {replaced("click on", "hover on"), "p:9: the step's heading says click, and its action says hover"},
		"no element":               {strings.NewReplacer("- **Selector**: `a.link-unstyled.font-md`\n", "", "- **XPath**: `/html/body/div[1]/a[2]`\n", "").Replace(text), "p:7: step 2 names no element"},
		"numbers with a gap":       {text + "\n### Step 4: CLICK\n\n**Action:** click on element\n- **ID**: `x`\n\n**Expected Results:**\n", "p:22: step 4 follows step 2"},
		"number 0":                 {replaced("Step 2", "Step 0"), "p:7: 0 is no number of a step"},
		"no start":                 {replaced("**Start URL**: https://example.com\n", ""), "no line \"**Start URL**"},
		"an open quote":            {replaced(`"Investing"`, `"Investing`), "p:11: Text: a closing quote is missing"},
		"a bare quote":             {replaced(`"Investing"`, `"In"vesting"`), `p:11: Text: "vesting\"" follows the value`},
		"an open backtick":         {replaced("font-md`", "font-md"), "p:10: Selector: a closing backtick is missing"},
		"an unknown escape":        {replaced(`"Investing"`, `"\x"`), `p:11: Text: \x is no escape`},
		"a notable without code":   {replaced("`.button-primary`", ".button-primary"), "p:20: a notable element begins with its selector in backticks"},
		"a paragraph in a notable": {text + "And so on.\n", `p:21: unknown line "And so on."`},
		"no value":                 {replaced(`**Text**: "Investing"`, "**Text**:"), "p:11: Text has no value"},
		"no bullet":                {replaced("- **Text**", "**Text**"), `p:11: "**Text**: \"Investing\"" is not written as a plan has it, such as "- **Text**: …"`},
		"a row of one's own words": {strings.Replace(plan.Print(everything("a")), "|---:|", "so far:\n|---:|", 1), `unknown line "so far:"`},
		"bytes":                    {"\xff\xfe\x00", "p:1: this is no text in UTF-8"},
		"nothing":                  {"", "p:1: the plan is empty"},
		"after the end":            {plan.Print(everything("a")) + "more\n", "the plan has ended before this line"},
		"no address to go to":      {"# Test Plan\n\n**Start URL**: /\n\n## Steps to Reproduce\n\n### Step 1: NAVIGATE\n\n**Action:** navigate on page\n\n**Expected Results:**\n", "p:7: step 1 says no address to go to"},
	} {
		_, err := plan.Parse("p", []byte(c.text))
		var bad *plan.ParseError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

// C3: a plan that was cut off is an error that says where, at whatever byte.
func TestCutOff(t *testing.T) {
	whole := plan.Print(everything(`a "b"`, "c`d", "e"))
	for at := 0; at < len(whole)-1; at += 1 + at%7 {
		cut := whole[:at]
		_, err := plan.Parse("p", []byte(cut))
		var bad *plan.ParseError
		if !errors.As(err, &bad) {
			t.Fatalf("cut after byte %d: %v\n%s", at, err, cut)
		}
		last := bad.Problems[len(bad.Problems)-1]
		lines := strings.Count(strings.TrimRight(cut, "\n"), "\n") + 1
		if last.Line > lines || last.Line < lines-30 {
			t.Fatalf("cut in line %d: %v", lines, err)
		}
	}
	// Without marks a cut is seen where it leaves a step or a line unfinished.
	text := specification(t)
	for _, at := range []string{"### Step 2: CL", "**Action:** click on element\n", "- **Link**: https://exa", "- **Notable Elements**:\n", "Get Sta", "Call to act"} {
		cut := text[:strings.Index(text, at)+len(at)]
		if _, err := plan.Parse("p", []byte(cut)); err == nil {
			t.Errorf("cut after %q is taken for a plan", at)
		}
	}
}

// Bad input: 10,000 steps are read.
func TestManySteps(t *testing.T) {
	p := plan.Plan{StartURL: "https://a.test/", Flows: []plan.Flow{{}}}
	for i := range 10_000 {
		p.Flows[0].Steps = append(p.Flows[0].Steps, plan.Step{Number: i + 2, Kind: "click", Selector: fmt.Sprintf("#b%d", i), Expected: plan.Expected{URL: "https://a.test/"}})
	}
	got, err := plan.Parse("p", []byte(plan.Print(p)))
	if err != nil || got.Steps() != 10_000 {
		t.Errorf("%d steps: %v", got.Steps(), err)
	}
}

// FuzzParse: what is read prints to what reads the same and prints the same, and
// nothing panics. Texts of any kind come through.
func FuzzParse(f *testing.F) {
	f.Add(specification(f))
	f.Add(plan.Print(everything("a`\"\n\\")))
	for _, s := range []string{"", "# Test Plan", "# Test Plan\n**Start URL**: \"", "`` ` ``", `\u12`, "\n\r\t\u2028", "- **Value**: \"\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if p, err := plan.Parse("p", []byte(s)); err == nil {
			text := plan.Print(p)
			again, err := plan.Parse("p", []byte(text))
			if diff := cmp.Diff(p, again, withoutLines, cmpopts.EquateEmpty()); err != nil || diff != "" || plan.Print(again) != text {
				t.Fatalf("%v: %s\n%s", err, diff, text)
			}
		}
		s = strings.ToValidUTF8(s, "")
		if s == "" || len(s) > 200 {
			return
		}
		want := everything(s)
		got, err := plan.Parse("p", []byte(plan.Print(want)))
		if diff := cmp.Diff(want, got, withoutLines, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Fatalf("%v: %s", err, diff)
		}
	})
}

// shop is a site of four states, with a way back, a form and an edge that did nothing.
func shop() site.Site {
	link := func(text, href string) *site.Element {
		return &site.Element{Tag: "a", Role: "link", Text: text, Href: href, Selector: "a[href=\"" + href + "\"]", Landmark: `navigation "Main"`}
	}
	yes := true
	edge := func(id, from, to string, a site.Action, c site.Changes) site.Edge {
		return site.Edge{ID: id, From: from, To: to, Action: a, Changes: c}
	}
	s := site.Site{SchemaVersion: 1, StartURL: "https://a.test/", States: []site.State{
		{ID: "s1", Place: "a.test/", URL: "https://a.test/", Title: "Home"}, {ID: "s2", Place: "a.test/orders", URL: "https://a.test/orders", Title: "Orders", Notable: []site.Element{{Tag: "h1", Selector: "h1", Text: "Orders"}}},
		{ID: "s3", Place: "a.test/new", URL: "https://a.test/new", Title: "New"}, {ID: "s4", Place: "a.test/done", URL: "https://a.test/done", Title: "Done"}, {ID: "s5", Place: "a.test/lost", URL: "https://a.test/lost", Title: "Lost"}}}
	s.Edges = []site.Edge{
		edge("e1", "s1", "s2", site.Action{Kind: site.Click, Element: link("Orders", "/orders")}, site.Changes{URL: "https://a.test/orders", Appeared: []site.Element{{Role: "table", Selector: "table", Name: "Orders"}}}),
		edge("e2", "s2", "s1", site.Action{Kind: site.Click, Element: link("Home", "/")}, site.Changes{}),
		edge("e3", "s2", "s3", site.Action{Kind: site.Click, Element: link("New", "/new")}, site.Changes{}),
		edge("e4", "s3", "s4", site.Action{Kind: site.Submit, Element: &site.Element{Tag: "button", Selector: "#save", Text: "Save"}, Fields: []site.Field{
			{Element: site.Element{Selector: "#name"}, Value: "Ada"}, {Element: site.Element{Selector: "#size"}, Option: "L"}, {Element: site.Element{Selector: "#ok"}, Checked: &yes}}}, site.Changes{}),
		edge("e5", "s3", "s3", site.Action{Kind: site.Submit, Element: &site.Element{Selector: "#save", Name: "Save"}, Invalid: "Name: required"}, site.Changes{Appeared: []site.Element{{Role: "alert", Selector: ".error", Text: "Name is missing"}}}),
		edge("e6", "s1", "s1", site.Action{Kind: site.Click, Element: link("Nothing", "#")}, site.Changes{}),
		edge("e7", "s4", "s1", site.Action{Kind: site.Click, Element: link("Home", "/")}, site.Changes{}),
		edge("e8", "s5", "s5", site.Action{Kind: site.Click, Element: link("Help", "#")}, site.Changes{Dialog: "Help"}),
	}
	s.Edges[3].Wrote = true
	return s
}

// titles returns the names of a plan's flows.
func titles(p plan.Plan) []string {
	var out []string
	for _, f := range p.Flows {
		out = append(out, f.Name)
	}
	return out
}

// C3, C4, Req 0032/1: a flow for each kind of page, each refusal and each effect, which its
// title says; the plan that is made of them reads as it was.
func TestOfSite(t *testing.T) {
	p := plan.OfSite(shop())
	want := []string{`opening "/" shows "Home"`, `"Save" takes effect`, `"Save" is refused without "Name"`, `opens the page "Orders"`, `opens the page "Home"`, `opens the page "New"`}
	if diff := cmp.Diff(want, titles(p)); diff != "" {
		t.Error(diff)
	}
	if len(p.Left) != 1 || p.Left[0].ID != "e8" {
		t.Errorf("left: %v", p.Left)
	}
	text := plan.Print(p)
	again, err := plan.Parse("p", []byte(text))
	if diff := cmp.Diff(p, again, withoutLines, cmpopts.EquateEmpty()); err != nil || diff != "" {
		t.Errorf("%v %s\n%s", err, diff, text)
	}
	for _, want := range []string{"### Step 2: CLICK", "- **Value**: \"Ada \\${fresh}\"", "- **Option**: \"L\"", ": CHECK", "  - `.error` \"Name is missing\" - appeared: alert", `  - ` + "`table`" + ` "Orders" - appeared: table`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A key that sends a text comes after the text: without it there is nothing to send (C4).
func TestTextBeforeItsKey(t *testing.T) {
	s := shop()
	field := site.Element{Tag: "input", Role: "textbox", Name: "New", Selector: "#new"}
	s.Edges = []site.Edge{{ID: "e1", From: "s1", To: "s2", Action: site.Action{Kind: site.Press, Element: &field, Value: "Ada", Key: "Enter"}}}
	steps := plan.OfSite(s).Flows[1].Steps
	if len(steps) != 2 || steps[0].Kind != plan.Type || *steps[0].Value != "Ada ${fresh}" || steps[1].Kind != site.Press || steps[1].Key != "Enter" {
		t.Errorf("steps: %+v", steps)
	}
}

// Bad input: a site with many edges gets a flow for each page, by the shortest way.
func TestOfManyEdges(t *testing.T) {
	s := site.Site{StartURL: "https://a.test/"}
	const states = 400
	for i := range states {
		s.States = append(s.States, site.State{ID: fmt.Sprint(i), Place: fmt.Sprintf("a.test/p%c%c", 'a'+i/20, 'a'+i%20)})
		for _, to := range []int{(i + 1) % states, (i * 7) % states, 0, (i*13 + 5) % states} {
			s.Edges = append(s.Edges, site.Edge{From: fmt.Sprint(i), To: fmt.Sprint(to), Changes: site.Changes{URL: "/x"}})
		}
	}
	p := plan.OfSite(s)
	if len(p.Left) > 0 || len(p.Flows) < states-1 {
		t.Errorf("%d flows, %d left", len(p.Flows), len(p.Left))
	}
	for _, f := range p.Flows {
		if len(f.Steps) > 8 {
			t.Errorf("%d steps", len(f.Steps))
		}
	}
}

// A step on an icon is called by what can be read of it.
func TestStepsOnIcons(t *testing.T) {
	s := plan.Step{Kind: site.Click, Text: "\uf0c9 ", Selector: "#toggle"}
	if got := s.Name(); got != "click #toggle" {
		t.Errorf("it is called %q", got)
	}
}

// C3: a plan that was made of an exploration ends with its rounds and their times, and no
// text of a page ends the table.
func TestSummaryOfTheExploration(t *testing.T) {
	s := site.Site{StartURL: "https://a.test/", States: []site.State{{ID: "s1"}, {ID: "s2"}}, Edges: []site.Edge{{From: "s1", To: "s2", Action: site.Action{Kind: site.Navigate, URL: "https://a.test/b"}}},
		Loops: []site.Loop{{Number: 1, State: "s1", Action: "click \"a | b\"\n## Steps to Reproduce", Result: "![x](https://evil.test/x.png)", ScanMS: 10, ActMS: 20, TotalMS: 30}, {Number: 2, State: "s2", Action: "look", ScanMS: 1, ActMS: 2, TotalMS: 3}}}
	text := plan.Print(plan.OfSite(s))
	got, err := plan.Parse("p", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want := []string{"| Loop | State | Action | Result | Scan ms | Act ms | Total ms |", "|---:|---|---|---|---:|---:|---:|", "", "| 2 | s2 | look |  | 1 | 2 | 3 |", "| | | **2 loops** | | 11 | 22 | 33 |"}
	if len(got.Summary) != len(want) {
		t.Fatalf("%d rows, want %d:\n%s", len(got.Summary), len(want), text)
	}
	for i, row := range want {
		if i != 2 && got.Summary[i] != row {
			t.Errorf("row %d is %s, want %s", i, got.Summary[i], row)
		}
	}
	if row := got.Summary[2]; !strings.Contains(row, "| `![x](") || !strings.Contains(row, `a \| b`) || !strings.HasSuffix(row, "| 10 | 20 | 30 |") {
		t.Errorf("the page's words act: %s", row)
	}
}

// desk is a site of records in German: a list, a form, the page of a record that was there
// and of one that the exploration made, a question in a dialog, and a sign-out.
func desk() site.Site {
	element := func(role, name, landmark string) site.Element {
		return site.Element{Role: role, Name: name, Text: name, Landmark: landmark, Selector: role + "." + name}
	}
	link := func(name, href, path string) *site.Element {
		x := element("link", name, "main [1]")
		x.Tag, x.Href, x.XPath = "a", href, path
		return &x
	}
	button := func(name, landmark string) *site.Element { x := element("button", name, landmark); return &x }
	const base, frage = "https://a.test", `dialog "Wirklich schließen?"`
	field := element("textbox", "Betreff", "main [1]")
	field.Type = "text"
	password := element("textbox", "Kennwort", "main [1]")
	password.Type = "password"
	state := func(id, path, place string, headings ...string) site.State {
		s := site.State{ID: id, URL: base + path, Place: "a.test" + place, Title: headings[0]}
		for _, h := range headings {
			s.Notable = append(s.Notable, element("heading", h, "main [1]"))
		}
		return s
	}
	record := []site.Element{*button("Übernehmen", "main [1]"), *button("Schließen", "main [1]")}
	sent := []site.Field{{Element: field, Value: "Sample 1000"}}
	empty := []site.Field{{Element: field}}
	return site.Site{SchemaVersion: 1, StartURL: base + "/tickets", Role: "agent", States: []site.State{
		state("s1", "/tickets", "/tickets", "Tickets"), state("s2", "/tickets/new", "/tickets/new", "Neues Ticket"),
		state("s3", "/tickets/7", "/tickets/{n}", "Drucker klemmt", "Verlauf"), state("s4", "/tickets/14", "/tickets/{n}", "Sample 1000", "Verlauf"),
		state("s5", "/tickets/7", "/tickets/{n}", "Drucker klemmt", "Verlauf"), state("s6", "/sign-in", "/sign-in", "Anmelden"), state("s7", "/tickets?q=a", "/tickets?q=a", "Tickets"),
	}, Edges: []site.Edge{
		{ID: "e1", From: "s1", To: "s2", Action: site.Action{Kind: site.Click, Element: link("Neu", base+"/tickets/new", "/nav/a")}, Changes: site.Changes{URL: base + "/tickets/new", Appeared: []site.Element{element("heading", "Neues Ticket", "main [1]"), *button("Anlegen", "main [1]")}}},
		{ID: "e2", From: "s1", To: "s3", Action: site.Action{Kind: site.Click, Element: link("Drucker klemmt", base+"/tickets/7", "/table/tbody/tr[1]/td/a")}, Changes: site.Changes{URL: base + "/tickets/7", Appeared: record}},
		{ID: "e3", From: "s3", To: "s3", Action: site.Action{Kind: site.Submit, Element: button("Übernehmen", "main [1]")}, Wrote: true, Changes: site.Changes{Appeared: []site.Element{*button("Zurückgeben", "main [1]")}, Gone: []site.Element{*button("Übernehmen", "main [1]")}}},
		{ID: "e4", From: "s2", To: "s4", Action: site.Action{Kind: site.Submit, Element: button("Anlegen", "main [1]"), Fields: sent}, Wrote: true, Changes: site.Changes{URL: base + "/tickets/14", Appeared: append([]site.Element{element("heading", "Sample 1000", "main [1]")}, record...)}},
		{ID: "e5", From: "s2", To: "s2", Action: site.Action{Kind: site.Submit, Element: button("Anlegen", "main [1]"), Fields: empty, Invalid: "Betreff: required"}, Wrote: true, Changes: site.Changes{Appeared: []site.Element{element("alert", "Bitte ausfüllen.", "main [1]")}}},
		{ID: "e6", From: "s3", To: "s5", Action: site.Action{Kind: site.Click, Element: button("Schließen", "main [1]")}, Changes: site.Changes{Appeared: []site.Element{element("dialog", "Wirklich schließen?", "main [1]"), *button("Abbrechen", frage)}}},
		{ID: "e7", From: "s5", To: "s3", Action: site.Action{Kind: site.Click, Element: button("Abbrechen", frage)}, Changes: site.Changes{Gone: []site.Element{element("dialog", "Wirklich schließen?", "main [1]"), *button("Abbrechen", frage)}}},
		{ID: "e8", From: "s3", To: "s6", Action: site.Action{Kind: site.Submit, Element: button("Abmelden", "banner [1]")}, Wrote: true, Changes: site.Changes{URL: base + "/sign-in", Appeared: []site.Element{password}}},
		{ID: "e9", From: "s1", To: "s7", Action: site.Action{Kind: site.Submit, Element: button("Suchen", "search [1]"), Fields: []site.Field{{Element: site.Element{Role: "searchbox", Type: "search", Name: "Suche", Selector: "#q"}, Value: "a"}}}, Changes: site.Changes{URL: base + "/tickets?q=a"}},
	}}
}

// Req 0032/1, 0032/2: titles say in the page's words what was done and what changed; an act
// on a record is done on one that the test has made, by fresh texts; what it made is looked
// for where it is listed. The sign-in that tests share is not ended.
func TestQuestions(t *testing.T) {
	p := plan.OfSite(desk())
	want := []string{`opening "/tickets" shows "Tickets"`, `"Übernehmen" becomes "Zurückgeben"`, `"Anlegen" adds what was entered to "Tickets"`, `"Anlegen" is refused without "Betreff"`,
		`"Neu" opens the page "Neues Ticket"`, `"Schließen" asks "Wirklich schließen?"`, `"Abbrechen" in "Wirklich schließen?" changes nothing`, `"Suchen" finds nothing for an unknown text`}
	if diff := cmp.Diff(want, titles(p)); diff != "" {
		t.Error(diff)
	}
	steps := func(title string) (out []string) {
		for _, f := range p.Flows {
			for _, s := range f.Steps {
				if f.Name == title {
					line := s.Kind + " " + strings.TrimPrefix(s.Link+s.Text, "https://a.test")
					if s.Value != nil {
						line += " = " + *s.Value
					}
					out = append(out, line)
				}
			}
		}
		return out
	}
	made := []string{"navigate /tickets/new", "type Betreff = Sample ${fresh}", "submit Anlegen"}
	for title, want := range map[string][]string{
		want[6]: append(slices.Clone(made), "click Schließen", "click Abbrechen"),
		want[1]: append(slices.Clone(made), "submit Übernehmen"),
		want[2]: append(slices.Clone(made), "navigate /tickets", "type Suche = Sample ${fresh}", "submit Suchen"),
		want[7]: {"type Suche = ${fresh}", "submit Suchen"},
	} {
		if diff := cmp.Diff(want, steps(title)); diff != "" {
			t.Errorf("%s: %s", title, diff)
		}
	}
	for name, data := range map[string]bool{"Drucker klemmt": true, "Verlauf": false, "Übernehmen": false, "12 Tickets": true} {
		if p.Records.Has(name) != data {
			t.Errorf("%q is taken for data: %t", name, !data)
		}
	}
}

// Req 0032/2: a way keeps to the states that its acts lead to. Where the same control was used
// in another state, what follows it there does not follow it here.
func TestWaysKeepToTheirStates(t *testing.T) {
	button := func(name string) *site.Element {
		return &site.Element{Role: "button", Name: name, Text: name, Selector: "button." + name, Landmark: "main [1]"}
	}
	state := func(id string) site.State {
		return site.State{ID: id, URL: "https://a.test/door", Place: "a.test/door", Title: "Door"}
	}
	edge := func(id, from, to, name string, appeared ...string) site.Edge {
		e := site.Edge{ID: id, From: from, To: to, Action: site.Action{Kind: site.Click, Element: button(name)}}
		for _, one := range appeared {
			e.Changes.Appeared = append(e.Changes.Appeared, *button(one))
		}
		return e
	}
	p := plan.OfSite(site.Site{SchemaVersion: 1, StartURL: "https://a.test/door", States: []site.State{state("open"), state("shown"), state("closed"), state("closed and shown"), state("asked")}, Edges: []site.Edge{
		edge("e1", "open", "shown", "Show", "Tab"), edge("e2", "shown", "closed", "Close", "Bolt"), edge("e3", "closed", "closed and shown", "Tab", "Panel"), edge("e4", "closed and shown", "asked", "Lock", "Key"),
	}})
	for _, f := range p.Flows {
		var way []string
		for _, s := range f.Steps {
			way = append(way, s.Text)
		}
		if at := slices.Index(way, "Lock"); at >= 0 && !slices.Contains(way[:at], "Close") {
			t.Errorf("%s: nothing closes the door before it is locked: %q", f.Name, way)
		}
	}
	if len(p.Flows) < 4 {
		t.Errorf("%d flows", len(p.Flows))
	}
	// A control that an act brought is there, whatever state it was used in.
	p = plan.OfSite(site.Site{SchemaVersion: 1, StartURL: "https://a.test/door", States: []site.State{state("open"), state("shown"), state("refused"), state("sent")}, Edges: []site.Edge{
		edge("e1", "open", "shown", "Show", "Send"), edge("e2", "shown", "refused", "Fail", "Why"), edge("e3", "refused", "sent", "Send", "Thanks"),
	}})
	for _, f := range p.Flows {
		if n := len(f.Steps); strings.HasPrefix(f.Name, `"Send"`) && n != 2 {
			t.Errorf("%d steps lead to what is there after one: %+v", n, f.Steps)
		}
	}
}

// Req 0032/2: a title has no data: a control whose name has some is called by its other words,
// or by what it is.
func TestTitlesOfControlsWithData(t *testing.T) {
	for name, want := range map[string]string{
		"Parts (12)": `"Parts" shows "Done"`, "36 total": `"total" shows "Done"`, "2026-11-28": `a button shows "Done"`,
		"Sample Tavamo": `a button shows "Done"`, "Save": `"Save" shows "Done"`,
		"\uec5a Download": `"Download" shows "Done"`, "\uec5a": `an icon shows "Done"`, // of a font of icons
	} {
		x := site.Element{Role: "button", Name: name, Text: name, Selector: "button", Landmark: "main [1]"}
		done := site.Element{Role: "heading", Name: "Done", Selector: "h2", Landmark: "main [1]"}
		p := plan.OfSite(site.Site{SchemaVersion: 1, Mark: "tavamo", StartURL: "https://a.test/", States: []site.State{{ID: "s1", URL: "https://a.test/", Place: "a.test/", Title: "A"}, {ID: "s2", URL: "https://a.test/", Place: "a.test/", Title: "A"}},
			Edges: []site.Edge{{ID: "e1", From: "s1", To: "s2", Action: site.Action{Kind: site.Click, Element: &x}, Changes: site.Changes{Appeared: []site.Element{done}}}}})
		if got := titles(p); !slices.Contains(got, want) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	menu := &site.Element{Role: "button", Text: "A", Name: "Account menu", AriaLabel: "Account menu", Selector: "#m"}
	p := plan.OfSite(site.Site{SchemaVersion: 1, StartURL: "https://a.test/", States: []site.State{{ID: "s1", URL: "https://a.test/", Place: "a.test/"}, {ID: "s2", URL: "https://a.test/", Place: "a.test/"}},
		Edges: []site.Edge{{ID: "e1", From: "s1", To: "s2", Action: site.Action{Kind: site.Click, Element: menu}, Changes: site.Changes{Appeared: []site.Element{{Role: "heading", Name: "Done", Selector: "h2"}}}}}})
	if got := titles(p); !slices.Contains(got, `"Account menu" shows "Done"`) {
		t.Errorf("what its author calls an element: %q", got)
	}
	for want, ask := range map[string]plan.Ask{
		`"Save" is refused when nothing is entered`: {Control: "Save", Rule: "empty"},
		`"Save" is refused when no text is entered`: {Control: "Save", Rule: "empty", Chosen: true},
	} {
		if got := ask.Title(plan.Seen{}); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for want, seen := range map[string]plan.Seen{
		`opening "/" shows "Orders"`:           {Came: []plan.Word{{Role: "button", Name: "Create"}, {Role: "heading", Name: "Orders"}}, Moved: "/orders"},
		`opening "/" shows "Create" and "Jo"`:  {Came: []plan.Word{{Role: "button", Name: "Create"}, {Role: "button", Name: "Jo"}}, Moved: "/orders"},
		`opening "/" leads to "/#/orders"`:     {Moved: "/#/orders"},
		`opening "/" shows "What it is about"`: {},
	} {
		if got := (plan.Ask{Start: "/", Page: "What it is about"}).Title(seen); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	name := site.Element{Role: "textbox", Name: "Name", Landmark: "main", Selector: "#n"}
	list := site.Element{Role: "combobox", Name: "Customer", Landmark: "main", Selector: "#c"}
	p = plan.OfSite(site.Site{SchemaVersion: 1, StartURL: "https://a.test/", States: []site.State{{ID: "s1", URL: "https://a.test/goods/7", Place: "a.test/goods/{n}"}, {ID: "s2", URL: "https://a.test/goods/7", Place: "a.test/goods/{n}"}},
		Edges: []site.Edge{{ID: "e1", From: "s1", To: "s2", Wrote: true, Action: site.Action{Kind: site.Submit, Element: &name, Key: "Enter", Invalid: "empty",
			Fields: []site.Field{{Element: name}, {Element: list, Value: "2"}}}, Changes: site.Changes{Appeared: []site.Element{{Role: "alert", Name: "Required", Selector: "p"}}}}}})
	if got := titles(p); !slices.Contains(got, `Enter in the form on "/goods/…" is refused when no text is entered`) {
		t.Errorf("a form that has no button, on a page that is called after its record: %q", got)
	}
}

// Req 0032/2: what the head of a column does is an order, what a link below the table does is not.
func TestTitlesOfOrders(t *testing.T) {
	for xpath, want := range map[string]string{
		"/html/body/main/table/thead/tr/th[2]/a": `"Subject" puts the rows in another order`, "/html/body/main/nav/a[2]": `"Subject" lists other rows`,
	} {
		x := site.Element{Role: "link", Name: "Subject", Selector: "a", Landmark: "main [1]", XPath: xpath, Href: "https://a.test/list?sort=subject"}
		row := site.Element{Role: "link", Name: "Sample", Selector: "td a", Landmark: "main [1]", XPath: "/html/body/main/table/tbody/tr[1]/td/a", Href: "https://a.test/list/7"}
		p := plan.OfSite(site.Site{SchemaVersion: 1, StartURL: "https://a.test/list", States: []site.State{{ID: "s1", URL: "https://a.test/list", Place: "a.test/list", Title: "A"}, {ID: "s2", URL: x.Href, Place: "a.test/list?sort=subject", Title: "A"}},
			Edges: []site.Edge{{ID: "e1", From: "s1", To: "s2", Action: site.Action{Kind: site.Click, Element: &x}, Changes: site.Changes{URL: x.Href, Appeared: []site.Element{row}, Gone: []site.Element{row}}}}})
		if got := titles(p); !slices.Contains(got, want) {
			t.Errorf("%s: %q, want %q", xpath, got, want)
		}
	}
	if got := (plan.Ask{Control: "Customer", Head: true}).Title(plan.Seen{Entered: true}); got != `"Customer" puts the rows in another order` {
		t.Errorf("an order that brings what was entered to the page: %q", got)
	}
}

// Req 0032/1: a page is called by its own heading, not by that of the site, or of a part of
// it, and by its title where it has none.
func TestTitlesOfPages(t *testing.T) {
	heading := func(tag, name string) site.Element {
		return site.Element{Role: "heading", Tag: tag, Name: name, Selector: tag}
	}
	state := func(id, path, title string, headings ...site.Element) site.State {
		return site.State{ID: id, URL: "https://a.test" + path, Place: "a.test" + path, Title: title + " | Shop admin", Notable: append([]site.Element{heading("h1", "Shop admin")}, headings...)}
	}
	s := site.Site{SchemaVersion: 1, StartURL: "https://a.test/", States: []site.State{
		state("s1", "/", "Home", heading("h1", "Welcome")), state("s2", "/goods", "Goods", heading("h2", "Filter"), heading("h1", "All goods")),
		state("s3", "/goods/add", "Add goods"), state("s4", "/orders", "Orders of 2026"),
	}}
	for i, to := range []string{"s2", "s3", "s4"} {
		link := site.Element{Role: "link", Tag: "a", Name: "Open " + to[:1], Text: "Open", Selector: "a", Href: s.States[i+1].URL}
		if to == "s3" {
			link.XPath = "/table/tbody/tr[1]/td/a" // an action of a row
		}
		s.Edges = append(s.Edges, site.Edge{ID: "e" + to, From: "s1", To: to, Action: site.Action{Kind: site.Click, Element: &link}, Changes: site.Changes{URL: s.States[i+1].URL, Appeared: s.States[i+1].Notable[1:]}})
	}
	want := []string{`opening "/" shows "Welcome"`, `"Open" opens the page "All goods"`, `opens the page "Add goods"`, `"Open" opens a page`}
	if diff := cmp.Diff(want, titles(plan.OfSite(s))); diff != "" {
		t.Error(diff)
	}
}

// Req 0032/1: an item of a list that leads to no record has a name of its own, and pages that the
// query names are pages.
func TestTitlesWherePagesAreNamedInTheQuery(t *testing.T) {
	state := func(id, query, heading string) site.State {
		return site.State{ID: id, URL: "https://a.test/doku.php" + query, Place: "a.test/doku.php" + query, Title: heading, Notable: []site.Element{{Role: "heading", Tag: "h1", Name: heading, Selector: "h1"}}}
	}
	item := func(name string) *site.Element {
		return &site.Element{Role: "link", Tag: "a", Name: name, Text: name, Selector: "a." + name, XPath: "/html/body/main/ul/li[2]/a", Href: "https://a.test/doku.php?do=" + name}
	}
	shown := site.Element{Role: "text", Name: "No files", Selector: "p"}
	s := site.Site{SchemaVersion: 1, StartURL: "https://a.test/doku.php", States: []site.State{
		state("s1", "", "Start"), state("s2", "?do=media", "Media Manager"), state("s3", "?do=media&tab=search", "Media Manager"), state("s4", "?do=index", "Sitemap"),
	}, Edges: []site.Edge{
		{ID: "e1", From: "s1", To: "s2", Action: site.Action{Kind: site.Click, Element: item("Media")}, Changes: site.Changes{URL: "https://a.test/doku.php?do=media"}},
		{ID: "e2", From: "s2", To: "s3", Action: site.Action{Kind: site.Click, Element: item("Search")}, Changes: site.Changes{URL: "https://a.test/doku.php?do=media&tab=search", Appeared: []site.Element{shown}}},
		{ID: "e3", From: "s1", To: "s4", Action: site.Action{Kind: site.Navigate, URL: "https://a.test/doku.php?do=index"}, Changes: site.Changes{URL: "https://a.test/doku.php?do=index"}},
	}}
	want := []string{`opening "/doku.php" shows "Start"`, `opens the page "Media Manager"`, `"Search" shows "No files"`, `"/doku.php?do=index" opens the page "Sitemap"`}
	if diff := cmp.Diff(want, titles(plan.OfSite(s))); diff != "" {
		t.Error(diff)
	}
	// A choice of a view is no data, a link to a record is: neither is told by standing in a list.
	for name, data := range map[string]bool{"Newest": false, "Printer": true} {
		x := item(name)
		if data {
			x.Href = "https://a.test/doku.php?id=7"
		}
		s.Edges[1].Changes.Gone = append(s.Edges[1].Changes.Gone, *x)
		if got := plan.RecordsOf(s).Has(name); got != data {
			t.Errorf("%s: data %t, want %t", name, got, data)
		}
	}
}

// Req 0032/1: a record whose form leads back to the list is opened there by what was entered,
// and deleted as one that the test has made.
func TestRecordsThatAreOpenedFromTheList(t *testing.T) {
	state := func(id, path, place, title string) site.State {
		return site.State{ID: id, URL: "https://a.test" + path, Place: "a.test" + place, Title: title, Notable: []site.Element{{Role: "heading", Tag: "h1", Name: title, Selector: "h1"}}}
	}
	element := func(role, name string) *site.Element {
		return &site.Element{Role: role, Name: name, Text: name, Selector: role + "." + name}
	}
	row := element("link", "Sample 1000")
	row.Tag, row.Href, row.XPath = "a", "https://a.test/books/7/change", "/table/tbody/tr[1]/td/a"
	field := element("textbox", "Title")
	field.Type = "text"
	to := func(path string, appeared ...site.Element) site.Changes {
		return site.Changes{URL: "https://a.test" + path, Appeared: appeared}
	}
	p := plan.OfSite(site.Site{SchemaVersion: 1, StartURL: "https://a.test/books", States: []site.State{
		state("s1", "/books", "/books", "Books"), state("s2", "/books/add", "/books/add", "Add book"), state("s3", "/books", "/books", "Books"),
		state("s4", "/books/7/change", "/books/{n}/change", "Change book"), state("s5", "/books/7/delete", "/books/{n}/delete", "Are you sure?"),
	}, Edges: []site.Edge{
		{ID: "e1", From: "s1", To: "s2", Action: site.Action{Kind: site.Click, Element: element("link", "Add book")}, Changes: to("/books/add", *element("button", "Save"))},
		{ID: "e2", From: "s2", To: "s3", Wrote: true, Action: site.Action{Kind: site.Submit, Element: element("button", "Save"), Fields: []site.Field{{Element: *field, Value: "Sample 1000"}}}, Changes: to("/books", *row)},
		{ID: "e3", From: "s3", To: "s4", Action: site.Action{Kind: site.Click, Element: row}, Changes: to("/books/7/change", *element("link", "Delete"))},
		{ID: "e4", From: "s4", To: "s5", Action: site.Action{Kind: site.Click, Element: element("link", "Delete")}, Changes: to("/books/7/delete", *element("button", "Yes"))},
		{ID: "e5", From: "s5", To: "s1", Wrote: true, Action: site.Action{Kind: site.Submit, Element: element("button", "Yes")}, Changes: to("/books")},
	}})
	var got []string
	for _, f := range p.Flows {
		for _, s := range f.Steps {
			if strings.HasPrefix(f.Name, `"Yes"`) {
				got = append(got, fmt.Sprintf("%s %s, own %t", s.Kind, strings.TrimPrefix(s.Link+s.Text, "https://a.test"), s.Own))
			}
		}
	}
	want := []string{"click Add book, own false", "type Title, own false", "submit Save, own false", "click Sample ${fresh}, own false", "click Delete, own true", "submit Yes, own true", "navigate /books, own false"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\nflows: %q", diff, titles(p))
	}
}
