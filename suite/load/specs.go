package load

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools/rules"
)

// Spec holds a spec that passed its checks.
type Spec struct {
	spec.Spec
	Base       string   // address that its relative ones belong to
	Hosts      []string // the only ones that its pages reach
	Role       string   // of the environment, that its sessions are signed in as; empty: none
	SignedInBy *Spec    // the spec that signs in for it; nil: none
	SignsIn    bool     // of a spec that signs in for others

	files []string // absolute paths of those that it was read from
}

// allFiles lists the files that say what a spec does, its recording and its sign-in included.
func (s *Spec) allFiles() []string {
	files := append(slices.Clone(s.files), s.Recording())
	if s.SignedInBy != nil {
		files = append(files, s.SignedInBy.allFiles()...)
	}
	return files
}

// specTree returns the file within the tree that its includes must stay in: the
// current folder where it is below that, so that a spec means the same run alone
// or with others.
func specTree(f treeFile) treeFile {
	here, err := os.Getwd()
	abs, absErr := filepath.Abs(f.path())
	if err != nil || absErr != nil {
		return f
	}
	rel, inside := disk.Inside(here, abs)
	if !inside {
		return f
	}
	return treeFile{root: ".", name: filepath.ToSlash(rel), asked: f.asked}
}

// signInFile names the spec that signs in for those beside and below it.
const signInFile = "AUTH_LOGIN.md"

// specReader reads specs.
type specReader struct {
	Reader
	sources map[string]source // by absolute path
	logins  map[string]*Spec  // specs that sign in, by absolute path and base address
	parts   map[string]bool   // absolute paths of what other specs include, or are signed in by
	used    map[string]bool   // variables of the caller that some spec has a place for
	vars    []string          // that specs know
}

// source holds a spec file that was read.
type source struct {
	spec.Source
	treeFile
	problems flow.Problems
	files    []string // absolute paths of those that were read
}

// read reads a file, and notes what belongs to it.
func (r *specReader) read(file treeFile) error {
	if r.sources == nil {
		r.sources, r.logins, r.parts, r.used = map[string]source{}, map[string]*Spec{}, map[string]bool{}, map[string]bool{}
	}
	tree := specTree(file)
	s, err := r.source(tree)
	if err != nil {
		return config.Usage("%w", err)
	}
	for _, name := range s.Includes {
		r.parts[absolutePath(treeFile{root: tree.root, name: name})] = true
	}
	for _, by := range s.Specs {
		if spec.IsSpec(by.Auth) {
			r.parts[absolutePath(treeFile{root: tree.root, name: path.Join(path.Dir(tree.name), by.Auth)})] = true
		}
	}
	return nil
}

func absolutePath(f treeFile) string {
	abs, err := filepath.Abs(f.path())
	if err != nil {
		return f.path()
	}
	return abs
}

