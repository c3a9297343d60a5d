package truth

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

// writeTables writes what came of the cells, by way, by class and by lie.
func writeTables(out io.Writer, cells []*cell, list bool) error {
	cells = slices.DeleteFunc(slices.Clone(cells), func(c *cell) bool { return c.Verdict == "" }) // not got to
	var b strings.Builder
	write(&b, "way", cells, func(c *cell) string { return c.Way })
	for _, way := range []string{byRules, byClient} {
		if of := slices.DeleteFunc(slices.Clone(cells), func(c *cell) bool { return c.Way != way }); len(of) > 0 {
			b.WriteString("\n")
			write(&b, way+": class", of, func(c *cell) string { return c.Class })
		}
	}
	if of := slices.DeleteFunc(slices.Clone(cells), func(c *cell) bool { return c.Lie == "" }); len(of) > 0 {
		b.WriteString("\n")
		write(&b, "check to please", of, func(c *cell) string { return c.Lie })
	}
	if of := slices.DeleteFunc(slices.Clone(cells), func(c *cell) bool { return c.Wire == "" }); len(of) > 0 {
		b.WriteString("\n")
		write(&b, "wire", of, func(c *cell) string {
			if c.Lie != "" {
				return string(c.Wire) + ", pleasing"
			}
			return string(c.Wire) + ", honest"
		})
	}
	if list {
		b.WriteString("\n")
		writeList(&b, cells)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func write(b *strings.Builder, what string, cells []*cell, name func(*cell) string) {
	var names []string
	of, total := map[string]tally{}, tally{}
	for _, c := range cells {
		n := name(c)
		if of[n] == nil {
			names, of[n] = append(names, n), tally{}
		}
		of[n][c.Verdict]++
		total[c.Verdict]++
	}
	fmt.Fprintf(b, "| %s | cells | right | false greens | false reds | inconclusive | can't be asked |\n|---|--:|--:|--:|--:|--:|--:|\n", what)
	for _, n := range names {
		row(b, n, of[n])
	}
	row(b, "**all**", total)
}

func row(b *strings.Builder, name string, t tally) {
	fmt.Fprintf(b, "| %s | %d | %d | %s | %s | %s | %s |\n", name, t.all(), t[right], t.share(falseGreen), t.share(falseRed), t.share(undecided), t.share(cannotAsk))
}

// writeList writes a line for each cell that is not right.
func writeList(b *strings.Builder, cells []*cell) {
	b.WriteString("| verdict | way | class | sentence | page | check | must | said |\n|---|---|---|---|---|---|---|---|\n")
	wrong := slices.DeleteFunc(slices.Clone(cells), func(c *cell) bool { return c.Verdict == right })
	slices.SortStableFunc(wrong, func(a, b *cell) int { return strings.Compare(string(a.Verdict), string(b.Verdict)) })
	plain := strings.NewReplacer("|", "¦", "\n", " ")
	for _, c := range wrong {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", c.Verdict, c.Way, c.Class, plain.Replace(c.Sentence), c.About, c.Lie, c.Truth, plain.Replace(c.Said))
	}
}
