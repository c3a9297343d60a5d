// Command growth measures how costs grow: of a click and of a snapshot with the
// elements of a page, beside Playwright's own; of a call with the calls of its run;
// of a flow with the flows of its suite; of a run with the runs of its store.
//
// The pages are made by the program. A click by a snapshot line and Playwright's
// getByRole click press the same buttons of the same page in two browsers of the
// same kind, in alternating order. Like all benchmarks it fails for no figure.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := Run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}
