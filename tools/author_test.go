package tools_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/author/script/scripttest"
	"github.com/assay-qa/assay/author/workcopy"
)

// TestAuthorToolsWriteAndPropose works the toolset author as a model would: a refused
// file, a good one, a proposal (A16).
func TestAuthorToolsWriteAndPropose(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	git("init", "-q", "-b", "main")
	git("add", "-A")
	git("commit", "-q", "-m", "first")

	d := offline(t)
	d.Sets = []string{"core", "author"}
	d.Draft = &draft.Draft{Project: workcopy.Options{Folder: dir, Cache: t.TempDir(), Environ: os.Environ(), Rules: workcopy.Rules{TestDir: "tests"}}, Prefix: "assay/", Mask: d.Mask, Reader: scripttest.Reader(t)}
	defer func() {
		if err := d.Draft.Close(); err != nil {
			t.Error(err)
		}
	}()
	body := "import { expect, test } from '@playwright/test';\n\ntest('t', async ({ page }) => {\n  await page.goto('/');\n  await expect(page).toHaveTitle('Shop');\n});\n"
	write := func(path, content string) answer {
		args, err := json.Marshal(map[string]string{"path": path, "content": content, "reason": "the shop has no test"})
		if err != nil {
			t.Fatal(err)
		}
		return d.raw("fs_write_patch", string(args))
	}
	if a := d.call("git_propose", `{"title": "Test the shop"}`); a.OK || a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.text, "no file was written") {
		t.Errorf("nothing written: %s", a.text)
	}
	if a := write("tests/a.spec.ts", body+"process.exit(0);\n"); a.OK || a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.text, "line 7:") {
		t.Errorf("a hostile file: %s", a.text)
	}
	if a := write("package.json", "{}"); a.OK || a.Error.Code != "INVALID_INPUT" {
		t.Errorf("a package file: %s", a.text)
	}
	if a := write("tests/a.spec.ts", body); !a.OK || !strings.Contains(a.text, "written: tests/a.spec.ts") {
		t.Fatalf("a good file: %s", a.text)
	}
	a := d.ok("git_propose", `{"title": "Test the shop"}`)
	if !strings.Contains(a.text, "branch assay/") || !strings.Contains(a.text, "not pushed") {
		t.Errorf("said %s", a.text)
	}
	branches := strings.Fields(git("branch", "--format=%(refname:short)"))
	if len(branches) != 2 || !strings.HasPrefix(branches[0], "assay/") || git("status", "--porcelain") != "" {
		t.Errorf("branches: %v", branches)
	}
	if got := git("show", branches[0]+":tests/a.spec.ts"); got != strings.TrimSpace(body) {
		t.Errorf("the branch holds:\n%s", got)
	}
}
