package laws_test

import (
	"fmt"
	"os"
	"testing"
)

// TestMain reads the tree from its top, as paths in laws and rows are written.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
