package tool

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/tools/engine"
	"github.com/assay-qa/assay/tools/workspace"
)

// PageLine quotes the page's address, title, HTTP status if it isn't 2xx, the
// count of console errors, and what the page still waits for.
func (c *Call) PageLine(p browser.PageState) {
	line := pageLine(p)
	c.isNewPageLine(line)
	c.Quote("page: %s", line)
}

// NewPageLine quotes the page as PageLine does, if the answer before said something else of it.
func (c *Call) NewPageLine(p browser.PageState) {
	if line := pageLine(p); c.isNewPageLine(line) {
		c.Quote("page: %s", line)
	}
}

// isNewPageLine reports whether the last answer about the call's session had another
// page line.
func (c *Call) isNewPageLine(line pagetext.Text) bool {
	return c.Session == nil || c.oneOff || c.Workspace.ReplaceLine(c.Session.ID(), workspace.PageLine, line) != line
}

func pageLine(p browser.PageState) pagetext.Text {
	line := pagetext.Text(p.URL)
	if p.Title != "" {
		line += pagetext.Sprintf(" %q", p.Title)
	}
	if p.Status != 0 && p.Status/100 != 2 {
		line += pagetext.Sprintf(" status %d", p.Status)
	}
	if p.ConsoleErrors > 0 {
		line += pagetext.Sprintf(" console errors: %d", p.ConsoleErrors)
	}
	if len(p.Loading) > 0 {
		line += " still loading: " + pagetext.Join(p.Loading[:min(3, len(p.Loading))], ", ")
	}
	return line
}

// SayEffects quotes what an action caused; the page line comes first.
func (c *Call) SayEffects(e browser.Effects) {
	c.PageLine(e.Page)
	c.sayEvents(e)
}

// SayActEffects quotes what an act caused, and takes the page out of e if the answer
// before said the same of it.
func (c *Call) SayActEffects(e *browser.Effects) {
	switch line := pageLine(e.Page); {
	case line == "": // the page has closed, which the notes say
	case c.isNewPageLine(line):
		c.Quote("page: %s", line)
	default:
		e.Page = browser.PageState{}
	}
	c.inert = e.None()
	c.sayEvents(*e)
}

// sayEvents quotes what came up during an act.
func (c *Call) sayEvents(e browser.Effects) {
	if e.URLFrom != "" {
		c.Quote("navigated from %s", e.URLFrom)
		c.saySignedOut(e)
	}
	for _, note := range e.Notes {
		c.Quote("%s", note)
	}
	for _, call := range e.Next {
		c.Say("next: %s", call)
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
		c.Say("requests blocked by %s: %d", b.Rule, b.Count)
		for _, address := range b.URLs {
			c.Quote("blocked: %s", address)
		}
	}
	if len(e.Pending) > 0 && len(e.Page.Loading) == 0 {
		c.Quote("still loading: %s", pagetext.Join(e.Pending[:min(3, len(e.Pending))], ", "))
	}
}

// envelope holds the structured content of every answer.
type envelope struct {
	OK         bool           `json:"ok"`
	Data       any            `json:"data,omitempty"`
	Error      *engine.Error  `json:"error,omitempty"`
	Screenshot *ScreenshotRef `json:"screenshot,omitempty"`
	Tab        int            `json:"tab,omitempty"`      // the current one, where several are open
	Elements   []identified   `json:"elements,omitempty"` // that an acting call was about; in agent runs only
	Done       int            `json:"done,omitempty"`     // of a call that failed, how many of its parts it has done
}

// wireError returns an error as structured content carries it: with the page
// text that belongs to its hint.
func wireError(e *engine.Error) *engine.Error {
	w := *e
	w.Hint = strings.TrimSpace(e.Hint + " " + string(pagetext.Join(e.Lines(", which is "), " | ")))
	return &w
}

// reply holds the text of an answer: the server's own words first, then, between
// marks that a page can't guess, what came from the page.
type reply struct {
	ownLines  []string
	next      string          // what to do after an error: the last of the server's words, as a list of the page may belong to it
	apart     []pagetext.Text // words of the page that the server's lines point to, by number
	pageLines []pagetext.Text
}

// own returns the server's own words.
func (r *reply) own() []string {
	if r.next == "" {
		return r.ownLines
	}
	return append(slices.Clip(r.ownLines), "next: "+r.next)
}

// page returns what came from the page.
func (r *reply) page() []pagetext.Text { return slices.Concat(r.apart, r.pageLines) }

func (r *reply) text() string { return pagetext.Marked(strings.Join(r.own(), "\n"), r.page()) }

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

// TabsListed notes that the answer lists the session's tabs: no line names them again.
func (c *Call) TabsListed() { c.tabsListed = true }

// sayTab names the current tab of the call's session where several are open, unless the
// answer before said the same, and returns its number.
func (c *Call) sayTab() int {
	if c.Session == nil || c.oneOff {
		return 0
	}
	line := ""
	current, open := c.Session.CurrentTab()
	switch {
	case len(open) > 0 && !slices.Contains(open, current):
		line = fmt.Sprintf("tab %d is closed; open: %v (page_tabs)", current, open)
	case len(open) > 1:
		line = fmt.Sprintf("tab: %d of %v (page_tabs)", current, open)
	default:
		current = 0
	}
	if told := c.Workspace.ReplaceLine(c.Session.ID(), workspace.TabLine, pagetext.Text(line)); line != "" && !told.Equal(line) && !c.tabsListed {
		c.Say("%s", line)
	}
	return current
}

