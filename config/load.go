package config

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/text"
)

// Source holds everything that a Config is made from. Its zero value gives the defaults.
type Source struct {
	// Name of the person's own file, for messages; empty means mcp.toml.
	Name string
	// File holds the content of the person's own file; nil means that there is none.
	File []byte
	// Folder holds what the working folder says, which may come from a stranger.
	Folder Folder
	// Getenv reads an environment variable; nil means an empty environment. As with os.Getenv, an
	// empty variable counts as one that is not set.
	Getenv func(string) string
	// Environ lists the environment as os.Environ does, so that a misspelt ASSAY_ variable is an
	// error too; nil leaves that out. Variables that the caller reads itself don't belong in it.
	Environ []string
	// Flags holds the flags that were given, by dotted key: "browser.headless" → "false".
	Flags map[string]string
}

// Folder holds what a folder says.
type Folder struct {
	// Name of its file, for messages; empty means mcp.toml.
	Name string
	// File holds the content of its file; nil means that there is none.
	File []byte
	// DotEnv holds what its .env says, as [DotEnv] gives it.
	DotEnv map[string]Variable
	// Trust is asked once how far a person trusted the folder, with all that it claims beside what a folder may
	// say; nil means that nobody did.
	Trust func([]Claim) (Trust, error)
}

// Trust says how far a person trusted a folder.
type Trust int

// What counts in a folder.
const (
	Untrusted       Trust = iota
	TrustedSettings       // what it claims of settings
	TrustedWhole          // its own tests are run, too, and secrets of the person's own file are typed on any page
)

// Loaded is what sources come to.
type Loaded struct {
	Config Config
	// Own lists what the person's own file says about settings that take a person's word.
	Own []Claim
	// Claims lists what the folder says about them. It counts where a person trusted the folder.
	Claims []Claim
	// Trust says how far a person trusted the folder.
	Trust Trust
	// Variables holds those of the folder's .env that count and that are no settings.
	Variables map[string]string
	// TypedOn says on which hosts' pages alone secrets are typed, by name; those that are not in it are typed
	// everywhere.
	TypedOn map[string][]string
}

// Load makes a Config as [Read] does.
func Load(src Source) (Config, error) {
	all, err := Read(src)
	return all.Config, err
}

// Read makes a Config of the defaults, then the person's own file, then what the folder says, then the environment,
// then the flags, each winning over those before. Of what the folder says, that counts which the table of
// authorities lets it say. A problem in any of them, even in a value that a later one overrides or that does not
// count, gives an *Error with all problems and no Config.
func Read(src Source) (Loaded, error) {
	own := src
	own.Folder = Folder{}
	user := own.layers(nil, false)
	untrusted := user
	if src.Folder.File != nil || len(src.Folder.DotEnv) > 0 {
		untrusted = src.layers(&user.cfg, false)
	}
	if len(untrusted.problems) > 0 {
		return Loaded{}, &Error{Problems: untrusted.problems}
	}
	out := Loaded{Config: untrusted.cfg, Own: user.own.claims, Claims: untrusted.folder.claims, Variables: untrusted.variables}
	if src.Folder.Trust != nil {
		var err error
		if out.Trust, err = src.Folder.Trust(out.Claims); err != nil {
			return Loaded{}, err
		}
	}
	if out.Trust != Untrusted && untrusted != user {
		all := src.layers(&user.cfg, true)
		if len(all.problems) > 0 {
			return Loaded{}, &Error{Problems: all.problems}
		}
		out.Config, out.Variables = all.cfg, all.variables
	}
	out.TypedOn = typedOn(user.cfg.Secrets, out.Config.Secrets, out.Trust)
	return out, nil
}

// Withheld lists the claims of the folder that do not count.
func (l Loaded) Withheld() []Claim {
	if l.Trust != Untrusted {
		return nil
	}
	return l.Claims
}

