package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
)

// Bounds of what a model may do in one turn.
const (
	maxEmpty     = 3         // turns in a row that say nothing or are cut off, before the model is given up
	maxTurnCalls = 32        // calls in one turn
	maxArguments = 256 << 10 // bytes of one call's arguments
	maxShown     = 24_000    // bytes of a text that the model is shown of an answer
)

// turn answers what the model said: each call once, in its order.
func (l *loop) turn(ctx context.Context, turn *Turn) (*qa.Interruption, error) {
	if len(turn.Reply.Calls) == 0 {
		return l.silent(turn), nil
	}
	moved := ""
	var stopped *qa.Interruption
	for i, c := range turn.Reply.Calls {
		var r Result
		switch {
		case stopped != nil:
			r = refusal(c, "not executed: %s: %s", stopped.Subject, stopped.Detail)
		case l.done || l.fault:
			r = refusal(c, "not executed: the run is over")
		case turn.Reply.Cut: // what is left of its arguments may read like a whole
			r = refusal(c, "not executed: your turn was cut off, and what you meant may not be all here")
		case i >= maxTurnCalls:
			r = refusal(c, "not executed: %d calls in one turn are the most", maxTurnCalls)
		case moved != "":
			r = refusal(c, "not executed: %s changed the page; look again before you go on", moved)
		default:
			var err error
			if r, stopped, err = l.call(ctx, c); err != nil {
				return nil, err
			}
			data := r.envelope().Data
			if data.URLFrom != "" {
				moved = c.Name
			}
			if c.Name == "computer_action" && data.Viewport.Width > 0 && data.Viewport.Height > 0 {
				l.talk.Screen = data.Viewport // a session may have another than the configured one
			}
		}
		r.ID, r.Name = c.ID, c.Name
		l.notes.result(r)
		turn.Results = append(turn.Results, l.shown(r))
	}
	if turn.Reply.Cut {
		return l.useless(turn, "your turn was cut off at the limit of its length, and nothing of it was done: make fewer calls in a turn, with shorter arguments"), nil
	}
	l.empty = 0
	return stopped, nil
}

// silent takes a turn without calls: the model's final answer, or nothing at all.
func (l *loop) silent(turn *Turn) *qa.Interruption {
	text := turn.Reply.Text
	refused := "you called nothing and said nothing: call a tool, or run_finish"
	switch {
	case turn.Reply.Cut:
		refused = "your turn was cut off at the limit of its length before it called anything: call a tool, or say less"
	case text != "":
		data, isFinal := looksFinal(text)
		if !isFinal {
			data = nil
		}
		if refused = l.end(data, text); refused == "" {
			return nil
		}
	}
	return l.useless(turn, refused)
}

// useless notes for the model why its turn had no effect, or gives it up.
func (l *loop) useless(turn *Turn, why string) *qa.Interruption {
	if l.empty++; l.empty >= maxEmpty {
		return &qa.Interruption{Kind: qa.ModelError, Subject: "the model", Detail: pagetext.Sprintf("%d turns in a row called nothing and said nothing of use: %s", l.empty, why)}
	}
	turn.Notes = append(turn.Notes, l.Redact(why))
	l.notes.add(transcriptLine{Role: "loop", Text: pagetext.Text(why)})
	return nil
}

// refusal answers a call that the loop didn't make.
func refusal(c Call, format string, args ...any) Result {
	return Result{ID: c.ID, Name: c.Name, IsError: true, Parts: []Part{{Text: pagetext.Marked(pagetext.Apart(1, nil, format, args...))}}}
}

// call makes one call of the model.
func (l *loop) call(ctx context.Context, c Call) (Result, *qa.Interruption, error) {
	switch {
	case c.Confirm != "":
		return refusal(c, "not executed: a person has to confirm it, and nobody is there"),
			&qa.Interruption{Kind: qa.NeedsHuman, Subject: c.Name, Detail: pagetext.Text("the provider wants a person to confirm this call: " + text.Bytes(c.Confirm, 500))}, nil
	case len(c.Arguments) > maxArguments:
		c.Arguments = nil // what is not read needs no place in key and price
		return l.own(c, fmt.Sprintf("the arguments are too long: %d KB are the most", maxArguments>>10), true)
	case c.Name == finishTool:
		if refused := l.end(c.Arguments, ""); refused != "" {
			return refusal(c, "%s", refused), nil, nil
		}
		return Result{Parts: []Part{{Text: "the run is being finished"}}}, nil, nil
	case c.Name == stepTool && len(l.progress.steps) > 0:
		text, refused := l.stepOver(c)
		return l.own(c, text, refused)
	}
	if in := l.meter.Allow(c.key(), c.price()); in != nil {
		return refusal(c, "not executed: %s: %s", in.Subject, in.Detail), in, nil
	}
	return l.made(ctx, c)
}

