package retain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/text"
)

// PruneRequest holds a person's request to prune.
type PruneRequest struct {
	By     string // printed name
	Reason string
	Days   int    // only what is older; 0: than the retention. Never less than that
	Today  string // date that the person confirms, such as 2026-11-22: asked for where the clock is far ahead of the log
	DryRun bool   // look only; no signature is needed
}

// plannedRun holds a run that is to be deleted.
type plannedRun struct {
	inspectedRun
	item      Item
	statement string // SHA-256 of what was stated of it
	damage    string
}

// plan lists what is to be deleted, before anything is.
type plan struct {
	order   PruneRequest
	days    int
	now     time.Time
	report  Report
	runs    []plannedRun
	blobs   []ledger.StoredBlob
	temps   []Item
	pending []string        // keys of what the log says is deleted already
	held    map[string]bool // runs
	asides  []string        // ids of runs whose folders are on their way out
	past    logHistory
	clock   string // what the person said of the clock
}

// cutoff returns the time before which all signs of life must lie.
func (p *plan) cutoff() time.Time { return p.now.Add(-time.Duration(p.days) * day) }

// makePlan looks at everything, and writes nothing.
func (k *Keeper) makePlan(ctx context.Context, o PruneRequest) (*plan, error) {
	p := &plan{order: o, days: o.Days, now: k.now().UTC(), held: map[string]bool{}}
	if p.days == 0 {
		p.days = k.options.Days
	}
	if p.days < k.options.Days {
		return nil, fmt.Errorf("delete what is older than %s: %w: the retention is %s: more may be asked for, never less",
			text.Count(p.days, "day"), ErrPruneRequest, text.Count(k.options.Days, "day"))
	}
	if p.days > 100*366 {
		return nil, fmt.Errorf("delete what is older than %d days: %w: that is more than a hundred years", p.days, ErrPruneRequest)
	}
	p.report = Report{Folder: k.dir, DryRun: o.DryRun, Time: p.now, Retention: k.options.Days, Days: p.days,
		Deleted: []Item{}, Kept: []Item{}, Left: []Item{}, Problems: []string{}}
	found, err := k.inspectRuns(ctx, p)
	if err != nil {
		return nil, err
	}
	files, others, err := k.blobs.List()
	if err != nil {
		return nil, err
	}
	err = k.ledger.View(ctx, func(tx *ledger.Tx) error {
		p.pending = tx.Keys(pendingTable)
		k.listUnknownFolders(p)
		blobs, err := k.unneeded(tx, p, files)
		if err != nil {
			return err
		}
		if err := p.readLogHistory(tx, found, blobs); err != nil {
			return err
		}
		p.chooseBlobs(files, blobs)
		return p.chooseRuns(tx, found)
	})
	if err != nil {
		return nil, err
	}
	if err := k.findTempFiles(p, others, found); err != nil {
		return nil, err
	}
	for i := range p.runs {
		if err := k.checkDamage(ctx, &p.runs[i]); err != nil {
			return nil, err
		}
	}
	err = p.checkClock()
	return p, err
}

// inspectRuns looks at all runs, oldest first. What is no run's folder is left
// alone.
func (k *Keeper) inspectRuns(ctx context.Context, p *plan) ([]inspectedRun, error) {
	runs, err := k.openRuns()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer runs.Close()
	entries, err := fs.ReadDir(runs.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", disk.Explain(err))
	}
	var found []inspectedRun
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		left := Item{Kind: LeftoverKind, Name: "runs/" + e.Name()}
		switch {
		case strings.HasSuffix(e.Name(), ledger.Pending) && e.Type().IsRegular():
			continue // among the leftovers
		case strings.HasSuffix(e.Name(), asideSuffix) && e.IsDir() && ledger.ValidRun(strings.TrimSuffix(e.Name(), asideSuffix)):
			p.asides = append(p.asides, strings.TrimSuffix(e.Name(), asideSuffix))
			continue
		case !ledger.ValidRun(e.Name()):
			left.Why = "its name is no run id"
			p.report.Left = append(p.report.Left, left)
			continue
		case !e.IsDir():
			left.Why = "it has a run's name and is no folder"
			p.report.Left = append(p.report.Left, left)
			continue
		}
		r, err := inspectRun(runs, e.Name())
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted this moment
		}
		if err != nil {
			p.report.problem(fmt.Sprintf("run %s stays: it can't be looked at: %v", e.Name(), err))
			p.report.keep(Item{Kind: RunKind, Name: r.id, Bytes: r.bytes, Time: r.last, Why: "it can't be looked at"})
			continue
		}
		found = append(found, r)
	}
	return found, nil
}

// listUnknownFolders leaves folders alone that look as if a prune had begun to
// remove them, and that the log doesn't name.
func (k *Keeper) listUnknownFolders(p *plan) {
	for _, id := range p.asides {
		name := "runs/" + id + asideSuffix
		_, err := os.Lstat(filepath.Join(k.dir, filepath.FromSlash(name))) // gone by now: another prune has ended
		if err == nil && !slices.Contains(p.pending, runKey(id)) {
			p.report.Left = append(p.report.Left, Item{Kind: LeftoverKind, Name: name, Why: "the log has no deletion of it under way"})
		}
	}
}

