package flow

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Places maps the fields of a file to their lines.
type Places struct {
	file  string
	lines map[string]int
}

// Problem returns what is wrong with a field, such as ranges[0].steps[1].selector,
// with the line of the field, or of the nearest thing around it.
func (p Places) Problem(field, message string) Problem {
	r := nodeReader{file: p.file, lines: p.lines}
	r.add(r.lineOf(field), field, "%s", message)
	return r.problems[0]
}

// Read fills target, a pointer to a struct with json tags, from a TOML or JSON
// document (the name's ending tells which). It is strict: unknown keys and
// wrong kinds are problems, with file:line and the nearest key.
func Read(name string, data []byte, target any) (Places, Problems) {
	r := nodeReader{file: name, lines: map[string]int{}}
	places := Places{name, r.lines}
	if len(data) > MaxFileBytes {
		r.add(0, "", "the file has %d bytes; accepted: up to %d. Is this the right file?", len(data), MaxFileBytes)
		return places, r.problems
	}
	parse := parseTOML
	if strings.HasSuffix(name, ".json") {
		parse = parseJSON
	}
	n, line, err := parse(data)
	if err != nil {
		r.add(line, "", "%v", err)
		return places, r.problems
	}
	r.fill(n, reflect.ValueOf(target).Elem(), "")
	Sort(r.problems)
	return places, r.problems
}

// Sort puts problems of one file in the order of their lines.
func Sort(problems Problems) {
	slices.SortStableFunc(problems, func(a, b Problem) int { return cmp.Compare(a.line, b.line) })
}

// fillMap sets a map from a table whose keys are the user's own.
func (r *nodeReader) fillMap(n node, target reflect.Value, path string) {
	if n.kind != table {
		r.wrongKind(n, path, "a table")
		return
	}
	target.Set(reflect.MakeMap(target.Type()))
	for _, f := range n.fields {
		at, key := strings.TrimPrefix(path+"."+f.name, "."), reflect.ValueOf(f.name)
		if target.MapIndex(key).IsValid() {
			r.add(f.line, at, "key %q is set twice", f.name)
			continue
		}
		value := reflect.New(target.Type().Elem()).Elem()
		r.lines[at] = f.line
		if text, ok := f.text("value"); ok && value.Kind() == reflect.String {
			value.SetString(text) // a figure may be written as one
		} else {
			r.fill(f.node, value, at)
		}
		target.SetMapIndex(key, value)
	}
}

// fields returns the struct's fields by their json names, those of embedded structs
// among them.
func fields(target reflect.Value) (names []string, byName map[string]reflect.Value) {
	byName = map[string]reflect.Value{}
	for i := range target.NumField() {
		f := target.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case name == "" && f.Anonymous:
			inner, values := fields(target.Field(i))
			names = append(names, inner...)
			maps.Copy(byName, values)
		case name == "":
			panic(fmt.Sprintf("flow: %s.%s has no json name", target.Type(), f.Name))
		default:
			names, byName[name] = append(names, name), target.Field(i)
		}
	}
	return names, byName
}
