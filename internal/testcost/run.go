package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// results are the outcomes of all tests of a run.
type results struct {
	passed, failed, skipped int
	broken                  bool // a package that could not be tested, or failed without a test that did
	tests                   []timed
	cpu                     time.Duration // of all that was run, compilers and linkers among it
}

// timed is a test that no other contains, and how long it took.
type timed struct {
	Package, Test string
	Elapsed       time.Duration
}

// runTests runs the named packages, measured, and all others behind them. One of the named
// ones comes first and tells how fast the machine is: on a slow one the tests of a package
// run one after the other.
func runTests(ctx context.Context, o options, all budgets, named, others []string) (costs []cost, found results, err error) {
	r, err := newTestRun(o)
	if err != nil {
		return nil, results{}, err
	}
	defer func() { err = errors.Join(err, r.remove()) }()
	tested, failed := make(chan struct{}), error(nil)
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(tested)
		failed = r.unmeasured(ctx, others)
	})
	one, rest := all.probe(named)
	probed := r.measured(ctx, r.parallel, one)
	costs, err = readCosts(r.file)
	if err == nil && probed == nil {
		if all.slow(costs) {
			fmt.Println("testcost: the machine is slow today: the tests of a package with a browser run one after the other")
			r.parallel = 1
		}
		err = r.dearFirst(ctx, rest, tested)
	}
	wg.Wait()
	if err := errors.Join(err, probed, failed); err != nil {
		return nil, results{}, err
	}
	costs, err = readCosts(r.file)
	return costs, r.results, err
}

// testRun is a run of all tests.
type testRun struct {
	options
	*listener
	self string   // this program, which measures packages
	temp string   // for temporary files of measured tests; "": the system's folder
	dir  string   // of the file
	file string   // for the costs
	args []string // of go
}

func newTestRun(o options) (*testRun, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "testcost-")
	if err != nil {
		return nil, err
	}
	temp, err := temporary()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &testRun{options: o, listener: &listener{out: os.Stdout, output: map[string][]string{}}, self: self, temp: temp, dir: dir, file: filepath.Join(dir, "costs"),
		args: []string{"test", "-json", "-vet=off", "-timeout", o.timeout.String()}}, nil // make lint vets
}

// remove removes the folders of the run.
func (r *testRun) remove() error {
	err := os.RemoveAll(r.dir)
	if r.temp != "" {
		err = errors.Join(err, os.RemoveAll(r.temp))
	}
	return err
}

// measured runs packages one after the other, with so many tests side by side.
func (r *testRun) measured(ctx context.Context, tests int, packages []string) error {
	if len(packages) == 0 {
		return nil
	}
	args := slices.Concat(r.args, []string{"-count=1", "-p", "1", "-parallel", strconv.Itoa(tests)})
	if runtime.GOOS == "linux" {
		args = append(args, "-exec", r.self+" measure "+r.file)
	}
	return r.listen(ctx, exec.CommandContext(ctx, "go", append(args, packages...)...), r.temp) //nolint:gosec // of flags and packages
}

// unmeasured runs packages without a browser. In a folder of this run alone no result of an
// earlier one would count.
func (r *testRun) unmeasured(ctx context.Context, packages []string) error {
	if len(packages) == 0 {
		return nil
	}
	return r.listen(ctx, behind(ctx, slices.Concat(r.args, []string{"-p", "1"}, packages)), "")
}

