package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
)

// Options holds what [Run] needs to work a task.
type Options struct {
	Task         qa.TaskSpec
	Procedure    *Procedure // the task's steps; nil: it has none
	Model        Model
	Provider     string // for the transcript
	ModelName    string // for the transcript
	Rates        *Rates // what its tokens cost; nil: not known
	Tools        Toolbox
	Allow        []string // the only tools that the model may call; nil: all that are safe without a person
	Record       Recorder
	Limits       Limits
	Instructions string              // standing orders for the model
	Remind       bool                // tell the model once which expectations lack a check before its work ends
	Screen       Screen              // what computer_action's coordinates count on
	Redact       func(string) string // hides what neither model nor transcript may see; nil: nothing is hidden
	Withhold     bool                // pictures are kept from the model: nothing can be hidden in them
	Fatal        []*regexp.Regexp    // console messages that end the work
	FinishLimit  time.Duration       // bound on making the report; 0: half a minute
	Now          func() time.Time
	Wait         func(ctx context.Context, d time.Duration) error // before a request is sent again; nil: for that long
	Chance       func() float64                                   // from 0 to 1, spreads these waits; nil: no spread
	Log          *slog.Logger
	Watch        func(Event)             // receives each event; may be nil
	Stop         func() *qa.Interruption // says after each call why the work must end, or nil; may be nil
	AtStep       func(int)               // receives, before each call, the step of the procedure that it belongs to, from 0; -1: none; may be nil
}

// Outcome holds the report of a task, and how the work ended.
type Outcome struct {
	Report  qa.QAReport
	Stopped *qa.Interruption // why the loop stopped before the model was done, or nil
	Calls   int              // that the model made
	Retries int              // requests that had to be sent again
	Outage  *ModelError      // the provider was gone for longer than it was waited for; nil: it was not
	Done    []Executed       // the calls that succeeded, in their order
}

// the calls that are the loop's own
const (
	startTool  = "run_start"
	finishTool = "run_finish"
	stepTool   = "step_done"
)

// finishLimit bounds the making of a report, and finishSoon that of one whose
// run was interrupted: somebody waits for the process to end.
const (
	finishLimit = 30 * time.Second
	finishSoon  = 2500 * time.Millisecond
)

type loop struct {
	Options
	background context.Context // of what must be done though the work was stopped
	meter      *Meter
	limits     Limits // of the phase that is under way
	talk       Conversation
	notes      transcript
	started    time.Time
	runID      string
	calls      int
	retries    int
	executed   []Executed
	empty      int
	blockers   int // findings that were there when the phase began
	progress   progress
	unfinished *qa.Interruption // the step that was left undone when the tidying began
	tidying    bool
	corrected  bool // the model's final answer was refused once, with the reason
	final      Final
	outage     *ModelError
	done       bool // by the model's own word
	fault      bool // the thing under test is broken: nothing more to find out
}

// Run works a task to its report. However it ends (budget, guardrail, a model
// that fails or claims what is not so, ctx) the run is finished, and its
// verdict is that of the report. The error says that there is no report: the
// task was refused, the toolbox is gone, or there is no browser
// ([ErrNoDriver]).
func Run(ctx context.Context, o Options) (out Outcome, err error) {
	if o.Redact == nil {
		o.Redact = func(text string) string { return text }
	}
	if o.Wait == nil {
		o.Wait = wait.For
	}
	l := &loop{Options: o, background: context.WithoutCancel(ctx), notes: transcript{now: o.Now, redact: o.Redact}, progress: newProgress(o.Procedure)}
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
	return Outcome{Report: report, Stopped: stopped, Calls: l.calls, Retries: l.retries, Outage: l.outage, Done: l.executed}, err
}

func (l *loop) chance() float64 {
	if l.Chance == nil {
		return 0
	}
	return l.Chance()
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
	told, err := l.taskText()
	if err != nil {
		return err
	}
	l.talk = Conversation{Instructions: l.Redact(cmp.Or(l.Instructions, Orders(Setting{}))), Task: l.Redact(told), Tools: l.offered(tools), Screen: l.Screen, Final: FinalSchema()}
	l.tell(Event{Name: SpecStarted})
	l.notes.add(transcriptLine{Role: "task", Provider: l.Provider, Model: l.ModelName,
		Text: pagetext.Text(string(withoutInput("", task)) + l.steps()), Orders: l.talk.Instructions, Offered: names(l.talk.Tools)})
	return nil
}

// taskText returns the task as the model reads it: its JSON without fields
// that are the server's alone, then its steps.
func (l *loop) taskText() (string, error) {
	task := l.Task.Number()
	task.Metadata, task.Tags = nil, nil
	for i := range task.Expectations { // its own copy
		task.Expectations[i].AcceptedBy = ""
	}
	text, err := json.Marshal(task)
	if err != nil {
		return "", fmt.Errorf("encode the task: %w", err)
	}
	return string(text) + l.steps(), nil
}

// steps returns the procedure's steps as the model reads them; "" without a
// procedure.
func (l *loop) steps() string {
	if l.Procedure == nil {
		return ""
	}
	return l.progress.describe(l.Procedure.Preconditions)
}

