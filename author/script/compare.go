package script

import (
	"fmt"
	"slices"
	"strings"
)

// growth bounds how much longer a time-out may become.
const growth = 2

// CompareForms returns what a new version tests otherwise than the old one; none: it differs
// in locators of actions, in waits for elements, and in time-outs that have at most
// doubled. Locators that have a name count as those of actions only where they are
// listed in acted, by their place among all.
func CompareForms(before, after NormalForm, acted ...int) []string {
	for i := range max(len(before.words), len(after.words)) {
		if i < len(before.words) && i < len(after.words) && before.words[i].text == after.words[i].text {
			continue
		}
		return []string{fmt.Sprintf("what is tested differs: %s became %s", before.at(i), after.at(i))}
	}
	var out []string
	for i, l := range after.Locators { // as many as before, too
		if was := before.Locators[i]; l.Name != "" && l.Text != was.Text && !slices.Contains(acted, i) {
			out = append(out, fmt.Sprintf("line %d: %s was %s and became %s, and more than actions may use it", l.Line, l.Name, was.Text, l.Text))
		}
	}
	for i, t := range after.Timeouts { // as many as before: their places are words
		if t.MS < 1 || t.MS > growth*before.Timeouts[i].MS {
			out = append(out, fmt.Sprintf("line %d: the time-out of %d ms became %d ms, more than twice of it, or none", t.Line, before.Timeouts[i].MS, t.MS))
		}
	}
	return out
}

// at shows the statement of a word.
func (f NormalForm) at(i int) string {
	if i >= len(f.words) {
		return "the end of the file"
	}
	lines := strings.Split(f.file.Source, "\n")
	line := f.words[i].line
	if line < 1 || line > len(lines) {
		return "its beginning"
	}
	return fmt.Sprintf("line %d (%.80s)", line, strings.TrimSpace(lines[line-1]))
}