// typedOn says where secrets are typed. One of the person's own is typed on its hosts, and in a folder that is
// trusted whole everywhere; one of a folder on its hosts, if it has any.
func typedOn(user, all map[string]SecretSource, trust Trust) map[string][]string {
	out := map[string][]string{}
	for name, secret := range all {
		own, isOwn := user[name]
		isOwn = isOwn && own.From == secret.From
		foldersHosts := len(secret.Hosts) > 0 && (!isOwn || !slices.Equal(own.Hosts, secret.Hosts))
		if isOwn && trust != TrustedWhole || foldersHosts {
			out[name] = secret.Hosts
		}
	}
	return out
}

// layered is a Config on its way through the layers of its sources.
type layered struct {
	cfg         Config
	said        map[string]spoken
	own, folder say
	variables   map[string]string
	problems    []Problem
}

// layers puts all sources over the defaults. user holds what the person says, where the folder has a say.
func (src Source) layers(user *Config, trusted bool) *layered {
	l := &layered{cfg: Default(), said: map[string]spoken{}, folder: say{user: user, trusted: trusted}, variables: map[string]string{}}
	all := settings()
	read := func(name string, data []byte, s *say) {
		if data != nil {
			f := file{name: cmp.Or(name, "mcp.toml"), leaves: all, cfg: &l.cfg, say: s, said: l.said}
			l.problems = append(l.problems, f.load(data)...)
		}
	}
	read(src.Name, src.File, &l.own)
	read(src.Folder.Name, src.Folder.File, &l.folder)
	o := overrides{leaves: all, say: &l.folder}
	o.dotEnv(src.Folder.DotEnv, src.Getenv, l.variables)
	o.environment(src.Getenv)
	o.unknownVariables(src.Environ)
	o.flags(src.Flags)
	o.apply(&l.cfg)
	for _, v := range o.values {
		l.said[v.Name] = spoken{v.value, v.where}
	}
	l.problems = append(l.problems, o.problems...)
	l.checkReset()
	return l
}

// overrides holds the settings that the environment and the flags say.
type overrides struct {
	leaves   []setting
	say      *say       // for those of a folder
	values   []override // in the order of precedence, the strongest last
	problems []Problem
}

type override struct {
	setting
	value reflect.Value
	where string
	folds bool // a folder says it
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
			near := text.Nearest(name, o.overridable(func(l setting) string { return l.Name }))
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
		near := text.Nearest(strings.TrimPrefix(name, envPrefix), o.overridable(spelling))
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

// set checks one text and keeps it for apply; ok is false where it is refused.
func (o *overrides) set(l setting, text, where string) (ok bool) {
	value, typed := fromText(l.typ, text)
	if !typed {
		message := fmt.Sprintf("%s = %s; expected %s", l.Name, quoteUnlessSecret(l.typ, text), article(l.Type))
		o.problems = append(o.problems, Problem{Key: l.Name, Where: where, Message: message})
		return false
	}
	if message, bad := l.rule.check(l.Name, value); bad {
		o.problems = append(o.problems, Problem{Key: l.Name, Where: where, Message: message})
		return false
	}
	o.values = append(o.values, override{setting: l, value: value, where: where})
	return true
}

// counting returns what of a value counts for a setting that is at present as mine says.
func (o *overrides) counting(v override, mine reflect.Value) reflect.Value {
	if !v.folds {
		return v.value
	}
	return o.say.counting(v.Name, mine, v.value, func() Claim { return Claim{Key: v.Name, Where: v.where} })
}

// apply sets the values in cfg, and those that environments have of their own in every environment
// as well: a variable and a flag win over the whole file.
func (o *overrides) apply(cfg *Config) {
	target := reflect.ValueOf(cfg).Elem()
	for _, v := range o.values {
		target.FieldByIndex(v.index).Set(o.counting(v, target.FieldByIndex(v.index)))
	}
	for name, env := range cfg.Environments {
		view := Config{Agent: env.Agent, Browser: Browser{Viewport: env.Viewport, Locale: env.Locale}}
		o.apply(&view) // has no environments, so this is one step deep
		env.Agent, env.Viewport, env.Locale = view.Agent, view.Browser.Viewport, view.Browser.Locale
		cfg.Environments[name] = env
	}
}
