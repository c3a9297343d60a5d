package main

import (
	"bufio"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/internal/terminal"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite/accept"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/spec"
)

// acceptFlags holds the flags of assay accept.
type acceptFlags struct {
	by      string
	all     bool
	run     string
	baseURL string
	vars    []string
}

func acceptCommand(a *app) *cobra.Command {
	var flags acceptFlags
	c := &cobra.Command{
		Use:   "accept FILE...",
		Short: "Accept readings of a spec's or a task's sentences, or a flow that a program made",
		Long: `Accept readings: the assertions that checks of the newest run made for sentences
of a spec or a task that are not understood. Each is shown, and a person at a
terminal says yes or no. What is accepted is kept in FILE.readings.toml beside
the file, for review with it, and is used as it stands from then on. A sentence
that changes by one character, or another assertion, is to be accepted again.

Accept a flow that a program made as well: a recording (SPEC.md.flow.json), or the
calls of a run (repeat.flow.json). Its steps are shown, and who accepts them is kept
in FILE.accepted.json. From then on they permit what they do, as the steps that a
person wrote (guard.destructive = "as-written"), until the file changes.

No tool and no model can accept, and nothing is accepted where CI is set. The
run is verified first.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error { return acceptReadings(a, cmd, paths, flags) },
	}
	c.Flags().StringVar(&flags.by, "name", "", "printed name of the person who accepts")
	c.Flags().BoolVar(&flags.all, "all", false, "show all of them, and ask once")
	c.Flags().StringVar(&flags.run, "run", "", "`ID` of the run whose readings are meant (default: the newest run of the file)")
	c.Flags().StringVar(&flags.baseURL, "base-url", "", "address that relative ones in the files belong to (default: that of the run)")
	c.Flags().StringArrayVar(&flags.vars, "var", nil, "value of a variable of specs, as `NAME=VALUE`; may be repeated")
	return c
}

// acceptReadings shows the readings of each file and keeps those that a person accepts.
func acceptReadings(a *app, cmd *cobra.Command, paths []string, flags acceptFlags) error {
	name := strings.TrimSpace(flags.by)
	switch {
	case inCI(a):
		return usage("nothing is accepted where CI is set: a person accepts readings at a terminal, and commits the file")
	case name == "":
		return usage(`--name is missing: who accepts signs with a printed name, such as --name "Ada Lovelace"`)
	case strings.ContainsFunc(name, unicode.IsControl):
		return usage("--name holds control characters: give a printed name")
	case !terminal.Is(a.stdin):
		return usage("a person accepts readings: run it at a terminal, with no pipe before it")
	}
	cfg, dir, err := a.dataFolder(cmd)
	if err == nil {
		_, err = a.pinnedKeys(cfg)
	}
	if err != nil {
		return err
	}
	s, err := newAcceptance(a, cfg, dir, flags)
	if err != nil {
		return err
	}
	s.by, s.all = name, flags.all
	accepted := 0
	for _, path := range paths {
		if slices.ContainsFunc(flow.Endings(), func(ending string) bool { return strings.HasSuffix(path, ending) }) {
			kept, err := s.acceptFlow(path)
			if err != nil {
				return err
			}
			if kept {
				accepted++
			}
			continue
		}
		found, err := s.Find(cmd.Context(), path)
		if errors.Is(err, verify.ErrPin) {
			err = pinError(err)
		}
		if err != nil {
			return err
		}
		chosen := s.ask(found)
		if len(chosen) == 0 {
			fmt.Fprintf(a.stdout, "%s: nothing is accepted\n", path)
			continue
		}
		if err := found.Keep(chosen); err != nil {
			return err
		}
		accepted += len(chosen)
		fmt.Fprintf(a.stdout, "accepted: %d in %s; commit it with %s\n", len(chosen), spec.ReadingsFile(path), filepath.Base(path))
	}
	if accepted == 0 {
		return &exitError{code: exitFailed}
	}
	return nil
}

// acceptFlow shows the acts of a flow that a program made, and keeps that the person
// accepts them.
func (s *acceptance) acceptFlow(path string) (kept bool, err error) {
	found, err := accept.FindFlow(path)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(s.stdout, "%s:\n", path)
	if found.Flow.StartURL != "" {
		fmt.Fprintf(s.stdout, "  opens %s\n", text.Line(found.Flow.StartURL))
	}
	for i, step := range found.Flow.Steps {
		said := step.Action
		for _, part := range []string{step.Selector, step.URL, step.Key, step.Option, step.Value} {
			if part != "" {
				said += " " + strconv.Quote(part)
			}
		}
		fmt.Fprintf(s.stdout, "  %d. %s\n", i+1, text.Line(said))
	}
	if !s.yes("accept these steps, so that they permit what they do?") {
		fmt.Fprintf(s.stdout, "%s: nothing is accepted\n", path)
		return false, nil
	}
	if err := found.Keep(s.by, s.now().UTC().Format(time.RFC3339)); err != nil {
		return false, err
	}
	fmt.Fprintf(s.stdout, "accepted: %s; commit it with %s\n", load.AcceptanceFile(path), filepath.Base(path))
	return true, nil
}

// inCI reports whether the program runs in a CI system, without a person at
// the terminal.
func inCI(a *app) bool {
	ci := a.getenv("CI")
	return ci != "" && ci != "0" && ci != "false"
}

// newAcceptance asks a person which of the proposed readings are accepted.
type acceptance struct {
	*app
	accept.Finder
	in  *bufio.Reader
	by  string
	all bool
}

func newAcceptance(a *app, cfg config.Config, dir string, flags acceptFlags) (*acceptance, error) {
	d, err := a.desk(cfg)
	if err != nil {
		return nil, err
	}
	f := a.program().Readings(cfg, d, dir)
	if f.Reader.Vars, err = load.Vars(flags.vars); err != nil {
		return nil, err
	}
	f.Run, f.BaseURL = flags.run, flags.baseURL
	return &acceptance{app: a, in: bufio.NewReader(a.stdin), Finder: f}, nil
}

// ask shows the readings, and returns those that the person accepts.
func (s *acceptance) ask(p accept.Proposals) (chosen []spec.Reading) {
	reading := func(of accept.Sentence, r qa.Proposal) spec.Reading {
		return spec.Reading{Sentence: of.Text, Selector: r.Selector, Assertion: r.Assertion, AcceptedBy: s.by, At: s.now().UTC().Format(time.RFC3339), Run: of.Run}
	}
	for _, of := range p.Open {
		fmt.Fprintf(s.stdout, "%s: %s\n", p.Path, text.Line(of.Text))
		if s.all {
			last := of.Readings[len(of.Readings)-1]
			fmt.Fprintf(s.stdout, "  read as: %s (check %s of run %s)\n", text.Line(last.As), last.Check, of.Run)
			chosen = append(chosen, reading(of, last))
			continue
		}
		for _, r := range of.Readings {
			fmt.Fprintf(s.stdout, "  read as: %s (check %s of run %s)\n", text.Line(r.As), r.Check, of.Run)
			if s.yes("  accept it?") {
				chosen = append(chosen, reading(of, r))
				break
			}
		}
	}
	if s.all && !s.yes(fmt.Sprintf("accept all %d?", len(chosen))) {
		return nil
	}
	return chosen
}

// yes asks the person. No answer is no.
func (s *acceptance) yes(question string) bool {
	fmt.Fprintf(s.stdout, "%s [y/N] ", question)
	line, err := s.in.ReadString('\n')
	if err != nil {
		fmt.Fprintln(s.stdout)
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}
