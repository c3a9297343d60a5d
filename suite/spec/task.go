package spec

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// TaskEndings returns the endings of the names of task files.
func TaskEndings() []string { return []string{".task.toml", ".task.json"} }

// IsTask reports whether a name is that of a task file.
func IsTask(name string) bool {
	return slices.ContainsFunc(TaskEndings(), func(e string) bool { return strings.HasSuffix(name, e) })
}

// Kind returns whether a file is a task, a spec or a flow, by its name.
func Kind(name string) string {
	switch {
	case IsTask(name):
		return "task"
	case IsSpec(name):
		return "spec"
	default:
		return "flow"
	}
}

// Task holds a task that passed its checks, and where it came from.
type Task struct {
	qa.TaskSpec
	Path string
	Hash string // of the file's bytes, and of its readings: another hash is another task

	Readings Readings // that a person accepted for its sentences
	Unused   []string // readings of sentences that it does not have, a line each
}

// TaskRules hold what only others know of a task.
type TaskRules struct {
	Flow     flow.Rules
	Validate func(qa.TaskSpec) error // all that is wrong; nil: [qa.TaskSpec.Validate]
	Readings []byte                  // the task's readings file (see [ReadingsFile]); nil: there is none
}

// LoadTask reads a task file and checks it. An id that is left out is the file's
// name; relative addresses of its steps are made absolute with base. All that
// is wrong comes at once, with file:line.
func LoadTask(path string, data []byte, base string, rules TaskRules) (Task, flow.Problems) {
	t := Task{Path: path, Hash: Hash(data)}
	places, problems := flow.Read(path, data, &t.TaskSpec)
	if len(problems) > 0 {
		return t, problems
	}
	t.ID = cmp.Or(t.ID, baseName(path))
	validate := rules.Validate
	if validate == nil {
		validate = qa.TaskSpec.Validate
	}
	for _, err := range parts(validate(t.TaskSpec)) {
		if message := err.Error(); !stepsForm.MatchString(message) {
			problems = append(problems, places.Problem(field(message), message))
		}
	}
	problems = append(problems, t.checkExpectations(places, rules.Flow)...)
	problems = append(problems, t.checkRoute(places, base, rules.Flow)...)
	for i := range t.Ranges {
		problems = append(problems, t.checkRange(i, places, base, rules.Flow)...)
	}
	t.TaskSpec = t.Number()
	flow.Sort(problems)
	if rules.Readings == nil || len(problems) > 0 {
		return t, problems
	}
	t.Hash = Hash(slices.Concat(data, rules.Readings))
	t.Readings, problems = LoadReadings(ReadingsFile(path), rules.Readings, rules.Flow)
	if len(problems) == 0 {
		t.Unused = t.Readings.Unused(sentences(t.Expectations, textOf))
		t.Readings.apply(t.Expectations, textOf)
	}
	return t, problems
}

// Hash returns the hash by which a changed file is recognised.
func Hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func baseName(path string) string {
	name := filepath.Base(path)
	for _, e := range TaskEndings() {
		name = strings.TrimSuffix(name, e)
	}
	return name
}

// parts returns the errors that were joined into one.
func parts(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var out []error
		for _, e := range joined.Unwrap() {
			out = append(out, parts(e)...)
		}
		return out
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// stepsForm matches a problem of a range's steps as a whole: checkRange adds
// their lines.
var stepsForm = pattern.New(`^ranges\[\d+\] "`)

var fieldForm = pattern.New(`^[A-Za-z]+(?:\[\d+\])?(?:\.[A-Za-z]+(?:\[\d+\])?)*`)

// field returns the field that a message begins with, or "".
func field(message string) string { return fieldForm.FindString(message) }

// checkExpectations checks what only the browser's rules know of: selectors.
func (t Task) checkExpectations(places flow.Places, rules flow.Rules) (problems flow.Problems) {
	for i, e := range t.Expectations {
		at := fmt.Sprintf("expectations[%d]", i)
		if e.AcceptedBy != "" || e.ByCaller || e.AmendedFrom != "" {
			problems = append(problems, places.Problem(at, at+": accepted_by, by_caller and amended_from are not written by hand: leave them out, and accept a reading with assay accept"))
		}
		if e.Selector != "" && rules.Selector != nil {
			if err := rules.Selector(e.Selector); err != nil {
				problems = append(problems, places.Problem(at+".selector", at+".selector: "+err.Error()))
			}
		}
	}
	return problems
}

// checkRoute makes sure that there is a page to open.
func (t Task) checkRoute(places flow.Places, base string, rules flow.Rules) flow.Problems {
	if t.Route == "" {
		if base != "" {
			return nil
		}
		return flow.Problems{places.Problem("route", "route is missing, and there is no base URL (--base-url)")}
	}
	if rules.URL != nil {
		if err := rules.URL(t.Route); err != nil {
			return flow.Problems{places.Problem("route", "route: "+err.Error())}
		}
	}
	route, err := url.Parse(t.Route)
	if err != nil {
		return flow.Problems{places.Problem("route", "route: "+err.Error())}
	}
	if route.IsAbs() || base != "" {
		return nil
	}
	return flow.Problems{places.Problem("route", fmt.Sprintf("route %s is relative: give the address it belongs to (--base-url)", t.Route))}
}

// checkRange checks the steps of a range as those of a flow.
func (t Task) checkRange(i int, places flow.Places, base string, rules flow.Rules) (problems flow.Problems) {
	at := fmt.Sprintf("ranges[%d]", i)
	if len(t.Ranges[i].Steps) == 0 {
		return problems
	}
	steps := flow.Flow{StartURL: "about:blank", Steps: t.Ranges[i].Steps}
	wrong := steps.Validate(rules)
	if len(wrong) == 0 {
		steps, wrong = flow.Flow{Steps: steps.Steps}.Resolve(base)
		t.Ranges[i].Steps = steps.Steps
	}
	for _, p := range wrong {
		problems = append(problems, places.Problem(at+"."+p.Field, at+": "+p.Error()))
	}
	return problems
}
