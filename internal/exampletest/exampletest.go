// Package exampletest is test code: the fenced blocks of documents, the commands in them,
// and what a command has to print where a document shows it.
//
// It reads text and runs nothing: who tries an example, and beside which site, is the
// business of the tests that import it.
package exampletest

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// NotRun is declared of a block whose commands are only held against the program's.
const NotRun = "not run"

// Block is a fenced block of a document.
type Block struct {
	Document string
	Line     int    // of its fence
	Language string // behind the fence
	Declared string // what the comment before the block says is its outcome: NotRun, or that of a file
	Reason   string
	Lines    []string
}

// At names a line of the block, from 0, as the document counts.
func (b Block) At(line int) string { return fmt.Sprintf("%s:%d", b.Document, b.Line+1+line) }

func (b Block) String() string { return b.At(-1) }

// Text is all of the block.
func (b Block) Text() string { return strings.Join(b.Lines, "\n") + "\n" }

var (
	fences       = pattern.New("^( *)```(.*)$")
	declarations = pattern.New(`^ *<!-- example: (` + NotRun + `|inconclusive|failed), (.+) -->$`)
	fileNames    = pattern.New(`^(?:---\n)?(?:# |// |<!-- )(\S+\.(?:toml|md|html|mjs|yml))\b`)
)

// File is the file that the first line of the block names, or "".
func (b Block) File() string {
	if named := fileNames.FindStringSubmatch(b.Text()); named != nil {
		return named[1]
	}
	return ""
}

// Blocks returns the fenced blocks of a document, and what is wrong with its fences.
func Blocks(document, text string) (all []Block, err error) {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	var problems []error
	var open *Block
	indent := ""
	for i, line := range lines {
		fence := fences.FindStringSubmatch(line)
		switch {
		case open != nil && fence != nil && fence[2] == "":
			all, open = append(all, *open), nil
		case open != nil:
			open.Lines = append(open.Lines, strings.TrimPrefix(line, indent))
		case fence != nil:
			indent, open = fence[1], &Block{Document: document, Line: i + 1, Language: fence[2]}
			if said := declarations.FindStringSubmatch(lines[max(i-1, 0)]); said != nil {
				open.Declared, open.Reason = said[1], said[2]
			} else if strings.Contains(lines[max(i-1, 0)], "<!-- example") {
				problems = append(problems, fmt.Errorf("%s:%d: write <!-- example: not run, REASON -->, or inconclusive or failed in place of not run", document, i))
			}
			if fence[2] == "" {
				problems = append(problems, fmt.Errorf("%s: the block has no language: sh, console, toml, markdown, json or another one", open))
			}
		}
	}
	if open != nil {
		problems = append(problems, fmt.Errorf("%s: the block has no end", open))
	}
	return all, errors.Join(problems...)
}

// Command is a line of an example: a program, its arguments, and what it is shown to print.
type Command struct {
	Line  int
	Words []string
	Shown []string
}

// Commands returns the commands of a block. In a console those are the lines behind a
// dollar sign, and what follows is what they print.
func (b Block) Commands() (all []Command) {
	for i := 0; i < len(b.Lines); i++ {
		at, line := i, b.Lines[i]
		for strings.HasSuffix(line, "\\") && i+1 < len(b.Lines) {
			i++
			line = strings.TrimSuffix(line, "\\") + b.Lines[i]
		}
		if b.Language == "console" {
			rest, is := strings.CutPrefix(line, "$ ")
			if !is {
				if len(all) > 0 {
					all[len(all)-1].Shown = append(all[len(all)-1].Shown, line)
				}
				continue
			}
			line = rest
		}
		for _, words := range simple(line) {
			all = append(all, Command{Line: at, Words: words})
		}
	}
	return all
}

// simple splits a line as a shell does into its commands, and those into words, which quotes
// hold together.
func simple(line string) (all [][]string) {
	var words []string
	end := func() {
		if len(words) > 0 {
			all, words = append(all, words), nil
		}
	}
	for _, word := range regexp.MustCompile(`(?:[^\s"']+|"[^"]*"|'[^']*')+`).FindAllString(line, -1) {
		if strings.HasPrefix(word, "#") {
			break
		}
		switch bare, last := strings.CutSuffix(word, ";"); {
		case word == "&&" || word == "||" || word == "&" || word == "do" || word == "run:" || word == "--" || bare == "":
			end()
		default:
			words = append(words, strings.NewReplacer(`"`, "", `'`, "").Replace(bare))
			if last {
				end()
			}
		}
	}
	end()
	return all
}

// volatile is what differs from run to run: an ellipsis (alone in its line it is one line or more), a run, a time, a span, the number of
// an entry in the log.
var volatile = pattern.New(`\n…\n|\n…$|…|\d{8}T\d{6}\.\d{3}Z-[a-z0-9]{6}|\d{4}-\d\d-\d\dT[0-9:]+Z|\d[\d.]* m?s\b|(?m:^ +\d+)`)

// Shape returns what output has to match that is shown as this.
func Shape(shown string) *regexp.Regexp {
	pattern, from := "", 0
	for _, at := range volatile.FindAllStringSubmatchIndex(shown, -1) {
		pattern += regexp.QuoteMeta(shown[from:at[0]])
		switch part := shown[at[0]:at[1]]; {
		case part == "\n…\n":
			pattern += `\n(?:.*\n)+`
		case part == "\n…":
			pattern += `(?:\n.*)+`
		case part == "…":
			pattern += `.*`
		case strings.HasSuffix(part, "s"):
			pattern += `\d[\d.]* m?s`
		case strings.HasPrefix(part, " "):
			pattern += ` +\d+`
		default:
			pattern += `[0-9TZ:.a-z-]+`
		}
		from = at[1]
	}
	return regexp.MustCompile(`^` + pattern + regexp.QuoteMeta(shown[from:]) + `\n$`)
}
