package spec

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/qa"
)

// Spec holds a test case that a person wrote in Markdown, with its includes
// and variables put in. A data table makes one of each row.
type Spec struct {
	ID          string
	Title       string
	Path        string // of its file, as a person would name it
	File        string // absolute path of the same
	Line        int    // of its first step, from 1
	Hash        string // of all it was read from: another hash is another spec
	Tags        []string
	BaseURL     string            // what relative addresses are appended to; empty: the environment's
	Vars        map[string]string // as they were put in
	Secrets     []string          // names that it may use
	Auth        string            // role, or file of the sign-in relative to Path's folder; "none"; empty: the nearest AUTH_LOGIN.md
	Budgets     qa.Budgets        // zero: those of the environment and the agent
	Retries     int               // how often it is run again when it does not pass
	Viewport    *Size             // nil: that of the configuration
	AllowHosts  []string          // hosts that its pages reach beside that of the base URL
	Destructive string            // deny or ask; empty: as configured
	Changes     bool              // it changes what its account has on the server; of a sign-in: all that it signs in do
	Visual      []qa.VisualCheck  // pictures that are compared on its first page

	Preconditions []string
	Steps         []Step
	Expected      []Expected // of the whole spec
	ByTitle       bool       // nothing is expected but that what the title says is so
	Cleanup       []string
	Prose         string // what stands outside of the known sections
	Readings      Readings
	Unused        []string // readings of sentences that neither it nor another row has, a line each

	Row  int               // of the data table, from 1; 0: there is none
	Data map[string]string // of that row
}

// Step holds one step of a spec.
type Step struct {
	Text     string
	Expected []string // what must hold after it
	Expects  []string // ids of the task's expectations, in the order of Expected
	File     string   // it was included from this one; empty: the spec's own
	Line     int
}

// Expected holds what must hold at the end of a spec.
type Expected struct {
	Text string
	ID   string // of the task's expectation
	Line int
}

// Size holds an area in CSS pixels.
type Size struct{ Width, Height int }

// Name returns what a person calls the case: the title, and the row of its data.
func (s Spec) Name() string {
	if s.Row == 0 {
		return s.Title
	}
	return fmt.Sprintf("%s [%d]", s.Title, s.Row)
}

// Task returns the spec as a task. Each Expected is an expectation of its own, so
// that the spec passes only by an executed check of each.
func (s Spec) Task() qa.TaskSpec {
	t := qa.TaskSpec{ID: s.ID, Goal: s.goal(), Visual: s.Visual, Tags: s.Tags, Metadata: map[string]string{"spec": s.Path}}
	if s.Row > 0 {
		t.ID += "#" + strconv.Itoa(s.Row)
		t.Metadata["row"] = strconv.Itoa(s.Row)
	}
	if s.Budgets != (qa.Budgets{}) {
		b := s.Budgets
		t.Budgets = &b
	}
	for _, step := range s.Steps {
		for _, text := range step.Expected {
			t.Expectations = append(t.Expectations, qa.Expectation{Text: text})
		}
	}
	for _, e := range s.Expected {
		t.Expectations = append(t.Expectations, qa.Expectation{Text: e.Text})
	}
	t = t.Number()
	s.Readings.apply(t.Expectations, s.Sentence)
	return t
}

// Sentence returns what a reading of an expectation of the spec names: its text, or the
// title of a spec that expects nothing else.
func (s Spec) Sentence(e qa.Expectation) string {
	if s.ByTitle {
		return s.Title
	}
	return e.Text
}

// goal returns what the spec is for: its title, what is said beside its sections, and
// the values of its row.
func (s Spec) goal() string {
	parts := []string{s.Title}
	if s.Prose != "" && s.Prose != s.Title {
		parts = append(parts, s.Prose)
	}
	if s.Row > 0 {
		var values []string
		for _, name := range slices.Sorted(maps.Keys(s.Data)) {
			values = append(values, name+" = "+s.Data[name])
		}
		parts = append(parts, fmt.Sprintf("Row %d of the data: %s", s.Row, strings.Join(values, ", ")))
	}
	return strings.Join(parts, "\n\n")
}

// Procedure returns what the spec has done step by step; nil for mere prose, which
// the model works as a goal.
func (s Spec) Procedure() *agent.Procedure {
	if len(s.Steps) == 0 && len(s.Preconditions) == 0 && len(s.Cleanup) == 0 {
		return nil
	}
	p := agent.Procedure{Preconditions: s.Preconditions, Cleanup: s.Cleanup}
	for _, step := range s.Steps {
		p.Steps = append(p.Steps, agent.Step{Text: step.Text, Expects: step.Expects})
	}
	return &p
}

// number gives the expectations the ids that Task numbers them with.
func (s *Spec) number() {
	n := 0
	next := func() string { n++; return "E" + strconv.Itoa(n) }
	for i := range s.Steps {
		s.Steps[i].Expects = nil
		for range s.Steps[i].Expected {
			s.Steps[i].Expects = append(s.Steps[i].Expects, next())
		}
	}
	for i := range s.Expected {
		s.Expected[i].ID = next()
	}
}
