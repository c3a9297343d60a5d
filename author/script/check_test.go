package script_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/script"
	"github.com/assay-qa/assay/author/script/scripttest"
)

// in returns a test file whose only test has a body, after an expectation that is fine.
func in(body string) string {
	return "import { expect, test } from '@playwright/test';\ntest('t', async ({ page, context }) => {\n  await expect(page).toHaveTitle('Shop');\n" + body + "\n});\n"
}

// top returns a test file with a line before its test.
func top(line string) string {
	return "import { expect, test } from '@playwright/test';\n" + line + "\ntest('t', async ({ page }) => {\n  await expect(page).toHaveTitle('Shop');\n});\n"
}

// check returns what keeps a test in TypeScript from being run: that is the most that the
// runner's parser takes.
func check(t *testing.T, source string) []script.Problem {
	t.Helper()
	problems, err := scripttest.Reader(t).Check(t.Context(), script.Source{Name: "a.spec.ts", Text: []byte(source)})
	if err != nil {
		t.Fatal(err)
	}
	return problems
}

// read reads a file with its name.
func read(t *testing.T, name, source string) script.File {
	t.Helper()
	f, err := scripttest.Reader(t).Read(t.Context(), script.Source{Name: name, Text: []byte(source)})
	if err != nil {
		t.Fatalf("%s: %v", source, err)
	}
	return f
}

// TestGoodFilesAreAccepted shows that what people write of tests passes (A16).
func TestGoodFilesAreAccepted(t *testing.T) {
	files, err := filepath.Glob("testdata/good/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no good files: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range check(t, string(text)) {
			t.Errorf("%s: %v", name, p)
		}
	}
	for _, body := range []string{
		"", "await page.goto('https://shop.example/a');", "const a = 'x' + 1; await page.getByText(a).click();",
		"await page.getByText('process.env eval(1) require(\"fs\")').click(); // eval, process.exit()",
		"await expect(page.getByRole('status')).toHaveText('');", "await expect(page).toHaveURL(/[/]a\\/[^/]+$/);", "const dir = '/a'; await page.goto(dir + '?b=1');",
	} {
		if p := check(t, in(body)); len(p) > 0 {
			t.Errorf("%s\n%v", body, p)
		}
	}
}

// TestHostileFilesAreRefused shows that no test file reaches beyond the page, and that
// none passes without looking (A16, C8). The word tells why a file is refused, so that
// none is refused for another reason.
func TestHostileFilesAreRefused(t *testing.T) {
	for name, c := range hostileFiles() {
		t.Run(name, func(t *testing.T) {
			problems := check(t, c.source)
			var said []string
			for _, p := range problems {
				said = append(said, p.Error())
				if p.Line < 1 || p.Column < 1 {
					t.Errorf("no place: %v", p)
				}
			}
			if len(problems) == 0 {
				t.Fatalf("accepted:\n%s", c.source)
			}
			if !strings.Contains(strings.Join(said, "\n"), c.says) {
				t.Errorf("said:\n%s\nwithout %q", strings.Join(said, "\n"), c.says)
			}
		})
	}
	if n := len(hostileFiles()); n < 100 {
		t.Errorf("only %d hostile files", n)
	}
}

// TestDeepNestingEnds shows that no file exhausts the stack.
func TestDeepNestingEnds(t *testing.T) {
	for _, open := range []string{"(", "[", "{", "!", "-", "a=>", "new ", "await ", "`${", "f(", "a?b:", "for(const a of b)", "{a:", "async()=>"} {
		source := "import { expect, test } from '@playwright/test';\n" + strings.Repeat(open, (30<<10)/len(open))
		if len(check(t, source)) == 0 {
			t.Errorf("%s: accepted", open)
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, c := range hostileFiles() {
		f.Add(c.source)
	}
	f.Fuzz(func(t *testing.T, source string) { check(t, source) })
}
