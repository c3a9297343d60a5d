package generate_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/qa"
)

const shop = `# Test Plan

**Start URL**: https://shop.test/

## Steps to Reproduce: Look at "Orders"

### Step 2: CLICK

**Action:** click on element
- **Selector**: ` + "`nav > a.orders`" + `
- **Text**: "Orders"
- **Link**: https://shop.test/orders

**Expected Results:**
- **URL**: https://shop.test/orders
- **Page Title**: "Orders"
- **Notable Elements**:
  - ` + "`#count` \"3 orders\"" + ` - how many

### Step 3: TYPE

**Action:** type on element
- **Selector**: ` + "`#q`" + `
- **Value**: "it's \"new\""

**Expected Results:**

## Steps to Reproduce: Nothing expected

### Step 1: CLICK

**Action:** click on element
- **ID**: ` + "`7up`" + `

**Expected Results:**
`

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// want is the whole test file of the plan's first flow.
const want = `// Not verified: there is no browser
import { expect, test } from "@playwright/test";

test.use({
  baseURL: process.env.BASE_URL ?? "https://shop.test",
  actionTimeout: 10000,
});

test.describe("shop.test", () => {
  test('Look at "Orders"', async ({ page }) => {
    await test.step("open /", async () => {
      await page.goto("/");
      await expect(page).toHaveURL("/");
    });

    await test.step("click Orders", async () => {
      await page.getByRole("link", { name: "Orders", exact: true }).click();
      await expect(page).toHaveURL("/orders");
      await expect(page).toHaveTitle("Orders");
      await expect(page.locator("css=#count")).toContainText("3 orders", {
        useInnerText: true,
      });
    });
  });
});
`

// C4: a plan becomes a test file for each flow that expects something. What a person wrote
// is never lost, and what is no longer made is listed.
func TestFilesOfAPlan(t *testing.T) {
	dir := t.TempDir()
	input, out := filepath.Join(dir, "test-plan", "test-plan.md"), filepath.Join(dir, "tests")
	write(t, input, shop)
	request := generate.Request{Inputs: []string{input}, Dir: out, Order: generate.Robust, Unverified: "there is no browser"}
	states := func(r generate.Request) map[string]generate.State {
		t.Helper()
		result, err := generate.Run(context.Background(), r)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]generate.State{}
		for _, f := range result.Files {
			all[f.Name] = f.State
		}
		return all
	}
	same := func(what string, got map[string]generate.State, want map[string]generate.State) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	const orders, nothing = "look-at-orders.spec.ts", "nothing-expected.spec.ts"
	checking := request
	checking.Compare = true
	same("check of nothing", states(checking), map[string]generate.State{orders: generate.New, nothing: generate.New})
	if _, err := os.Stat(out); err == nil {
		t.Error("--check wrote files")
	}
	same("first", states(request), map[string]generate.State{orders: generate.New, nothing: generate.New})
	text, err := os.ReadFile(filepath.Join(out, orders))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, strings.SplitN(string(text), "\n", 3)[2]); diff != "" {
		t.Error(diff)
	}
	if !strings.HasPrefix(string(text), `// Made by assay from "test-plan/test-plan.md"`) {
		t.Errorf("it begins otherwise: %s", text)
	}
	same("again", states(request), map[string]generate.State{orders: generate.Unchanged, nothing: generate.Unchanged})

	write(t, filepath.Join(out, orders), string(text)+"// mine\n")
	write(t, filepath.Join(out, nothing), "// all mine\n")
	write(t, filepath.Join(out, "old.spec.ts"), string(text))
	write(t, filepath.Join(out, "other.spec.ts"), strings.Replace(string(text), "test-plan/test-plan.md", "other.md", 1))
	kept := map[string]generate.State{orders: generate.EditedNow, nothing: generate.Foreign, "old.spec.ts": generate.Stale}
	same("edited", states(request), kept)
	request.Force = true
	same("forced", states(request), kept)
	same("after", states(checking), map[string]generate.State{orders: generate.Unchanged, nothing: generate.Foreign, "old.spec.ts": generate.Stale})
	if text, err := os.ReadFile(filepath.Join(out, nothing)); err != nil || string(text) != "// all mine\n" {
		t.Errorf("a person's file is lost: %v %s", err, text)
	}
}

