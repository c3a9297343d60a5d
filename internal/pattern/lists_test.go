package pattern_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/pattern"
)

func TestLines(t *testing.T) {
	var got []string
	err := pattern.Lines("a.txt", "\ufeff# note\r\n\r\none \t\r\n\ttwo # no note\n  \n# note\nthree", func(line string) error {
		got = append(got, line)
		return nil
	})
	if want := []string{"one", "\ttwo # no note", "three"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

// What a list finds is what its entries find in the place that it gives them.
func TestLists(t *testing.T) {
	lists := pattern.NewLists("a.txt", `
list waiting (?i)^(?:{entries})[.…]*$
	{polite}wait
	\{raw\} #1
	\p{Greek}+\x{2026}

list polite
	please[ ]
	bitte[ ]
`)
	waiting := lists.Pattern("waiting")
	for text, want := range map[string]bool{
		"Please wait…": true, "bitte WAIT": true, "wait": false, "{raw} #1.": true, "raw #1": false, "αβ…": true, "please": false,
	} {
		if waiting.MatchString(text) != want {
			t.Errorf("%q: found is not %v", text, want)
		}
	}
	if names, err := lists.Names(); err != nil || !slices.Equal(names, []string{"polite", "waiting"}) {
		t.Errorf("names %q, %v", names, err)
	}
}

// A file that cannot be read is told with its line, and a list that cannot be made
// with its name.
func TestBrokenLists(t *testing.T) {
	for text, want := range map[string]string{
		"\tentry":                      `a.txt:1: the entry "entry" stands under no list`,
		"list a\n\n# note\nentry":      `a.txt:4: "entry" is neither a list nor an entry`,
		"list a\n\tx\nlist b\nlist a":  `a.txt:4: the list "a" stands here a second time`,
		"list a\n\t{b}\nlist b\n\t{a}": `a.txt: the list "a" contains itself`,
		"list a\n\t{c}":                `a.txt: there is no list "c"`,
		"list b\n\tx":                  `a.txt: list "a"`,
	} {
		func() {
			defer func() {
				if told, _ := recover().(string); !strings.Contains(told, want) {
					t.Errorf("%q: %s, want %s", text, told, want)
				}
			}()
			pattern.NewLists("a.txt", text).Pattern("a").MatchString("x")
		}()
	}
}
