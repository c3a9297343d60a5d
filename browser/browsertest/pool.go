// Package browsertest gives tests the driver and the browser that this machine has
// installed. It is test code.
package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/driver"
)

// Installation returns where the program itself looks for driver and browser.
func Installation() driver.Options {
	home, _ := os.UserHomeDir() // without them the search goes on in other places
	cache, _ := os.UserCacheDir()
	return driver.Options{CacheDir: filepath.Join(cache, "assay"), HomeDir: home, Getenv: os.Getenv}
}

// Pool returns a pool whose browsers end with the test. It skips the test under -short.
func Pool(tb testing.TB) *browser.Pool {
	tb.Helper()
	if testing.Short() {
		tb.Skip("needs the browser; -short leaves it out")
	}
	pool := browser.NewPool(browser.Options{Install: Installation(), TempDir: tb.TempDir()})
	tb.Cleanup(func() { pool.Close(3 * time.Second) })
	return pool
}

// TestRunner returns the test runner that this machine has installed. Without one it
// skips the test, and fails it where CI is set.
func TestRunner(tb testing.TB) driver.TestRunner {
	tb.Helper()
	runner, err := driver.LocateTestRunner(tb.Context(), Installation())
	if err != nil && os.Getenv("CI") == "" {
		tb.Skip(err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return runner
}

// Main runs the tests of a package with one pool for all of them, and returns the exit
// code. set is given the pool before the first test.
func Main(m *testing.M, o browser.Options, set func(*browser.Pool)) int {
	temp, err := os.MkdirTemp("", "assay-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	o.Install, o.TempDir = Installation(), temp
	pool := browser.NewPool(o)
	set(pool)
	code := m.Run()
	pool.Close(3 * time.Second)
	if err := os.RemoveAll(temp); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return code
}
