package generate_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/author/testfile"
)

// lasting makes the tests of the shop's plan, of which a runner has the last word.
func lasting(t *testing.T, play generate.Player) generate.Request {
	t.Helper()
	dir := t.TempDir()
	input := filepath.Join(dir, "test-plan", "test-plan.md")
	write(t, input, shop)
	return generate.Request{Inputs: []string{input}, Dir: filepath.Join(dir, "tests"), Order: generate.Robust, Play: play,
		Verify: func(_ context.Context, _, _ string, p generate.Path) (generate.Path, []generate.Dropped, error) {
			return p, nil, nil
		}}
}

// red answers with the places of a file that hold a text.
func red(t *testing.T, f generate.File, texts ...string) (out []generate.Failed) {
	t.Helper()
	for _, text := range texts {
		out = append(out, generate.Failed{Line: lineOf(t, f, text), Why: text, How: "with late answers"})
	}
	return out
}

// The runner has the last word: what is red is taken out, a red act with all that follows, and
// the rest is run again. What is red to the end is listed with the runner's message, and not
// written.
func TestTheRunnerHasTheLastWord(t *testing.T) {
	const title, address, count = `toHaveTitle("Orders")`, `toHaveURL("/orders")`, "useInnerText"
	for _, c := range []struct {
		name             string
		red, soft, still []string
		written          bool
		has, hasNot      []string
		listed           string
	}{
		{name: "green", written: true, has: []string{title, address, count}},
		{name: "an expectation", red: []string{title}, soft: []string{title, count}, written: true, has: []string{address, ".click()"}, hasNot: []string{title, count}},
		{name: "an act", red: []string{".click()"}, written: true, has: []string{`toHaveURL("/")`}, hasNot: []string{address, ".click()", ".fill("}},
		{name: "red all the same", red: []string{title}, still: []string{address}, listed: `Look at "Orders": the runner is red with late answers: toHaveURL("/orders")`},
		{name: "an unknown line", red: []string{"test.describe("}, listed: `Look at "Orders": the runner is red with late answers: test.describe(`},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := 0
			r := lasting(t, func(_ context.Context, base, _ string, files []generate.File, soft bool, ended func(string, []generate.Failed)) error {
				run++
				for _, f := range files {
					texts := map[int][]string{1: c.red, 2: c.soft, 3: c.still}[run]
					if f.Flow != `Look at "Orders"` {
						texts = nil
					}
					if soft != (run == 2) || base != "https://shop.test" || !strings.Contains(f.Soft(), "hard.configure({ soft: true })") {
						t.Errorf("run %d: soft is %t, at %s", run, soft, base)
					}
					ended(f.Name, red(t, f, texts...))
				}
				return nil
			})
			out, err := generate.Run(context.Background(), r)
			if err != nil || out.Flows != 2 || out.Left != 0 {
				t.Fatalf("%+v, %v", out, err)
			}
			text, err := os.ReadFile(filepath.Join(r.Dir, "look-at-orders.spec.ts"))
			if written := err == nil; written != c.written {
				t.Errorf("written: %t, %v", written, err)
			}
			for _, part := range c.has {
				if !strings.Contains(string(text), part) {
					t.Errorf("no %s in\n%s", part, text)
				}
			}
			for _, part := range c.hasNot {
				if strings.Contains(string(text), part) {
					t.Errorf("%s in\n%s", part, text)
				}
			}
			if diff := cmp.Diff(c.listed, strings.Join(out.NotCovered, "\n")); diff != "" {
				t.Error(diff)
			}
			if _, err := os.Stat(filepath.Join(r.Dir, generate.JournalName)); err == nil {
				t.Error("the journal is left")
			}
		})
	}
}

