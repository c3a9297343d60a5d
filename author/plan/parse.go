package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
)

// maxProblems bounds the mistakes of a plan that one error lists.
const maxProblems = 20

// Problem is a mistake in a plan.
type Problem struct {
	File    string
	Line    int
	Message string
}

func (p Problem) String() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Message) }

// ParseError holds what is wrong with a plan, in the order of its lines.
type ParseError struct{ Problems []Problem }

func (e *ParseError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Parse reads a plan. file is its name in messages. A plan that can't be read as a
// whole is a [*ParseError].
func Parse(file string, data []byte) (Plan, error) {
	p := &parser{file: file, seen: map[string]int{}}
	text := strings.TrimPrefix(string(data), "\ufeff")
	if at := strings.Index(text, "\x00"); at >= 0 || !utf8.ValidString(text) {
		p.add("this is no text in UTF-8")
		return Plan{}, &ParseError{p.problems}
	}
	for line := range strings.Lines(text) {
		p.line++
		if p.last = strings.TrimRight(line, " \t\r\n"); p.last != "" {
			p.lastFull = p.line
			p.read(p.last)
		}
		if len(p.problems) >= maxProblems {
			break
		}
	}
	if len(p.problems) < maxProblems {
		p.end(strings.HasSuffix(text, "\n"))
	}
	if len(p.problems) > 0 {
		return Plan{}, &ParseError{p.problems}
	}
	return p.plan, nil
}

// Parts of a plan that a line can stand in.
const (
	inHead = iota
	inFlow
	inStep
	inAction
	inExpected
	inNotable
	inSummary
	afterEnd
)

// parser reads a plan line by line.
type parser struct {
	file     string
	line     int
	last     string // the newest line
	lastFull int    // the newest line with words
	titled   bool
	part     int
	plan     Plan
	seen     map[string]int // fields of the part, and the lines that they stand in
	problems []Problem
}

func (p *parser) add(format string, args ...any) {
	p.addAt(max(p.line, 1), format, args...)
}

func (p *parser) addAt(line int, format string, args ...any) {
	p.problems = append(p.problems, Problem{p.file, line, fmt.Sprintf(format, args...)})
}

// step returns the step that is being read.
func (p *parser) step() *Step {
	steps := p.plan.Flows[len(p.plan.Flows)-1].Steps
	return &steps[len(steps)-1]
}

var (
	stepHeading = pattern.New(`^### Step ([0-9]{1,9}): ([A-Za-z]+)$`)
	actionForm  = pattern.New(`^\*\*Action(?:\*\*:|:\*\*) ([A-Za-z]+) on (element|page)$`)
	fieldForm   = pattern.New(`^(- )?\*\*([^*:]+)(?:\*\*:|:\*\*)(?: (.*))?$`)
	bullet      = pattern.New(`^(?: +|\t)- (.+)$`)
)

// read reads one line that is not empty.
func (p *parser) read(line string) {
	field := fieldForm.FindStringSubmatch(line)
	switch {
	case p.part == afterEnd:
		p.add("the plan has ended before this line")
	case !p.titled && line != titleLine:
		p.titled = true
		p.add("a plan begins with the line %q", titleLine)
	case line == titleLine && !p.titled:
		p.titled = true
	case line == beginLine && p.part == inHead && !p.plan.Marked:
		p.plan.Marked = true
	case line == endLine && p.plan.Marked:
		p.closeFlow()
		p.part = afterEnd
	case line == summaryLine && p.part != inHead && p.part != inSummary:
		p.closeFlow()
		p.part = inSummary
	case p.part == inSummary && strings.HasPrefix(line, "|"):
		p.plan.Summary = append(p.plan.Summary, line)
	case line == flowLine || strings.HasPrefix(line, flowLine+": "):
		p.flow(strings.TrimPrefix(line[len(flowLine):], ": "))
	case stepHeading.MatchString(line) && p.part != inHead:
		p.heading(stepHeading.FindStringSubmatch(line))
	case actionForm.MatchString(line) && p.part == inStep:
		p.action(actionForm.FindStringSubmatch(line))
	case (line == expectedLine || line == "**Expected Results**:") && p.part == inAction:
		p.part, p.seen = inExpected, map[string]int{}
	case bullet.MatchString(line) && p.part == inNotable:
		n, err := readNotable(bullet.FindStringSubmatch(line)[1])
		if err != nil {
			p.add("%v", err)
		}
		e := &p.step().Expected
		e.Notable = append(e.Notable, n)
	case field != nil && p.known(field[1] != "", field[2]):
		p.field(field[2], strings.TrimSpace(field[3]))
	default:
		p.unknown(line)
	}
}

// flow begins a flow.
func (p *parser) flow(name string) {
	p.closeFlow()
	name, err := whole(strings.TrimSpace(name))
	if err != nil {
		p.add("name: %v", err)
	}
	p.plan.Flows = append(p.plan.Flows, Flow{Name: name})
	p.part = inFlow
}

// heading begins a step.
func (p *parser) heading(m []string) {
	p.closeStep()
	f := &p.plan.Flows[len(p.plan.Flows)-1]
	number, err := strconv.Atoi(m[1])
	switch {
	case err != nil || number < 1:
		p.add("%s is no number of a step: they begin with 1 or more", m[1])
	case len(f.Steps) > 0 && number != f.Steps[len(f.Steps)-1].Number+1:
		p.add("step %d follows step %d: steps are numbered one after another", number, f.Steps[len(f.Steps)-1].Number)
	}
	kind := strings.ToLower(m[2])
	if !slices.Contains(Kinds(), kind) {
		p.add("there is no action %q%s: there are %s", m[2], text.Hint(kind, Kinds()), strings.Join(Kinds(), ", "))
	}
	f.Steps = append(f.Steps, Step{Number: number, Kind: kind, Line: p.line})
	p.part = inStep
}

// action reads what a step does.
func (p *parser) action(m []string) {
	if s := p.step(); strings.ToLower(m[1]) != s.Kind {
		p.add("the step's heading says %s, and its action says %s", s.Kind, m[1])
	}
	p.part, p.seen = inAction, map[string]int{}
}

// The fields of each part, in the order in which they are printed.
func headFields() []string { return []string{"Start URL", "Role"} }
func actionFields() []string {
	return []string{"Selector", "Text", "Link", "XPath", "ID", "Frame", "Value", "Option", "Key", "Reason"}
}
func expectedFields() []string { return []string{"URL", "Page Title", "Notable Elements", "Result"} }

// known reports whether the part has a field of that name. Only those of the head have
// no bullet.
func (p *parser) known(bulleted bool, name string) bool {
	switch p.part {
	case inHead:
		return !bulleted && slices.Contains(headFields(), name)
	case inAction:
		return bulleted && slices.Contains(actionFields(), name)
	case inExpected, inNotable:
		return bulleted && slices.Contains(expectedFields(), name)
	}
	return false
}

// field reads a field of the head or of a step.
func (p *parser) field(name, text string) {
	if before := p.seen[name]; before > 0 {
		p.add("%s stands in line %d already", name, before)
		return
	}
	p.seen[name] = p.line
	if name == "Notable Elements" {
		if p.part = inNotable; text != "" {
			p.add("notable elements stand in lines of their own, which begin with two spaces and a bullet")
		}
		return
	}
	if p.part == inNotable {
		p.part = inExpected
	}
	if text == "" {
		p.add("%s has no value: leave the line out where there is none", name)
		return
	}
	v, err := whole(text)
	if err != nil {
		p.add("%s: %v", name, err)
		return
	}
	switch name {
	case "Value":
		p.step().Value = &v
		return
	case "Result": // it follows from the step
		return
	}
	if v == "" {
		p.add("%s is empty: leave the line out where there is none", name)
		return
	}
	*p.target(name) = v
}

// target returns where a field of the plan is kept.
func (p *parser) target(name string) *string {
	switch name {
	case "Start URL":
		return &p.plan.StartURL
	case "Role":
		return &p.plan.Role
	}
	s := p.step()
	return map[string]*string{"Selector": &s.Selector, "Text": &s.Text, "Link": &s.Link, "XPath": &s.XPath, "ID": &s.ID, "Frame": &s.Frame, "Option": &s.Option,
		"Key": &s.Key, "Reason": &s.Reason, "URL": &s.Expected.URL, "Page Title": &s.Expected.Title}[name]
}

// unknown tells what a line could have been.
func (p *parser) unknown(line string) {
	const notOurs = "a plan has no other lines than those of its form; notes belong into a step's Reason"
	m := fieldForm.FindStringSubmatch(line)
	var known []string
	switch p.part {
	case inHead:
		known = append(headFields(), flowLine)
	case inFlow:
		p.add("%q stands where a step begins, such as %q: %s", short(line), "### Step 2: CLICK", notOurs)
		return
	case inStep:
		p.add("%q stands where the action of step %d is, such as %q", short(line), p.step().Number, "**Action:** click on element")
		return
	case inAction:
		known = append(actionFields(), "Expected Results")
	default:
		known = expectedFields()
	}
	name := strings.Trim(line, "#*-: ")
	if m != nil {
		name = m[2]
	}
	if slices.Contains(known, name) {
		p.add("%q is not written as a plan has it, such as %q", short(line), example(name))
		return
	}
	p.add("unknown line %q; the nearest known is %q: %s", short(line), meant(name, known), notOurs)
}

// meant returns the known name that is likely meant: one that has the words, or the
// nearest.
func meant(name string, known []string) string {
	for _, k := range known {
		if a, b := strings.ToLower(k), strings.ToLower(name); b != "" && (strings.Contains(a, b) || strings.Contains(b, a)) {
			return k
		}
	}
	return text.Closest(name, known)
}

// example returns the line of a field as it is printed.
func example(name string) string {
	switch {
	case name == flowLine || name == "Expected Results":
		return map[string]string{flowLine: flowLine, "Expected Results": expectedLine}[name]
	case slices.Contains(headFields(), name):
		return "**" + name + "**: …"
	}
	return "- **" + name + "**: …"
}

// closeStep makes sure that the step before is whole.
func (p *parser) closeStep() {
	const cut = "the plan was cut off here, or a part was taken out by hand"
	if p.part < inStep || p.part == afterEnd {
		return
	}
	s := p.step()
	switch {
	case p.part == inStep:
		p.addAt(p.lastStepLine(), "step %d has no action: %s", s.Number, cut)
	case p.part == inAction:
		p.addAt(p.lastStepLine(), "step %d has no line %q: %s", s.Number, expectedLine, cut)
	case p.part == inNotable && len(s.Expected.Notable) == 0:
		p.addAt(p.lastStepLine(), "step %d lists no notable element: %s", s.Number, cut)
	}
	if p.part > inStep && !s.OnPage() && s.Selector == "" && s.XPath == "" && s.ID == "" {
		p.addAt(s.Line, "step %d names no element: it needs a line Selector, XPath or ID", s.Number)
	}
	if p.part > inStep && s.Kind == "navigate" && s.Link == "" {
		p.addAt(s.Line, "step %d says no address to go to: it needs a line Link", s.Number)
	}
}

// lastStepLine returns the line that a message about the end of a step names.
func (p *parser) lastStepLine() int { return max(p.step().Line, min(p.lastFull, p.line)) }

// closeFlow makes sure that the flow before is whole.
func (p *parser) closeFlow() {
	p.closeStep()
	if p.part == inFlow {
		p.add("the flow before this line has no step: the plan was cut off here, or steps were taken out by hand")
	}
}

// end makes sure that the plan is whole.
func (p *parser) end(lineEnded bool) {
	if p.part == afterEnd {
		return
	}
	p.line = max(p.lastFull, 1)
	before := len(p.problems)
	p.closeFlow()
	switch {
	case len(p.problems) > before:
	case !p.titled:
		p.add("the plan is empty: it begins with the line %q", titleLine)
	case p.plan.StartURL == "" && p.part == inHead:
		p.add("the plan ends here, without a line %q", "**Start URL**: …")
	case len(p.plan.Flows) == 0:
		p.add("the plan ends here, without a line %q", flowLine)
	case p.plan.Marked:
		p.add("the plan was cut off here: the line %q is missing", endLine)
	case !lineEnded:
		p.add("the plan ends in the middle of line %q: it was cut off here, or an editor left the last line end out; add one", short(p.last))
	}
	if p.plan.StartURL == "" && len(p.problems) == 0 {
		p.addAt(1, "the plan has no line %q", "**Start URL**: …")
	}
}

// short returns a line as it stands in a message.
func short(line string) string { return text.Shorten(line, 80) }
