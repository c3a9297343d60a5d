package install

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/bench/measure"
)

// What is removed is what a killed measurement left in a folder of ours; a folder of somebody
// else's, and one that is in use, are refused, and nothing in them is touched.
func TestFolderOfRootsIsOurs(t *testing.T) {
	put := func(folder, name string) string {
		t.Helper()
		made := filepath.Join(folder, name, "upper")
		if err := os.MkdirAll(made, 0o700); err != nil {
			t.Fatal(err)
		}
		return filepath.Dir(made)
	}
	gone := func(path string) bool {
		_, err := os.Stat(path)
		return errors.Is(err, os.ErrNotExist)
	}
	others := t.TempDir()
	theirs := put(others, "layer-cake")
	if _, err := takeFolder(t.Context(), others); !errors.Is(err, measure.ErrSetUp) || !strings.Contains(err.Error(), "-cache") || gone(theirs) || !gone(filepath.Join(others, marker)) {
		t.Errorf("a folder of somebody else's: %v; what was in it is gone: %v", err, gone(theirs))
	}
	ours := filepath.Join(t.TempDir(), rootsFolder)
	release, err := takeFolder(t.Context(), ours)
	if err != nil {
		t.Fatal(err)
	}
	kept, round, layer := put(ours, "base"), put(ours, "rounds-1"), put(ours, "layer-1")
	if _, err := takeFolder(t.Context(), ours); !errors.Is(err, measure.ErrSetUp) || !strings.Contains(err.Error(), "another measurement") || gone(round) || gone(layer) {
		t.Errorf("a folder in use: %v; rounds are gone: %v, layers: %v", err, gone(round), gone(layer))
	}
	release()
	release, err = takeFolder(t.Context(), ours)
	if err != nil {
		t.Fatal(err)
	}
	release()
	if gone(kept) || !gone(round) || !gone(layer) {
		t.Errorf("after a killed measurement the base is gone: %v, rounds: %v, layers: %v", gone(kept), gone(round), gone(layer))
	}
}
