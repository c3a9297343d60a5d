package evidence

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/qa"
)

// size returns the sum of the sizes of all files in a folder.
func size(dir string) (sum int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	return sum, err
}

// The run that verifies in a second.
const (
	bigEvents   = 500
	bigPictures = 50
	bigPicture  = 100 << 10 // bytes each
)

// bigRun files a run, and verifies it in process and as a user does.
func (b bench) bigRun(ctx context.Context) error {
	dir := filepath.Join(b.dir, "big")
	store, err := evidence.Open(dir, time.Now)
	if err != nil {
		return err
	}
	run, err := store.Start(qa.TaskSpec{Goal: "measure"})
	if err != nil {
		return err
	}
	noise := make([]byte, bigPicture)
	random := rand.NewChaCha8([32]byte{})
	filing := time.Now()
	for i := range bigEvents {
		if i%(bigEvents/bigPictures) == 0 {
			_, _ = random.Read(noise) // never fails
			if _, err := run.SaveScreenshot("page", append([]byte("\x89PNG\r\n\x1a\n"), noise...), 1280, 720, i); err != nil {
				return err
			}
		}
		if err := run.Event(evidence.Event{Step: i, Tool: "page_click", DurationMS: 80, Input: json.RawMessage(`{"selector":"button \"Pay\""}`)}); err != nil {
			return err
		}
	}
	if _, err := run.AddCheck(qa.Check{Kind: "element_exists", Subject: "heading", Passed: true, Source: qa.SourceTool}); err != nil {
		return err
	}
	filed := time.Since(filing)
	finishing := time.Now()
	if _, err := run.Finish("", qa.Environment{}, report.Views); err != nil {
		return err
	}
	finished := time.Since(finishing)
	b.row("", "%.2f ms", float64(filed.Microseconds())/1000/(bigEvents+bigPictures), "an event or a picture of a run, filed and synced, mean of %d and %d", bigEvents, bigPictures)
	b.row("", "%.0f ms", float64(finished.Microseconds())/1000, "finishing that run: read again, views, signed")
	inProcess, err := median(b.rounds, func() error {
		found, err := verify.Run(ctx, dir, run.ID(), verify.Options{})
		if err != nil || found.Verdict != verify.Verified {
			return fmt.Errorf("verify: %s, %v, %w", found.Verdict, found.Findings, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.row("≤ 1 s", "%.0f ms", inProcess, "verifying it, %d events and %d pictures of %d KB", bigEvents, bigPictures, bigPicture>>10)
	process, err := median(b.rounds, func() error {
		out, err := exec.CommandContext(ctx, b.assay, "verify", run.ID(), "--data-dir", dir).CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.row("≤ 1 s", "%.0f ms", process, "assay verify of it")
	return b.sizes(dir, run)
}

// sizes says what evidence adds to what a run holds anyway.
func (b bench) sizes(dir string, run *evidence.Run) error {
	whole, err := size(run.Dir())
	if err != nil {
		return err
	}
	info, err := os.Stat(filepath.Join(run.Dir(), "evidence.json"))
	if err != nil {
		return err
	}
	b.row("", "%.1f KB", float64(info.Size())/1e3, "evidence.json of it, beside %.1f MB of files", float64(whole-info.Size())/1e6)
	db, err := os.Stat(filepath.Join(dir, "assay.db"))
	if err != nil {
		return err
	}
	b.row("", "%.0f KB", float64(db.Size())/1e3, "the database of one run")
	return nil
}
