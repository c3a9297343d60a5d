package spec_test

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/suite/spec"
)

// loadSpec reads main.md of some files.
func loadSpec(files map[string]string, vars map[string]string) (spec.Source, []string) {
	source, problems := spec.Load("main.md", spec.Options{
		Read: func(name string) ([]byte, error) {
			text, ok := files[name]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return []byte(text), nil
		},
		Vars: vars, Secrets: []string{"PASSWORD", "TOKEN"},
	})
	var said []string
	for _, p := range problems {
		said = append(said, p.Error())
	}
	return source, said
}

func one(t *testing.T, text string) spec.Spec {
	t.Helper()
	source, wrong := loadSpec(map[string]string{"main.md": text}, nil)
	if len(wrong) > 0 || len(source.Specs) != 1 {
		t.Fatalf("%d specs, %q", len(source.Specs), wrong)
	}
	return source.Specs[0]
}

// brief is a spec's procedure in a few words.
func brief(s spec.Spec) string {
	var b strings.Builder
	for _, p := range s.Preconditions {
		fmt.Fprintf(&b, "pre %q\n", p)
	}
	for _, step := range s.Steps {
		fmt.Fprintf(&b, "%d %q", step.Line, step.Text)
		for i, e := range step.Expected {
			fmt.Fprintf(&b, " %s=%q", step.Expects[i], e)
		}
		b.WriteString("\n")
	}
	for _, e := range s.Expected {
		fmt.Fprintf(&b, "end %s=%q\n", e.ID, e.Text)
	}
	for _, c := range s.Cleanup {
		fmt.Fprintf(&b, "clean %q\n", c)
	}
	if s.Prose != "" {
		fmt.Fprintf(&b, "prose %q\n", s.Prose)
	}
	return b.String()
}

const whole = `---
id: shop/checkout
title: Checkout of {{ITEM}}
tags: [smoke, shop]
baseUrl: http://127.0.0.1:8080/shop
vars: {ITEM: hammer, COUNT: 007}
secrets: [PASSWORD]
budget: {maxToolCalls: 40, maxTimeMs: 60000}
retries: 1
viewport: {width: 390, height: 844}
allowHosts: [cdn.example.test]
destructive: deny
changesState: true
auth: none
visual:
  - {name: cart, selector: "#cart", threshold: 0.01}
---

# Not the title

Why we test this.

## Preconditions
- The cart is empty

## Steps
1. Open /cart
2. Put {{COUNT}} {{ ITEM }}s into it
   - Expected: the cart shows "{{ITEM}}"
   - Expected: the total is 21
3. Sign in with {{secret:PASSWORD}}

   Expected: "Welcome" is shown
4. Verify that the button "Pay" is enabled

## Expected
- No error is shown

## Cleanup
- Empty the cart
`

// D1, D2: all of the dialect in one file.
func TestSpec(t *testing.T) {
	s := one(t, whole)
	want := `pre "The cart is empty"
27 "Open /cart"
28 "Put 007 hammers into it" E1="the cart shows \"hammer\"" E2="the total is 21"
31 "Sign in with ${secret:PASSWORD}" E3="\"Welcome\" is shown"
34 "Verify that the button \"Pay\" is enabled" E4="Verify that the button \"Pay\" is enabled"
end E5="No error is shown"
clean "Empty the cart"
prose "Why we test this."
`
	if got := brief(s); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	task := s.Task()
	if err := task.Validate(); err != nil {
		t.Error(err)
	}
	if len(task.Expectations) != 5 || task.Expectations[4].ID != s.Expected[0].ID || task.ID != "shop/checkout" || !strings.HasPrefix(task.Goal, "Checkout of hammer") {
		t.Errorf("%+v", task)
	}
	if s.Budgets.MaxToolCalls != 40 || s.Retries != 1 || *s.Viewport != (spec.Size{Width: 390, Height: 844}) || s.Auth != "none" ||
		s.Destructive != "deny" || !s.Changes || !slices.Equal(s.AllowHosts, []string{"cdn.example.test"}) || s.BaseURL != "http://127.0.0.1:8080/shop" ||
		len(s.Visual) != 1 || *s.Visual[0].Threshold != 0.01 || s.Path != "main.md" || s.Name() != "Checkout of hammer" {
		t.Errorf("%+v", s)
	}
	p := s.Procedure()
	if len(p.Steps) != 4 || len(p.Cleanup) != 1 || !slices.Equal(p.Steps[1].Expects, []string{"E1", "E2"}) {
		t.Errorf("%+v", p)
	}
}

