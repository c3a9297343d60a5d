package runner

import (
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/suite"
)

// quarantine marks the cases that are in quarantine at a time. One that is over is logged.
func quarantine(entries []suite.Entry, all map[string]config.Quarantine, now time.Time, log *slog.Logger) error {
	today := now.Format(time.DateOnly)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		q := all[name]
		file, err := filepath.Abs(q.File)
		switch {
		case err != nil:
			return err
		case q.File == "" || q.Until == "" || strings.TrimSpace(q.Reason) == "":
			return config.Usage("quarantine.%s: give file, reason and until, so that it is known what does not count, why, and when it does again", name)
		}
		if _, err := os.Stat(file); err != nil {
			return config.Usage("quarantine.%s.file: %w: take the section out if the file is gone", name, err)
		}
		for i := range entries {
			e := &entries[i]
			switch {
			case e.File != file:
			case q.Until < today: // both are written as year, month, day
				log.Warn("a quarantine is over: what its cases find counts again", "quarantine", name, "file", e.Path, "until", q.Until)
			default:
				e.Quarantine = pagetext.Text(fmt.Sprintf("%s, until %s: %s", name, q.Until, q.Reason))
			}
		}
	}
	return nil
}
