package browser

import (
	"bytes"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/assay-qa/assay/browser/driver"
)

// TestDriverOutputIsLoggedByLine: what comes in pieces is one record, so that
// whoever masks the log sees a secret whole (E6).
func TestDriverOutputIsLoggedByLine(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	e := &engine{launcher: &driver.Launcher{}, dead: make(chan struct{}), opts: Options{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}}
	read, write := io.Pipe()
	go e.watch(read)
	for _, piece := range []string{"first\nit is correct-", "hor", "se\nlast correct", "-horse"} {
		if _, err := io.WriteString(write, piece); err != nil {
			t.Fatal(err)
		}
	}
	if err := write.Close(); err != nil {
		t.Fatal(err)
	}
	<-e.dead
	if got := log.String(); strings.Count(got, "correct-horse") != 2 || strings.Count(got, "msg=driver") != 3 {
		t.Errorf("%s", got)
	}
}
