// Package tokens counts what a model has to read to work a page: the answers of
// assay's tools against those of npm's @playwright/mcp, which shows the whole
// page after each action.
//
// The conversation is the same on both sides: open the page, look at it once,
// then act on up to ten of its elements, one after the other: text fields are
// filled, everything else is pointed at. Ours reads each action's answer; theirs
// reads each action's answer, and the snapshot after it where the answer holds
// none. An observation is one action (or the opening) with all that is read
// because of it. Tokens are those of OpenAI's o200k_base. What the tools'
// definitions cost, which is paid once and then cached, is shown below the table.
package tokens

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tiktoken-go/tokenizer"

	"github.com/assay-qa/assay/bench/measure"
	"github.com/assay-qa/assay/bench/wire"
	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/internal/demo"
)

// acted bounds how many elements of a page are acted on.
const acted = 10

// page describes one page under test.
type page struct{ name, url string }

// templates lists dashboards that others made: package, root, page.
func templates() [][3]string {
	return [][3]string{
		{"startbootstrap-sb-admin-2", "", "index.html"},
		{"startbootstrap-sb-admin-2", "", "cards.html"},
		{"gentelella", "dist", "production/index3.html"},
		{"gentelella", "dist", "production/tables.html"},
		{"adminator-admin-dashboard", "dist", "forms.html"},
		{"adminator-admin-dashboard", "dist", "basic-table.html"},
		{"soft-ui-dashboard", "", "pages/dashboard.html"},
		{"soft-ui-dashboard", "", "pages/tables.html"},
	}
}

// Run parses args, measures and writes a table.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	f := flag.NewFlagSet("tokens", flag.ContinueOnError)
	f.SetOutput(stderr)
	assay := f.String("assay", "bin/assay", "our program")
	peer := f.String("peer", "bench/node_modules/@playwright/mcp/cli.js", "their program")
	modules := f.String("templates", "e2e/node_modules", "folder with the npm packages of the templates")
	if err := f.Parse(args); err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "assay-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	pages, closing, err := serve(ctx, *modules)
	defer closing()
	if err != nil {
		return err
	}
	ours, theirs, err := programs(ctx, *assay, *peer, temp)
	if err != nil {
		return err
	}
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return err
	}
	t := table{out: stdout, codec: codec}
	return t.fill(ctx, pages, ours, theirs)
}

// serve serves the templates that are installed, and the sample dashboard.
func serve(ctx context.Context, modules string) (pages []page, closing func(), err error) {
	var servers []func()
	closing = func() {
		for _, end := range servers {
			end()
		}
	}
	site, err := demo.Start(ctx, demo.Options{})
	if err != nil {
		return nil, closing, err
	}
	servers = append(servers, func() { _ = site.Close() })
	pages = append(pages, page{"the demo's sign-in page", site.URL() + "/login"})
	for _, t := range templates() {
		root := filepath.Join(modules, t[0], t[1])
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(t[2]))); err != nil {
			return nil, closing, fmt.Errorf("%w; run: npm ci --prefix e2e", err)
		}
		s := httptest.NewServer(http.FileServer(http.Dir(root)))
		servers = append(servers, s.Close)
		pages = append(pages, page{t[0] + " " + t[2], s.URL + "/" + t[2]})
	}
	return pages, closing, nil
}

// programs returns the two servers, on the browser and the Node that assay would
// take.
func programs(ctx context.Context, assay, peer, temp string) (ours, theirs wire.Program, err error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return ours, theirs, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return ours, theirs, err
	}
	found, err := driver.Locate(ctx, driver.Options{CacheDir: filepath.Join(cache, "assay"), HomeDir: home, Getenv: os.Getenv})
	if err != nil {
		return ours, theirs, fmt.Errorf("find driver and browser: %w; run: make install", err)
	}
	if assay, err = filepath.Abs(assay); err != nil {
		return ours, theirs, err
	}
	if peer, err = filepath.Abs(peer); err != nil {
		return ours, theirs, err
	}
	if _, err := exec.LookPath(assay); err != nil {
		return ours, theirs, fmt.Errorf("%w; run: make build", err)
	}
	ours = wire.Program{Name: "ours", Dir: filepath.Join(temp, "ours"), Argv: []string{assay, "serve", "--data-dir", filepath.Join(temp, "ours", "data")}}
	theirs = wire.Program{Name: "theirs", Dir: filepath.Join(temp, "theirs"), Argv: []string{found.Driver.Node, peer, "--headless", "--isolated",
		"--executable-path", found.Browser.Path, "--output-dir", filepath.Join(temp, "theirs", "output")}}
	if os.Geteuid() == 0 {
		theirs.Argv = append(theirs.Argv, "--no-sandbox")
	}
	return ours, theirs, errors.Join(os.Mkdir(ours.Dir, 0o700), os.Mkdir(theirs.Dir, 0o700))
}

// table holds what is measured.
type table struct {
	out   io.Writer
	codec tokenizer.Codec
}

func (t table) tokens(text string) (int, error) { return t.codec.Count(text) }

