package e2e_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// audit checks what must hold of every conversation, whatever its test is
// about: nothing but valid messages, each request answered once, progress in
// order, answers that keep their promises.
func (w *wire) audit() {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.auditForm()
	w.auditAnswers()
	w.auditProgress()
	w.auditResults()
}

// auditForm: every line is a message that the official schema accepts.
func (w *wire) auditForm() {
	w.t.Helper()
	all, err := officials()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Error(err)
	}
	schemas := all[w.revision] // nil where they are missing, see TestOfficialSchemasAreThere
	for i, m := range w.heard {
		cut := w.damaged && i == len(w.heard)-1 && !strings.HasSuffix(string(m.line), "\n")
		switch {
		case cut:
		case m.problem != nil:
			w.t.Errorf("stdout carries a line that is no message: %v: %s", m.problem, brief(m.line))
		case schemas == nil:
		default:
			if err := schemas.valid(m, w.asked[key(m.ID)].method); err != nil {
				w.t.Errorf("not valid in %s: %v\n%s", w.revision, err, brief(m.line))
			}
		}
	}
}

// auditAnswers: each request is answered once, a cancelled one not at all
// (or, when the answer crossed the cancellation, once).
func (w *wire) auditAnswers() {
	w.t.Helper()
	answers := map[string]int{}
	for _, m := range w.heard {
		if m.Method == "" && m.problem == nil && m.ID != nil {
			answers[key(m.ID)]++
		}
	}
	for id, a := range w.asked {
		n := answers[id]
		delete(answers, id)
		switch {
		case a.method == "": // no request, so no answer is owed
		case n == a.times, w.damaged && n < a.times, w.cancelled[id] && n < a.times:
		default:
			w.t.Errorf("request %s (%s) was sent %d times and answered %d times", id, a.method, a.times, n)
		}
	}
	for id, n := range answers {
		w.t.Errorf("%d answers to %s, which nobody asked", n, id)
	}
}

// auditProgress: only for requests that asked for it, rising, and never after
// the result.
func (w *wire) auditProgress() {
	w.t.Helper()
	owner := map[string]string{}
	for id, a := range w.asked {
		if a.token != "" {
			owner[a.token] = id
		}
	}
	last, answered := map[string]float64{}, map[string]bool{}
	for _, m := range w.heard {
		if m.Method == "" {
			answered[key(m.ID)] = true
		}
		if m.Method != "notifications/progress" {
			continue
		}
		var p struct {
			ProgressToken json.RawMessage
			Progress      float64
		}
		if err := json.Unmarshal(m.Params, &p); err != nil {
			w.t.Errorf("progress: %v", err)
		}
		token := string(p.ProgressToken)
		before, seen := last[token]
		switch id, known := owner[token]; {
		case !known:
			w.t.Errorf("progress for token %s, which nobody gave", token)
		case answered[id]:
			w.t.Errorf("progress after the answer to request %s", id)
		case seen && p.Progress <= before:
			w.t.Errorf("progress goes from %v to %v", before, p.Progress)
		}
		last[token] = p.Progress
	}
}

// mark opens the part of an answer's text that came from a page.
var mark = regexp.MustCompile(`(?m)^<(page-[0-9a-f]+)>$`)

// auditResults: the error flag says what the envelope says, structured content
// fits the tool's output schema, and no two answers share a mark.
func (w *wire) auditResults() {
	w.t.Helper()
	var marks []string
	for _, m := range w.heard {
		request := w.asked[key(m.ID)]
		if m.Method != "" || m.Result == nil || request.method != "tools/call" {
			continue
		}
		var a answer
		if err := errors.Join(json.Unmarshal(m.Result, &a), json.Unmarshal(a.StructuredContent, &a.envelope)); err != nil {
			w.t.Errorf("%s: %v in %s", request.tool, err, brief(m.line))
			continue
		}
		if a.IsError == a.envelope.OK {
			w.t.Errorf("%s: isError is %v and ok is %v", request.tool, a.IsError, a.envelope.OK)
		}
		if a.text() == "" {
			w.t.Errorf("%s: an answer without text: %s", request.tool, brief(m.line))
		}
		if schema := w.outputs[request.tool]; schema != nil {
			s, err := compile(schema)
			if err == nil {
				err = validate(s, a.StructuredContent)
			}
			if err != nil {
				w.t.Errorf("%s: its own output schema refuses the answer: %v", request.tool, err)
			}
		}
		marks = append(marks, w.auditMarks(request.tool, a.text())...)
	}
	slices.Sort(marks)
	if len(slices.Compact(slices.Clone(marks))) != len(marks) {
		w.t.Errorf("two answers share a mark, so a page can learn it: %v", marks)
	}
}

// auditMarks returns the marks of an answer, and checks that they close.
func (w *wire) auditMarks(tool, text string) []string {
	w.t.Helper()
	var marks []string
	for _, m := range mark.FindAllStringSubmatch(text, -1) {
		marks = append(marks, m[1])
		if strings.Count(text, "\n</"+m[1]+">") != 1 {
			w.t.Errorf("%s: the mark %s is not closed once: %s", tool, m[1], brief([]byte(text)))
		}
	}
	return marks
}
