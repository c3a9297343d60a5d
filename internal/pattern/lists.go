package pattern

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Lines calls each with every line of an embedded file that holds an entry, and
// returns its error with the file and the number of the line. Empty lines and those
// that begin with # hold none; what white space ends a line does not belong to it.
func Lines(file, text string, each func(line string) error) error {
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		n++
		line = strings.TrimRight(line, "\r\n\t ")
		if line == "" || line[0] == '#' {
			continue
		}
		if err := each(line); err != nil {
			return fmt.Errorf("%s:%d: %w", file, n, err)
		}
	}
	return nil
}

// Lists are the lists of expressions of an embedded file, read on their first use. A
// list is a line such as
//
//	list waiting (?i)^(?:{entries})[.…]*$
//
// and below it, each on a line that a tab begins, its entries: any of them may stand
// for {entries}. A list without an expression is its entries. {NAME} stands for the
// list of that name, in expressions and in entries; other braces are escaped.
type Lists struct {
	file string
	read func() (map[string]list, error)
}

// list is one list as it stands in the file.
type list struct {
	frame   string
	entries []string
}

// NewLists returns the lists of a file's text. The name is for errors. A text that
// cannot be read makes the first use panic; a test of its room reads it before.
func NewLists(file, text string) *Lists {
	return &Lists{file, sync.OnceValues(func() (map[string]list, error) { return readLists(file, text) })}
}

const allEntries = "{entries}"

func readLists(file, text string) (map[string]list, error) {
	lists := map[string]list{}
	name := ""
	err := Lines(file, text, func(line string) error {
		if entry, ok := strings.CutPrefix(line, "\t"); ok {
			l, known := lists[name]
			if !known {
				return fmt.Errorf("the entry %q stands under no list", entry)
			}
			l.entries = append(l.entries, entry)
			lists[name] = l
			return nil
		}
		rest, ok := strings.CutPrefix(line, "list ")
		if !ok {
			return fmt.Errorf("%q is neither a list nor an entry: write list NAME, or a tab and the entry", line)
		}
		before, frame, framed := strings.Cut(rest, " ")
		if !framed {
			frame = "(?:" + allEntries + ")"
		}
		name = before
		if _, twice := lists[name]; twice {
			return fmt.Errorf("the list %q stands here a second time", name)
		}
		lists[name] = list{frame: frame}
		return nil
	})
	return lists, err
}

// Names returns the names of the lists, sorted, or what is wrong with the file.
func (l *Lists) Names() ([]string, error) {
	lists, err := l.read()
	return slices.Sorted(maps.Keys(lists)), err
}

// Entries returns the entries of a list, as they stand in the file.
func (l *Lists) Entries(name string) []string { return slices.Clone(l.entries(name)) }

func (l *Lists) entries(name string) []string {
	lists, err := l.read()
	found, ok := lists[name]
	if err != nil || !ok {
		panic(fmt.Sprintf("%s: list %q: %v", l.file, name, err))
	}
	return found.entries
}

// Has reports whether a word is an entry of a list.
func (l *Lists) Has(name, word string) bool { return slices.Contains(l.entries(name), word) }

// Pattern returns the pattern of a list, which is put together and compiled on its
// first use.
func (l *Lists) Pattern(name string) *Pattern {
	return &Pattern{later: func() (string, error) { return l.Expression(name, l.entries(name)) }}
}

// Expression returns the expression of a list as if it had other entries.
func (l *Lists) Expression(name string, entries []string) (string, error) {
	lists, err := l.read()
	if err != nil {
		return "", err
	}
	whole, err := expand(lists, name, entries, nil)
	if err != nil {
		return "", fmt.Errorf("%s: %w", l.file, err)
	}
	return whole, nil
}

// expand puts entries into the expression of a list, and lists in the places of their
// names.
func expand(lists map[string]list, name string, entries, above []string) (string, error) {
	found, ok := lists[name]
	switch {
	case !ok:
		return "", fmt.Errorf("there is no list %q", name)
	case slices.Contains(above, name):
		return "", fmt.Errorf("the list %q contains itself", name)
	}
	above = append(slices.Clip(above), name)
	text := strings.ReplaceAll(found.frame, allEntries, strings.Join(entries, "|"))
	var out strings.Builder
	for text != "" {
		before, inner, after := cutReference(text)
		out.WriteString(before)
		if text = after; inner == "" {
			break
		}
		whole, err := expand(lists, inner, lists[inner].entries, above)
		if err != nil {
			return "", err
		}
		out.WriteString(whole)
	}
	return out.String(), nil
}

// cutReference returns what stands before the first {NAME} of a text, the name, and
// what stands behind it.
func cutReference(text string) (before, name, after string) {
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
			if strings.HasPrefix(text[at:], "p{") || strings.HasPrefix(text[at:], "x{") || strings.HasPrefix(text[at:], "P{") {
				at++ // \p{Greek} and \x{2013} are no names of ours
			}
		case '{':
			end := strings.IndexByte(text[at:], '}')
			if end > 1 && strings.Trim(text[at+1:at+end], "abcdefghijklmnopqrstuvwxyz-") == "" {
				return text[:at], text[at+1 : at+end], text[at+end+1:]
			}
		}
	}
	return text, "", ""
}
