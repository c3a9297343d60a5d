package laws_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// modulePath is what our own import paths start with.
const modulePath = "github.com/assay-qa/assay"

// tree is the module's source, read and parsed but not compiled, so that a
// law can be asked about code that doesn't build, and about code that is only
// in a test's memory.
type tree struct {
	fset    *token.FileSet
	files   []goFile
	scripts []script
	lists   map[string]string // the text of each .txt file
}

// script is a file that is run, and is not Go.
type script struct {
	path, text string
}

// goFile is one parsed file.
type goFile struct {
	path   string // from the module's root, with slashes
	syntax *ast.File
	wide   []int // lines of more than maxColumns columns
}

func (f goFile) room() string { return path.Dir(f.path) }
func (f goFile) test() bool   { return strings.HasSuffix(f.path, "_test.go") }

// readTree parses every Go file below the root that the go command would.
func readTree(root fs.FS) (tree, error) {
	t := tree{fset: token.NewFileSet(), lists: map[string]string{}}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && d.Name() != ".ci" && ignoredByGo(d.Name()):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" && path.Ext(name) != ".txt" && !isScript(name):
			return nil
		}
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		if isScript(name) {
			t.scripts = append(t.scripts, script{path: name, text: string(source)})
			return nil
		}
		if path.Ext(name) == ".txt" {
			t.lists[name] = string(source)
			return nil
		}
		syntax, err := parser.ParseFile(t.fset, name, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		t.files = append(t.files, goFile{path: name, syntax: syntax, wide: t.wideLines(syntax, string(source))})
		return nil
	})
	return t, err
}

// maxColumns bounds a line of Go; a tab counts as four.
const maxColumns = 200

// wideLines returns the lines of a file that are too wide, but those that belong to a text
// of several lines and those with a tag of a field: these can't be broken.
func (t tree) wideLines(syntax *ast.File, source string) []int {
	whole := map[int]bool{}
	ast.Inspect(syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			for line := t.fset.Position(n.Pos()).Line; n.Kind == token.STRING && line < t.fset.Position(n.End()).Line; line++ {
				whole[line], whole[line+1] = true, true
			}
		case *ast.Field:
			if n.Tag != nil {
				whole[t.fset.Position(n.Tag.Pos()).Line] = true
			}
		}
		return true
	})
	var out []int
	n := 0
	for line := range strings.Lines(source) {
		n++
		if !whole[n] && utf8.RuneCountInString(strings.TrimRight(line, "\n"))+3*strings.Count(line, "\t") > maxColumns {
			out = append(out, n)
		}
	}
	return out
}

func isScript(name string) bool {
	return slices.Contains([]string{".js", ".mjs", ".cjs", ".ts", ".py", ".sh", ".mod", ".mk"}, path.Ext(name)) || slices.Contains([]string{"Makefile", "package.json", "run"}, path.Base(name))
}

func ignoredByGo(folder string) bool {
	return folder == "testdata" || folder == "node_modules" || strings.HasPrefix(folder, ".") || strings.HasPrefix(folder, "_")
}

// product returns the files that end up in a binary, so no tests.
func (t tree) product() []goFile {
	return slices.DeleteFunc(slices.Clone(t.files), goFile.test)
}

// byRoom groups the product's files by their folder.
func (t tree) byRoom() map[string][]goFile {
	rooms := map[string][]goFile{}
	for _, f := range t.product() {
		rooms[f.room()] = append(rooms[f.room()], f)
	}
	return rooms
}

// breach is a place where a law is broken.
type breach struct {
	file string
	line int
	what string // names the thing, without a position, so that an exception can name it
	why  string // the law's reason, which is what the reader of a failure needs
}

func (b breach) String() string {
	return fmt.Sprintf("%s:%d: %s\n\twhy: %s", b.file, b.line, b.what, b.why)
}

func (t tree) breach(f goFile, at ast.Node, why, format string, args ...any) breach {
	return breach{file: f.path, line: t.fset.Position(at.Pos()).Line, what: fmt.Sprintf(format, args...), why: why}
}

// importPath returns the path that an import names. The parser has checked the quotes.
func importPath(s *ast.ImportSpec) string {
	p, _ := strconv.Unquote(s.Path.Value)
	return p
}

// qualifier returns the name by which the file calls the package, or "" when
// it doesn't import it.
func (f goFile) qualifier(pkg string) string {
	for _, spec := range f.syntax.Imports {
		switch {
		case importPath(spec) != pkg:
		case spec.Name != nil:
			return spec.Name.Name
		default:
			return strings.TrimSuffix(path.Base(pkg), "-go") // as in playwright-go
		}
	}
	return ""
}

// uses reports whether the node is a use of pkg.name, given the package's
// qualifier, and returns the name.
func uses(n ast.Node, qualifier string) (name string, ok bool) {
	sel, isSelector := n.(*ast.SelectorExpr)
	if !isSelector || qualifier == "" {
		return "", false
	}
	x, isIdent := sel.X.(*ast.Ident)
	return sel.Sel.Name, isIdent && x.Name == qualifier
}
