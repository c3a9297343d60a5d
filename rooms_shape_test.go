package assay_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
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

// ceiling is an exception from a bound on a shape: the figure of today, which may
// only fall, and why it is above the bound.
type ceiling struct {
	files int
	why   string
}

// packageCeilings are the packages with more than maxPackageFiles product files.
func packageCeilings() map[string]ceiling {
	return map[string]ceiling{}
}

// typeCeilings are the types with methods in more than maxTypeFiles files.
func typeCeilings() map[string]ceiling {
	return map[string]ceiling{
	}
}

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

// largePackages finds packages with too many files, and ceilings that are not the
// figure of today.
func largePackages(t tree, ceilings map[string]ceiling) []breach {
	var out []breach
	for room, files := range t.byRoom() {
		at := t.breach(files[0], files[0].syntax.Name, "a reader holds the files of a package in the head: move a duty to a room of its own", "")
		out = append(out, above(at, "package "+room, len(files), maxPackageFiles, ceilings[room])...)
	}
	return append(out, unknownCeilings(ceilings, func(room string) bool { return len(t.byRoom()[room]) > 0 })...)
}

// scatteredTypes finds types whose methods lie in too many files, and ceilings
// that are not the figure of today.
func scatteredTypes(t tree, ceilings map[string]ceiling) []breach {
	var out []breach
	first, files := map[string]breach{}, map[string]map[string]bool{}
	for _, f := range t.product() {
		for _, d := range f.syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			name := f.room() + "." + receiver(fn).Name
			if files[name] == nil {
				first[name] = t.breach(f, fn, "a type whose methods lie in many files is several types: give each duty a type, or its files one duty", "")
				files[name] = map[string]bool{}
			}
			files[name][f.path] = true
		}
	}
	for name, in := range files {
		out = append(out, above(first[name], "type "+name, len(in), maxTypeFiles, ceilings[name])...)
	}
	return append(out, unknownCeilings(ceilings, func(name string) bool { return files[name] != nil })...)
}

// above compares a figure with its bound, or with its ceiling where it has one.
func above(at breach, what string, files, bound int, c ceiling) []breach {
	switch {
	case c.files == 0 && files > bound:
		at.what = fmt.Sprintf("%s has %d files, more than %d", what, files, bound)
	case c.files == 0:
		return nil
	case files <= bound:
		at.what = fmt.Sprintf("%s has %d files and needs no ceiling any more: remove it", what, files)
	case files > c.files:
		at.what = fmt.Sprintf("%s has %d files, more than its ceiling of %d", what, files, c.files)
	case files < c.files:
		at.what = fmt.Sprintf("%s has %d files: lower its ceiling of %d", what, files, c.files)
	default:
		return nil
	}
	return []breach{at}
}

// unknownCeilings finds ceilings of what is not in the tree.
func unknownCeilings(ceilings map[string]ceiling, known func(string) bool) []breach {
	var out []breach
	for name, c := range ceilings {
		if !known(name) || c.why == "" {
			out = append(out, breach{file: "rooms_shape_test.go", what: name + " has a ceiling without a reason, or is not in the tree"})
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
