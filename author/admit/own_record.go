package admit

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/author/generate"
	"github.com/assay-qa/assay/browser/guard"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// maxListed bounds the texts by which a list tells a record.
const maxListed = 2

// actOn says whose record the next act is done on. A test may delete what it made itself:
// the page has the address of a record that showed what the test entered.
func (p *page) actOn(ctx context.Context, own bool) error {
	p.session.ActOn(0, "")
	if !own {
		return nil
	}
	state, err := p.session.State(ctx)
	if err != nil {
		return err
	}
	at := generate.PagePath(p.site.BaseURL, state.URL)
	if p.record == "" {
		o, err := p.outline(ctx)
		if err != nil {
			return err
		}
		// A message tells what was made wherever it led to.
		if !slices.ContainsFunc(o, func(l line) bool { return strings.Contains(l.Name, p.fresh) && !l.message() }) {
			return nil
		}
		p.record = recordPath(at)
	}
	if p.record != "" && (at == p.record || strings.HasPrefix(at, p.record+"/")) {
		p.session.ActOn(guard.Own, "")
	}
	return nil
}

// recordPath returns a path up to what tells its record from others; empty where nothing does.
func recordPath(path string) string {
	pattern, ok := generate.Address(path)
	segments := strings.Split(path, "/")
	for i, s := range slices.Backward(strings.Split(pattern, "/")) {
		if ok && s == "*" {
			return strings.Join(segments[:i+1], "/")
		}
	}
	return ""
}

// noteListed notes how the list tells the record of a test, before the steps from i on leave it: what
// is found nowhere then, nobody would miss later. It returns to the page of the record.
func (t *trial) noteListed(ctx context.Context, p *page, i int) error {
	last := slices.IndexFunc(t.path.Steps[i:], func(s generate.Step) bool { return s.Part == generate.Listed })
	if last < 0 {
		return nil
	}
	state, err := p.session.State(ctx)
	if err != nil {
		return err
	}
	for _, s := range t.path.Steps[i : i+last+1] {
		if s.Own || s.Part == generate.Effect {
			continue
		}
		s = s.Replace(flow.Fresh, p.fresh)
		if err := p.aim(ctx, &s); err != nil {
			return err
		}
		if err := p.do(ctx, s.Act); err != nil {
			return err
		}
	}
	o, own, err := p.awaitOwn(ctx)
	if err != nil {
		return err
	}
	for _, l := range own {
		if at := p.scoped(ctx, p.unique(ctx, selectorsOf(l.Line)), o); len(at) > 0 && len(p.listed) < maxListed {
			p.listed = append(p.listed, at[0])
		}
	}
	return p.open(ctx, state.URL, p.session.Navigate)
}

// awaitOwn returns the page's outline, and its lines that say what the test entered, once
// there are some.
func (p *page) awaitOwn(ctx context.Context) (outline, []line, error) {
	for over := p.site.Now().Add(findLimit); ; {
		o, err := p.outline(ctx)
		own := p.ownIn(o)
		if err == nil && len(own) > 0 || p.site.Now().After(over) || wait.For(ctx, 100*time.Millisecond) != nil {
			return o, own, err // a page on its way can't be read
		}
	}
}

// unlisted returns that the list has the record no more, where it had it before. It says
// something only beside what shows that the list has come: what came with it, or another item.
func (p *page) unlisted(ctx context.Context, came []generate.Expect) []generate.Expect {
	var out []generate.Expect
	if len(came) == 0 {
		out = p.otherItem(ctx)
	}
	if len(came)+len(out) == 0 {
		return nil
	}
	for _, selector := range p.listed {
		if p.count(ctx, selector) == 0 {
			out = append(out, generate.Expect{Assertion: qa.Assertion{Type: qa.Hidden}, Target: generate.Target{Locators: []string{selector}}, Keeps: true})
		}
	}
	return out
}

// otherItem returns that the page lists something: the second row, as the first may be the
// head, or the second item of a list.
func (p *page) otherItem(ctx context.Context) []generate.Expect {
	for _, in := range []string{"role=main >> ", ""} {
		for _, role := range []string{"row", "listitem", "article"} {
			if all := in + "role=" + role; p.count(ctx, all) > 1 {
				return []generate.Expect{{Assertion: qa.Assertion{Type: qa.Visible}, Target: generate.Target{Locators: []string{all + " >> nth=1"}}, Keeps: true}}
			}
		}
	}
	return nil
}
