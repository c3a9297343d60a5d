package laws_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

const playwright = "github.com/mxschmitt/playwright-go"

// playwrightInSignatures finds Playwright's types in what browser exports.
func playwrightInSignatures(t tree) []breach {
	const why = "whoever holds a Playwright value can call it around the bridge, and hang"
	var out []breach
	for _, f := range t.product() {
		qualifier := f.qualifier(playwright)
		for _, d := range f.syntax.Decls {
			for _, part := range exportedParts(d) {
				ast.Inspect(part, func(n ast.Node) bool {
					if name, ok := uses(n, qualifier); ok {
						out = append(out, t.breach(f, n, why, "an exported signature mentions %s.%s", qualifier, name))
					}
					return true
				})
			}
		}
	}
	return out
}

// exportedParts returns what other packages see of a declaration.
func exportedParts(d ast.Decl) []ast.Node {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || receiver(d).IsExported()) {
			return []ast.Node{d.Type}
		}
	case *ast.GenDecl:
		var parts []ast.Node
		for _, spec := range d.Specs {
			parts = append(parts, exportedSpec(spec)...)
		}
		return parts
	}
	return nil
}

func exportedSpec(spec ast.Spec) []ast.Node {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		if slices.ContainsFunc(s.Names, (*ast.Ident).IsExported) {
			return []ast.Node{s}
		}
	case *ast.TypeSpec:
		if !s.Name.IsExported() {
			return nil
		}
		fields, ok := s.Type.(*ast.StructType)
		if !ok {
			return []ast.Node{s}
		}
		var parts []ast.Node
		for _, field := range fields.Fields.List {
			if len(field.Names) == 0 || slices.ContainsFunc(field.Names, (*ast.Ident).IsExported) {
				parts = append(parts, field.Type)
			}
		}
		return parts
	}
	return nil
}

// receiver is the name of a method's type.
func receiver(d *ast.FuncDecl) *ast.Ident {
	e := d.Recv.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		default:
			return ast.NewIdent("_")
		}
	}
}

func packageDocs(t tree) []breach {
	const why = "a room is understood by its duty and by what it refuses; one place says both"
	var out []breach
	for folder, files := range t.byRoom() {
		docs := 0
		for _, f := range files {
			if f.syntax.Doc == nil {
				continue
			}
			if docs++; docs > 1 {
				out = append(out, t.breach(f, f.syntax.Doc, why, "%s has a second doc comment", folder))
			}
		}
		if docs == 0 {
			out = append(out, t.breach(files[0], files[0].syntax.Name, why, "%s has no doc comment", folder))
		}
	}
	return out
}

func vagueNames(t tree) []breach {
	vague := []string{"util", "utils", "helper", "helpers", "common", "misc", "shared", "lib"}
	var out []breach
	for _, f := range t.files {
		if name := f.syntax.Name; slices.Contains(vague, name.Name) {
			out = append(out, t.breach(f, name, "such a package collects whatever has no home; put the code beside its user", "package %s", name.Name))
		}
	}
	return out
}

// The sizes are a little above what CONTRIBUTING.md asks for: this is where a
// reviewer stops arguing, not what to aim at.
const (
	maxFunctionLines = 80
	maxPackageFiles  = 45
	maxTypeFiles     = 8
)

// longFunctions finds functions that no screen shows at once.
func longFunctions(t tree) []breach {
	var out []breach
	for _, f := range t.product() {
		for _, d := range f.syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && t.line(fn.End())-t.line(fn.Pos())+1 > maxFunctionLines {
				out = append(out, t.breach(f, fn, "a function fits on a screen; name its parts", "func %s has more than %d lines", fn.Name.Name, maxFunctionLines))
			}
		}
	}
	return out
}

// largePackages finds packages with too many files.
func largePackages(t tree) []breach {
	var out []breach
	for room, files := range t.byRoom() {
		if len(files) > maxPackageFiles {
			out = append(out, t.breach(files[0], files[0].syntax.Name, "a reader holds the files of a package in the head: move a duty to a room of its own",
				"package %s has %d files, more than %d", room, len(files), maxPackageFiles))
		}
	}
	return out
}

// wideLines finds lines that no screen shows whole. Tests and benchmarks are left alone:
// their tables are read a cell at a time.
func wideLines(t tree) []breach {
	var out []breach
	for _, f := range t.product() {
		if f.room() == "bench" || strings.HasPrefix(f.room(), "bench/") {
			continue
		}
		for _, line := range f.wide {
			out = append(out, breach{f.path, line, "more than 200 columns", "nobody reads to its end: break it, or put data into a file"})
		}
	}
	return out
}

// scatteredTypes finds types whose methods lie in too many files.
func scatteredTypes(t tree) []breach {
	files := map[string]map[string]bool{} // by type
	var out []breach
	for _, f := range t.product() {
		for _, d := range f.syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			name := f.room() + "." + receiver(fn).Name
			if files[name] == nil {
				files[name] = map[string]bool{}
			}
			if files[name][f.path] {
				continue
			}
			files[name][f.path] = true
			if len(files[name]) == maxTypeFiles+1 {
				out = append(out, t.breach(f, fn, "a type whose methods lie in many files is several types: give each duty a type, or its files one duty",
					"the methods of type %s lie in more than %d files", name, maxTypeFiles))
			}
		}
	}
	return out
}

func (t tree) line(p token.Pos) int { return t.fset.Position(p).Line }

func sleepingTests(t tree) []breach {
	var out []breach
	for _, f := range t.files {
		qualifier := f.qualifier("time")
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if name, ok := uses(n, qualifier); ok && name == "Sleep" {
				out = append(out, t.breach(f, n, "a fixed wait is too long on a fast machine and too short on a slow one: wait for what was caused", "time.Sleep"))
			}
			return true
		})
	}
	return out
}
