package suite

import (
	"cmp"
	"math"
	"slices"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// Stability sums up the rounds of a case that ran several times.
type Stability struct {
	Path    string `json:"path"`
	Name    string `json:"name"`
	Rounds  int    `json:"rounds"` // that have a result
	Passed  int    `json:"passed"`
	Failed  int    `json:"failed"`
	Unclear int    `json:"inconclusive"`
	// Low and High bound the share of rounds that do not pass, 0 to 1, with 95 % confidence.
	Low     float64        `json:"not_passed_low"`
	High    float64        `json:"not_passed_high"`
	Reasons []ReasonRounds `json:"reasons,omitempty"` // the most frequent first
}

// ReasonRounds says in how many rounds a case did not pass for one reason.
type ReasonRounds struct {
	Reason pagetext.Text `json:"reason"`
	Rounds int           `json:"rounds"`
}

// Verdict returns stable (each round passed), failing (none did) or flaky.
func (s Stability) Verdict() string {
	switch s.Passed {
	case s.Rounds:
		return "stable"
	case 0:
		return "failing"
	default:
		return "flaky"
	}
}

// Stability sums up the cases that ran in several rounds, in the order of the suite.
func (s Suite) Stability() (out []Stability) {
	at := map[CaseID]int{}
	for _, e := range s.Entries {
		if e.Round == 0 || e.Result == nil {
			continue
		}
		i, known := at[e.ID()]
		if !known {
			i, at[e.ID()] = len(out), len(out)
			out = append(out, Stability{Path: e.Path, Name: e.Name})
		}
		out[i].add(*e.Result)
	}
	for i := range out {
		out[i].Low, out[i].High = wilson(out[i].Rounds-out[i].Passed, out[i].Rounds)
		slices.SortStableFunc(out[i].Reasons, func(a, b ReasonRounds) int { return cmp.Compare(b.Rounds, a.Rounds) })
	}
	return out
}

// add counts a round.
func (s *Stability) add(r Result) {
	s.Rounds++
	*qa.Told(r.Status.Verdict(), &s.Passed, &s.Failed, &s.Unclear)++
	if r.Status == qa.TestPassed {
		return
	}
	i := slices.IndexFunc(s.Reasons, func(known ReasonRounds) bool { return known.Reason == r.FailureReason })
	if i < 0 {
		i, s.Reasons = len(s.Reasons), append(s.Reasons, ReasonRounds{Reason: r.FailureReason})
	}
	s.Reasons[i].Rounds++
}

// wilson returns the 95 % score interval of a share, hits of n (Wilson, Probable inference, the law of succession, and
// statistical inference, JASA 22, 1927). It holds for few rounds, too, and for none or all of them.
func wilson(hits, n int) (low, high float64) {
	const z = 1.959964 // of the normal distribution, for 95 %
	if n == 0 {
		return 0, 1
	}
	p, count := float64(hits)/float64(n), float64(n)
	scale := 1 + z*z/count
	middle := (p + z*z/(2*count)) / scale
	half := z / scale * math.Sqrt(p*(1-p)/count+z*z/(4*count*count))
	return max(0, middle-half), min(1, middle+half)
}