// D1: what authors write, and what becomes of it. Nothing that is expected is
// lost, however it stands there.
func TestSpecForms(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"Windows line ends and a mark":   {"\ufeff---\r\ntitle: A\r\n---\r\n## Steps\r\n- Open it\r\n  - Expected: here\r\n", `5 "Open it" E1="here"` + "\n"},
		"in the same paragraph":          {"## Steps\n1. Save\n   Expected: saved,\n   at once\n2. Leave\n", `2 "Save" E1="saved,\nat once"` + "\n5 \"Leave\"\n"},
		"an item of its own":             {"## Steps\n* Save\n* **Expected:** saved\n", `2 "Save" E1="saved"` + "\n"},
		"after the list":                 {"## Steps\n* Save\n\nExpected: saved\n", `2 "Save" E1="saved"` + "\n"},
		"a list below Expected":          {"## Steps\n1. Save\n   - Expected:\n     - saved\n     - told\n   - not closed\n", `2 "Save` + `\n- not closed" E1="saved" E2="told"` + "\n"},
		"several words, one expectation": {"## Steps\n1. Save\n   - Expected: a list of\n     - 3 rows\n", `2 "Save" E1="a list of\n- 3 rows"` + "\n"},
		"code in a step":                 {"## Steps\n1. Type\n   ```js\n   # Expected: no\n   ```\n   - Expect: typed\n", `2 "Type\n` + "```js\\n# Expected: no\\n```" + `" E1="typed"` + "\n"},
		"too far to the right":           {"## Steps\n1. Save\n\n        - Expected: saved\n", `2 "Save" E1="saved"` + "\n"},
		"in HTML":                        {"## Steps\n1. Save\n\n   <details>\n   Expected: saved\n   </details>\n", `2 "Save\n<details>" E1="saved\n</details>"` + "\n"},
		"in a quotation":                 {"## Steps\n1. Save\n   > Expected: saved\n", `2 "Save" E1="saved"` + "\n"},
		"comments":                       {"## Steps\n<!-- 1. Not this -->\n1. Save <!-- soon --> now\n<!--\n2. nor this\n-->\n2. Leave\n   - Expected: left\n", `3 "Save  now"` + "\n7 \"Leave\" E1=\"left\"\n"},
		"links and pictures":             {"## Steps\n1. Open [it](/a?b=1) ![x](y.png) and [that][1]\n   - Expected: `Ready`\n\n[1]: /c\n", `2 "Open [it](/a?b=1) ![x](y.png) and [that][1]\n[1]: /c" E1="` + "`Ready`" + `"` + "\n"},
		"parts of a step":                {"## Steps\n1. Fill in\n   - a name\n     - Expected: named\n   - an age\n", `2 "Fill in\n- a name\n- an age" E1="named"` + "\n"},
		"boxes and headings in Steps":    {"## Steps\n### First\n- [ ] Open it\n- [x] Save\n### Then\n- Leave\n\n## Expected\nIt is saved.\n", "3 \"First:\\nOpen it\"\n4 \"Save\"\n6 \"Then:\\nLeave\"\nend E1=\"It is saved.\"\n"},
		"underlined headings":            {"Steps\n-----\n- Save\n\nExpected\n--------\n- saved\n", "3 \"Save\"\nend E1=\"saved\"\n"},
		"other headings are prose":       {"## Why\nBecause.\n## Steps\n- Save\n## Notes\nExpected: saved\n", "4 \"Save\"\nend E1=\"saved\"\nprose \"## Why\\n\\nBecause.\\n\\n## Notes\"\n"},
		"prose and what is expected":     {"# Cart\nPut a hammer into the cart.\n## Expected\n- The cart shows \"1 item\"\n", "2 \"Put a hammer into the cart.\"\nend E1=\"The cart shows \\\"1 item\\\"\"\n"},
		"nothing is expected":            {"## Steps\n- Save\n", "2 \"Save\"\nend E1=\"what this spec is for, as its title says, is so\"\n"},
		"prose": {"# Search\n\nSearch for \"hammer\". Check the box \"new\". Verify that 3 results are shown.\nCheck that each has a price.\n\n- Expected: no error\n",
			"3 \"Search for \\\"hammer\\\". Check the box \\\"new\\\". Verify that 3 results are shown.\\nCheck that each has a price.\"\nend E1=\"Verify that 3 results are shown.\"\nend E2=\"Check that each has a price.\"\nend E3=\"no error\"\n"},
		"prose alone": {"Look whether the shop opens.", "1 \"Look whether the shop opens.\"\nend E1=\"what this spec is for, as its title says, is so\"\n"},
		"braces":      {"## Steps\n- Type \\{{NAME}}\n  - Expected: x\n", "2 \"Type {{NAME}}\" E1=\"x\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := brief(one(t, c.text)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// D1: what is wrong is said with file:line, all at once.
func TestSpecProblems(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"nothing":                  {"", []string{"main.md:1: there is nothing to do"}},
		"only a title":             {"# Shop\n", []string{"main.md:1: there is nothing to do"}},
		"steps that are no list":   {"# A\n\n## Steps\nOpen it.\n", []string{"main.md:3: Steps has no steps"}},
		"no step before":           {"## Steps\n- Expected: saved\n- Save\n", []string{"main.md:2: Expected without a step"}},
		"expected where no step":   {"## Steps\n- Save\n## Cleanup\n- Leave\n  - Expected: left\n", []string{"main.md:5: Expected in cleanup has no step"}},
		"expected says nothing":    {"## Steps\n- Save\n  - Expected:\n", []string{"main.md:3: Expected: says nothing"}},
		"an empty item":            {"## Steps\n- Save\n-\n", []string{"main.md:3: this item says nothing"}},
		"misspelt label":           {"## Steps\n- Save\n  - Expcted: saved\n", []string{`main.md:3: "Expcted:": did you mean "Expected:"?`}},
		"misspelt heading":         {"## Setps\n- Save\n", []string{`main.md:1: "Setps" is no section; did you mean "Steps"?`}},
		"no end":                   {"---\ntitle: A\n## Steps\n", []string{"main.md:1: the front matter has no end"}},
		"unknown keys":             {"---\ntitel: A\nbudget: {maxTokns: 4}\n---\n## Steps\n- Save\n", []string{`main.md:2: front matter: unknown key "titel"; did you mean "title"?`, `main.md:3: front matter: unknown key "maxTokns"; did you mean "maxTokens"?`}},
		"twice the same key":       {"---\ntitle: A\ntitle: B\n---\n## Steps\n- Save\n", []string{`main.md:3: front matter: mapping key "title" already defined`}},
		"more than plain YAML":     {"---\nid: a\ntags: !x 00\n---\n## Steps\n- Save\n", []string{"main.md:3: front matter: tags (!), anchors"}},
		"wrong type":               {"---\n\nretries: many\n---\n## Steps\n- Save\n", []string{"main.md:3: front matter: retries is a text; expected a whole number"}},
		"no list":                  {"---\n- a\n---\n## Steps\n- Save\n", []string{"main.md:2: the front matter must be a list of keys"}},
		"broken":                   {"---\ntags: [a\n---\n## Steps\n- Save\n", []string{"main.md:2: front matter: "}},
		"values":                   {"---\nid: ' '\nretries: 4\ndestructive: allow\nallowHosts: ['http://x']\ntags: [a b]\nviewport: {width: 0, height: 1}\nbaseUrl: /x\n---\n## Steps\n- Save\n", []string{"main.md:2: id:", "main.md:3: retries:", "main.md:4: destructive:", "main.md:5: allowHosts:", "main.md:6: tags:", "main.md:7: viewport:"}},
		"base":                     {"---\nbaseUrl: /x\n---\n## Steps\n- Save\n", []string{"main.md:2: baseUrl:"}},
		"pictures":                 {"---\nvisual: [{nam: cart}]\n---\n## Steps\n- Save\n", []string{`main.md:2: visual: unknown key "nam"; did you mean "name"?`}},
		"unknown variable":         {"---\nvars: {USER: ada}\n---\n## Steps\n- Save\n- As {{USR}}\n", []string{`main.md:6: {{USR}} has no value; did you mean "USER"?`}},
		"no variable":              {"## Steps\n- Save {{ a b }} and {{\n", []string{"main.md:2: {{ a b }} is no variable", "main.md:2: {{ is no variable"}},
		"secret not declared":      {"---\nsecrets: [TOKEN]\n---\n## Steps\n- Type {{secret:TOKN}}\n", []string{`main.md:5: {{secret:TOKN}} is not declared; did you mean "TOKEN"?`}},
		"secret not configured":    {"---\nsecrets: [PASSWRD]\n---\n## Steps\n- Save\n", []string{`main.md:2: secret "PASSWRD" is not configured; did you mean "PASSWORD"?`}},
		"secret in an expectation": {"---\nsecrets: [TOKEN]\n---\n## Steps\n- Save\n  - Expected: {{secret:TOKEN}}\n", []string{"main.md:6: {{secret:TOKEN}} can't stand here"}},
		"no such file":             {"## Steps\n- include: other.md\n", []string{"main.md:2: other.md: there is no such file"}},
		"out of the tree":          {"---\ninclude: [../x.md]\n---\n## Steps\n- Save\n", []string{"main.md:2: include ../x.md: it leads out"}},
		"includes itself":          {"## Steps\n- Save\n- include: main.md\n", []string{"main.md:3: include main.md: it includes itself: main.md → main.md"}},
		"include elsewhere":        {"## Steps\n- Save\n## Cleanup\n- include: x.md\n", []string{"main.md:4: include: it goes into Steps"}},
		"cells":                    {"## Steps\n- {{A}}\n## Data\n| A | B |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\n", []string{"main.md:6: this row has 1 cells, and there are 2 names", "main.md:7: this row has 3 cells"}},
		"names":                    {"## Steps\n- {{A}}\n## Data\n| A | A | a b |\n|---|---|---|\n| 1 | 2 | 3 |\n", []string{`main.md:4: two columns are called "A"`, `main.md:4: column 3 is called "a b"`}},
		"no rows":                  {"## Steps\n- Save\n## Data\n| A |\n|---|\n", []string{"main.md:4: the table has no rows"}},
		"no table":                 {"## Steps\n- Save\n## Data\nNone.\n", []string{"main.md:4: Data holds a table"}},
		"not UTF-8":                {"## Steps\n- \xff\n", []string{"main.md:1: the file is no UTF-8 text"}},
		"not a text":               {"\x00\x01", []string{"main.md:1: the file has control characters"}},
		"huge":                     {strings.Repeat("- a\n", spec.MaxBytes), []string{"main.md:1: the file has 262144 bytes or more"}},
		"too many steps":           {"## Steps\n" + strings.Repeat("- a\n", 201), []string{"main.md:1: the spec has more than 200 steps"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, got := loadSpec(map[string]string{"main.md": c.text}, nil)
			if len(got) != len(c.want) {
				t.Fatalf("got %q, want %q", got, c.want)
			}
			for i := range got {
				if !strings.HasPrefix(got[i], c.want[i]) {
					t.Errorf("got %q, want %q", got[i], c.want[i])
				}
			}
		})
	}
}

// D2: includes stand where they are named, and what was done last is cleaned up
// first.
func TestSpecIncludes(t *testing.T) {
	source, wrong := loadSpec(map[string]string{
		"main.md":         "---\ninclude: [lib/open.md]\nvars: {WHO: ada}\n---\n## Steps\n1. First\n2. include: lib/login.md\n3. Last\n   - Expected: done\n## Cleanup\n- own\n",
		"lib/open.md":     "---\nvars: {WHO: nobody, AT: /}\n---\n## Steps\n- Open {{AT}}\n## Cleanup\n- close\n",
		"lib/login.md":    "---\nsecrets: [PASSWORD]\n---\n## Preconditions\n- {{WHO}} exists\n## Steps\n- include: form.md\n## Expected\n- {{WHO}} is signed in\n## Cleanup\n- sign out\n",
		"lib/form.md":     "Sign in as {{WHO}} with {{secret:PASSWORD}}",
		"lib/not-used.md": "x",
	}, nil)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	want := `pre "ada exists"
5 "Open /"
6 "First"
1 "Sign in as ada with ${secret:PASSWORD}" E1="ada is signed in"
8 "Last" E2="done"
clean "own"
clean "sign out"
clean "close"
`
	if got := brief(source.Specs[0]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !slices.Equal(source.Includes, []string{"lib/open.md", "lib/login.md", "lib/form.md"}) || source.Specs[0].Steps[2].File != "lib/form.md" {
		t.Errorf("%q, %+v", source.Includes, source.Specs[0].Steps[2])
	}
	_, wrong = loadSpec(map[string]string{"main.md": "## Steps\n- include: a.md\n", "a.md": "## Steps\n- x\n- include: b.md\n", "b.md": "---\ninclude: [a.md]\n---\n## Steps\n- y\n"}, nil)
	if len(wrong) != 1 || wrong[0] != "b.md:2: include a.md: it includes itself: main.md → a.md → b.md → a.md" {
		t.Errorf("%q", wrong)
	}
	doubling := map[string]string{"main.md": "## Steps\n- include: a0.md\n- include: a0.md\n", "a30.md": "## Steps\n- x\n"}
	for i := range 30 {
		doubling[fmt.Sprintf("a%d.md", i)] = fmt.Sprintf("## Steps\n- include: a%d.md\n- include: a%d.md\n", i+1, i+1)
	}
	if _, wrong = loadSpec(doubling, nil); len(wrong) != 1 || !strings.Contains(wrong[0], "more than 200 steps") {
		t.Errorf("%q", wrong)
	}
}

// D2: a run for each row of the data, each with its own values.
func TestSpecData(t *testing.T) {
	text := "# Sum of {{A}}\n## Steps\n- Add {{A}} and {{B}} as {{WHO}}\n  - Expected: the sum is {{SUM}}\n## Data\n\n| A | B | SUM |\n|:--|---|-----|\n| 1 | 2 | 3 |\n| 1\\|0 | | 5 |\n"
	source, wrong := loadSpec(map[string]string{"main.md": text}, map[string]string{"WHO": "ada"})
	if len(wrong) > 0 || len(source.Specs) != 2 {
		t.Fatalf("%d, %q", len(source.Specs), wrong)
	}
	a, b := source.Specs[0], source.Specs[1]
	if a.Name() != "Sum of 1 [1]" || b.Name() != "Sum of 1|0 [2]" || b.Steps[0].Text != "Add 1|0 and  as ada" || a.Steps[0].Expected[0] != "the sum is 3" || a.Hash == b.Hash {
		t.Errorf("%+v\n%+v", a, b)
	}
	if task := b.Task(); task.ID != "main#2" || !strings.Contains(task.Goal, "SUM = 5") || !source.Used["WHO"] {
		t.Errorf("%+v", task)
	}
	if _, wrong = loadSpec(map[string]string{"main.md": text}, map[string]string{"A": "7", "WHO": "x"}); len(wrong) != 1 || !strings.HasPrefix(wrong[0], "main.md:7: --var A: it is a column") {
		t.Errorf("%q", wrong)
	}
}

// Another file, another include or another value makes another spec.
func TestSpecHash(t *testing.T) {
	hash := func(a, b string, vars map[string]string) string {
		source, wrong := loadSpec(map[string]string{"main.md": a, "x.md": b}, vars)
		if len(wrong) > 0 {
			t.Fatal(wrong)
		}
		return source.Specs[0].Hash
	}
	main, x := "---\nvars: {A: 1}\n---\n## Steps\n- {{A}}\n- include: x.md\n", "## Steps\n- x\n"
	seen := map[string]bool{}
	for _, h := range []string{hash(main, x, nil), hash(main+"\n", x, nil), hash(main, x+"- y\n", nil), hash(main, x, map[string]string{"A": "2"})} {
		if seen[h] {
			t.Error("two specs have the same hash")
		}
		seen[h] = true
	}
	if !seen[hash(main, x, nil)] {
		t.Error("the same spec has another hash")
	}
}

// Whatever stands in a file: no panic, and either specs that make a valid task
// or problems.
func FuzzSpec(f *testing.F) {
	f.Add(whole)
	f.Add("## Steps\n1. a\n   - Expected:\n     - b\n\n         Expected: c\n> - Expect: d\n<!-- x\n")
	f.Add("---\nvars: {A: [1]}\n---\n## Data\n|A|\n|-|\n|x|\n## Steps\n- {{A}} \\{{ {{secret:PASSWORD}}\n")
	f.Add("Expected:\nVerify. Verify! Check that?\n\n- include: main.md\n")
	f.Fuzz(func(t *testing.T, text string) {
		source, wrong := loadSpec(map[string]string{"main.md": text}, nil)
		if (len(source.Specs) == 0) == (len(wrong) == 0) {
			t.Fatalf("%d specs, %q", len(source.Specs), wrong)
		}
		for _, s := range source.Specs {
			task := s.Task()
			if err := task.Validate(); err != nil && len(s.Visual) == 0 {
				t.Errorf("%v: %+v", err, task)
			}
			n := len(s.Expected)
			for _, step := range s.Steps {
				n += len(step.Expects)
				if len(step.Expects) != len(step.Expected) || strings.TrimSpace(step.Text) == "" {
					t.Errorf("%+v", step)
				}
			}
			if n != len(task.Expectations) || n == 0 {
				t.Errorf("%d expectations, and the task has %d", n, len(task.Expectations))
			}
		}
		for _, p := range wrong {
			if !strings.HasPrefix(p, "main.md:") {
				t.Errorf("a problem without a place: %q", p)
			}
		}
	})
}

// The example of the docs is a spec.
func TestSpecOfTheDocs(t *testing.T) {
	docs, err := os.ReadFile("../../docs/specs.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(docs), "```markdown\n")
	text, _, _ := strings.Cut(rest, "```\n")
	source, wrong := loadSpec(map[string]string{"main.md": strings.ReplaceAll(text, "SHOP_PASSWORD", "PASSWORD")}, nil)
	if !found || len(wrong) > 0 || len(source.Specs) != 1 || len(source.Specs[0].Task().Expectations) != 4 {
		t.Errorf("%q, %+v", wrong, source.Specs)
	}
}
