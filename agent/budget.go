package agent

import (
	"fmt"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// Limits holds a task's budgets and guardrails. Zero means unlimited, but for
// MaxRetriesPerStep.
type Limits struct {
	qa.Budgets
	MaxConsecutiveErrors int // failed calls in a row
	MaxRetriesPerStep    int // repetitions of a call that failed; negative means unlimited
	MaxIdle              int // calls in a row that neither show anything new nor check anything
	WarnIdentical        int // equal calls in a row after which the model is warned
	MaxIdentical         int // equal calls in a row
}

// The guardrails that no configuration sets.
const (
	defaultMaxIdle       = 5
	defaultWarnIdentical = 5
	defaultMaxIdentical  = 8
)

// WithDefaults fills in the guardrails that no configuration sets.
func (l Limits) WithDefaults() Limits {
	for _, f := range []struct {
		field *int
		value int
	}{{&l.MaxIdle, defaultMaxIdle}, {&l.WarnIdentical, defaultWarnIdentical}, {&l.MaxIdentical, defaultMaxIdentical}} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return l
}

// reduced returns the limits of the work before cleanup: a fifth of each
// budget is kept for the cleanup.
func (l Limits) reduced() Limits {
	for _, b := range []*int{&l.MaxToolCalls, &l.MaxTimeMS, &l.MaxScreenshots, &l.MaxTokens} {
		*b -= *b / 5
	}
	return l
}

// reserveMS bounds the share of a time budget that is kept for the report, in
// milliseconds; it is a tenth of a shorter budget.
const reserveMS = 1000

// Observation holds what the meter reads of an answered call.
type Observation struct {
	Key         string // equal for equal calls
	IsError     bool
	Fingerprint string // equal for answers that say the same
	Recorded    int    // checks and findings in the run by now
}

// Meter checks a task against its limits. It is a state machine without clock
// or I/O: its callers pass in what was spent.
type Meter struct {
	limits    Limits
	spent     qa.Costs
	errors    int
	idle      int
	identical int
	last      string         // key of the last call
	failures  map[string]int // of a call since it last worked
	seen      map[string]bool
	recorded  int
	warned    map[string]int // percent already warned of, by budget
	notes     []string
}

// NewMeter returns the meter of a task in which nothing was spent yet.
func NewMeter(l Limits) *Meter {
	return &Meter{limits: l, failures: map[string]int{}, seen: map[string]bool{}, warned: map[string]int{}}
}

// budget holds one limit, and what was spent of it.
type budget struct {
	name         string
	spent, limit int
	reserve      int // kept for the report
}

func (m *Meter) budgets() []budget {
	return []budget{
		{"maxToolCalls", m.spent.ToolCalls, m.limits.MaxToolCalls, 1},
		{"maxTimeMs", int(m.spent.DurationMS), m.limits.MaxTimeMS, min(reserveMS, m.limits.MaxTimeMS/10)},
		{"maxScreenshots", m.spent.Screenshots, m.limits.MaxScreenshots, 0},
		{"maxTokens", m.spent.TokensInput + m.spent.TokensOutput, m.limits.MaxTokens, 0},
	}
}

// Spend records what was spent by now, in all. What was spent can't become less.
func (m *Meter) Spend(c qa.Costs) {
	m.spent.ToolCalls = max(m.spent.ToolCalls, c.ToolCalls)
	m.spent.DurationMS = max(m.spent.DurationMS, c.DurationMS)
	m.spent.Screenshots = max(m.spent.Screenshots, c.Screenshots)
	m.spent.TokensInput = max(m.spent.TokensInput, c.TokensInput)
	m.spent.TokensOutput = max(m.spent.TokensOutput, c.TokensOutput)
	for _, b := range m.budgets() {
		m.warn(b)
	}
}

// warn notes once each that three quarters and nine tenths of a budget are
// spent.
func (m *Meter) warn(b budget) {
	for _, percent := range []int{90, 75} {
		if b.limit > 0 && b.spent*100 >= b.limit*percent {
			if m.warned[b.name] < percent {
				m.warned[b.name] = percent
				m.notes = append(m.notes, fmt.Sprintf("%d of %s %d are spent: check what matters most, then call run_finish", b.spent, b.name, b.limit))
			}
			return
		}
	}
}

// Warnings returns the notes for the model, each once.
func (m *Meter) Warnings() []string {
	notes := m.notes
	m.notes = nil
	return notes
}

// Left returns how much time the task has left, in milliseconds, and whether
// its time is limited at all.
func (m *Meter) Left() (ms int, limited bool) {
	b := m.budgets()[1]
	return max(0, b.limit-b.reserve-b.spent), b.limit > 0
}

// AllowTurn says why the model must not take another turn, or nil. It may
// always say that it is done.
func (m *Meter) AllowTurn() *qa.Interruption {
	return spentOf(m.budgets()[1], m.budgets()[3])
}

// spentOf says which budget leaves nothing for more work, or nil.
func spentOf(budgets ...budget) *qa.Interruption {
	for _, b := range budgets {
		if b.limit > 0 && b.spent >= b.limit-b.reserve {
			detail := fmt.Sprintf("%d of %d were spent, and the work was not done", b.spent, b.limit)
			if b.reserve > 0 {
				detail += fmt.Sprintf(" (%d kept for the report)", b.reserve)
			}
			return &qa.Interruption{Kind: qa.BudgetSpent, Subject: b.name, Detail: pagetext.Text(detail)}
		}
	}
	return nil
}

// Price holds what a call costs of the budgets.
type Price struct {
	Calls       int  // actions of a batch count one by one
	Free        bool // it costs nothing: the loop answers it itself
	Screenshots int
}

// Allow enters a call that is about to be made, and says why it must not be, or
// nil. The last tool call of a budget is kept for the report. Pictures that a
// check takes by itself are the server's to refuse: the check is worth more.
func (m *Meter) Allow(key string, p Price) *qa.Interruption {
	b := m.budgets()
	if in := spentOf(b[0], b[1], b[3]); in != nil && !p.Free {
		return in
	}
	if p.Screenshots > 0 {
		if in := spentOf(b[2]); in != nil {
			return in
		}
	}
	if key != m.last {
		m.last, m.identical = key, 0
	}
	m.identical++
	switch l := m.limits; {
	case l.MaxRetriesPerStep >= 0 && m.failures[key] > l.MaxRetriesPerStep:
		return &qa.Interruption{Kind: qa.Guardrail, Subject: "maxRetriesPerStep",
			Detail: pagetext.Sprintf("the same call failed %d times and was asked for again; %d repetitions are allowed", m.failures[key], l.MaxRetriesPerStep)}
	case l.MaxIdentical > 0 && m.identical >= l.MaxIdentical:
		return &qa.Interruption{Kind: qa.Guardrail, Subject: "identical calls", Detail: pagetext.Sprintf("the same call was asked for %d times in a row", m.identical)}
	case l.WarnIdentical > 0 && m.identical == l.WarnIdentical:
		m.notes = append(m.notes, fmt.Sprintf("this is the same call %d times in a row: do something else, or call run_finish", m.identical))
	}
	if !p.Free {
		m.spent.ToolCalls += max(1, p.Calls)
		m.warn(m.budgets()[0])
	}
	return nil
}

// Observe enters the answer to a call, and says why the work must end, or nil.
func (m *Meter) Observe(o Observation) *qa.Interruption {
	progress := !o.IsError && (o.Recorded > m.recorded || !m.seen[o.Fingerprint])
	m.recorded = max(m.recorded, o.Recorded)
	m.seen[o.Fingerprint] = true
	m.idle++
	if progress {
		m.idle = 0
	}
	if o.IsError {
		m.errors++
		m.failures[o.Key]++
	} else {
		m.errors = 0
		delete(m.failures, o.Key)
	}
	switch l := m.limits; {
	case l.MaxConsecutiveErrors > 0 && m.errors >= l.MaxConsecutiveErrors:
		return &qa.Interruption{Kind: qa.Guardrail, Subject: "maxConsecutiveErrors", Detail: pagetext.Sprintf("%d calls in a row failed", m.errors)}
	case l.MaxIdle > 0 && m.idle >= l.MaxIdle:
		return &qa.Interruption{Kind: qa.Guardrail, Subject: "no progress", Detail: pagetext.Sprintf("%d calls in a row showed nothing new and checked nothing", m.idle)}
	}
	return nil
}
