package spec_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/suite/spec"
)

// D1: an expectation that the reader drops is a spec that passes without it. So
// each of these is found, or is an error.
func TestNoExpectationIsLost(t *testing.T) {
	const a = "## Steps\n1. Save"
	for name, text := range map[string]string{
		"behind a sentence":               a + ". Expected: 42 rows\n",
		"in brackets":                     a + " (expected: 42 rows)\n",
		"behind an arrow":                 a + " → Expected: 42 rows\n",
		"behind a line break":             a + "<br>Expected: 42 rows\n",
		"in a paragraph of HTML":          a + "\n\n<p>Expected: 42 rows</p>\n",
		"in a summary":                    a + "\n   <details><summary><b>Expected</b>: 42 rows</summary></details>\n",
		"called behaviour":                a + "\n   - Expected behaviour: 42 rows\n",
		"without a colon":                 a + "\n   - **Expected** 42 rows\n",
		"with a wide colon":               a + "\n   - Expected：42 rows\n",
		"of something":                    a + "\n   Expected total: 42 rows\n",
		"as a heading":                    a + "\n\n### Expected: 42 rows\n",
		"underlined":                      a + "\n\nExpected: 42 rows\n---\n",
		"a heading that demands a look":   a + "\n\n### Verify that there are 42 rows\n",
		"a paragraph that does":           a + "\n\nVerify that there are 42 rows.\n",
		"a sentence that does":            a + ". Make sure that there are 42 rows\n",
		"under Expectations":              a + "\n## Expectations\n- 42 rows\n",
		"under Acceptance criteria":       a + "\n## Acceptance criteria\n- 42 rows\n",
		"under a heading within Steps":    "## Steps\n### One\n1. Save\n### Expected\n- 42 rows\n### Two\n1. Leave\n",
		"below what is no comment":        "## Steps\n1. Type `<!-- x` there\n   Expected: 42 rows\n",
		"a comment in code":               a + "\n   - Expected: `<!-- 42 -->`\n",
		"at the end of prose":             "Save. Expected: 42 rows\n",
		"below another in the same line":  a + "\n   - Expected: saved. Expected: 42 rows\n",
		"a step of a heading that claims": "## Steps\n### Verify 42 rows\n1. Look\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := one(t, text)
			var all []string
			for _, e := range s.Task().Expectations {
				all = append(all, e.Text)
			}
			if said := strings.Join(all, "\n"); !strings.Contains(said, "42") {
				t.Errorf("expected is only %q: %s", said, brief(s))
			}
		})
	}
	for name, c := range map[string]struct{ text, want string }{
		"a comment without an end": {a + "\n\n<!-- later\n\n2. Leave\n   - Expected: 42 rows\n", "main.md:4: this comment has no end"},
		"a table of steps":         {a + "\n\n| Action | Expected |\n|---|---|\n| Leave | 42 |\n", "main.md:4: a table has no steps"},
		"an empty cell":            {a + "\n   - Expected: {{N}} rows\n## Data\n| N |\n|---|\n| 42 |\n|  |\n", "main.md:3: {{N}} is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, got := loadSpec(map[string]string{"main.md": c.text}, nil); len(got) != 1 || !strings.HasPrefix(got[0], c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// What only looks like an expectation is none.
func TestNotExpected(t *testing.T) {
	for name, text := range map[string]string{
		"in quotes":      "## Steps\n1. Type \"Expected: 42 rows\" there\n",
		"as expected":    "## Steps\n1. Go on as expected: click Save\n",
		"code":           "## Steps\n1. Type\n   ```js\n   expect(42)\n   ```\n",
		"check the box":  "## Steps\n1. Check the box 42. Confirm the dialog.\n",
		"in a code span": "## Steps\n1. Type `a, Expected: 42` there\n",
	} {
		t.Run(name, func(t *testing.T) {
			if s := one(t, text); len(s.Expected) != 1 || !s.ByTitle || strings.Contains(s.Expected[0].Text, "42") || len(s.Steps[0].Expected) > 0 {
				t.Errorf("got %s", brief(s))
			}
		})
	}
}

// A file in a folder that is meant to have steps is never left out without a word.
func TestHasSteps(t *testing.T) {
	wide := strings.Builder{}
	for _, c := range "# A\r\n## Steps\r\n1. Save\r\n" {
		wide.Write([]byte{byte(c), 0})
	}
	for text, want := range map[string]bool{
		"## Steps\n- Save\n": true, "## Setps\n- Save\n": true, "\xff\xfe" + wide.String(): true, "## Steps\n- caf\xe9\n": true,
		"## Steps\n" + strings.Repeat("- a\n", spec.MaxBytes): true, "# Notes\n- a\n": false, "# caf\xe9\n": false, "\xff\xfe#\x00": false,
	} {
		if got := spec.HasSteps([]byte(text)); got != want {
			t.Errorf("%.20q: %v, want %v", text, got, want)
		}
	}
}

// What a step's sentence says must hold after its act is expected, with what variables and
// secrets stand in the act.
func TestCheckBehindAnAct(t *testing.T) {
	for text, want := range map[string]string{
		`Click "Save" and see "Saved".`:                                 `see "Saved"`,
		`Fill "Password" with {{secret:PASSWORD}} and "Ok" is shown`:    `"Ok" is shown`,
		`Open /cart. Click "Pay" and check that "Paid" is shown. Wait.`: `check that "Paid" is shown`,
		`Click "Save" and "Close"`:                                      ``,
		`Click "Save". Verify that "Saved" is shown.`:                   `Verify that "Saved" is shown.`,
		`Put a hammer into the cart and see "Saved"`:                    ``,
	} {
		s := one(t, "---\nsecrets: [PASSWORD]\n---\n## Steps\n1. "+text+"\n")
		if got := strings.Join(s.Steps[0].Expected, "; "); got != want {
			t.Errorf("%s: expected %q, want %q", text, got, want)
		}
	}
}