// readLogHistory asks the log about what was found.
func (p *plan) readLogHistory(tx *ledger.Tx, found []inspectedRun, blobs map[string]bool) (err error) {
	if p.past, err = readLogHistory(tx, found, blobs); err != nil {
		return err
	}
	p.pending = slices.DeleteFunc(p.pending, func(key string) bool {
		if !p.past.deleted[key] {
			p.report.problem(fmt.Sprintf("%q stays: assay.db says that it is deleted, and the log does not: somebody changed the database; see: assay verify --all", key))
		}
		return !p.past.deleted[key]
	})
	return nil
}

// chooseRuns decides by age and by holds.
func (p *plan) chooseRuns(tx *ledger.Tx, found []inspectedRun) error {
	for _, r := range found {
		past := p.past.runs[r.id]
		item := Item{Kind: RunKind, Name: r.id, Bytes: r.bytes, Time: later(r.last, past.last)}
		word := "finished"
		if !r.finished {
			word = "unfinished"
		}
		if _, gone := tx.Get(pendingTable, runKey(r.id)); gone {
			continue
		}
		h, held, err := holdOf(tx, r.id)
		if !held && past.held != nil { // the records are not signed, the log is
			h, held = *past.held, true
			p.report.problem(fmt.Sprintf("run %s stays: the log says that it is held, and its record in assay.db is gone: hold it again, and release it if it may go", r.id))
		}
		switch {
		case err != nil:
			return err
		case held:
			p.held[r.id] = true
			item.Why = fmt.Sprintf("%s; held by %q since %s: %q", word, h.By, h.Time.Format(time.DateOnly), h.Reason)
			p.report.keep(item)
		case item.Time.After(p.now):
			item.Why = fmt.Sprintf("%s; its time is ahead of the clock", word)
			p.report.keep(item)
		case !item.Time.Before(p.cutoff()):
			item.Why = fmt.Sprintf("%s; too young: until %s", word, item.Time.Add(time.Duration(p.days)*day).Format(time.DateOnly))
			p.report.keep(item)
		default:
			item.Why = word
			p.runs = append(p.runs, plannedRun{inspectedRun: r, item: item, statement: past.statement})
		}
	}
	return nil
}

// checkDamage asks whether a run that is to go is damaged: the log will tell.
func (k *Keeper) checkDamage(ctx context.Context, r *plannedRun) error {
	damage, err := k.options.Damage(ctx, r.id)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.damage = fmt.Sprintf("could not be checked: %v", err)
	case damage != "":
		r.damage = "damaged: " + damage
	}
	if r.damage != "" {
		r.item.Why += "; " + r.damage
	}
	return nil
}

// checkClock compares the clock with the log. One that was set forward makes
// everything old.
func (p *plan) checkClock() error {
	newest := p.past.last
	if newest.IsZero() { // no log: the newest run is all there is to go by
		for _, r := range p.report.Kept {
			newest = later(newest, r.Time)
		}
		for _, r := range p.runs {
			newest = later(newest, r.item.Time)
		}
	}
	ahead := p.now.Sub(newest)
	today := p.now.Format(time.DateOnly)
	said, err := time.Parse(time.DateOnly, p.order.Today)
	switch {
	case err != nil && p.order.Today != "":
		return fmt.Errorf("today %q: %w: a date such as %s is wanted", p.order.Today, ErrPruneRequest, today)
	case newest.IsZero():
		return nil
	case ahead < -day:
		p.report.Clock = fmt.Sprintf("the clock says %s, and the newest entry of the log is of %s: one of them is wrong", today, newest.Format(time.DateOnly))
		return nil
	case ahead <= day:
		return nil
	}
	p.report.Clock = fmt.Sprintf("the clock says %s, %s after the newest entry of the log", today, text.Count(int(ahead/day), "day"))
	if p.order.Today != "" {
		if off := said.Sub(p.now.Truncate(day)); off >= -day && off <= day { // time zones
			p.clock = fmt.Sprintf("%s; who signs says that it is right", p.report.Clock)
			return nil
		}
		return fmt.Errorf("%w: %s, and who signs says that it is %s", ErrClock, p.report.Clock, p.order.Today)
	}
	if p.order.DryRun || p.empty() {
		return nil
	}
	return fmt.Errorf("%w: %s: what is young would look old; if it is right, say so with --today %s", ErrClock, p.report.Clock, today)
}

func (p *plan) empty() bool {
	return len(p.runs)+len(p.blobs)+len(p.temps) == 0
}

// runKey and blobKey return the keys that pending deletions are stored under.
func runKey(id string) string      { return "run/" + id }
func blobKey(digest string) string { return "blob/" + digest }