// What was green when the runner was interrupted is written, and another request goes on with
// the rest alone. One for something else does not.
func TestInterruptedAndResumed(t *testing.T) {
	ctx, interrupt := context.WithCancel(context.Background())
	var ran []string
	r := lasting(t, func(ctx context.Context, _, _ string, files []generate.File, _ bool, ended func(string, []generate.Failed)) error {
		for _, f := range files {
			ran = append(ran, f.Name)
			ended(f.Name, nil)
			interrupt()
			if ctx.Err() != nil {
				break
			}
		}
		return ctx.Err()
	})
	r.Resume = true
	if _, err := generate.Run(context.Background(), r); err == nil || !strings.Contains(err.Error(), "leave out --resume") {
		t.Errorf("nothing was begun: %v", err)
	}
	r.Resume = false
	var told []string
	r.Progress = func(p generate.Progress) {
		if p.Ended != "" {
			told = append(told, p.String()+": "+p.Ended)
		}
	}
	out, err := generate.Run(ctx, r)
	if err != nil || !out.Interrupted || out.Left != 1 || out.Tests != 1 || !slices.Equal(told, []string{"1/2: look-at-orders.spec.ts, 4 assertions"}) {
		t.Fatalf("%+v, %v, %q", out, err, told)
	}
	other := r
	other.Resume, other.Order = true, generate.Cohort
	if _, err := generate.Run(context.Background(), other); err == nil || !strings.Contains(err.Error(), "other flags") {
		t.Errorf("other flags: %v", err)
	}
	r.Resume = true
	out, err = generate.Run(context.Background(), r)
	if err != nil || out.Interrupted || out.Left != 0 || out.Tests != 2 || out.Files[0].State != generate.Unchanged || out.Files[1].State != generate.New {
		t.Errorf("%+v, %v", out, err)
	}
	if diff := cmp.Diff([]string{"look-at-orders.spec.ts", "nothing-expected.spec.ts"}, ran); diff != "" {
		t.Error(diff)
	}
}

// No flow is begun when the time is over, and what was begun is ended.
func TestMaxTime(t *testing.T) {
	r := lasting(t, func(_ context.Context, _, _ string, files []generate.File, _ bool, ended func(string, []generate.Failed)) error {
		for _, f := range files {
			ended(f.Name, nil)
		}
		return nil
	})
	now := time.Unix(0, 0)
	verify := r.Verify
	r.Now, r.Limit = func() time.Time { return now }, time.Minute
	r.Verify = func(ctx context.Context, base, role string, p generate.Path) (generate.Path, []generate.Dropped, error) {
		now = now.Add(time.Minute)
		return verify(ctx, base, role, p)
	}
	var left time.Duration
	r.Progress = func(p generate.Progress) { left = p.Left }
	out, err := generate.Run(context.Background(), r)
	if err != nil || out.Interrupted || out.Left != 1 || out.Tests != 1 || left != time.Minute {
		t.Errorf("%+v, %v, %s left", out, err, left)
	}
}

// A draft says in its first line that no runner has run it, and has a name that no runner
// looks for. The test of it takes its place.
func TestDrafts(t *testing.T) {
	r := lasting(t, nil)
	r.Draft = true
	out, err := generate.Run(context.Background(), r)
	if err != nil || len(out.Files) != 2 || out.Files[0].Name != "look-at-orders.draft.ts" {
		t.Fatalf("%+v, %v", out, err)
	}
	text, err := os.ReadFile(filepath.Join(r.Dir, out.Files[0].Name))
	first, _, _ := strings.Cut(string(text), "\n")
	if origin, from := testfile.OriginOf(string(text)); err != nil || !strings.Contains(first, "no runner has run") || origin != testfile.Generated || from != "test-plan/test-plan.md" {
		t.Errorf("%v: %s", err, first)
	}
	r.Draft = false
	out, err = generate.Run(context.Background(), r)
	if err != nil || len(out.Files) != 4 || out.Files[2].State != generate.Stale || out.Files[2].Name != "look-at-orders.draft.ts" {
		t.Errorf("%+v, %v", out, err)
	}
}
