package text_test

import (
	"testing"
	"time"

	texts "github.com/assay-qa/assay/internal/text"
)

// Req 0032/4: how long the rest takes is said where something is known of it, and not otherwise.
func TestRemaining(t *testing.T) {
	for _, c := range []struct {
		spent      time.Duration
		done, open int
		want       string
	}{
		{time.Minute, 2, 6, ", about 3m0s left"}, {time.Minute, 0, 6, ""}, {time.Minute, 6, 0, ""}, {0, 2, 6, ""}, {time.Minute, -1, 2, ""},
	} {
		if got := texts.Left(texts.Remaining(c.spent, c.done, c.open)); got != c.want {
			t.Errorf("%s for %d, %d open: %q, want %q", c.spent, c.done, c.open, got, c.want)
		}
	}
}
