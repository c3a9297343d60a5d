package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/internal/terminal"
)

// environment is what the process was started with.
type environment struct {
	all    []string
	values map[string]string
	fold   func(string) string // of names
}

// takeEnvironment reads the environment, and takes from the process what driver and
// browser don't get: the binding to the driver reads the process's own, and hands it on
// whole. What else starts programs is given all of it.
func takeEnvironment() (environment, error) {
	env := environmentOf(os.Environ(), runtime.GOOS)
	kept, _ := driver.Environment(env.all, runtime.GOOS)
	for _, entry := range env.all {
		name, _, _ := strings.Cut(entry, "=")
		if name == "" || slices.Contains(kept, entry) {
			continue
		}
		if err := os.Unsetenv(name); err != nil {
			return env, fmt.Errorf("keep the variable %s from the browser's driver: %w", name, err)
		}
	}
	return env, nil
}

// environmentOf returns an environment that os.Environ listed on that system.
func environmentOf(entries []string, goos string) environment {
	env := environment{all: entries, values: map[string]string{}, fold: func(name string) string { return name }}
	if goos == "windows" {
		env.fold = strings.ToUpper
	}
	for _, entry := range entries {
		if name, value, _ := strings.Cut(entry, "="); name != "" {
			env.values[env.fold(name)] = value
		}
	}
	return env
}

// get returns the value of a variable, or "", as os.Getenv does.
func (e environment) get(name string) string { return e.values[e.fold(name)] }

// untilEnded returns a context that ends when the process is asked to, and when nobody
// can read its answers any more.
func untilEnded(ctx context.Context, stdout *os.File) (context.Context, context.CancelFunc) {
	ctx, cancel := signal.NotifyContext(ctx, endingSignals(signal.Ignored)...)
	go func() {
		if err := terminal.AwaitUnread(ctx, stdout); err == nil {
			cancel()
		} else if ctx.Err() == nil && !errors.Is(err, context.Canceled) {
			fmt.Fprintf(os.Stderr, "assay: %v: that nobody reads the answers is seen at the next one only\n", err)
		}
	}()
	return ctx, cancel
}

// endingSignals lists the signals that ask the process to end. One that was ignored when
// it started, as nohup does, stays so.
func endingSignals(ignored func(os.Signal) bool) []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}
	return slices.DeleteFunc(all, ignored)
}
