package admit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/address"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/pattern"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/assertion"
)

// page is a session in which a path is tried.
type page struct {
	site    Site
	session *browser.Session
	checker assertion.Checker

	records plan.Records
	fresh   string   // stands in this context for flow.Fresh
	entered []entry  // what was entered in this context
	record  string   // the path of the record that the test made; empty before it was seen
	listed  []string // selectors by which the list tells that record, while it is there
	was     []string // the rows of the page before the last step
}

// entry is what was entered into a field: the field holds it.
type entry struct {
	on    generate.Target
	holds qa.Assertion
}

func newPage(s Site, session *browser.Session) *page {
	return &page{site: s, session: session, checker: assertion.Checker{Call: alone{s.Now}, Session: session}}
}

// alone is a call of nobody: no run keeps what it sees.
type alone struct{ now func() time.Time }

func (a alone) Now() time.Time                           { return a.now() }
func (a alone) SignedIn(context.Context) error           { return nil }
func (a alone) ConsoleErrors(string) []pagetext.Text     { return nil }
func (a alone) NoteSeen(...pagetext.Text)                {}
func (a alone) SeenBefore(string, string) (string, bool) { return "", false }
func (a alone) Words() []string                          { return nil }

// do does an act.
func (p *page) do(ctx context.Context, a generate.Act) error {
	on := ""
	if len(a.Target.Locators) > 0 {
		on = a.Target.Locators[0]
	}
	var err error
	switch a.Action {
	case "navigate":
		return p.open(ctx, a.URL, p.session.Navigate)
	case "reload":
		state, err := p.session.State(ctx)
		if err != nil {
			return err
		}
		return p.open(ctx, state.URL, p.session.NavigateAnew)
	case "click":
		_, err = p.session.Click(ctx, on, actLimit)
	case "double_click":
		_, err = p.session.DoubleClick(ctx, on, actLimit)
	case "hover":
		_, err = p.session.Hover(ctx, on, actLimit)
	case "fill":
		err = p.fill(ctx, on, a.Value)
	case "select":
		_, err = p.session.Select(ctx, on, a.Option, actLimit)
	case "press":
		_, err = p.session.Press(ctx, on, a.Key, actLimit)
	default:
		err = fmt.Errorf("there is no act %q", a.Action)
	}
	return err
}

func (p *page) open(ctx context.Context, address string, open browser.Opening) error {
	if strings.HasPrefix(address, "/") {
		address = p.site.BaseURL + address
	}
	nav, err := open(ctx, address, "load", actLimit)
	if err == nil && nav.Status >= 400 {
		err = fmt.Errorf("%s answers %d", browser.ShownURL(address), nav.Status)
	}
	return err
}

func (p *page) fill(ctx context.Context, on, value string) error {
	typed, err := p.site.Reveal(ctx, value)
	if err != nil {
		return err
	}
	_, _, err = p.session.Type(ctx, on, typed, actLimit)
	return err
}

// look is what one look at an expectation found.
type look struct {
	held bool
	why  string // it does not hold
	err  error  // it could not be looked at
}

// holds looks once whether an expectation holds.
func (p *page) holds(ctx context.Context, e generate.Expect) look {
	a := e.Assertion
	if e.Rows {
		rows, err := p.rows(ctx, []generate.Expect{e})
		return look{held: len(rows) > 0 && !slices.Equal(rows, p.was), why: "the rows are those of before", err: err}
	}
	switch a.Type {
	case qa.URLMatches, qa.TitleEquals:
		state, err := p.session.State(ctx)
		if err != nil {
			return look{err: err}
		}
		want, is := a.Expected, oneLine(string(state.Title))
		if a.Type == qa.URLMatches {
			is = state.URL
			if strings.HasPrefix(want, "/") {
				want = p.site.BaseURL + want
			}
		}
		if isPattern(want) {
			return look{held: fits(want, "", is), why: fmt.Sprintf("after the step it is %q", browser.ShownURL(is))}
		}
		return look{held: is == want, why: fmt.Sprintf("after the step it is %q", browser.ShownURL(is))}
	}
	if flow.HoldsSecret(a.Expected) {
		return look{err: errors.New("it would show a secret")}
	}
	r, err := p.checker.Once(ctx, a, e.Target.Locators[0])
	return lookOf(assertion.Looked{Result: r, Err: err})
}