// C4: a flow of which no assertion is left is no test, and a site that can't be reached
// leaves tests that say so.
func TestVerified(t *testing.T) {
	dir := t.TempDir()
	input := filepath.Join(dir, "plan.md")
	write(t, input, shop)
	request := generate.Request{Inputs: []string{input}, Dir: filepath.Join(dir, "tests"), Order: generate.Robust, BaseURL: "http://127.0.0.1:1"}
	request.Verify = func(_ context.Context, base, _ string, p generate.Path) (generate.Path, []generate.Dropped, error) {
		if base != "http://127.0.0.1:1" {
			t.Errorf("tried at %s", base)
		}
		for i := range p.Steps {
			if p.Name == "Nothing expected" || i > 1 {
				p.Steps[i].Expects = nil
			}
		}
		return p, nil, nil
	}
	result, err := generate.Run(context.Background(), request)
	if err != nil || result.Tests != 1 || len(result.Unverified) > 0 {
		t.Fatalf("%+v %v", result, err)
	}
	reasons := ""
	for _, group := range generate.Alike(result.Dropped) {
		reasons += group.String() + "\n"
	}
	for _, part := range []string{`Look at "Orders" > type #q: step: nothing is asserted from here on`, "Nothing expected: test: nothing is left that it could assert"} {
		if !strings.Contains(reasons, part) {
			t.Errorf("no %q in %s", part, reasons)
		}
	}
	request.Verify = func(context.Context, string, string, generate.Path) (generate.Path, []generate.Dropped, error) {
		return generate.Path{}, nil, &generate.UnreachableError{Base: "http://127.0.0.1:1", Err: errors.New("refused")}
	}
	result, err = generate.Run(context.Background(), request)
	if err != nil || result.Tests != 2 || !slices.Contains(result.Unverified, filepath.Base(dir)+"/plan.md: http://127.0.0.1:1 can't be reached: refused") {
		t.Errorf("%+v %v", result, err)
	}
}

// C8: the specification's order of locators is there on request; by default what a
// person knows an element by comes first.
func TestLocatorOrders(t *testing.T) {
	x := &site.Element{Tag: "a", Role: "link", Name: "New", Text: "New", Href: "/new", ID: "1a", Selector: "a.new", XPath: "/html/body/a[1]",
		Locators: []site.Locator{{Selector: `navigation "Main" >> link "New"`, Matches: 1}, {Selector: `link "New"`, Matches: 2}}}
	p := plan.Plan{StartURL: "https://a.test/", Flows: []plan.Flow{{Steps: []plan.Step{{Number: 2, Kind: "click", Selector: "a.new", Element: x}}}}}
	for order, want := range map[generate.Order][]string{
		generate.Robust: {`navigation "Main" >> link "New"`, `link "New"`, `css=#\31 a`, "css=a.new", "xpath=/html/body/a[1]"},
		generate.Cohort: {`css=#\31 a`, "xpath=/html/body/a[1]", `css=a.new[href="/new"]:has-text("New")`, `css=a.new[href="/new"]`, `css=a.new:has-text("New")`, `css=a[href="/new"]:has-text("New")`, `link "New"`, "css=a.new"},
	} {
		paths, err := generate.Paths(p, "p", order)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, paths[0].Steps[1].Act.Target.Locators); diff != "" {
			t.Errorf("%s: %s", order, diff)
		}
	}
}

