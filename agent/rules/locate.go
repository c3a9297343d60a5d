package rules

import (
	"slices"
	"strings"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/claim"
	"github.com/assay-qa/assay/qa/code"
)

// namedRoles lists the roles that a quoted name may stand for, by what is done to it.
func namedRoles(kind claim.ActKind) []string {
	switch kind {
	case claim.ActFill, claim.ActPress:
		return strings.Fields("textbox searchbox spinbutton combobox slider")
	case claim.ActSelect:
		return strings.Fields("combobox listbox")
	case claim.ActCheck, claim.ActUncheck:
		return strings.Fields("checkbox switch radio menuitemcheckbox menuitemradio")
	default:
		return strings.Fields("button link tab menuitem menuitemcheckbox menuitemradio checkbox radio switch option treeitem combobox textbox searchbox")
	}
}

// locate finds the element of an act: what a word says the role of is taken as it is,
// unless the word stands for several; a quoted name is looked for in the outline. A
// step takes its element for granted, so that one that does not come is a failed check.
func (p *planner) locate(act claim.Act, step string) (selector string, found bool) {
	if len(act.Selectors) == 1 {
		return act.Selectors[0], true
	}
	selector, decided := p.inOutline(act, step)
	if decided {
		return selector, selector != ""
	}
	wanted := ownSelector(act)
	var out struct {
		Passed *bool `json:"passed"`
	}
	a := p.call("verify_assertion", map[string]any{"assertion": map[string]any{"type": "visible"}, "selector": wanted}).into(&out)
	switch {
	case a.ok && out.Passed != nil && *out.Passed: // it came late, or the outline has no line for it
		if selector, decided = p.inOutline(act, step); decided {
			return selector, selector != ""
		}
		return wanted, true
	case !a.ok && !p.stopped:
		p.cannot(qa.NotExecuted, step, a)
	default:
		p.say("%s: there is no %s", step, wanted)
	}
	return "", false
}

// ownSelector returns the selector of an act whose line was not found.
func ownSelector(act claim.Act) string {
	if len(act.Selectors) > 0 {
		return act.Selectors[0]
	}
	own := `text="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(act.Name) + `"`
	if len(act.Inside) > 0 {
		return act.Inside[0] + " >> " + own
	}
	return own
}

// inOutline finds the one line of the outline that an act means; decided is false where
// there is none. Of several it chooses none, and says so.
func (p *planner) inOutline(act claim.Act, step string) (selector string, decided bool) {
	arguments := map[string]any{"max_chars": 40_000}
	if len(act.Inside) > 0 {
		arguments["root"] = act.Inside[0]
	}
	a := p.call("page_snapshot", arguments)
	if !a.ok {
		if a.code == code.ElementNotFound {
			return "", p.stopped
		}
		p.cannot(qa.NotExecuted, step, a)
		return "", true
	}
	found := matching(lines(a.page), act)
	if len(found) == 0 {
		return "", false
	}
	if len(found) > 1 {
		several := make([]string, len(found))
		for i, l := range found {
			several[i] = l.selector
		}
		p.cannot(qa.NotExecuted, step, answer{code: code.SelectorAmbiguous, text: "it may mean any of " + strings.Join(several, ", ") + ": say which kind of element it is, or what it is in"})
		return "", true
	}
	return found[0].selector, true
}

// matching returns the lines that an act may mean: those of its selectors, or those with
// its name, written in other letters only where none is written the same.
func matching(all []line, act claim.Act) (out []line) {
	if len(act.Selectors) > 0 {
		for _, l := range all {
			if slices.Contains(act.Selectors, withoutIndex(l.selector)) {
				out = append(out, l)
			}
		}
		return out
	}
	roles := namedRoles(act.Kind)
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for _, l := range all {
			if slices.Contains(roles, l.role) && same(l.name(), act.Name) {
				out = append(out, l)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// isChecked reports whether the outline marks a box as checked, and how it was looked at.
func (p *planner) isChecked(selector string) (bool, answer) {
	a := p.call("page_snapshot", map[string]any{"root": selector})
	all := lines(a.page)
	return a.ok && len(all) > 0 && slices.Contains(all[0].marks, "checked"), a
}

// name returns the name in a line's selector.
func (l line) name() string {
	_, quoted, _ := strings.Cut(withoutIndex(l.selector), ` "`)
	return strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(strings.TrimSuffix(quoted, `"`))
}

// withoutIndex returns a selector without the number that tells it from its like.
func withoutIndex(selector string) string {
	if at := strings.LastIndex(selector, " ["); at > 0 && strings.HasSuffix(selector, "]") {
		return selector[:at]
	}
	return selector
}
