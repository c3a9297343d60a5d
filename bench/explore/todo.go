package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/browser/scan"
)

// maxTodoActions bounds an exploration of a TodoMVC app.
const maxTodoActions = 300

// todoStates are the states of a TodoMVC app, as a tester names them.
func todoStates() []string {
	return []string{"no todo", "one active todo", "several active todos", "active and completed todos", "all completed", "a todo is edited",
		"filter Active with todos", "filter Active with nothing to show", "filter Completed with todos", "filter Completed with nothing to show", "filter Active, no todo at all", "filter Completed, no todo at all"}
}

// todos counts which of the named states an exploration of each app finds.
func (b *bench) todos(ctx context.Context) (table, error) {
	t := table{Head: []string{"app", "named states found", "told apart", "states in all", "actions", "loads", "acts with replays", "stopped", "not found"}}
	least := len(todoStates())
	for _, name := range frameworks() {
		if !b.wants(name) {
			continue
		}
		site, w, err := b.exploreOne(ctx, name, b.site.url+"/todomvc/"+name+"/", ours, func(o *explore.Options) {
			o.Limits.Actions = maxTodoActions
			if b.actions > 0 {
				o.Limits.Actions = b.actions
			}
		})
		if err != nil {
			return t, err
		}
		seen, apart := map[string]bool{}, map[string]bool{}
		for _, l := range w.looks {
			seen[todoState(l.page)] = true
		}
		for _, s := range site.States {
			if l, ok := w.looks[s.URL+s.Exact]; ok {
				apart[todoState(l.page)] = true
			}
		}
		var missing []string
		found, told := 0, 0
		for _, state := range todoStates() {
			if seen[state] {
				found++
			} else {
				missing = append(missing, state)
			}
			if apart[state] {
				told++
			}
		}
		least = min(least, found)
		t.row(name, found, told, len(site.States), len(site.Loops), w.loads, w.acts, site.Stop.Reason, strings.Join(missing, "; "))
	}
	t.note("Least named states found in an app: %d of %d (goal ≥ 11 with ≤ %d actions).", least, len(todoStates()), maxTodoActions)
	return t, nil
}

// todoState names what a look at a TodoMVC app shows; "" for none of the named states. It
// counts boxes and reads the count that the app shows.
func todoState(page *scan.Page) string {
	boxes, done, editing := 0, 0, false
	for _, el := range page.Elements {
		classes := strings.Fields(el.ClassName)
		switch {
		case slices.Contains(classes, "toggle"):
			boxes++
			if el.Field != nil && el.Field.Checked {
				done++
			}
		case slices.Contains(classes, "edit") && el.IsVisible:
			editing = true
		}
	}
	left, counted := -1, false
	for i, n := range page.Nodes {
		if count, _, ok := strings.Cut(n.Name, " item"); ok && n.Role == "text" && strings.HasSuffix(n.Name, "left") {
			if _, err := fmt.Sscan(count, &left); err != nil && i > 0 {
				_, _ = fmt.Sscan(page.Nodes[i-1].Name, &left) // a number in an element of its own
			}
			counted = true
		}
		if n.Role == "strong" {
			_, _ = fmt.Sscan(n.Name, &left)
		}
	}
	_, route, _ := strings.Cut(page.URL, "#/")
	switch {
	case editing:
		return "a todo is edited"
	case route == "active" && !counted:
		return "filter Active, no todo at all"
	case route == "completed" && !counted:
		return "filter Completed, no todo at all"
	case !counted:
		return "no todo"
	case route == "active" && boxes == 0:
		return "filter Active with nothing to show"
	case route == "active":
		return "filter Active with todos"
	case route == "completed" && boxes == 0:
		return "filter Completed with nothing to show"
	case route == "completed":
		return "filter Completed with todos"
	case done == 0 && boxes == 1:
		return "one active todo"
	case done == 0:
		return "several active todos"
	case done < boxes:
		return "active and completed todos"
	}
	return "all completed"
}
