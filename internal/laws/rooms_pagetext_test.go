package laws_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const pagetextPath = modulePath + "/internal/pagetext"

// pageWordsWhy is the reason of the law.
const pageWordsWhy = "the page's words have a type so that nobody prints them by mistake: hand on the pagetext.Text, make sentences with pagetext.Sprintf, and print through an escaping writer"

// escapingWriters says which rooms may turn the page's words into a string, and how.
func escapingWriters() map[string][]string {
	return map[string][]string{
		"Terminal":     {"cmd/assay", "internal/terminal"},
		"Visible":      {"internal/terminal", "evidence/report", "suite/publish"},
		"Markdown":     {"author/plan", "evidence/report"},
		"MarkdownCode": {"evidence/report"},

		"MarkdownExact": {"author/plan"}, "MarkdownAddress": {"author/plan"}, "MarkdownSpan": {"author/plan"}, "MarkdownQuoted": {"author/plan"},

		"Line": {"browser", "browser/explain", "tools/engine", "qa/flow", "author/explore", // strings of errors
			"tools/rules", "suite/runner", "cmd/assay", // problems of a person's own files, flags and addresses
			"tools/kpicheck"}, // facts of figures, which its records type as the page's

		"Marked": {"tools/tool", "agent", "author/loop"},
		"Apart":  {"tools/tool", "agent", "author/loop"},
	}
}

// takesPageWords lists the functions whose "...any" may be given the page's words: what
// they make is the page's too, is marked, or is escaped.
func takesPageWords() []string {
	return []string{
		pagetextPath + ".Sprintf", pagetextPath + ".Sentencef", pagetextPath + ".Apart",
		modulePath + "/browser/explain.Invalid", modulePath + "/tools/engine.InvalidInput", modulePath + "/tools/kpicheck.OracleFailed", "(*" + modulePath + "/tools/visualcheck.Check).note",
		modulePath + "/agent.refusal", modulePath + "/author/loop.refused",
		"(*" + modulePath + "/tools/tool.Call).Say", "(*" + modulePath + "/tools/tool.Call).Quote",
		"(*log/slog.Logger).Debug", "(*log/slog.Logger).Info", "(*log/slog.Logger).Warn", "(*log/slog.Logger).Error", // its handlers quote
	}
}

// listed is what `go list` says of a package.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles, Deps           []string
	Standard                bool
}

// listPackages lists the tree's packages and what they are made of, with the files of
// their types.
func listPackages() ([]listed, error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Deps,Standard", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// pageWords finds where the page's words leave their type. It knows the types of the
// whole tree, as an expression doesn't show whose words it holds.
type pageWords struct {
	fset *token.FileSet
	imp  types.Importer
	seen map[types.Type]bool // whether a type holds the page's words
}

func newPageWords(all []listed) *pageWords {
	exports := map[string]string{}
	for _, p := range all {
		exports[p.ImportPath] = p.Export
	}
	w := &pageWords{fset: token.NewFileSet(), seen: map[types.Type]bool{}}
	w.imp = importer.ForCompiler(w.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	return w
}

// check returns the breaches in the files of a package.
func (w *pageWords) check(path, room string, files []*ast.File) ([]breach, error) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	if _, err := (&types.Config{Importer: w.imp}).Check(path, w.fset, files, info); err != nil {
		return nil, err
	}
	var out []breach
	for _, f := range files {
		v := &pageWordsVisitor{pageWords: w, info: info, room: room}
		ast.Inspect(f, func(n ast.Node) bool { v.visit(n); return true })
		out = append(out, v.found...)
	}
	return out, nil
}

// isText reports whether a type is the page's words, or a sentence that quotes them.
func isText(t types.Type) bool { return isPagetext(t, "Text") || isSentence(t) }

func isSentence(t types.Type) bool { return isPagetext(t, "Sentence") }

func isPagetext(t types.Type, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == pagetextPath
}

// holds reports whether values of a type show the page's words when they are printed. A
// type that prints itself has its words from its own method.
func (w *pageWords) holds(t types.Type) bool {
	if known, ok := w.seen[t]; ok {
		return known
	}
	w.seen[t] = false // while a type that holds itself is looked at
	held := w.look(t)
	w.seen[t] = held
	return held
}

func (w *pageWords) look(t types.Type) bool {
	if isText(t) {
		return true
	}
	if printsItself(t) || printsItself(types.NewPointer(t)) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return w.holds(u.Elem())
	case *types.Slice:
		return w.holds(u.Elem())
	case *types.Array:
		return w.holds(u.Elem())
	case *types.Map:
		return w.holds(u.Key()) || w.holds(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if w.holds(u.Field(i).Type()) {
				return true
			}
		}
	}
	return false
}