// work takes turns until the model is done or something stops it. Cleanup has
// a share of the budgets of its own, and takes place however the work ended,
// unless the context has ended or the model can't be reached.
func (l *loop) work(ctx context.Context) (*qa.Interruption, error) {
	l.limits = l.Limits
	tidy := len(l.progress.steps) > l.progress.tidy
	if tidy {
		l.limits = l.Limits.reduced()
	}
	in, err := l.phase(ctx)
	if !tidy || err != nil {
		return in, err
	}
	if !l.fault {
		l.unfinished = l.undone()
	}
	if in != nil && (in.Kind == qa.ModelError || ctx.Err() != nil) {
		return in, l.untidy("not begun: " + in.Detail)
	}
	l.limits, l.tidying, l.corrected, l.done, l.fault, l.empty = l.Limits, true, false, false, false, 0
	l.progress.at, l.progress.to = l.progress.tidy, len(l.progress.steps)
	l.note(l.progress.cleanup())
	stopped, err := l.phase(ctx)
	why := pagetext.Text("the model ended its work before this was done")
	switch {
	case err != nil:
		return in, err
	case stopped != nil:
		why = pagetext.Sprintf("%s: %s: %s", stopped.Kind, stopped.Subject, stopped.Detail)
	case l.fault:
		why = "the page broke"
	}
	if ctx.Err() != nil && in == nil {
		in = stopped
	}
	return in, l.untidy(why)
}

// note adds a text for the model beside the answers to its last calls.
func (l *loop) note(text string) {
	l.notes.add(transcriptLine{Role: "loop", Text: pagetext.Text(text)})
	if len(l.talk.Turns) == 0 {
		l.talk.Turns = append(l.talk.Turns, Turn{})
	}
	last := &l.talk.Turns[len(l.talk.Turns)-1]
	last.Notes = append(last.Notes, l.Redact(text))
}

// phase takes turns within the limits of a part of the work.
func (l *loop) phase(ctx context.Context) (*qa.Interruption, error) {
	l.meter = NewMeter(l.limits)
	if err := l.spend(); err != nil {
		return nil, err
	}
	record, _, err := l.Record.Record()
	if err != nil {
		return nil, err
	}
	l.blockers = blockers(record)
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
		reply, in, err := l.ask(ctx)
		if err != nil || in != nil {
			return in, err
		}
		l.notes.reply(reply)
		for _, in := range reply.Unable {
			if err := l.Record.Interrupt(in); err != nil {
				return nil, err
			}
		}
		turn := Turn{Reply: reply}
		in, err = l.turn(ctx, &turn)
		if err != nil {
			return in, err
		}
		l.talk.Turns = append(l.talk.Turns, turn)
		for _, text := range l.meter.Warnings() {
			l.note(text)
		}
		if in != nil {
			return in, nil
		}
		condense(l.talk.Turns)
	}
	return nil, nil
}

// ended says that ctx has ended, and so the work, or nil.
func (l *loop) ended(ctx context.Context) *qa.Interruption {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &qa.Interruption{Kind: qa.BudgetSpent, Subject: "maxTimeMs",
			Detail: pagetext.Sprintf("%d ms were spent of %d, and the work was not done", l.Now().Sub(l.started).Milliseconds(), l.limits.MaxTimeMS)}
	case ctx.Err() != nil:
		return &qa.Interruption{Kind: qa.NotExecuted, Subject: "the task", Detail: "it was interrupted"}
	default:
		return nil
	}
}

// spend passes to the meter what the run took until now.
func (l *loop) spend() error {
	_, costs, err := l.Record.Record()
	if err != nil {
		return err
	}
	costs.DurationMS = max(costs.DurationMS, l.Now().Sub(l.started).Milliseconds())
	l.meter.Spend(costs)
	return nil
}

// blockers counts the faults that a rule has found and that leave nothing more
// to find out.
func blockers(r qa.Record) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == qa.Blocker && f.Source == qa.SourceRule {
			n++
		}
	}
	return n
}

// offered returns the tools that the model may call, with the loop's own.
func (l *loop) offered(tools []Tool) []Tool {
	own := []Tool{{Name: finishTool, Description: "End your work. The verdict is computed from the executed checks, not from what you say here.", Schema: FinalSchema()}}
	if len(l.progress.steps) > 0 {
		own = append(own, stepDone())
	}
	kept := slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool {
		return t.Name == startTool || t.Name == finishTool || !allowed(t.Name, l.Allow)
	})
	return append(kept, own...)
}

// allowed reports whether a model may call a tool. By default it is kept from
// what would let it make what its own checks then find: a script in the page, an
// answer of its own to a request, a baseline to compare with.
func allowed(name string, allow []string) bool {
	if len(allow) > 0 {
		return slices.Contains(allow, name)
	}
	return !slices.Contains([]string{"page_evaluate", "network_intercept", "capture_visual_baseline"}, name)
}

func names(tools []Tool) []string {
	out := make([]string, len(tools))
	for i, t := range tools {
		out[i] = t.Name
	}
	return out
}
