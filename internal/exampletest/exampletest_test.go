package exampletest_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/internal/exampletest"
)

// What is shown matches what differs from run to run, and nothing else.
func TestShape(t *testing.T) {
	const shown = "passed  a.md in 2.8 s\n…\n  report: …/report.html\nindex: x\n…"
	for printed, want := range map[string]bool{
		"passed  a.md in 12 ms\n  note\n  more\n  report: /x/report.html\nindex: x\nmore\nand more\n": true,
		"failed  a.md in 12 ms\n  note\n  more\n  report: /x/report.html\nindex: x\nmore\n":           false,
		"passed  a.md in 12 ms\n  report: /x/report.html\nindex: x\nmore\n":                           false, // the ellipsis is a line at least
		"passed  a.md in 12 ms\n  note\n  report: /x/report.html\nindex: x\n":                         false,
	} {
		if got := exampletest.Shape(shown).MatchString(printed); got != want {
			t.Errorf("%q: %t, want %t", printed, got, want)
		}
	}
}

// A block has its language, its file, what is declared of it, and its commands with what they print.
func TestBlocks(t *testing.T) {
	const text = "- a list\n  ```console\n  $ A=1 assay run \"a b\" && assay verify # remark\n  fine\n  ```\n\n<!-- example: not run, it needs a robot -->\n```js\n// arm.mjs\nlift()\n```\n"
	blocks, err := exampletest.Blocks("a.md", text)
	if err != nil || len(blocks) != 2 {
		t.Fatal(blocks, err)
	}
	want := []exampletest.Command{{Words: []string{"A=1", "assay", "run", "a b"}}, {Words: []string{"assay", "verify"}, Shown: []string{"fine"}}}
	if diff := cmp.Diff(want, blocks[0].Commands()); diff != "" {
		t.Error(diff)
	}
	if b := blocks[1]; b.File() != "arm.mjs" || b.Declared != exampletest.NotRun || b.Reason != "it needs a robot" || b.At(1) != "a.md:10" {
		t.Errorf("%+v %s %s", b, b.File(), b.At(1))
	}
	for wrong, want := range map[string]string{
		"```\nx\n```\n": "has no language",
		"```sh\nx\n":    "has no end",
		"<!-- example: never -->\n```sh\nx\n```\n":   "not run, REASON",
		"<!-- example: not run -->\n```sh\nx\n```\n": "not run, REASON",
	} {
		if _, err := exampletest.Blocks("a.md", wrong); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", wrong, err, want)
		}
	}
}
