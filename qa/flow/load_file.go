package flow

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/assay-qa/assay/internal/document"
	"github.com/assay-qa/assay/qa"
)

// MaxFileBytes bounds a flow file: it holds a thousand long steps.
const MaxFileBytes = 1 << 20

// maxInclusion limits how deep flows may include each other.
const maxInclusion = 10

// Endings returns the endings of flow files' names.
func Endings() []string { return []string{".flow.toml", ".flow.json"} }

// IsFile reports whether a name is that of a flow file.
func IsFile(name string) bool {
	return slices.ContainsFunc(Endings(), func(e string) bool { return strings.HasSuffix(name, e) })
}

// Load reads the flow file called name, and what it includes, and checks it
// all. Names have slashes and are relative to the tree that read reads from;
// what an include names must be in that tree, too. All problems come at once,
// in the order of lines, with file:line in front.
//
// An included flow runs before the steps of the one that includes it, with all
// it has: its start_url is opened and its success condition is asserted. The
// start_url of the including flow is opened before the first included flow
// that has none of its own, or after all. Role, time-out and retries are those
// of the including flow; an included one may have no other role.
func Load(name string, read func(name string) ([]byte, error), rules Rules) (Flow, Problems) {
	l := loader{read: read, rules: rules}
	f := l.load(path.Clean(name), nil)
	if f.Name == "" {
		f.Name = baseName(name)
	}
	if len(l.problems) == 0 && len(f.Steps) > MaxSteps {
		l.problems = append(l.problems, Problem{Where: name, Field: "steps",
			Message: fmt.Sprintf("the flow has more than %d steps with those it includes", MaxSteps)})
	}
	return f, withoutRepeats(l.problems)
}

