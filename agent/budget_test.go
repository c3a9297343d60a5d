package agent_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent"
	"github.com/assay-qa/assay/qa"
)

// asked is one call of a history: what is called, and what comes of it.
type asked struct {
	key, answer string
	fails       bool
	checks      bool
}

// drive asks for calls until the meter says no, and returns its word and how
// many were allowed.
func drive(m *agent.Meter, calls []asked) (*qa.Interruption, int) {
	recorded := 0
	for i, c := range calls {
		if in := m.Allow(c.key, agent.Price{Calls: 1}); in != nil {
			return in, i
		}
		if c.checks {
			recorded++
		}
		if in := m.Observe(agent.Observation{Key: c.key, IsError: c.fails, Fingerprint: c.answer, Recorded: recorded}); in != nil {
			return in, i + 1
		}
	}
	return nil, len(calls)
}

func times(n int, of func(i int) asked) []asked {
	out := make([]asked, n)
	for i := range out {
		out[i] = of(i)
	}
	return out
}

// E4, A9: each limit stops at its number, by its name, and what keeps within it
// is left alone.
func TestLimits(t *testing.T) {
	t.Parallel()
	fresh := func(i int) asked { n := strconv.Itoa(i); return asked{key: n, answer: n} }
	for name, c := range map[string]struct {
		limits  agent.Limits
		calls   []asked
		subject string // "": nothing stops it
		allowed int
	}{
		"the last tool call is kept":           {agent.Limits{Budgets: qa.Budgets{MaxToolCalls: 4}}, times(9, fresh), "maxToolCalls", 3},
		"calls within their budget":            {agent.Limits{Budgets: qa.Budgets{MaxToolCalls: 10}}, times(9, fresh), "", 9},
		"unlimited":                            {agent.Limits{}, times(500, fresh), "", 500},
		"errors in a row":                      {agent.Limits{MaxConsecutiveErrors: 3}, times(9, func(i int) asked { c := fresh(i); c.fails = true; return c }), "maxConsecutiveErrors", 3},
		"errors with a success between":        {agent.Limits{MaxConsecutiveErrors: 3}, times(30, func(i int) asked { c := fresh(i); c.fails = i%3 > 0; return c }), "", 30},
		"no repetition allowed":                {agent.Limits{MaxRetriesPerStep: 0}, times(9, func(int) asked { return asked{key: "a", answer: "x", fails: true} }), "maxRetriesPerStep", 1},
		"two repetitions allowed":              {agent.Limits{MaxRetriesPerStep: 2}, times(9, func(int) asked { return asked{key: "a", answer: "x", fails: true} }), "maxRetriesPerStep", 3},
		"repetitions without limit":            {agent.Limits{MaxRetriesPerStep: -1}, times(9, func(int) asked { return asked{key: "a", answer: "x", fails: true} }), "", 9},
		"a step that works may fail again":     {agent.Limits{MaxRetriesPerStep: 1}, times(30, func(i int) asked { return asked{key: "a", answer: strconv.Itoa(i), fails: i%2 == 0} }), "", 30},
		"nothing new":                          {agent.Limits{MaxIdle: 5}, times(20, func(i int) asked { return asked{key: strconv.Itoa(i), answer: "same"} }), "no progress", 6},
		"nothing new, but it is checked":       {agent.Limits{MaxIdle: 5}, times(20, func(i int) asked { return asked{key: strconv.Itoa(i), answer: "same", checks: true} }), "", 20},
		"new errors are no progress":           {agent.Limits{MaxIdle: 5}, times(20, func(i int) asked { c := fresh(i); c.fails = true; return c }), "no progress", 5},
		"to and fro":                           {agent.Limits{MaxIdle: 5}, times(20, func(i int) asked { return asked{key: strconv.Itoa(i % 2), answer: strconv.Itoa(i % 2)} }), "no progress", 7},
		"the same call, although it checks":    {agent.Limits{MaxIdentical: 8}, times(20, func(int) asked { return asked{key: "a", answer: "x", checks: true} }), "identical calls", 7},
		"the same call with others in between": {agent.Limits{MaxIdentical: 8}, times(60, func(i int) asked { return asked{key: strconv.Itoa(i % 7 / 6), answer: strconv.Itoa(i), checks: true} }), "", 60},
	} {
		in, allowed := drive(agent.NewMeter(c.limits), c.calls)
		got := ""
		if in != nil {
			got = in.Subject
		}
		if got != c.subject || allowed != c.allowed {
			t.Errorf("%s: stopped by %q after %d calls; want %q after %d", name, got, allowed, c.subject, c.allowed)
		}
	}
}

