// Command bench measures the product. Each sub-command is a package below, whose
// doc comment says what it measures and how; bench_test.go holds the benchmarks
// that cross rooms in process. It fails because of no figure: a wall time is no
// test.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/assay-qa/assay/bench/agent"
	"github.com/assay-qa/assay/bench/author"
	"github.com/assay-qa/assay/bench/endurance"
	"github.com/assay-qa/assay/bench/evidence"
	"github.com/assay-qa/assay/bench/explore"
	"github.com/assay-qa/assay/bench/growth"
	"github.com/assay-qa/assay/bench/heal"
	"github.com/assay-qa/assay/bench/health"
	"github.com/assay-qa/assay/bench/helpdesk"
	"github.com/assay-qa/assay/bench/install"
	"github.com/assay-qa/assay/bench/look"
	"github.com/assay-qa/assay/bench/measure"
	"github.com/assay-qa/assay/bench/peer"
	"github.com/assay-qa/assay/bench/sanity"
	"github.com/assay-qa/assay/bench/tokens"
	"github.com/assay-qa/assay/bench/truth"
	"github.com/assay-qa/assay/bench/visual"
)

// benchmark describes a sub-command. Its flags are shown by -h.
type benchmark struct {
	name  string
	about string
	run   func(ctx context.Context, args []string, stdout, stderr io.Writer) error
}

func benchmarks() []benchmark {
	return []benchmark{
		{"peer", "against another server and a bare script", peer.Run},
		{"endurance", "over time: memory, calls, crashes", endurance.Run},
		{"sanity", "what making a report costs", sanity.Run},
		{"visual", "against another comparison of pictures", visual.Run},
		{"evidence", "what evidence costs", evidence.Run},
		{"tokens", "what a model has to read", tokens.Run},
		{"agent", "what a model's turns cost", agent.Run},
		{"author", "whether tests that models write end as they should", author.Run},
		{"growth", "how costs grow with elements, calls, flows and runs", growth.Run},
		{"truth", "what a passed expectation is worth", truth.Run},
		{"health", "what is said of fine pages", health.Run},
		{"explore", "how well sites are explored, and what the tests made of them are worth", explore.Run},
		{"heal", "elements that have moved, found again", heal.Run},
		{"helpdesk", "serves the help desk that the others measure on, with a fault or a change", helpdesk.Run},
		{"install", "what each way of installing costs until the first verdict (Debian, root)", install.Run},
		{"look", "how often a verdict on a page is wrong", look.Run},
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		if errors.Is(err, measure.ErrSetUp) {
			os.Exit(2)
		}
		os.Exit(1)
	}
}

// run runs the benchmark that the first argument names.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	for _, b := range benchmarks() {
		if len(args) == 0 || b.name != args[0] {
			continue
		}
		err := b.run(ctx, args[1:], stdout, stderr)
		if err != nil && !errors.Is(err, flag.ErrHelp) { // the help is written
			return fmt.Errorf("%s: %w", b.name, err)
		}
		return nil
	}
	fmt.Fprint(stderr, "usage: go run ./bench BENCHMARK [-h]\n\n")
	for _, b := range benchmarks() {
		fmt.Fprintf(stderr, "  %-10s %s\n", b.name, b.about)
	}
	return errors.New("name a benchmark of the list")
}
