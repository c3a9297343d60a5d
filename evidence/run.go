package evidence

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// Run holds a run that is going on. It is safe for concurrent use.
//
// Its records are kept in memory and in the run's folder. If the folder can't
// take it, the caller gets the error and the run can't pass any more: a
// verdict must rest on records that can be read later.
type Run struct {
	id      string
	dir     string
	store   *Store
	begun   time.Time // with the reading of the clock that only goes forward
	started time.Time // the same in UTC
	task    qa.TaskSpec

	mu            sync.Mutex
	folder        runFolder
	chain         lineChain
	entry         ledger.Event   // of the log: the run began
	enrolled      bool           // it is in the log
	refused       pagetext.Text  // why it is not; empty once that was reported
	sealing       *pendingReport // of a report that could not be sealed yet
	step          int
	shots         int // numbers given to screenshots
	spent         spending
	ended         time.Time // when its work was over; zero until then
	streams       int       // files written piece by piece, for their temporary names
	artifacts     artifactSet
	checks        []qa.Check
	findings      []qa.Finding
	kpis          []qa.KPIRow
	visuals       []qa.VisualRow
	interruptions []qa.Interruption
	pending       []notExecuted
	told          runTimeline // the report's timeline up to the verdict
	finished      bool
}

// notExecuted holds a check that a tool could not make yet.
type notExecuted struct {
	kind, subject, expected string
	interruption            qa.Interruption
}

// ID returns the run's id. Ids sort by time.
func (r *Run) ID() string { return r.id }

// Dir returns the run's folder. It may not exist yet.
func (r *Run) Dir() string { return r.dir }

// Task returns the task with its expectations numbered.
func (r *Run) Task() qa.TaskSpec {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.task
}

// Amend gives expectations that were not read other wordings, by their ids, before anything was
// checked; see [qa.TaskSpec.Amended]. All are taken, or none; the event log keeps both.
func (r *Run) Amend(wordings map[string]string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return r.refuse("wordings")
	}
	if len(r.checks) > 0 {
		return fmt.Errorf("the run has made a check already (%s); finish it, and start anew with the new wording", r.checks[0].Kind)
	}
	task := r.task
	for _, id := range slices.Sorted(maps.Keys(wordings)) {
		var err error
		if task, err = task.Amended(id, wordings[id]); err != nil {
			return err
		}
	}
	if err := r.record("wordings", Event{Name: TaskAmended, Task: &task}); err != nil {
		return err
	}
	r.task = task
	return nil
}

// Annotate adds to the task's metadata; an empty value adds nothing. It is for
// who started the run, before anything is recorded in it.
func (r *Run) Annotate(key, value string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if value == "" {
		return
	}
	r.task.Metadata = maps.Clone(r.task.Metadata)
	if r.task.Metadata == nil {
		r.task.Metadata = map[string]string{}
	}
	r.task.Metadata[key] = value
}

// Empty reports whether the run has kept nothing yet; then it has no folder.
func (r *Run) Empty() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.folder.journal == 0
}

// Started returns when the run began.
func (r *Run) Started() time.Time { return r.started }

// NextStep returns the number of the next tool call.
func (r *Run) NextStep() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.step++
	return r.step
}

// Event appends an event, such as a tool's call, to the run's event log.
// The events a run writes by itself are refused.
func (r *Run) Event(e Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Name == "" {
		e.Name = ToolCalled
	}
	if e.Name.own() {
		return fmt.Errorf("event %s: the run writes it by itself", e.Name)
	}
	if r.finished {
		return r.refuse("event " + string(e.Name))
	}
	r.told.event(e, r.store)
	if r.store.NoAudit {
		return nil
	}
	return r.record("event "+string(e.Name), e.named())
}

