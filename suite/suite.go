package suite

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// Case holds one thing to run. Run always returns a result; its error says
// that nothing can be run here at all, and ends the suite.
type Case struct {
	Name string
	Path string // of its file, as it was asked for
	File string // absolute path of the same
	Hash string // of its file's bytes
	Row  int    // of the file's data, from 1; 0: it has none
	Cell string // of a profile's matrix; empty: it has none
	Tags []string

	Round int // of a suite that runs each case several times, from 1; 0: it runs each once

	Account string // whose storage state its sessions begin with; empty: they begin with none
	Alone   bool   // it changes what the account has on the server, so no other case of the account runs meanwhile

	Run func(ctx context.Context) (Result, error)
}

// Result holds the outcome of a case.
type Result struct {
	qa.TestCase
	Findings   []qa.Finding    `json:"findings,omitempty"`
	Steps      int             `json:"steps,omitempty"` // of a flow
	Checks     int             `json:"checks"`
	ToolCalls  int             `json:"tool_calls"`
	Recorded   bool            `json:"recorded,omitempty"`   // it was recorded, and the recording was replayed
	Healed     bool            `json:"healed,omitempty"`     // a locator of its recording was replaced
	Notes      []pagetext.Text `json:"notes,omitempty"`      // what else a person should know, such as that it was recorded
	Details    pagetext.Text   `json:"details,omitempty"`    // of a run that passed: what it found
	Screenshot string          `json:"screenshot,omitempty"` // path of the picture that tells most
	Traces     []string        `json:"traces,omitempty"`     // paths
	Seal       *qa.Seal        `json:"seal,omitempty"`       // of the run's report
	Evidence   *qa.Evidence    `json:"evidence,omitempty"`   // of the run's report
	Before     []Attempt       `json:"before,omitempty"`     // attempts that did not pass, oldest first
}

// Attempt holds a run of a case that did not pass, and was followed by another
// one.
type Attempt struct {
	RunID  string        `json:"run_id,omitempty"`
	Status qa.TestStatus `json:"status"`
	Reason pagetext.Text `json:"reason,omitempty"`
	Report string        `json:"report,omitempty"` // path
}

// Entry holds a case of a suite, with its state and its result.
type Entry struct {
	Path  string   `json:"path"`
	File  string   `json:"file,omitempty"` // absolute: a suite is resumed from any folder
	Name  string   `json:"name"`
	Hash  string   `json:"hash"`
	Row   int      `json:"row,omitempty"`
	Cell  string   `json:"cell,omitempty"` // of a profile's matrix
	Tags  []string `json:"tags,omitempty"`
	Round int      `json:"round,omitempty"` // of a suite that runs each case several times, from 1
	// Quarantine says why, and until when, it does not count if the case does not pass; empty: it counts.
	Quarantine pagetext.Text `json:"quarantine,omitempty"`
	State      State         `json:"state"`
	Note       string        `json:"note,omitempty"` // why it is run again, or has no end
	Result     *Result       `json:"result,omitempty"`
	Past       []Past        `json:"-"` // what became of it before, oldest first; see [Store.WithHistory]
}

// Suite holds a set of cases that run together.
type Suite struct {
	ID        string    `json:"id"`
	Command   string    `json:"command,omitempty"` // of assay whose work it is; empty: run
	Resumes   string    `json:"resumes,omitempty"` // id of the suite that it resumes
	BaseURL   string    `json:"base_url,omitempty"`
	Paths     []string  `json:"paths,omitempty"` // that were asked for, absolute
	Selection Selection `json:"selection,omitzero"`
	// Setup says how it ran, by the name of a setting: what shards of one suite have alike.
	Setup      map[string]string `json:"setup,omitempty"`
	StartedAt  time.Time         `json:"started_at"`
	FinishedAt time.Time         `json:"finished_at,omitzero"`
	Entries    []Entry           `json:"cases"`
}

// Commands whose suites are not those of files, beside run, which alone resumes and merges.
const (
	CheckCommand = "check"
	TestCommand  = "test"
)

// OfFiles reports whether a suite is one of assay run.
func OfFiles(s Suite) bool { return s.Command == "" }

// Selection says which of the cases that were found belong to a suite, and at
// which address all of them run.
type Selection struct {
	BaseURL string `json:"base_url,omitempty"` // wins over that of a spec; empty: each its own

	Tags  []string `json:"tags,omitempty"`  // one of them; none: all
	Grep  string   `json:"grep,omitempty"`  // regular expression over path and name
	Shard int      `json:"shard,omitempty"` // from 1; 0: all
	Of    int      `json:"of,omitempty"`    // number of shards

	Profile string `json:"profile,omitempty"` // of the configuration
}

