package loop

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/assay-qa/assay/author/script"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/qa"
)

// Task is a flow in words, and what is expected of it.
type Task struct {
	Words        string
	Expectations []Expectation
}

// Expectation is a sentence of the task that an assertion of the test has to cover.
type Expectation struct {
	ID      string      `json:"id"`
	Text    string      `json:"text"`
	Demands []qa.Demand `json:"-"`
}

// Means says what the expectation was understood as.
func (e Expectation) Means() string {
	var out []string
	for _, d := range e.Demands {
		out = append(out, d.Means)
	}
	return strings.Join(out, "; ")
}

// asks is how a sentence begins that says what is expected, whatever follows.
var asks = pattern.New(`(?i)^(?:and |then )*(?:verify|expect|assert|ensure|make sure|check that|confirm that)\b`)

// maxWords bounds a task, in bytes.
const maxWords = 8 << 10

// ReadTask reads a flow in words. Sentences that say what is to be seen are its
// expectations, more are further ones; all others are steps. Something has to be
// expected.
func ReadTask(words string, more []string) (Task, error) {
	t := Task{Words: strings.TrimSpace(words)}
	if len(words) > maxWords {
		return t, fmt.Errorf("the flow has %d bytes, more than %d: write several tests", len(words), maxWords)
	}
	var last error
	for _, s := range sentences(t.Words) {
		demands, err := qa.Demands(s)
		if err != nil {
			last = fmt.Errorf("%q: %w", s, err)
			if asks.MatchString(s) {
				return t, last
			}
			continue
		}
		t.add(s, demands)
	}
	for _, s := range more {
		demands, err := qa.Demands(strings.TrimSpace(s))
		if err != nil {
			return t, fmt.Errorf("%q: %w", s, err)
		}
		t.add(s, demands)
	}
	for _, e := range t.Expectations {
		for _, d := range e.Demands {
			if err := script.CanCover(d); err != nil {
				return t, fmt.Errorf("%q: %w", e.Text, err)
			}
		}
	}
	switch {
	case t.Words == "":
		return t, errors.New("say in words what the test does, and what is to be seen then")
	case len(t.Expectations) == 0:
		return t, errors.Join(errors.New(`no sentence says what is to be seen, so no test could prove it: add one with the words in quotation marks, such as: The page shows "Saved"`), last)
	}
	return t, nil
}

func (t *Task) add(text string, demands []qa.Demand) {
	t.Expectations = append(t.Expectations, Expectation{ID: fmt.Sprintf("E%d", len(t.Expectations)+1), Text: strings.TrimSpace(text), Demands: demands})
}

// begins reports whether a new sentence begins after a quotation that ended one.
func begins(rest []rune) bool {
	after := strings.TrimLeftFunc(string(rest), unicode.IsSpace)
	first, _ := utf8.DecodeRuneInString(after)
	return after == "" || len(after) < len(string(rest)) && unicode.IsUpper(first)
}

// sentences parts a text at the ends of sentences and lines, but not within quotation
// marks.
func sentences(text string) (out []string) {
	var now strings.Builder
	end := func() {
		if s := strings.TrimSpace(now.String()); s != "" {
			out = append(out, s)
		}
		now.Reset()
	}
	open := false
	all := []rune(text)
	for i, r := range all {
		now.WriteRune(r)
		switch {
		case strings.ContainsRune(`"“”„`, r):
			open = r == '“' || r == '„' || r == '"' && !open
			if !open && i > 0 && strings.ContainsRune(".!?", all[i-1]) && begins(all[i+1:]) {
				end()
			}
		case r == '\n':
			open = false
			end()
		case !open && strings.ContainsRune(".!?", r) && (i+1 == len(all) || unicode.IsSpace(all[i+1])):
			end()
		}
	}
	end()
	return out
}
