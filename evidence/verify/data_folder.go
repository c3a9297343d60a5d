package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
)

const maxSmall = 1 << 20 // bytes of log/keys and log/checkpoint

// ErrNoSubject marks a path that holds no run, bundle or data folder.
var ErrNoSubject = errors.New("there is nothing to verify")

// Run verifies one run of a data folder, and that the folder's log has it. The
// error is for what is no run; everything else is in the report.
func Run(ctx context.Context, dataDir, runID string, o Options) (Report, error) {
	if !ledger.ValidRun(runID) {
		return Report{}, fmt.Errorf("%w: %q is no run id", ErrNoSubject, runID)
	}
	root, err := os.OpenRoot(dataDir)
	if err != nil {
		return Report{}, fmt.Errorf("%w: data folder %s: %w", ErrNoSubject, dataDir, err)
	}
	defer root.Close()
	if _, err := root.Lstat(ledger.RunsFolder + "/" + runID); err != nil {
		return Report{}, fmt.Errorf("%w: run %s: %w", ErrNoSubject, runID, err)
	}
	v, err := newVerification("run "+runID, o)
	if err != nil {
		return Report{}, err
	}
	v.run = runID
	if err := v.dataFolder(ctx, root, dataDir); err != nil {
		return Report{}, err
	}
	if err := v.runFolder(ctx, root, runID); err != nil {
		return Report{}, err
	}
	v.report.conclude()
	return *v.report, nil
}

// runFolder looks at the folder of a run.
func (v *verification) runFolder(ctx context.Context, root *os.Root, id string) error {
	folder, err := disk.OpenFolder(root, ledger.RunsFolder+"/"+id)
	if err != nil {
		v.report.Runs++
		v.fault("run-irregular", ledger.RunsFolder+"/"+id, restore, "the run's folder can't be opened: %v", err)
		return ctx.Err()
	}
	defer folder.Close()
	f, err := folderFiles(folder)
	if err != nil {
		v.report.Runs++
		v.unseen("run-unreadable", ledger.RunsFolder+"/"+id, "fix what keeps the folder from being read, and verify again", "the run's folder can't be listed: %v", err)
		return ctx.Err()
	}
	return v.verifyRun(ctx, f)
}

// dataFolder reads the keys and the log, and compares the log with every copy
// of a checkpoint that is at hand.
func (v *verification) dataFolder(ctx context.Context, root *os.Root, dir string) error {
	keys, err := disk.Read(root, ledger.Keys, maxSmall)
	v.ring.addNamed(v.findings, keys, err)
	if _, err := root.Lstat(ledger.Database); errors.Is(err, fs.ErrNotExist) {
		_, err := disk.Read(root, ledger.Checkpoint, maxSmall)
		reportNoLog(v.findings, err)
		return ctx.Err()
	}
	h, err := openLog(ctx, dir)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		v.logError(err)
		return nil
	}
	h.checkNewest(v.findings, v.ring)
	v.ring.checkTakeovers(v.findings, root, h)
	v.log = h
	outside, outsideErr := h.tx.CheckpointCopy() // read under the log's lock: it is written in place
	switch {
	case outsideErr == nil && outside == nil && h.tx.Size() > 0:
		v.unseen("log-checkpoint-missing", ledger.Checkpoint, "put the file back from a copy; the next run writes it anew", "the copy of the newest checkpoint is missing")
	case outsideErr == nil && outside == nil:
	case outsideErr != nil:
		v.unseen("log-checkpoint-unreadable", ledger.Checkpoint, "fix what keeps the file from being read, and verify again", "the copy of the newest checkpoint can't be read: %v", outsideErr)
	default:
		if c, ok := v.ring.open(v.findings, outside, ledger.Checkpoint, "the copy of the newest checkpoint"); ok {
			h.checkGrowth(ctx, v.findings, v.ring, c, ledger.Checkpoint, "the copy of the newest checkpoint")
		}
	}
	v.checkLogAgainstPin(ctx)
	return ctx.Err()
}

// reportNoLog reports a folder without its database.
func reportNoLog(found *findings, checkpoint error) {
	if checkpoint == nil {
		found.fault("log-missing", ledger.Database, restoreLog, "the log is missing, and log/checkpoint says that there was one")
		return
	}
	found.unseen("log-missing", ledger.Database, restoreLog, "the log is missing: what a run says about itself can be checked, and not that the log agrees")
}

// checkLogAgainstPin compares the log with the caller's checkpoint.
func (v *verification) checkLogAgainstPin(ctx context.Context) {
	if v.options.Checkpoint == nil {
		return
	}
	const file, what = "--checkpoint", "the checkpoint that was kept elsewhere"
	c, ok := v.ring.open(v.findings, v.options.Checkpoint, file, what)
	if !ok {
		return
	}
	if v.log == nil || !v.log.signed {
		v.unseen("checkpoint-unseen", file, restoreLog, "whether the log has grown from the checkpoint that was kept elsewhere cannot be decided")
		return
	}
	v.log.checkGrowth(ctx, v.findings, v.ring, c, file, what)
}
