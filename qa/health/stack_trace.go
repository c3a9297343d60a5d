package health

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/assay-qa/assay/internal/pattern"
)

// trace is what a program of one kind says when it fails.
type trace struct {
	of    string
	found *regexp.Regexp
}

//go:embed stack_traces.txt
var stackTracesFile string

var traces = sync.OnceValue(func() []trace {
	read, err := readTraces(stackTracesFile)
	if err != nil {
		panic(err) // a file of this build is broken, and a test reads it
	}
	return read
})

// readTraces reads stack_traces.txt, whose head describes its form.
func readTraces(text string) ([]trace, error) {
	var out []trace
	err := pattern.Lines("stack_traces.txt", text, func(line string) error {
		of, expression, ok := strings.Cut(line, "\t")
		if !ok {
			return fmt.Errorf("%q has no tab between a name and an expression", line)
		}
		compiled, err := regexp.Compile(expression)
		out = append(out, trace{of, compiled})
		return err
	})
	return out, err
}

// traceShare sets the share of a page's text, in percent, above which a block of preformatted text
// counts as the page.
const traceShare = 70

// checkTrace looks for a stack trace. In a block of preformatted text it counts
// where there is hardly anything else: a log viewer shows such blocks, too.
func (j *judge) checkTrace() {
	open, closed := "", ""
	for _, t := range j.facts.Texts {
		switch {
		case t.Edit || t.User:
		case t.Pre || t.Code:
			closed += t.Text + "\n"
		default:
			open += t.Text + "\n"
		}
		if len(open)+len(closed) > maxBody {
			break
		}
	}
	alone := len(closed)*100 > traceShare*(len(open)+len(closed)) && j.facts.Controls <= 2
	for _, tr := range traces() {
		if at := tr.found.FindString(open); at != "" {
			j.add(StackTrace, !j.technical, j.selectorOf(at), "of %s: %s", tr.of, quoted(at))
			return
		}
		if at := tr.found.FindString(closed); at != "" && alone && !logged.MatchString(before(closed, at)) {
			j.add(StackTrace, true, j.selectorOf(at), "of %s: %s", tr.of, quoted(at))
			return
		}
	}
}

// logged matches a time of day in a line: a program that fails writes none before its trace, and a
// log does.
var logged = pattern.New(`\b\d{1,2}:\d{2}\b`)

// before returns the line of a text up to what stands in it.
func before(text, at string) string {
	head, _, _ := strings.Cut(text, at)
	return head[strings.LastIndex(head, "\n")+1:]
}

// selectorOf returns the selector of the text that holds at or begins it.
func (j *judge) selectorOf(at string) string {
	for _, t := range j.facts.Texts {
		if t.Selector != "" && len(t.Text) > 8 && (strings.Contains(at, t.Text) || strings.Contains(t.Text, at)) {
			return t.Selector
		}
	}
	return ""
}
