package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// budget is what the tests of a package may start, and what they cost when it was set.
type budget struct {
	Package   string
	Browsers  int     // that they may start
	Processes int     // that they started
	Seconds   float64 // of CPU; tells which package is run first
}

// processes is how many the tests may start: a tenth more than they did. Chromium decides when a
// page gets a process of its own, and does so more often on a busy machine.
func (b budget) processes() int { return b.Processes + b.Processes/10 }

// budgets are those of a file, by package path without the module's.
type budgets []budget

// readBudgets reads a file with a line a package: its path, browsers, processes, and CPU
// seconds. Lines that begin with # are remarks.
func readBudgets(file string) (budgets, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the budgets: %w", err)
	}
	return parseBudgets(file, string(text))
}

func parseBudgets(file, text string) (budgets, error) {
	var all budgets
	for i, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		var b budget
		var errs [3]error
		if len(fields) == 4 {
			b.Package = fields[0]
			b.Browsers, errs[0] = strconv.Atoi(fields[1])
			b.Processes, errs[1] = strconv.Atoi(fields[2])
			b.Seconds, errs[2] = strconv.ParseFloat(fields[3], 64)
		}
		if len(fields) != 4 || errs != [3]error{} {
			return nil, fmt.Errorf("%s:%d: %q: write PACKAGE BROWSERS PROCESSES CPU-SECONDS, such as: browser 20 800 100", file, i+1, line)
		}
		all = append(all, b)
	}
	return all, nil
}

// of returns the budget of a package.
func (all budgets) of(pkg string) (budget, bool) {
	i := slices.IndexFunc(all, func(b budget) bool { return b.Package == pkg })
	if i < 0 {
		return budget{}, false
	}
	return all[i], true
}

// dearestFirst sorts packages by the CPU seconds of their budgets. Those without one,
// which may be dear, come first.
func (all budgets) dearestFirst(packages []string) {
	seconds := func(pkg string) float64 {
		if b, ok := all.of(short(pkg)); ok {
			return b.Seconds
		}
		return 1e9
	}
	slices.SortStableFunc(packages, func(a, b string) int { return int(seconds(b)) - int(seconds(a)) })
}

// What tells how fast a machine is: a package of some CPU seconds, and how many times those of
// its line it takes on one that is slow.
const (
	probeSeconds = 5
	slowness     = 2
)

// probe takes from packages the cheapest one that tells how fast the machine is; none where no
// line says so.
func (all budgets) probe(packages []string) (one, rest []string) {
	best, least := -1, 0.0
	for i, pkg := range packages {
		if b, ok := all.of(short(pkg)); ok && b.Seconds >= probeSeconds && (best < 0 || b.Seconds < least) {
			best, least = i, b.Seconds
		}
	}
	if best < 0 || len(packages) == 1 {
		return nil, packages
	}
	return packages[best : best+1], slices.Concat(packages[:best], packages[best+1:])
}

// slow reports whether packages took many times the CPU seconds of their lines.
func (all budgets) slow(costs []cost) bool {
	return slices.ContainsFunc(costs, func(c cost) bool {
		b, ok := all.of(c.Package)
		return ok && c.User+c.System > slowness*b.Seconds
	})
}

// exceeded returns a sentence for each package that started more than it may.
func (all budgets) exceeded(costs []cost) []string {
	var out []string
	for _, c := range costs {
		b, ok := all.of(c.Package)
		switch {
		case !c.Counted:
		case !ok:
			out = append(out, fmt.Sprintf("testcost: %s has no budget: give it one, such as: %s %d %d %.0f", c.Package, c.Package, c.Browsers, c.Processes, c.User+c.System))
		case c.Browsers > b.Browsers, c.Processes > b.processes():
			out = append(out, fmt.Sprintf("testcost: %s started %d browsers and %d processes, its budget is %d and %d: share a browser, a server or a session, "+
				"or raise the budget and say why; %d were forked for pages, of these %v; programs %v", c.Package, c.Browsers, c.Processes, b.Browsers, b.processes(), c.Pages, c.Kinds, c.Programs))
		}
	}
	return out
}
