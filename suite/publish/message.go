package publish

import (
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-qa/assay/internal/pagetext"
	texts "github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

const (
	topFindings = 5
	maxCases    = 100  // in a message for a program
	badCases    = 10   // that a message for people names
	maxText     = 300  // runes of a value for a program
	maxWords    = 110  // runes of a value for people: four of them, escaped, fit into a block
	maxLink     = 400  // bytes of an address
	maxBlock    = 2900 // runes of a block; Slack refuses a message with one above 3,000
)

// Message holds the outcome of a suite for a program.
type Message struct {
	Title        string           `json:"title"`
	Status       qa.Status        `json:"status"`
	Line         string           `json:"line"`
	StartedAt    time.Time        `json:"startedAt"`
	FinishedAt   time.Time        `json:"finishedAt,omitzero"`
	Report       string           `json:"report,omitempty"` // http address
	Totals       MessageTotals    `json:"totals"`
	Findings     []MessageFinding `json:"findings"` // the gravest
	MoreFindings int              `json:"moreFindings"`
	Cases        []MessageCase    `json:"cases"`
	MoreCases    int              `json:"moreCases"`
}

// MessageTotals counts the cases.
type MessageTotals struct {
	Cases        int `json:"cases"`
	Passed       int `json:"passed"`
	Failed       int `json:"failed"`
	Inconclusive int `json:"inconclusive"`
	NotRun       int `json:"notRun"`
	Flaky        int `json:"flaky"`
	Quarantined  int `json:"quarantined,omitempty"`
}

// MessageFinding holds one finding of a case.
type MessageFinding struct {
	Case      string        `json:"case"`
	Severity  qa.Severity   `json:"severity"`
	Category  qa.Category   `json:"category"`
	Title     pagetext.Text `json:"title"`     // what was observed
	Assertion pagetext.Text `json:"assertion"` // what should have held
	Expected  pagetext.Text `json:"expected"`
	Observed  pagetext.Text `json:"observed"`
	Report    string        `json:"report,omitempty"`
}

// MessageCase holds one case.
type MessageCase struct {
	Name       string        `json:"name"`
	Path       string        `json:"path,omitempty"`
	Status     qa.Status     `json:"status"`
	Reason     pagetext.Text `json:"reason,omitempty"`
	DurationMS int64         `json:"durationMs"`
	Report     string        `json:"report,omitempty"`
	Trace      string        `json:"trace,omitempty"`
	RunID      string        `json:"runId,omitempty"`
}

func newMessage(s suite.View) Message {
	t := s.Totals()
	m := Message{Title: s.Title, Status: s.Status(), Line: s.Line(), StartedAt: s.StartedAt, FinishedAt: s.FinishedAt, Report: s.Link,
		Totals:   MessageTotals{Cases: t.Cases, Passed: t.Passed, Failed: t.Failed, Inconclusive: t.Inconclusive, NotRun: t.Running + t.Queued, Flaky: t.Flaky, Quarantined: t.Quarantined},
		Findings: []MessageFinding{}, Cases: []MessageCase{}}
	top, more := s.TopFindings(topFindings)
	m.MoreFindings = more
	for _, f := range top {
		m.Findings = append(m.Findings, MessageFinding{Case: f.Case.Name, Severity: f.Severity, Category: f.Category,
			Title: f.Headline(), Assertion: f.Assertion.Shorten(maxText), Expected: f.Expected.Shorten(maxText), Observed: f.Observed.Shorten(maxText), Report: f.Case.Report})
	}
	for i, c := range s.Cases {
		if i == maxCases {
			m.MoreCases = len(s.Cases) - i
			break
		}
		m.Cases = append(m.Cases,
			MessageCase{Name: c.Name, Path: c.Path, Status: c.Status, Reason: c.Reason.Shorten(maxText), DurationMS: c.DurationMS, Report: c.Report, Trace: c.Trace, RunID: c.RunID})
	}
	return m
}

// slack holds a message as Slack's incoming webhooks take it.
type slack struct {
	Text   string       `json:"text"` // for notifications and old clients
	Blocks []slackBlock `json:"blocks"`
}

type slackBlock struct {
	Type string     `json:"type"`
	Text *slackText `json:"text,omitempty"`
}

type slackText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func slackMessage(s suite.View) slack {
	sign := ":hourglass:"
	if s.Status() != "" {
		sign = qa.Told(s.Status(), ":white_check_mark:", ":x:", ":warning:")
	}
	title := s.Title
	if title == "" {
		title = "assay"
	}
	head := fmt.Sprintf("%s *%s*\n%s", sign, escape(texts.Shorten(title, maxWords)), escape(s.Line()))
	m := slack{Text: escape(texts.Shorten(title, maxWords)) + ": " + escape(s.Line()), Blocks: []slackBlock{section(head)}}
	if link := slackLink(s.Link, "reports"); link != "" {
		m.Blocks = append(m.Blocks, section(link))
	}
	top, more := s.TopFindings(topFindings)
	if len(top) > 0 {
		var lines []string
		for _, f := range top {
			line := fmt.Sprintf("• *%s* %s: %s", escape(string(f.Severity)), caseLink(f.Case), escape(f.Headline().Shorten(maxWords)))
			if f.Expected != "" || f.Observed != "" {
				line += fmt.Sprintf(" (expected %s, observed %s)", escape(f.Expected.Shorten(maxWords)), escape(f.Observed.Shorten(maxWords)))
			}
			lines = append(lines, line)
		}
		if more > 0 {
			lines = append(lines, fmt.Sprintf("… and %d more", more))
		}
		m.Blocks = append(m.Blocks, sections(lines)...)
	}
	var bad []string
	left := 0
	for _, c := range s.Cases {
		switch {
		case c.Status == qa.Passed:
		case len(bad) == badCases:
			left++
		default:
			word := string(c.Status)
			if word == "" {
				word = "not run"
			}
			line := fmt.Sprintf("%s %s: %s", escape(word), caseLink(c), escape(c.Reason.Shorten(maxWords)))
			if link := slackLink(c.Trace, "trace"); link != "" {
				line += " (" + link + ")"
			}
			bad = append(bad, line)
		}
	}
	if left > 0 {
		bad = append(bad, fmt.Sprintf("… and %d more", left))
	}
	if len(bad) > 0 {
		m.Blocks = append(m.Blocks, sections(bad)...)
	}
	return m
}

// caseLink returns a case by its name, which leads to its report where that is on the web.
func caseLink(c suite.CaseView) string {
	name := c.Name
	if name == "" {
		name = c.Path
	}
	name = escape(texts.Shorten(name, maxWords))
	if link := slackLink(c.Report, name); link != "" {
		return link
	}
	return name
}

// slackLink returns an escaped name that leads to an http address; empty: it is none.
func slackLink(address, name string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || len(address) > maxLink || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return "<" + strings.NewReplacer("|", "%7C", ">", "%3E", "<", "%3C").Replace(u.String()) + "|" + strings.ReplaceAll(name, "|", "∣") + ">"
}

func section(text string) slackBlock {
	return slackBlock{Type: "section", Text: &slackText{Type: "mrkdwn", Text: text}}
}

// sections spreads lines over as many blocks as their bound asks for.
func sections(lines []string) []slackBlock {
	var out []slackBlock
	text := ""
	for _, line := range lines {
		if text != "" && utf8.RuneCountInString(text)+utf8.RuneCountInString(line) >= maxBlock {
			out = append(out, section(text))
			text = ""
		}
		if text != "" {
			text += "\n"
		}
		text += line
	}
	return append(out, section(text))
}

// escape takes their meaning from the characters that have one in Slack: the
// three of its markup, what formats, and the marks of a mention that other
// chats know.
func escape[S ~string](s S) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "*", "∗", "_", "\u200b_", "~", "∼", "`", "ˋ", "@", "@\u200b",
		"://", ":\u200b//", "www.", "www\u200b.", "[", "［", "]", "］").Replace(oneLine(s))
}

// oneLine returns a text as one line; see [text.Line].
func oneLine[S ~string](text S) string {
	return strings.Join(strings.Fields(texts.Line(strings.ToValidUTF8(string(text), "\uFFFD"))), " ")
}

// hideWebhook hides the webhook's address in what its server answers.
func hideWebhook(s, webhook string) string {
	s = strings.ReplaceAll(oneLine(s), webhook, "(the webhook)")
	if u, err := url.Parse(webhook); err == nil {
		for _, part := range []string{u.RequestURI(), u.Path, u.Host} {
			if len(part) > 3 {
				s = strings.ReplaceAll(s, part, "(the webhook)")
			}
		}
		for _, part := range strings.Split(u.Path, "/") {
			if len(part) > 5 {
				s = strings.ReplaceAll(s, part, "•••")
			}
		}
	}
	return s
}
