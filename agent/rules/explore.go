package rules

import (
	"net/url"
	"strings"

	"github.com/assay-qa/assay/qa"
)

// explore tries the filters that no range of the task uses: each is set to a
// few of its choices, with a look at the console after each, and back to what
// it was. The guard stays on. A budget that runs low ends it: no
// expectation requires this.
func (p *planner) explore(outline string) {
	tried := 0
	for _, c := range controls(outline) {
		if tried == maxControls || !p.affords(2*maxChoices+2) {
			return
		}
		if c.initial < 0 || used(c, p.options.Task.Ranges) {
			continue
		}
		tried++
		if !p.try(c) {
			p.returnToPage()
		}
	}
	if tried > 0 {
		p.say("tried %d filters", tried)
	}
}

// used reports whether a range of the task works the control: then its choices
// are checked already.
func used(c control, ranges []qa.Range) bool {
	selectors := []string{c.selector}
	for _, choice := range c.choices {
		if s, ok := choice.arguments["selector"].(string); ok {
			selectors = append(selectors, s)
		}
	}
	for _, r := range ranges {
		for _, step := range r.Steps {
			for _, s := range selectors {
				if step.Selector == s || strings.Contains(s, `"`) && strings.HasPrefix(step.Selector, s) {
					return true
				}
			}
		}
	}
	return false
}

// try sets a control to some of its choices and back. It reports whether the
// page is the same one afterwards.
func (p *planner) try(c control) bool {
	choices := 0
	for i, choice := range c.choices {
		if i == c.initial {
			continue
		}
		if choices++; choices > maxChoices || p.stopped {
			break
		}
		if !p.choose(choice) {
			return false
		}
	}
	return p.choose(c.choices[c.initial])
}

// choose makes a choice and looks at the console. It reports whether the page
// is the same one afterwards.
func (p *planner) choose(c choice) bool {
	var acted struct {
		Page struct {
			URL string `json:"url"`
		} `json:"page"`
	}
	a := p.call(c.tool, c.arguments).into(&acted)
	if !a.ok {
		p.say("could not choose %s: %s", c.name, a.text)
		return false
	}
	p.health("after choosing " + c.name)
	return samePage(acted.Page.URL, p.at)
}

// samePage compares addresses without query and fragment.
func samePage(a, b string) bool {
	one, err := url.Parse(a)
	if err != nil {
		return false
	}
	other, err := url.Parse(b)
	return err == nil && (a == "" || one.Host == other.Host && strings.TrimSuffix(one.Path, "/") == strings.TrimSuffix(other.Path, "/"))
}

// returnToPage opens the task's page again.
func (p *planner) returnToPage() {
	if !p.stopped {
		p.call("page_navigate", map[string]any{"url": p.options.Address})
	}
}

// affords reports whether so many more calls fit into the budgets, with what
// is still to come.
func (p *planner) affords(calls int) bool {
	if p.low || p.stopped {
		return false
	}
	b := p.options.Task.Budgets
	return b == nil || b.MaxToolCalls == 0 || p.calls+calls+len(p.options.Task.Expectations)+3 <= b.MaxToolCalls
}
