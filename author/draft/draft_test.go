package draft_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/author/script/scripttest"
	"github.com/assay-qa/assay/author/workcopy"
	"github.com/assay-qa/assay/browser/browsertest"
	"github.com/assay-qa/assay/browser/driver"
)

const (
	spec = "tests/shop.spec.ts"
	good = "import { expect, test } from '@playwright/test';\n\ntest('shows its title', async ({ page }) => {\n  await page.goto('/');\n  await expect(page).toHaveTitle('Shop');\n});\n"
)

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// newDraft is a draft in a repository with one commit, which has one good test.
func newDraft(t *testing.T) (d *draft.Draft, dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "tests"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, spec), []byte(good), 0o644); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "first")
	d = &draft.Draft{
		Project: workcopy.Options{Folder: dir, Cache: t.TempDir(), Environ: os.Environ(), Rules: workcopy.Rules{TestDir: "tests"}},
		Prefix:  "assay/",
		Reader:  scripttest.Reader(t),
		Mask:    func(s string) string { return strings.ReplaceAll(s, "hunter2", "***") },
		TestRunner: func(context.Context) (driver.TestRunner, error) {
			return driver.TestRunner{}, &driver.InstallError{What: "no test runner", Remedy: "assay install --test-runner"}
		},
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d, dir
}

func content(path, text string) draft.Change { return draft.Change{Path: path, Content: &text} }
func patched(path, text string) draft.Change { return draft.Change{Path: path, Patch: &text} }

func change(path, from, to string) string {
	return "diff --git a/" + path + " b/" + path + "\n--- a/" + path + "\n+++ b/" + path + "\n@@ -5,2 +5,2 @@\n-" + from + "\n+" + to + "\n });\n"
}

// TestWriteAndPropose shows the way of a test from its text to a branch (A16).
func TestWriteAndPropose(t *testing.T) {
	d, dir := newDraft(t)
	if _, err := d.Lint(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "no file was written") {
		t.Errorf("lint of nothing: %v", err)
	}
	w, err := d.Write(t.Context(), patched(spec, change(spec, "  await expect(page).toHaveTitle('Shop');", "  await expect(page).toHaveTitle('The shop');")))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(w.Diff, "+  await expect(page).toHaveTitle('The shop');") || len(w.SHA256) != 64 {
		t.Errorf("got %+v", w)
	}
	for path, text := range map[string]string{"tests/new/b.spec.ts": good, "test-plan/shop.md": "# Shop\n"} {
		if _, err := d.Write(t.Context(), content(path, text)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := d.Propose(t.Context(), workcopy.Proposal{Branch: "assay/1", Title: "Test the shop", Paths: []string{spec, "test-plan/shop.md"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(git(t, dir, "diff", "--name-only", "main", "assay/1")); strings.Join(got, " ") != "test-plan/shop.md tests/shop.spec.ts" {
		t.Errorf("the branch changes %v", got)
	}
	if p.Commit == "" || strings.TrimSpace(git(t, dir, "status", "--porcelain")) != "" {
		t.Error("the user's folder has changed")
	}
}

// TestRefusedIsNotWritten shows that the copy keeps what it had when a change is
// refused: by its path, its form, its code, or the secret in it (A16).
func TestRefusedIsNotWritten(t *testing.T) {
	d, _ := newDraft(t)
	w, err := d.Write(t.Context(), content(spec, good+"// a\n"))
	if err != nil {
		t.Fatal(err)
	}
	line := "  await expect(page).toHaveTitle('Shop');"
	for name, c := range map[string]struct {
		change draft.Change
		says   string
	}{
		"neither":              {draft.Change{Path: spec}, "not both"},
		"path":                 {content("playwright.config.ts", good), "below tests/"},
		"code":                 {content(spec, good+"process.exit(0);\n"), "line 7:"},
		"code by a patch":      {patched(spec, change(spec, line, "  await page.waitForTimeout(5000);")), "waitForTimeout"},
		"weaker by a patch":    {patched(spec, change(spec, line, "  await expect.soft(page).toHaveTitle('Shop');")), "soft"},
		"last expectation":     {patched(spec, change(spec, line, "  await page.title();")), "can't fail"},
		"secret":               {content(spec, strings.Replace(good, "Shop", "hunter2", 1)), "secret"},
		"secret in a plan":     {content("test-plan/a.md", "hunter2"), "secret"},
		"emptied":              {content(spec, " \n"), "empty"},
		"no text":              {content("test-plan/a.md", "\xff"), "UTF-8"},
		"patch that misses":    {patched(spec, change(spec, "other", "x")), "does not fit"},
		"patch of another":     {patched(spec, change("tests/b.spec.ts", line, "x")), "no other file"},
		"patch of what is not": {patched("tests/b.spec.ts", change("tests/b.spec.ts", line, "x")), "is not there"},
		"making what is there": {patched(spec, "diff --git a/"+spec+" b/"+spec+"\nnew file mode 100644\n--- /dev/null\n+++ b/"+spec+"\n@@ -0,0 +1,1 @@\n+x\n"), "is there already"},
		"a patch's secret":     {patched(spec, change(spec, line, "  await expect(page).toHaveTitle('hunter2');")), "secret"},
	} {
		if out, err := d.Write(t.Context(), c.change); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %+v, %v, without %q", name, out, err, c.says)
		}
	}
	again, err := d.Write(t.Context(), content(spec, good+"// a\n"))
	if err != nil || again.Diff != w.Diff {
		t.Errorf("the file changed meanwhile: %v\n%s", err, again.Diff)
	}
	for _, p := range []workcopy.Proposal{{Branch: "assay/hunter2", Title: "a"}, {Branch: "assay/a", Title: "hunter2"}, {Branch: "assay/a", Title: "a", Body: "hunter2"}} {
		if _, err := d.Propose(t.Context(), p); err == nil || !strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v", p, err)
		}
	}
	if _, err := d.Lint(t.Context(), []string{"tests/b.spec.ts"}); err == nil || !strings.Contains(err.Error(), "was not written") {
		t.Errorf("lint of another file: %v", err)
	}
	var missing *driver.InstallError
	if _, err := d.Lint(t.Context(), nil); !errors.As(err, &missing) || missing.Remedy != "assay install --test-runner" {
		t.Errorf("without the test runner: %v", err)
	}
}

// TestLintFormatsAndJudges runs the pinned prettier and eslint, where they are installed (A16).
func TestLintFormatsAndJudges(t *testing.T) {
	runner := browsertest.TestRunner(t)
	d, _ := newDraft(t)
	d.TestRunner = func(context.Context) (driver.TestRunner, error) { return runner, nil }
	ugly := strings.ReplaceAll(strings.ReplaceAll(good, "'", `"`), "  await expect", "      /* eslint-disable */ await page.waitForLoadState(\"networkidle\"); await expect")
	for path, text := range map[string]string{spec: ugly, "tests/fine.spec.ts": good, "test-plan/a.md": "*  a\n"} {
		if _, err := d.Write(t.Context(), content(path, text)); err != nil {
			t.Fatal(err)
		}
	}
	out, err := d.Lint(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(out.Changed, " ") != "test-plan/a.md "+spec {
		t.Errorf("formatted: %v", out.Changed)
	}
	if len(out.Problems) != 1 || out.Problems[0].Path != spec || out.Problems[0].Rule != "playwright/no-networkidle" || out.Problems[0].Line != 5 {
		t.Errorf("problems: %+v", out.Problems)
	}
	if again, err := d.Lint(t.Context(), nil); err != nil || len(again.Changed) > 0 {
		t.Errorf("a second time: %+v, %v", again, err)
	}
}
