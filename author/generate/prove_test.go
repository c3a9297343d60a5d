package generate_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/generate"
)

// lineOf returns the line of a file that has a text.
func lineOf(t *testing.T, f generate.File, text string) int {
	t.Helper()
	for i, line := range strings.Split(f.Text, "\n") {
		if strings.Contains(line, text) {
			return i + 1
		}
	}
	t.Fatalf("%s has no %q:\n%s", f.Name, text, f.Text)
	return 0
}

// C4, E7: what noticed no fault is taken out of a test, which is proved again without it;
// what can't fail, or of which that is not known, is listed and not written. What can't
// fail any more without what was taken out gets it back.
func TestProvedFiles(t *testing.T) {
	const twoOrders = `await expect(page).toHaveURL("/orders");`
	for _, c := range []struct {
		name    string
		prove   func(round int, f generate.File) generate.Proof
		rounds  int
		written bool
		has     bool // the assertion that noticed nothing
		listed  string
	}{
		{"what noticed nothing", func(round int, f generate.File) generate.Proof {
			p := generate.Proof{CanFail: true, Known: true, Reason: "noticed", Killed: 3, Weakly: 1, Survived: 1}
			if round == 1 { // the second expectation of the several lines of a statement is at its end
				p.Asserts = []generate.Proved{{Line: lineOf(t, f, twoOrders), Useless: true}, {Line: lineOf(t, f, "useInnerText") + 1}}
			}
			return p
		}, 2, true, false, ""},
		{"what holds it together", func(round int, f generate.File) generate.Proof {
			if round > 1 {
				return generate.Proof{Reason: "the test fails on the page as it is"}
			}
			return generate.Proof{CanFail: true, Known: true, Reason: "noticed", Asserts: []generate.Proved{{Line: lineOf(t, f, twoOrders), Useless: true}}}
		}, 2, true, true, ""},
		{"what can't fail", func(int, generate.File) generate.Proof { return generate.Proof{Known: true, Reason: "blind"} }, 1, false, false, "can't: blind"},
		{"what is not known", func(int, generate.File) generate.Proof { return generate.Proof{} }, 1, false, false, "unproved: it was not run"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			input := filepath.Join(dir, "test-plan", "test-plan.md")
			first, _, _ := strings.Cut(shop, "## Steps to Reproduce: Nothing")
			write(t, input, first)
			rounds := 0
			out, err := generate.Run(context.Background(), generate.Request{Inputs: []string{input}, Dir: filepath.Join(dir, "tests"), Order: generate.Robust, Role: "clerk",
				Prove: func(_ context.Context, base, role string, files []generate.File) (map[string]generate.Proof, error) {
					rounds++
					if len(files) != 1 || base != "https://shop.test" || role != "clerk" {
						t.Errorf("round %d: %s %s %d files", rounds, base, role, len(files))
					}
					return map[string]generate.Proof{files[0].Name: c.prove(rounds, files[0])}, nil
				}})
			if err != nil || rounds != c.rounds || (len(out.Files) == 1) != c.written {
				t.Fatalf("%d rounds, %+v, %v", rounds, out, err)
			}
			listed := ""
			for _, line := range out.CannotFail {
				listed += "can't: " + strings.TrimPrefix(line, `Look at "Orders": `)
			}
			for _, line := range out.Unproved {
				listed += "unproved: " + strings.TrimPrefix(line, `Look at "Orders": `)
			}
			if diff := cmp.Diff(c.listed, listed); diff != "" {
				t.Error(diff)
			}
			if !c.written {
				return
			}
			f := out.Files[0]
			if strings.Contains(f.Text, twoOrders) != c.has || !strings.Contains(f.Text, `toHaveTitle("Orders")`) || f.Proof == nil || !f.Proof.CanFail {
				t.Errorf("%+v\n%s", f.Proof, f.Text)
			}
			if dropped := len(out.Dropped) == 2; dropped == c.has { // the step behind the last assertion is one of them
				t.Errorf("left out: %+v", out.Dropped)
			}
			if c.name == "what noticed nothing" && f.Proof.String() != "4 of 5 mutants killed, 3 by an expectation and 1 by a time-out" {
				t.Error(f.Proof)
			}
		})
	}
}
