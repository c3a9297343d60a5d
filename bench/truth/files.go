package truth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/assay-qa/assay/qa"
)

// batchSize sets how many task files one command works.
const batchSize = 20

// judgeFiles has "assay run" work a task file for every cell.
func judgeFiles(ctx context.Context, o options, s *site, cells []*cell, m *meter) error {
	n := 0
	for batch := range slices.Chunk(cells, batchSize) {
		n++
		dir := filepath.Join(o.temporary, "files-"+strconv.Itoa(n))
		results, err := runFiles(ctx, o, s, dir, batch)
		if err != nil {
			return err
		}
		for i, c := range batch {
			r, ok := results[caseName(i)]
			if !ok {
				return fmt.Errorf("%s: the suite says nothing of it", c.Name())
			}
			c.Outcome, c.Said = outcomeOf(r)
			m.judged(c)
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return nil
}

func caseName(i int) string { return fmt.Sprintf("cell-%02d", i) }

var caseNamed = regexp.MustCompile(`cell-\d+`)

// runFiles writes a task file for every cell and has them worked by the rules. It
// returns what came of them, by their names.
func runFiles(ctx context.Context, o options, s *site, dir string, batch []*cell) (map[string]qa.TestCase, error) {
	for i, c := range batch {
		if err := writeTask(dir, i, c); err != nil {
			return nil, err
		}
	}
	return suite(ctx, o, s, dir, nil, "--agent-provider", "rules")
}

// writeTask writes the task file of a cell. Its goal distinguishes its conversation from
// those of the others.
func writeTask(dir string, i int, c *cell) error {
	text, err := json.Marshal(map[string]any{"id": caseName(i), "goal": "See whether it is so: " + caseName(i), "route": c.Page, "expectations": []map[string]any{{"text": c.Sentence}}})
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, caseName(i)+".task.json"), text, 0o600))
}

// suite has "assay run" work what is in a folder. It returns what came of the
// cases, by their names.
func suite(ctx context.Context, o options, s *site, dir string, environment []string, flags ...string) (map[string]qa.TestCase, error) {
	arguments := append([]string{"run", dir, "--json", "--base-url", s.url, "--parallel", strconv.Itoa(o.workers), "--data-dir", filepath.Join(dir, ".assay"), "--browser-trace=false"}, flags...)
	command := exec.CommandContext(ctx, o.assay, arguments...)
	var stdout, stderr bytes.Buffer
	command.Dir, command.Stdout, command.Stderr, command.Env = dir, &stdout, &stderr, append(os.Environ(), environment...)
	runErr := command.Run() // fails if a case does
	var result qa.TestResult
	if err := json.Unmarshal(stdout.Bytes(), &result); err != nil {
		return nil, fmt.Errorf("assay run: %w; %w; %s", err, runErr, short(stderr.String()))
	}
	out := map[string]qa.TestCase{}
	for _, c := range result.TestCases {
		out[caseNamed.FindString(string(c.Name))] = c
	}
	return out, nil
}

// outcomeOf reads a case of a suite, which calls inconclusive an error.
func outcomeOf(c qa.TestCase) (outcome, string) {
	said := short(string(c.FailureReason))
	switch c.Status {
	case qa.TestPassed:
		return passed, said
	case qa.TestFailed:
		return failed, said
	default:
		return inconclusive, said
	}
}