// What an edge changed is expected: where it led, what appeared, and what went.
func TestPathsOfASite(t *testing.T) {
	element := func(role, name string) site.Element {
		return site.Element{Role: role, Name: name, Selector: role + "." + name, Locators: []site.Locator{{Selector: role + ` "` + name + `"`, Matches: 1}}}
	}
	s := site.Site{SchemaVersion: 1, StartURL: "https://a.test/x", Role: "clerk", States: []site.State{{ID: "s1", URL: "https://a.test/x", Title: "X", Notable: []site.Element{element("heading", "X")}}, {ID: "s2", URL: "https://a.test/y?z=1", Title: "Y", Volatile: []string{"#clock"}}},
		Edges: []site.Edge{{ID: "e1", From: "s1", To: "s2", Action: site.Action{Kind: site.Click, Element: &site.Element{Selector: "#go"}}, Changes: site.Changes{Appeared: []site.Element{element("heading", "Y")}, Gone: []site.Element{element("link", "X"), element("dialog", "D")}}}}}
	paths, err := generate.Paths(plan.OfSite(s), "site.json", generate.Robust)
	if err != nil || len(paths) != 2 || paths[1].Role != "clerk" {
		t.Fatalf("%+v %v", paths, err)
	}
	for i, want := range [][]string{{`url_matches "/x"`, `title_equals "X"`, `visible heading "X"`}, {`visible heading "Y"`, `hidden dialog "D"`}} {
		var got []string
		for _, step := range paths[i].Steps {
			for _, e := range step.Expects {
				got = append(got, e.Name())
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	if v := paths[1].Steps[1].Volatile; !slices.Equal(v, []string{"#clock"}) {
		t.Errorf("volatile: %v", v)
	}
	if a := paths[1].Steps[1].Act; a.Action != "click" || a.Target.Locators[0] != "css=#go" {
		t.Errorf("%+v", a)
	}
}

// C3: a flow of a person that is longer than a test may be is refused where it gets too
// long; one of the explorer's is as long as the shortest way to what it does.
func TestFlowsThatAreTooLong(t *testing.T) {
	step := func(n int) string {
		return fmt.Sprintf("### Step %d: CLICK\n\n**Action:** click on element\n- **ID**: `b%d`\n\n**Expected Results:**\n\n", n, n)
	}
	text := "# Test Plan\n\n**Start URL**: https://shop.test/\n\n## Steps to Reproduce: Walk\n\n"
	for n := range plan.MaxSteps {
		text += step(n + 2)
	}
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, why string }{
		"as long as may be": {text, ""},
		"too long":          {text + step(14), "too long.md:91: step 14: the flow \"Walk\" has 13 steps, and a test has at most 12: begin"},
		"explored":          {strings.Replace(text, "\n", "\n\n<!-- begin of plan -->\n", 1) + step(14) + "<!-- end of plan -->\n", ""},
	} {
		file := filepath.Join(dir, name+".md")
		write(t, file, c.text)
		_, err := generate.Read(file)
		var wrong *plan.ParseError
		if c.why == "" && err != nil || c.why != "" && (!errors.As(err, &wrong) || !strings.Contains(err.Error(), c.why)) {
			t.Errorf("%s: %v, want %q", name, err, c.why)
		}
	}
}

// Req 0032/2: an address is expected with any number in place of a record's own, and not
// where nothing is left of it.
func TestExpectedAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"/tickets": "/tickets", "/tickets/12": "/tickets/*", "/tickets/12/edit": "/tickets/*/edit", "/a/3f2504e0-4f89-41d3-9a0c-0305e82c3301": "/a/*", "/v2/docs": "/v2/docs", "/tickets?page=2": "/tickets?page=2",
		"/list?q=${fresh}": "/list?q=${fresh}", "/list?since=20260102": "", "/tickets/12?tab=1": "", "https://other.test/": "",
		"/#/orders": "/#/orders", "/#/orders/12/show": "/#/orders/*/show", "/app#!/orders?sort=id": "/app#!/orders?sort=id", "/#/orders/12?tab=1": "", "/tickets/12#total": "", "/docs#part-2": "/docs#part-2",
	} {
		if got, ok := generate.Address(address); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s %t, want %s", address, got, ok, want)
		}
	}
}

// Req 0032/2: where the page before fits the address with any number, only a number does.
func TestNumberedAddresses(t *testing.T) {
	for link, want := range map[string]string{
		"/#/orders/12": `re:/#/orders/\d+$`, "/orders/12/edit": `re:/orders/\d+/edit$`, "/a.b/3f2504e0-4f89-41d3-9a0c-0305e82c3301": `re:/a\.b/[\w-]*\d[\w-]*$`, "/orders": "", "https://a.test/7": "",
	} {
		if got, ok := generate.NumberedAddress(link); ok != (want != "") || got != want {
			t.Errorf("%s: %s %t, want %s", link, got, ok, want)
		}
	}
}

func numberedAddress(t *testing.T, link string) string {
	t.Helper()
	pattern, ok := generate.NumberedAddress(link)
	if !ok {
		t.Fatalf("%s has no number of a record", link)
	}
	return pattern
}

