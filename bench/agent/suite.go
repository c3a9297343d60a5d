package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/bench/measure"
	"github.com/assay-qa/assay/internal/wiretest"
)

// sideBySide runs the specs five at a time and one after the other, in turn.
func (b bench) sideBySide(ctx context.Context, rounds int, stdout io.Writer) error {
	var many, single, busy, idle []float64
	for i := range rounds {
		fmt.Fprintf(b.stderr, "specs: round %d of %d\n", i+1, rounds)
		for _, m := range []struct {
			parallel   int
			took, busy *[]float64
		}{{atATime, &many, &busy}, {1, &single, &idle}} {
			took, share, err := b.specs(ctx, m.parallel)
			if err != nil {
				return err
			}
			*m.took, *m.busy = append(*m.took, took.Seconds()), append(*m.busy, 100*share)
		}
	}
	at, one := measure.Median(many), measure.Median(single)
	fmt.Fprintf(stdout, "| %d specs, %d at a time on %d cores: how busy the cores were | %.0f %% (one after the other %.0f %%) | not idle |\n",
		specCount, atATime, runtime.NumCPU(), measure.Median(busy), measure.Median(idle))
	fmt.Fprintf(stdout, "| the same against one after the other | %.2f× (%.1f against %.1f s) | |\n", at/one, at, one)
	return nil
}

// specs runs all specs once, and returns which share of the cores' time was busy
// meanwhile, whoever kept them so.
func (b bench) specs(ctx context.Context, parallel int) (took time.Duration, busy float64, err error) {
	p, err := b.provide(wiretest.Chat, procedure(b.site))
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, p.end()) }()
	before, err := processors()
	if err != nil {
		return 0, 0, err
	}
	took, result, err := b.suite(ctx, p, specs, "--replay", "off", "--parallel", strconv.Itoa(parallel))
	if err != nil {
		return 0, 0, err
	}
	if len(result.TestCases) != specCount {
		return 0, 0, fmt.Errorf("%d specs were run, want %d", len(result.TestCases), specCount)
	}
	after, err := processors()
	if err != nil {
		return 0, 0, err
	}
	return took, 1 - float64(after.idle-before.idle)/float64(after.all-before.all), nil
}

// ticks counts the time of all cores together.
type ticks struct{ idle, all int64 }

// processors reads /proc/stat, whose first line is: cpu user nice system idle
// iowait irq softirq steal, and then guests, which are in user already. Who
// waits for the disk is idle; what the host stole counts for no process here.
func processors() (t ticks, err error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return t, fmt.Errorf("the cores' time is read from /proc, which only Linux has: %w", err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	fields := strings.Fields(line)
	if len(fields) < 8 || fields[0] != "cpu" {
		return t, fmt.Errorf("/proc/stat begins with %q", line)
	}
	for i, field := range fields[1:8] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return t, fmt.Errorf("/proc/stat: %w", err)
		}
		t.all += n
		if i == 3 || i == 4 {
			t.idle += n
		}
	}
	return t, nil
}