// withoutRepeats leaves out what a file that is included twice says twice.
func withoutRepeats(problems Problems) Problems {
	var out Problems
	for _, p := range problems {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// baseName returns a file's name without folder and ending.
func baseName(name string) string {
	name = path.Base(name)
	for _, e := range Endings() {
		name = strings.TrimSuffix(name, e)
	}
	return name
}

type loader struct {
	read     func(name string) ([]byte, error)
	rules    Rules
	problems Problems
}

// load reads one file and what it includes. chain are the files that led here.
func (l *loader) load(name string, chain []string) Flow {
	data, err := l.read(name)
	if err != nil {
		l.problems = append(l.problems, Problem{Where: name, Message: "read: " + err.Error()})
		return Flow{}
	}
	r := nodeReader{file: name, lines: map[string]int{}}
	f, readable := r.flow(data)
	if readable {
		r.check(&f, l.rules)
	}
	sort.SliceStable(r.problems, func(i, j int) bool { return r.problems[i].line < r.problems[j].line })
	l.problems = append(l.problems, r.problems...)
	if !readable {
		return f
	}
	for i := range f.Steps {
		f.Origins = append(f.Origins, fmt.Sprintf("%s:%d", name, r.lines[fmt.Sprintf("steps[%d]", i)]))
	}
	return l.include(f, name, append(slices.Clip(chain), name), r.lines)
}

// flow decodes a file, and reports whether there is more to say about it than
// what is in r.problems.
func (r *nodeReader) flow(data []byte) (Flow, bool) {
	var f Flow
	n, ok := r.parse(data)
	if !ok {
		return f, false
	}
	r.fill(n, &f, "")
	if i := slices.IndexFunc(n.Fields, func(f document.Field) bool { return f.Name == "steps" }); i >= 0 && len(n.Fields[i].Items) > MaxSteps {
		r.problems = nil // one is enough
		r.add(n.Fields[i].Line, "steps", "the flow has %d steps; accepted: up to %d. Split it, or move shared steps into flows of their own", len(n.Fields[i].Items), MaxSteps)
		return f, false
	}
	return f, true
}

// check validates what one file says by itself.
func (r *nodeReader) check(f *Flow, rules Rules) {
	alone := *f
	if len(f.Include) > 0 && len(f.Steps) == 0 && f.StartURL == "" {
		alone.StartURL = "about:blank" // what is included is something to do
	}
	v := validator{rules: rules}
	v.flow(alone)
	said := map[string]bool{} // by what was read: the rest would follow from it
	for _, p := range r.problems {
		said[stepOfField(p.Field)] = true
	}
	for _, p := range v.problems {
		if said[stepOfField(p.Field)] {
			continue
		}
		line, message := r.lineOf(p.Field), p.Message
		if n, ok := stepIndex(p.Field); ok {
			message = f.stepName(n) + ": " + message
		}
		r.add(line, p.Field, "%s", message)
	}
}

// stepOfField returns the step that a field belongs to, or the field itself.
func stepOfField(field string) string {
	if n, ok := stepIndex(field); ok {
		return stepField(n)
	}
	return field
}

// lineOf returns the line of a field, or of the nearest thing around it that has one.
func (r *nodeReader) lineOf(field string) int {
	for field != "" {
		if line := r.lines[field]; line > 0 {
			return line
		}
		field = field[:max(0, strings.LastIndexByte(field, '.'))]
	}
	return 0
}

// include puts what f includes before its steps.
func (l *loader) include(f Flow, name string, chain []string, lines map[string]int) Flow {
	if len(f.Include) == 0 {
		return f
	}
	out := f
	out.Include, out.Steps, out.Origins, out.StartURL = nil, nil, nil, ""
	opened := f.StartURL == ""
	open := func() {
		if !opened {
			out.navigate(f.StartURL, fmt.Sprintf("%s:%d", name, lines["start_url"]))
			opened = true
		}
	}
	for i, included := range f.Include {
		line := lines[fmt.Sprintf("include[%d]", i)]
		part, err := l.included(included, name, chain)
		if err != nil {
			l.problems = append(l.problems, Problem{Where: fmt.Sprintf("%s:%d", name, line), Field: "include", Message: err.Error(), line: line})
			continue
		}
		if part.Role != "" && part.Role != f.Role {
			l.problems = append(l.problems, Problem{Where: fmt.Sprintf("%s:%d", name, line), Field: "include",
				Message: fmt.Sprintf("include %q is for role %q, and a flow runs as one role: add role = %q here, or take it out there", included, part.Role, part.Role), line: line})
		}
		if part.StartURL == "" {
			open()
		}
		out.append(part)
		if len(out.Steps) > MaxSteps {
			return out // Load says so
		}
	}
	open()
	out.Steps = append(out.Steps, f.Steps...)
	out.Origins = append(out.Origins, f.Origins...)
	return out
}

// included loads one included file.
func (l *loader) included(included, from string, chain []string) (Flow, error) {
	target := path.Join(path.Dir(from), included)
	switch {
	case strings.TrimSpace(included) == "":
		return Flow{}, errors.New("an include is empty: name a flow file")
	case path.IsAbs(included), target == "..", strings.HasPrefix(target, "../"), strings.Contains(included, `\`):
		return Flow{}, fmt.Errorf("include %q leads out of the folder of the flows: name a file in it, with slashes", included)
	case !IsFile(target):
		return Flow{}, fmt.Errorf("include %q is no flow file: its name must end in %s", included, strings.Join(Endings(), " or "))
	case slices.Contains(chain, target):
		return Flow{}, fmt.Errorf("include goes round in a circle: %s", strings.Join(append(slices.Clone(chain), target), " → "))
	case len(chain) > maxInclusion:
		return Flow{}, fmt.Errorf("includes are nested deeper than %d files: %s", maxInclusion, strings.Join(append(slices.Clone(chain), target), " → "))
	}
	return l.load(target, chain), nil
}

// navigate adds the step that opens an address. The first one is the start.
func (f *Flow) navigate(address, origin string) {
	if f.StartURL == "" && len(f.Steps) == 0 {
		f.StartURL = address
		return
	}
	f.Steps = append(f.Steps, qa.FlowStep{Action: "navigate", URL: address, Description: "open start_url"})
	f.Origins = append(f.Origins, origin)
}

// append adds an included flow: its address, its steps and its success
// condition.
func (f *Flow) append(part Flow) {
	origin := ""
	if len(part.Origins) > 0 {
		origin = part.Origins[0]
	}
	if part.StartURL != "" {
		f.navigate(part.StartURL, origin)
	}
	f.Steps = append(f.Steps, part.Steps...)
	f.Origins = append(f.Origins, part.Origins...)
	if part.SuccessCondition != "" {
		a, selector := Condition(part.SuccessCondition)
		f.Steps = append(f.Steps, qa.FlowStep{Action: "assert", Assertion: &a, Selector: selector, Description: "success_condition of " + cmp.Or(part.Name, "an included flow")})
		f.Origins = append(f.Origins, origin)
	}
}
