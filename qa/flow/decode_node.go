package flow

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/nearest"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/texts"
)

// node holds a value of a flow file, with the line on which it stands.
type node struct {
	line   int
	fields []field // of a table
	items  []node  // of a list
	null   bool    // JSON's null
	value  any     // string, int64, float64, bool or time.Time; nil for tables and lists
	kind   kind
}

type field struct {
	name string
	line int
	node
}

type kind int

const (
	scalar kind = iota
	table
	list
)

// nodeReader fills Go values from nodes, and collects what doesn't fit.
type nodeReader struct {
	file     string
	lines    map[string]int // of each field that was read, such as steps[2].selector
	problems Problems
}

func (r *nodeReader) add(line int, path, format string, args ...any) {
	where := r.file
	if line > 0 {
		where += ":" + strconv.Itoa(line)
	}
	r.problems = append(r.problems, Problem{Where: where, Field: path, Message: fmt.Sprintf(format, args...), line: line})
}

// fill sets target from n, which stands at path.
func (r *nodeReader) fill(n node, target reflect.Value, path string) {
	r.lines[path] = n.line
	if target.Type() == reflect.TypeFor[time.Time]() {
		r.fillTime(n, target, path)
		return
	}
	switch target.Kind() {
	case reflect.Pointer:
		target.Set(reflect.New(target.Type().Elem()))
		r.fill(n, target.Elem(), path)
	case reflect.Struct:
		r.fillTable(n, target, path)
	case reflect.Map:
		r.fillMap(n, target, path)
	case reflect.Slice:
		if n.kind != list {
			r.wrongKind(n, path, "a list")
			return
		}
		// A list far beyond the limit is counted, and not read.
		for i, item := range n.items[:min(len(n.items), MaxSteps+1)] {
			target.Set(reflect.Append(target, reflect.Zero(target.Type().Elem())))
			r.fill(item, target.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Int:
		i, ok := n.value.(int64)
		if !ok {
			r.wrongKind(n, path, "a whole number")
			return
		}
		target.SetInt(i)
	case reflect.Float64:
		switch v := n.value.(type) {
		case int64:
			target.SetFloat(float64(v))
		case float64:
			target.SetFloat(v)
		default:
			r.wrongKind(n, path, "a number")
		}
	case reflect.Bool:
		b, ok := n.value.(bool)
		if !ok {
			r.wrongKind(n, path, "true or false")
			return
		}
		target.SetBool(b)
	case reflect.String:
		text, ok := n.text(lastPart(path))
		if !ok {
			r.wrongKind(n, path, "a text")
			return
		}
		target.SetString(text)
	default:
		panic("flow: no file can hold a " + target.Kind().String())
	}
}

func (r *nodeReader) fillTable(n node, target reflect.Value, path string) {
	if n.kind != table {
		r.wrongKind(n, path, "a table")
		return
	}
	known, index := fields(target)
	seen, words := map[string]bool{}, otherWords(target.Type())
	for _, f := range n.fields {
		f = f.inOurWords(words)
		at := strings.TrimPrefix(path+"."+f.name, ".")
		value, ok := index[f.name]
		switch {
		case !ok:
			r.add(f.line, at, "unknown key %q%s; accepted here: %s", texts.Shorten(f.name, 40), nearest.Hint(f.name, known), strings.Join(known, ", "))
		case f.null: // left out
		case seen[f.name]:
			r.add(f.line, at, "key %q is set twice", f.name)
		default:
			seen[f.name] = true
			r.fill(f.node, value, at)
		}
	}
}

// otherWords returns names of fields in the specifications' words, with ours.
func otherWords(t reflect.Type) map[string]string {
	switch t {
	case reflect.TypeFor[qa.FlowStep](), reflect.TypeFor[Flow]():
		return map[string]string{"timeout": "timeout_ms"}
	}
	return nil
}

// inOurWords returns the field under our name; options = { timeout = … } is the
// time-out itself.
func (f field) inOurWords(words map[string]string) field {
	if f.name == "options" && words["timeout"] != "" && f.kind == table && len(f.fields) == 1 && f.fields[0].name == "timeout" {
		f = f.fields[0]
	}
	if ours, ok := words[f.name]; ok {
		f.name = ours
	}
	return f
}

// fillTime takes a point in time: RFC 3339 as a text, or TOML's own with its
// offset. A time without one would be another time on another machine.
func (r *nodeReader) fillTime(n node, target reflect.Value, path string) {
	const want = "a time such as 2026-01-31T09:00:00Z"
	at, ok := n.value.(time.Time)
	if text, isText := n.value.(string); isText {
		var err error
		if at, err = time.Parse(time.RFC3339, text); err != nil {
			r.add(n.line, path, "%s is %q; expected %s", path, texts.Shorten(text, 40), want)
			return
		}
		ok = true
	}
	if !ok {
		r.wrongKind(n, path, want)
		return
	}
	target.Set(reflect.ValueOf(at))
}

// text returns the node as a text. Where numbers are written as texts (milliseconds
// to wait, an expected count), a number will do.
func (n node) text(name string) (string, bool) {
	switch v := n.value.(type) {
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

func (r *nodeReader) wrongKind(n node, path, want string) {
	is := "a table"
	switch n.kind {
	case table:
	case list:
		is = "a list"
	case scalar:
		is = "nothing"
		switch n.value.(type) {
		case string:
			is = "a text"
		case int64, float64:
			is = "a number"
		case bool:
			is = "true or false"
		case time.Time:
			is = "a time"
		}
	}
	if path == "" {
		path = "the file"
	}
	r.add(n.line, path, "%s is %s; expected %s", path, is, want)
}
