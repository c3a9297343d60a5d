package flow

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/assay-qa/assay/internal/document"
	"github.com/assay-qa/assay/qa"
)

// nodeReader fills Go values from a file's document, and collects what doesn't fit.
type nodeReader struct {
	file     string
	lines    map[string]int // of each field that was read, such as steps[2].selector
	problems Problems
}

func (r *nodeReader) add(line int, path, format string, args ...any) {
	where := r.file
	if line > 0 {
		where += ":" + strconv.Itoa(line)
	}
	r.problems = append(r.problems, Problem{Where: where, Field: path, Message: fmt.Sprintf(format, args...), line: line})
}

// parse reads the document of the file. Where it can't, a problem says why.
func (r *nodeReader) parse(data []byte) (document.Node, bool) {
	if len(data) > MaxFileBytes {
		r.add(0, "", "the file has %d bytes; accepted: up to %d. Is this the right file?", len(data), MaxFileBytes)
		return document.Node{}, false
	}
	n, err := document.Parse(document.FormatOf(r.file), data)
	if err != nil {
		r.add(document.LineOf(err), "", "%v", err)
		return n, false
	}
	return n, true
}

// fill sets target, a pointer, from n, which stands at path.
func (r *nodeReader) fill(n document.Node, target any, path string) {
	// A list far beyond the limit is counted, and not read.
	d := document.Decoder{Tag: "json", MaxItems: MaxSteps + 1, Rename: inOurWords, Lines: r.lines}
	d.Decode(n, target, path)
	for _, p := range d.Problems {
		r.add(p.Line, p.Field, "%s", p.Message)
	}
}

// inOurWords returns a field in the specifications' words under our name; options =
// { timeout = … } is the time-out itself.
func inOurWords(t reflect.Type, f document.Field) document.Field {
	if t != reflect.TypeFor[qa.FlowStep]() && t != reflect.TypeFor[Flow]() {
		return f
	}
	if f.Name == "options" && f.Kind == document.Table && len(f.Fields) == 1 && f.Fields[0].Name == "timeout" {
		f = f.Fields[0]
	}
	if f.Name == "timeout" {
		f.Name = "timeout_ms"
	}
	return f
}