// AddCheck records an executed check and returns it with its id and time. A failed
// one is a finding, too (A6): the one that it names, else one that says the same
// already, else one of its own.
func (r *Run) AddCheck(c qa.Check) (qa.Check, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return c, r.refuse("check " + c.Kind)
	}
	c.Expects = slices.Clone(c.Expects)
	c.Evidence = slices.Clone(c.Evidence)
	if !c.Needed(r.task.Expectations) {
		c.Assertion = nil
	}
	c.ID, c.Time = "C"+strconv.Itoa(len(r.checks)+1), r.store.now().UTC()
	for i, name := range c.Evidence {
		a, ok := r.artifacts.find(name)
		if !ok {
			return c, r.recordLost("check "+c.Kind, fmt.Errorf("evidence %q names no stored artefact of this run", name))
		}
		c.Evidence[i] = a.Name
	}
	lost := r.findCheck(&c)
	r.checks = append(r.checks, c)
	if c.Source == qa.SourceTool || c.Source == qa.SourceRule {
		r.pending = slices.DeleteFunc(r.pending, func(p notExecuted) bool {
			return p.kind == c.Kind && p.subject == c.Subject && p.expected == c.Expected
		})
	}
	err := r.record("check "+c.ID, Event{Name: CheckExecuted, Step: c.Step, Check: &c})
	return c, errors.Join(lost, err)
}

// AddFinding records a finding and returns it with its id. A finding that is
// not valid, or whose evidence is not stored in this run, is refused.
func (r *Run) AddFinding(f qa.Finding) (qa.Finding, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return f, r.refuse("finding")
	}
	if err := f.Validate(r.artifacts.has); err != nil {
		return f, err
	}
	return r.addFinding(f)
}

// findCheck gives a failed check its finding. It looks through all findings, as a
// check that is made again and again is one fault.
func (r *Run) findCheck(c *qa.Check) error {
	if c.Passed {
		c.Finding = ""
	}
	if c.Status() != qa.Failed || slices.ContainsFunc(r.findings, func(f qa.Finding) bool { return f.ID == c.Finding }) {
		return nil
	}
	own := c.AsFindingOf(r.calledOnPage(*c))
	for _, f := range r.findings {
		if f.Assertion == own.Assertion && f.Expected == own.Expected && f.Observed == own.Observed && f.Severity == own.Severity {
			c.Finding = f.ID
			return nil
		}
	}
	filed, err := r.addFinding(own)
	c.Finding = filed.ID
	return err
}

// calledOnPage returns what the page called the element of a check when its pictures were
// taken, or "".
func (r *Run) calledOnPage(c qa.Check) string {
	for _, name := range c.Evidence {
		a, _ := r.artifacts.find(name)
		for _, b := range a.Boxes {
			if b.Selector == c.Selector && b.Name != "" {
				return b.Name
			}
		}
	}
	return ""
}

func (r *Run) addFinding(f qa.Finding) (qa.Finding, error) {
	f.ID, f.Title = "F"+strconv.Itoa(len(r.findings)+1), f.Headline()
	f.Evidence = append([]qa.EvidenceRef{}, f.Evidence...)
	for i, e := range f.Evidence {
		if a, ok := r.artifacts.find(e.ScreenshotRef); ok {
			f.Evidence[i].ScreenshotRef = a.Name
		}
	}
	r.findings = append(r.findings, f)
	err := r.record("finding "+f.ID, Event{Name: FindingRecorded, Step: r.step, Finding: &f})
	return f, err
}

// AddKPI records one compared KPI: a line of the report's table. The check and
// the finding that go with it are recorded by themselves.
func (r *Run) AddKPI(row qa.KPIRow) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.takesRow("KPI", row.ScreenshotRef); err != nil {
		return fmt.Errorf("KPI %s, %s: %w", row.Label, row.Range, err)
	}
	r.kpis = append(r.kpis, row)
	return r.record("KPI "+row.Label, Event{Name: KPICompared, Step: r.step, KPI: &row})
}

// takesRow fails for a finished run, and for a row whose pictures the run has not stored.
func (r *Run) takesRow(what string, pictures ...string) error {
	if r.finished {
		return r.refuse(what)
	}
	for _, name := range pictures {
		if name != "" && !r.artifacts.has(name) {
			return fmt.Errorf("there is no stored picture %q", name)
		}
	}
	return nil
}

