package report

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/assay-qa/assay/internal/pagetext"
)

// Bounds of a summary. GitHub takes 65,536 characters in a comment.
const (
	maxSummary    = 60 << 10 // bytes
	summaryTop    = 10       // findings
	summaryCases  = 200
	summaryReason = 300 // runes of a case's reason
)

// Summary returns the suite as Markdown for a pull request: the outcome, the
// gravest findings, a line for each case. It is at most 60 KiB; what it leaves
// out it counts.
func Summary(s Suite) ([]byte, error) {
	var head, tail strings.Builder
	fmt.Fprintf(&head, "## %s %s\n\n", summarySign(s), mdText(suiteTitle(s)))
	fmt.Fprintf(&head, "**%s**", s.Line())
	if !s.FinishedAt.IsZero() {
		fmt.Fprintf(&head, " in %s", took(s.FinishedAt.Sub(s.StartedAt).Milliseconds()))
	} else {
		head.WriteString(", still running")
	}
	head.WriteString("\n")
	if link := mdLink(s.Link); link != "" {
		fmt.Fprintf(&head, "\n[Reports](%s)\n", link)
	}
	if line := s.EvidenceLine(); line != "" {
		fmt.Fprintf(&head, "\n%s\n", mdText(sentence(line)))
	}
	summaryFindings(&head, s)

	room := maxSummary - head.Len() - 300 // for what follows the table
	cases := worstFirst(s.Cases)
	if len(cases) > 0 {
		tail.WriteString("\n| | Case | Checks | Time | Why |\n|---|---|---|---|---|\n")
	}
	left := 0
	for i, c := range cases {
		line := summaryCase(c)
		if i >= summaryCases || tail.Len()+len(line) > room {
			left = len(cases) - i
			break
		}
		tail.WriteString(line)
	}
	if left > 0 {
		fmt.Fprintf(&tail, "\n… and %s: see the index of the reports.\n", plural(left, "more case"))
	}
	return []byte(head.String() + tail.String()), nil
}

func suiteTitle(s Suite) string {
	if s.Title == "" {
		return "assay"
	}
	return s.Title
}

func summarySign(s Suite) string {
	if s.Status() == "" {
		return "⏳ Running:"
	}
	return mdStatus(s.Status())
}

func summaryFindings(b *strings.Builder, s Suite) {
	top, more := s.TopFindings(summaryTop)
	if len(top) == 0 {
		return
	}
	b.WriteString("\n")
	for _, f := range top {
		fmt.Fprintf(b, "- **%s** (%s): %s", mdText(string(f.Severity)), mdText(f.Case.Name), mdText(f.Headline()))
		if f.Expected != "" || f.Observed != "" {
			fmt.Fprintf(b, " · expected %s, observed %s", mdCode(f.Expected), mdCode(f.Observed))
		}
		b.WriteByte('\n')
	}
	if more > 0 {
		fmt.Fprintf(b, "- … and %s\n", plural(more, "more finding"))
	}
}

func summaryCase(c SuiteCase) string {
	state := caseMark(c)
	name := mdText(c.Name)
	link := mdFile(c.Report)
	if link != "" && name != "" {
		name = "[" + name + "](" + link + ")"
	}
	if trace := mdFile(c.Trace); trace != "" {
		name += " · [trace](" + trace + ")"
	}
	if c.Path != "" && c.Path != c.Name {
		name += " " + mdCode(c.Path)
	}
	why := ""
	if c.Status != "passed" {
		why = pagetext.Markdown(c.Reason, summaryReason)
		if c.Report != "" && link == "" {
			why = strings.TrimSpace(why + " " + mdCode(c.Report))
		}
	}
	if c.Flaky {
		why = strings.TrimSpace("flaky " + why)
	}
	return fmt.Sprintf("| %s %s | %s | %d | %s | %s |\n", state.emoji(), state.Word, name, c.Checks, took(c.DurationMS), why)
}

// mdFile returns an http address, or a path as seen from the summary, escaped for a link.
func mdFile(to string) string {
	if link := mdLink(to); link != "" || strings.Contains(to, ":") {
		return link
	}
	return mdEscapeLink.Replace(string(pathURL(to)))
}

var mdEscapeLink = strings.NewReplacer("(", "%28", ")", "%29", "<", "%3C", ">", "%3E", "|", "%7C", "`", "%60", "@", "%40")

// mdLink returns an http address escaped for a link, and "" for anything else:
// a path leads nowhere from a pull request.
func mdLink(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return mdEscapeLink.Replace(u.String())
}