func printsItself(t types.Type) bool {
	methods := types.NewMethodSet(t)
	for _, name := range []string{"Error", "String"} {
		if m := methods.Lookup(nil, name); m != nil {
			if s, ok := m.Type().(*types.Signature); ok && s.Params().Len() == 0 && s.Results().Len() == 1 {
				return true
			}
		}
	}
	return false
}

// pageWordsVisitor looks at one file.
type pageWordsVisitor struct {
	*pageWords
	info  *types.Info
	room  string
	found []breach
}

func (v *pageWordsVisitor) add(at ast.Node, format string, args ...any) {
	p := v.fset.Position(at.Pos())
	name := filepath.ToSlash(filepath.Join(v.room, filepath.Base(p.Filename)))
	v.found = append(v.found, breach{file: name, line: p.Line, what: fmt.Sprintf(format, args...), why: pageWordsWhy})
}

func (v *pageWordsVisitor) visit(n ast.Node) {
	switch n := n.(type) {
	case *ast.Ident:
		v.writer(n)
		v.instance(n)
	case *ast.CallExpr:
		if to, ok := v.info.Types[n.Fun]; ok && to.IsType() {
			v.conversion(n, to.Type)
			return
		}
		v.printed(n)
		v.lent(n)
	}
}

// conversion finds what makes other strings or bytes of the page's words, and what makes
// a sentence of ours of words whose writer nobody knows.
func (v *pageWordsVisitor) conversion(call *ast.CallExpr, to types.Type) {
	from := v.info.Types[call.Args[0]]
	if from.Value == nil && from.Type != nil && isSentence(to) && !isSentence(from.Type) {
		v.add(call, "%s(%s)", types.ExprString(call.Fun), types.ExprString(call.Args[0]))
		return
	}
	if from.Value != nil || from.Type == nil || !isText(from.Type) || isText(to) && !isSentence(from.Type) || isSentence(from.Type) && isSentence(to) || types.IsInterface(to) {
		return
	}
	v.add(call, "%s(%s)", types.ExprString(call.Fun), types.ExprString(call.Args[0]))
}

// printed finds the page's words among the arguments of what formats them.
func (v *pageWordsVisitor) printed(call *ast.CallExpr) {
	s, ok := v.info.Types[call.Fun].Type.(*types.Signature)
	if !ok || !s.Variadic() {
		return
	}
	last := s.Params().Len() - 1
	element, ok := s.Params().At(last).Type().(*types.Slice)
	if !ok || !types.IsInterface(element.Elem()) {
		return
	}
	name := v.callee(call)
	if slices.Contains(takesPageWords(), name) || strings.HasPrefix(name, "fmt.Fp") && slices.Contains(escapingWriters()["Terminal"], v.room) {
		return
	}
	for _, arg := range call.Args[min(last, len(call.Args)):] {
		if t := v.info.Types[arg].Type; t != nil && v.holds(t) {
			v.add(arg, "%s is given %s", name, types.ExprString(arg))
		}
	}
}

// callee names what is called.
func (v *pageWordsVisitor) callee(call *ast.CallExpr) string {
	fun := ast.Unparen(call.Fun)
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	var id *ast.Ident
	switch f := fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return types.ExprString(call.Fun)
	}
	if f, ok := v.info.Uses[id].(*types.Func); ok {
		return f.FullName()
	}
	return id.Name
}

// writer finds uses of an escaping writer in a room that writes nothing of that kind.
func (v *pageWordsVisitor) writer(id *ast.Ident) {
	f, ok := v.info.Uses[id].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != pagetextPath {
		return
	}
	if rooms, ok := escapingWriters()[f.Name()]; ok && !slices.Contains(rooms, v.room) {
		v.add(id, "pagetext.%s outside of %s", f.Name(), strings.Join(rooms, " and "))
	}
}

