// Package heal measures the search for elements that have moved: how many of those whose
// page was redesigned or edited are found again without a person, how many are taken for
// another, and what becomes of those that are gone. It decides as assay heal does.
//
// The redesigns are those of public templates between two of their major versions, which
// bench/package.json pins. Which element is which is known by the addresses of links and
// the ids of fields, and these are hidden from what is measured.
package heal

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/browser/outline"
	"github.com/assay-qa/assay/qa/element"
)

//go:embed edits.js
var edits string

// Run parses args, measures and writes a table.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	f := flag.NewFlagSet("heal", flag.ContinueOnError)
	f.SetOutput(stderr)
	manifest := f.String("manifest", "bench/package.json", "the file that pins the template's versions")
	cache := f.String("cache", "", "folder of their packages (default: in the user's cache)")
	part := f.String("part", "all", "all, or traps: broken locators of which some are of elements that are gone, swapped or called as others were")
	show := f.Bool("wrong", false, "print what was healed wrongly")
	if err := f.Parse(args); err != nil {
		return err
	}
	versions, err := fetch(ctx, *manifest, *cache)
	if err != nil {
		return err
	}
	b, err := start(ctx, versions)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	b.stderr = stderr
	if *part == "traps" {
		return b.traps(ctx, stdout, *show)
	}
	small, err := b.small(ctx)
	if err != nil {
		return err
	}
	var redesigns, once []tally
	for old := 0; old < len(versions); old += 2 {
		all, each, err := b.redesign(ctx, old)
		if err != nil {
			return err
		}
		redesigns, once = append(redesigns, all), append(once, each)
	}
	fmt.Fprintf(stdout, "%-44s %8s %10s %8s %8s %8s %10s %10s\n", "edit", "targets", "same name", "healed", "wrong", "gone", "gone→other", "among 3")
	for _, t := range slices.Concat(small, []tally{sum("small edits", small)}, redesigns, []tally{sum("redesigns", redesigns)}, once, []tally{sum("redesigns, each once", once)}) {
		t.print(stdout)
		for _, w := range t.mistakes {
			if *show {
				fmt.Fprintln(stdout, "   ", w)
			}
		}
	}
	return nil
}

// tally is what came of the targets of one kind of edit.
type tally struct {
	name                         string
	targets, healed, wrong, gone int // gone: said to be, though it is there
	removed, other               int // targets that were taken out; healed all the same
	unsure, among                int // not healed; the right one among the proposals
	kept                         int // targets that are called as before
	mistakes                     []string
}

func (t tally) print(w io.Writer) {
	share := func(n, of int) string {
		if of == 0 {
			return "–"
		}
		return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
	}
	fmt.Fprintf(w, "%-44s %8d %10s %8s %8s %8s %10s %10s\n", t.name, t.targets, share(t.kept, t.targets), share(t.healed, t.targets), share(t.wrong, t.targets), share(t.gone, t.targets), share(t.other, t.removed), share(t.healed+t.among, t.targets))
}

func sum(name string, all []tally) tally {
	out := tally{name: name}
	for _, t := range all {
		out.targets, out.healed, out.wrong, out.gone = out.targets+t.targets, out.healed+t.healed, out.wrong+t.wrong, out.gone+t.gone
		out.removed, out.other, out.unsure, out.among, out.kept = out.removed+t.removed, out.other+t.other, out.unsure+t.unsure, out.among+t.among, out.kept+t.kept
	}
	return out
}

// judge decides about one target: old as it was among others, now the index of the right
// one among all.
func (t *tally) judge(old element.Element, others, all []element.Element, now int) {
	t.targets++
	if element.SameName(old.Name, all[now].Name) {
		t.kept++
	}
	d := element.Decide(old, others, [2][]element.Element{all, all}, nil)
	right := func(c element.Candidate) bool { return c.Element.Path == all[now].Path }
	switch {
	case d.Sure() && right(d.Best[0]):
		t.healed++
	case d.Sure():
		t.wrong++
		t.mistakes = append(t.mistakes, fmt.Sprintf("%q %s: %q, not %q", old.Name, old.Path, d.Best[0].Element.Name, all[now].Name))
	default:
		t.unsure++
		if d.Gone() {
			t.gone++
		}
		for _, c := range d.Best {
			if right(c) {
				t.among++
				break
			}
		}
		t.mistakes = append(t.mistakes, fmt.Sprintf("unsure of %q (%s): %s; %q", old.Name, all[now].Name, d.Why, first(d)))
	}
	left := append(append([]element.Element{}, all[:now]...), all[now+1:]...)
	t.removed++
	if d := element.Decide(old, others, [2][]element.Element{left, left}, nil); d.Sure() {
		t.other++
		t.mistakes = append(t.mistakes, fmt.Sprintf("gone %q %s: healed onto %q %s", old.Name, old.Path, d.Best[0].Element.Name, d.Best[0].Element.Path))
	}
}

