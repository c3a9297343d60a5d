// Package rules replaces a model by rules: it plans a task from its TaskSpec
// alone, reads the answers' structured data, and checks what can be bound to a
// check. It needs no key and costs no token.
//
// It refuses to guess what a sentence means: an expectation that is not understood
// stays unproven, so the run is inconclusive, and the report says what to write.
// It never judges; it only asks.
package rules

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/qa"
)

// Options holds what the plan is made from, beside the tools on offer.
type Options struct {
	Task         qa.TaskSpec      // with its expectations numbered
	Address      string           // of the task's page, absolute; empty: there is none
	AllowedHosts []string         // that pages may reach
	Explore      bool             // try the filters of the page
	Procedure    *agent.Procedure // the task's steps, all of which [UnreadSentences] reads; nil: it has none
}

// Model plans one task.
type Model struct {
	options Options
	next    func() (agent.Call, bool)
	stop    func()
	answer  answer
	calls   int
	unable  []qa.Interruption
	summary []string
	tools   map[string]bool
	low     bool   // a budget runs low
	at      string // the address of the page, once it is open
	noisy   bool   // console errors were found, and reported by the tool
}

// New returns the model of one task.
func New(o Options) *Model { return &Model{options: o} }

// Close ends the plan, wherever it is.
func (m *Model) Close() error {
	if m.stop != nil {
		m.stop()
	}
	return nil
}

// Next makes the plan's next call. The plan is one function that runs from
// call to call: Next hands it the answer, and waits for what it asks next.
func (m *Model) Next(_ context.Context, c agent.Conversation) (agent.Reply, error) {
	if m.next == nil {
		m.tools = map[string]bool{}
		for _, t := range c.Tools {
			m.tools[t.Name] = true
		}
		m.next, m.stop = iter.Pull(m.plan)
	}
	if n := len(c.Turns); n > 0 && len(c.Turns[n-1].Reply.Calls) > 0 {
		a, err := read(c.Turns[n-1])
		if err != nil {
			return agent.Reply{}, err
		}
		m.answer = a
		m.low = m.low || len(c.Turns[n-1].Notes) > 0
	}
	call, more := m.next()
	unable := m.unable
	m.unable = nil
	if !more {
		return agent.Reply{Text: m.report(), Unable: unable}, nil
	}
	m.calls++
	call.ID = "call-" + strconv.Itoa(m.calls)
	return agent.Reply{Calls: []agent.Call{call}, Unable: unable}, nil
}

// answer holds the outcome of a call.
type answer struct {
	ok   bool
	code string // of the error
	text string // the error's message, or the refusal
	shot string // name of the picture that was taken
	data json.RawMessage
	page string // the lines of its text that came from the page
}

// read takes the answer to the one call of a turn.
func read(t agent.Turn) (answer, error) {
	if len(t.Results) != 1 {
		return answer{}, fmt.Errorf("one call was made, and %d answers came", len(t.Results))
	}
	r := t.Results[0]
	if len(r.Structured) == 0 {
		return answer{ok: !r.IsError, text: r.Text()}, nil
	}
	var e struct {
		OK    bool            `json:"ok"`
		Data  json.RawMessage `json:"data"`
		Error struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
		Screenshot struct {
			Name string `json:"name"`
		} `json:"screenshot"`
	}
	if err := json.Unmarshal(r.Structured, &e); err != nil {
		return answer{}, fmt.Errorf("read the answer of %s: %w", r.Name, err)
	}
	return answer{ok: e.OK, code: e.Error.Code, text: e.Error.Message, shot: e.Screenshot.Name, data: e.Data, page: pageText(r.Text())}, nil
}

// pageText returns the lines of an answer's text that came from the page: those
// between the marks that begin with "<page-" and "</page-".
func pageText(text string) string {
	_, marked, _ := strings.Cut("\n"+text, "\n<page-")
	_, marked, _ = strings.Cut(marked, "\n")
	if end := strings.LastIndex(marked, "\n</page-"); end >= 0 {
		return marked[:end]
	}
	return ""
}

// into decodes the answer's data. What is missing stays zero: an answer that
// says less than hoped leaves the plan with less to do.
func (a answer) into(v any) answer {
	if len(a.data) > 0 {
		_ = json.Unmarshal(a.data, v)
	}
	return a
}
