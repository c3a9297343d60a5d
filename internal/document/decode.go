package document

import (
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"
	"time"

	texts "github.com/assay-qa/assay/internal/text"
)

// Problem is what is wrong with a value, or with a key.
type Problem struct {
	Line    int
	Field   string // such as steps[2].selector; empty for the document
	Message string
}

// Decoder fills Go values from nodes, and collects what doesn't fit.
type Decoder struct {
	Tag      string                                  // of the fields of structs, such as json
	MaxItems int                                     // what is more of a list is not read; 0: all is
	Rename   func(t reflect.Type, field Field) Field // a field under the name that t has for it; nil: as it is

	Lines    map[string]int // of each field that was read
	Problems []Problem
}

func (d *Decoder) add(line int, path, format string, args ...any) {
	d.Problems = append(d.Problems, Problem{line, path, fmt.Sprintf(format, args...)})
}

// Decode sets target, a pointer, from n, which stands at path; the empty path is that of
// the document.
func (d *Decoder) Decode(n Node, target any, path string) {
	if d.Lines == nil {
		d.Lines = map[string]int{}
	}
	d.fill(n, reflect.ValueOf(target).Elem(), path)
}

// fill sets target from n, which stands at path.
func (d *Decoder) fill(n Node, target reflect.Value, path string) {
	d.Lines[path] = n.Line
	switch target.Type() {
	case reflect.TypeFor[time.Time]():
		d.fillTime(n, target, path)
		return
	case reflect.TypeFor[Node](): // to be read by a type that is known later
		target.Set(reflect.ValueOf(n))
		return
	}
	switch target.Kind() {
	case reflect.Pointer:
		target.Set(reflect.New(target.Type().Elem()))
		d.fill(n, target.Elem(), path)
	case reflect.Struct:
		d.fillTable(n, target, path)
	case reflect.Map:
		d.fillMap(n, target, path)
	case reflect.Slice:
		d.fillList(n, target, path)
	default:
		d.fillScalar(n, target, path)
	}
}

func (d *Decoder) fillList(n Node, target reflect.Value, path string) {
	if n.Kind != List {
		d.wrongKind(n, path, "a list")
		return
	}
	items := n.Items
	if d.MaxItems > 0 {
		items = items[:min(len(items), d.MaxItems)]
	}
	for i, item := range items {
		target.Set(reflect.Append(target, reflect.Zero(target.Type().Elem())))
		d.fill(item, target.Index(i), fmt.Sprintf("%s[%d]", path, i))
	}
}

func (d *Decoder) fillScalar(n Node, target reflect.Value, path string) {
	switch target.Kind() {
	case reflect.Int:
		if i, ok := n.Value.(int64); ok && !target.OverflowInt(i) {
			target.SetInt(i)
			return
		}
		d.wrongKind(n, path, "a whole number")
	case reflect.Float64:
		switch v := n.Value.(type) {
		case int64:
			target.SetFloat(float64(v))
		case float64:
			target.SetFloat(v)
		default:
			d.wrongKind(n, path, "a number")
		}
	case reflect.Bool:
		b, ok := n.Value.(bool)
		if !ok {
			d.wrongKind(n, path, "true or false")
			return
		}
		target.SetBool(b)
	case reflect.String:
		text, ok := n.text(lastPart(path))
		if !ok {
			d.wrongKind(n, path, "a text")
			return
		}
		target.SetString(text)
	default:
		panic("document: no file can hold a " + target.Kind().String())
	}
}

func (d *Decoder) fillTable(n Node, target reflect.Value, path string) {
	if n.Kind != Table {
		d.wrongKind(n, path, "a table")
		return
	}
	known, index := d.fields(target)
	seen := map[string]bool{}
	for _, f := range n.Fields {
		if d.Rename != nil {
			f = d.Rename(target.Type(), f)
		}
		at := strings.TrimPrefix(path+"."+f.Name, ".")
		value, ok := index[f.Name]
		switch {
		case !ok:
			d.add(f.Line, at, "unknown key %q%s; accepted here: %s", texts.Shorten(f.Name, 40), texts.Hint(f.Name, known), strings.Join(known, ", "))
		case f.Null: // left out
		case seen[f.Name]:
			d.add(f.Line, at, "key %q is set twice", f.Name)
		default:
			seen[f.Name] = true
			d.fill(f.Node, value, at)
		}
	}
}

