package prove

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/suite/load"
)

// IsFlow reports whether a path is that of a flow or a recording.
func IsFlow(path string) bool {
	return strings.HasSuffix(path, ".flow.toml") || strings.HasSuffix(path, ".flow.json")
}

// Flows holds Playwright tests that were made from flows and recordings.
type Flows struct {
	Sources map[string]string // path of a flow by that of its test
	Left    []Test            // flows that no Playwright test can say, as unproved
}

// WriteFlows writes flows as Playwright tests into a folder. A file that is no flow is
// an error. Base is the address that relative ones belong to.
func WriteFlows(paths []string, base, folder string) (Flows, error) {
	out := Flows{Sources: map[string]string{}}
	for i, path := range paths {
		f, problems, err := load.FlowFile(path, base)
		if err != nil {
			return out, err
		}
		if len(problems) > 0 {
			return out, fmt.Errorf("%s: %w", path, problems)
		}
		name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".toml"), ".json")
		text, err := testfile.Of(f.Flow, testfile.Options{Source: filepath.Base(path)})
		if err != nil {
			out.Left = append(out.Left,
				Test{Title: f.Flow.Name, File: path, Line: 1, Source: path, Verdict: Unproved, Reason: err.Error(), Assertions: []Assertion{}, Mutants: []Tried{}, Classes: map[Class]Count{}})
			continue
		}
		test := filepath.Join(folder, fmt.Sprintf("%02d-%s.spec.ts", i+1, name))
		if err := os.WriteFile(test, []byte(text), 0o600); err != nil {
			return out, err
		}
		out.Sources[test] = path
	}
	return out, nil
}

// name gives the tests that were made from flows their sources, and adds those that
// could not be made.
func (f Flows) name(tests []Test) []Test {
	for i, t := range tests {
		tests[i].Source = f.Sources[t.File]
	}
	return append(tests, f.Left...)
}