// A9: a budget that is spent to its last is spent (>=), and the model may take
// another turn to say that it is done as long as it has tokens and time.
func TestBudgetsSpent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		budgets    qa.Budgets
		spent      qa.Costs
		call, turn string
	}{
		"time":                 {qa.Budgets{MaxTimeMS: 1000}, qa.Costs{DurationMS: 900}, "maxTimeMs", "maxTimeMs"},
		"time, nearly":         {qa.Budgets{MaxTimeMS: 1000}, qa.Costs{DurationMS: 899}, "", ""},
		"a second is kept":     {qa.Budgets{MaxTimeMS: 60_000}, qa.Costs{DurationMS: 59_000}, "maxTimeMs", "maxTimeMs"},
		"screenshots":          {qa.Budgets{MaxScreenshots: 2}, qa.Costs{Screenshots: 2}, "maxScreenshots", ""},
		"screenshots, nearly":  {qa.Budgets{MaxScreenshots: 2}, qa.Costs{Screenshots: 1}, "", ""},
		"tokens, in and out":   {qa.Budgets{MaxTokens: 10}, qa.Costs{TokensInput: 6, TokensOutput: 4}, "maxTokens", "maxTokens"},
		"calls":                {qa.Budgets{MaxToolCalls: 3}, qa.Costs{ToolCalls: 2}, "maxToolCalls", ""},
		"a budget for nothing": {qa.Budgets{MaxToolCalls: 1}, qa.Costs{}, "maxToolCalls", ""},
	} {
		m := agent.NewMeter(agent.Limits{Budgets: c.budgets})
		m.Spend(c.spent)
		turn, call := m.AllowTurn(), m.Allow("a", agent.Price{Screenshots: 1})
		for what, pair := range map[string]struct {
			in   *qa.Interruption
			want string
		}{"turn": {turn, c.turn}, "call": {call, c.call}} {
			got := ""
			if pair.in != nil {
				got = pair.in.Subject
				if pair.in.Kind != qa.BudgetSpent {
					t.Errorf("%s: %s of kind %q", name, got, pair.in.Kind)
				}
			}
			if got != pair.want {
				t.Errorf("%s: %s stopped by %q, want %q", name, what, got, pair.want)
			}
		}
	}
}

// Without pictures left, what takes none goes on.
func TestOtherCallsGoOnWithoutPictures(t *testing.T) {
	t.Parallel()
	m := agent.NewMeter(agent.Limits{Budgets: qa.Budgets{MaxScreenshots: 1}})
	m.Spend(qa.Costs{Screenshots: 1})
	if in := m.Allow("look", agent.Price{}); in != nil {
		t.Errorf("stopped by %+v", in)
	}
	if in := m.Allow("shoot", agent.Price{Screenshots: 1}); in == nil || in.Subject != "maxScreenshots" {
		t.Errorf("a picture too many: %+v", in)
	}
}

// A batch counts one by one: ten actions in one call are ten calls.
func TestBatchesCountOneByOne(t *testing.T) {
	t.Parallel()
	m := agent.NewMeter(agent.Limits{Budgets: qa.Budgets{MaxToolCalls: 10}})
	if in := m.Allow("batch", agent.Price{Calls: 9}); in != nil {
		t.Fatalf("refused: %+v", in)
	}
	if in := m.Allow("one", agent.Price{Calls: 1}); in == nil || in.Subject != "maxToolCalls" {
		t.Errorf("the tenth call was not kept for the report: %+v", in)
	}
}

// The model is warned at three quarters and at nine tenths of a budget, and at
// the fifth equal call, once each.
func TestWarnings(t *testing.T) {
	t.Parallel()
	m := agent.NewMeter(agent.Limits{Budgets: qa.Budgets{MaxToolCalls: 40}, WarnIdentical: 5})
	at := map[int]int{}
	for i := range 39 {
		if in := m.Allow(strconv.Itoa(i/6), agent.Price{Calls: 1}); in != nil {
			t.Fatalf("call %d refused: %+v", i, in)
		}
		for _, w := range m.Warnings() {
			at[i+1]++
			if !strings.Contains(w, "maxToolCalls") && !strings.Contains(w, "same call 5 times") {
				t.Errorf("call %d: warning %q", i+1, w)
			}
		}
	}
	// Every sixth call is a new one: the fifth of each six is warned of, too.
	want := map[int]int{5: 1, 11: 1, 17: 1, 23: 1, 29: 1, 30: 1, 35: 1, 36: 1}
	for i := 1; i < 40; i++ {
		if at[i] != want[i] {
			t.Errorf("call %d: %d warnings, want %d", i, at[i], want[i])
		}
	}
}

// Whatever is asked for: never more calls are allowed than the budget has, one
// is always left for the report, and once a budget is spent it stays spent.
func TestNoHistoryBeatsTheMeter(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 4))
		limits := agent.Limits{Budgets: qa.Budgets{MaxToolCalls: 1 + random.IntN(30), MaxTimeMS: 1 + random.IntN(5000), MaxScreenshots: 1 + random.IntN(10), MaxTokens: 1 + random.IntN(1000)},
			MaxConsecutiveErrors: random.IntN(6), MaxRetriesPerStep: random.IntN(4) - 1}.WithDefaults()
		m := agent.NewMeter(limits)
		spent := qa.Costs{ToolCalls: 1}
		stopped := ""
		for range 200 {
			m.Spend(spent)
			in := m.Allow(strconv.Itoa(random.IntN(6)), agent.Price{Screenshots: 1})
			if in != nil && in.Kind == qa.BudgetSpent {
				stopped = in.Subject
			}
			if in == nil && stopped != "" {
				t.Fatalf("seed %d: %s was spent, and a call was allowed", seed, stopped)
			}
			if in != nil {
				continue
			}
			spent.ToolCalls++
			spent.DurationMS += int64(random.IntN(50))
			spent.Screenshots += random.IntN(2)
			spent.TokensInput += random.IntN(20)
			m.Observe(agent.Observation{Key: "k", IsError: random.IntN(3) == 0, Fingerprint: strconv.Itoa(random.IntN(50)), Recorded: random.IntN(40)})
		}
		if spent.ToolCalls+1 > max(2, limits.MaxToolCalls) {
			t.Errorf("seed %d: %d calls and the report, of %d", seed, spent.ToolCalls, limits.MaxToolCalls)
		}
		if ms, limited := m.Left(); !limited || ms < 0 || ms > limits.MaxTimeMS {
			t.Errorf("seed %d: %d ms left of %d", seed, ms, limits.MaxTimeMS)
		}
	}
}
