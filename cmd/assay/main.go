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
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/assay-qa/assay/wait"
)

// version holds the version that the linker sets.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	a := &app{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		getenv: os.Getenv, environ: os.Environ(), now: time.Now, waits: wait.Standard(),
		ownDir: os.UserConfigDir,
	}
	code := a.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}
