package config

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/document"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
)

// A real configuration has a few kilobytes and some hundred dots and braces. The parser's memory
// grows with the square of the depth that they can nest tables to, up to all that the machine has.
const (
	maxFileBytes = 64 << 10
	maxNesting   = 2000
)

// file holds a parsed mcp.toml on its way into a Config.
type file struct {
	name     string
	leaves   []setting // every setting, to find the one that was meant
	cfg      *Config   // to be filled
	say      *say      // whose file it is, and what of it counts
	said     map[string]spoken
	problems []Problem
}

// load fills the Config from data and gives what is wrong with it, in the order of lines.
func (f *file) load(data []byte) []Problem {
	if len(data) > maxFileBytes {
		f.add(0, "", fmt.Sprintf("the file has %d bytes; accepted: up to %d. Is this the right file?", len(data), maxFileBytes))
		return f.problems
	}
	if n := bytes.Count(data, []byte(".")) + bytes.Count(data, []byte("{")); n > maxNesting {
		f.add(0, "", fmt.Sprintf("the file has %d dots and braces; accepted: up to %d. Is this the right file?", n, maxNesting))
		return f.problems
	}
	if format := map[string]string{".yaml": "YAML", ".yml": "YAML", ".json": "JSON"}[strings.ToLower(filepath.Ext(f.name))]; format != "" {
		f.add(0, "", fmt.Sprintf("the file is %s, as other tools have it, and assay reads TOML: copy its settings to mcp.toml; docs/specifications.md lists their keys and ours", format))
		return f.problems
	}
	tree, err := document.Parse(document.TOML, data)
	if err != nil {
		f.addSyntax(err)
		return f.problems
	}
	if f.checkVersion(tree) {
		f.fill(nil, "", reflect.ValueOf(f.cfg).Elem(), "", tree)
	}
	inOrder(f.problems)
	return f.problems
}

// checkVersion reports whether the file's layout is the one known here. Of a later layout nothing else
// is worth saying: its keys are unknown for a good reason.
func (f *file) checkVersion(tree document.Node) bool {
	const key = "schema_version"
	version, stated := tree.Field(key)
	if !stated {
		f.add(0, key, fmt.Sprintf("schema_version is missing; add the line \"schema_version = %d\" at the top", SchemaVersion))
		return true
	}
	if n, ok := version.Value.(int64); ok && n != SchemaVersion {
		f.add(version.Line, key, fmt.Sprintf(
			"schema_version = %d, and this program reads version %d; use the program that wrote the file, or bring the file to version %d",
			n, SchemaVersion, SchemaVersion))
		return false
	}
	return true
}

// fill sets target, a part of the Config, from the data that the file holds at path. key is its name in [Keys].
func (f *file) fill(path keyPath, key string, target reflect.Value, tag reflect.StructTag, data document.Node) {
	if field, ok := inShort(target.Type(), data); ok {
		target, tag, key = target.FieldByIndex(field.Index), field.Tag, key+"."+field.Tag.Get("toml")
	}
	kind := target.Kind()
	if kind != reflect.Struct && kind != reflect.Map {
		f.fillLeaf(path, key, target, tag, data)
		return
	}
	if data.Kind != document.Table {
		f.addType(path, target.Type(), data)
		return
	}
	if kind == reflect.Struct {
		f.fillStruct(path, key, target, data)
		return
	}
	f.fillMap(path, key, target, tag, data)
}

// inShort returns the field of a table that the file may give in its place: absolute of a tolerance is a number,
// from of a secret a text.
func inShort(t reflect.Type, data document.Node) (field reflect.StructField, ok bool) {
	_, isText := data.Value.(string)
	if t == reflect.TypeFor[Tolerance]() && isNumber(data.Value) || t == reflect.TypeFor[SecretSource]() && isText {
		return t.Field(0), true
	}
	return field, false
}

func (f *file) fillStruct(path keyPath, key string, target reflect.Value, table document.Node) {
	var known []string
	for i := range target.NumField() {
		field := target.Type().Field(i)
		name := field.Tag.Get("toml")
		known = append(known, name)
		if data, ok := table.Field(name); ok {
			f.fill(below(path, name), strings.TrimPrefix(key+"."+name, "."), target.Field(i), field.Tag, data)
		}
	}
	for _, field := range table.Fields {
		if !slices.Contains(known, field.Name) {
			f.addUnknown(path, field, known)
		}
	}
}

func (f *file) fillMap(path keyPath, key string, target reflect.Value, tag reflect.StructTag, table document.Node) {
	for _, field := range table.Fields {
		name := field.Name
		here := below(path, name)
		if accepted, ok := acceptedName(tag, name); !ok {
			f.add(field.Line, here.String(), fmt.Sprintf("the name in %s is not accepted; accepted: %s", here, accepted))
			continue
		}
		if target.IsNil() {
			target.Set(reflect.MakeMap(target.Type()))
		}
		element := f.element(target, name)
		refused := len(f.problems)
		f.fill(here, key+"."+tag.Get("name")+tag.Get("label"), element, tag, field.Node)
		if source, ok := element.Interface().(SecretSource); ok && source.From == "" {
			if len(f.problems) == refused && !f.say.withholds(here.String()) {
				f.add(field.Line, here.String(), fmt.Sprintf("%s has no from: write where the secret is found, as \"env:VAR\", \"file:path\" or \"cmd:program args\"", here))
			}
			continue
		}
		target.SetMapIndex(reflect.ValueOf(name), element)
	}
}

