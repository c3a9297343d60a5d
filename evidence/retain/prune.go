package retain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/text"
)

const asideSuffix = ".deleted" // a run's folder on its way out: no reader takes it for a run

// Why an operation on the ledger ends that has nothing to change.
var (
	errKept = errors.New("it stays")
	errGone = errors.New("another process has deleted it")
)

// Prune deletes runs, blobs and leftovers that are older than the request
// says, and older than the retention. Each deletion is entered in the log
// before it begins: the next Prune finishes what a killed one has left. The
// report comes back with an error too, and lists what was deleted.
func (k *Keeper) Prune(ctx context.Context, o PruneRequest) (Report, error) {
	if !o.DryRun {
		var err error
		if o.By, o.Reason, err = personWords(o.By, o.Reason); err != nil {
			return Report{}, fmt.Errorf("prune %s: %w: %w", k.dir, ErrPruneRequest, err)
		}
	}
	p, err := k.makePlan(ctx, o)
	if p == nil {
		return Report{}, fmt.Errorf("prune %s: %w", k.dir, err)
	}
	if err == nil && o.DryRun {
		p.listAll()
	} else if err == nil {
		err = k.execute(ctx, p)
	}
	if err != nil {
		err = fmt.Errorf("prune %s: %w", k.dir, err)
	}
	return p.report, err
}

func (k *Keeper) execute(ctx context.Context, p *plan) error {
	err := k.pruneRuns(ctx, p)
	if err == nil {
		err = k.pruneBlobs(ctx, p)
	}
	if err == nil {
		err = k.pruneTemps(p)
	}
	return err
}

// listAll reports what would go.
func (p *plan) listAll() {
	for _, key := range p.pending {
		kind, name, _ := strings.Cut(key, "/")
		p.report.delete(Item{Kind: Kind(kind), Name: name, Why: "the log says that it is deleted; its bytes may still be there"})
	}
	for _, r := range p.runs {
		p.report.delete(r.item)
	}
	for _, b := range p.blobs {
		p.report.delete(Item{Kind: BlobKind, Name: b.Digest, Bytes: b.Size, Time: b.Time.UTC(), Why: "nothing needs it"})
	}
	for _, item := range p.temps {
		p.report.delete(item)
	}
}

// reason returns the person's reason, with what supports it.
func (p *plan) reason(more ...string) string {
	more = append([]string{"older than " + text.Count(p.days, "day")}, more...)
	if p.clock != "" {
		more = append(more, p.clock)
	}
	return fmt.Sprintf("%s [%s]", p.order.Reason, strings.Join(more, "; "))
}

// pruneRuns deletes runs one by one: the event, then the folder.
func (k *Keeper) pruneRuns(ctx context.Context, p *plan) (err error) {
	runs, err := k.openRuns()
	if errors.Is(err, fs.ErrNotExist) {
		return k.clearPending(ctx, withPrefix(p.pending, runKey("")))
	}
	if err != nil {
		return err
	}
	var gone []string // ids
	defer func() { err = errors.Join(err, k.clearPending(ctx, gone), runs.Close()) }()
	for _, id := range withPrefix(p.pending, runKey("")) {
		if k.removeRun(runs, p, Item{Kind: RunKind, Name: id, Why: "a deletion that was not finished"}) {
			gone = append(gone, id)
		}
	}
	for _, r := range p.runs {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch err := k.logRunDeletion(ctx, runs, p, r); {
		case errors.Is(err, errGone):
			continue
		case errors.Is(err, errKept):
			r.item.Why = err.Error()
			p.report.keep(r.item)
			continue
		case err != nil:
			return err
		}
		if k.removeRun(runs, p, r.item) {
			gone = append(gone, r.id)
		}
	}
	return nil
}

// withPrefix returns what follows a prefix, of the keys that have it.
func withPrefix(keys []string, prefix string) (names []string) {
	for _, key := range keys {
		if name, ok := strings.CutPrefix(key, prefix); ok {
			names = append(names, name)
		}
	}
	return names
}

// logRunDeletion writes the event that a run is deleted, unless it has to stay after all.
func (k *Keeper) logRunDeletion(ctx context.Context, runs *os.Root, p *plan, r plannedRun) error {
	return k.ledger.Update(ctx, func(tx *ledger.Tx) error {
		if _, gone := tx.Get(pendingTable, runKey(r.id)); gone {
			return nil // another process is at it
		}
		if _, held, err := holdOf(tx, r.id); err != nil || held {
			return errors.Join(err, fmt.Errorf("%w: it is held since this moment", errKept))
		}
		if err := r.checkUnchanged(runs); err != nil {
			return err
		}
		subject := []string{}
		var more []string
		switch {
		case r.statement != "":
			subject = append(subject, r.statement)
		case r.journal != "":
			subject = append(subject, r.journal)
		default:
			more = append(more, "it had no "+ledger.EventsFile)
		}
		if r.damage != "" {
			more = append(more, r.damage)
		}
		e, err := tx.Append(ledger.Event{Actor: personActor(p.order.By), Action: ledger.RunDeleted, Record: r.id, Subject: subject, Reason: p.reason(more...)})
		if err != nil {
			return err
		}
		return tx.Put(pendingTable, runKey(r.id), fmt.Appendf(nil, `{"entry":%d}`, e.Seq-1))
	})
}

// checkUnchanged fails unless the run is as it was surveyed: its server may be alive, or
// another process was faster.
func (r inspectedRun) checkUnchanged(runs *os.Root) error {
	root, err := runs.OpenRoot(r.id)
	if errors.Is(err, fs.ErrNotExist) {
		return errGone
	}
	if err != nil {
		return disk.Explain(err)
	}
	defer root.Close()
	now, err := logMarkOf(root)
	if err != nil {
		return disk.Explain(err)
	}
	if !now.time.Equal(r.mark.time) || now.size != r.mark.size {
		return fmt.Errorf("%w: somebody writes to it", errKept)
	}
	return nil
}

// removeRun removes a run's folder, whose deletion is in the log. No symbolic
// link is followed.
func (k *Keeper) removeRun(runs *os.Root, p *plan, item Item) bool {
	_, before := runs.Lstat(item.Name)
	_, half := runs.Lstat(item.Name + asideSuffix)
	err := remove(runs, item.Name)
	switch {
	case err != nil:
		p.report.problem(fmt.Sprintf("run %s is deleted in the log, and is not gone: fix this and prune again: %v", item.Name, disk.Explain(err)))
	case before == nil || half == nil:
		p.report.delete(item)
	}
	return err == nil
}

func remove(runs *os.Root, id string) error {
	aside := id + asideSuffix
	if err := runs.RemoveAll(aside); err != nil {
		return err
	}
	if err := runs.Rename(id, aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := runs.RemoveAll(aside); err != nil {
		return err
	}
	return disk.SyncFolders(runs, ".")
}

// clearPending ends deletions of runs whose bytes are gone.
func (k *Keeper) clearPending(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	// What is gone is gone, whether or not the caller has had enough.
	return k.ledger.Update(context.WithoutCancel(ctx), func(tx *ledger.Tx) error {
		for _, id := range ids {
			tx.Delete(pendingTable, runKey(id))
		}
		return nil
	})
}
