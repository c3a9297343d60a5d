package plan

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/assay-qa/assay/pattern"
)

// Lines of a plan. A marked plan has the two comments, which Markdown does not show.
const (
	titleLine    = "# Test Plan"
	flowLine     = "## Steps to Reproduce"
	expectedLine = "**Expected Results:**"
	notableLine  = "- **Notable Elements**:"
	beginLine    = "<!-- begin of plan -->"
	endLine      = "<!-- end of plan -->"
)

// Print returns a plan as test-plan.md. What is not UTF-8 in it becomes U+FFFD.
func Print(p Plan) string {
	var w printer
	w.line(titleLine)
	w.line("")
	if p.Marked {
		w.line(beginLine)
		w.line("")
	}
	w.line("**Start URL**: " + plain(p.StartURL))
	if p.Role != "" {
		w.line("**Role**: " + plain(p.Role))
	}
	for _, f := range p.Flows {
		w.line("")
		if f.Name == "" {
			w.line(flowLine)
		} else {
			w.line(flowLine + ": " + plain(f.Name))
		}
		for _, s := range f.Steps {
			w.step(s)
		}
	}
	if p.Marked {
		w.line("")
		w.line(endLine)
	}
	return w.out.String()
}

type printer struct{ out strings.Builder }

func (w *printer) line(text string) { w.out.WriteString(text + "\n") }

// field prints a field of a step that is not empty.
func (w *printer) field(name, value string, how func(string) string) {
	if value != "" {
		w.line("- **" + name + "**: " + how(value))
	}
}

func (w *printer) step(s Step) {
	w.line("")
	w.line(fmt.Sprintf("### Step %d: %s", s.Number, strings.ToUpper(s.Kind)))
	w.line("")
	on := "element"
	if s.OnPage() {
		on = "page"
	}
	w.line("**Action:** " + s.Kind + " on " + on)
	w.field("Selector", s.Selector, code)
	w.field("Text", s.Text, quoted)
	w.field("Link", s.Link, plain)
	w.field("XPath", s.XPath, code)
	w.field("ID", s.ID, code)
	w.field("Frame", s.Frame, code)
	if s.Value != nil {
		w.line("- **Value**: " + quoted(*s.Value))
	}
	w.field("Option", s.Option, quoted)
	w.field("Key", s.Key, quoted)
	w.field("Reason", s.Reason, plain)
	w.line("")
	w.line(expectedLine)
	w.field("URL", s.Expected.URL, plain)
	w.field("Page Title", s.Expected.Title, quoted)
	if len(s.Expected.Notable) > 0 {
		w.line(notableLine)
	}
	for _, n := range s.Expected.Notable {
		w.line("  - " + notable(n))
	}
}

// notable returns a notable element without its bullet.
func notable(n Notable) string {
	text := code(n.Selector)
	if n.Text != "" {
		text += " " + quoted(n.Text)
	}
	if n.Description != "" {
		text += " - " + plain(n.Description)
	}
	return text
}

// odd matches what can't stand in a line as it is: characters that end a line somewhere,
// or that an editor changes or hides.
var odd = pattern.New(`[\x00-\x1f\x7f\x{80}-\x{9f}\x{2028}\x{2029}\x{feff}]`)

// plain returns a text as it stands at the end of a line: in quotes only where it
// would be read as something else.
func plain(s string) string {
	if s == "" || odd.MatchString(s) || !utf8.ValidString(s) || strings.TrimSpace(s) != s || strings.ContainsAny(s[:1], "\"`") {
		return quoted(s)
	}
	return s
}

// code returns a text as a code span of Markdown, with a fence longer than any run of
// backticks in it. What a code span can't hold is in quotes.
func code(s string) string {
	if s == "" || odd.MatchString(s) || !utf8.ValidString(s) || strings.TrimSpace(s) != s {
		return quoted(s)
	}
	longest, run := 0, 0
	for _, r := range s {
		if run++; r != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " "
	}
	return fence + s + fence
}

// quoted returns a text in double quotes. A backslash stands before a quote and
// before a backslash; n, r, t and u with four hexadecimal digits after one stand
// for characters that a line can't hold.
func quoted(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
	s = odd.ReplaceAllStringFunc(s, func(c string) string {
		switch c {
		case "\n":
			return `\n`
		case "\r":
			return `\r`
		case "\t":
			return `\t`
		}
		r, _ := utf8.DecodeRuneInString(c)
		return fmt.Sprintf(`\u%04x`, r)
	})
	return `"` + s + `"`
}