// element returns what a map has under a name, to be filled: what an earlier file said, or a fresh one.
func (f *file) element(in reflect.Value, name string) reflect.Value {
	element := reflect.New(in.Type().Elem()).Elem()
	if there := in.MapIndex(reflect.ValueOf(name)); there.IsValid() {
		element.Set(there)
	} else if env, ok := element.Addr().Interface().(*Environment); ok {
		// Filled before, as Config has its environments last.
		env.Agent, env.Viewport, env.Locale = f.cfg.Agent, f.cfg.Browser.Viewport, f.cfg.Browser.Locale
	}
	return element
}

// acceptedName checks a name chosen by the user: a "name" stands in other texts, as in
// ${secret:NAME}, a "label" is what a page shows.
func acceptedName(tag reflect.StructTag, name string) (accepted string, ok bool) {
	if tag.Get("label") != "" {
		return "a label that is not blank", strings.TrimSpace(name) != ""
	}
	return "letters, digits, - and _", bareKey.MatchString(name)
}

func (f *file) fillLeaf(path keyPath, key string, target reflect.Value, tag reflect.StructTag, data document.Node) {
	value, ok := fromTOML(target.Type(), data)
	if !ok {
		f.addType(path, target.Type(), data)
		return
	}
	if message, bad := newRule(tag).check(path.String(), value); bad {
		f.add(data.Line, path.String(), message)
		return
	}
	f.said[key] = spoken{value, f.where(data.Line)}
	target.Set(f.say.counting(key, target, value, func() Claim { return Claim{Key: path.String(), Where: f.where(data.Line)} }))
}

func (f *file) add(line int, key, message string) {
	f.problems = append(f.problems, Problem{Key: key, Where: f.where(line), Message: message, line: line})
}

// where names a line of the file, or the file where the line is 0.
func (f *file) where(line int) string {
	if line > 0 {
		return fmt.Sprintf("%s:%d", f.name, line)
	}
	return f.name
}

func (f *file) addType(path keyPath, want reflect.Type, data document.Node) {
	f.add(data.Line, path.String(), fmt.Sprintf("%s is %s; expected %s", path, tomlName(data), article(typeName(want))))
}

func (f *file) addUnknown(path keyPath, field document.Field, known []string) {
	here := below(path, field.Name)
	message := fmt.Sprintf("unknown key %s; accepted here: %s", here, strings.Join(known, ", "))
	if meant := f.meantKey(path, field.Name, known); meant != "" {
		message = fmt.Sprintf("unknown key %s; did you mean %s?", here, meant)
	}
	f.add(field.Line, here.String(), message)
}

// addSyntax reports that data is not TOML. The parser's messages repeat parts of the value they
// stumble over, which must not happen to a secret.
func (f *file) addSyntax(err error) {
	message, key := err.Error(), ""
	var syntax *document.SyntaxError
	if errors.As(err, &syntax) {
		key = syntax.Key
	}
	if section, _, _ := strings.Cut(key, "."); section == "secrets" || section == "notify" || section == "auth" || strings.HasSuffix(key, "api_key") {
		message = fmt.Sprintf("not valid TOML in the value of %s (not shown, it may be a secret); write it in double quotes", key)
	}
	f.add(document.LineOf(err), key, message)
}

// meantKey finds the setting most likely meant by an unknown name: a neighbour, or else one of that
// name in another section. It is empty if no name reads alike.
func (f *file) meantKey(path keyPath, name string, neighbours []string) string {
	if near := text.Nearest(name, neighbours); near != "" {
		return below(path, near).String()
	}
	var names, lastParts []string
	for _, l := range f.leaves {
		names = append(names, l.Name)
		lastParts = append(lastParts, l.Name[strings.LastIndexByte(l.Name, '.')+1:])
	}
	if near := text.Nearest(name, lastParts); near != "" {
		return names[slices.Index(lastParts, near)]
	}
	return ""
}

// keyPath is a dotted key of the file.
type keyPath []string

// bareKey matches a part of a key that needs no quotes.
var bareKey = pattern.New(`^[A-Za-z0-9_-]+$`)

// String returns the key as the file would have it.
func (k keyPath) String() string {
	parts := make([]string, len(k))
	for i, part := range k {
		if parts[i] = part; !bareKey.MatchString(part) {
			parts[i] = strconv.Quote(part)
		}
	}
	return strings.Join(parts, ".")
}

// below returns path with name at its end, and no memory shared with path.
func below(path keyPath, name string) keyPath { return append(slices.Clip(path), name) }
