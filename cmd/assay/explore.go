package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/author/explore"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/tools/author"
	"github.com/assay-qa/assay/tools/workspace"
)

// exploreFlags are the flags of assay explore.
type exploreFlags struct {
	out, role                                     string
	stayOnPath, allowWrites, asJSON, resume       bool
	navigations, loops, actions, states, parallel int
	limit                                         time.Duration
	seed                                          int64
}

func exploreCommand(a *app) *cobra.Command {
	f := exploreFlags{}
	c := &cobra.Command{
		Use:   "explore [URL...]",
		Short: "Explore sites: which states they have, and what leads from one to another",
		Long: `Explore sites from their start addresses, without a model: what can be worked is
tried, what looks alike once, and what is found is kept in DIR/site.json with a
picture of each state. What needs an address of the configuration's environment
may begin with a slash.

Nothing is written to the site unless --allow-writes is given: forms are filled
and not sent, and the answer lists what stayed untried. Destructive controls,
means of payment and other hosts are never touched.

Where explore.reset or explore.reset_command says how, each site is set back to
its seed data before, but not with --resume; generate, prove and heal do it, too.

Exit codes: 0 explored; 1 the start address can't be opened, the site was not set
back, the sign-in of the role ended and could not be renewed, or states were
lost; 2 a flag or a setting is wrong; 130 interrupted (what was found by then is
kept).`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, urls []string) error { return exploreSites(a, cmd, urls, f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.out, "out", "exploration", "folder of site.json, the pictures and the test plan; several sites have one each below it")
	flags.BoolVar(&f.stayOnPath, "stay-on-path", false, "stay below the path of the start address")
	flags.IntVar(&f.navigations, "max-navigations", 0, "stop after so many changes of the address (0: no limit; default: explore.navigation.max_navigations)")
	flags.IntVar(&f.loops, "max-loops", 0, "stop after so many rounds of looking and acting (0: no limit; default: explore.navigation.max_loops)")
	flags.IntVar(&f.actions, "max-actions", 0, "stop after so many actions (0: no limit; default: explore.limits.max_actions)")
	flags.IntVar(&f.states, "max-states", 0, "stop at so many states (0: no limit; default: explore.limits.max_states)")
	flags.DurationVar(&f.limit, "max-time", 0, "stop after this time (0: no limit; default: explore.limits.max_time_ms)")
	flags.StringVar(&f.role, "role", "", "explore as this role of the environment")
	flags.IntVar(&f.parallel, "parallel", 0, "how many sites are explored at a time (default: explore.limits.parallel)")
	flags.Int64Var(&f.seed, "seed", 0, "order what is alike, and fill forms, by this number")
	flags.BoolVar(&f.allowWrites, "allow-writes", false, "send forms and do what may change data; nothing destructive all the same")
	flags.BoolVar(&f.resume, "resume", false, "go on with the exploration in --out, which was interrupted or has spent a budget")
	flags.BoolVar(&f.asJSON, "json", false, "print what was found as JSON, a site a line")
	sameEverywhere(c)
	return c
}

// options returns what is explored, by the settings and by the flags that were given.
func (f exploreFlags) options(p wiring.Program, cmd *cobra.Command, cfg config.Config) (author.Options, error) {
	o, err := wiring.Exploration(p, cfg, f.allowWrites)
	if err != nil {
		return o, err
	}
	l := &o.Explore.Limits
	for name, to := range map[string]struct {
		into *int
		from int
	}{"max-navigations": {&l.Navigations, f.navigations}, "max-loops": {&l.Loops, f.loops},
		"max-actions": {&l.Actions, f.actions}, "max-states": {&l.States, f.states}, "parallel": {&o.Parallel, f.parallel}} {
		if !cmd.Flags().Changed(name) {
			continue
		}
		if to.from < 0 || name == "parallel" && (to.from < 1 || to.from > 10) {
			return o, usage("--%s %d: use a number from %s", name, to.from, map[bool]string{true: "1 to 10", false: "0 on"}[name == "parallel"])
		}
		*to.into = to.from
	}
	if cmd.Flags().Changed("max-time") {
		l.Time = f.limit
	}
	o.Out, o.StayOnStart, o.Resume = f.out, f.stayOnPath, f.resume
	o.Explore.Role, o.Explore.Seed = f.role, f.seed
	if !f.resume {
		o.Reset, err = wiring.Reset(p, cfg)
	}
	return o, err
}

func exploreSites(a *app, cmd *cobra.Command, urls []string, f exploreFlags) error {
	cfg, err := a.settings(cmd)
	if err != nil {
		return err
	}
	if len(urls) == 0 && cfg.Explore.StartURL != "" {
		urls = []string{cfg.Explore.StartURL}
	}
	if len(urls) == 0 {
		return usage("nothing to explore: give an address, or set explore.start_url in mcp.toml")
	}
	cfg.Browser.Headless = cfg.Browser.Headless && cfg.Explore.Browser.Headless
	d, err := a.desk(cfg) // before the provider, whose key the vault hides
	if err != nil {
		return err
	}
	o, err := f.options(a.program(), cmd, cfg)
	if err != nil {
		return err
	}
	for i, raw := range urls {
		if urls[i], err = d.Address(raw); err != nil {
			return usage("%w", withHint(err))
		}
		if err := browser.CheckURL(urls[i]); err != nil {
			return usage("%w", withHint(err))
		}
		if err := o.Reset.Check(urls[i]); err != nil {
			return usage("%w", err)
		}
	}
	if f.role != "" {
		if err := d.KnowsRole(f.role); err != nil {
			return usage("%w", withHint(err))
		}
	}
	live := a.goLive()
	defer live.Close()
	defer d.Pool.Close(wiring.CloseLimit)
	o.URLs = urls
	o.Progress = func(url string, p explore.Progress) {
		live.Set(url, pagetext.Sprintf("%s: %d states, %d actions: %s", browser.ShownURL(url), p.States, p.Edges, p.Loop.Action))
	}
	o.SetBack = tellReset(a, len(urls) > 1 && o.Reset.Address != "")
	results := author.Explore(cmd.Context(), d, o)
	for _, url := range urls {
		live.Done(url, "")
	}
	return printExplored(a, d.Target, results, f.asJSON, cmd.Context().Err())
}

// printExplored prints what was found, and returns the error of what failed.
func printExplored(a *app, target workspace.Target, results []author.Result, asJSON bool, interrupted error) error {
	var failed error
	for _, r := range results {
		switch {
		case r.Err != nil:
			failed = errors.Join(failed, fmt.Errorf("%s: %w", browser.ShownURL(r.URL), withHint(r.Err)))
		case asJSON:
			if err := json.NewEncoder(a.stdout).Encode(r.Site); err != nil {
				return err
			}
		default:
			printSite(a.stdout, r, a.verbose)
		}
		if r.Err == nil && r.Site.Stop.Broken() {
			failed = errors.Join(failed, errors.New(pagetext.Sentencef("%s: %s", browser.ShownURL(r.URL), r.Site.Stop.Detail).Line()))
		}
		if hint := author.SignInHint(r.Site, target); hint != "" {
			fmt.Fprintln(a.stderr, "assay:", hint)
		}
	}
	if interrupted != nil {
		return interrupted
	}
	return failed
}

// printSite prints one site for a person.
func printSite(out io.Writer, r author.Result, verbose bool) {
	s := r.Site
	printLoops(out, s.Loops, verbose)
	c := s.Coverage
	fmt.Fprintf(out, "%s: %s in %s, %s, %s\n", browser.ShownURL(r.URL), text.Count(len(s.States), "state"),
		text.Count(c.Places.Covered, "place"), text.Count(len(s.Edges), "edge"), text.Count(len(s.Findings), "finding"))
	for _, f := range s.Findings[:min(len(s.Findings), 10)] {
		fmt.Fprintf(out, "  %s: %s (%s)\n", f.Kind, f.Message, f.URL.Map(browser.ShownURL))
	}
	if more := len(s.Findings) - 10; more > 0 {
		fmt.Fprintf(out, "  … %d more in %s\n", more, site.FileName)
	}
	fmt.Fprintf(out, "covered: %d of %d kinds of actions, %d of %d constraints of forms, %d of %d blocks of the site's scripts\n",
		c.ActionClasses.Covered, c.ActionClasses.Known, c.FormConstraints.Covered, c.FormConstraints.Known, c.ScriptBlocks.Covered, c.ScriptBlocks.Known)
	reasons := author.Reasons(s)
	for _, r := range reasons[:min(len(reasons), 8)] {
		fmt.Fprintf(out, "untried: %d, %s\n", r.Count, r.Reason)
	}
	fmt.Fprintf(out, "stopped: %s", strings.ReplaceAll(s.Stop.Reason, "_", " "))
	if s.Stop.Detail != "" {
		fmt.Fprintf(out, " (%s)", s.Stop.Detail)
	}
	fmt.Fprintf(out, "\nsee %s, %s and %s\n", filepath.Join(r.Dir, explore.SitemapFile), filepath.Join(r.Dir, site.FileName), filepath.Join(r.Dir, author.PlanName))
	if r.Status != "" {
		fmt.Fprintf(out, "run: %s, %s: %s\n", s.RunID, r.Status, r.Report)
	}
	if len(s.Edges) > 0 {
		fmt.Fprintf(out, "next: assay generate %s --check%s\n", filepath.Join(r.Dir, site.FileName), roleFlag(s.Role))
	}
}

// shownLoops bounds the rounds that are printed where no flag asks for all.
const shownLoops = 15

// printLoops prints the rounds of an exploration as a table, with their times (C3).
func printLoops(out io.Writer, loops []site.Loop, all bool) {
	if len(loops) == 0 {
		return
	}
	shown := loops
	if !all {
		shown = loops[:min(len(loops), shownLoops)]
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "loop\tstate\taction\tresult\tscan ms\tact ms\ttotal ms")
	for _, l := range shown {
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%d\t%d\t%d\n", l.Number, l.State, l.Action.Shorten(60), l.Result.Shorten(40), l.ScanMS, l.ActMS, l.TotalMS)
	}
	var scan, act, total int64
	for _, l := range loops {
		scan, act, total = scan+l.ScanMS, act+l.ActMS, total+l.TotalMS
	}
	what := "all"
	if more := len(loops) - len(shown); more > 0 {
		what = fmt.Sprintf("all, %d more: --verbose, or %s", more, author.PlanName)
	}
	fmt.Fprintf(table, "\t\t%s\t\t%d\t%d\t%d\n", what, scan, act, total)
	_ = table.Flush() // a stdout that has gone shows at the next line
}

// roleFlag returns the flag that has a command work as a role; empty: as nobody.
func roleFlag(role string) string {
	if role == "" {
		return ""
	}
	return " --role " + role
}