// isPattern reports whether an expected address stands for several.
func isPattern(expected string) bool {
	return strings.Contains(expected, "*") || strings.HasPrefix(expected, "re:")
}

// fits reports whether an address is one that an expected one stands for. A path lies below the base.
func fits(expected, base, link string) bool {
	if strings.HasPrefix(expected, "/") {
		expected = base + expected
	}
	pattern, err := address.Parse(expected)
	return err == nil && pattern.Fits(link)
}

func lookOf(l assertion.Looked) look {
	return look{held: l.Err == nil && l.Passed, why: "it does not hold after the step", err: l.Err}
}

// lookAt looks once at some expectations, as holds does at each.
func (p *page) lookAt(ctx context.Context, expects []generate.Expect, some []int) map[int]look {
	out := map[int]look{}
	var together []qa.Asked
	var at []int
	for _, n := range some {
		if a := expects[n].Assertion; expects[n].Rows || len(expects[n].Target.Locators) == 0 || flow.HoldsSecret(a.Expected) {
			out[n] = p.holds(ctx, expects[n])
		} else {
			together, at = append(together, qa.Asked{A: a, Selector: expects[n].Target.Locators[0]}), append(at, n)
		}
	}
	for i, l := range p.checker.OnceAll(ctx, together) {
		out[at[i]] = lookOf(l)
	}
	return out
}

// awaitAll waits until all that is expected holds, and says of each that does not why. Those
// that have a reason already are left out.
func (p *page) awaitAll(ctx context.Context, expects []generate.Expect, why []string, limit time.Duration) {
	open := map[int]string{}
	for n := range expects {
		if why[n] == "" {
			open[n] = ""
		}
	}
	wait.Until(ctx, p.site.Now, limit, func() bool {
		for n, l := range p.lookAt(ctx, expects, slices.Sorted(maps.Keys(open))) {
			switch {
			case l.held:
				delete(open, n)
			case l.err != nil:
				open[n] = oneLine(l.err.Error())
			default:
				open[n] = l.why
			}
		}
		return len(open) == 0
	})
	for n, reason := range open {
		why[n] = reason
	}
}

// rows returns the rows of the page's tables where an expectation is about them.
func (p *page) rows(ctx context.Context, expects []generate.Expect) ([]string, error) {
	if !slices.ContainsFunc(expects, func(e generate.Expect) bool { return e.Rows }) {
		return nil, nil
	}
	o, err := p.outline(ctx)
	return o.rows(), err
}

// ambiguous reports whether an error says that a selector leads to several elements.
func ambiguous(err error) bool {
	var e *explain.Error
	return errors.As(err, &e) && e.Code == explain.SelectorAmbiguous
}

// aim finds the locators of a step's element that lead to it alone.
func (p *page) aim(ctx context.Context, s *generate.Step) error {
	given := s.Act.Target.Locators
	if len(given) == 0 {
		return nil
	}
	var found []string
	other := ""
	there := wait.Until(ctx, p.site.Now, findLimit, func() bool {
		found, other = p.better(ctx, given)
		return len(found) > 0
	})
	switch {
	case there:
		s.Act.Target.Locators = found
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case other != "":
		return fmt.Errorf("it is not there: where it was is %q", text.Shorten(other, 60))
	}
	return fmt.Errorf("none of its locators leads to exactly one element: %s", p.counts(ctx, given))
}

// awaitElement waits until the element of an act is there: what the step before leads to may be on
// its way, and would be taken for what this one does. Where it does not come, the act itself says so.
func (p *page) awaitElement(ctx context.Context, a generate.Act) {
	if len(a.Target.Locators) == 0 {
		return
	}
	wait.Until(ctx, p.site.Now, findLimit, func() bool { return len(p.unique(ctx, a.Target.Locators[:1])) > 0 })
}

