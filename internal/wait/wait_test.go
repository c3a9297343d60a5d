package wait_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/wait"
)

// A wait ends after its time, or with the reason for which the context ended.
func TestFor(t *testing.T) {
	if err := wait.For(t.Context(), time.Millisecond); err != nil {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := wait.For(ended, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's end", err)
	}
}
