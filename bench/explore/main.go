// Package explore measures the explorer, and the tests that are made of what it found:
//
//   - crawl: the pages that a plain crawl of the links of dashboard templates finds, and
//     how many of them an exploration comes to; how many states a page has that nobody
//     touched.
//   - todo: which of twelve states, named by hand, an exploration finds of nine TodoMVC
//     apps. npm has no built TodoMVC apps but one of 2016, so these are our own, each in
//     the idioms of its framework, on the framework's build from npm and the styles of
//     todomvc-app-css.
//   - baselines: the same engine with the same budget and other ways to tell states apart
//     (all that is said, compared as a string; the history of acts) and to choose (at
//     random): what of the site's scripts ran, and how many states are told apart. Two
//     explorations with the same seed must give the same graph.
//   - speed: actions a second on a static app.
//   - memory: of the driver's and this process over many states.
//   - tests: generated tests, run again and again: as they are, in other orders, and with
//     each answer delayed.
//   - mutants: what tests notice of faults brought about in the page (assay prove).
//   - helpdesk: tests that are made of an application with a state on its server, run
//     again and again on one server, then with each of its faults and harmless changes.
//
// Explorations run in process with the default settings; tests are generated, run and
// proved by the built binary. Apps are served from the packages that bench/package.json
// and e2e/package.json pin. Every part has a bound on its time, and every choice a fixed
// seed. It never fails because of a figure; docs/benchmarks.md says what is missed.
package explore

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/secrets"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/tools/workspace"
)

// options holds the command line.
type options struct {
	parts, apps     string
	assay           string
	npm, dashboards string
	actions, states int
	most            int
	rounds, mutants int
	limit           time.Duration
	seed            int64
	asJSON, quiet   bool
	serve           bool
	address, keep   string
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("explore", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.parts, "part", "crawl,todo,baselines,speed,memory", "what is measured, parted by commas: "+strings.Join(partNames(), ", "))
	f.StringVar(&o.apps, "apps", "", "only apps whose name has one of these texts, parted by commas")
	f.StringVar(&o.assay, "assay", "bin/assay", "the program, for tests and mutants")
	f.StringVar(&o.npm, "npm", "bench/node_modules", "the folder of the frameworks")
	f.StringVar(&o.dashboards, "dashboards", "e2e/node_modules", "the folder of the dashboard templates")
	f.IntVar(&o.actions, "actions", 0, "actions of an exploration (0: what the part says)")
	f.IntVar(&o.states, "states", 2000, "states of the part memory")
	f.IntVar(&o.rounds, "rounds", 10, "how often tests are run in each way")
	f.IntVar(&o.most, "tests", 4, "tests of an app at most")
	f.IntVar(&o.mutants, "mutants", 0, "faults that a test gets at most (0: what assay prove gives)")
	f.DurationVar(&o.limit, "time", 4*time.Minute, "bound on one exploration")
	f.Int64Var(&o.seed, "seed", 1, "seed of explorations, orders and delays")
	f.BoolVar(&o.asJSON, "json", false, "print JSON instead of Markdown")
	f.BoolVar(&o.quiet, "q", false, "print no progress")
	f.BoolVar(&o.serve, "serve", false, "only serve the apps, to look at them")
	f.StringVar(&o.address, "address", "127.0.0.1:0", "where the apps are served; what -keep keeps belongs to one address")
	f.StringVar(&o.keep, "keep", "", "keep explorations and tests in this folder")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	for _, name := range strings.Split(o.parts, ",") {
		if !slices.Contains(partNames(), name) {
			return o, fmt.Errorf("-part %s: use some of %s", name, strings.Join(partNames(), ", "))
		}
	}
	if o.rounds < 1 || o.states < 1 || o.actions < 0 || o.limit <= 0 {
		return o, errors.New("-rounds, -states and -time must be above 0, -actions not below it")
	}
	return o, nil
}

// bench is one run of the benchmark.
type bench struct {
	options
	program   wiring.Program
	settings  config.Config
	desk      *workspace.Workspace
	site      *site
	temporary string
	progress  io.Writer
}

// part is one measurement.
type part struct {
	name string
	take func(b *bench, ctx context.Context) (table, error)
}

func parts() []part {
	return []part{{"crawl", (*bench).crawls}, {"todo", (*bench).todos}, {"baselines", (*bench).baselines}, {"speed", (*bench).speed}, {"memory", (*bench).memory}, {"tests", (*bench).tests}, {"mutants", (*bench).mutantsOfTests}, {"helpdesk", func(b *bench, ctx context.Context) (table, error) { return measureHelpdesk(ctx, b) }}}
}

func partNames() []string {
	var out []string
	for _, p := range parts() {
		out = append(out, p.name)
	}
	return out
}

// Run parses args, measures and writes tables.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	b := &bench{progress: stderr}
	if b.options, err = parse(args, stderr); err != nil {
		return err
	}
	if b.quiet {
		b.progress = io.Discard
	}
	if b.site, err = startSite(ctx, b.address, b.npm, b.dashboards); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.site.Close()) }()
	if b.serve {
		fmt.Fprintln(stdout, b.site.url, strings.Join(append(dashboards(), frameworks()...), " "))
		<-ctx.Done()
		return nil
	}
	if b.temporary, err = os.MkdirTemp("", "assay-explore-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.temporary)) }()
	if err := b.setUp(); err != nil {
		return err
	}
	defer b.desk.Pool.Close(5 * time.Second)
	var tables []table
	for _, p := range parts() {
		if !slices.Contains(strings.Split(b.parts, ","), p.name) {
			continue
		}
		began := time.Now()
		t, err := p.take(b, ctx)
		t.Part, t.Seconds, t.Load = p.name, int(time.Since(began).Seconds()), load()
		tables = append(tables, t)
		if !b.asJSON {
			t.markdown(stdout) // what was measured stays where something fails later
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	if b.asJSON {
		e := json.NewEncoder(stdout)
		e.SetIndent("", "  ")
		return e.Encode(tables)
	}
	return nil
}

// setUp makes what explorations run with: the default settings, and a browser.
func (b *bench) setUp() error {
	b.settings = config.Default()
	b.settings.DataDir = filepath.Join(b.temporary, "data")
	b.program = wiring.Program{Version: "bench", Getenv: os.Getenv, Now: time.Now, Log: slog.New(slog.DiscardHandler), Vault: secrets.New(nil, os.Getenv)}
	var err error
	b.desk, err = b.program.Desk(b.settings)
	return err
}

// wants reports whether an app is asked for.
func (b *bench) wants(name string) bool {
	return b.apps == "" || slices.ContainsFunc(strings.Split(b.apps, ","), func(part string) bool { return strings.Contains(name, part) })
}

// folder returns a new folder for what is found or made.
func (b *bench) folder(name string) string {
	if b.keep != "" {
		return filepath.Join(b.keep, name)
	}
	return filepath.Join(b.temporary, name)
}
