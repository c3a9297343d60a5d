package heal

import (
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/prove"
	testscript "github.com/assay-qa/assay/author/script"
	"github.com/assay-qa/assay/author/script/scripttest"
	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/element"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/visual"
)

const spec = `import { expect, test } from '@playwright/test';

test('buys', async ({ page }) => {
  await page.goto('/');
  await page
    .locator('#note')
    .fill('milk');
  await page.frameLocator('#shop').nth(1).locator('.buy').click({ timeout: 500 });
  await expect(page.getByRole('status', { name: 'Done' })).toHaveText('bought');
});
`

func reading(t *testing.T) func(name string, text []byte) (testscript.File, error) {
	return func(name string, text []byte) (testscript.File, error) {
		return scripttest.Reader(t).Read(t.Context(), testscript.Source{Name: name, Text: text})
	}
}

func source0(t *testing.T, text string) testSource {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.spec.ts")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := readTest(path, reading(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func call(method string, line, column int) prove.Call {
	return prove.Call{Method: method, Act: true, At: &testrun.Location{File: "/p/a.spec.ts", Line: line, Column: column}}
}

// C5, C8: an edit replaces the locator of one act, or waits for its element, and nothing
// else of the file.
func TestEditsOfATest(t *testing.T) {
	s := source0(t, spec)
	n, old, err := s.find(call("fill", 7, 6), nil)
	if err != nil || n != 0 || old != "page\n    .locator('#note')" {
		t.Fatalf("%d %q %v", n, old, err)
	}
	m, _, err := s.find(call("click", 8, 58), nil)
	if err != nil || m != 1 {
		t.Fatalf("%d %v", m, err)
	}
	const way, source = `button "Buy"`, "getByRole('button', { name: 'Buy', exact: true })"
	if got := s.write(m, way); got != "page.frameLocator('#shop').nth(1)."+source {
		t.Errorf("in a frame: %s", got)
	}
	edits := []edit{{n: 0, text: "page.getByLabel('Note')"}, {n: 1, text: s.write(m, way)}, {n: 1}}
	out, _, err := s.after(edits)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("page\n    .locator('#note')\n    .fill", "page.getByLabel('Note')\n    .fill",
		"  await page.frameLocator('#shop').nth(1).locator('.buy')", "  await page.frameLocator('#shop').nth(1)."+source+".waitFor();\n  await page.frameLocator('#shop').nth(1)."+source).Replace(spec)
	if string(out) != want {
		t.Errorf("got\n%s", out)
	}
	if k, _, err := s.find(call("click", 8, 90), edits); err != nil || k != 1 {
		t.Errorf("after the edits: %d %v", k, err)
	}
	if _, _, err := s.find(call("click", 9, 9), nil); err == nil {
		t.Error("an expectation was taken for an act")
	}
	for _, text := range []string{"page.getByText('a').click(); page", "page.getByText(await page.title())", "page.locator('#a').locator("} {
		if _, _, err := s.after([]edit{{n: 0, text: text}}); err == nil {
			t.Errorf("%s was accepted", text)
		}
	}
}