// record journals an event. If that fails the run can't pass.
func (r *Run) record(what string, e Event) error {
	if err := r.append(e); err != nil {
		return r.recordLost(what, err)
	}
	return nil
}

// AddVisual records one picture beside its baseline. The check and the finding
// that go with it are recorded by themselves.
func (r *Run) AddVisual(row qa.VisualRow) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.takesRow("picture's comparison", row.Before, row.After, row.Diff); err != nil {
		return fmt.Errorf("visual %s %s: %w", row.Name, row.Part, err)
	}
	r.visuals = append(r.visuals, row)
	return r.record("visual "+row.Name, Event{Name: VisualCompared, Step: r.step, Visual: &row})
}

// AddTraffic adds console messages and requests of the pages to the report:
// warnings and errors, and requests that failed. The first 200 of each are
// kept, the others counted.
func (r *Run) AddTraffic(console []qa.ConsoleEntry, network []qa.NetworkEntry) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return r.refuse("traffic")
	}
	r.told.addTraffic(console, network)
	return nil
}

// NotExecuted records that a check of kind on subject could not be made, with
// the error code. It keeps the run from passing until that very check, with
// the same expected value, is executed.
func (r *Run) NotExecuted(kind, subject, expected, code string, detail pagetext.Text) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return // the report is out, and it can't know
	}
	if code != "" {
		detail, _ = (pagetext.Text(code+": ") + detail).CutSuffix(": ")
	}
	in := qa.Interruption{Kind: qa.NotExecuted, Subject: joinNonEmpty(" ", kind, subject), Detail: detail}
	r.pending = append(r.pending, notExecuted{kind: kind, subject: subject, expected: expected, interruption: in})
	r.recordInterruption(CheckNotExecuted, in)
}

// Interrupt records something that the tester could not do.
func (r *Run) Interrupt(in qa.Interruption) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.finished {
		return // the report is out, and it can't know
	}
	r.interruptions = append(r.interruptions, in)
	r.recordInterruption(Interrupted, in)
}

// Spend adds the tokens of a model's turn, and their price, to the run's costs.
// cached is the part of input that the provider had in its cache.
func (r *Run) Spend(input, cached, output int, usd float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spent.input += input
	r.spent.cached += cached
	r.spent.output += output
	r.spent.usd += usd
}

// Costs returns what the run took until now.
func (r *Run) Costs() qa.Costs {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.costs()
}

func (r *Run) costs() qa.Costs {
	return qa.Costs{TokensInput: r.spent.input, TokensCached: r.spent.cached, TokensOutput: r.spent.output, USD: r.spent.usd,
		ToolCalls: r.step, Screenshots: r.spent.pictures, DurationMS: r.elapsed()}
}

// Record returns a copy of all that the verdict will be computed from.
func (r *Run) Record() qa.Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.recorded()
}

func (r *Run) recorded() qa.Record {
	interruptions := slices.Clone(r.interruptions)
	for _, p := range r.pending {
		interruptions = append(interruptions, p.interruption)
	}
	return qa.Record{Expectations: slices.Clone(r.task.Expectations), Checks: slices.Clone(r.checks), Findings: slices.Clone(r.findings), Interruptions: interruptions}
}

// recordLost makes sure that a record that could not be kept is not forgotten.
func (r *Run) recordLost(what string, err error) error {
	err = fmt.Errorf("run %s: record %s: %w", r.id, what, err)
	r.interruptions = append(r.interruptions, qa.Interruption{
		Kind: qa.NotExecuted, Subject: "keep " + what, Detail: pagetext.Text(err.Error()),
	})
	return err
}

func (r *Run) refuse(what string) error {
	return fmt.Errorf("run %s: record %s: %w", r.id, what, ErrFinished)
}

func joinNonEmpty(sep, a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + sep + b
}
