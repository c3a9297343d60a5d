// Package admit tries the tests in the making on the live site, and leaves in them only
// what can be relied on: locators that lead to exactly one element, and assertions that
// were false just before their step and true after it in three fresh contexts, outside
// of what changes by itself, within a landmark.
package admit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/input"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// Rounds is the number of fresh contexts in which an assertion must hold.
const Rounds = 3

// Bounds on one path.
const (
	actLimit    = 10 * time.Second // one act
	findLimit   = 3 * time.Second  // until an element is there
	holdLimit   = 5 * time.Second  // until what is expected holds, as in a Playwright test
	maxNew      = 6                // assertions about what a step brought, beyond those of the plan
	maxGone     = 2                // and about what it took away
	maxKept     = 4                // and about what is there still after a page was loaded again
	maxOutline  = 200_000          // characters of an outline
	maxPerFault = 160              // characters of the reason of a fault
)

// Site is a live site.
type Site struct {
	BaseURL string
	Order   generate.Order
	Rounds  int // fresh contexts in which an assertion must hold; 0: [Rounds]
	Now     func() time.Time
	// Launch returns a session in a fresh context, signed in as the plan's role.
	Launch func(ctx context.Context) (*browser.Session, error)
	// Reveal replaces references to secrets in what is typed.
	Reveal func(ctx context.Context, text string) (input.Typing, error)
}

// Path tries a path and returns what is left of it, and what was dropped. The error says
// that it could not be tried at all.
func (s Site) Path(ctx context.Context, p generate.Path) (generate.Path, []generate.Dropped, error) {
	t := &trial{site: s, path: clone(p)}
	if err := t.run(ctx, t.find); err != nil {
		return p, nil, err
	}
	t.of = cmp.Or(s.Rounds, Rounds)
	for round := 1; round <= t.of && len(t.path.Steps) > 0; round++ {
		t.round = round
		if err := t.run(ctx, t.prove); err != nil {
			return p, nil, err
		}
	}
	return t.path, t.dropped, nil
}

func clone(p generate.Path) generate.Path {
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		p.Steps[i].Expects = slices.Clone(p.Steps[i].Expects)
	}
	return p
}

// trial is one path that is being tried.
type trial struct {
	site    Site
	path    generate.Path
	round   int
	of      int // rounds
	dropped []generate.Dropped
}

func (t *trial) drop(s generate.Step, what, format string, args ...any) {
	t.dropped = append(t.dropped, generate.Dropped{Flow: t.path.Name, Step: s.Name, Where: s.Where, What: what, Reason: fmt.Sprintf(format, args...)})
}

// cut drops a step that can't be done, and all that follow.
func (t *trial) cut(from int, err error) {
	s := t.path.Steps[from]
	t.drop(s, "step", "it can't be done: %s", text.Shorten(oneLine(err.Error()), maxPerFault))
	for _, later := range t.path.Steps[from+1:] {
		t.drop(later, "step", "it follows a step that can't be done")
	}
	t.path.Steps = t.path.Steps[:from]
}

// run does the path's steps in a fresh context.
func (t *trial) run(ctx context.Context, step func(ctx context.Context, p *page, i int) error) error {
	session, err := t.site.Launch(ctx)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := wait.CleanUp(ctx, 2*time.Second)
		defer cancel()
		_ = session.Close(ctx) // its findings are complete, and the pool closes what is left
	}()
	p := newPage(t.site, session)
	p.records = t.path.Records
	p.fresh = strconv.FormatInt(t.site.Now().UnixMilli(), 36) + strconv.Itoa(t.round)
	for i := 0; i < len(t.path.Steps); i++ {
		err := step(ctx, p, i)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var lost *generate.UnreachableError
		if errors.As(err, &lost) {
			return err
		}
		if err != nil {
			t.cut(i, err)
			return nil
		}
	}
	return nil
}

// find does a step for the first time: it finds the locators of its element, and what
// could be asserted.
func (t *trial) find(ctx context.Context, p *page, i int) error {
	s := t.path.Steps[i].Replace(flow.Fresh, p.fresh)
	defer func() {
		s.Leads = t.path.Steps[i].Leads
		t.path.Steps[i] = s.Replace(p.fresh, flow.Fresh)
	}()
	if s.Own && i > 0 && !t.path.Steps[i-1].Own {
		if err := t.noteListed(ctx, p, i); err != nil {
			return err
		}
	}
	if s.Part == generate.Way {
		if err := p.aim(ctx, &s); err != nil {
			return err
		}
		return t.do(ctx, p, i, s.Act)
	}
	given := s.Act.Target.Locators
	if err := p.aim(ctx, &s); err != nil { // what the step before leads to may be on its way
		return err
	}
	before, err := p.outline(ctx)
	if err != nil {
		return err
	}
	gone := map[int][]string{} // what is to go must be one element now
	for n, e := range s.Expects {
		if e.Assertion.Type == qa.Hidden {
			gone[n] = p.scoped(ctx, p.unique(ctx, e.Target.Locators), before)
		}
	}
	was, err := p.session.State(ctx)
	if err != nil {
		return err
	}
	if err := t.do(ctx, p, i, s.Act); err != nil {
		return err
	}
	var kept []generate.Expect
	after, err := p.outline(ctx)
	if err != nil {
		return err
	}
	for n, e := range s.Expects {
		out, why := p.resolve(ctx, e, given, &s, gone[n], after)
		if why != "" {
			t.drop(s, e.Name(), "%s", why)
			continue
		}
		if !e.Keeps && before.has(out) {
			t.drop(s, out.Name(), heldBefore)
			continue
		}
		kept = append(kept, out)
	}
	kept = t.holding(ctx, p, s, kept)
	is, err := p.session.State(ctx)
	if err != nil {
		return err
	}
	s.Expects = distinct(append(kept, t.more(ctx, p, i, change{before, after, was, is})...))
	sort.SliceStable(s.Expects, func(i, j int) bool { return rank(s.Expects[i]) < rank(s.Expects[j]) })
	return nil
}

