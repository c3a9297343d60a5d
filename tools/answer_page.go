package tools

import (
	"fmt"
	"strings"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine"
)

// pageLine quotes the page's address, title, HTTP status if it isn't 2xx, the
// count of console errors, and what the page still waits for.
func (c *call) pageLine(p browser.PageState) {
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
	c.quote("page: %s", line)
}

// sayEffects quotes what an action caused; the page line comes first.
func (c *call) sayEffects(e browser.Effects) {
	c.pageLine(e.Page)
	if e.URLFrom != "" {
		c.quote("navigated from %s", e.URLFrom)
		c.saySignedOut(e)
	}
	for _, note := range e.Notes {
		c.quote("%s", note)
	}
	for i, entry := range e.Console {
		if i == 3 {
			c.quote("… %d more console errors: page_get_console_logs", len(e.Console)-i)
			break
		}
		c.quote("console %s: %s", entry.Level, engine.OneLine(entry.Text))
	}
	for _, failed := range e.Failed[:min(3, len(e.Failed))] {
		c.quote("failed request: %s", failed)
	}
	for _, b := range e.Blocked {
		c.say("%d requests blocked by %s", b.Count, b.Rule)
		for _, address := range b.URLs {
			c.quote("blocked: %s", address)
		}
	}
	if len(e.Pending) > 0 && len(e.Page.Loading) == 0 {
		c.quote("still loading: %s", strings.Join(e.Pending[:min(3, len(e.Pending))], ", "))
	}
}
