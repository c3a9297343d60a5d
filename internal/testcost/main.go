// Command testcost runs the tests of packages and tells what they cost: CPU seconds,
// and the processes, browsers and pages that each package started. It fails where a test
// does, and where a package starts more than its budget allows.
//
//	testcost -budgets FILE [-p N] [-parallel N] [-timeout D] PACKAGE...
//
// The packages named are those whose tests start browsers or the built binary: they are
// run anew and measured, the dearest first. All others of the module are run beside them
// by a go test of their own, which keeps results until something changes.
//
// What starts processes is counted on Linux as root, by the kernel's own events. Where it
// can't be counted the table says so, and budgets hold nothing.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"time"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "measure" {
		os.Exit(measure(os.Args[2:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:])
	if err != nil && !errors.Is(err, errFailed) {
		fmt.Fprintln(os.Stderr, "testcost:", err)
	}
	if err != nil {
		stop()
		os.Exit(1) //nolint:gocritic // nothing else is deferred
	}
}

// errFailed says that the output has told already why the run failed.
var errFailed = errors.New("tests failed")

// options are the flags of a run.
type options struct {
	budgets  string
	packages int // tested side by side
	parallel int // tests of one package side by side
	timeout  time.Duration
}

func run(ctx context.Context, args []string) error {
	var o options
	flags := flag.NewFlagSet("testcost", flag.ContinueOnError)
	flags.StringVar(&o.budgets, "budgets", "", "file with what each package may start")
	flags.IntVar(&o.packages, "p", runtime.NumCPU(), "dear packages tested side by side; the others follow those without a browser")
	flags.IntVar(&o.parallel, "parallel", 2, "tests of a package side by side")
	flags.DurationVar(&o.timeout, "timeout", 40*time.Minute, "bound on the tests of one package")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("name the packages whose tests start browsers")
	}
	budgets, err := readBudgets(o.budgets)
	if err != nil {
		return err
	}
	named, others, err := splitPackages(ctx, flags.Args())
	if err != nil {
		return err
	}
	budgets.dearestFirst(named)
	began := time.Now()
	costs, results, err := runTests(ctx, o, budgets, named, others)
	if err != nil {
		return err
	}
	over := budgets.exceeded(costs)
	printTable(os.Stdout, costs, results)
	printBusy(os.Stdout, costs, results.cpu, time.Since(began), runtime.NumCPU())
	for _, line := range over {
		fmt.Println(line)
	}
	fmt.Printf("\n%d passed, %d failed, %d skipped\n", results.passed, results.failed, results.skipped)
	if results.failed > 0 || results.broken || len(over) > 0 {
		return errFailed
	}
	return nil
}