// An act is not healed where an expectation looks for its element by the same locator:
// that something is not there would hold ever after (C5, C8).
func TestExpectationsOfTheSameLocator(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"a.spec.ts": "import { gone } from './help';\ntest('t', async ({ page }) => {\n  await page.locator('#a').click();\n  await page.locator('#b').click();\n  await page.locator('#c').click();\n  await expect(page.locator('.x #a')).toHaveCount(0);\n});\n",
		"help.ts":   "export const gone = (page) => expect(page.locator('#b')).toBeHidden();\n",
		"other.ts":  "expect(page.locator('#c')).toBeHidden();\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "a.spec.ts")
	s := source0(t, files["a.spec.ts"])
	r := &round{Healer: Healer{copy: copied{dir, dir}}, sources: map[string]source{path: s}, read: reading(t)}
	j := &job{test: testrun.Test{Location: testrun.Location{File: path}}}
	for n, free := range []bool{false, false, true} {
		why := r.keeps(j, located{s, path, n, s.form.Locators[n].Text}, element.Element{}, nil)(element.Element{})
		if (why == "") != free {
			t.Errorf("%s: %q", s.form.Locators[n].Text, why)
		}
	}
	r.expectations = nil
	if err := os.WriteFile(filepath.Join(dir, "help.ts"), []byte("export const gone = (page"), 0o600); err != nil {
		t.Fatal(err)
	}
	if why := r.keeps(j, located{s, path, 2, s.form.Locators[2].Text}, element.Element{}, nil)(element.Element{}); !strings.Contains(why, "is not known") {
		t.Errorf("a helper that can't be read: %q", why)
	}
}

// The diff is one that patch reads.
func TestDiffApplies(t *testing.T) {
	after := strings.Replace(strings.Replace(spec, "'#note'", "'#memo'", 1), "});\n", "});\n// end\n", 1)
	diff := unified("a.spec.ts", spec, after)
	if _, err := exec.LookPath("patch"); err != nil {
		t.Logf("no patch here: %s", diff)
		return
	}
	path := filepath.Join(t.TempDir(), "a.spec.ts")
	if err := os.WriteFile(path, []byte(spec), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("patch", "-s", path)
	cmd.Stdin = strings.NewReader(diff)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, diff)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != after {
		t.Errorf("%v\n%s", err, got)
	}
}

// What a locator itself says of its element.
func TestSelectorsAsElements(t *testing.T) {
	for selector, want := range map[string]element.Element{
		`internal:role=button[name="Save \"it\""i]`:             {Role: "button", Name: `Save "it"`},
		`internal:role=main >> internal:label="Note"s >> nth=0`: {Name: "Note"},
		`internal:testid=[data-testid="kpi"s]`:                  {Print: element.Print{TestID: "kpi"}},
		`form > input.wide#note[name="n"]`:                      {Print: element.Print{Tag: "input", ID: "note", FormName: "n", Classes: []string{"wide"}}},
		`xpath=/html/body/div[2]/a`:                             {Print: element.Print{Path: "html[1]/body[1]/div[2]/a[1]"}},
	} {
		got := ofSelector(selector)
		if got.Role != want.Role || got.Name != want.Name || got.TestID != want.TestID || got.ID != want.ID || got.FormName != want.FormName || got.Path != want.Path || strings.Join(got.Classes, " ") != strings.Join(want.Classes, " ") {
			t.Errorf("%s: %+v", selector, got)
		}
	}
}

// A heal that loses a fault which was noticed before is refused, and so is that of a
// test which can't be shown to fail.
func TestHealsThatLoseFaultsAreRefused(t *testing.T) {
	at := &testrun.Location{File: "/p/a.spec.ts", Line: 8}
	tried := func(kind string, o prove.Outcome) prove.Tried {
		return prove.Tried{Mutant: prove.Mutant{Class: prove.NoEffect, Kind: kind, At: at, OfAct: true}, Outcome: o}
	}
	before := &prove.Test{Verdict: prove.CanFail, Mutants: []prove.Tried{tried("swallowed", prove.Strong), tried("write-dropped", prove.Weak), tried("exception", prove.Survived)}}
	for name, c := range map[string]struct {
		before *prove.Test
		now    prove.Test
		heals  bool
	}{
		"the same":    {before, prove.Test{Verdict: prove.CanFail, Mutants: []prove.Tried{tried("swallowed", prove.Strong), tried("write-dropped", prove.Strong)}}, true},
		"one is moot": {before, prove.Test{Verdict: prove.CanFail, Mutants: []prove.Tried{tried("swallowed", prove.Strong), tried("write-dropped", prove.Invalid)}}, true},
		"one is lost": {before, prove.Test{Verdict: prove.CanFail, Mutants: []prove.Tried{tried("swallowed", prove.Strong), tried("write-dropped", prove.Survived)}}, false},
		"all moot":    {before, prove.Test{Verdict: prove.CanFail}, false},
		"new, blind":  {nil, prove.Test{Verdict: prove.CannotFail}, false},
		"new, proved": {nil, prove.Test{Verdict: prove.CanFail}, true},
	} {
		r := &round{report: &Report{}}
		j := &job{heals: []Heal{{Old: "a", New: "b"}}}
		r.judge(j, c.before, c.now, &Rerun{})
		if healed := j.gone == nil; healed != c.heals || healed != (len(r.report.Proposals) == 0) {
			t.Errorf("%s: %+v, %+v", name, j.gone, r.report.Proposals)
		}
	}
}

