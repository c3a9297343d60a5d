package heal

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/qa/element"
)

// pages lists the pages that both versions have, by their paths below the folders of
// their pages.
func (b *bench) pages(old int) ([]string, error) {
	has := func(version int) ([]string, error) {
		t := b.pinned[version]
		root := filepath.Join(t.folder, t.Pages)
		var out []string
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if e.IsDir() && slices.Contains([]string{"bower_components", "plugins", "build", "docs", "documentation", "vendors"}, e.Name()) {
				return fs.SkipDir
			}
			if rel, err := filepath.Rel(root, path); err == nil && strings.HasSuffix(path, ".html") {
				out = append(out, filepath.ToSlash(rel))
			}
			return nil
		})
		return out, err
	}
	before, err := has(old)
	if err != nil {
		return nil, err
	}
	after, err := has(old + 1)
	return slices.DeleteFunc(before, func(p string) bool { return !slices.Contains(after, p) }), err
}

// editedPages are those that small edits are tried on.
func editedPages() []string {
	return []string{"pages/forms/general.html", "pages/forms/advanced.html", "pages/mailbox/mailbox.html", "pages/examples/register.html", "pages/examples/profile.html", "pages/UI/buttons.html"}
}

// mostOnPage bounds the targets of one page.
const mostOnPage = 60

// worked reports whether a test would act on an element.
func worked(e element.Element) bool {
	switch e.Tag {
	case "a", "button", "input", "select", "textarea":
		return e.Visible
	}
	return false
}

// known lists what a proof keeps of a page.
func known(all []element.Element) []element.Element {
	return slices.DeleteFunc(slices.Clone(all), func(e element.Element) bool { return !worked(e) })
}

// small tries edits that leave what a person sees as it is.
func (b *bench) small(ctx context.Context) ([]tally, error) {
	var out []tally
	for _, kind := range []string{"class", "id", "wrapper", "case", "scope"} {
		t := tally{name: kind}
		for _, p := range editedPages() {
			if err := b.open(ctx, 0, p); err != nil {
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
				at := slices.IndexFunc(now.All, func(o element.Element) bool { return o.Path == now.Marked[i] })
				if at < 0 {
					return nil, fmt.Errorf("%s, %s: the target %s is lost", p, kind, e.Path)
				}
				t.judge(e, known(was.All), now.All, at)
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
func distinct(all []element.Element) []element.Element {
	key := func(e element.Element) string {
		return strings.Join([]string{e.Family(), e.Name, e.Text, e.Href, e.FormName, e.Placeholder, e.ID}, "\n")
	}
	count := map[string]int{}
	for _, e := range all {
		count[key(e)]++
	}
	var out []element.Element
	for _, e := range all {
		if worked(e) && count[key(e)] == 1 && len(out) < mostOnPage {
			out = append(out, e)
		}
	}
	return out
}

// redesign looks for the elements of one version in the next one: on each page, and each
// of them on the first page that has it only. A menu stands on every page.
func (b *bench) redesign(ctx context.Context, first int) (all, once tally, err error) {
	all = tally{name: b.pinned[first].Package + " → " + b.pinned[first+1].Package[strings.LastIndexByte(b.pinned[first+1].Package, '@')+1:]}
	once.name = all.name + ", each once"
	seen := map[string]bool{}
	pages, err := b.pages(first)
	if err != nil {
		return all, once, err
	}
	for _, p := range pages {
		var looks [2]page
		for version := range looks {
			err := b.open(ctx, first+version, path.Join(b.pinned[first+version].Pages, p))
			if err == nil {
				looks[version], err = b.look(ctx, "", nil)
			}
			if err != nil {
				return all, once, fmt.Errorf("%s: %w", p, err)
			}
			for i, e := range looks[version].All { // addresses as seen from the folder of the pages
				looks[version].All[i].Href = strings.TrimPrefix(strings.TrimPrefix(e.Href, "/"), b.pinned[first+version].Pages+"/")
			}
		}
		for _, label := range []func(element.Element) string{byHref, byID} {
			old, now := labelled(looks[0].All, label), labelled(looks[1].All, label)
			hidden, others := hide(looks[1].All), known(hide(looks[0].All))
			for _, e := range looks[0].All {
				l := label(e)
				at, both := now[l]
				if _, one := old[l]; !one || !both || !worked(e) {
					continue
				}
				was := hide([]element.Element{e})[0]
				all.judge(was, others, hidden, at)
				if key := e.Tag + " " + l + " " + e.Name; !seen[key] {
					seen[key] = true
					once.judge(was, others, hidden, at)
				}
			}
		}
	}
	fmt.Fprintf(b.stderr, "%s: %d targets on %d pages\n", all.name, all.targets, len(pages))
	return all, once, nil
}

// labelled returns the elements by their labels, where they are the only one with it.
func labelled(all []element.Element, label func(element.Element) string) map[string]int {
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
func byHref(e element.Element) string {
	if e.Tag != "a" || !strings.HasSuffix(e.Href, ".html") {
		return ""
	}
	return e.Href
}

// byID labels what a form has.
func byID(e element.Element) string {
	switch e.Tag {
	case "input", "select", "textarea", "button":
		return e.ID
	}
	return ""
}

// hide takes from elements what labels are made of, and what is derived from it.
func hide(all []element.Element) []element.Element {
	out := slices.Clone(all)
	for i := range out {
		out[i].Href, out[i].ID = "", ""
	}
	return out
}