func first(d element.Pair) string {
	if d.Gone() {
		return "nothing"
	}
	return fmt.Sprintf("%s %.2f", d.Best[0].Element.Name, d.Best[0].Score)
}

// bench works pages of the versions, each at an address of its own.
type bench struct {
	dir     string
	pool    *browser.Pool
	session *browser.Session
	sites   []*http.Server
	bases   []string
	pinned  []template
	stderr  io.Writer
	worked  bool // of pages only what is worked is looked at, as proofs keep it: it is ten times as fast
}

func start(ctx context.Context, pinned []template) (b *bench, err error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	b = &bench{pinned: pinned}
	if b.dir, err = os.MkdirTemp("", "assay-heal-"); err != nil {
		return nil, err
	}
	for _, t := range pinned {
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, errors.Join(err, b.close())
		}
		site := &http.Server{Handler: http.FileServer(http.Dir(t.folder)), ReadHeaderTimeout: 10 * time.Second}
		go func() { _ = site.Serve(listener) }() // ends by close
		b.sites, b.bases = append(b.sites, site), append(b.bases, "http://"+listener.Addr().String())
	}
	b.pool = browser.NewPool(browser.Options{Install: driver.Options{CacheDir: filepath.Join(cache, "assay"), HomeDir: home, Getenv: os.Getenv}, TempDir: b.dir})
	if b.session, err = b.pool.Launch(ctx, browser.LaunchOptions{}); err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

func (b *bench) close() error {
	if b.pool != nil {
		b.pool.Close(10 * time.Second)
	}
	var err error
	for _, s := range b.sites {
		err = errors.Join(err, s.Close())
	}
	return errors.Join(err, os.RemoveAll(b.dir))
}

// page is what one look at a page found: all elements, and the targets in it before it
// was edited, in order.
type page struct {
	All    []element.Element `json:"all"`
	Marked []string          `json:"marked"` // paths of what was marked before
}

// open loads a page.
func (b *bench) open(ctx context.Context, version int, path string) error {
	_, err := b.session.Navigate(ctx, b.bases[version]+"/"+path, "load", 30*time.Second)
	return err
}

// look surveys the page. An edit is done first, after the elements at some paths were
// kept, to find them again.
func (b *bench) look(ctx context.Context, edit string, paths []string) (page, error) {
	survey, err := outline.Survey()
	if err != nil {
		return page{}, err
	}
	script := `({ edit, paths, worked }) => {
		const survey = ` + survey + `
		const edits = ` + body(edits) + `
		const at = (path) => path.split('/').reduce((e, step) => {
			const [, tag, n] = /^(.*)\[(\d+)\]$/.exec(step);
			if (!e) return document.documentElement;
			return [...e.children].filter((c) => c.localName === tag)[n - 1];
		}, undefined);
		const kept = paths.map(at);
		for (const one of edit ? edit.split('+') : []) edits(one, kept);
		const marked = [], there = kept.filter((e) => e.isConnected);
		for (let i = 0; i < there.length; i += 50) marked.push(...survey(there.slice(i, i + 50), {}).map((e) => e.path));
		kept.forEach((e, i) => e.isConnected || marked.splice(i, 0, ''));
		window.benchFound = JSON.stringify({ all: survey([document.documentElement], { all: true, worked }), marked });
		return window.benchFound.length;
	}`
	var out page
	raw, _, err := b.session.Evaluate(ctx, script, map[string]any{"edit": edit, "paths": paths, "worked": b.worked})
	if err != nil {
		return out, err
	}
	var length int
	if err := json.Unmarshal(raw, &length); err != nil {
		return out, fmt.Errorf("survey: %w: %s", err, raw)
	}
	const chunk = 12_000 // characters: an answer has at most 64 KB
	var text strings.Builder
	for at := 0; at < length; at += chunk {
		raw, _, err := b.session.Evaluate(ctx, "(at) => window.benchFound.slice(at, at + 12000)", at)
		if err != nil {
			return out, err
		}
		var part string
		if err := json.Unmarshal(raw, &part); err != nil {
			return out, err
		}
		text.WriteString(part)
	}
	err = json.Unmarshal([]byte(text.String()), &out)
	return out, err
}

// body returns the function of a script without the comment above it.
func body(script string) string {
	return script[max(strings.Index(script, "("), 0):]
}
