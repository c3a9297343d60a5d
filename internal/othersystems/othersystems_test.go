package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What only one system has is found where it is used, in tests too; so is what a file of
// another system gets wrong. What each system has in its own way is fine.
func TestRun(t *testing.T) {
	fine := map[string]string{
		"go.mod":             "module example.test/m\n\ngo 1.26\n",
		"a/a.go":             "package a\n\nimport \"strings\"\n\nfunc A() string { return strings.ToUpper(own()) }\n",
		"a/own_windows.go":   "package a\n\nfunc own() string { return \"w\" }\n",
		"a/own_unix.go":      "//go:build unix\n\npackage a\n\nimport \"syscall\"\n\nfunc own() string { return syscall.Getenv2() }\n\nvar _ = syscall.Getpgid\n",
		"a/a_test.go":        "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { t.Log(A(), own()) }\n",
		"a/a_out_test.go":    "package a_test\n\nimport (\n\t\"testing\"\n\n\t\"example.test/m/a\"\n)\n\nfunc TestOut(t *testing.T) { t.Log(a.A()) }\n",
		"b/b.go":             "package b\n\nimport \"example.test/m/a\"\n\nfunc B() string { return a.A() }\n",
		"b/b_linux.go":       "package b\n\nimport \"syscall\"\n\nfunc onlyHere() { _ = syscall.Unshare(0) }\n\nvar _ = onlyHere\n",
		"b/b_linux_test.go":  "package b\n\nimport \"testing\"\n\nfunc TestHere(*testing.T) { onlyHere() }\n",
		"b/b_generic.go":     "package b\n\ntype pair[A, B any] struct {\n\ta A\n\tb B\n}\n\nvar _ = pair[int, string]{1, B()}\n",
		"main.go":            "package main\n\nimport \"example.test/m/b\"\n\nfunc main() { println(b.B()) }\n",
		"b/internal_test.go": "package b\n\nimport \"testing\"\n\nfunc TestInside(t *testing.T) { t.Log(B()) }\n",
	}
	fine["a/own_unix.go"] = strings.ReplaceAll(fine["a/own_unix.go"], "syscall.Getenv2()", "\"u\"")
	fine["c/c_linux.go"] = "package c\n\nimport \"example.test/m/none\"\n\nvar _ = none.X\n" // no file of it is built elsewhere
	dir := t.TempDir()
	write := func(file, text string) {
		path := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for file, text := range fine {
		write(file, text)
	}
	if err := run(t.Context(), dir, []string{"darwin", "windows"}, "./..."); err != nil {
		t.Errorf("nothing is wrong, and found was %v", err)
	}
	if err := run(t.Context(), dir, nil); err == nil {
		t.Error("without a system there is nothing to check")
	}

	faults := []struct{ file, text, says string }{
		{"b/use.go", "package b\n\nfunc use() { onlyHere() }\n\nvar _ = use\n", "use.go:3:14: undefined: onlyHere"},
		{"b/use_test.go", "package b\n\nimport \"testing\"\n\nfunc TestUse(*testing.T) { onlyHere() }\n", "use_test.go:5:28: undefined: onlyHere"},
		{"b/out_test.go", "package b_test\n\nimport (\n\t\"testing\"\n\n\t\"example.test/m/b\"\n)\n\nfunc TestOut(*testing.T) { b.OnlyHere() }\n", "undefined: b.OnlyHere"},
		{"a/more.go", "package a\n\nimport \"syscall\"\n\nvar _ = syscall.Unshare\n", "undefined: syscall.Unshare"},
		{"a/more_darwin.go", "package a\n\nimport \"os\"\n", `"os" imported and not used`},
		{"b/b_windows.go", "package b\n\nvar n int = B()\n", "cannot use B()"},
		{"a/more_windows.go", "package a\n\nfunc {\n", "more_windows.go:3:6: expected"},
		{"b/more.go", "package b\n\nimport \"example.test/m/none\"\n\nvar _ = none.X\n", "example.test/m/none"},
	}
	for _, f := range faults {
		write(f.file, f.text)
	}
	err := run(t.Context(), dir, []string{"darwin", "windows"}, "./...")
	if err == nil {
		t.Fatal("nothing is found")
	}
	for _, f := range faults {
		if !strings.Contains(err.Error(), f.says) {
			t.Errorf("%q in %s is not found:\n%v", f.says, f.file, err)
		}
	}
}