// rank puts last what holds before a step as well: what changes tells that the step is over.
func rank(e generate.Expect) int {
	if e.Keeps {
		return 1
	}
	return 0
}

// do does an act, and remembers what it enters.
func (t *trial) do(ctx context.Context, p *page, i int, a generate.Act) error {
	if err := p.actOn(ctx, t.path.Steps[i].Own); err != nil {
		return err
	}
	err := p.do(ctx, a)
	if leads := t.path.Steps[i].Leads; err == nil && leads != "" && !p.arrives(ctx, leads) {
		t.path.Steps[i].Leads = "" // another address may be as good: the next step tells
	}
	if err != nil && i == 0 && a.Action == "navigate" {
		return &generate.UnreachableError{Base: t.site.BaseURL, Err: err}
	}
	switch {
	case err != nil:
	case a.Action == "fill" && a.Value != "":
		p.entered = append(p.entered, entry{a.Target, qa.Assertion{Type: qa.ValueEquals, Expected: a.Value}})
	case a.Action == "select":
		p.entered = append(p.entered, entry{a.Target, qa.Assertion{Type: qa.SelectedLabel, Expected: a.Option}})
	}
	return err
}

// heldBefore says why an assertion is dropped that does not depend on its step.
const heldBefore = "it held before the step already, so it would not show that the step did anything"

// holding returns the expectations that hold after a step, so that no context waits for
// the others.
func (t *trial) holding(ctx context.Context, p *page, s generate.Step, all []generate.Expect) []generate.Expect {
	why := make([]string, len(all))
	p.awaitAll(ctx, all, why, time.Second)
	var kept []generate.Expect
	for n, e := range all {
		if why[n] != "" {
			t.drop(s, e.Name(), "%s", text.Shorten(why[n], maxPerFault))
			continue
		}
		kept = append(kept, e)
	}
	return kept
}

// went returns assertions about the address and the title where a step changed them.
func (t *trial) went(p *page, s generate.Step, was, is browser.PageState) []generate.Expect {
	var out []generate.Expect
	at := strings.ReplaceAll(generate.Below(t.site.BaseURL, is.URL), p.fresh, flow.Fresh)
	pattern, ok := generate.Address(at)
	if s.Part == generate.Whole {
		pattern, ok = at, true
	}
	if ok && s.Part != generate.Whole && fits(pattern, t.site.BaseURL, was.URL) { // as /orders/* fits /orders/new
		pattern, ok = generate.NumberedAddress(at)
	}
	if ok && is.URL != was.URL {
		out = append(out, generate.Expect{Assertion: qa.Assertion{Type: qa.URLMatches, Expected: pattern}})
	}
	if title := oneLine(string(is.Title)); title != oneLine(string(was.Title)) && title != "" && !t.path.Records.Entered(title) && (s.Part == generate.Whole || !t.path.Records.Has(title)) {
		out = append(out, generate.Expect{Assertion: qa.Assertion{Type: qa.TitleEquals, Expected: title}})
	}
	return out
}

// prove does a step again, and drops what is expected of it that held before, or does
// not hold after.
func (t *trial) prove(ctx context.Context, p *page, i int) error {
	s := t.path.Steps[i].Replace(flow.Fresh, p.fresh)
	if len(s.Expects) > 0 {
		p.awaitElement(ctx, s.Act)
	}
	why := make([]string, len(s.Expects))
	rows, err := p.rows(ctx, s.Expects)
	if err != nil {
		return err
	}
	for n, e := range s.Expects {
		if e.Keeps || e.Rows {
			continue
		}
		switch l := p.holds(ctx, e); {
		case l.err != nil && !ambiguous(l.err):
			why[n] = "it can't be looked at: " + oneLine(l.err.Error())
		case l.held:
			why[n] = heldBefore
		}
	}
	if err := t.do(ctx, p, i, s.Act); err != nil {
		return err
	}
	p.was = rows
	p.awaitAll(ctx, s.Expects, why, holdLimit)
	var kept []generate.Expect
	for n, e := range t.path.Steps[i].Expects {
		if why[n] != "" {
			t.drop(s, e.Name(), "in context %d of %d: %s", t.round, t.of, text.Shorten(why[n], maxPerFault))
			continue
		}
		kept = append(kept, e)
	}
	t.path.Steps[i].Expects = kept
	return nil
}

// distinct returns expectations without those that are there already.
func distinct(all []generate.Expect) []generate.Expect {
	var out []generate.Expect
	seen := map[string]bool{}
	for _, e := range all {
		if key := e.Name(); !seen[key] {
			seen[key] = true
			out = append(out, e)
		}
	}
	return out
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
