package laws_test

import (
	"go/ast"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// findingCodes are the codes that evidence/verify can give, by where they stand.
func findingCodes(t tree) map[string]string {
	codes := map[string]string{}
	note := func(f goFile, e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok {
			if code, err := strconv.Unquote(lit.Value); err == nil {
				codes[code] = f.path
			}
		}
	}
	argument := map[string]int{"fault": 0, "unseen": 0, "note": 0, "same": 0, "entryFault": 1, "keyFinding": 1} // where the code is
	for _, f := range t.product() {
		if f.room() != "evidence/verify" {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Code" {
					note(f, n.Value)
				}
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					if field, ok := to.(*ast.SelectorExpr); ok && field.Sel.Name == "Code" && i < len(n.Rhs) {
						note(f, n.Rhs[i])
					}
				}
			case *ast.CallExpr:
				if call, ok := n.Fun.(*ast.SelectorExpr); ok {
					if i, known := argument[call.Sel.Name]; known && i < len(n.Args) {
						note(f, n.Args[i])
					}
				}
			}
			return true
		})
	}
	return codes
}

// TestFindingsAreExplained: docs/evidence.md has every code that a verification
// can give, and no other (B8).
func TestFindingsAreExplained(t *testing.T) {
	source, err := readTree(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	codes := findingCodes(source)
	if len(codes) < 40 {
		t.Fatalf("only %d codes found: the law would pass on nothing", len(codes))
	}
	doc, err := os.ReadFile("docs/evidence.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| (`[^|]*`) \\| (?:fault|unseen|note)").FindAllSubmatch(doc, -1)
	told := map[string]bool{}
	for _, row := range rows {
		for _, code := range regexp.MustCompile("`([a-z-]+)`").FindAllSubmatch(row[1], -1) {
			told[string(code[1])] = true
		}
	}
	for code, file := range codes {
		if !told[code] {
			t.Errorf("%s gives %q, and docs/evidence.md doesn't say what it means", file, code)
		}
	}
	for code := range told {
		if codes[code] == "" {
			t.Errorf("docs/evidence.md explains %q, which no verification gives", code)
		}
	}
}

// TestCodesHaveOneTable: an error code stands as a text in qa/code/code.go alone, so
// that two rooms can't spell it in two ways.
func TestCodesHaveOneTable(t *testing.T) {
	source, err := readTree(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	const table = "qa/code/code.go"
	texts := func(f goFile, each func(n ast.Node, text string)) {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					each(n, text)
				}
			}
			return true
		})
	}
	codes := map[string]bool{}
	for _, f := range source.product() {
		if f.path == table {
			texts(f, func(_ ast.Node, text string) { codes[text] = true })
		}
	}
	if len(codes) < 20 {
		t.Fatalf("only %d codes in %s: the law would pass on nothing", len(codes), table)
	}
	for _, f := range source.product() {
		if f.path == table {
			continue
		}
		texts(f, func(n ast.Node, text string) {
			if codes[text] {
				t.Error(source.breach(f, n, "use its constant in "+table, "%q", text))
			}
		})
	}
}

// TestThreatsAreTested: every test that docs/threat-model.md names as a proof is
// there (B8).
func TestThreatsAreTested(t *testing.T) {
	source, err := readTree(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	for _, f := range source.files {
		for _, d := range f.syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && f.test() {
				tests[f.room()+"."+fn.Name.Name] = true
			}
		}
	}
	doc, err := os.ReadFile("docs/threat-model.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`([a-z/]+)\\.(Test[A-Za-z0-9]+)`").FindAllSubmatch(doc, -1)
	if len(named) < 15 {
		t.Fatalf("only %d tests are named: what is said to be detected has to be proved", len(named))
	}
	for _, n := range named {
		if name := string(n[1]) + "." + string(n[2]); !tests[name] {
			t.Errorf("docs/threat-model.md names %s, which is no test", name)
		}
	}
}