const flowText = `name = "note"
start_url = "http://127.0.0.1:1/"

[[steps]]
action = "fill"
selector = 'css=#note'
value = "milk"

[[steps]]
action = "click"
selector = "button \"Keep\""

[[steps]]
action = "assert"
selector = "css=#out"
[steps.assertion]
type = "text_equals"
expected = "milk"
`

// A flow gets the new selector where the old one stands, and says nothing else.
func TestEditsOfAFlow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "note.flow.toml")
	if err := os.WriteFile(path, []byte(flowText), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := readFlow(path, "")
	if err != nil {
		t.Fatal(err)
	}
	test, err := f.test(f.flow)
	if err != nil {
		t.Fatal(err)
	}
	above, _, _ := strings.Cut(test, "#note")
	line := 1 + strings.Count(above, "\n")
	n, old, err := f.find(call("fill", line, 1), nil)
	if err != nil || n != 0 || old != "css=#note" {
		t.Fatalf("%d %q %v", n, old, err)
	}
	file, made, err := f.after([]edit{{n: 0, text: `label="Note"`}, {n: 1, text: "css=#k"}})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("'css=#note'", `'label="Note"'`, `"button \"Keep\""`, `"css=#k"`).Replace(flowText)
	if string(file) != want || !strings.Contains(string(made), "getByLabel") || strings.Contains(string(made), "#note") {
		t.Errorf("%s\n%s", file, made)
	}
}

// A candidate's picture shows it with what is around it; there is none without the page's.
func TestPicturesOfCandidates(t *testing.T) {
	dark, err := base64.StdEncoding.DecodeString(onePixel)
	if err != nil {
		t.Fatal(err)
	}
	if out := crop(dark, &element.Box{Width: 1, Height: 1}); len(out) == 0 {
		t.Error("no picture")
	} else if w, h, err := visual.Size(out); err != nil || w != 1 || h != 1 {
		t.Errorf("%d × %d, %v", w, h, err)
	}
	for _, box := range []*element.Box{nil, {X: 9000, Y: 9000, Width: 1, Height: 1}} {
		if crop(dark, box) != nil || crop(nil, &element.Box{Width: 1, Height: 1}) != nil || crop([]byte("no picture"), &element.Box{Width: 1, Height: 1}) != nil {
			t.Errorf("%+v: a picture of nothing", box)
		}
	}
}

