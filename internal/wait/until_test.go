package wait_test

import (
	"context"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/wait"
)

// It looks once where no time is left, goes on until what it looks for is so, and ends with its
// limit and with its context.
func TestUntil(t *testing.T) { // Req 0031
	at := time.Unix(0, 0)
	clock := func() time.Time { return at }
	for name, c := range map[string]struct {
		soAt, limit int // looks until it is so, and until the limit
		ended       bool
		want        bool
		looks       int
	}{
		"at once":              {soAt: 1, limit: 0, want: true, looks: 1},
		"at the third look":    {soAt: 3, limit: 9, want: true, looks: 3},
		"not before the limit": {soAt: 9, limit: 2, looks: 3},
		"its context ends":     {soAt: 9, limit: 9, ended: true, looks: 1},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		if c.ended {
			cancel()
		}
		at = time.Unix(0, 0)
		looks := 0
		got := wait.Until(ctx, clock, time.Duration(c.limit)*time.Minute, func() bool {
			looks++
			at = at.Add(time.Minute)
			return looks == c.soAt
		})
		cancel()
		if got != c.want || looks != c.looks {
			t.Errorf("%s: %t after %d looks, want %t after %d", name, got, looks, c.want, c.looks)
		}
	}
}
