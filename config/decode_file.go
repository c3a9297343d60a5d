package config

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/assay-qa/assay/nearest"
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
	meta     toml.MetaData
	root     map[string]toml.Primitive // for the lines
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
	var tree map[string]any
	_, err := toml.Decode(string(data), &tree)
	if err == nil {
		f.meta, err = toml.Decode(string(data), &f.root)
	}
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
func (f *file) checkVersion(tree map[string]any) bool {
	const key = "schema_version"
	version, stated := tree[key]
	if !stated {
		f.add(0, key, fmt.Sprintf("schema_version is missing; add the line \"schema_version = %d\" at the top", SchemaVersion))
		return true
	}
	if n, ok := version.(int64); ok && n != SchemaVersion {
		f.add(f.line(toml.Key{key}), key, fmt.Sprintf(
			"schema_version = %d, and this program reads version %d; use the program that wrote the file, or bring the file to version %d",
			n, SchemaVersion, SchemaVersion))
		return false
	}
	return true
}

// fill sets target, a part of the Config, from the data that the file holds at path. key is its name in [Keys].
func (f *file) fill(path toml.Key, key string, target reflect.Value, tag reflect.StructTag, data any) {
	if field, ok := inShort(target.Type(), data); ok {
		target, tag, key = target.FieldByIndex(field.Index), field.Tag, key+"."+field.Tag.Get("toml")
	}
	kind := target.Kind()
	if kind != reflect.Struct && kind != reflect.Map {
		f.fillLeaf(path, key, target, tag, data)
		return
	}
	table, ok := data.(map[string]any)
	if !ok {
		f.addType(path, target.Type(), data)
		return
	}
	if kind == reflect.Struct {
		f.fillStruct(path, key, target, table)
		return
	}
	f.fillMap(path, key, target, tag, table)
}

// inShort returns the field of a table that the file may give in its place: absolute of a tolerance is a number,
// from of a secret a text.
func inShort(t reflect.Type, data any) (field reflect.StructField, ok bool) {
	_, isText := data.(string)
	if t == reflect.TypeFor[Tolerance]() && isNumber(data) || t == reflect.TypeFor[SecretSource]() && isText {
		return t.Field(0), true
	}
	return field, false
}

func (f *file) fillStruct(path toml.Key, key string, target reflect.Value, table map[string]any) {
	var known []string
	for i := range target.NumField() {
		field := target.Type().Field(i)
		name := field.Tag.Get("toml")
		known = append(known, name)
		if data, ok := table[name]; ok {
			f.fill(below(path, name), strings.TrimPrefix(key+"."+name, "."), target.Field(i), field.Tag, data)
		}
	}
	for name := range table {
		if !slices.Contains(known, name) {
			f.addUnknown(path, name, known)
		}
	}
}

func (f *file) fillMap(path toml.Key, key string, target reflect.Value, tag reflect.StructTag, table map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		here := below(path, name)
		if accepted, ok := acceptedName(tag, name); !ok {
			f.add(f.line(here), here.String(), fmt.Sprintf("the name in %s is not accepted; accepted: %s", here, accepted))
			continue
		}
		if target.IsNil() {
			target.Set(reflect.MakeMap(target.Type()))
		}
		element := f.element(target, name)
		refused := len(f.problems)
		f.fill(here, key+"."+tag.Get("name")+tag.Get("label"), element, tag, table[name])
		if source, ok := element.Interface().(SecretSource); ok && source.From == "" {
			if len(f.problems) == refused && !f.say.withholds(here.String()) {
				f.add(f.line(here), here.String(), fmt.Sprintf("%s has no from: write where the secret is found, as \"env:VAR\", \"file:path\" or \"cmd:program args\"", here))
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
	return "letters, digits, - and _", regexp.MustCompile(`^[A-Za-z0-9_-]+$`).MatchString(name)
}

func (f *file) fillLeaf(path toml.Key, key string, target reflect.Value, tag reflect.StructTag, data any) {
	value, ok := fromTOML(target.Type(), data)
	if !ok {
		f.addType(path, target.Type(), data)
		return
	}
	if message, bad := newRule(tag).check(path.String(), value); bad {
		f.add(f.line(path), path.String(), message)
		return
	}
	target.Set(f.say.counting(key, target, value, func() Claim { return Claim{Key: path.String(), Where: f.where(f.line(path))} }))
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

func (f *file) addType(path toml.Key, want reflect.Type, data any) {
	f.add(f.line(path), path.String(), fmt.Sprintf("%s is %s; expected %s", path, tomlName(data), article(typeName(want))))
}

func (f *file) addUnknown(path toml.Key, name string, known []string) {
	here := below(path, name)
	message := fmt.Sprintf("unknown key %s; accepted here: %s", here, strings.Join(known, ", "))
	if meant := f.meantKey(path, name, known); meant != "" {
		message = fmt.Sprintf("unknown key %s; did you mean %s?", here, meant)
	}
	f.add(f.line(here), here.String(), message)
}

// addSyntax reports that data is not TOML. The parser's messages repeat parts of the value they
// stumble over, which must not happen to a secret.
func (f *file) addSyntax(err error) {
	var syntax toml.ParseError
	if !errors.As(err, &syntax) {
		f.add(0, "", err.Error())
		return
	}
	message := "not valid TOML: " + syntax.Message
	if section, _, _ := strings.Cut(syntax.LastKey, "."); section == "secrets" || section == "notify" || section == "auth" || strings.HasSuffix(syntax.LastKey, "api_key") {
		message = fmt.Sprintf("not valid TOML in the value of %s (not shown, it may be a secret); write it in double quotes", syntax.LastKey)
	}
	f.add(syntax.Position.Line, syntax.LastKey, message)
}

// meantKey finds the setting most likely meant by an unknown name: a neighbour, or else one of that
// name in another section. It is empty if no name reads alike.
func (f *file) meantKey(path toml.Key, name string, neighbours []string) string {
	if near := nearest.Word(name, neighbours); near != "" {
		return below(path, near).String()
	}
	var names, lastParts []string
	for _, l := range f.leaves {
		names = append(names, l.Name)
		lastParts = append(lastParts, l.Name[strings.LastIndexByte(l.Name, '.')+1:])
	}
	if near := nearest.Word(name, lastParts); near != "" {
		return names[slices.Index(lastParts, near)]
	}
	return ""
}

// below returns path with name at its end, and no memory shared with path.
func below(path toml.Key, name string) toml.Key { return append(slices.Clip(path), name) }
