package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/nearest"
	"github.com/assay-qa/assay/qa"
)

// Options are what a task is worked with.
type Options struct {
	Task         qa.TaskSpec
	Model        Model
	Tools        Toolbox
	Record       Recorder
	Limits       Limits
	Instructions string           // standing orders for the model
	Fatal        []*regexp.Regexp // console messages that end the work; see FatalConsole
	FinishLimit  time.Duration    // bound on making the report; 0: half a minute
	Now          func() time.Time
	Log          *slog.Logger
	Watch        func(Event) // is told what happens; may be nil
}

// Outcome is what came of a task.
type Outcome struct {
	Report  qa.QAReport
	Stopped *qa.Interruption // why the loop stopped before the model was done, or nil
	Calls   int              // that the model made
}

// the calls that are the loop's own
const (
	startTool  = "run_start"
	finishTool = "run_finish"
)

// finishLimit bounds the making of a report, and finishSoon that of one whose
// run was interrupted: somebody waits for the process to end.
const (
	finishLimit = 30 * time.Second
	finishSoon  = 2500 * time.Millisecond
)

// maxEmpty is how many turns may say nothing before the model is given up.
const maxEmpty = 3

type loop struct {
	Options
	background context.Context // of what must be done though the work was stopped
	meter      *Meter
	talk       Conversation
	notes      transcript
	started    time.Time
	runID      string
	calls      int
	empty      int
	summary    string
	done       bool // by the model's own word
	fault      bool // the thing under test is broken: nothing more to find out
}

// Run works a task to its report. However it ends (budget, guardrail, a model
// that fails or lies, ctx) the run is finished, and its verdict is that of the
// report. The error says that there is no report: the task was refused, the
// toolbox is gone, or there is no browser ([ErrNoDriver]).
func Run(ctx context.Context, o Options) (out Outcome, err error) {
	l := &loop{Options: o, background: context.WithoutCancel(ctx), meter: NewMeter(o.Limits), notes: transcript{now: o.Now}}
	if closer, ok := o.Model.(io.Closer); ok {
		defer func() { err = errors.Join(err, closer.Close()) }()
	}
	if err := l.begin(ctx); err != nil {
		return Outcome{}, err
	}
	stopped, err := l.work(ctx)
	report, finishErr := l.finish(ctx, stopped, err)
	if err == nil {
		err = finishErr
	}
	return Outcome{Report: report, Stopped: stopped, Calls: l.calls}, err
}