// Cases returns the results so far, in the order of the files. What has none was
// skipped.
func (s Suite) Cases() []qa.TestCase {
	out := make([]qa.TestCase, len(s.Entries))
	for i, e := range s.Entries {
		if e.Result != nil {
			out[i] = e.Result.TestCase
			if e.Result.Status != qa.TestPassed {
				out[i].Quarantine = e.Quarantine
			}
			continue
		}
		out[i] = qa.TestCase{Name: pagetext.Text(e.Name), Status: qa.TestSkipped, Screenshots: []string{}, ConsoleLogs: []qa.ConsoleEntry{}, FailureReason: "interrupted before it began"}
	}
	return out
}

// Sum returns the suite as a test result.
func (s Suite) Sum() qa.TestResult {
	out := qa.SumUp(s.ID, s.StartedAt, s.FinishedAt, s.Cases())
	for _, e := range s.Entries {
		if e.Result != nil {
			out.Artifacts.Traces = append(out.Artifacts.Traces, qa.TestFiles(e.Result.Traces)...)
		}
	}
	return out
}

// Options say how a suite runs.
type Options struct {
	Parallel int // cases side by side
	Now      func() time.Time
	// Changed receives the suite whenever a case has begun or ended, one
	// change at a time, with the index of that case. An error ends the suite.
	Changed func(s Suite, i int) error
}

// clashes reports whether two cases may not run at the same time: they begin with one
// storage state, and one of them changes what it stands for, or they are rounds of one case.
func (c Case) clashes(other Case) bool {
	if c.Round != other.Round && c.File == other.File && c.Path == other.Path && c.Row == other.Row && c.Cell == other.Cell {
		return true
	}
	return c.Account != "" && c.Account == other.Account && (c.Alone || other.Alone)
}

// Clash returns the first account for which cases of two suites may not run at the same
// time, or "".
func Clash(some, others []Case) string {
	for _, c := range some {
		if slices.ContainsFunc(others, c.clashes) {
			return c.Account
		}
	}
	return ""
}

// Run runs the cases that are queued in s, side by side and in their order, and
// returns the suite with their results. A case that may not run beside one that does
// is overtaken by those that may. When ctx ends, those that run are left to end by
// themselves, and the others are skipped.
func Run(ctx context.Context, s Suite, cases []Case, o Options) (Suite, error) {
	r := runner{suite: s, options: o}
	stopping, stop := context.WithCancel(ctx)
	defer stop()
	var queued, running []int
	for i := range cases {
		if s.Entries[i].State != Kept {
			queued = append(queued, i)
		}
	}
	ended := make(chan int)
	for len(queued)+len(running) > 0 {
		if stopping.Err() != nil {
			for _, i := range queued {
				r.set(i, Skipped, nil)
			}
			queued = nil
		}
		for len(running) < max(1, o.Parallel) {
			at := slices.IndexFunc(queued, func(i int) bool {
				return !slices.ContainsFunc(running, func(other int) bool { return cases[i].clashes(cases[other]) })
			})
			if at < 0 {
				break
			}
			i := queued[at]
			queued, running = slices.Delete(queued, at, at+1), append(running, i)
			go func() {
				r.run(stopping, stop, i, cases[i])
				ended <- i
			}()
		}
		if len(running) == 0 {
			break
		}
		stopped := stopping.Done()
		if len(queued) == 0 {
			stopped = nil
		}
		select {
		case i := <-ended:
			running = slices.DeleteFunc(running, func(other int) bool { return other == i })
		case <-stopped:
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.suite.FinishedAt = o.Now()
	if err := r.publish(-1); r.err == nil {
		r.err = err
	}
	return r.suite, r.err
}

type runner struct {
	options Options
	mu      sync.Mutex
	suite   Suite
	err     error
}

// run runs one case. What keeps every case from running stops the suite.
func (r *runner) run(ctx context.Context, stop func(), i int, c Case) {
	r.set(i, Running, nil)
	result, err := c.Run(ctx)
	if err != nil {
		r.fail(i, err)
		stop()
		return
	}
	r.set(i, Done, &result)
}

func (r *runner) set(i int, s State, result *Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.suite.Entries[i].State, r.suite.Entries[i].Result = s, result
	if err := r.publish(i); err != nil && r.err == nil {
		r.err = err
	}
}

// publish hands out a copy that stays as it is.
func (r *runner) publish(i int) error {
	if r.options.Changed == nil {
		return nil
	}
	copied := r.suite
	copied.Entries = slices.Clone(r.suite.Entries)
	return r.options.Changed(copied, i)
}

// fail leaves the case as it was, without an end, and says why.
func (r *runner) fail(i int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.suite.Entries[i].Note = err.Error()
	if r.err == nil {
		r.err = err
	}
}
