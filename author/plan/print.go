package plan

import (
	"fmt"
	"strings"

	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/internal/pagetext"
)

// Lines of a plan. A marked plan has the two comments, which Markdown does not show.
const (
	titleLine    = "# Test Plan"
	flowLine     = "## Steps to Reproduce"
	summaryLine  = "## Summary"
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
	w.line("**Start URL**: " + pagetext.MarkdownAddress(pagetext.Text(p.StartURL)))
	if p.Role != "" {
		w.line("**Role**: " + pagetext.MarkdownExact(pagetext.Text(p.Role)))
	}
	for _, f := range p.Flows {
		w.line("")
		if f.Name == "" {
			w.line(flowLine)
		} else {
			w.line(flowLine + ": " + pagetext.MarkdownExact(pagetext.Text(f.Name)))
		}
		for _, s := range f.Steps {
			w.step(s)
		}
	}
	if len(p.Summary) > 0 {
		w.line("")
		w.line(summaryLine)
		w.line("")
		for _, row := range p.Summary {
			w.line(row)
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

// field prints a field of a step that is not empty. What an exploration found are the
// page's words.
func (w *printer) field(name, value string, how func(pagetext.Text) string) {
	if value != "" {
		w.line("- **" + name + "**: " + how(pagetext.Text(value)))
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
	w.field("Selector", s.Selector, pagetext.MarkdownSpan)
	w.field("Text", s.Text, pagetext.MarkdownQuoted)
	w.field("Link", s.Link, pagetext.MarkdownAddress)
	w.field("XPath", s.XPath, pagetext.MarkdownSpan)
	w.field("ID", s.ID, pagetext.MarkdownSpan)
	w.field("Frame", s.Frame, pagetext.MarkdownSpan)
	if s.Value != nil {
		w.line("- **Value**: " + pagetext.MarkdownQuoted(pagetext.Text(*s.Value)))
	}
	w.field("Option", s.Option, pagetext.MarkdownQuoted)
	w.field("Key", s.Key, pagetext.MarkdownQuoted)
	w.field("Reason", s.Reason, pagetext.MarkdownExact)
	w.line("")
	w.line(expectedLine)
	if s.Expected.URL == "" && s.Expected.Title == "" && len(s.Expected.Notable) == 0 {
		w.line("- **Result**: " + s.result())
	}
	w.field("URL", s.Expected.URL, pagetext.MarkdownAddress)
	w.field("Page Title", s.Expected.Title, pagetext.MarkdownQuoted)
	if len(s.Expected.Notable) > 0 {
		w.line(notableLine)
	}
	for _, n := range s.Expected.Notable {
		w.line("  - " + notable(n))
	}
}

// result says what a person sees right after a step of which the plan expects nothing
// else. It follows from the step, so that no test is made of it.
func (s Step) result() string {
	switch {
	case (s.Kind == Type || s.Kind == site.Fill) && s.Value != nil:
		return "the field holds " + pagetext.MarkdownQuoted(pagetext.Text(*s.Value))
	case s.Kind == site.Select:
		return "the list shows " + pagetext.MarkdownQuoted(pagetext.Text(s.Option))
	case s.Kind == site.Check:
		return "it is checked"
	case s.Kind == Uncheck:
		return "it is not checked"
	default:
		return "the page takes it, and the next step can be done"
	}
}

// notable returns a notable element without its bullet.
func notable(n Notable) string {
	text := pagetext.MarkdownSpan(pagetext.Text(n.Selector))
	if n.Text != "" {
		text += " " + pagetext.MarkdownQuoted(pagetext.Text(n.Text))
	}
	if n.Description != "" {
		text += " - " + pagetext.MarkdownExact(pagetext.Text(n.Description))
	}
	return text
}
