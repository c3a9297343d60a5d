// Command assay is browser QA whose verdicts can be trusted: an MCP server
// over stdio, and the commands around it.
//
// This room holds flags, configuration, logger, signals and exit codes; wiring
// makes the others' values from them. It alone reads the environment and the clock, and it decides
// nothing about a verdict.
//
// What goes where: stdout carries the answer, and for serve the protocol and
// nothing else; stderr carries the log, coloured on a terminal, JSON
// otherwise. Exit codes: 0 all passed; 1 something failed or was inconclusive;
// 2 usage or configuration; 130 interrupted.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/assay-qa/assay/internal/terminal"
	"github.com/assay-qa/assay/internal/wait"
)

func main() { os.Exit(start(os.Args[1:], func(*app) {})) }

// start takes what belongs to the process, before anything else runs: its descriptor for
// answers, and its environment. Then it runs the command line args, on an app that prepare
// has seen.
func start(args []string, prepare func(*app)) int {
	stdout, err := terminal.KeepStdout(os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "assay:", explained(err))
		return exitUsage
	}
	os.Stdout = os.Stderr
	env, err := takeEnvironment()
	if err != nil {
		fmt.Fprintln(os.Stderr, "assay:", err)
		return exitUsage
	}
	ctx, stop := untilEnded(context.Background(), stdout)
	defer stop()
	a := &app{
		stdin: os.Stdin, stdout: stdout, stderr: os.Stderr,
		getenv: env.get, environ: env.all, now: time.Now, waits: wait.Standard(),
		ownDir: os.UserConfigDir,
	}
	prepare(a)
	if _, a.called, err = installed(a); err != nil {
		fmt.Fprintln(os.Stderr, "assay:", err)
		return exitUsage
	}
	return a.run(ctx, args)
}