// arrives reports whether the page comes to an address that a pattern fits.
func (p *page) arrives(ctx context.Context, pattern string) bool {
	return wait.Until(ctx, p.site.Now, findLimit, func() bool {
		state, err := p.session.State(ctx)
		return err == nil && fits(pattern, p.site.BaseURL, state.URL)
	})
}

// counts tells what each selector leads to.
func (p *page) counts(ctx context.Context, locators []string) string {
	var out []string
	for _, l := range locators {
		if n := p.count(ctx, l); n >= 0 {
			out = append(out, fmt.Sprintf("%s to %d", l, n))
			continue
		}
		out = append(out, l+" can't be looked at")
	}
	return strings.Join(out, ", ")
}

// better returns the locators that lead to one element: in the robust order those that
// the live page suggests for it come first. other is the name of another element, which
// stands at the place of the one that was meant.
func (p *page) better(ctx context.Context, given []string) (found []string, other string) {
	found = p.unique(ctx, given)
	if len(found) == 0 || p.site.Order == generate.Cohort {
		return found, ""
	}
	id, err := p.session.Identify(ctx, "look at", found[0], time.Second)
	if err != nil {
		return found, ""
	}
	if is := oneLine(id.Fingerprint["name"]); p.renamed(given, found, is) {
		return nil, is
	}
	live := p.unique(ctx, id.Locators)
	for _, l := range found {
		if !slices.Contains(live, l) {
			live = append(live, l)
		}
	}
	return p.lasting(live), ""
}

// lasting puts a locator first that has no number where the first one is called by data with
// one, such as a link "36 total": it is called otherwise tomorrow.
func (p *page) lasting(locators []string) []string {
	first := generate.NameOf(locators[0])
	if strings.Contains(first, p.fresh) || !numbers.MatchString(first) {
		return locators
	}
	i := slices.IndexFunc(locators, func(l string) bool { return !numbers.MatchString(l) && !placed.MatchString(l) })
	if i < 0 {
		return locators
	}
	return append([]string{locators[i]}, slices.Delete(slices.Clone(locators), i, i+1)...)
}

var (
	numbers = pattern.New(`\p{Nd}`)
	placed  = pattern.New(`nth|^xpath=|^css=(?:html|body)\b`)
)

// renamed reports whether an element, which only its place tells to be the one that was given,
// has another name than that had. A text that is data may differ.
func (p *page) renamed(given, found []string, is string) bool {
	i := slices.IndexFunc(given, func(l string) bool { return generate.NameOf(l) != "" })
	if i < 0 || is == "" || slices.ContainsFunc(found, func(l string) bool { return generate.NameOf(l) != "" }) {
		return false
	}
	was := oneLine(generate.NameOf(given[i]))
	return was != is && !p.records.Has(was) && !p.records.Has(is)
}

// unique returns the selectors that lead to exactly one element, by our engine and by
// that of Playwright's own locators.
func (p *page) unique(ctx context.Context, locators []string) []string {
	var out []string
	one := p.ones(ctx, locators)
	for _, l := range locators {
		if one(l) {
			out = append(out, l)
		}
	}
	return out
}

// ones tells which of several selectors are unique. What one look at all of them finds is not
// looked at again.
func (p *page) ones(ctx context.Context, all []string) func(selector string) bool {
	var subjects []browser.Subject
	for _, selector := range all {
		if theirs, ok := playwrights(selector); ok {
			for _, s := range slices.Compact([]string{selector, theirs}) {
				subjects = append(subjects, browser.Subject{Selector: s, Fact: browser.FactRole})
			}
		}
	}
	known := map[string]bool{}
	for i, sight := range p.session.Together().Look(ctx, subjects) {
		known[subjects[i].Selector] = sight.Known
	}
	one := func(s string) bool { return known[s] || p.count(ctx, s) == 1 }
	return func(selector string) bool {
		theirs, ok := playwrights(selector)
		return ok && one(selector) && (theirs == selector || one(theirs))
	}
}

// count returns how many elements a selector leads to; -1 where it can't be looked at.
func (p *page) count(ctx context.Context, selector string) int {
	look, err := p.session.Look(ctx, selector, browser.FactRole, "") // the cheapest look that counts
	if err != nil && !ambiguous(err) {
		return -1
	}
	return look.Count
}