// begin opens the run. The task goes to the server whole, so that no model can
// forget a part of it.
func (l *loop) begin(ctx context.Context) error {
	l.started = l.Now()
	tools, err := l.Tools.Tools(ctx)
	if err != nil {
		return err
	}
	task, err := json.Marshal(l.Task)
	if err != nil {
		return fmt.Errorf("encode the task: %w", err)
	}
	answer, err := l.Tools.Call(ctx, startTool, task)
	if err != nil {
		return err
	}
	if answer.IsError {
		return fmt.Errorf("the task was refused: %s", answer.Text())
	}
	var data struct {
		Data struct {
			RunID string `json:"run_id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(answer.Structured, &data); err != nil {
		return fmt.Errorf("read the answer of run_start: %w", err)
	}
	l.runID = data.Data.RunID
	l.talk = Conversation{Instructions: l.Instructions, Task: string(task), Tools: offered(tools)}
	l.tell(Event{Name: SpecStarted})
	l.notes.add(transcriptLine{Role: "task", Text: string(withoutInput("", task)), Offered: names(l.talk.Tools)})
	return nil
}

// offered are the tools that a model may call. The run is the loop's own, and
// a script in the page is no way to test it.
func offered(tools []Tool) []Tool {
	return slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool { return t.Name == startTool || t.Name == "page_evaluate" })
}

func names(tools []Tool) []string {
	out := make([]string, len(tools))
	for i, t := range tools {
		out[i] = t.Name
	}
	return out
}

// work takes turns until the model is done or something stops it.
func (l *loop) work(ctx context.Context) (*qa.Interruption, error) {
	if ms, limited := l.meter.Left(); limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(ms)*time.Millisecond)
		defer cancel()
	}
	for !l.done && !l.fault {
		if err := l.spend(); err != nil {
			return nil, err
		}
		if in := l.meter.AllowTurn(); in != nil {
			return in, nil
		}
		reply, err := l.Model.Next(ctx, l.talk)
		if err != nil {
			in := l.ended(ctx)
			if in == nil {
				in = &qa.Interruption{Kind: qa.ModelError, Subject: "the model", Detail: err.Error()}
			}
			return in, nil
		}
		if err := l.Record.Spend(reply.Usage.Input, reply.Usage.Output); err != nil {
			return nil, err
		}
		l.notes.reply(reply)
		for _, in := range reply.Unable {
			if err := l.Record.Interrupt(in); err != nil {
				return nil, err
			}
		}
		turn := Turn{Reply: reply}
		in, err := l.turn(ctx, &turn)
		if err != nil || in != nil {
			return in, err
		}
		turn.Notes = append(turn.Notes, l.meter.Warnings()...)
		for _, note := range turn.Notes {
			l.notes.add(transcriptLine{Role: "loop", Text: note})
		}
		l.talk.Turns = append(l.talk.Turns, turn)
		condense(l.talk.Turns)
	}
	return nil, nil
}

// turn answers what the model said.
func (l *loop) turn(ctx context.Context, turn *Turn) (*qa.Interruption, error) {
	if len(turn.Reply.Calls) == 0 {
		if l.done = turn.Reply.Text != ""; l.done {
			l.summary = turn.Reply.Text
			return nil, nil
		}
		if l.empty++; l.empty >= maxEmpty {
			return &qa.Interruption{Kind: qa.ModelError, Subject: "the model", Detail: fmt.Sprintf("%d turns in a row called nothing and said nothing", l.empty)}, nil
		}
		turn.Notes = append(turn.Notes, "you called nothing and said nothing: call a tool, or run_finish")
		return nil, nil
	}
	l.empty = 0
	moved := ""
	for _, c := range turn.Reply.Calls {
		var r Result
		switch {
		case l.done || l.fault:
			r = refusal(c, "not executed: the run is over")
		case moved != "":
			r = refusal(c, "not executed: %s changed the page; look again before you go on", moved)
		default:
			var in *qa.Interruption
			var err error
			if r, in, err = l.call(ctx, c); err != nil || in != nil {
				return in, err
			}
			if r.envelope().Data.URLFrom != "" {
				moved = c.Name
			}
		}
		l.notes.result(r)
		turn.Results = append(turn.Results, r)
	}
	return nil, nil
}

// refusal answers a call that the loop didn't make.
func refusal(c Call, format string, args ...any) Result {
	return Result{ID: c.ID, Name: c.Name, IsError: true, Parts: []Part{{Text: fmt.Sprintf(format, args...)}}}
}

// call makes one call of the model.
func (l *loop) call(ctx context.Context, c Call) (Result, *qa.Interruption, error) {
	if c.Name == finishTool {
		var in struct {
			Summary string `json:"summary"`
		}
		if err := json.Unmarshal(c.Arguments, &in); err != nil && len(c.Arguments) > 0 {
			return refusal(c, "arguments: %v", err), nil, nil
		}
		l.done, l.summary = true, in.Summary
		return Result{ID: c.ID, Name: c.Name, Parts: []Part{{Text: "the run is being finished"}}}, nil, nil
	}
	if in := l.meter.Allow(c.key(), c.price()); in != nil {
		return Result{}, in, nil
	}
	l.calls++
	began := l.Now()
	r, err := l.execute(ctx, c)
	in := l.ended(ctx)
	if err != nil && in == nil {
		return r, nil, err
	}
	r.ID, r.Name = c.ID, c.Name
	e := r.envelope()
	l.tell(Event{Name: ToolCalled, Step: l.calls, Tool: c.Name, Input: withoutInput(c.Name, c.Arguments), Took: l.Now().Sub(began), ErrorCode: e.Error.Code})
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
		return refusal(c, "there is no tool %q%s; use one of: %s", c.Name, nearest.Hint(c.Name, known), strings.Join(known, ", ")), nil
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
	case "DRIVER_MISSING":
		return nil, fmt.Errorf("%w: %s", ErrNoDriver, e.Error.Message)
	case "BUDGET_EXCEEDED":
		return &qa.Interruption{Kind: qa.BudgetSpent, Subject: c.Name, Detail: e.Error.Message}, nil
	}
	record, _, err := l.Record.Record()
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(record.Findings, func(f qa.Finding) bool { return f.Severity == qa.Blocker && f.Source == qa.SourceRule }) {
		l.fault = true
		return nil, nil
	}
	if text := fatal(l.Fatal, e); text != "" {
		l.fault = true
		return nil, l.Record.Find(qa.Finding{Severity: qa.Blocker, Category: qa.Reliability, Source: qa.SourceRule, Confidence: 1,
			Assertion: "the page logs no fatal error", Expected: "none", Observed: text, Evidence: []qa.EvidenceRef{}})
	}
	return l.meter.Observe(Observation{Key: c.key(), IsError: r.IsError, Fingerprint: r.fingerprint(), Recorded: len(record.Checks) + len(record.Findings)}), nil
}

// ended says that ctx has ended, and so the work, or nil.
func (l *loop) ended(ctx context.Context) *qa.Interruption {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &qa.Interruption{Kind: qa.BudgetSpent, Subject: "maxTimeMs", Detail: fmt.Sprintf("%d ms were spent of %d, and the work was not done", l.Now().Sub(l.started).Milliseconds(), l.Limits.MaxTimeMS)}
	case ctx.Err() != nil:
		return &qa.Interruption{Kind: qa.NotExecuted, Subject: "the task", Detail: "it was interrupted"}
	default:
		return nil
	}
}

// spend tells the meter what the run took until now.
func (l *loop) spend() error {
	_, costs, err := l.Record.Record()
	if err != nil {
		return err
	}
	costs.DurationMS = max(costs.DurationMS, l.Now().Sub(l.started).Milliseconds())
	l.meter.Spend(costs)
	return nil
}
