package heal

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/similar"
)

// pages lists the pages that both versions have, at the same paths.
func pages() []string {
	return []string{
		"index.html", "index2.html", "pages/widgets.html", "pages/calendar.html", "pages/charts/chartjs.html", "pages/charts/flot.html", "pages/charts/inline.html",
		"pages/UI/general.html", "pages/UI/icons.html", "pages/UI/buttons.html", "pages/UI/sliders.html", "pages/UI/timeline.html", "pages/UI/modals.html",
		"pages/forms/general.html", "pages/forms/advanced.html", "pages/forms/editors.html", "pages/tables/simple.html", "pages/tables/data.html",
		"pages/mailbox/mailbox.html", "pages/mailbox/compose.html", "pages/mailbox/read-mail.html", "pages/examples/invoice.html", "pages/examples/profile.html",
		"pages/examples/login.html", "pages/examples/register.html", "pages/examples/lockscreen.html", "pages/examples/404.html", "pages/examples/500.html", "pages/layout/top-nav.html",
	}
}

// editedPages are those that small edits are tried on.
func editedPages() []string {
	return []string{"pages/forms/general.html", "pages/forms/advanced.html", "pages/mailbox/mailbox.html", "pages/examples/register.html", "pages/examples/profile.html", "pages/UI/buttons.html"}
}

// mostOnPage bounds the targets of one page.
const mostOnPage = 60

// worked reports whether a test would act on an element.
func worked(e similar.Element) bool {
	switch e.Tag {
	case "a", "button", "input", "select", "textarea":
		return e.Visible
	}
	return false
}

// small tries edits that leave what a person sees as it is.
func (b *bench) small(ctx context.Context) ([]tally, error) {
	var out []tally
	for _, kind := range []string{"class", "id", "wrapper", "case", "scope"} {
		t := tally{name: kind}
		for _, p := range editedPages() {
			if err := b.open(ctx, 1, p); err != nil {
				return nil, err
			}
			was, err := b.look(ctx, "", nil)
			if err != nil {
				return nil, err
			}
			targets := distinct(was.All)
			var paths []string
			for _, e := range targets {
				paths = append(paths, e.Path)
			}
			now, err := b.look(ctx, kind, paths)
			if err != nil {
				return nil, err
			}
			for i, e := range targets {
				at := slices.IndexFunc(now.All, func(o similar.Element) bool { return o.Path == now.Marked[i] })
				if at < 0 {
					return nil, fmt.Errorf("%s, %s: the target %s is lost", p, kind, e.Path)
				}
				t.judge(e, now.All, at)
			}
		}
		fmt.Fprintf(b.stderr, "%s: %d of %d\n", kind, t.healed, t.targets)
		out = append(out, t)
	}
	return out, nil
}

// distinct returns the elements of a page that tests act on, without those that nobody
// could tell from another by what they are called, where they lead and what they are
// for.
func distinct(all []similar.Element) []similar.Element {
	key := func(e similar.Element) string {
		return strings.Join([]string{e.Family(), e.Name, e.Text, e.Href, e.FormName, e.Placeholder, e.ID}, "\n")
	}
	count := map[string]int{}
	for _, e := range all {
		count[key(e)]++
	}
	var out []similar.Element
	for _, e := range all {
		if worked(e) && count[key(e)] == 1 && len(out) < mostOnPage {
			out = append(out, e)
		}
	}
	return out
}

// redesign looks for the elements of one version in the next one.
func (b *bench) redesign(ctx context.Context) (tally, error) {
	t := tally{name: "redesign"}
	seen := map[string]bool{}
	for _, p := range pages() {
		var looks [2]page
		for version := range looks {
			err := b.open(ctx, version, p)
			if err == nil {
				looks[version], err = b.look(ctx, "", nil)
			}
			if err != nil {
				return t, fmt.Errorf("%s: %w", p, err)
			}
		}
		before := t.targets
		for _, label := range []func(similar.Element) string{byHref, byID} {
			old, now := labelled(looks[0].All, label), labelled(looks[1].All, label)
			hidden := hide(looks[1].All)
			for _, e := range looks[0].All {
				l := label(e)
				at, both := now[l]
				once := strings.Join([]string{l, e.Name, path.Dir(p)}, "\n")
				if _, one := old[l]; !one || !both || !worked(e) || seen[once] {
					continue
				}
				seen[once] = true
				t.judge(hide([]similar.Element{e})[0], hidden, at)
			}
		}
		fmt.Fprintf(b.stderr, "%s: %d targets\n", p, t.targets-before)
	}
	return t, nil
}

// labelled returns the elements by their labels, where they are the only one with it.
func labelled(all []similar.Element, label func(similar.Element) string) map[string]int {
	out, twice := map[string]int{}, map[string]bool{}
	for i, e := range all {
		l := label(e)
		if l == "" {
			continue
		}
		if _, known := out[l]; known {
			twice[l] = true
		}
		out[l] = i
	}
	for l := range twice {
		delete(out, l)
	}
	return out
}

// byHref labels links to pages.
func byHref(e similar.Element) string {
	if e.Tag != "a" || !strings.HasSuffix(e.Href, ".html") {
		return ""
	}
	return e.Href
}

// byID labels what a form has.
func byID(e similar.Element) string {
	switch e.Tag {
	case "input", "select", "textarea", "button":
		return e.ID
	}
	return ""
}

// hide takes from elements what labels are made of, and what is derived from it.
func hide(all []similar.Element) []similar.Element {
	out := slices.Clone(all)
	for i := range out {
		out[i].Href, out[i].ID = "", ""
	}
	return out
}
