package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/nearest"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools"
)

// signInFile is the spec that signs in for those beside and below it.
const signInFile = "AUTH_LOGIN.md"

// loadedSpec is a spec that is good to run.
type loadedSpec struct {
	spec.Spec
	base  string      // address that its relative ones belong to
	hosts []string    // the only ones that its pages reach
	role  string      // of the environment, that its sessions are signed in as; empty: none
	by    *loadedSpec // the spec that signs in for it; nil: none
	login *signedIn   // of a spec that signs in for others
}

// specTree is the file within the tree that its includes must stay in: the
// current folder where it is below that, so that a spec means the same run alone
// or with others.
func specTree(f flowFile) flowFile {
	here, err := os.Getwd()
	abs, absErr := filepath.Abs(f.path())
	if err != nil || absErr != nil {
		return f
	}
	rel, err := filepath.Rel(here, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return f
	}
	return flowFile{root: ".", name: filepath.ToSlash(rel), asked: f.asked}
}

// isCase reports whether a Markdown file that was found in a folder is a spec.
// The documents of a repository are none, as they are usually spelt: security.md
// may well be a spec. Where nobody named a folder, only what says that it has
// steps is one.
func isCase(file string, named bool) bool {
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	if strings.EqualFold(name, "README") || slices.Contains([]string{"CHANGELOG", "CONTRIBUTING", "CODE_OF_CONDUCT", "SECURITY", "LICENSE", "AUTH_LOGIN"}, name) {
		return false
	}
	if named {
		return true
	}
	content, err := os.ReadFile(file)
	return err != nil || spec.HasSteps(content) // what can't be read is said, not left out
}

var recordingForm = regexp.MustCompile(`^(.+\.(?i:md))(?:\.row-\d+)?\.flow\.json$`)

// recordingOf is the spec that a flow file is a recording of, or "".
func recordingOf(file string) string {
	m := recordingForm.FindStringSubmatch(file)
	if m == nil {
		return ""
	}
	if info, err := os.Stat(m[1]); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return m[1]
}

// specReader reads specs.
type specReader struct {
	reading
	sources map[string]source      // by absolute path
	logins  map[string]*loadedSpec // specs that sign in, by absolute path and base address
	parts   map[string]bool        // absolute paths of what other specs include, or are signed in by
	used    map[string]bool        // variables of the caller that some spec has a place for
	vars    []string               // that specs know
}

// source is a spec file that was read.
type source struct {
	spec.Source
	flowFile
	problems flow.Problems
}

// read reads a file, and notes what belongs to it.
func (r *specReader) read(file flowFile) error {
	if r.sources == nil {
		r.sources, r.logins, r.parts, r.used = map[string]source{}, map[string]*loadedSpec{}, map[string]bool{}, map[string]bool{}
	}
	tree := specTree(file)
	s, err := r.source(tree)
	if err != nil {
		return usage("%w", err)
	}
	for _, name := range s.Includes {
		r.parts[absolutePath(flowFile{root: tree.root, name: name})] = true
	}
	for _, by := range s.Specs {
		if spec.IsSpec(by.Auth) {
			r.parts[absolutePath(flowFile{root: tree.root, name: path.Join(path.Dir(tree.name), by.Auth)})] = true
		}
	}
	return nil
}

func absolutePath(f flowFile) string {
	abs, err := filepath.Abs(f.path())
	if err != nil {
		return f.path()
	}
	return abs
}

