package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/assay-qa/assay/nearest"
)

// Source holds everything that a Config is made from. Its zero value gives the defaults.
type Source struct {
	// Name of the file, for messages; empty means mcp.toml.
	Name string
	// File holds the content of the file; nil means that there is none.
	File []byte
	// Getenv reads an environment variable; nil means an empty environment. As with os.Getenv, an
	// empty variable counts as one that is not set.
	Getenv func(string) string
	// Environ lists the environment as os.Environ does, so that a misspelt ASSAY_ variable is an
	// error too; nil leaves that out. Variables that the caller reads itself don't belong in it.
	Environ []string
	// Flags holds the flags that were given, by dotted key: "browser.headless" → "false".
	Flags map[string]string
}

// Load makes a Config of the defaults, then the file, then the environment, then the flags, each
// winning over those before. A problem in any of them, even in a value that a later one
// overrides, gives an *Error with all problems and no Config.
func Load(src Source) (Config, error) {
	cfg, all := Default(), settings()
	var problems []Problem
	if src.File != nil {
		f := file{name: src.Name, leaves: all, cfg: &cfg}
		if f.name == "" {
			f.name = "mcp.toml"
		}
		problems = f.load(src.File)
	}
	o := overrides{leaves: all}
	o.environment(src.Getenv)
	o.unknownVariables(src.Environ)
	o.flags(src.Flags)
	o.apply(&cfg)

	if problems = append(problems, o.problems...); len(problems) > 0 {
		return Config{}, &Error{Problems: problems}
	}
	return cfg, nil
}

// overrides holds the settings that the environment and the flags say.
type overrides struct {
	leaves   []setting
	values   []override // in the order of precedence, the strongest last
	problems []Problem
}

type override struct {
	index []int
	value reflect.Value
}

func (o *overrides) environment(getenv func(string) string) {
	if getenv == nil {
		return
	}
	for _, l := range o.leaves {
		if l.Env == "" {
			continue
		}
		if text := getenv(l.Env); text != "" {
			o.set(l, text, l.Env)
		}
	}
}

func (o *overrides) flags(flags map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		i := slices.IndexFunc(o.leaves, func(l setting) bool { return l.Name == name && l.Flag != "" })
		if i < 0 {
			near := nearest.Word(name, o.overridable(func(l setting) string { return l.Name }))
			o.addUnknown(Problem{Where: name, Key: name}, "", near)
			continue
		}
		o.set(o.leaves[i], flags[name], "--"+o.leaves[i].Flag)
	}
}

// unknownVariables finds the variables that carry our prefix and name no setting.
func (o *overrides) unknownVariables(environ []string) {
	names := make(map[string]bool)
	for _, entry := range environ {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, envPrefix) {
			names[name] = true
		}
	}
	for _, l := range o.leaves {
		delete(names, l.Env)
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		// The prefix is left out of the comparison, or it would make all names alike.
		spelling := func(l setting) string { return strings.TrimPrefix(l.Env, envPrefix) }
		near := nearest.Word(strings.TrimPrefix(name, envPrefix), o.overridable(spelling))
		o.addUnknown(Problem{Where: name}, envPrefix, near)
	}
}

// overridable lists the settings that have a variable and a flag, each in the given spelling.
func (o *overrides) overridable(spelling func(setting) string) []string {
	var names []string
	for _, l := range o.leaves {
		if l.Env != "" {
			names = append(names, spelling(l))
		}
	}
	return names
}

// addUnknown reports a name that is no setting, with the one that was likely meant.
func (o *overrides) addUnknown(p Problem, prefix, near string) {
	p.Message = "is not a setting; every setting is in mcp.toml.example"
	if near != "" {
		p.Message = fmt.Sprintf("is not a setting; did you mean %s%s?", prefix, near)
	}
	o.problems = append(o.problems, p)
}

// set checks one text and keeps it for apply.
func (o *overrides) set(l setting, text, where string) {
	value, ok := fromText(l.typ, text)
	if !ok {
		message := fmt.Sprintf("%s = %s; expected %s", l.Name, quoteUnlessSecret(l.typ, text), article(l.Type))
		o.problems = append(o.problems, Problem{Key: l.Name, Where: where, Message: message})
		return
	}
	if message, bad := l.rule.check(l.Name, value); bad {
		o.problems = append(o.problems, Problem{Key: l.Name, Where: where, Message: message})
		return
	}
	o.values = append(o.values, override{index: l.index, value: value})
}

// apply sets the values in cfg, and those that environments have of their own in every environment
// as well: a variable and a flag win over the whole file.
func (o *overrides) apply(cfg *Config) {
	target := reflect.ValueOf(cfg).Elem()
	for _, v := range o.values {
		target.FieldByIndex(v.index).Set(v.value)
	}
	for name, env := range cfg.Environments {
		view := Config{Agent: env.Agent, Browser: Browser{Viewport: env.Viewport, Locale: env.Locale}}
		o.apply(&view) // has no environments, so this is one step deep
		env.Agent, env.Viewport, env.Locale = view.Agent, view.Browser.Viewport, view.Browser.Locale
		cfg.Environments[name] = env
	}
}