// SayActed renders what an action did.
func (c *Call) SayActed(verb string, a browser.Acted, err error) (browser.Acted, error) {
	if err != nil {
		return a, err
	}
	c.NoteSeen(a.Target)
	c.Say("%s %s", verb, a.Target)
	c.SayActEffects(&a.Effects)
	return a, nil
}

// LookBefore keeps the page's outline as it is before an act on what selector leads to, and
// looks again at what held and may have changed since.
func (c *Call) LookBefore(ctx context.Context, s *browser.Session, selector string) {
	c.stood = s.MarkOutline(ctx, selector, c.remembers() && c.Workspace.ActsGoOn(s.ID(), s.Acts()))
	c.recheckBefore(ctx, s, c.stood, func(held []browser.Moment) []bool { return s.ChangedBefore(c.stood, held...) })
	c.from, c.inert = s.Acts(), false
}

// SayChanges renders how the outline differs since LookBefore, and returns the lines. It
// leaves out what became of the elements that were filled: the answer says that already.
func (c *Call) SayChanges(ctx context.Context, s *browser.Session, selector string, filled ...pagetext.Text) []pagetext.Text {
	changes := s.OutlineChanges(ctx, selector)
	from := c.from
	if c.from = 0; c.remembers() {
		told := changes.Known && !changes.Fresh && changes.More == 0
		c.Workspace.NoteActed(s.ID(), workspace.Act{From: from, To: s.Acts(), Told: told, Changes: changes.Lines, Stood: c.stood, Inert: c.inert && told && changes.None(), Done: s.Moment()})
	}
	lines := slices.DeleteFunc(slices.Clone(changes.Lines), func(line pagetext.Text) bool {
		return slices.ContainsFunc(filled, func(target pagetext.Text) bool { return line.HasPrefix("~ " + target + ": ") })
	})
	if changes.More > 0 {
		lines = append(lines, pagetext.Sprintf("… %d more: page_snapshot", changes.More))
	}
	switch {
	case !changes.Known:
		c.Say("what changed in the outline is not known: page_snapshot")
		return nil
	case changes.Still != "":
		c.Say("note: the page still renders: %s; more may change", changes.Still)
	case len(changes.Lines) == 0 && !changes.Fresh:
		c.Say("the outline is as before")
	}
	if changes.Fresh && len(lines) > 0 {
		c.Quote("new page:")
	}
	for _, line := range lines {
		c.Quote("%s", line)
	}
	return lines
}

// Act does an act on what selector leads to, and renders what it did and how the
// outline differs since.
func (c *Call) Act(ctx context.Context, s *browser.Session, verb, selector string, act func() (browser.Acted, error)) (browser.Acted, error) {
	c.LookBefore(ctx, s, selector)
	var a browser.Acted
	err := c.UnlessLapsed(ctx, s, false, func() (err error) { a, err = act(); return err })
	if a, err = c.SayActed(verb, a, err); err == nil {
		a.Changes = pagetext.Of(c.SayChanges(ctx, s, selector)...)
	}
	return a, err
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
		return c.Act(ctx, s, verb, in.Selector, func() (browser.Acted, error) { return act(ctx, s, in) })
	}
}

// Say adds a line in the server's own words. What is a [pagetext.Text] in it goes between
// the marks, and the line has its number, unless the caller said the same in this call.
func (c *Call) Say(format string, args ...any) {
	own, page := pagetext.Apart(len(c.apart)+1, c.saidByCaller, format, args...)
	c.ownLines, c.apart = append(c.ownLines, own), append(c.apart, page...)
}

// SayAll adds a line of what was done to several elements.
func (c *Call) SayAll(verb string, targets []pagetext.Text) {
	args := make([]any, len(targets))
	for i, t := range targets {
		args[i] = t
	}
	c.Say(verb+" "+strings.TrimSuffix(strings.Repeat("%s, ", len(targets)), ", "), args...)
}

// Quote adds a line of page text, which is printed between marks.
func (c *Call) Quote(format string, args ...any) {
	c.pageLines = append(c.pageLines, pagetext.Sprintf(format, args...))
}

// saidByCaller reports whether a text is one of those that the call's arguments hold: a
// caller's own words back need no mark. A selector may have the name of its engine before
// it, such as css=.
func (c *Call) saidByCaller(t pagetext.Text) bool {
	var said any
	if json.Unmarshal(c.Input, &said) != nil {
		return false
	}
	_, bare, named := t.Cut("=")
	return holdsText(said, t) || named && holdsText(said, bare)
}

// holdsText reports whether a text is among the strings of a decoded JSON value.
func holdsText(in any, t pagetext.Text) bool {
	switch in := in.(type) {
	case string:
		return t.Equal(in)
	case []any:
		return slices.ContainsFunc(in, func(v any) bool { return holdsText(v, t) })
	case map[string]any:
		for _, v := range in {
			if holdsText(v, t) {
				return true
			}
		}
	}
	return false
}

// ReportURI returns the resource address of a run's report in a format such as json.
func ReportURI(runID, format string) string {
	return "assay://runs/" + runID + "/report." + format
}
