// Package scripttest gives tests the parser of test files that this machine has
// installed. It is test code.
package scripttest

import (
	"context"
	"os"
	"sync"
	"testing"

	"github.com/assay-qa/assay/author/script"
	"github.com/assay-qa/assay/browser/browsertest"
	"github.com/assay-qa/assay/browser/driver"
)

// Reader returns what reads test files, one for all tests of a package: its process ends
// with theirs. Without a test runner it skips the test, and fails it where CI is set.
func Reader(tb testing.TB) *script.Reader {
	tb.Helper()
	r, err := reader()
	if err != nil && os.Getenv("CI") == "" {
		tb.Skip(err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

var reader = sync.OnceValues(func() (*script.Reader, error) {
	runner, err := driver.LocateTestRunner(context.Background(), browsertest.Installation())
	return &script.Reader{Runner: func(context.Context) (driver.TestRunner, error) { return runner, nil }}, err
})
