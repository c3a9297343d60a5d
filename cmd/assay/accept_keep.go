package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-qa/assay/disk"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite/spec"
	"github.com/assay-qa/assay/tools"
)

// ask shows the readings, and returns those that the person accepts.
func (s *acceptance) ask(p proposals) (chosen []spec.Reading) {
	reading := func(of sentence, r qa.Proposal) spec.Reading {
		return spec.Reading{Sentence: of.text, Selector: r.Selector, Assertion: r.Assertion, AcceptedBy: s.by, At: s.now().UTC().Format(time.RFC3339), Run: of.run}
	}
	for _, of := range p.open {
		fmt.Fprintf(s.stdout, "%s: %s\n", p.path, shownLine(of.text))
		if s.all {
			last := of.readings[len(of.readings)-1]
			fmt.Fprintf(s.stdout, "  read as: %s (check %s of run %s)\n", shownLine(last.As), last.Check, of.run)
			chosen = append(chosen, reading(of, last))
			continue
		}
		for _, r := range of.readings {
			fmt.Fprintf(s.stdout, "  read as: %s (check %s of run %s)\n", shownLine(r.As), r.Check, of.run)
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

// keepReadings writes the readings file, whole or not at all.
func keepReadings(p proposals, chosen []spec.Reading) (err error) {
	file := spec.ReadingsFile(p.path)
	text := p.readings.With(chosen).Text(p.path)
	if _, problems := spec.LoadReadings(file, text, tools.FlowRules()); len(problems) > 0 {
		return fmt.Errorf("nothing was written: %w", problems)
	}
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file: move it away", file)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	root, err := os.OpenRoot(filepath.Dir(file))
	if err != nil {
		return fmt.Errorf("write the readings: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	return disk.Write(root, filepath.Base(file), text)
}
