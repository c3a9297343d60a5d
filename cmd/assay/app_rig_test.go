package main

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/browsertest"
)

// shared has the driver and the browser of all commands that run in this process. Their
// sessions share nothing but that.
var shared *browser.Pool

// noTrace leaves traces out: only tests about them pay for one.
const noTrace = "ASSAY_BROWSER_TRACE=false"

func TestMain(m *testing.M) {
	testscript.Main(withBrowser{m}, map[string]func(){"assay": main})
}

// withBrowser ends the shared browser when all tests are over.
type withBrowser struct{ *testing.M }

func (m withBrowser) Run() int {
	return browsertest.Main(m.M, browser.Options{}, func(p *browser.Pool) { shared = p })
}

// within N assay ARGS… runs a command within this process, which spares it a browser,
// and wants its exit code to be N. It works in the folder of this package: files are
// named in full, and the data lie in $WORK/.assay unless --config or --data-dir says so.
func within(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 || args[1] != "assay" {
		ts.Fatalf("usage: within N assay args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	line := args[2:]
	if !slices.Contains(line, "--config") && !slices.Contains(line, "--data-dir") {
		line = append(line, "--data-dir", ts.MkAbs(".assay"))
	}
	var stdout, stderr bytes.Buffer
	got := here(strings.NewReader(""), &stdout, &stderr, ts.Getenv).run(context.Background(), line)
	_, _ = ts.Stdout().Write(stdout.Bytes())
	_, _ = ts.Stderr().Write(stderr.Bytes())
	if got != want {
		ts.Fatalf("%v exited with %d, want %d\n%s%s", line, got, want, &stdout, &stderr)
	}
}

// here is the program within this process, with the shared browser and without traces.
func here(stdin io.Reader, stdout, stderr *bytes.Buffer, getenv func(string) string) *app {
	return &app{stdin: stdin, stdout: stdout, stderr: stderr, getenv: getenv, environ: []string{noTrace}, now: time.Now, browsers: shared}
}