// source reads a file once.
func (r *specReader) source(tree flowFile) (s source, err error) {
	abs := absolutePath(tree)
	if s, ok := r.sources[abs]; ok {
		return s, nil
	}
	root, err := os.OpenRoot(tree.root)
	if err != nil {
		return s, fmt.Errorf("specs: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	s.flowFile = tree
	s.Source, s.problems = spec.LoadSpec(tree.name, spec.SpecOptions{
		Read:    func(name string) ([]byte, error) { return readFlow(root, name) },
		Show:    func(name string) string { return filepath.Join(tree.root, filepath.FromSlash(name)) },
		Vars:    r.reading.vars,
		Secrets: r.secrets,
		Rules:   tools.FlowRules(),
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

// cases are the specs of a file that is to be run: none where it is only a part
// of others.
func (r *specReader) cases(file flowFile) (out []loaded, problems flow.Problems) {
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
		l, err := r.settle(spec, tree, false)
		if err != nil {
			problems = append(problems, located(spec.Path, err)...)
		}
		out = append(out, loaded{path: spec.Path, file: abs, spec: &l})
	}
	return out, problems
}

// located are errors as problems of a file. What is a problem already stays one.
func located(file string, err error) (out flow.Problems) {
	var inner flow.Problems
	if errors.As(err, &inner) {
		return inner
	}
	for _, line := range strings.Split(err.Error(), "\n") {
		out = append(out, flow.Problem{Where: file + ":1", Message: line})
	}
	return out
}

// settle makes a spec one that can be run in the environment. One that signs in
// for others is not signed in itself.
func (r *specReader) settle(s spec.Spec, tree flowFile, signsIn bool) (loadedSpec, error) {
	l := loadedSpec{Spec: s, base: cmp.Or(r.fixed, s.BaseURL, r.target.BaseURL)}
	if l.base == "" {
		return l, errors.New("it has no base address: give baseUrl in the front matter, --base-url, or base_url of the environment")
	}
	l.hosts = append(taskHosts("", l.base, r.network.AllowedHosts), s.AllowHosts...)
	errs := []error{r.reach(hostOf(l.base), "baseUrl"), r.stricter(s.Destructive), tools.ValidateTask(s.Task())}
	for _, host := range s.AllowHosts {
		errs = append(errs, r.reach(host, "allowHosts"))
	}
	if !signsIn {
		errs = append(errs, r.signIn(&l, tree))
	} else if s.Auth != "" && s.Auth != "none" {
		errs = append(errs, fmt.Errorf("auth: %s: a spec that signs in for others can't be signed in itself", s.Auth))
	}
	return l, errors.Join(errs...)
}

// reach refuses a host that the configuration closes.
func (r *specReader) reach(host, key string) error {
	policy, err := egress.NewPolicy(r.network)
	if err != nil {
		return err
	}
	probe := host
	if below, ok := strings.CutPrefix(host, "*."); ok {
		probe = "any." + below
	}
	if rule := policy.Check(probe); rule != "" {
		return fmt.Errorf("%s: no page may reach %s, by %s: mend the one or the other", key, host, rule)
	}
	return nil
}

// stricter refuses a spec that allows itself more than the configuration does.
func (r *specReader) stricter(own string) error {
	order := []string{"allow", "ask", "deny"}
	if own != "" && slices.Index(order, own) < slices.Index(order, r.guard) {
		return fmt.Errorf("destructive: %s: the configuration says %s (guard.destructive), and a spec can only be stricter", own, r.guard)
	}
	return nil
}

// signIn finds what signs a spec in: a role of the environment, or another spec.
func (r *specReader) signIn(l *loadedSpec, tree flowFile) error {
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
		l.role = l.Auth
		if err := checkRole(l.role, r.target); err != nil {
			return fmt.Errorf("auth: %w", err)
		}
		return nil
	default:
		name = above(tree)
	}
	if name == "" || name == tree.name {
		return nil
	}
	by, err := r.login(flowFile{root: tree.root, name: name}, l.base)
	l.by = by
	return err
}

// above is the nearest sign-in beside a file or above it, or "".
func above(tree flowFile) string {
	for dir := path.Dir(tree.name); ; dir = path.Dir(dir) {
		f := flowFile{root: tree.root, name: path.Join(dir, signInFile)}
		if info, err := os.Stat(f.path()); err == nil && info.Mode().IsRegular() {
			return f.name
		}
		if dir == "." || dir == "/" {
			return ""
		}
	}
}

// login is the spec in a file as one that signs in, at the address of those that
// it signs in for.
func (r *specReader) login(tree flowFile, base string) (*loadedSpec, error) {
	s, err := r.source(tree)
	if err != nil {
		return nil, err
	}
	switch {
	case len(s.problems) > 0 && errors.Is(statOf(tree), fs.ErrNotExist):
		return nil, fmt.Errorf("auth: there is no file %s", tree.path())
	case len(s.problems) > 0:
		return nil, s.problems
	case len(s.Specs) != 1 || s.Specs[0].Row > 0:
		return nil, fmt.Errorf("auth: %s has a data table: a sign-in is one run", tree.path())
	}
	spec := s.Specs[0]
	spec.File, spec.BaseURL = absolutePath(tree), cmp.Or(spec.BaseURL, base)
	if r.fixed == "" {
		base = spec.BaseURL
	}
	key := spec.File + "\n" + base
	if known := r.logins[key]; known != nil {
		return known, nil
	}
	l, err := r.settle(spec, tree, true)
	if err != nil {
		return nil, located(spec.Path, err)
	}
	l.login = newSignedIn()
	r.logins[key] = &l
	return &l, nil
}

func statOf(f flowFile) error {
	_, err := os.Stat(f.path())
	return err
}

// among is what is wrong with the specs as a whole: an id that two files have,
// and a variable that none has a place for.
func (r *specReader) among(all []loaded) (problems flow.Problems) {
	first := map[string]string{}
	for _, l := range all {
		if l.spec == nil || l.spec.Row > 1 {
			continue
		}
		s := r.sources[l.file]
		if other, taken := first[s.ID]; taken && s.ID != "" {
			problems = append(problems, flow.Problem{Where: fmt.Sprintf("%s:%d", l.path, s.IDLine), Message: fmt.Sprintf("id %q is that of %s too: give each spec its own", s.ID, other)})
		}
		first[s.ID] = l.path
	}
	for _, name := range slices.Sorted(maps.Keys(r.reading.vars)) {
		if !r.used[name] {
			problems = append(problems, flow.Problem{Where: "--var " + name, Message: "no spec has a place for it" + nearest.Hint(name, r.vars)})
		}
	}
	return problems
}
