package retain_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/retain"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/qa"
)

const day = 24 * time.Hour

// clock is the machine's, in a person's hand.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(time.Millisecond)
	return c.t
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = t
}

// epoch returns when the tests' data folders begin.
func epoch() time.Time { return time.Date(2020, 1, 1, 12, 0, 0, 0, time.UTC) }

// folder is a data folder with all that writes to it.
type folder struct {
	*testing.T
	dir   string
	clock *clock
	store *evidence.Store
}

func newFolder(t *testing.T) *folder {
	t.Helper()
	f := &folder{T: t, dir: filepath.Join(t.TempDir(), "data"), clock: &clock{t: epoch()}}
	f.store = must[*evidence.Store](t)(evidence.Open(f.dir, f.clock.now))
	return f
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// keeper keeps evidence for 365 days.
func (f *folder) keeper() *retain.Keeper { return f.keeperThat(nil) }

// keeperThat looks at runs that are to go with the given function besides.
func (f *folder) keeperThat(looks func(id string)) *retain.Keeper {
	f.Helper()
	damage := func(ctx context.Context, id string) (string, error) {
		if looks != nil {
			looks(id)
		}
		report, err := verify.Run(ctx, f.dir, id, verify.Options{})
		if err != nil || report.Verdict != verify.Failed {
			return "", err
		}
		return report.Findings[0].File, nil
	}
	l := ledger.Open(f.dir, f.clock.now, ledger.Options{Wait: time.Minute})
	return must[*retain.Keeper](f.T)(retain.Open(f.dir, l, f.clock.now, retain.Options{Days: 365, Damage: damage, Uses: baseline.Uses}))
}

// verified fails the test unless the whole data folder is as it was signed.
func (f *folder) verified() {
	f.Helper()
	report := must[verify.Report](f.T)(verify.All(f.Context(), f.dir, verify.Options{}))
	if report.Verdict != verify.Verified {
		f.Errorf("the data folder is %s: %+v", report.Verdict, report.Findings)
	}
}

// begin starts a run on a day, with a picture and a check.
func (f *folder) begin(on int) *evidence.Run {
	f.Helper()
	f.clock.set(epoch().Add(time.Duration(on) * day))
	r := must[*evidence.Run](f.T)(f.store.Start(qa.TaskSpec{ID: "T1", Goal: "check the cart"}))
	must[qa.Artifact](f.T)(r.SaveScreenshot("page", []byte("\x89PNG\r\n\x1a\nrun "+r.ID()), 1, 1, 1))
	must[qa.Check](f.T)(r.AddCheck(qa.Check{Step: 1, Kind: "text", Subject: "h1", Expected: "x", Observed: "x", Passed: true, Source: qa.SourceTool}))
	return r
}

// finished returns a run that began and ended on a day.
func (f *folder) finished(on int) string {
	f.Helper()
	r := f.begin(on)
	must[qa.QAReport](f.T)(r.Finish("fine", qa.Environment{}, nil))
	return r.ID()
}

// unfinished returns a run whose server died on a day.
func (f *folder) unfinished(on int) string {
	f.Helper()
	id := f.begin(on).ID()
	f.age(filepath.Join("runs", id, "events.jsonl"), on)
	return id
}

// age makes a file look as written on a day.
func (f *folder) age(name string, on int) {
	f.Helper()
	at := epoch().Add(time.Duration(on) * day)
	if err := os.Chtimes(filepath.Join(f.dir, filepath.FromSlash(name)), at, at); err != nil {
		f.Fatal(err)
	}
}

// today sets the clock to a day, and lets the log know.
func (f *folder) today(on int) {
	f.Helper()
	f.finished(on)
	f.clock.set(epoch().Add(time.Duration(on)*day + time.Hour))
}

func order() retain.PruneRequest {
	return retain.PruneRequest{By: "Ada Lovelace", Reason: "a year is over"}
}

// prune deletes, and fails the test if it can't.
func (f *folder) prune(o retain.PruneRequest) retain.Report {
	f.Helper()
	report, err := f.keeper().Prune(f.Context(), o)
	if err != nil || len(report.Problems) > 0 {
		f.Fatalf("prune: %v; problems %q", err, report.Problems)
	}
	return report
}

// why returns why each item is in a list, by name.
func why(items []retain.Item) map[string]string {
	out := map[string]string{}
	for _, i := range items {
		out[i.Name] = i.Why
	}
	return out
}

func (f *folder) there(id string) bool {
	_, err := os.Lstat(filepath.Join(f.dir, "runs", id))
	return err == nil
}

// events returns the events of an action, by record.
func (f *folder) events(action string) map[string][]ledger.Event {
	f.Helper()
	out := map[string][]ledger.Event{}
	if err := f.store.Log.View(f.Context(), func(tx *ledger.Tx) error {
		for leaf, err := range tx.Leaves() {
			var e ledger.Event
			if err := errors.Join(err, json.Unmarshal(leaf, &e)); err != nil {
				return err
			}
			if e.Action == action {
				out[e.Record] = append(out[e.Record], e)
			}
		}
		return nil
	}); err != nil {
		f.Fatal(err)
	}
	return out
}

// tree returns the SHA-256 of every file of the data folder.
func (f *folder) tree() map[string]string {
	f.Helper()
	out := map[string]string{}
	if err := filepath.WalkDir(f.dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		out[name] = ledger.BlobDigest(data)
		return err
	}); err != nil {
		f.Fatal(err)
	}
	return out
}
