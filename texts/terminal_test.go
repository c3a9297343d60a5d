package texts_test

import (
	"testing"

	"github.com/assay-qa/assay/texts"
)

func TestSize(t *testing.T) {
	t.Parallel()
	for bytes, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 1536000: "1.5 MB", 7e15: "7000.0 TB"} {
		if got := texts.Size(bytes); got != want {
			t.Errorf("%d: %q, want %q", bytes, got, want)
		}
	}
}
