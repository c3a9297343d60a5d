package tool

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
)

// PageLine quotes the page's address, title, HTTP status if it isn't 2xx, the
// count of console errors, and what the page still waits for.
func (c *Call) PageLine(p browser.PageState) {
	line := p.URL
	if p.Title != "" {
		line += fmt.Sprintf(" %q", p.Title)
	}
	if p.Status != 0 && p.Status/100 != 2 {
		line += fmt.Sprintf(" status %d", p.Status)
	}
	if p.ConsoleErrors > 0 {
		line += fmt.Sprintf(" console errors: %d", p.ConsoleErrors)
	}
	if len(p.Loading) > 0 {
		line += " still loading: " + strings.Join(p.Loading[:min(3, len(p.Loading))], ", ")
	}
	c.Quote("page: %s", line)
}

// SayEffects quotes what an action caused; the page line comes first.
func (c *Call) SayEffects(e browser.Effects) {
	c.PageLine(e.Page)
	if e.URLFrom != "" {
		c.Quote("navigated from %s", e.URLFrom)
		c.saySignedOut(e)
	}
	for _, note := range e.Notes {
		c.Quote("%s", note)
	}
	for i, entry := range e.Console {
		if i == 3 {
			c.Quote("… %d more console errors: page_get_console_logs", len(e.Console)-i)
			break
		}
		c.Quote("console %s: %s", entry.Level, engine.OneLine(entry.Text))
	}
	for _, failed := range e.Failed[:min(3, len(e.Failed))] {
		c.Quote("failed request: %s", failed)
	}
	for _, b := range e.Blocked {
		c.Say("%d requests blocked by %s", b.Count, b.Rule)
		for _, address := range b.URLs {
			c.Quote("blocked: %s", address)
		}
	}
	if len(e.Pending) > 0 && len(e.Page.Loading) == 0 {
		c.Quote("still loading: %s", strings.Join(e.Pending[:min(3, len(e.Pending))], ", "))
	}
}

// envelope holds the structured content of every answer.
type envelope struct {
	OK         bool           `json:"ok"`
	Data       any            `json:"data,omitempty"`
	Error      *engine.Error  `json:"error,omitempty"`
	Screenshot *ScreenshotRef `json:"screenshot,omitempty"`
	Elements   []identified   `json:"elements,omitempty"` // that an acting call was about; in agent runs only
}

// wireError returns an error as structured content carries it: with the page
// text that belongs to its hint.
func wireError(e *engine.Error) *engine.Error {
	w := *e
	w.Hint = strings.TrimSpace(e.Hint + " " + strings.Join(e.Page, " | "))
	return &w
}

// reply holds the text of an answer: the server's own words first, then, between
// marks that a page can't guess, what came from the page.
type reply struct {
	ownLines  []string
	pageLines []string
}

func (r *reply) text() string {
	var b strings.Builder
	b.WriteString(strings.Join(r.ownLines, "\n"))
	if len(r.pageLines) == 0 {
		return b.String()
	}
	var nonce [6]byte
	_, _ = rand.Read(nonce[:]) // never fails, see crypto/rand
	mark := "page-" + hex.EncodeToString(nonce[:])
	fmt.Fprintf(&b, "\n<%s>\n%s\n</%s>", mark, strings.Join(r.pageLines, "\n"), mark)
	return strings.TrimPrefix(b.String(), "\n")
}

// result renders the answer for the wire.
func (c *Call) result(e envelope, text string) *mcp.CallToolResult {
	content := []mcp.Content{mcp.NewTextContent(c.Workspace.Mask(text))}
	if s := e.Screenshot; s != nil {
		link := mcp.NewResourceLink(s.URI, s.Name, "", s.MIMEType)
		content = append(content, link)
	}
	if c.Image != nil {
		content = append(content, mcp.NewImageContent(base64.StdEncoding.EncodeToString(c.Image), "image/png"))
	}
	raw, err := json.Marshal(e)
	if err != nil {
		panic(fmt.Sprintf("tool %s: marshal answer: %v", c.Spec.Name, err))
	}
	return &mcp.CallToolResult{Content: content, StructuredContent: json.RawMessage(c.Workspace.MaskFile("application/json", raw)), IsError: !e.OK}
}

// SayActed renders what an action did.
func (c *Call) SayActed(verb string, a browser.Acted, err error) (browser.Acted, error) {
	if err != nil {
		return a, err
	}
	c.NoteSeen(a.Target)
	c.Say("%s %s", verb, a.Target)
	c.SayEffects(a.Effects)
	return a, nil
}

// ActOn returns the handler of the tools that only need the element.
func ActOn(verb string, act func(ctx context.Context, s *browser.Session, in OnElement) (browser.Acted, error)) func(context.Context, *Call, OnElement) (browser.Acted, error) {
	return func(ctx context.Context, c *Call, in OnElement) (browser.Acted, error) {
		s, err := c.SessionFor(ctx, in.SessionID)
		if err != nil {
			return browser.Acted{}, err
		}
		if err := c.Identify(ctx, s, in.Selector, in.TimeoutMS); err != nil {
			return browser.Acted{}, err
		}
		a, err := act(ctx, s, in)
		return c.SayActed(verb, a, err)
	}
}

// Say adds a line in the server's own words. Page text goes to quote.
func (c *Call) Say(format string, args ...any) {
	c.ownLines = append(c.ownLines, fmt.Sprintf(format, args...))
}

// Quote adds a line of page text, which is printed between marks.
func (c *Call) Quote(format string, args ...any) {
	c.pageLines = append(c.pageLines, fmt.Sprintf(format, args...))
}

// ArtifactURI returns the resource address of a stored file of a run.
func ArtifactURI(runID, name string) string {
	return "assay://runs/" + runID + "/artifacts/" + filepath.Base(name)
}

// ReportURI returns the resource address of a run's report in a format such as json.
func ReportURI(runID, format string) string {
	return "assay://runs/" + runID + "/report." + format
}
