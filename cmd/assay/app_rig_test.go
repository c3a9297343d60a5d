package main

import (
	"bytes"
	"io"
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

// here is the program within this process, with the shared browser and without traces.
func here(stdin io.Reader, stdout, stderr *bytes.Buffer, getenv func(string) string) *app {
	return &app{stdin: stdin, stdout: stdout, stderr: stderr, getenv: getenv, environ: []string{noTrace}, now: time.Now, browsers: shared}
}