// dearFirst runs packages, which come in the order of their costs. The dear ones take all
// cores; the one that follows the first of them to end has one test more side by side, as
// nobody follows it. The cheap ones wait until the packages without a browser are tested,
// since more than that at once makes pages late.
func (r *testRun) dearFirst(ctx context.Context, packages []string, tested <-chan struct{}) error {
	dear := min(len(packages), r.packages)
	last := min(len(packages), dear+1)
	free := make(chan struct{}, dear) // one for each of the first that has ended
	failures := make([]error, dear+2)
	var wg sync.WaitGroup
	after := func(event <-chan struct{}, tests int, packages []string, failure *error) {
		wg.Go(func() {
			select {
			case <-event:
			case <-ctx.Done():
			}
			*failure = r.measured(ctx, tests, packages)
		})
	}
	for i, pkg := range packages[:dear] {
		wg.Go(func() {
			defer func() { free <- struct{}{} }()
			failures[i] = r.measured(ctx, r.parallel, []string{pkg})
		})
	}
	if dear > 0 {
		after(free, r.parallel+1, packages[dear:last], &failures[dear])
	}
	after(tested, r.parallel, packages[last:], &failures[dear+1])
	wg.Wait()
	return errors.Join(failures...)
}

// behind returns a go command that takes what time of the processors others leave: pages are
// late where compilers run beside their browser.
func behind(ctx context.Context, args []string) *exec.Cmd {
	if _, err := exec.LookPath("nice"); err != nil {
		return exec.CommandContext(ctx, "go", args...)
	}
	return exec.CommandContext(ctx, "nice", slices.Concat([]string{"-n", "10", "go"}, args)...) //nolint:gosec // of flags and packages
}

// event is a line of go test -json; see go doc test2json.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64 // seconds
	FailedBuild                               string
}

// listener hears the events of several go tests and prints what a reader needs.
type listener struct {
	out io.Writer

	mu      sync.Mutex
	output  map[string][]string // of packages and tests that have not ended, by package and test
	results results
}

// listen runs a go command and hears its events. Temporary files of the tests are in
// temp; "" is the system's folder. Tests that fail are no error.
func (l *listener) listen(ctx context.Context, cmd *exec.Cmd, temp string) error {
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	cmd.Stderr = os.Stderr
	if temp != "" { // what go builds stays on the disk
		cmd.Env = append(os.Environ(), "TMPDIR="+temp, "GOTMPDIR="+cmp.Or(os.Getenv("GOTMPDIR"), os.TempDir()))
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			l.hear(line)
		}
		if err != nil {
			break
		}
	}
	err = cmd.Wait()
	l.note(func() { l.results.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime() })
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		l.note(func() { l.results.broken = true })
		return nil
	}
	return err
}

func (l *listener) note(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
}

// hear takes one line. What is no event is printed as it stands.
func (l *listener) hear(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var e event
	if err := json.Unmarshal(line, &e); err != nil {
		fmt.Fprintf(l.out, "%s", line)
		return
	}
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output":
		l.output[key] = append(l.output[key], e.Output)
	case "build-output":
		fmt.Fprint(l.out, e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			l.endPackage(e)
		} else {
			l.endTest(e, key)
		}
	}
}

func (l *listener) endTest(e event, key string) {
	switch e.Action {
	case "pass":
		l.results.passed++
	case "skip":
		l.results.skipped++
	case "fail":
		l.results.failed++
		fmt.Fprint(l.out, strings.Join(l.output[key], ""))
	}
	if !strings.Contains(e.Test, "/") {
		l.results.tests = append(l.results.tests, timed{short(e.Package), e.Test, time.Duration(e.Elapsed * float64(time.Second))})
	}
	delete(l.output, key)
}

// endPackage prints go test's closing line of a package, and all else that it printed
// where it failed: a panic, a time-out, what TestMain found.
func (l *listener) endPackage(e event) {
	for key, output := range l.output {
		if pkg, _, _ := strings.Cut(key, " "); pkg != e.Package {
			continue
		}
		for _, line := range output {
			if e.Action == "fail" || isClosingLine(line) {
				fmt.Fprint(l.out, line)
			}
		}
		delete(l.output, key)
	}
}

// isClosingLine reports whether a line of output is the one with which go test ends a
// package that has tests.
func isClosingLine(line string) bool {
	return strings.HasPrefix(line, "ok  \t")
}
