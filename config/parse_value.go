package config

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/document"
)

// typeName names the type of a setting for the reader of a message or of the reference.
func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		return "array of strings"
	case reflect.Struct, reflect.Map:
		switch t {
		case reflect.TypeFor[Tolerance]():
			return "number or table { absolute, percent }"
		case reflect.TypeFor[SecretSource]():
			return "string or table { from, hosts }"
		}
		return "table"
	}
	return "string"
}

// article puts "a" or "an" before a type's name.
func article(name string) string {
	if strings.ContainsRune("aeiou", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}

// tomlName names what the file holds.
func tomlName(data document.Node) string {
	switch data.Kind {
	case document.Table:
		return "a table"
	case document.List:
		if len(data.Items) > 0 && !slices.ContainsFunc(data.Items, func(n document.Node) bool { return n.Kind != document.Table }) {
			return "an array of tables"
		}
		return "an array"
	case document.Scalar:
	}
	switch data.Value.(type) {
	case bool:
		return "a boolean"
	case int64:
		return "an integer"
	case float64:
		return "a float"
	case string:
		return "a string"
	}
	return "a date or time"
}

// fromTOML returns data as a value of type t; ok is false where it is of another type.
func fromTOML(t reflect.Type, data document.Node) (v reflect.Value, ok bool) {
	v = reflect.New(t).Elem()
	if data.Kind == document.List && t.Kind() == reflect.Slice {
		return listFromTOML(v, data.Items)
	}
	switch d := data.Value.(type) {
	case bool:
		if ok = t.Kind() == reflect.Bool; ok {
			v.SetBool(d)
		}
	case string:
		if ok = t.Kind() == reflect.String; ok {
			v.SetString(d)
		}
	case float64:
		if ok = t.Kind() == reflect.Float64; ok {
			v.SetFloat(d)
		}
	case int64:
		if t.Kind() == reflect.Float64 {
			v.SetFloat(float64(d))
			return v, true
		}
		if ok = t.Kind() == reflect.Int && !v.OverflowInt(d); ok {
			v.SetInt(d)
		}
	}
	return v, ok
}

// isNumber reports whether the file holds a number.
func isNumber(data any) bool {
	switch data.(type) {
	case int64, float64:
		return true
	}
	return false
}

func listFromTOML(list reflect.Value, data []document.Node) (reflect.Value, bool) {
	for _, d := range data {
		element, ok := fromTOML(list.Type().Elem(), d)
		if !ok {
			return list, false
		}
		list = reflect.Append(list, element)
	}
	return list, true
}

// fromText returns the text of a variable or flag as a value of type t. Elements of a list are
// parted by commas; blanks around them don't count, and a blank text is the empty list.
func fromText(t reflect.Type, text string) (v reflect.Value, ok bool) {
	v = reflect.New(t).Elem()
	var err error
	switch t.Kind() {
	case reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(text)
		v.SetBool(b)
	case reflect.Int:
		var n int64
		n, err = strconv.ParseInt(text, 10, strconv.IntSize)
		v.SetInt(n)
	case reflect.Float64:
		var n float64
		n, err = strconv.ParseFloat(text, 64)
		v.SetFloat(n)
	case reflect.Slice:
		if strings.TrimSpace(text) == "" {
			return v, true
		}
		for part := range strings.SplitSeq(text, ",") {
			v = reflect.Append(v, reflect.ValueOf(strings.TrimSpace(part)))
		}
	default:
		v.SetString(text)
	}
	return v, err == nil
}

// toTOML writes v, a setting's value, as it would stand in the file.
func toTOML(v reflect.Value) string {
	switch v.Kind() {
	case reflect.String:
		return strconv.Quote(v.String())
	case reflect.Slice:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = toTOML(v.Index(i))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return fmt.Sprint(v.Interface())
}

// maxShown bounds the part of a value that a message repeats, in bytes.
const maxShown = 80

// quoteUnlessSecret quotes a refused text of a setting of type t, unless it may hold a secret: the content of
// a Secret, or a user and password before the @ of a URL.
func quoteUnlessSecret(t reflect.Type, text string) string {
	if t == reflect.TypeFor[Secret]() || strings.Contains(text, "@") {
		return hidden
	}
	if len(text) > maxShown {
		return strconv.Quote(text[:maxShown]) + "…"
	}
	return strconv.Quote(text)
}