// Req 0032/1: a title says only what is left of the test after it was tried.
func TestTitlesOfWhatIsLeft(t *testing.T) {
	sees := func(selector string) generate.Expect {
		return generate.Expect{Assertion: qa.Assertion{Type: qa.Visible}, Target: generate.Target{Locators: []string{selector}}}
	}
	gone := func(selector string) generate.Expect {
		e := sees(selector)
		e.Assertion.Type = qa.Hidden
		return e
	}
	at := func(pattern string) generate.Expect {
		return generate.Expect{Assertion: qa.Assertion{Type: qa.URLMatches, Expected: pattern}}
	}
	only := func(name string) generate.Expect {
		e := gone(generate.RowsWithout(name))
		e.Only = true
		return e
	}
	for want, expects := range map[string][]generate.Expect{
		`"Closed" lists only "Closed"`:         {only("Closed")},
		`"Closed" lists other rows`:            {{Rows: true, Target: generate.Target{Locators: []string{"role=row"}}}},
		`"Closed" becomes "Open"`:              {sees(`main >> button "Open"`), gone(`button "Closed"`)},
		`"Closed" asks "Sure?"`:                {sees(`dialog "Sure?"`)},
		`"Closed" shows what was entered`:      {sees(`main >> heading "A ${fresh}"`)},
		`"Closed" shows "Done." and "Archive"`: {sees(`status >> text="Done."`), sees(`heading "Archive"`)},
		`"Closed" takes "Archive" away`:        {gone(`heading "Archive"`)},
		`"Closed" leads to "/all?only=closed"`: {at("/all?only=closed")},
		`"Closed" leads to "/#/orders/…"`:      {at(`re:/#/orders/\d+$`)},
		`"Closed" leads to "/orders/…/edit"`:   {at("/orders/*/edit")},
		`"Closed" leads to "/v.1/a/…"`:         {at(numberedAddress(t, "/v.1/a/7f3c21d0-0b1e"))},
	} {
		dir := t.TempDir()
		input := filepath.Join(dir, "site.json")
		s := site.Site{SchemaVersion: 1, StartURL: "https://a.test/", States: []site.State{{ID: "s1", URL: "https://a.test/", Place: "a.test/"}}, Edges: []site.Edge{{ID: "e1", From: "s1", To: "s1",
			Action: site.Action{Kind: site.Click, Element: &site.Element{Role: "button", Name: "Closed", Selector: "#x"}}, Changes: site.Changes{Appeared: []site.Element{{Role: "heading", Name: "All", Selector: "h2"}}}}}}
		if err := site.Write(dir, s); err != nil {
			t.Fatal(err)
		}
		request := generate.Request{Inputs: []string{input}, Dir: filepath.Join(dir, "tests"), Order: generate.Robust,
			Verify: func(_ context.Context, _, _ string, p generate.Path) (generate.Path, []generate.Dropped, error) {
				p.Steps[len(p.Steps)-1].Expects = expects
				return p, nil, nil
			}}
		out, err := generate.Run(context.Background(), request)
		if err != nil || len(out.Files) != 1 || out.Files[0].Flow != want {
			t.Errorf("%v: %+v, want %s", err, out.Files, want)
		}
		// What the runner is red about is taken out, and out of the title and the file's name.
		expects = append(slices.Clone(expects), sees(`heading "Fleeting"`))
		request.Dir = filepath.Join(dir, "played")
		request.Play = func(_ context.Context, _, _ string, files []generate.File, _ bool, ended func(string, []generate.Failed)) error {
			for _, f := range files {
				var places []generate.Failed
				if strings.Contains(f.Text, `name: "Fleeting"`) {
					places = red(t, f, `name: "Fleeting"`)
				}
				ended(f.Name, places)
			}
			return nil
		}
		out, err = generate.Run(context.Background(), request)
		if err != nil || len(out.Files) == 0 || out.Files[0].Flow != want || strings.Contains(out.Files[0].Name, "fleeting") || !strings.Contains(out.Files[0].Text, want) {
			t.Errorf("after the runner: %v: %+v, want %s", err, out.Files, want)
		}
		// So is what noticed no fault; what is proved of the test stays with it.
		request.Dir, request.Play = filepath.Join(dir, "proved"), nil
		request.Prove = func(_ context.Context, _, _ string, files []generate.File) (map[string]generate.Proof, error) {
			proofs := map[string]generate.Proof{}
			for _, f := range files {
				proof := generate.Proof{CanFail: true, Known: true, Reason: "a fault was noticed"}
				if strings.Contains(f.Text, `name: "Fleeting"`) {
					proof.Asserts = []generate.Proved{{Line: lineOf(t, f, `name: "Fleeting"`), Useless: true}}
				}
				proofs[f.Name] = proof
			}
			return proofs, nil
		}
		out, err = generate.Run(context.Background(), request)
		if err != nil || len(out.Files) == 0 || out.Files[0].Flow != want || out.Files[0].Proof == nil || !out.Files[0].Proof.CanFail {
			t.Errorf("after the proof: %v: %+v, want %s", err, out.Files, want)
		}
	}
}

