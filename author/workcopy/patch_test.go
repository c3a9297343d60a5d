package workcopy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-qa/assay/author/workcopy"
)

// changed is a patch of an existing file, with a line changed.
func changed(name string) string {
	return fmt.Sprintf("diff --git a/%[1]s b/%[1]s\nindex 1111111..2222222 100644\n--- a/%[1]s\n+++ b/%[1]s\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n", name)
}

// added is a patch that makes a file.
func added(name, mode string) string {
	return fmt.Sprintf("diff --git a/%[1]s b/%[1]s\nnew file mode %[2]s\nindex 0000000..2222222\n--- /dev/null\n+++ b/%[1]s\n@@ -0,0 +1,1 @@\n+one\n", name, mode)
}

func rules() workcopy.Rules { return workcopy.Rules{TestDir: "tests"} }

// TestGoodPatchesApply shows what a patch may do: change and add test files and plans (A16).
func TestGoodPatchesApply(t *testing.T) {
	text := changed("tests/a/login-1.spec.ts") + added("tests/b.test.mjs", "100644") + added("test-plan/shop.md", "100644")
	files, err := rules().Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 3 || files[0].Path != "tests/a/login-1.spec.ts" || files[0].New || !files[1].New {
		t.Fatalf("got %+v", files)
	}
	got, err := files[0].Apply([]byte("one\ntwo\n"))
	if err != nil || string(got) != "one\nthree\n" {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := files[1].Apply(nil); err != nil || string(got) != "one\n" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := files[0].Apply([]byte("one\nother\n")); err == nil {
		t.Error("a patch was applied to lines that are not there")
	}
	deep := workcopy.Rules{TestDir: "apps/web/e2e"}
	if err := deep.CheckPath("apps/web/e2e/x.spec.js"); err != nil {
		t.Error(err)
	}
}

// TestHostilePatchesAreRefused shows that no patch leaves the test folders, makes
// anything but regular text files, or reads differently than it says (A16).
func TestHostilePatchesAreRefused(t *testing.T) {
	all := hostilePatches()
	for name, text := range all {
		if files, err := rules().Parse(text); err == nil {
			t.Errorf("%s: accepted %+v:\n%s", name, files, text)
		} else if len(err.Error()) < 20 {
			t.Errorf("%s: says only %v", name, err)
		}
	}
	if len(all) < 100 {
		t.Errorf("only %d hostile patches", len(all))
	}
}

// hostilePaths lists places that are never written.
func hostilePaths() []string {
	return []string{
		"playwright.config.ts", "playwright.config.js", "tests/playwright.config.ts", "package.json", "package-lock.json", "tests/package.json", "tests/package-lock.json",
		"pnpm-lock.yaml", "yarn.lock", "tests/tsconfig.json", "tests/jsconfig.json", "tests/.npmrc", ".npmrc", ".yarnrc.yml", ".github/workflows/ci.yml", ".github/CODEOWNERS", ".gitlab-ci.yml",
		"Jenkinsfile", ".git/hooks/pre-commit", ".git/config", "tests/.git/config", "tests/.gitattributes", ".gitattributes", ".gitmodules", "tests/.gitignore", "tests/.env", ".env", ".mcp.json", "mcp.toml",
		".vscode/settings.json", ".husky/pre-commit", "Makefile", "src/app.ts", "src/app.spec.ts", "README.md", "tests/AGENTS.md", "test-plan/AGENTS.md", "test-plan/claude.md", "CLAUDE.md", "tests/README.md",
		"tests/helper.ts", "tests/global-setup.ts", "tests/index.js", "tests/a.spec.tsx", "tests/a.spec.cjs", "tests/a.spec.ts.snap", "tests/a.spec.ts/../../../x.spec.ts", "tests/data.json", "tests/run.sh",
		"tests/node_modules/@playwright/test/index.spec.js", "tests/Node_Modules/a.spec.js", "test-plan/package.json", "test-plan/a.md.exe", "test-plan/.a.md",
		"../x.spec.ts", "tests/../x.spec.ts", "tests/../../x.spec.ts", "tests/./x.spec.ts", "tests//x.spec.ts", "./tests/x.spec.ts", "/etc/x.spec.ts", "/tests/x.spec.ts", "//host/tests/x.spec.ts",
		"C:/tests/x.spec.ts", `C:\tests\x.spec.ts`, `tests\..\x.spec.ts`, `tests/..\..\x.spec.ts`, "tests/a:b.spec.ts", "tests/a.spec.ts::$DATA", "tests:x/a.spec.ts",
		"Tests/x.spec.ts", "TESTS/x.spec.ts", "tests /x.spec.ts", "tests./x.spec.ts", "tests/x.spec.ts.", "tests/x.spec.ts ", " tests/x.spec.ts", "tests/.x.spec.ts", "tests/-/.git/x.spec.ts",
		"tests/GIT~1/x.spec.ts", "tests/con.spec.ts", "tests/NUL/x.spec.ts", "tests/aux.test.js", "tests/com1.spec.ts", "tests/x\ty.spec.ts", "tests/x\u200b.spec.ts", "tests/\u202ex.spec.ts", "tests/x．spec.ts", "tests/ｘ.spec.ts",
		"te\u017fts/x.spec.ts", "tests/../tests/x.spec.ts", "tests/..", "tests", "tests/", "test", "testsx/a.spec.ts", "tests/" + strings.Repeat("a", 300) + ".spec.ts",
		"tests/*.spec.ts", "tests/$(id).spec.ts", "tests/a;b.spec.ts", "tests/a|b.spec.ts", "tests/`id`.spec.ts", "tests/%2e%2e/x.spec.ts", "~/tests/x.spec.ts", "tests/a\x00.spec.ts",
	}
}

func hostilePatches() map[string]string {
	const name = "tests/a.spec.ts"
	all := map[string]string{}
	for _, p := range hostilePaths() {
		all["change of "+p] = changed(p)
		all["making of "+p] = added(p, "100644")
	}
	head := "diff --git a/" + name + " b/" + name + "\n"
	body := "--- a/" + name + "\n+++ b/" + name + "\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"
	for what, text := range map[string]string{
		"a link":                        added(name, "120000"),
		"a submodule":                   added(name, "160000"),
		"a program":                     added(name, "100755"),
		"a folder":                      added(name, "040000"),
		"set-user-id":                   added(name, "104755"),
		"a mode":                        head + "old mode 100644\nnew mode 100755\n",
		"a mode and lines":              head + "old mode 100644\nnew mode 100755\nindex 1111111..2222222\n" + body,
		"a file to a link":              head + "old mode 100644\nnew mode 120000\nindex 1111111..2222222\n" + body,
		"lines of a link":               head + "index 1111111..2222222 120000\n" + body,
		"a deletion":                    head + "deleted file mode 100644\nindex 1111111..0000000\n--- a/" + name + "\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-one\n",
		"an empty deletion":             head + "deleted file mode 100644\nindex e69de29..0000000\n",
		"a rename":                      "diff --git a/" + name + " b/tests/b.spec.ts\nsimilarity index 100%\nrename from " + name + "\nrename to tests/b.spec.ts\n",
		"a rename out":                  "diff --git a/" + name + " b/src/b.ts\nsimilarity index 100%\nrename from " + name + "\nrename to src/b.ts\n",
		"a rename in":                   "diff --git a/package.json b/" + name + "\nsimilarity index 100%\nrename from package.json\nrename to " + name + "\n",
		"a copy":                        "diff --git a/.env b/" + name + "\nsimilarity index 100%\ncopy from .env\ncopy to " + name + "\n",
		"binary content":                head + "index 1111111..2222222 100644\nGIT binary patch\nliteral 4\nLcmZQzU|?Y60000300961\n\nliteral 0\nHcmV?d00001\n\n",
		"a binary difference":           head + "index 1111111..2222222 100644\nBinary files a/" + name + " and b/" + name + " differ\n",
		"an empty file":                 head + "new file mode 100644\nindex 0000000..e69de29\n",
		"no lines":                      head + "index 1111111..2222222 100644\n",
		"another name below":            head + "index 1111111..2222222 100644\n--- a/package.json\n+++ b/package.json\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n",
		"another new name below":        head + "index 1111111..2222222 100644\n--- a/" + name + "\n+++ b/package.json\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n",
		"a quoted name":                 "diff --git \"a/tests/\\056\\056/x.spec.ts\" \"b/tests/\\056\\056/x.spec.ts\"\n--- \"a/tests/\\056\\056/x.spec.ts\"\n+++ \"b/tests/\\056\\056/x.spec.ts\"\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n",
		"a hidden second file":          changed(name) + "--- a/package.json\n+++ b/package.json\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n",
		"a second file":                 changed(name) + changed("package.json"),
		"a mail around it":              "From: a\nSubject: b\n\n" + changed(name),
		"a script before it":            "rm -rf /\n" + changed(name),
		"a file twice":                  changed(name) + changed(name),
		"a file twice by case":          changed(name) + changed("tests/A.spec.ts"),
		"a header of another format":    "--- a/" + name + "\n+++ b/" + name + "\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n",
		"a combined difference":         "diff --cc " + name + "\nindex 1,2..3\n--- a/" + name + "\n+++ b/" + name + "\n@@@ -1,1 -1,1 +1,1 @@@\n++x\n",
		"a torn fragment":               head + "--- a/" + name + "\n+++ b/" + name + "\n@@ -1,9 +1,9 @@\n one\n",
		"a fragment without numbers":    head + "--- a/" + name + "\n+++ b/" + name + "\n@@ -a +b @@\n one\n",
		"numbers beyond all":            head + "--- a/" + name + "\n+++ b/" + name + "\n@@ -99999999999999999999,1 +1,1 @@\n-one\n+two\n",
		"nothing":                       "",
		"words":                         "please change the file",
		"a NUL":                         added(name, "100644") + "+\x00\n",
		"too many bytes":                added(name, "100644") + strings.Repeat("+x\n", 100_000),
		"too many files":                manyFiles(51),
		"a new file with an old":        head + "new file mode 100644\nindex 1111111..2222222\n" + body,
		"a new file from an old name":   "diff --git a/.env b/" + name + "\nnew file mode 100644\n--- a/.env\n+++ b/" + name + "\n@@ -0,0 +1,1 @@\n+one\n",
		"an absolute name":              "diff --git /etc/passwd /etc/passwd\n--- /etc/passwd\n+++ /etc/passwd\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n",
		"a name without its first part": "diff --git tests/a.spec.ts tests/a.spec.ts\n--- tests/a.spec.ts\n+++ tests/a.spec.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n",
	} {
		all[what] = text
	}
	return all
}

func manyFiles(n int) string {
	var all strings.Builder
	for i := range n {
		all.WriteString(added(fmt.Sprintf("tests/a%d.spec.ts", i), "100644"))
	}
	return all.String()
}

// TestTestFolderIsBelow shows that no configured folder opens the project itself.
func TestTestFolderIsBelow(t *testing.T) {
	for _, dir := range []string{"", ".", "..", "/", "/tests", "../tests", "tests/", ".github", "node_modules", "test-plan", "TEST-PLAN", `a\b`, "C:", "a/../b"} {
		if err := (workcopy.Rules{TestDir: dir}).Valid(); err == nil {
			t.Errorf("%q: accepted", dir)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range hostilePatches() {
		f.Add(text)
	}
	f.Add(changed("tests/a.spec.ts"))
	f.Fuzz(func(t *testing.T, text string) {
		files, err := rules().Parse(text)
		if err != nil {
			return
		}
		for _, file := range files {
			if !strings.HasPrefix(file.Path, "tests/") && !strings.HasPrefix(file.Path, "test-plan/") || strings.Contains(file.Path, "..") {
				t.Errorf("accepted %s", file.Path)
			}
			_, _ = file.Apply([]byte("one\ntwo\n"))
		}
	})
}
