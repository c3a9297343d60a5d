package normalform_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/normalform"
)

const before = `import { expect, test } from '@playwright/test';

test.describe('shop', () => {
  test('buys a pen', async ({ page }) => {
    await page.goto('/shop');
    await page.getByRole('button', { name: 'Buy' }).click();
    await page.getByLabel('Amount').fill('3', { timeout: 5000 });
    await page.locator('#a').first().dragTo(page.locator('#b'));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status')).toHaveText('3 pens');
    await expect(page).toHaveURL(/done/, { timeout: 1000 });
  });
  test('sells none', async ({ page }) => {
    await expect(page.locator('li')).toHaveCount(0);
  });
});
`

func of(t *testing.T, source string) normalform.Form {
	t.Helper()
	f, err := normalform.Of([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFormHasLocators shows what a healer may change, and where it stands (C5).
func TestFormHasLocators(t *testing.T) {
	f := of(t, before)
	var got []string
	for _, l := range f.Locators {
		if before[l.From:l.To] != l.Text {
			t.Errorf("line %d: %q is not at its place", l.Line, l.Text)
		}
		got = append(got, l.Action+" "+l.Text)
	}
	want := "click page.getByRole('button', { name: 'Buy' })\nfill page.getByLabel('Amount')\ndragTo page.locator('#a').first()\ndragTo page.locator('#b')"
	if strings.Join(got, "\n") != want {
		t.Errorf("locators:\n%s", strings.Join(got, "\n"))
	}
	if strings.Join(f.Titles, ",") != "'buys a pen','sells none'" || len(f.Timeouts) != 2 || f.Timeouts[1].MS != 1000 || f.Locators[0].Line != 6 {
		t.Errorf("got %+v", f)
	}
}

// TestHealsAreTheSame shows edits that leave what is tested as it is (C5, C8).
func TestHealsAreTheSame(t *testing.T) {
	for name, edit := range map[string][2]string{
		"locator":        {"getByRole('button', { name: 'Buy' })", "getByTestId('buy').nth(1)"},
		"frame":          {"page.getByLabel('Amount')", "page.frameLocator('#f').getByLabel('Amount')"},
		"target":         {"page.locator('#b')", "page.getByText('b')"},
		"filter":         {"page.locator('#a').first()", "page.locator('li').filter({ has: page.getByText('a') })"},
		"wait":           {"    await page.getByLabel", "    await page.getByRole('form').waitFor({ state: 'visible' });\n    await page.getByLabel"},
		"longer timeout": {"5000", "10_000"},
		"layout":         {"await page.goto('/shop');", "await page.goto(\n\"/shop\",) // there"},
	} {
		after := strings.Replace(before, edit[0], edit[1], 1)
		if after == before {
			t.Fatalf("%s changes nothing", name)
		}
		if said := normalform.Compare(of(t, before), of(t, after)); len(said) > 0 {
			t.Errorf("%s: %v", name, said)
		}
	}
}

// TestWhatIsTestedIsFrozen shows edits that no healer may make (C5, C8).
func TestWhatIsTestedIsFrozen(t *testing.T) {
	for name, edit := range map[string][2]string{
		"expected value":        {"'3 pens'", "'4 pens'"},
		"matcher":               {"toHaveText('3 pens')", "toContainText('3 pens')"},
		"expectation's locator": {"getByRole('status')", "getByRole('alert')"},
		"negation":              {"toHaveCount(0)", "not.toHaveCount(0)"},
		"count":                 {"toHaveCount(0)", "toHaveCount(1)"},
		"pattern":               {"/done/", "/don/"},
		"flags of a pattern":    {"/done/", "/done/i"},
		"title":                 {"buys a pen", "buys pens"},
		"title of a group":      {"'shop'", "'shops'"},
		"address":               {"'/shop'", "'/'"},
		"data":                  {"fill('3'", "fill('4'"},
		"action":                {".click()", ".dblclick()"},
		"option":                {".click()", ".click({ force: true })"},
		"key":                   {"'Enter'", "'Escape'"},
		"keyboard":              {"page.keyboard", "page.mouse"},
		"skip":                  {"test('sells", "test.skip('sells"},
		"soft":                  {"expect(page.getByRole", "expect.soft(page.getByRole"},
		"no await":              {"await expect(page)", "expect(page)"},
		"expectation gone":      {"    await expect(page).toHaveURL(/done/, { timeout: 1000 });\n", ""},
		"test gone":             {"  test('sells none', async ({ page }) => {\n    await expect(page.locator('li')).toHaveCount(0);\n  });\n", ""},
		"order":                 {"    await page.goto('/shop');\n    await page.getByRole('button', { name: 'Buy' }).click();\n", "    await page.getByRole('button', { name: 'Buy' }).click();\n    await page.goto('/shop');\n"},
		"step gone":             {"    await page.keyboard.press('Enter');\n", ""},
		"step more":             {"    await page.keyboard.press('Enter');\n", "    await page.keyboard.press('Enter');\n    await page.reload();\n"},
		"sleep":                 {"    await page.keyboard", "    await page.waitForTimeout(100);\n    await page.keyboard"},
		"timeout of three":      {"5000", "15000"},
		"timeout without end":   {"5000", "0"},
		"timeout more":          {".click()", ".click({ timeout: 1 })"},
		"code in a locator":     {"getByLabel('Amount')", "getByLabel(await page.title())"},
		"code as a wait":        {"    await page.keyboard", "    await page.getByText(f()).waitFor();\n    await page.keyboard"},
		"try":                   {"await page.keyboard.press('Enter');", "try { await page.keyboard.press('Enter'); } catch {}"},
		"variable in a locator": {"page.getByLabel('Amount').fill", "page.getByLabel('Amount').page().locator('x').fill"},
	} {
		after := strings.Replace(before, edit[0], edit[1], 1)
		if after == before {
			t.Fatalf("%s changes nothing", name)
		}
		if said := normalform.Compare(of(t, before), of(t, after)); len(said) == 0 {
			t.Errorf("%s: accepted", name)
		} else if !strings.Contains(said[0], "line ") && !strings.Contains(said[0], "end of the file") {
			t.Errorf("%s: no place: %v", name, said)
		}
	}
}

// TestTypesDoNotParse shows that a file in TypeScript is refused with its line.
func TestTypesDoNotParse(t *testing.T) {
	if _, err := normalform.Of([]byte("const a = 1;\nconst b: string = 'x';\n")); err == nil || !strings.Contains(err.Error(), "line 2:") {
		t.Errorf("got %v", err)
	}
}

func FuzzOf(f *testing.F) {
	f.Add(before)
	f.Add("class A extends B { #x = 1; static { f() } get y() { return new.target } }\nlabel: for (;;) { switch (a) { case 1: default: } }")
	f.Add("test(async (...a) => { for (const x of y) try { await x?.y?.[z]`t${1}` } catch ({ e = 1 }) {} finally {} });\nexport default function* () { yield* 1 }")
	f.Fuzz(func(t *testing.T, source string) {
		form, err := normalform.Of([]byte(source))
		if err != nil {
			return
		}
		if said := normalform.Compare(form, form); len(said) > 0 && !strings.Contains(said[0], "or none") {
			t.Errorf("a file differs from itself: %v", said)
		}
	})
}
