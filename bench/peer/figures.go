package peer

import (
	"time"

	"github.com/assay-qa/assay/bench/measure"
)

// figure describes one row of the table.
type figure struct {
	Name   string  `json:"name"`
	Unit   string  `json:"unit"`
	Ours   float64 `json:"ours"`   // median
	Theirs float64 `json:"theirs"` // median
	Ratio  float64 `json:"ratio"`  // median of the pairs' ratios
	Bar    bar     `json:"bar,omitzero"`
}

// bar bounds a figure. A figure without one is only shown.
type bar struct {
	Ratio float64 `json:"ratio,omitzero"` // of theirs
	Limit float64 `json:"limit,omitzero"` // of ours, in the figure's unit
	None  bool    `json:"none,omitzero"`  // ours must be 0
}

// met reports whether the figure keeps within its bar.
func (f figure) met() bool {
	return (f.Bar.Ratio == 0 || f.Ratio <= f.Bar.Ratio) && (f.Bar.Limit == 0 || f.Ours <= f.Bar.Limit) && (!f.Bar.None || f.Ours == 0)
}

// newFigure sums up the pairs of one figure.
func newFigure(name, unit string, b bar, pairs [][bothSides]float64) figure {
	columns := [bothSides][]float64{}
	var ratios []float64
	for _, p := range pairs {
		for who, v := range p {
			columns[who] = append(columns[who], v)
		}
		if p[theirs] != 0 {
			ratios = append(ratios, p[ours]/p[theirs])
		}
	}
	return figure{Name: name, Unit: unit, Bar: b, Ours: measure.Median(columns[ours]), Theirs: measure.Median(columns[theirs]), Ratio: measure.Median(ratios)}
}

// figures returns the rows of the table, with the bars of the requirements.
func (m *measurement) figures() []figure {
	row := func(name, unit string, b bar, of func(cold) float64) figure {
		var pairs [][bothSides]float64
		for _, r := range m.rounds {
			pairs = append(pairs, [bothSides]float64{of(r[ours]), of(r[theirs])})
		}
		return newFigure(name, unit, b, pairs)
	}
	rows := []figure{
		row("ready (initialize answered)", "ms", bar{Ratio: 0.2}, func(c cold) float64 { return measure.MS(c.ready) }),
		row("the job, from there to its last answer", "ms", bar{Ratio: 0.6}, func(c cold) float64 { return measure.MS(c.job) }),
		row("ready and job together", "ms", bar{}, func(c cold) float64 { return measure.MS(c.ready + c.job) }),
	}
	rows = append(rows,
		m.flowRow("flow of 9 steps in one call without its watch, theirs in single calls", 0.6, func(r flowRound) time.Duration { return r.theirs }),
		m.flowRow("the same, against a bare playwright-core script", 1.15, func(r flowRound) time.Duration { return r.script }))
	for _, st := range warmSteps(m.site) {
		if st.figure == "" {
			continue
		}
		var pairs [][bothSides]float64
		for _, p := range m.warm[st.figure] {
			pairs = append(pairs, [bothSides]float64{measure.MS(p[ours]), measure.MS(p[theirs])})
		}
		b := bar{Ratio: 1}
		if st.figure == "click, nothing follows" {
			b = bar{} // the bar is on the click that causes something
		}
		rows = append(rows, newFigure("warm "+st.figure, "ms", b, pairs))
	}
	rows = append(rows,
		row("all answers of the job", "bytes", bar{Ratio: 0.15}, func(c cold) float64 { return float64(c.bytes) }),
		row("the same without pictures", "bytes", bar{}, func(c cold) float64 { return float64(c.bytes - c.pictures) }),
		row("tools/list", "bytes", bar{Limit: 20_000}, func(c cold) float64 { return float64(c.list) }))
	rows = append(rows, m.jobFigures()...)
	if m.noProc {
		return rows
	}
	return append(rows,
		row("server process, resident", "MB", bar{Limit: 40}, func(c cold) float64 { return measure.MB(c.memory.Server) }),
		row("whole tree, proportional", "MB", bar{Ratio: 0.9}, func(c cold) float64 { return measure.MB(c.memory.Tree) }),
		row("whole tree, resident", "MB", bar{}, func(c cold) float64 { return measure.MB(c.memory.Resident) }),
		row("processes in the tree", "", bar{}, func(c cold) float64 { return float64(c.memory.Processes) }))
}

// steps returns the job's calls one by one: where the time goes.
func (m *measurement) steps() []figure {
	var rows []figure
	for i, st := range jobSteps(m.site) {
		var pairs [][bothSides]float64
		for _, r := range m.rounds {
			pairs = append(pairs, [bothSides]float64{measure.MS(r[ours].steps[i]), measure.MS(r[theirs].steps[i])})
		}
		rows = append(rows, newFigure(st.String(), "ms", bar{}, pairs))
	}
	return rows
}

// freshness counts the looks that showed what the call before had caused.
type freshness struct {
	Looks  int `json:"looks"`
	Ours   int `json:"ours"`
	Theirs int `json:"theirs"`
}

func (m *measurement) fresh() freshness {
	var f freshness
	for _, r := range m.rounds {
		f.Looks += r[ours].looks
		f.Ours += r[ours].fresh
		f.Theirs += r[theirs].fresh
	}
	return f
}

// flowRow compares our flow with another way to do it.
func (m *measurement) flowRow(name string, limit float64, other func(flowRound) time.Duration) figure {
	var pairs [][bothSides]float64
	for _, r := range m.flows {
		pairs = append(pairs, [bothSides]float64{measure.MS(r.ours), measure.MS(other(r))})
	}
	return newFigure(name, "ms", bar{Ratio: limit}, pairs)
}
