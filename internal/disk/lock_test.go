package disk_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/assay-qa/assay/internal/disk"
)

// One holder at a time, on every system; who gives up gets its context's error.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "state.lock")
	release, err := disk.Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := disk.Lock(gone, path); !errors.Is(err, context.Canceled) {
		t.Errorf("locked twice, or another error: %v", err)
	}
	next := make(chan error, 1)
	go func() {
		release, err := disk.Lock(t.Context(), path)
		if err == nil {
			release()
		}
		next <- err
	}()
	release()
	if err := <-next; err != nil {
		t.Errorf("after the release: %v", err)
	}
}
