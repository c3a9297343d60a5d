package flow

import (
	"sort"
)

// Places maps the fields of a file to their lines.
type Places struct {
	file  string
	lines map[string]int
}

// Problem returns what is wrong with a field, such as ranges[0].steps[1].selector,
// with the line of the field, or of the nearest thing around it.
func (p Places) Problem(field, message string) Problem {
	r := nodeReader{file: p.file, lines: p.lines}
	r.add(r.lineOf(field), field, "%s", message)
	return r.problems[0]
}

// Read fills target, a pointer to a struct with json tags, from a TOML or JSON
// document (the name's ending tells which). It is strict: unknown keys and
// wrong kinds are problems, with file:line and the nearest key.
func Read(name string, data []byte, target any) (Places, Problems) {
	r := nodeReader{file: name, lines: map[string]int{}}
	places := Places{name, r.lines}
	if n, ok := r.parse(data); ok {
		r.fill(n, target, "")
	}
	Sort(r.problems)
	return places, r.problems
}

// Sort puts problems of one file in the order of their lines.
func Sort(problems Problems) {
	sort.SliceStable(problems, func(i, j int) bool { return problems[i].line < problems[j].line })
}
