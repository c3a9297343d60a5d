package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// cost is what the tests of one package took, with all processes below them.
type cost struct {
	Package      string
	User, System float64 // CPU seconds
	Counted      bool    // what follows was counted
	Processes    int     // started
	Browsers     int     // of those, Chromium's main processes
	Pages        int     // of those, what Chromium's zygotes forked: processes for pages, and one for graphics

	Kinds    map[string]int // of Pages, by Chromium's --type; those that ended at once have none
	Programs map[string]int // how often a process became each program; those that ended at once have none
	Left     []string       // commands of the processes that outlived the tests
}

// readCosts reads what the measurements of the packages wrote, a line of JSON each.
func readCosts(file string) ([]cost, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // nothing could be built
	}
	if err != nil {
		return nil, err
	}
	var all []cost
	for line := range strings.Lines(string(text)) {
		var c cost
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			return nil, fmt.Errorf("read the measurement %q: %w", line, err)
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b cost) int { return cmp.Compare(b.User+b.System, a.User+a.System) })
	return all, nil
}

// dearest is how many tests the table has.
const dearest = 20

// printTable prints the costs of packages, and the tests that took longest.
func printTable(w io.Writer, costs []cost, r results) {
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "CPU s\tuser\tsystem\tbrowsers\tpages\tprocesses\tpackage\t")
	var sum cost
	sum.Counted = true
	for _, c := range costs {
		fmt.Fprintln(t, c.row(c.Package))
		sum.User, sum.System, sum.Counted = sum.User+c.User, sum.System+c.System, sum.Counted && c.Counted
		sum.Browsers, sum.Pages, sum.Processes = sum.Browsers+c.Browsers, sum.Pages+c.Pages, sum.Processes+c.Processes
	}
	fmt.Fprintln(t, sum.row("all of these"))
	_ = t.Flush() // as printing fails
	for _, c := range costs {
		if len(c.Left) > 0 {
			fmt.Fprintf(w, "%s left %d processes behind: %s\n", c.Package, len(c.Left), strings.Join(c.Left, "; "))
		}
	}
	if !sum.Counted {
		fmt.Fprintln(w, "not all processes were counted, so not all budgets were checked: counting needs root on Linux, and a kernel whose events are not lost")
	}
	slices.SortFunc(r.tests, func(a, b timed) int { return cmp.Compare(b.Elapsed, a.Elapsed) })
	fmt.Fprintln(w, "\nthe tests that took longest, others beside them:")
	for _, test := range r.tests[:min(dearest, len(r.tests))] {
		fmt.Fprintf(w, "%7.1f s  %s %s\n", test.Elapsed.Seconds(), test.Package, test.Test)
	}
}

func (c cost) row(name string) string {
	count := func(n int) string {
		if !c.Counted {
			return "–"
		}
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%.1f\t%.1f\t%.1f\t%s\t%s\t%s\t%s\t", c.User+c.System, c.User, c.System, count(c.Browsers), count(c.Pages), count(c.Processes), name)
}

// printBusy prints how much of the machine's time all of this took, and how much of that
// was not in the tests of the measured packages.
func printBusy(w io.Writer, costs []cost, cpu, took time.Duration, cores int) {
	measured := 0.0
	for _, c := range costs {
		measured += c.User + c.System
	}
	all := cpu.Seconds()
	fmt.Fprintf(w, "\n%.0f CPU s in %.0f s on %d cores (%.0f %% of their time); %.0f of them to compile, to link and for the other packages\n",
		all, took.Seconds(), cores, 100*all/(took.Seconds()*float64(cores)), max(0, all-measured))
}