// own answers a call that the loop answers itself. It costs nothing, but counts
// among what leads nowhere.
func (l *loop) own(c Call, text string, isError bool) (Result, *qa.Interruption, error) {
	r := Result{IsError: isError, Name: c.Name, Parts: []Part{{Text: text}}}
	if in := l.meter.Allow(c.key(), Price{Free: true}); in != nil {
		return r, in, nil
	}
	return r, l.meter.Observe(Observation{Key: c.key(), IsError: isError, Fingerprint: r.fingerprint()}), nil
}

// made hands a call to the toolbox, and looks at what comes of it.
func (l *loop) made(ctx context.Context, c Call) (Result, *qa.Interruption, error) {
	l.calls++
	step := l.progress.step()
	if len(l.progress.steps) == 0 {
		step = -1
	}
	if l.AtStep != nil {
		l.AtStep(step)
	}
	began := l.Now()
	r, err := l.execute(ctx, c)
	in := l.ended(ctx)
	if err != nil && in == nil {
		return r, nil, err
	}
	if err != nil {
		r = refusal(c, "not finished: %s: %s", in.Subject, in.Detail)
	}
	r.Name = c.Name
	e := r.envelope()
	l.tell(Event{Name: ToolCalled, Step: l.calls, SpecStep: step, Tool: c.Name, Input: redacted(l.Redact, withoutInput(c.Name, c.Arguments)),
		Took: l.Now().Sub(began), ErrorCode: e.Error.Code, Error: l.Redact(e.Error.Message), Retriable: e.Error.Retriable})
	if (!r.IsError || e.Done > 0) && r.Structured != nil {
		l.executed = append(l.executed, Executed{Step: step, Name: c.Name, Arguments: c.Arguments, Structured: r.Structured})
	}
	if in != nil {
		return r, in, nil
	}
	in, err = l.observe(c, r, e)
	return r, in, err
}

// execute hands a call to the toolbox, if it is one of those on offer.
func (l *loop) execute(ctx context.Context, c Call) (Result, error) {
	known := names(l.talk.Tools)
	if !slices.Contains(known, c.Name) {
		name := text.Bytes(c.Name, 100)
		return refusal(c, "there is no tool %q%s; use one of: %s", name, text.Hint(name, known), strings.Join(known, ", ")), nil
	}
	if len(c.Arguments) > 0 && !json.Valid(c.Arguments) {
		return refusal(c, "the arguments are no JSON; the call may have been cut short"), nil
	}
	return l.Tools.Call(ctx, c.Name, c.Arguments)
}

// observe looks at an answer: what it means for the limits, and whether it
// makes sense to go on.
func (l *loop) observe(c Call, r Result, e seen) (*qa.Interruption, error) {
	switch e.Error.Code {
	case code.DriverMissing:
		return nil, fmt.Errorf("%w: %s", ErrNoDriver, e.Error.Message)
	case code.BudgetExceeded:
		return &qa.Interruption{Kind: qa.BudgetSpent, Subject: c.Name, Detail: pagetext.Text(e.Error.Message)}, nil
	}
	record, _, err := l.Record.Record()
	if err != nil {
		return nil, err
	}
	if blockers(record) > l.blockers {
		l.fault = true
		return nil, nil
	}
	if text := fatal(l.Fatal, e); text != "" {
		l.fault = true
		return nil, l.Record.Find(qa.Finding{Severity: qa.Blocker, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
			Title: pagetext.Text("Fatal error on the page: " + text), Assertion: "the page logs no fatal error", Expected: "none", Observed: pagetext.Text(text), Evidence: []qa.EvidenceRef{}})
	}
	in := l.meter.Observe(Observation{Key: c.key(), IsError: r.IsError, Fingerprint: r.fingerprint(), Recorded: len(record.Checks) + len(record.Findings)})
	if l.Stop != nil {
		if own := l.Stop(); own != nil {
			in = own
		}
	}
	return in, nil
}
