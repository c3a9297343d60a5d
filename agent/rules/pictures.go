package rules

import "github.com/assay-qa/assay/qa"

// pictures compares the task's pictures with their baselines, on the page as it
// was opened: one call for each name, so that the first one captures all that
// belongs to it. The server takes the options from the task. They come last of
// what is checked there: for a frozen clock the page is loaded again.
func (p *planner) pictures() {
	frozen := false
	var names []string
	parts := map[string][]string{}
	for _, v := range p.options.Task.Visual {
		if parts[v.Name] == nil {
			names = append(names, v.Name)
		}
		parts[v.Name] = append(parts[v.Name], v.Selector)
		frozen = frozen || v.Freeze != nil
	}
	if len(names) > 0 && !p.tools["compare_visual_regression"] {
		p.cannot(qa.NotExecuted, "compare the pictures", answer{text: "this server offers no compare_visual_regression"})
		return
	}
	for _, name := range names {
		p.picture(name, parts[name])
	}
	if frozen {
		p.returnToPage() // its clock goes on
	}
}

// picture compares the pictures of one name. What comes of it the tool files by
// itself, the finding too.
func (p *planner) picture(name string, parts []string) {
	var out struct {
		Status string `json:"status"`
	}
	a := p.call("compare_visual_regression", map[string]any{"name": name, "selectors": parts}).into(&out)
	switch {
	case p.stopped:
	case !a.ok:
		p.cannot(qa.NotExecuted, "compare the picture "+name, a)
	default:
		p.say("compared the picture %s: %s", name, out.Status)
	}
}
