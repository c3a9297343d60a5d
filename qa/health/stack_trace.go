package health

import (
	"strings"

	"github.com/assay-qa/assay/pattern"
)

// traces match what interpreters, virtual machines and databases say when a
// program fails, in the form that they say it in.
var traces = []struct {
	of      string
	pattern *pattern.Pattern
}{
	{"Python", pattern.New(`Traceback \(most recent call last\):\s+File "[^"]+", line \d+`)},
	{"JavaScript", pattern.New(`(?:^|\s)(?:[A-Z]\w*)?Error: [\s\S]{0,400}?\s+at (?:async )?(?:[\w.$<>\[\] ]+ \()?(?:[\w:/\\.@?=&-]+|<anonymous>):\d+:\d+\)?`)},
	{"Java", pattern.New(`\b(?:[a-z]\w*\.){2,}[A-Z]\w*(?:Exception|Error)\b[\s\S]{0,400}?\s+at (?:[\w$]+[./])+[\w$<>]+\((?:[\w$]+\.(?:java|kt|scala|groovy):\d+|Native Method|Unknown Source)\)`)},
	{"Java", pattern.New(`(?:\s+at (?:[\w$]+[./])+[\w$<>]+\([\w$]+\.(?:java|kt|scala|groovy):\d+\)){2}`)},
	{".NET", pattern.New(`\b(?:System|Microsoft)\.[\w.]*Exception: [\s\S]{0,600}?\s+at [\w.<>` + "`" + `\[\],]+\(`)},
	{".NET", pattern.New(`\s+(?:at|bei|à|en) [\w.<>` + "`" + `]+\([^)]*\) (?:in|à|en) [A-Za-z]?:?[\\/][^\n]{1,200}:(?:line|Zeile|ligne|línea) \d+`)},
	{"PHP", pattern.New(`(?:Fatal error|Parse error|Warning|Notice|Deprecated|Strict Standards|Uncaught \w+)\s?: .{1,400}? in (?:[A-Za-z]:)?[\\/]\S+(?:\.\w+|eval\(\)'d code)(?:\(\d+\))? ?(?:on line|:) ?\d+`)},
	{"PHP", pattern.New(`Stack trace:\s*#0 \S`)},
	{"Ruby", pattern.New(`(?:/|\b)[\w./-]+\.(?:rb|erb|haml|slim):\d+:in ['` + "`" + `‘][^'’]+['’]`)},
	{"Go", pattern.New(`goroutine \d+ \[[\w ,]+\]:|panic: runtime error: `)},
	{"Rust", pattern.New(`thread '[^']+' (?:\(\d+\) )?panicked at `)},
	{"Elixir", pattern.New(`\*\* \(\w+(?:\.\w+)*Error\) `)},
	{"a database", pattern.New(`SQLSTATE\[\w+\]|\bORA-\d{5}: |You have an error in your SQL syntax|Unclosed quotation mark after the character string|PG::\w+Error|psycopg2\.\w+|(?:Sqlite|SQLite)Exception|MySQLSyntaxErrorException|ERROR: +relation "[^"]+" does not exist|Microsoft OLE DB Provider for`)},
}

// traceShare sets the share of a page's text, in percent, above which a block of preformatted text
// counts as the page.
const traceShare = 70

// checkTrace looks for a stack trace. In a block of preformatted text it counts
// where there is hardly anything else: a log viewer shows such blocks, too.
func (j *judge) checkTrace() {
	open, closed := "", ""
	for _, t := range j.facts.Texts {
		switch {
		case t.Edit || t.User:
		case t.Pre || t.Code:
			closed += t.Text + "\n"
		default:
			open += t.Text + "\n"
		}
		if len(open)+len(closed) > maxBody {
			break
		}
	}
	alone := len(closed)*100 > traceShare*(len(open)+len(closed)) && j.facts.Controls <= 2
	for _, tr := range traces {
		if at := tr.pattern.FindString(open); at != "" {
			j.add(StackTrace, !j.technical, j.selectorOf(at), "of %s: %s", tr.of, quoted(at))
			return
		}
		if at := tr.pattern.FindString(closed); at != "" && alone && !logged.MatchString(before(closed, at)) {
			j.add(StackTrace, true, j.selectorOf(at), "of %s: %s", tr.of, quoted(at))
			return
		}
	}
}

// logged matches a time of day in a line: a program that fails writes none before its trace, and a
// log does.
var logged = pattern.New(`\b\d{1,2}:\d{2}\b`)

// before returns the line of a text up to what stands in it.
func before(text, at string) string {
	head, _, _ := strings.Cut(text, at)
	return head[strings.LastIndex(head, "\n")+1:]
}

// selectorOf returns the selector of the text that holds at or begins it.
func (j *judge) selectorOf(at string) string {
	for _, t := range j.facts.Texts {
		if t.Selector != "" && len(t.Text) > 8 && (strings.Contains(at, t.Text) || strings.Contains(t.Text, at)) {
			return t.Selector
		}
	}
	return ""
}