func (t table) fill(ctx context.Context, pages []page, ours, theirs wire.Program) error {
	var ratios []float64
	fmt.Fprintf(t.out, "| page | observations | ours, tokens each | theirs, tokens each | ratio |\n|---|--:|--:|--:|--:|\n")
	for _, p := range pages {
		a, names, err := t.read(ctx, ours, func(s *wire.Process) ([]string, []element, error) { return workOurs(s, p.url) })
		if err != nil {
			return fmt.Errorf("%s, ours: %w", p.name, err)
		}
		b, _, err := t.read(ctx, theirs, func(s *wire.Process) ([]string, []element, error) { return workTheirs(s, p.url, names) })
		if err != nil {
			return fmt.Errorf("%s, theirs: %w", p.name, err)
		}
		n := float64(1 + len(names))
		ratios = append(ratios, float64(a)/float64(b))
		fmt.Fprintf(t.out, "| %s | %.0f | %.0f | %.0f | %.2f |\n", p.name, n, float64(a)/n, float64(b)/n, float64(a)/float64(b))
	}
	fmt.Fprintf(t.out, "\nmedian ratio: %.2f (bar 0.3)\n", measure.Median(ratios))
	for _, program := range []wire.Program{ours, theirs} {
		n, _, err := t.read(ctx, program, func(s *wire.Process) ([]string, []element, error) {
			a, err := s.Client.Request("tools/list", map[string]any{})
			return []string{string(a.Result)}, nil, err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(t.out, "definitions of the tools, %s: %d tokens\n", program.Name, n)
	}
	return nil
}

// read works a page in a fresh server and counts what a model reads.
func (t table) read(ctx context.Context, program wire.Program, work func(*wire.Process) ([]string, []element, error)) (sum int, elements []element, err error) {
	s, err := program.Start(ctx)
	if err != nil {
		return 0, nil, err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	if _, err := s.Client.Initialize(); err != nil {
		return 0, nil, err
	}
	texts, elements, err := work(s)
	if err != nil {
		return 0, nil, err
	}
	for _, text := range texts {
		n, err := t.tokens(text)
		if err != nil {
			return 0, nil, err
		}
		sum += n
	}
	return sum, elements, nil
}

// element names something on the page that both sides can name.
type element struct{ role, name string }

func (e element) String() string { return fmt.Sprintf("%s %q", e.role, e.name) }

// interactive finds the elements of a snapshot that people act on, each name once.
var interactive = regexp.MustCompile(`(?m)^\s*-? ?(button|link|textbox|combobox|checkbox|tab) "([^"\\…]+)"`)

func elementsOf(snapshot string) (out []element) {
	seen := map[element]int{}
	for _, m := range interactive.FindAllStringSubmatch(snapshot, -1) {
		seen[element{m[1], m[2]}]++
	}
	for e, n := range seen {
		if n == 1 {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b element) int {
		return cmp.Compare(strings.Index(snapshot, a.String()), strings.Index(snapshot, b.String()))
	})
	return out
}

// call makes a call; an action on an element that can't be had is an observation
// like any other.
func call(s *wire.Process, name string, arguments map[string]any) (string, error) {
	a, err := s.Within(func() (wire.Answer, error) { return s.Client.Tool(wire.Call{Name: name, Arguments: arguments}) })
	return a.Text, err
}

// workOurs works a page with our tools, and says which elements it took.
func workOurs(s *wire.Process, url string) (texts []string, elements []element, err error) {
	add := func(name string, arguments map[string]any) string {
		if err != nil {
			return ""
		}
		var text string
		text, err = call(s, name, arguments)
		texts = append(texts, text)
		return text
	}
	add("page_navigate", map[string]any{"url": url})
	elements = elementsOf(add("page_snapshot", map[string]any{}))
	elements = elements[:min(acted, len(elements))]
	for _, e := range elements {
		if e.role == "textbox" {
			add("page_fill", map[string]any{"selector": e.String(), "value": "assay"})
		} else {
			add("page_hover", map[string]any{"selector": e.String()})
		}
	}
	return texts, elements, err
}

// workTheirs works the same elements with their tools.
func workTheirs(s *wire.Process, url string, elements []element) (texts []string, _ []element, err error) {
	snapshot := ""
	add := func(name string, arguments map[string]any) {
		if err != nil {
			return
		}
		var text string
		text, err = call(s, name, arguments)
		texts = append(texts, text)
		if err == nil && !strings.Contains(text, "[ref=") {
			text, err = call(s, "browser_snapshot", map[string]any{})
			texts = append(texts, text)
		}
		if strings.Contains(text, "[ref=") {
			snapshot = text
		}
	}
	add("browser_navigate", map[string]any{"url": url})
	for _, e := range elements {
		line := regexp.MustCompile(`(?m)^ *- '?` + regexp.QuoteMeta(e.String()) + `.*?\[ref=(\w+)\]`).FindStringSubmatch(snapshot)
		switch {
		case line == nil: // they name it otherwise: another look is what a model would take
			add("browser_snapshot", map[string]any{})
		case e.role == "textbox":
			add("browser_type", map[string]any{"element": e.name, "target": line[1], "text": "assay"})
		default:
			add("browser_hover", map[string]any{"element": e.name, "target": line[1]})
		}
	}
	return texts, nil, err
}
