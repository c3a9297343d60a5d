package config

import (
	"reflect"
	"slices"
	"strings"
)

// Key describes one setting, for the reference, for flags and for the example file.
type Key struct {
	// Name holds the dotted name in the file. A part in capitals is chosen by
	// the user: env.NAME.base_url.
	Name string
	// Env names the environment variable that overrides the file; empty if
	// only the file can set it.
	Env string
	// Flag holds the flag's name without its dashes; empty if only the file
	// can set it.
	Flag string
	// Type names the type: boolean, integer, number, string or "array of
	// strings".
	Type string
	// Default as it would be written in the file; empty where there is none.
	Default string
	// Accepted says which values are taken; empty if any value of the type is.
	Accepted string
}

// Keys lists every setting in the order of Config.
func Keys() []Key {
	all := settings()
	keys := make([]Key, len(all))
	for i, l := range all {
		keys[i] = l.Key
	}
	return keys
}

// setting describes a setting and where it is found in Config.
type setting struct {
	Key
	index []int        // for reflect.Value.FieldByIndex; nil below a map
	typ   reflect.Type // of the setting's value
	rule  rule
}

// envPrefix starts the name of every environment variable that belongs to this program.
const envPrefix = "ASSAY_"

// settings derives every setting from the fields and tags of Config: the one place where the names
// of keys, variables and flags come from.
func settings() []setting {
	var found []setting
	defaults := reflect.ValueOf(Default())
	var walk func(t reflect.Type, tag reflect.StructTag, path []string, index []int)
	walk = func(t reflect.Type, tag reflect.StructTag, path []string, index []int) {
		switch t.Kind() {
		case reflect.Struct:
			for i := range t.NumField() {
				f := t.Field(i)
				below := append(slices.Clip(path), f.Tag.Get("toml"))
				if index == nil && len(path) > 0 { // below a map
					walk(f.Type, f.Tag, below, nil)
					continue
				}
				walk(f.Type, f.Tag, below, append(slices.Clip(index), i))
			}
		case reflect.Map:
			walk(t.Elem(), tag, append(slices.Clip(path), tag.Get("name")+tag.Get("label")), nil)
		default:
			l := setting{index: index, typ: t, rule: newRule(tag)}
			l.Name, l.Type, l.Accepted = strings.Join(path, "."), typeName(t), l.rule.accepted
			if index != nil {
				l.Default = toTOML(defaults.FieldByIndex(index))
			}
			if index != nil && tag.Get("only") != "file" {
				l.Env, l.Flag = variableAndFlag(l.Name)
			}
			found = append(found, l)
		}
	}
	walk(defaults.Type(), "", nil, nil)
	return found
}

// variableAndFlag returns the names of the variable and of the flag that belong to a key.
func variableAndFlag(key string) (env, flag string) {
	env = envPrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
	flag = strings.NewReplacer(".", "-", "_", "-").Replace(key)
	return env, flag
}
