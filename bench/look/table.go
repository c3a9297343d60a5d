package look

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// tally counts the verdicts of some cells.
type tally map[verdict]int

func (t tally) all() int {
	n := 0
	for _, count := range t {
		n += count
	}
	return n
}

func (t tally) share(v verdict) string {
	return fmt.Sprintf("%d (%.1f %%)", t[v], 100*float64(t[v])/float64(max(1, t.all())))
}

// writeTables writes what came of the cells, by class and by tool, and what was
// wrong.
func writeTables(out io.Writer, cells []*cell, list bool) error {
	var b strings.Builder
	byClass := counted(cells, func(c *cell) string { return c.Class })
	byClass.write(&b, "class")
	b.WriteString("\n")
	counted(cells, func(c *cell) string { return c.Tool }).write(&b, "tool")
	if list {
		b.WriteString("\n")
		writeList(&b, cells)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// counts holds tallies in the order in which their names came.
type counts struct {
	names []string
	of    map[string]tally
}

func counted(cells []*cell, name func(*cell) string) counts {
	c := counts{of: map[string]tally{}}
	for _, cell := range cells {
		n := name(cell)
		if c.of[n] == nil {
			c.names, c.of[n] = append(c.names, n), tally{}
		}
		c.of[n][cell.Verdict]++
	}
	return c
}

func (c counts) write(b *strings.Builder, what string) {
	fmt.Fprintf(b, "| %s | cells | right | false greens | false reds | inconclusive |\n|---|--:|--:|--:|--:|--:|\n", what)
	total := tally{}
	for _, name := range c.names {
		row(b, name, c.of[name])
		for v, n := range c.of[name] {
			total[v] += n
		}
	}
	row(b, "**all**", total)
	if n := total[broken]; n > 0 {
		fmt.Fprintf(b, "\n%d calls were refused as no calls: the measure is at fault there.\n", n)
	}
}

func row(b *strings.Builder, name string, t tally) {
	fmt.Fprintf(b, "| %s | %d | %d | %s | %s | %s |\n", name, t.all(), t[right], t.share(falseGreen), t.share(falseRed), t.share(undecided))
}

// writeList writes a line for each cell that is not right.
func writeList(b *strings.Builder, cells []*cell) {
	b.WriteString("| class | way | tool | must | got | page | said |\n|---|---|---|---|---|---|---|\n")
	wrong := slices.DeleteFunc(slices.Clone(cells), func(c *cell) bool { return c.Verdict == right })
	slices.SortStableFunc(wrong, func(a, b *cell) int { return strings.Compare(string(a.Verdict), string(b.Verdict)) })
	for _, c := range wrong {
		plain := strings.NewReplacer("|", "¦", "\n", " ")
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s |\n", c.Class, plain.Replace(c.Way), c.Tool, c.Truth, c.Outcome, plain.Replace(c.About), plain.Replace(c.Said))
	}
}