// source reads a file once.
func (r *specReader) source(tree treeFile) (s source, err error) {
	abs := absolutePath(tree)
	if s, ok := r.sources[abs]; ok {
		return s, nil
	}
	root, err := os.OpenRoot(tree.root)
	if err != nil {
		return s, fmt.Errorf("specs: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	s.treeFile = tree
	s.Source, s.problems = spec.Load(tree.name, spec.Options{
		Read: func(name string) ([]byte, error) {
			s.files = append(s.files, absolutePath(treeFile{root: tree.root, name: name}))
			return readFlow(root, name)
		},
		Show:    func(name string) string { return filepath.Join(tree.root, filepath.FromSlash(name)) },
		Vars:    r.Reader.Vars,
		Secrets: r.Secrets,
		Rules:   rules.Flows(),
	})
	for name := range s.Used {
		r.used[name] = true
	}
	for _, spec := range s.Specs {
		for name := range spec.Vars {
			r.vars = append(r.vars, name)
		}
	}
	r.sources[abs] = s
	return s, nil
}

// cases returns the specs of a file that is to be run: none where it is only a part
// of others.
func (r *specReader) cases(file treeFile) (out []Case, problems flow.Problems) {
	tree := specTree(file)
	abs := absolutePath(tree)
	if r.parts[abs] && !file.asked {
		return nil, nil
	}
	s := r.sources[abs]
	if len(s.problems) > 0 {
		return nil, s.problems
	}
	for _, spec := range s.Specs {
		spec.File = abs
		l, err := r.prepare(spec, tree, false)
		if err != nil {
			problems = append(problems, asProblems(spec.Path, err)...)
		}
		out = append(out, Case{Path: spec.Path, File: abs, Spec: &l})
	}
	return out, problems
}

// asProblems returns errors as problems of a file. What is a problem already stays one.
func asProblems(file string, err error) (out flow.Problems) {
	var inner flow.Problems
	if errors.As(err, &inner) {
		return inner
	}
	for _, line := range strings.Split(err.Error(), "\n") {
		out = append(out, flow.Problem{Where: file + ":1", Message: line})
	}
	return out
}

// prepare makes a spec one that can be run in the environment. One that signs in
// for others is not signed in itself.
func (r *specReader) prepare(s spec.Spec, tree treeFile, signsIn bool) (Spec, error) {
	l := Spec{Spec: s, files: r.sources[absolutePath(tree)].files, Base: cmp.Or(r.BaseURL, s.BaseURL, r.Target.BaseURL)}
	if l.Base == "" {
		return l, errors.New("it has no base address: give baseUrl in the front matter, --base-url, or base_url of the environment")
	}
	l.Hosts = append(Hosts("", l.Base, r.Network.AllowedHosts), s.AllowHosts...)
	errs := []error{r.checkReachable(hostOf(l.Base), "baseUrl"), r.checkDestructive(s.Destructive), rules.CheckTask(s.Task())}
	for _, host := range s.AllowHosts {
		errs = append(errs, r.checkReachable(host, "allowHosts"))
	}
	if !signsIn {
		err := r.signIn(&l, tree)
		errs = append(errs, err)
		if err == nil && s.Changes && l.Role == "" && l.SignedInBy == nil {
			errs = append(errs, errors.New("changesState: it signs in as nobody, so it shares no state with others: leave it out, or name a role or a sign-in in auth"))
		}
	} else if s.Auth != "" && s.Auth != "none" {
		errs = append(errs, fmt.Errorf("auth: %s: a spec that signs in for others can't be signed in itself", s.Auth))
	}
	return l, errors.Join(errs...)
}

// checkReachable refuses a host that the configuration closes.
func (r *specReader) checkReachable(host, key string) error {
	policy, err := egress.NewPolicy(r.Network)
	if err != nil {
		return err
	}
	probe := host
	if below, ok := strings.CutPrefix(host, "*."); ok {
		probe = "any." + below
	}
	if rule := policy.Check(probe); rule != "" {
		return fmt.Errorf("%s: no page may reach %s, by %s: change one of the two", key, host, rule)
	}
	return nil
}

// checkDestructive refuses a spec that allows itself more than the configuration does.
func (r *specReader) checkDestructive(own string) error {
	order := []string{"allow", "as-written", "ask", "deny"}
	if own != "" && slices.Index(order, own) < slices.Index(order, r.Destructive) {
		return fmt.Errorf("destructive: %s: the configuration says %s (guard.destructive), and a spec can only be stricter", own, r.Destructive)
	}
	return nil
}

// signIn finds what signs a spec in: a role of the environment, or another spec.
func (r *specReader) signIn(l *Spec, tree treeFile) error {
	var name string
	switch {
	case l.Auth == "none":
		return nil
	case spec.IsSpec(l.Auth):
		name = path.Join(path.Dir(tree.name), l.Auth)
		if name == ".." || strings.HasPrefix(name, "../") {
			return fmt.Errorf("auth: %s leads out of the tree of the specs", l.Auth)
		}
	case l.Auth != "":
		l.Role = l.Auth
		if err := checkRole(l.Role, r.Target); err != nil {
			return fmt.Errorf("auth: %w", err)
		}
		return nil
	default:
		name = nearestSignIn(tree)
	}
	if name == "" || name == tree.name {
		return nil
	}
	by, err := r.signInSpec(treeFile{root: tree.root, name: name}, l.Base)
	l.SignedInBy = by
	return err
}

// nearestSignIn returns the nearest sign-in beside a file or above it, or "".
func nearestSignIn(tree treeFile) string {
	for dir := path.Dir(tree.name); ; dir = path.Dir(dir) {
		f := treeFile{root: tree.root, name: path.Join(dir, signInFile)}
		if info, err := os.Stat(f.path()); err == nil && info.Mode().IsRegular() {
			return f.name
		}
		if dir == "." || dir == "/" {
			return ""
		}
	}
}

// signInSpec returns the spec in a file as one that signs in, at the address of those that
// it signs in for.
func (r *specReader) signInSpec(tree treeFile, base string) (*Spec, error) {
	s, err := r.source(tree)
	if err != nil {
		return nil, err
	}
	switch {
	case len(s.problems) > 0 && errors.Is(stat(tree), fs.ErrNotExist):
		return nil, fmt.Errorf("auth: there is no file %s", tree.path())
	case len(s.problems) > 0:
		return nil, s.problems
	case len(s.Specs) != 1 || s.Specs[0].Row > 0:
		return nil, fmt.Errorf("auth: %s has a data table: a sign-in is one run", tree.path())
	}
	spec := s.Specs[0]
	spec.File, spec.BaseURL = absolutePath(tree), cmp.Or(spec.BaseURL, base)
	if r.BaseURL == "" {
		base = spec.BaseURL
	}
	key := spec.File + "\n" + base
	if known := r.logins[key]; known != nil {
		return known, nil
	}
	l, err := r.prepare(spec, tree, true)
	if err != nil {
		return nil, asProblems(spec.Path, err)
	}
	l.SignsIn = true
	r.logins[key] = &l
	return &l, nil
}

func stat(f treeFile) error {
	_, err := os.Stat(f.path())
	return err
}

// checkTogether returns what is wrong with the specs as a whole: an id that two files have,
// and a variable that none has a place for.
func (r *specReader) checkTogether(all []Case) (problems flow.Problems) {
	first := map[string]string{}
	for _, l := range all {
		if l.Spec == nil || l.Spec.Row > 1 {
			continue
		}
		s := r.sources[l.File]
		if other, taken := first[s.ID]; taken && s.ID != "" {
			problems = append(problems, flow.Problem{Where: fmt.Sprintf("%s:%d", l.Path, s.IDLine), Message: fmt.Sprintf("id %q is that of %s too: give each spec its own", s.ID, other)})
		}
		first[s.ID] = l.Path
	}
	for _, name := range slices.Sorted(maps.Keys(r.Reader.Vars)) {
		if !r.used[name] {
			problems = append(problems, flow.Problem{Where: "--var " + name, Message: "no spec has a place for it" + text.Hint(name, r.vars)})
		}
	}
	return problems
}

// WithSignIns puts the specs that sign in for others before the first of those.
func WithSignIns(files []Case) []Case {
	var out []Case
	seen := map[*Spec]bool{}
	for _, f := range files {
		if f.Spec != nil && f.Spec.SignedInBy != nil && !seen[f.Spec.SignedInBy] {
			seen[f.Spec.SignedInBy] = true
			out = append(out, Case{Path: f.Spec.SignedInBy.Path, File: f.Spec.SignedInBy.File, Spec: f.Spec.SignedInBy})
		}
		out = append(out, f)
	}
	return out
}
