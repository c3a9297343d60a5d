package admit

import (
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// change is a page before a step and after it.
type change struct {
	before, after outline
	was, is       browser.PageState
}

// more returns assertions about what a step changed that its plan does not name.
func (t *trial) more(ctx context.Context, p *page, i int, c change) []generate.Expect {
	s := t.path.Steps[i].Replace(flow.Fresh, p.fresh)
	switch s.Part {
	case generate.Again:
		return t.still(ctx, p, i)
	case generate.Listed:
		if len(p.listed) > 0 {
			came := t.brought(ctx, p, s, c, added(c.before, c.after))
			return append(came, p.unlisted(ctx, came)...)
		}
		o, own, err := p.awaitOwn(ctx)
		if err != nil {
			t.drop(s, "step", "the list can't be read: %s", oneLine(err.Error()))
			return nil
		}
		c.after = o
		return t.brought(ctx, p, s, c, own)
	}
	out := t.went(p, s, c.was, c.is)
	out = append(out, t.brought(ctx, p, s, c, added(c.before, c.after))...)
	out = append(out, t.refused(ctx, p, s, c)...)
	return append(out, t.listed(ctx, p, s, c)...)
}

// refused returns that fields say that their entries are wrong, where a step is refused and they
// did not before it.
func (t *trial) refused(ctx context.Context, p *page, s generate.Step, c change) (out []generate.Expect) {
	if s.Part != generate.Effect || !t.path.Ask.OfRefusal() {
		return nil
	}
	for _, l := range c.after {
		was := slices.IndexFunc(c.before, func(b line) bool { return b.Role == l.Role && b.Name == l.Name })
		if !l.invalid || l.Name == "" || was < 0 || c.before[was].invalid || len(out) == maxInvalid {
			continue
		}
		if at := p.scoped(ctx, p.unique(ctx, selectorsOf(l.Line)), c.after); len(at) > 0 {
			out = append(out, generate.Expect{Assertion: qa.Assertion{Type: qa.AttributeEquals, Attribute: "aria-invalid", Expected: "true"}, Target: generate.Target{Locators: at}})
		}
	}
	return out
}

// maxInvalid bounds the fields of which a test asserts that their entries are wrong.
const maxInvalid = 2

// still returns what an act brought and a page that was loaded again has still, and the
// fields that hold what was entered.
func (t *trial) still(ctx context.Context, p *page, i int) []generate.Expect {
	var all []generate.Expect
	for n := i - 1; n >= 0 && len(all) == 0; n-- {
		for _, e := range t.path.Steps[n].Replace(flow.Fresh, p.fresh).Expects {
			if a := e.Assertion.Type; (a == qa.Visible || a == qa.Hidden) && !e.Rows && t.path.Steps[n].Part == generate.Effect {
				all = append(all, e)
			}
		}
	}
	for _, e := range p.entered {
		if strings.Contains(e.holds.Expected, p.fresh) {
			all = append(all, generate.Expect{Assertion: e.holds, Target: e.on})
		}
	}
	why := make([]string, len(all))
	p.awaitAll(ctx, all, why, 0)
	var out []generate.Expect
	for n, e := range all {
		if why[n] == "" && len(out) < maxKept {
			e.Keeps = true
			out = append(out, e)
		}
	}
	return out
}

// ownIn returns the lines that say what the test entered in this context.
func (p *page) ownIn(o outline) []line {
	var out []line
	for _, l := range o {
		if l.Role != "row" && strings.Contains(l.Name, p.fresh) && slices.Contains(newRanks, l.Role) {
			out = append(out, l)
		}
	}
	return out
}

// own reports whether a line says what the test entered.
func (p *page) own(l line) bool {
	return strings.Contains(l.Name, p.fresh) || slices.ContainsFunc(p.entered, func(e entry) bool { return e.holds.Expected == l.Name })
}

// newRanks orders what a step brought by how much it says; what has no rank says
// nothing that a person would look for.
var newRanks = []string{"dialog", "alertdialog", "alert", "status", "heading", "definition", "text", "paragraph", "cell", "listitem", "link", "button", "tab", "textbox", "combobox", "checkbox", "img"}

// controlRoles lists the roles of what an application names, whatever record it shows.
var controlRoles = []string{"dialog", "alertdialog", "alert", "status", "button", "tab", "textbox", "combobox", "checkbox"}

// saidRoles lists the roles of plain words, which are no records as links and cells are.
var saidRoles = []string{"text", "listitem", "paragraph"}

// asserted reports whether a line that came or went is asserted: it is no data, or the
// test itself has entered it.
func (t *trial) asserted(p *page, s generate.Step, l line) bool {
	switch {
	case clockLike.MatchString(l.Name): // it is another one at another time
		return false
	case strings.Contains(l.Name, p.fresh):
		return true
	case t.path.Records.Entered(l.Name): // it is not there on another server
		return false
	case s.Part == generate.Whole || p.own(l):
		return true
	case s.Alien && !slices.Contains(controlRoles, l.Role):
		return false
	}
	said := t.path.Ask.OfRefusal() && slices.Contains(saidRoles, l.Role) // a list may say what is wrong
	return (!l.item || said) && !t.path.Records.Has(l.Name)
}

// brought returns assertions about what is on the page after a step and was not before,
// and about what has gone where the step stayed on its page.
func (t *trial) brought(ctx context.Context, p *page, s generate.Step, c change, came []line) []generate.Expect {
	var out []generate.Expect
	slices.SortStableFunc(came, func(a, b line) int {
		switch {
		case p.own(a) == p.own(b):
			return 0
		case p.own(a):
			return -1
		}
		return 1
	})
	for _, l := range came {
		if len(out) == maxNew {
			break
		}
		if !t.asserted(p, s, l) {
			continue
		}
		if at := p.scoped(ctx, p.unique(ctx, selectorsOf(l.Line)), c.after); len(at) > 0 && p.volatile(ctx, at[0], s.Volatile) == "" {
			// What was chosen stands among the options before the step as well, and a list may
			// tell what the test made before it is searched.
			there := s.Part == generate.Listed && strings.Contains(l.Name, p.fresh) ||
				slices.ContainsFunc(p.entered, func(e entry) bool { return e.holds.Type == qa.SelectedLabel && e.holds.Expected == l.Name })
			out = append(out, generate.Expect{Assertion: qa.Assertion{Type: qa.Visible}, Target: generate.Target{Locators: at}, Keeps: there})
		}
	}
	if s.Part == generate.Listed {
		return out
	}
	went, gone, name := 0, added(c.after, c.before), controlName(s.Act)
	slices.SortStableFunc(gone, func(a, b line) int { // the control that became another one tells most
		switch {
		case (a.Name == name) == (b.Name == name):
			return 0
		case a.Name == name:
			return -1
		}
		return 1
	})
	wentToo := func(mark string) bool {
		return slices.ContainsFunc(gone, func(l line) bool { return selectorOf(l.Line) == mark })
	}
	for _, l := range gone {
		message := slices.Contains(messageRoles, l.Role)
		if went == maxGone || !message && (s.Part == generate.Whole || address.Page(c.was.URL) != address.Page(c.is.URL) || !t.asserted(p, s, l)) {
			continue
		}
		if l.message() || slices.ContainsFunc(l.landmarks, wentToo) {
			continue // it is of the step before, or went with what it lies in
		}
		went++
		out = append(out, generate.Expect{Assertion: qa.Assertion{Type: qa.Hidden}, Target: generate.Target{Locators: []string{selectorOf(l.Line)}}})
	}
	return append(out, t.below(ctx, p, s, c)...)
}

// message reports whether a line is a message of the page, or stands in one.
func (l line) message() bool {
	return slices.ContainsFunc(append([]string{"role=" + l.Role}, l.landmarks...), func(mark string) bool {
		return strings.HasPrefix(mark, "role=status") || strings.HasPrefix(mark, "role=alert") || strings.HasPrefix(mark, "status ") || strings.HasPrefix(mark, "alert ")
	})
}

// below returns that the page below a dialog is as it was, where a step only closed the
// dialog: the heading of the page is there still.
func (t *trial) below(ctx context.Context, p *page, s generate.Step, c change) []generate.Expect {
	if s.Part != generate.Effect || !c.before.hasDialog() || c.after.hasDialog() || c.was.URL != c.is.URL {
		return nil
	}
	for _, l := range c.after {
		if l.Role != "heading" || !t.asserted(p, s, l) {
			continue
		}
		if at := p.scoped(ctx, p.unique(ctx, selectorsOf(l.Line)), c.after); len(at) > 0 {
			return []generate.Expect{{Assertion: qa.Assertion{Type: qa.Visible}, Target: generate.Target{Locators: at}, Keeps: true}}
		}
	}
	return nil
}

func (o outline) hasDialog() bool {
	return slices.ContainsFunc(o, func(l line) bool { return l.Role == "dialog" || l.Role == "alertdialog" })
}

// rows returns what the rows of the page's tables say.
func (o outline) rows() []string {
	var out []string
	for _, l := range o {
		switch {
		case l.Role == "row":
			out = append(out, l.Name)
		case l.item && len(out) > 0:
			out[len(out)-1] += " " + l.Name
		}
	}
	return out
}

// listed returns what a step changed of the rows of a table on the same page: they are
// others, and where the step's control has the name of a cell, all rows have that cell. A
// dialog that came or went hides the rows of the page, or has others of its own.
func (t *trial) listed(ctx context.Context, p *page, s generate.Step, c change) []generate.Expect {
	before, after := c.before.rows(), c.after.rows()
	samePage := address.Page(c.was.URL) == address.Page(c.is.URL) && c.before.hasDialog() == c.after.hasDialog()
	if s.Part != generate.Effect || len(before) < 2 || len(after) < 2 || slices.Equal(before, after) || !samePage {
		return nil
	}
	var out []generate.Expect
	if name := controlName(s.Act); name != "" {
		without := generate.RowsWithout(name)
		if has := strings.Contains(strings.Join(after, " | "), name); has && p.count(ctx, without) == 0 && lacks(before, name) {
			out = append(out, generate.Expect{Assertion: qa.Assertion{Type: qa.Hidden}, Target: generate.Target{Locators: []string{without}}, Only: true})
			return out // other rows come only where the list had others on this page
		}
	}
	for _, selector := range []string{"role=main >> role=row", "role=row"} {
		if p.count(ctx, selector) > 1 {
			return append(out, generate.Expect{Rows: true, Target: generate.Target{Locators: []string{selector}}})
		}
	}
	return out
}

// lacks reports whether a row of data has no cell with a text.
func lacks(rows []string, name string) bool {
	return slices.ContainsFunc(rows[1:], func(row string) bool { return !slices.Contains(strings.Split(row, " | "), name) })
}

// controlName returns the name that an act's element, or its option, is known by.
func controlName(a generate.Act) string {
	if a.Option != "" {
		return a.Option
	}
	if len(a.Target.Locators) == 0 {
		return ""
	}
	return generate.NameOf(a.Target.Locators[0])
}

// added returns the lines with names that only the second outline has, those that say
// most first.
func added(before, after outline) []line {
	was := map[string]bool{}
	for _, l := range before {
		was[l.Role+" "+l.Name] = true
	}
	var out []line
	for _, l := range after {
		if key := l.Role + " " + l.Name; l.Named && l.Name != "" && !was[key] && slices.Contains(newRanks, l.Role) {
			was[key] = true
			out = append(out, l)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return slices.Index(newRanks, out[i].Role) < slices.Index(newRanks, out[j].Role) })
	return out
}
