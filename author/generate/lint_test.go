package generate_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/browser/browsertest"
)

// widePlan has each kind of step, and texts that a formatter has to break, to quote and to
// measure.
const widePlan = `# Test Plan

**Start URL**: https://shop.test/a/path/that/goes/on/until/the/line/of/the/base/address/is/too/long
**Role**: clerk

## Steps to Reproduce: Every kind of step, with a name that goes on until its line has more than eighty columns

### Step 2: NAVIGATE

**Action:** navigate on element
- **Link**: https://shop.test/orders?state=open&sort=-created&page=12&per_page=100#a-fragment-of-the-address

**Expected Results:**
- **URL**: https://shop.test/orders?state=open&sort=-created&page=12&per_page=100#a-fragment-of-the-address
- **Page Title**: "Orders – \"open\" and 'closed' ones, 注文, with a title that is too long"
- **Notable Elements**:
  - ` + "`main > section.orders table[aria-label=\"Orders of the last thirty days\"] tbody tr:first-child`" + ` "It's a \"row\" with a text that goes on and on until nobody reads it any more" - row
  - ` + "`#n`" + ` "7"

### Step 3: SELECT

**Action:** select on element
- **Selector**: ` + "`select[name=\"a-field-with-a-long-name\"]`" + `
- **Option**: "An option that nobody would choose but who tests long labels"

**Expected Results:**

### Step 4: CHECK

**Action:** check on element
- **ID**: ` + "`terms`" + `

**Expected Results:**

### Step 5: UNCHECK

**Action:** uncheck on element
- **Selector**: ` + "`checkbox \"Send me news, offers, and all else that I never asked for, every day\"`" + `

**Expected Results:**

### Step 6: HOVER

**Action:** hover on element
- **XPath**: ` + "`/html/body/div[1]/main/section[2]/div[3]/ul/li[4]/a[1]/span[2]`" + `

**Expected Results:**
- **Notable Elements**:
  - ` + "`tooltip \"More\"`" + ` "More"

### Step 7: PRESS

**Action:** press on element
- **Key**: "Control+Enter"

**Expected Results:**

### Step 8: TYPE

**Action:** type on element
- **Selector**: ` + "`#notes`" + `
- **Value**: "two\nlines, a tab\t and ${secret:PIN} at the end of a value that is longer than a line"

**Expected Results:**

### Step 9: TYPE

**Action:** type on element
- **Selector**: ` + "`textbox \"The subject of the order, as it stands on the invoice\"`" + `
- **Value**: "An order that is \"another\" one each time that this test runs: ${fresh}"

**Expected Results:**
- **Notable Elements**:
  - ` + "`heading \"An order that is another one each time that this test runs: ${fresh}\"`" + ` - heading
  - ` + "`#subject` \"The order ${fresh}\"" + `

### Step 10: SUBMIT

**Action:** submit on element
- **Selector**: ` + "`button.primary`" + `
- **Text**: "Save"

**Expected Results:**
- **URL**: https://elsewhere.test/done
`

// judge reads {modules, files} from stdin, and prints what ESLint with rules of its
// own and those that eslint-plugin-playwright recommends, and Prettier as it is, have to say of each file.
const judge = `
const { createRequire } = require('node:module');
const asked = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const from = createRequire(asked.modules + '/x.js');
const prettier = from('prettier'), { ESLint } = from('eslint');
const loaded = from('eslint-plugin-playwright'), playwright = loaded.default ?? loaded;
const rules = Object.fromEntries(['no-undef', 'no-unused-vars', 'no-unreachable', 'no-useless-escape', 'no-irregular-whitespace', 'no-dupe-keys', 'no-redeclare', 'no-template-curly-in-string', 'prefer-const', 'eqeqeq', 'no-constant-condition'].map((rule) => [rule, 'error']));
const eslint = new ESLint({ cwd: asked.folder, overrideConfigFile: true, overrideConfig: [
  { files: ['**/*.ts'], rules, languageOptions: { ecmaVersion: 'latest', sourceType: 'module', globals: { process: 'readonly' } } },
  { files: ['**/*.ts'], ...playwright.configs['flat/recommended'], languageOptions: { ecmaVersion: 'latest', sourceType: 'module' } },
] });
(async () => {
  const out = [];
  for (const { name, text } of asked.files) {
    const formatted = await prettier.format(text, { filepath: name });
    const lines = [text.split('\n'), formatted.split('\n')];
    lines[0].some((line, i) => line !== lines[1][i] && out.push(name + ':' + (i + 1) + ': prettier writes ' + JSON.stringify(lines[1].slice(i, i + 4).join('\n')) + ' and not ' + JSON.stringify(lines[0].slice(i, i + 4).join('\n'))));
    for (const result of await eslint.lintText(text, { filePath: name }))
      for (const m of result.messages) out.push(name + ':' + m.line + ': ' + (m.ruleId ?? 'eslint') + ': ' + m.message);
  }
  process.stdout.write(JSON.stringify(out));
})();
`

// C4: what is generated is as Prettier writes it, and ESLint has nothing to say of it.
func TestGeneratedFilesAreLinted(t *testing.T) {
	runner := browsertest.TestRunner(t)
	dir := t.TempDir()
	plans := []string{filepath.Join(dir, "a.md"), filepath.Join(dir, "b.md")}
	write(t, plans[0], widePlan)
	write(t, plans[1], shop)
	type file struct {
		Name string `json:"name"`
		Text string `json:"text"`
	}
	var files []file
	for _, order := range []generate.Order{generate.Robust, generate.Cohort} {
		out, err := generate.Run(context.Background(), generate.Request{Inputs: plans, Dir: filepath.Join(dir, string(order)), Order: order, Width: 800, Height: 600, Unverified: "there is no browser",
			Cookies: []testfile.Cookie{{Name: "beta", Value: "1"}, {Name: "a-cookie-with-a-long-name", Value: "yes, and \"quoted\"", Domain: ".shop.test", Path: "/a/path"}}})
		if err != nil || out.Tests != 3 {
			t.Fatalf("%+v, %v", out, err)
		}
		for _, f := range out.Files {
			files = append(files, file{string(order) + "/" + f.Name, f.Text})
		}
	}
	spoilt := file{"spoilt.spec.ts", strings.NewReplacer("await expect(", "expect( ").Replace(files[0].Text)}
	check := func(files ...file) []string {
		asked, err := json.Marshal(map[string]any{"modules": runner.Modules(), "folder": dir, "files": files})
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), runner.Node, "--eval", judge)
		cmd.Dir, cmd.Stdin, cmd.Stderr = dir, strings.NewReader(string(asked)), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		if err := json.Unmarshal(out, &said); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return said
	}
	for _, line := range check(files...) {
		t.Error(line)
	}
	if said := strings.Join(check(spoilt), "\n"); !strings.Contains(said, "prettier writes") || !strings.Contains(said, "missing-playwright-await") {
		t.Errorf("a spoilt file passes: %s", said)
	}
}