// instance finds generic functions of ours that are given the page's words: within them
// nobody knows whose they are.
func (v *pageWordsVisitor) instance(id *ast.Ident) {
	use, ok := v.info.Instances[id]
	f, isFunc := v.info.Uses[id].(*types.Func)
	if !ok || !isFunc || f.Pkg().Path() == pagetextPath || !strings.HasPrefix(f.Pkg().Path(), modulePath) && f.Pkg().Path() != "broken" {
		return
	}
	for i := range use.TypeArgs.Len() {
		if isText(use.TypeArgs.At(i)) && !escapes(f) {
			v.add(id, "%s is made for the page's words", f.FullName())
		}
	}
}

// escapes reports whether a generic function of a room of escaping writers is one.
func escapes(f *types.Func) bool {
	return slices.Contains(map[string][]string{
		"evidence/report":  {"text", "whole", "folded", "fragment", "newValue", "mdText", "mdCode", "visible", "plainOutput", "has", "holdsWhole", "joinLines"},
		"suite/publish":    {"escape"},
		"tools/engine":     {"OneLine"}, // it returns what it was given, as does Listed
		"browser/eventlog": {"Listed"},
	}[strings.TrimPrefix(f.Pkg().Path(), modulePath+"/")], f.Name())
}

// lent finds functions and patterns made on the spot that are lent the plain words, since
// they could keep them.
func (v *pageWordsVisitor) lent(call *ast.CallExpr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || len(call.Args) != 1 {
		return
	}
	f, ok := v.info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != pagetextPath {
		return
	}
	switch t := v.info.Types[call.Args[0]].Type; f.Name() {
	case "Map":
		if _, literal := ast.Unparen(call.Args[0]).(*ast.FuncLit); literal {
			v.add(call, "Map is given a function without a name")
		}
	case "Matches":
		if name := t.String(); name != "*regexp.Regexp" && name != "*"+modulePath+"/internal/pattern.Pattern" {
			v.add(call, "Matches is given a %s", name)
		}
	}
}

// pageWordsGranted are the places outside of the writers where the page's words become a
// string, by breach, with the reason.
func pageWordsGranted() map[string]string {
	return map[string]string{
		"tools/assertion/observe.go: fmt.Sprintf is given h.Failed":                      "what came instead is a fact, which qa types when it is observed",
		"agent/event.go: append is given e.Reason":                                       "it goes to the logger, whose handlers quote",
		"evidence/verify/report_contents.go: contradicted is given again.Reason":         "a fault quotes it with %q, for a person's terminal",
		"author/admit/admit.go: string(is.Title)":                                        "what a page's title is becomes what a test expects; a test file quotes it as JavaScript does",
		"author/admit/admit.go: string(was.Title)":                                       "it is compared with the one after",
		"author/admit/page.go: string(state.Title)":                                      "it is compared with what a test expects",
		"qa/assertion_types.go: string(o.Title)":                                         "it is compared with what an assertion expects",
		"tools/tool/answer.go: string(pagetext.Join(e.Lines(\", which is \"), \" | \"))": "a field of the structured answer; its text has them between the marks",
		"tools/flows/call.go: string(o.Observed)":                                        "why a figure can't be compared is a string; answers quote it",
		"tools/tool/call.go: string(in.Detail)":                                          "what a budget's interruption says are numbers of ours",
	}
}

