package spec

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// Reading holds an assertion that a person accepted as what a sentence asks
// for.
type Reading struct {
	Sentence   string       `json:"sentence"` // as the expectation has it, to the character
	Selector   string       `json:"selector,omitempty"`
	Assertion  qa.Assertion `json:"assertion"`
	AcceptedBy string       `json:"accepted_by"`
	At         string       `json:"at"`  // RFC 3339
	Run        string       `json:"run"` // id of the run that proposed it
}

// Readings holds the contents of a readings file.
type Readings struct {
	Readings []Reading
	places   []string // file:line of each
}

// ReadingsFile returns the path of the readings of a spec or a task: beside
// its file.
func ReadingsFile(file string) string { return file + ".readings.toml" }

// LoadReadings reads a readings file and checks all of it: what can't be taken as
// it stands is a problem, with file:line. rules know selectors.
func LoadReadings(name string, data []byte, rules flow.Rules) (Readings, flow.Problems) {
	var file struct {
		Readings []Reading `json:"readings"`
	}
	places, problems := flow.Read(name, data, &file)
	r := Readings{Readings: file.Readings}
	if len(problems) > 0 {
		return r, problems
	}
	if len(file.Readings) == 0 {
		return r, flow.Problems{places.Problem("readings", "it has no [[readings]]: was it cut? Take it from version control, or delete it")}
	}
	for i, reading := range file.Readings {
		at := fmt.Sprintf("readings[%d]", i)
		wrong := func(field, format string, args ...any) {
			problems = append(problems, places.Problem(at+"."+field, at+"."+field+": "+fmt.Sprintf(format, args...)))
		}
		reading.check(wrong, rules)
		if j := slices.IndexFunc(file.Readings[:i], func(o Reading) bool { return o.Sentence == reading.Sentence }); j >= 0 {
			wrong("sentence", "readings[%d] has the same sentence: keep one of them", j)
		}
		r.places = append(r.places, places.Problem(at+".sentence", "").Where)
	}
	flow.Sort(problems)
	return r, problems
}

// check returns what is wrong with a reading.
func (r Reading) check(wrong func(field, format string, args ...any), rules flow.Rules) {
	if strings.TrimSpace(r.Sentence) == "" {
		wrong("sentence", "it is missing: a reading is of one sentence")
		return
	}
	if strings.TrimSpace(r.AcceptedBy) == "" {
		wrong("accepted_by", "it is missing: a person accepts a reading, with assay accept")
	}
	if _, err := time.Parse(time.RFC3339, r.At); err != nil {
		wrong("at", "%q is no time such as 2026-11-23T10:00:00Z", r.At)
	}
	if r.Run == "" {
		wrong("run", "it is missing: the id of the run that proposed the reading")
	}
	if err := r.Assertion.Validate(r.Selector); err != nil {
		wrong("assertion", "%v", err)
		return
	}
	if r.Selector != "" && rules.Selector != nil {
		if err := rules.Selector(r.Selector); err != nil {
			wrong("selector", "%v", err)
		}
	}
	if err := qa.CheckReading(r.Sentence, r.Assertion, r.Selector); err != nil {
		wrong("assertion", "%v", err)
	}
}

// apply gives each expectation that has no assertion the one that was accepted for
// its sentence. sentence is the one that a reading of it names.
func (r Readings) apply(expectations []qa.Expectation, sentence func(qa.Expectation) string) {
	for i := range expectations {
		e := &expectations[i]
		at := slices.IndexFunc(r.Readings, func(o Reading) bool { return o.Sentence == sentence(*e) })
		if at < 0 || e.Assertion != nil {
			continue
		}
		own := r.Readings[at]
		e.Assertion, e.Selector, e.AcceptedBy = &own.Assertion, own.Selector, own.AcceptedBy
	}
}

// textOf returns the sentence of an expectation of a task.
func textOf(e qa.Expectation) string { return e.Text }

func sentences(expectations []qa.Expectation, sentence func(qa.Expectation) string) (out []string) {
	for _, e := range expectations {
		out = append(out, sentence(e))
	}
	return out
}

// Unused returns the readings of none of the sentences, a line each with its place.
func (r Readings) Unused(sentences []string) (out []string) {
	for i, reading := range r.Readings {
		if !slices.Contains(sentences, reading.Sentence) {
			out = append(out, fmt.Sprintf("%s: no expectation says %q any more: this reading is not used; take it out", r.places[i], reading.Sentence))
		}
	}
	return out
}

// tomlAssertion returns an assertion as TOML.
func tomlAssertion(a qa.Assertion) string {
	out := "{ type = " + tomlText(string(a.Type))
	if a.Not {
		out += ", not = true"
	}
	if a.WholeWords {
		out += ", whole_words = true"
	}
	texts := a.Texts()
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		if texts[key] != "" {
			out += ", " + key + " = " + tomlText(texts[key])
		}
	}
	return out + " }"
}

// tomlText returns a string of TOML: a literal one where that is easier to read.
func tomlText(s string) string {
	if strings.Contains(s, `"`) && !strings.Contains(s, "'") && !strings.ContainsFunc(s, unicode.IsControl) {
		return "'" + s + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case unicode.IsControl(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// With adds readings; one of the same sentence replaces an older one.
func (r Readings) With(more []Reading) Readings {
	for _, m := range more {
		r.Readings = slices.DeleteFunc(slices.Clone(r.Readings), func(o Reading) bool { return o.Sentence == m.Sentence })
		r.Readings = append(r.Readings, m)
	}
	return r
}

// Text returns the readings file of a spec or task.
func (r Readings) Text(of string) []byte {
	var b strings.Builder
	name := path.Base(of)
	fmt.Fprintf(&b, "# What a person accepted as the meaning of sentences of %s: assay accept %s\n# It is reviewed with that "+
		"file. A sentence that changes by one character is to be accepted again.\n", name, name)
	for _, reading := range r.Readings {
		fmt.Fprintf(&b, "\n[[readings]]\nsentence = %s\n", tomlText(reading.Sentence))
		if reading.Selector != "" {
			fmt.Fprintf(&b, "selector = %s\n", tomlText(reading.Selector))
		}
		fmt.Fprintf(&b, "assertion = %s\naccepted_by = %s\nat = %s\nrun = %s\n", tomlAssertion(reading.Assertion), tomlText(reading.AcceptedBy), tomlText(reading.At), tomlText(reading.Run))
	}
	return []byte(b.String())
}