// onePixel is a PNG.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// A recorded flow is healed onto what a replay would take for the recorded element, in its
// frame, and onto nothing else: both ways of healing it give one answer.
func TestRecordedFlowIsHealedAsItIsReplayed(t *testing.T) {
	const step = `frame "Shop" > testid=buy`
	f := &flowSource{path: "/p/a.flow.json", flow: flow.Flow{Name: "buy", StartURL: "http://shop.test/", Steps: []qa.FlowStep{{Action: "click", Selector: step}, {Action: "assert", Selector: "css=h1", Assertion: &qa.Assertion{Type: qa.Visible}}},
		Recorded: &flow.Recorded{Elements: []flow.RecordedElement{{Locators: []string{step, `frame "Shop" > css=#b`}, Frame: `frame "Shop"`,
			Fingerprint: map[string]string{"tag": "button", "role": "button", "name": "Buy"}}}}}}
	_, lines, err := testfile.WithLines(f.flow, f.options())
	if err != nil {
		t.Fatal(err)
	}
	r := &round{sources: map[string]source{"/p/a.spec.ts": f}}
	known := r.known(&job{}, prove.Studied{Call: call("click", lines[0].From, 1)})
	old := known.Element
	if known.by != byRecording || old.Name != "Buy" || !slices.Equal(old.Locators, []string{"testid=buy", "css=#b"}) {
		t.Fatalf("known by %s: %+v", known.by, old)
	}
	now := element.Element{Role: "button", Name: "BUY", Locators: []string{`button "BUY"`, "css=#b"}, Print: element.Print{Tag: "button", Visible: true}}
	if got := f.write(0, now.Ways(&old)[0]); got != `frame "Shop" > css=#b` {
		t.Error(got)
	}
	for role, free := range map[string]bool{"button": true, "link": false} {
		now.Role = role
		if why := r.keeps(&job{}, located{source: f}, old, &old)(now); (why == "") != free || free != f.flow.Recorded.Elements[0].Is(map[string]string{"tag": "a", "role": role, "name": "BUY"}) {
			t.Errorf("%s: %q", role, why)
		}
	}
}

// Req 0032/4: what came of a test before a healing was stopped is kept, and is handed out
// when the next one is stopped, too; a heal only where its locator stands as it stood.
func TestStoppedHealingKeepsWhatIsKnown(t *testing.T) {
	s := source0(t, spec)
	const path = "/p/a.spec.ts"
	test := func(title string) *job {
		return &job{file: path, test: testrun.Test{Titles: []string{title}, Location: testrun.Location{File: path, Line: 3}}}
	}
	place := func(title string, line int) Place { return Place{File: path, Line: line, Test: title} }
	old := Report{Unhealed: []Unhealed{{place("gone", 3), Gone, "it is gone"}}, Proposals: []Proposal{{Place: place("gone", 3), Number: 7}},
		Healed: []Heal{{Place: place("buys", 8), Old: "page.frameLocator('#shop').nth(1).locator('.buy')", New: "page.getByText('Buy')", By: byProof},
			{Place: place("moved on", 1), Old: "page.locator('#x')", New: "page.locator('#y')"}},
		Rerun: []Rerun{{Test: "buys", File: path, Green: 10, Runs: 10}, {Test: "moved on", File: path}}}
	var said []string
	r := &round{Healer: Healer{Resume: []Report{old}, Progress: func(text string) { said = append(said, text) }}, sources: map[string]source{path: s}, report: &Report{Interrupted: true},
		jobs: []*job{test("gone"), test("buys"), test("moved on"), test("later")}}
	if err := r.heal(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := *r.report
	if len(got.Unhealed) != 1 || got.Unhealed[0].Reason != Gone || len(got.Proposals) != 1 || got.Proposals[0].Number != 1 {
		t.Errorf("not healed: %+v, %+v", got.Unhealed, got.Proposals)
	}
	if len(got.Healed) != 1 || len(got.Rerun) != 1 || !strings.Contains(got.Diff, "+  await page.getByText('Buy').click({ timeout: 500 });") || strings.Contains(got.Diff, "#y") {
		t.Errorf("healed: %+v, %+v\n%s", got.Healed, got.Rerun, got.Diff)
	}
	if len(got.Open) != 2 || got.Open[0].Test != "moved on" || got.Open[1].Test != "later" || got.AllGreen() || got.Empty() {
		t.Errorf("open: %+v", got.Open)
	}
	if !slices.Equal(said, []string{"1/4: not healed (gone): gone", "2/4: healed: buys"}) {
		t.Errorf("%q", said)
	}
}
