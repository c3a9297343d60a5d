package heal

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/assay-qa/assay/qa/element"
)

// Of a hundred broken locators, the edits that leave the control where a person finds it, and
// those after which nothing is it any more, or only what was another control.
func edited() []string {
	return []string{"id+class", "wrapper+class", "moved+id", "newcomer+bare", "case+id", "scope+bare", "moved+bare", "renamed"}
}

func trapped() []string {
	return []string{"gone", "gone and called", "swapped", "called as it"}
}

const (
	mostEdited  = 80
	mostTrapped = 24
)

// traps measures broken locators: each is one control of a real page, chosen by a fixed
// seed, after one edit of the page.
func (b *bench) traps(ctx context.Context, stdout io.Writer, show bool) error {
	random := rand.New(rand.NewPCG(32, 5)) //nolint:gosec // a fixed sample
	kinds := edited()
	var out []tally
	for _, kind := range append(kinds, trapped()...) {
		out = append(out, tally{name: kind})
	}
	pages, before := editedPages(), map[string]page{}
	b.worked = true
	for n := range mostEdited + mostTrapped {
		k := n % len(kinds)
		if n >= mostEdited {
			k = len(kinds) + n%len(trapped())
		}
		if err := b.trap(ctx, &out[k], pages[n%len(pages)], before, random, k >= len(kinds)); err != nil {
			return fmt.Errorf("%s on %s: %w", out[k].name, pages[n%len(pages)], err)
		}
		fmt.Fprintf(b.stderr, "%d/%d %s\n", n+1, mostEdited+mostTrapped, out[k].name)
	}
	fmt.Fprintf(stdout, "%-20s %8s %8s %8s %8s\n", "edit", "targets", "right", "wrong", "refused")
	for _, t := range append(out, sum("edits", out[:len(kinds)]), sum("traps", out[len(kinds):]), sum("all", out)) {
		fmt.Fprintf(stdout, "%-20s %8d %8d %8d %8d\n", t.name, t.targets, t.healed, t.wrong, t.unsure)
		for _, w := range t.mistakes {
			if show {
				fmt.Fprintln(stdout, "   ", w)
			}
		}
	}
	return nil
}

// trap edits a page around one of its controls, and looks for that.
func (b *bench) trap(ctx context.Context, t *tally, path string, before map[string]page, random *rand.Rand, isTrap bool) error {
	if err := b.open(ctx, 0, path); err != nil {
		return err
	}
	was, looked := before[path]
	if !looked {
		var err error
		if was, err = b.look(ctx, "", nil); err != nil {
			return err
		}
		before[path] = was
	}
	named := slices.DeleteFunc(distinct(was.All), func(e element.Element) bool {
		return e.Text == "" || e.Tag != "a" && e.Tag != "button" || !element.SameName(e.Name, e.Text)
	})
	if len(named) < 2 {
		return fmt.Errorf("the page has %d controls with names of their own", len(named))
	}
	at := random.Perm(len(named))
	old := named[at[0]]
	i := slices.IndexFunc(at[1:], func(i int) bool { return named[i].Family() == old.Family() })
	if i < 0 {
		return fmt.Errorf("nothing on the page is like %s", old)
	}
	now, err := b.look(ctx, t.name, []string{old.Path, named[at[1+i]].Path})
	if err != nil {
		return err
	}
	t.targets++
	d := element.Decide(old, known(was.All), [2][]element.Element{now.All, now.All}, nil)
	switch {
	case !d.Sure():
		t.unsure++
		t.mistakes = append(t.mistakes, fmt.Sprintf("unsure of %s: %s", old, d.Why))
	case !isTrap && d.Best[0].Element.Path == now.Marked[0]:
		t.healed++
	default:
		t.wrong++
		t.mistakes = append(t.mistakes, fmt.Sprintf("%s %s: healed onto %s %s", old, old.Path, d.Best[0].Element, d.Best[0].Element.Path))
	}
	return nil
}
