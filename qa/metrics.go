package qa

import (
	"slices"

	"github.com/assay-qa/assay/qa/code"
)

// Metrics sum up many runs (A14).
type Metrics struct {
	Runs         int              `json:"runs"`
	ByStatus     map[Status]int   `json:"byStatus"`
	ToolCalls    Spread           `json:"toolCalls"`  // of a run
	DurationMS   Spread           `json:"durationMs"` // of a run
	Screenshots  Spread           `json:"screenshots"`
	Checks       int              `json:"checks"`
	ChecksFailed int              `json:"checksFailed"`
	Findings     int              `json:"findings"`
	BySeverity   map[Severity]int `json:"findingsBySeverity"`
	ByCategory   map[Category]int `json:"findingsByCategory"`
	TimedOut     Rate             `json:"timedOut"`     // runs in which a call or a step ran out of time, or the run did
	Inconclusive Rate             `json:"inconclusive"` // runs
	Errors       map[string]int   `json:"errors"`       // calls and steps that ended in an error, by code
	TokensInput  int              `json:"tokensInput"`
	TokensOutput int              `json:"tokensOutput"`
	USD          float64          `json:"usd"`
}

// Spread holds how a number is spread over runs. Of an even number of runs the
// median is the lower of the middle two; P90 is the least value that at least
// nine runs of ten don't exceed.
type Spread struct {
	Total  int64 `json:"total"`
	Median int64 `json:"median"`
	P90    int64 `json:"p90"`
	Max    int64 `json:"max"`
}

// Rate holds a share of runs. Of no runs it is 0 of 0.
type Rate struct {
	Runs  int     `json:"runs"`
	Share float64 `json:"share"` // 0 to 1
}

// Measure sums up reports. Their order does not matter.
func Measure(reports []QAReport) Metrics {
	m := Metrics{Runs: len(reports), ByStatus: map[Status]int{Passed: 0, Failed: 0, Inconclusive: 0}, BySeverity: map[Severity]int{}, ByCategory: map[Category]int{}, Errors: map[string]int{}}
	var calls, durations, shots []int64
	for _, r := range reports {
		m.ByStatus[r.Status]++
		calls, durations, shots = append(calls, int64(r.Costs.ToolCalls)), append(durations, r.Costs.DurationMS), append(shots, int64(r.Costs.Screenshots))
		m.Checks += len(r.Checks)
		for _, c := range r.Checks {
			if c.Status() == Failed {
				m.ChecksFailed++
			}
		}
		for _, f := range r.Findings {
			m.Findings++
			m.BySeverity[f.Severity]++
			m.ByCategory[f.Category]++
		}
		for _, t := range r.Timeline {
			if t.ErrorCode != "" {
				m.Errors[t.ErrorCode]++
			}
		}
		if timedOut(r) {
			m.TimedOut.Runs++
		}
		m.TokensInput, m.TokensOutput, m.USD = m.TokensInput+r.Costs.TokensInput, m.TokensOutput+r.Costs.TokensOutput, m.USD+r.Costs.USD
	}
	m.ToolCalls, m.DurationMS, m.Screenshots = spread(calls), spread(durations), spread(shots)
	m.Inconclusive.Runs = m.Runs - m.ByStatus[Passed] - m.ByStatus[Failed] // a status that we don't know is no verdict
	if m.Runs > 0 {
		m.TimedOut.Share = float64(m.TimedOut.Runs) / float64(m.Runs)
		m.Inconclusive.Share = float64(m.Inconclusive.Runs) / float64(m.Runs)
	}
	return m
}

func timedOut(r QAReport) bool {
	return slices.ContainsFunc(r.Timeline, func(t TimelineEntry) bool { return t.ErrorCode == code.Timeout }) ||
		slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Stopped == TimedOut })
}

func spread(values []int64) Spread {
	if len(values) == 0 {
		return Spread{}
	}
	slices.Sort(values)
	s := Spread{Median: values[(len(values)-1)/2], P90: values[(9*len(values)+9)/10-1], Max: values[len(values)-1]}
	for _, v := range values {
		s.Total += v
	}
	return s
}
