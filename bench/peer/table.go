package peer

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// result holds all of a measurement.
type result struct {
	About   about               `json:"about"`
	Rounds  int                 `json:"rounds"`
	Pairs   int                 `json:"warm_pairs"`
	Figures []figure            `json:"figures"`
	Steps   []figure            `json:"steps"`
	Fresh   freshness           `json:"looks_that_showed_the_change"`
	Exports map[string]exported `json:"exported_tests"`
}

// markdown prints the result as docs/benchmarks.md shows it.
func (r result) markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Medians of %d rounds, and of %d pairs for warm calls. %s, %d CPUs; %s; Node %s; @playwright/mcp %s.\n\n",
		r.Rounds, r.Pairs, r.About.OS, r.About.CPUs, r.About.Browser, r.About.Node, r.About.Peer)
	b.WriteString("| figure | ours | theirs | ratio | bar | met? |\n|---|--:|--:|--:|--:|---|\n")
	var missed []figure
	for _, f := range r.Figures {
		met := ""
		switch {
		case f.Bar == bar{}:
		case f.met():
			met = "met"
		default:
			met = "**MISSED**"
			missed = append(missed, f)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %.2f× | %s | %s |\n", f.Name, f.amount(f.Ours), f.amount(f.Theirs), f.Ratio, f.barText(), met)
	}
	fmt.Fprintf(&b, "\nA snapshot right after a change showed the change: ours %d of %d, theirs %d of %d.\n",
		r.Fresh.Ours, r.Fresh.Looks, r.Fresh.Theirs, r.Fresh.Looks)
	for _, name := range slices.Sorted(maps.Keys(r.Exports)) {
		fmt.Fprintf(&b, "\nThe job %q as an exported Playwright test: %s\n", name, r.Exports[name])
	}
	for _, f := range missed {
		fmt.Fprintf(&b, "\nMISSED: %s, %s at %.2f× against a bar of %s. Cause: \n", f.Name, f.amount(f.Ours), f.Ratio, f.barText())
	}
	b.WriteString("\nThe job call by call:\n\n| call | ours | theirs | ratio |\n|---|--:|--:|--:|\n")
	for _, f := range r.Steps {
		fmt.Fprintf(&b, "| %s | %s | %s | %.2f× |\n", f.Name, f.amount(f.Ours), f.amount(f.Theirs), f.Ratio)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// amount prints a value with its unit, in about three digits.
func (f figure) amount(v float64) string {
	form := "%.0f"
	if f.Unit == "ms" && v < 100 || f.Unit == "MB" && v < 100 {
		form = "%.1f"
	}
	return strings.TrimSpace(fmt.Sprintf(form, v) + " " + f.Unit)
}

func (f figure) barText() string {
	switch {
	case f.Bar.Ratio != 0:
		return fmt.Sprintf("≤ %g×", f.Bar.Ratio)
	case f.Bar.Limit != 0:
		return "≤ " + f.amount(f.Bar.Limit)
	case f.Bar.None:
		return "0"
	}
	return ""
}
