package look

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/assay-qa/assay/bench/measure"
)

// rounds of each check, and of the command.
const (
	checkRounds   = 25
	commandRounds = 7
)

// fast describes a check that holds at once, and what it took by each program.
type fast struct {
	name string
	ask  question
	took [][]float64
}

// measureSpeed measures single checks that hold on a page that stands still,
// and assay check of it. Two programs run in turn, each change of order.
func measureSpeed(ctx context.Context, o options, site string, stdout, progress io.Writer) (err error) {
	programs := []string{o.assay}
	if o.against != "" {
		programs = append(programs, o.against)
	}
	var workers []*worker
	for i, program := range programs {
		w, err := startWorker(ctx, program, site, filepath.Join(o.temporary, fmt.Sprintf("speed-%d", i)))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, w.server.Stop()) }() //nolint:gocritic // two servers, both until the end
		workers = append(workers, w)
	}
	still := "/odd/0" // what is odd there is a sheet of glass
	checks := []*fast{
		{name: "text_contains, page", ask: asserts("text_contains", "", figure)}, {name: "text_contains, element", ask: asserts("text_contains", "#v", figure)},
		{name: "text_equals", ask: asserts("text_equals", "#v", figure)}, {name: "visible", ask: asserts("visible", "#v", "")},
		{name: "count_equals", ask: asserts("count_equals", ".value", "3")}, {name: "verify_element_exists", ask: exists("#v")},
	}
	plain := "/seen/0/shown"
	for _, page := range []string{plain, still} {
		for _, c := range checks {
			c.took = make([][]float64, len(workers))
			for round := range checkRounds + 1 {
				for k := range workers {
					i := (k + round) % len(workers)
					start := time.Now()
					came, said, err := c.ask(workers[i], page)
					if err != nil {
						return err
					}
					if came != passed {
						return fmt.Errorf("%s on %s: %s: %s", c.name, page, came, said)
					}
					if round > 0 { // the first opens the page
						c.took[i] = append(c.took[i], measure.MS(time.Since(start)))
					}
				}
			}
		}
		if err := writeSpeed(stdout, map[string]string{plain: "plain page", still: "under a sheet of glass"}[page], checks); err != nil {
			return err
		}
		fmt.Fprintln(progress, "measured", page)
	}
	command := &fast{name: "assay check, a process", took: make([][]float64, len(programs))}
	for round := range commandRounds {
		for k := range programs {
			i := (k + round) % len(programs)
			took, err := timedCheck(ctx, programs[i], site+plain, filepath.Join(o.temporary, fmt.Sprintf("check-%d", i)))
			if err != nil {
				return err
			}
			command.took[i] = append(command.took[i], took)
		}
	}
	return writeSpeed(stdout, "plain page", []*fast{command})
}

func timedCheck(ctx context.Context, program, url, dir string) (float64, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return 0, err
	}
	var stdout bytes.Buffer
	c := exec.CommandContext(ctx, program, "check", "--data-dir", dir, url)
	c.Dir, c.Stdout, c.Stderr = dir, &stdout, &stdout
	start := time.Now()
	if err := c.Run(); err != nil {
		return 0, fmt.Errorf("assay check %s: %w: %s", url, err, stdout.String())
	}
	return measure.MS(time.Since(start)), nil
}

// writeSpeed writes the medians; with two programs also the median of the ratios.
func writeSpeed(out io.Writer, where string, checks []*fast) error {
	var b bytes.Buffer
	for _, c := range checks {
		fmt.Fprintf(&b, "| %s, %s | %.0f ms |", c.name, where, measure.Median(c.took[0]))
		if len(c.took) > 1 {
			var ratios []float64
			for i := range c.took[0] {
				ratios = append(ratios, c.took[0][i]/c.took[1][i])
			}
			fmt.Fprintf(&b, " %.0f ms | %.2f× |", measure.Median(c.took[1]), measure.Median(ratios))
		}
		b.WriteString("\n")
	}
	_, err := b.WriteTo(out)
	return err
}