// Req 0032/3: an assertion that a test can't say falls out with its reason, and the others stay.
func TestAssertionsThatCannotBeSaid(t *testing.T) {
	shown := func(selectors ...string) (all []generate.Expect) {
		for _, s := range selectors {
			all = append(all, generate.Expect{Assertion: qa.Assertion{Type: qa.Visible}, Target: generate.Target{Locators: []string{s}}})
		}
		return all
	}
	step := func(loads bool, expects ...generate.Expect) generate.Step {
		return generate.Step{Name: "open /", Act: generate.Act{Action: "navigate", URL: "https://a.test/"}, Loads: loads, Expects: expects}
	}
	const unsayable = `text "holidays" [2]`
	path := generate.Path{Name: "shows a page", Steps: []generate.Step{step(true, shown(`heading "Home"`)...), step(false, shown(unsayable, `heading "Start"`, unsayable)...)}}
	files, dropped, err := generate.Files([]generate.Path{path}, map[string]bool{}, generate.Options{})
	if err != nil || len(files) != 1 || files[0].Asserts != 2 || len(dropped) != 2 || !strings.Contains(dropped[0].Reason, "no role of ARIA") || !strings.Contains(files[0].Text, "Start") {
		t.Errorf("%d files, dropped %+v, %v", len(files), dropped, err)
	}
	path.Steps = []generate.Step{step(false, shown(unsayable)...)}
	files, dropped, err = generate.Files([]generate.Path{path}, map[string]bool{}, generate.Options{})
	if err != nil || len(files) != 0 || len(dropped) != 1 || !strings.Contains(dropped[0].Reason, "no role of ARIA") {
		t.Errorf("nothing else is asserted: %d files, dropped %+v, %v", len(files), dropped, err)
	}
}

// Req 0032/2: what two flows of a site do and expect alike is one test, also where making
// them was interrupted between the two.
func TestOneTestForOneThing(t *testing.T) {
	dir := t.TempDir()
	control := func(name string) site.Action {
		return site.Action{Kind: site.Click, Element: &site.Element{Role: "button", Name: name, Selector: "#" + name}}
	}
	shows := func(name string) site.Changes {
		return site.Changes{Appeared: []site.Element{{Role: "heading", Name: name, Selector: "h2"}}}
	}
	s := site.Site{SchemaVersion: 1, StartURL: "https://a.test/", States: []site.State{{ID: "s1", URL: "https://a.test/", Place: "a.test/"}}, Edges: []site.Edge{
		{ID: "e1", From: "s1", To: "s1", Action: control("Help"), Changes: shows("All")},
		{ID: "e2", From: "s1", To: "s1", Action: control("About"), Changes: shows("Us")},
		{ID: "e3", From: "s1", To: "s1", Action: control("Answers"), Changes: shows("None")}}}
	if err := site.Write(dir, s); err != nil {
		t.Fatal(err)
	}
	green := func(_ context.Context, _, _ string, files []generate.File, _ bool, ended func(string, []generate.Failed)) error {
		for _, f := range files {
			ended(f.Name, nil)
		}
		return nil
	}
	for _, same := range []bool{true, false} {
		ctx, interrupt := context.WithCancel(t.Context())
		var now time.Time
		request := generate.Request{Inputs: []string{filepath.Join(dir, "site.json")}, Dir: filepath.Join(dir, fmt.Sprint(same)), Order: generate.Robust,
			Now: func() time.Time { now = now.Add(time.Minute); return now }, // each two tests are a batch
			Verify: func(_ context.Context, _, _ string, p generate.Path) (generate.Path, []generate.Dropped, error) {
				last := &p.Steps[len(p.Steps)-1]
				if same && last.Act.Target.Locators[0] == `button "Answers"` {
					last.Act.Target.Locators = []string{`button "Help"`}
					last.Expects = []generate.Expect{{Assertion: qa.Assertion{Type: qa.Visible}, Target: generate.Target{Locators: []string{`heading "All"`}}}}
				}
				return p, nil, nil
			},
			Play: func(ctx context.Context, _, _ string, files []generate.File, again bool, ended func(string, []generate.Failed)) error {
				defer interrupt()
				return green(ctx, "", "", files, again, ended)
			}}
		out, err := generate.Run(ctx, request)
		if err != nil || len(out.Files) != 2 || out.Left != 1 {
			t.Fatalf("%+v, %v", out, err)
		}
		interrupt()
		request.Resume, request.Play = true, green
		out, err = generate.Run(context.Background(), request)
		if err != nil || out.Left != 0 || len(out.NotCovered) != 0 {
			t.Fatalf("%+v, %v", out, err)
		}
		if want := map[bool]int{true: 2, false: 3}[same]; len(out.Files) != want || same != (len(out.Dropped) == 1 && strings.Contains(out.Dropped[0].Reason, `does and expects the same as "Help`)) {
			t.Errorf("same %t: %d files, dropped %+v", same, len(out.Files), out.Dropped)
		}
	}
}