// fillMap sets a map from a table whose keys are the user's own.
func (d *Decoder) fillMap(n Node, target reflect.Value, path string) {
	if n.Kind != Table {
		d.wrongKind(n, path, "a table")
		return
	}
	target.Set(reflect.MakeMap(target.Type()))
	for _, f := range n.Fields {
		at, key := strings.TrimPrefix(path+"."+f.Name, "."), reflect.ValueOf(f.Name)
		if target.MapIndex(key).IsValid() {
			d.add(f.Line, at, "key %q is set twice", f.Name)
			continue
		}
		value := reflect.New(target.Type().Elem()).Elem()
		d.Lines[at] = f.Line
		if text, ok := f.text("value"); ok && value.Kind() == reflect.String {
			value.SetString(text) // a figure may be written as one
		} else {
			d.fill(f.Node, value, at)
		}
		target.SetMapIndex(key, value)
	}
}

// fields returns the struct's fields by the names of their tags, those of embedded
// structs among them.
func (d *Decoder) fields(target reflect.Value) (names []string, byName map[string]reflect.Value) {
	byName = map[string]reflect.Value{}
	for i := range target.NumField() {
		f := target.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get(d.Tag), ",")
		switch {
		case name == "-":
		case name == "" && f.Anonymous:
			inner, values := d.fields(target.Field(i))
			names = append(names, inner...)
			maps.Copy(byName, values)
		case name == "":
			panic(fmt.Sprintf("document: %s.%s has no %s name", target.Type(), f.Name, d.Tag))
		default:
			names, byName[name] = append(names, name), target.Field(i)
		}
	}
	return names, byName
}

// fillTime takes a point in time: RFC 3339 as a text, or TOML's own with its
// offset. A time without one would be another time on another machine.
func (d *Decoder) fillTime(n Node, target reflect.Value, path string) {
	const want = "a time such as 2026-01-31T09:00:00Z"
	at, ok := n.Value.(time.Time)
	if text, isText := n.Value.(string); isText {
		var err error
		if at, err = time.Parse(time.RFC3339, text); err != nil {
			d.add(n.Line, path, "%s is %q; expected %s", path, texts.Shorten(text, 40), want)
			return
		}
		ok = true
	}
	if !ok {
		d.wrongKind(n, path, want)
		return
	}
	target.Set(reflect.ValueOf(at))
}

// text returns the node as a text. Where numbers are written as texts (milliseconds
// to wait, an expected count), a number will do. YAML has texts without quotes, so
// whatever is written is one there: 007 is no 7.
func (n Node) text(name string) (string, bool) {
	if n.Text != "" {
		return n.Text, true
	}
	switch v := n.Value.(type) {
	case string:
		return v, true
	case int64:
		return strconv.FormatInt(v, 10), name == "value" || name == "expected"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), name == "value" || name == "expected"
	case bool:
		return strconv.FormatBool(v), name == "value" || name == "expected"
	default:
		return "", false
	}
}

func (d *Decoder) wrongKind(n Node, path, want string) {
	if path == "" {
		path = "the file"
	}
	d.add(n.Line, path, "%s is %s; expected %s", path, n.kindName(), want)
}

func (n Node) kindName() string {
	switch n.Kind {
	case Table:
		return "a table"
	case List:
		return "a list"
	case Scalar:
	}
	switch n.Value.(type) {
	case string:
		return "a text"
	case int64, float64:
		return "a number"
	case bool:
		return "true or false"
	case time.Time:
		return "a time"
	}
	return "nothing"
}

// lastPart returns the last name of a path.
func lastPart(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }
