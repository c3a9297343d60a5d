package runner

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/suite"
)

// C2: a client can't have files elsewhere run by the id of a suite that somebody
// ran there with the same books.
func TestResumeStaysInside(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	s := suite.Suite{ID: "20261122T070000.000Z-abc123", Paths: []string{filepath.Join(elsewhere, "specs")}, Entries: []suite.Entry{{Name: "A"}}}
	if err := Store(dir).Write(s); err != nil {
		t.Fatal(err)
	}
	background := &Background{DataDir: dir}
	_, _, err := background.prepare(t.Context(), Request{Resume: s.ID})
	var wrong *config.UsageError
	if !errors.As(err, &wrong) || !strings.Contains(err.Error(), "leads out of the server's folder") {
		t.Errorf("resumed: %v", err)
	}
}
