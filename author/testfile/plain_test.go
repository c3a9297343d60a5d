package testfile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

const plainWant = `import { expect, test } from "@playwright/test";

function variable(name) {
  const value = process.env[name];
  if (!value) throw new Error(` + "`set ${name} in the environment`" + `);
  return value;
}

test.use({
  baseURL: process.env.BASE_URL ?? "https://a.test",
  storageState: variable("STORAGE_STATE"),
  viewport: { width: 800, height: 600 },
  actionTimeout: 10000,
});

test.describe("Shop", () => {
  test.beforeEach(async ({ baseURL, context }) => {
    await context.addCookies([{ name: "beta", value: "1", url: baseURL }]);
    await context.addCookies([
      { name: "consent", value: "yes", domain: ".a.test", path: "/" },
    ]);
  });

  test("A flow with a name that goes on until the line has more than 80 columns", async ({
    page,
  }) => {
    await page.goto("/");

    await test.step("sign in", async () => {
      await page
        .getByRole("textbox", { name: "Pass", exact: true })
        .fill("a" + variable("PIN"));
      await expect(page).toHaveURL("/in?x=1#y");
    });
  });
});
`

// C4: a plain test is valid JavaScript as ESLint and Prettier want it, with the cookies
// and the sign-in of its role; its digest tells whether a person edited it.
func TestPlain(t *testing.T) {
	holds := asserts("", qa.Assertion{Type: qa.URLMatches, Expected: "/in?x=1#y"})
	f := flow.Flow{Name: "A flow with a name that goes on until the line has more than 80 columns", Role: "clerk", StartURL: "/",
		Steps:    []qa.FlowStep{{Action: "fill", Selector: `textbox "Pass"`, Value: "a${secret:PIN}"}, holds},
		Recorded: &flow.Recorded{Steps: []flow.RecordedStep{{Text: "sign in", To: 2}}}}
	got, err := testfile.Plain(f, testfile.PlainOptions{Source: "plan.md", Describe: "Shop", BaseURL: "https://a.test", Width: 800, Height: 600,
		Cookies: []testfile.Cookie{{Name: "beta", Value: "1"}, {Name: "consent", Value: "yes", Domain: ".a.test"}}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plainWant, strings.SplitN(got, "\n", 3)[2]); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]testfile.Origin{got: testfile.Generated, strings.ReplaceAll(got, "\n", "\r\n"): testfile.Generated, got + "\n": testfile.Edited, "x" + got: testfile.ByHand, "": testfile.ByHand} {
		if origin, _ := testfile.OriginOf(text); origin != want {
			t.Errorf("origin %d, want %d: %.80q", origin, want, text)
		}
	}
	f.Steps = append(f.Steps, asserts("", qa.Assertion{Type: qa.ConsoleClean}))
	var bad *testfile.UnsayableError
	if text, err := testfile.Plain(f, testfile.PlainOptions{}); !errors.As(err, &bad) {
		t.Errorf("%v %s", err, text)
	}
}

// Req 0032/2: texts that are others in each run are one constant of the test, in values,
// names, patterns and addresses; rows are compared with those of before the act.
func TestFreshTextsAndRows(t *testing.T) {
	holds := func(selector string, kind qa.AssertionType, expected string) qa.FlowStep {
		return asserts(selector, qa.Assertion{Type: kind, Expected: expected})
	}
	f := flow.Flow{Name: "Add", Steps: []qa.FlowStep{
		{Action: "navigate", URL: "/new"}, {Action: "fill", Selector: `textbox "Subject"`, Value: "A `${fresh}` \"one\" \\ ${x}"},
		holds(`heading "A ${fresh}"`, qa.Visible, ""), holds(`listitem "A.b ${fresh}"`, qa.Visible, ""), holds("", qa.URLMatches, "/list?q=${fresh}"), holds("", qa.URLMatches, "/things/*"),
		{Action: testfile.OtherRows, Selector: "role=row"}, {Action: "reload"}},
		Recorded: &flow.Recorded{Steps: []flow.RecordedStep{{Text: "fill", From: 1, To: 7}}}}
	got, err := testfile.Plain(f, testfile.PlainOptions{Source: "x"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"  test(\"Add\", async ({ page }) => {\n    const fresh = Date.now().toString(36) + test.info().workerIndex;\n",
		"async () => {\n      await expect(page.getByRole(\"row\").nth(1)).toBeVisible();\n      const before = await page.getByRole(\"row\").allTextContents();\n      await page\n",
		".fill(`A \\`${fresh}\\` \"one\" \\\\ \\${x}`);", "{ name: `A ${fresh}`, exact: true }", "new RegExp(`^\\\\s*A\\\\.b\\\\s+${fresh}\\\\s*$`)", "toHaveURL(`/list?q=${fresh}`);", `toHaveURL(new RegExp("/things/[^/?#]+$"));`,
		".nth(1)).toBeVisible();\n      await expect(page.getByRole(\"row\")).not.toHaveText(before);\n    });\n    await page.reload();\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}
