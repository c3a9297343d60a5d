package install

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/assay-qa/assay/bench/measure"
)

// The goals of issue 34, for each way.
const (
	goalCommands = 1
	goalSeconds  = 60.0
	goalOurs     = 30.0 // MB, as it is fetched
)

// printTable writes the results as Markdown, and which goals are missed by what.
func printTable(w io.Writer, results []result) {
	fmt.Fprintln(w, "| way | there already | commands | ours, MB | of others, MB | seconds: median (all) | CPU seconds | verdicts |\n|---|---|--:|--:|--:|--:|--:|---|")
	for _, r := range results {
		s := r.sum()
		fmt.Fprintf(w, "| %s | %s | %d | %s | %s | %s | %s | %s |\n", r.way.name, r.way.there(), r.way.typed(), s.ours, s.others, s.seconds(), s.cpu(r.way), s.verdicts())
	}
	fmt.Fprintln(w)
	for _, r := range results {
		r.explain(w)
	}
}

// there says what must be there before a way begins.
func (w way) there() string {
	if len(w.given) == 0 {
		return "nothing"
	}
	return strings.Join(w.given, ", ")
}

// typed returns how many commands a person types until the verdict. A client works a bundle: what
// is typed is what its first answer names.
func (w way) typed() int {
	if w.bundle {
		return 1
	}
	return len(w.commands)
}

// sum is what a table says of the rounds that count.
type sum struct {
	counted, rounds int
	took, busy      []float64   // seconds by the clock, and of processors
	commands        [][]float64 // seconds of each command, round by round
	ours, others    string
	hosts           map[string]int64 // of the last round
}

func (r result) sum() sum {
	s := sum{rounds: len(r.rounds), ours: "–", others: "–"}
	var ours, others []float64
	for _, one := range r.rounds {
		if !one.counts() {
			continue
		}
		s.counted++
		s.took = append(s.took, one.took.Seconds())
		busy := 0.0
		for i, c := range one.commands {
			if i == len(s.commands) {
				s.commands = append(s.commands, nil)
			}
			s.commands[i] = append(s.commands[i], c.took.Seconds())
			busy += c.cpu.Seconds()
		}
		s.busy = append(s.busy, busy)
		ours = append(ours, measure.MB(one.ours))
		var sum int64
		for _, n := range one.others {
			sum += n
		}
		others, s.hosts = append(others, measure.MB(sum)), one.others
	}
	if s.counted > 0 {
		s.ours, s.others = fmt.Sprintf("%.1f", measure.Median(ours)), fmt.Sprintf("%.1f", measure.Median(others))
	}
	return s
}

// seconds is the median, and every round.
func (s sum) seconds() string {
	if s.counted == 0 {
		return "–"
	}
	var all []string
	for _, t := range s.took {
		all = append(all, fmt.Sprintf("%.1f", t))
	}
	return fmt.Sprintf("%.1f (%s)", measure.Median(s.took), strings.Join(all, ", "))
}

// cpu is the median of what the commands took of processors: the server of a bundle is no command.
func (s sum) cpu(w way) string {
	if s.counted == 0 || w.bundle {
		return "–"
	}
	return fmt.Sprintf("%.0f", measure.Median(s.busy))
}

func (s sum) verdicts() string {
	if s.counted == s.rounds {
		return fmt.Sprintf("passed, then failed, %d of %d", s.counted, s.rounds)
	}
	return fmt.Sprintf("**right in %d of %d**", s.counted, s.rounds)
}

// explain writes what the time of a way went into, and which goals are missed.
func (r result) explain(w io.Writer) {
	s := r.sum()
	fmt.Fprintf(w, "- %s:", r.way.name)
	if r.way.note != "" {
		fmt.Fprintf(w, " %s;", r.way.note)
	}
	for i, name := range r.named(s) {
		fmt.Fprintf(w, " `%s` %.1f s;", name, measure.Median(s.commands[i]))
	}
	for _, host := range slices.Sorted(maps.Keys(s.hosts)) {
		fmt.Fprintf(w, " %s %.1f MB;", host, measure.MB(s.hosts[host]))
	}
	var load []string
	for _, one := range r.rounds {
		load = append(load, fmt.Sprintf("%.1f", one.load))
	}
	fmt.Fprintf(w, " load %s. %s\n", strings.Join(load, ", "), r.goals())
}

// named are the commands whose times are known.
func (r result) named(s sum) []string {
	if r.way.bundle && len(s.commands) == 1 {
		return []string{"…/server/assay install"}
	}
	return r.way.commands[:min(len(s.commands), len(r.way.commands))]
}

// goals says which goals a way misses.
func (r result) goals() string {
	s := r.sum()
	if s.counted == 0 {
		return "Nothing counts: no goal is met."
	}
	var missed []string
	if n := r.way.typed(); n > goalCommands {
		missed = append(missed, fmt.Sprintf("%d commands of %d", n, goalCommands))
	}
	if median := measure.Median(s.took); median > goalSeconds && slices.Contains(r.way.given, aBrowser) {
		missed = append(missed, fmt.Sprintf("%.1f s of %.0f", median, goalSeconds))
	}
	for _, one := range r.rounds {
		if mb := measure.MB(one.ours); mb > goalOurs {
			missed = append(missed, fmt.Sprintf("%.1f MB of %.0f", mb, goalOurs))
			break
		}
	}
	if len(missed) == 0 {
		return "All goals are met."
	}
	return "Missed: " + strings.Join(missed, ", ") + "."
}
