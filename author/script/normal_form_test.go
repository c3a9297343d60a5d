package script_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/script"
	"github.com/assay-qa/assay/author/script/scripttest"
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

func of(t *testing.T, source string) script.NormalForm {
	t.Helper()
	return script.NormalFormOf(read(t, "a.spec.js", source))
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

// TestExpectedTexts shows what an expectation names, and that what else stands in the file is
// not taken for it (C8).
func TestExpectedTexts(t *testing.T) {
	for source, want := range map[string]string{
		before: "[[status 3 pens] [] [li]]",
		"await expect(page.getByText('a')\n  .or(page.locator(`b${c}d`)))\n  .toHaveText(/e/)\nawait page.getByText('expected').click()": "[[a b d]]",
		"export const gone = (page) => expect.soft(page.locator('#\\x62')).toBeHidden();\nawait shop.expectTotal('3', { a: ['x'] });":    "[[#b] [3 x]]",
		"(async () => { expect(a).toBe('b'); })(); function f() { return expect; } test('t', () => {});":                                 "[[b]]",
	} {
		if got := fmt.Sprint(of(t, source).Expected()); got != want {
			t.Errorf("%s: %s", source, got)
		}
	}
}

// TestDocumentOfALocator shows what another locator of the same element begins with.
func TestDocumentOfALocator(t *testing.T) {
	for source, want := range map[string]string{
		"this.page.locator('a').first()":                                           "this.page",
		"page.frameLocator('#s').nth(1).locator('.b').first()":                     "page.frameLocator('#s').nth(1)",
		"page.frameLocator(')').locator('.b')":                                     "page.frameLocator(')')",
		"page.frameLocator('a').last().frameLocator('b').getByText('c')":           "page.frameLocator('a').last().frameLocator('b')",
		"page.locator('a').nth(2).contentFrame().locator('.frameLocator(').nth(3)": "page.locator('a').nth(2).contentFrame()",
	} {
		if l := of(t, "await "+source+".click();").Locators[0]; l.Document != want {
			t.Errorf("%s: %s", source, l.Document)
		}
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
		if said := script.CompareForms(of(t, before), of(t, after)); len(said) > 0 {
			t.Errorf("%s: %v", name, said)
		}
	}
}

// TestActionsThatTakeASelector shows that page.click('#a') is healed as page.locator('#a').click() is (C5).
func TestActionsThatTakeASelector(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"await page.click('#a');":                                    "await page.getByText('x').click();",
		"await page.click(\n\t'#a',\n);":                             "await page.getByText('x').click();",
		"await page.click('#a', { button: 'right' });":               "await page.getByText('x').click({ button: 'right' });",
		"await this.page.fill(`#a`, value);":                         "await this.page.getByText('x').fill(value);",
		"await page.selectOption('#a', ['b', 'c'], { timeout: 5 });": "await page.getByText('x').selectOption(['b', 'c'], { timeout: 5 });",
		"await frame.press(\"#a\", 'Enter');":                        "await frame.getByText('x').press('Enter');",
	} {
		form := of(t, source)
		if len(form.Locators) != 1 {
			t.Errorf("%s: %+v", source, form.Locators)
			continue
		}
		l := form.Locators[0]
		after := source[:l.From] + l.With(l.Base+".getByText('x')") + source[l.To:]
		if after != want {
			t.Errorf("%s: %s", source, after)
		}
		if said := script.CompareForms(form, of(t, after)); len(said) > 0 {
			t.Errorf("%s: %v", source, said)
		}
		if source[l.Dot] != '.' {
			t.Errorf("%s: the dot is at %d", source, l.Dot)
		}
	}
	for _, source := range []string{"await field.fill('a');", "await field.fill('a', { timeout: 5 });", "await page.keyboard.press('Enter');", "await page.click(selector);", "await page.click(('#a'));",
		"await page.click(/* all */ '#a');", "await page.selectOption('#a', { label: 'b' });", "await page.click(`#${id}`);"} {
		if form := of(t, source); len(form.Locators) > 0 {
			t.Errorf("%s: %+v", source, form.Locators)
		}
	}
	for before, after := range map[string]string{
		"await page.click('#a');":          "await page.getByText('x').dblclick();",
		"await page.click('#a', { n: 1 })": "await page.getByText('x').click();",
		"await page.fill('#a', 'b');":      "await page.getByText('x').fill('c');",
		"await other.click('#a');":         "await page.getByText('x').click();",
	} {
		if said := script.CompareForms(of(t, before), of(t, after)); len(said) == 0 {
			t.Errorf("%s may become %s", before, after)
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
		if said := script.CompareForms(of(t, before), of(t, after)); len(said) == 0 {
			t.Errorf("%s: accepted", name)
		} else if !strings.Contains(said[0], "line ") && !strings.Contains(said[0], "end of the file") {
			t.Errorf("%s: no place: %v", name, said)
		}
	}
}

const pageObject = `import { test } from '@playwright/test';

const top = page.locator('#top');
export class Shop {
  save = this.page.getByRole('button', { name: 'Save' });
  find = () => this.page.locator('#find');
  get list() { return this.page.locator('li').first(); }
  constructor(page) {
    this.note = page.locator('#note');
    this.named = page.locator(name);
  }
  async keep() {
    const own = this.page.getByText('x');
    await own.click();
    await this.note.fill('x');
    await this.save.waitFor();
    await this.find().click();
    await this.page.locator('a').dragTo(this.list);
  }
}
test('t', async ({ shop }) => {
  await expect(shop.save).toBeVisible();
});
`

// TestLocatorsWithNames shows what page objects and variables keep, and who uses it (C5).
func TestLocatorsWithNames(t *testing.T) {
	f := of(t, pageObject)
	var got []string
	for _, l := range f.Locators {
		if l.Name == "" {
			continue
		}
		if pageObject[l.From:l.To] != l.Text || !strings.HasPrefix(l.Text, l.Base) {
			t.Errorf("%s: %q is not at its place", l.Name, l.Text)
		}
		other := 0
		for _, u := range f.Uses(l) {
			if !u.Acts {
				other++
			}
		}
		got = append(got, fmt.Sprintf("%s of %s, local %v, %d uses, %d no acts", l.Name, l.Base, l.Local, len(f.Uses(l)), other))
	}
	want := `top of page, local false, 0 uses, 0 no acts
save of this.page, local false, 2 uses, 1 no acts
find of this.page, local false, 1 uses, 0 no acts
list of this.page, local false, 1 uses, 0 no acts
note of page, local false, 1 uses, 0 no acts
own of this.page, local true, 1 uses, 0 no acts`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// TestNamedLocatorsAreFrozen shows that a locator with a name changes only where it is
// said to be an action's, and only within its page (C5, C8).
func TestNamedLocatorsAreFrozen(t *testing.T) {
	before := of(t, pageObject)
	at := slices.IndexFunc(before.Locators, func(l script.FormLocator) bool { return l.Name == "note" })
	edited := of(t, strings.Replace(pageObject, "page.locator('#note')", "page.getByLabel('Note')", 1))
	if said := script.CompareForms(before, edited, at); len(said) > 0 {
		t.Errorf("an action's: %v", said)
	}
	if said := script.CompareForms(before, edited); len(said) == 0 {
		t.Error("not an action's: accepted")
	}
	other := of(t, strings.Replace(pageObject, "= page.locator('#note')", "= other.locator('#note')", 1))
	if said := script.CompareForms(before, other, at); len(said) == 0 {
		t.Error("another page: accepted")
	}
}

// TestUsesThatAreNoActs shows uses of a name that keep its locator from being healed, and
// what only looks like one.
func TestUsesThatAreNoActs(t *testing.T) {
	const member, exported, local = "class C { save = page.locator('x') }\n", "export const save = page.locator('x');\n", "function f() { const save = page.locator('x'); %s }"
	for _, c := range []struct {
		kept, uses string
		no         bool // they are no uses
	}{
		{kept: member, uses: "expect(o.save).toBeVisible()\nf(o.save)\no['save'].click()\no.save.filter({ hasText: 'x' }).click()\no.save.textContent()\no.save.waitFor({ state: 'hidden' })\no.save?.click()\npage.locator('li').filter({ has: o.save }).click()\n`${o.save}`\n" +
			"const { save } = o; expect(save).toBeVisible()\nconst { save: s } = o\nconst g = ({ save }) => { save.click() }"},
		{kept: member, uses: "const g = ({ save }) => o.note.fill(save)\nsave.click()\nexpect(save)\nx = { save: 1 }", no: true},
		{kept: exported, uses: "expect(save).toBeVisible()\nreturn save\nx = { save }\nexpect(o.save)"},
		{kept: local, uses: "expect(save).toBeVisible()\nreturn save\nx = { save }"},
		{kept: local, uses: "expect(o.save).toBeVisible()", no: true},
	} {
		for _, use := range strings.Split(c.uses, "\n") {
			source := c.kept + "async function g() { " + use + " }"
			if c.kept == local {
				source = fmt.Sprintf(local, use)
			}
			f := of(t, source)
			i := slices.IndexFunc(f.Locators, func(l script.FormLocator) bool { return l.Name == "save" })
			uses := f.Uses(f.Locators[i])
			if found := slices.ContainsFunc(uses, func(u script.LocatorUse) bool { return !u.Acts }); found == c.no {
				t.Errorf("%s: %+v", source, uses)
			}
		}
	}
}

const typed = `import { type Page, type Locator } from '@playwright/test';
interface Has { save: Locator }
enum Size { Small = 'ü' }
export abstract class Shop<T extends object = {}> implements Has {
  readonly save = this.page!.getByRole('button') as Locator;
  protected find = (): Locator => this.page.locator<any>('#find')!;
  constructor(private readonly page: Page, public note?: Locator) {}
  async buy(size: Size): Promise<void> {
    await this.page!.locator('#a')!.click();
    await this.page!.fill('#b', size as string);
    await (this.page as Page).locator('#c').click();
    await this.save!.click({ timeout: 5 as number });
    await this.find().waitFor();
  }
}
`

// TestFormOfTypes shows that types are no obstacle: a locator is found among them, and
// another one takes its place.
func TestFormOfTypes(t *testing.T) {
	form := script.NormalFormOf(read(t, "shop.ts", typed))
	var got []string
	for n, l := range form.Locators {
		after := typed[:l.From] + l.With(l.Base+".getByText('x')") + typed[l.To:]
		if said := script.CompareForms(form, script.NormalFormOf(read(t, "shop.ts", after)), n); len(said) > 0 || typed[l.Dot] != '.' && l.Name == "" {
			t.Errorf("%s: %v, the dot is at %q", after, said, typed[l.Dot])
		}
		got = append(got, fmt.Sprintf("%s%s: %s of %s, %d uses", l.Action, l.Name, l.Text, l.Base, len(form.Uses(l))))
	}
	want := `save: this.page!.getByRole('button') of this.page!, 1 uses
find: this.page.locator<any>('#find') of this.page, 1 uses
click: this.page!.locator('#a') of this.page!, 0 uses
fill: this.page!.locator('#b') of this.page!, 0 uses`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if said := script.CompareForms(form, script.NormalFormOf(read(t, "shop.ts", strings.Replace(typed, "'ü'", "'u'", 1)))); len(said) == 0 {
		t.Error("another value of an enum: accepted")
	}
}

func FuzzOf(f *testing.F) {
	f.Add(before)
	f.Add("class A extends B { #x = 1; static { f() } get y() { return new.target } }\nlabel: for (;;) { switch (a) { case 1: default: } }")
	f.Add("test(async (...a) => { for (const x of y) try { await x?.y?.[z]`t${1}` } catch ({ e = 1 }) {} finally {} });\nexport default function* () { yield* 1 }")
	f.Fuzz(func(t *testing.T, source string) {
		file, err := scripttest.Reader(t).Read(t.Context(), script.Source{Name: "a.ts", Text: []byte(source)})
		if err != nil {
			return
		}
		form := script.NormalFormOf(file)
		if said := script.CompareForms(form, form); len(said) > 0 && !strings.Contains(said[0], "or none") {
			t.Errorf("a file differs from itself: %v", said)
		}
	})
}
