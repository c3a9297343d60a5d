package selectors

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
)

// lineStart distinguishes a snapshot line from CSS: neither a quote nor a bare
// number in brackets can follow a word there.
var (
	lineStart   = pattern.New(`^([A-Za-z][A-Za-z-]*) *("|\[[0-9]+\])`)
	lineOrdinal = pattern.New(`^ *\[([0-9]+)\]`)
	lineColumn  = pattern.New(`^ *column *"`)
	lineEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
)

// ScanLine reads a snapshot line at the start of s and returns what follows
// it. ok is false when s starts with something else.
func ScanLine(s string) (line Line, after string, ok bool, err error) {
	m := lineStart.FindStringSubmatch(s)
	if m == nil {
		return line, s, false, nil
	}
	line.Role = strings.ToLower(m[1])
	if !slices.Contains(lineRoles, line.Role) {
		return line, s, false, fmt.Errorf("there is no role %q; the nearest is %q", m[1], text.Closest(line.Role, lineRoles))
	}
	after = strings.TrimLeft(s[len(m[1]):], " ")
	if m[2] == `"` {
		if line.Name, after, err = scanQuoted(after); err != nil {
			return line, s, false, err
		}
		line.Named = true
	}
	if n := lineOrdinal.FindStringSubmatch(after); n != nil {
		line.Nth, err = strconv.Atoi(n[1])
		if err != nil || line.Nth < 1 || line.Nth > 1_000_000 {
			return line, s, false, fmt.Errorf("[%s] is not the number of a line; they count from 1", n[1])
		}
		after = after[len(n[0]):]
	}
	return scanColumn(line, s, after)
}

// scanColumn reads what names a cell of a row by the head of its column.
func scanColumn(line Line, s, after string) (Line, string, bool, error) {
	m := lineColumn.FindString(after)
	if line.Role != "row" || m == "" {
		return line, after, true, nil
	}
	var err error
	if line.Column, after, err = scanQuoted(after[len(m)-1:]); err != nil {
		return line, s, false, err
	}
	if strings.TrimSpace(line.Column) == "" {
		return line, s, false, errors.New("the head after column is empty")
	}
	return line, after, true, nil
}

// scanQuoted reads a double-quoted text in which \" and \\ are escapes.
func scanQuoted(s string) (text, after string, err error) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], nil
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", fmt.Errorf(`a closing quote is missing; a quote within a name is written \"`)
}

// lineRoles lists the words that a snapshot line can begin with: the ARIA roles
// that outlines know, and our own text, clickable and frame.
var lineRoles = strings.Fields(`alert alertdialog application article banner blockquote button caption cell checkbox clickable
	columnheader combobox complementary contentinfo definition dialog directory feed figure form frame grid gridcell group heading img
	link list listbox listitem log main marquee menu menubar menuitem menuitemcheckbox menuitemradio meter navigation note option
	paragraph progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status
	switch tab table tablist tabpanel term text textbox timer toolbar tooltip tree treegrid treeitem`)

// tagRoles lists the roles whose word is also the name of an HTML or SVG tag:
// alone, they are CSS.
var tagRoles = strings.Fields(`article blockquote button caption dialog figure form frame img main menu meter option search table text`)