// TestPageWordsKeepTheirType: no room but the escaping writers makes a string of the
// page's words.
func TestPageWordsKeepTheirType(t *testing.T) {
	t.Parallel()
	all, err := listPackages()
	if err != nil {
		t.Fatal(err)
	}
	w := newPageWords(all)
	checked, unused := 0, pageWordsGranted()
	for _, p := range all {
		room := strings.TrimPrefix(p.ImportPath, modulePath+"/")
		if p.Standard || room == p.ImportPath || strings.HasPrefix(room, "bench/") || // a benchmark prints for who runs it
			!slices.Contains(p.Deps, pagetextPath) {
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(w.fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		found, err := w.check(p.ImportPath, room, files)
		if err != nil {
			t.Fatalf("types of %s: %v", room, err)
		}
		checked++
		for _, b := range found {
			key := b.file + ": " + b.what
			if _, ok := pageWordsGranted()[key]; ok {
				delete(unused, key)
				continue
			}
			t.Error(b)
		}
	}
	if checked < 5 {
		t.Fatalf("only %d rooms know the page's words: the law would pass on nothing", checked)
	}
	for key := range unused {
		t.Errorf("the exception %q is not needed any more: remove it", key)
	}
	t.Run("can fail", func(t *testing.T) { pageWordsCanFail(t, w) })
}

// pageWordsCanFail breaks the law with sources of a few lines, and shows beside them what
// it leaves alone.
func pageWordsCanFail(t *testing.T, w *pageWords) {
	for _, c := range []struct{ name, body, want string }{
		{"a conversion", `func f(t pagetext.Text) string { return string(t) }`, "string(t)"},
		{"to bytes", `func f(t pagetext.Text) []byte { return []byte(t) }`, "[]byte(t)"},
		{"to another string", `type own string; func f(t pagetext.Text) own { return own(t) }`, "own(t)"},
		{"a sentence's bare words", `func f(s pagetext.Sentence) pagetext.Text { return pagetext.Text(s) }`, "pagetext.Text(s)"},
		{"a sentence as a string", `func f(s pagetext.Sentence) string { return string(s) }`, "string(s)"},
		{"another's words as a sentence of ours", `func f(said string) pagetext.Sentence { return "it says " + pagetext.Sentence(said) }`, "pagetext.Sentence(said)"},
		{"the page's words as a sentence of ours", `func f(t pagetext.Text) pagetext.Sentence { return pagetext.Sentence(t) }`, "pagetext.Sentence(t)"},
		{"a sentence formatted", `func f(s pagetext.Sentence) string { return fmt.Sprintf("%s", s) }`, "fmt.Sprintf is given s"},
		{"a sentence's line", `func f(s pagetext.Sentence) string { return s.Line() }`, "pagetext.Line outside of"},
		{"through any generic function", `func f[T any](v T) string { return fmt.Sprint(v) }; var g = f[pagetext.Text]`, "f is made for the page's words"},
		{"through a generic function", `func f[S ~string](s S) int { return len(s) }; func g(t pagetext.Text) int { return f(t) }`, "f is made for the page's words"},
		{"formatted", `func f(t pagetext.Text) string { return fmt.Sprintf("%s", t) }`, "fmt.Sprintf is given t"},
		{"formatted within a value", `type s struct{ a []pagetext.Text }; func f(v *s) string { return fmt.Sprint(v) }`, "fmt.Sprint is given v"},
		{"in an error", `func f(t pagetext.Text) error { return fmt.Errorf("it says %q", t) }`, "fmt.Errorf is given t"},
		{"through what formats", `func say(format string, args ...any) string { return fmt.Sprintf(format, args...) }; func f(t pagetext.Text) string { return say("%s", t) }`, "say is given t"},
		{"another writer's escaping", `func f(t pagetext.Text) string { return pagetext.Terminal(t) }`, "pagetext.Terminal outside of"},
		{"an escaping as a value", `func f() any { return pagetext.Markdown }`, "pagetext.Markdown outside of"},
		{"taken in passing", `func f(t pagetext.Text) (s string) { t.Map(func(words string) string { s = words; return "" }); return s }`, "Map is given a function without a name"},
		{"taken by a pattern", `type thief struct{ s string }; func (t *thief) MatchString(s string) bool { t.s = s; return true }; func f(t pagetext.Text) bool { return t.Matches(&thief{}) }`, "Matches is given a"},
		{"what is right", `type e struct{ t pagetext.Text }; func (e e) Error() string { return "e" }
			func f(t pagetext.Text, v e) error { _ = pagetext.Sprintf("it says %q", t); _ = t.Contains("x") || t == "y"; _ = pagetext.Text("z") + t; _ = t.Map(strings.ToUpper); _ = "it says " + pagetext.Sentencef("%s", t) + pagetext.Quoted(t); return fmt.Errorf("%w", v) }`, ""},
	} {
		source := "package broken\nimport (\"fmt\"; \"strings\"; \"" + pagetextPath + "\")\nvar _ = fmt.Sprint\nvar _ = strings.ToUpper\nvar _ pagetext.Text\n" + c.body
		f, err := parser.ParseFile(w.fset, "broken.go", source, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		found, err := w.check("broken", "broken", []*ast.File{f})
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want == "" && len(found) > 0:
			t.Errorf("%s: refused what is right: %v", c.name, found)
		case c.want != "" && (len(found) != 1 || !strings.Contains(found[0].what, c.want)):
			t.Errorf("%s: got %v, want %s", c.name, found, c.want)
		}
	}
}
