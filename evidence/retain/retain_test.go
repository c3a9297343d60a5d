package retain_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/retain"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/qa"
)

// Runs go by their age, and by nothing else; the log tells who let them go, and
// what they were (B8: retention, tombstone).
func TestPrune(t *testing.T) {
	f := newFolder(t)
	old, stalled, spoilt, held := f.finished(0), f.unfinished(1), f.finished(2), f.finished(3)
	slow := f.begin(4)
	young, going := f.finished(100), f.unfinished(101)
	f.clock.set(epoch().Add(300 * day))
	must[qa.QAReport](t)(slow.Finish("late", qa.Environment{}, nil))
	spoiltFile := filepath.Join(f.dir, "runs", spoilt, "report.json")
	if err := os.WriteFile(spoiltFile, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	renamed := "20200101T000000.000Z-" + young[len(young)-6:] // no entry of the log names it, its journal is young
	if err := os.CopyFS(filepath.Join(f.dir, "runs", renamed), os.DirFS(filepath.Join(f.dir, "runs", young))); err != nil {
		t.Fatal(err)
	}
	f.age("runs/"+renamed+"/events.jsonl", 0)
	journal := ledger.BlobDigest(must[[]byte](t)(os.ReadFile(filepath.Join(f.dir, "runs", stalled, "events.jsonl"))))
	f.today(400)
	must[retain.Hold](t)(f.keeper().Hold(t.Context(), held, "Grace Hopper", "case 7"))

	before := f.tree()
	dry := f.prune(retain.PruneRequest{DryRun: true})
	if after := f.tree(); !equal(before, after) {
		t.Error("a dry run has changed something")
	}
	done := f.prune(order())
	if a, b := why(dry.Deleted), why(done.Deleted); !equal(a, b) || dry.DeletedBytes != done.DeletedBytes || done.DeletedBytes == 0 || dry.KeptBytes != done.KeptBytes {
		t.Errorf("it was announced as\n%v (%d bytes), and was\n%v (%d bytes)", a, dry.DeletedBytes, b, done.DeletedBytes)
	}
	for id, want := range map[string]string{old: "finished", stalled: "unfinished", spoilt: "finished; damaged: report.json"} {
		if got := why(done.Deleted)[id]; !strings.HasPrefix(got, want) || f.there(id) {
			t.Errorf("%s: %q, want %q; there: %t", id, got, want, f.there(id))
		}
	}
	for id, want := range map[string]string{
		held: `finished; held by "Grace Hopper" since 2021-02-04: "case 7"`, slow.ID(): "finished; too young: until 2021-10-27",
		young: "finished; too young: until 2021-04-10", renamed: "finished; too young: until 2021-04-10", going: "unfinished; too young: until 2021-04-11",
	} {
		if got := why(done.Kept)[id]; got != want || !f.there(id) {
			t.Errorf("%s: %q, want %q; there: %t", id, got, want, f.there(id))
		}
	}
	after := f.tree()
	for name, sum := range before {
		id, _, _ := strings.Cut(strings.TrimPrefix(name, filepath.Join(f.dir, "runs")+string(filepath.Separator)), string(filepath.Separator))
		if _, kept := why(done.Kept)[id]; kept && after[name] != sum {
			t.Errorf("%s was changed", name)
		}
	}

	deleted, ended := f.events("run deleted"), f.events("run finished")
	for id, want := range map[string][]string{old: ended[old][0].Subject, stalled: {journal}, spoilt: ended[spoilt][0].Subject} {
		e := deleted[id]
		if len(e) != 1 || !slices.Equal(e[0].Subject, want) || e[0].Actor != (ledger.Actor{Kind: "human", ID: "Ada Lovelace"}) || !strings.HasPrefix(e[0].Reason, "a year is over [older than 365 days") {
			t.Errorf("%s: %+v, want subject %v", id, e, want)
		}
	}
	if len(deleted) != 3 || !strings.Contains(deleted[spoilt][0].Reason, "damaged: ") {
		t.Errorf("%d events; %v", len(deleted), deleted[spoilt])
	}
	if again := f.prune(order()); len(again.Deleted) != 0 || len(f.events("run deleted")) != 3 {
		t.Errorf("again: %+v", again.Deleted)
	}
	if err := os.RemoveAll(filepath.Join(f.dir, "runs", renamed)); err != nil {
		t.Fatal(err)
	}
	f.verified()
	// What somebody else removes is missed.
	if err := os.RemoveAll(filepath.Join(f.dir, "runs", young)); err != nil {
		t.Fatal(err)
	}
	f.prune(order())
	report := must[verify.Report](t)(verify.All(t.Context(), f.dir, verify.Options{}))
	if report.Verdict != verify.Failed || len(report.Findings) == 0 || report.Findings[0].Run != young {
		t.Errorf("removed by hand: %s, %+v", report.Verdict, report.Findings)
	}
}

func equal[V comparable](a, b map[string]V) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if other, ok := b[k]; !ok || other != v {
			return false
		}
	}
	return true
}

// Nothing that is asked for shortens the retention, to the millisecond (B8).
func TestNeverShorter(t *testing.T) {
	f := newFolder(t)
	id := f.finished(0)
	last := f.events("run finished")[id][0].UTC
	f.today(365)
	for _, days := range []int{-1, 1, 364, 1 << 30} {
		o := order()
		o.Days = days
		if _, err := f.keeper().Prune(t.Context(), o); !errors.Is(err, retain.ErrPruneRequest) {
			t.Errorf("%d days: %v", days, err)
		}
	}
	for _, o := range []retain.PruneRequest{{By: " ", Reason: "x"}, {By: "Ada", Reason: ""}, {By: "Ada", Reason: "two\nlines"}, {By: strings.Repeat("x", 201), Reason: "x"}} {
		if _, err := f.keeper().Prune(t.Context(), o); !errors.Is(err, retain.ErrPruneRequest) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := retain.Open(f.dir, f.store.Log.(*ledger.Ledger), f.clock.now, retain.Options{Days: 0, Damage: func(context.Context, string) (string, error) { return "", nil }, Uses: baseline.Uses}); !errors.Is(err, retain.ErrPruneRequest) {
		t.Errorf("a retention of no day: %v", err)
	}
	f.clock.set(last.Add(365*day - 2*time.Millisecond))
	if got := f.prune(order()); len(got.Deleted) != 0 || !f.there(id) {
		t.Errorf("a millisecond too early: %+v", got.Deleted)
	}
	longer := order()
	longer.Days = 400
	f.clock.set(last.Add(365*day + time.Second))
	if got := f.prune(longer); len(got.Deleted) != 0 || !f.there(id) {
		t.Errorf("400 days asked for: %+v", got.Deleted)
	}
	f.clock.set(last.Add(365*day + time.Second))
	if got := f.prune(order()); len(got.Deleted) != 1 || f.there(id) {
		t.Errorf("then: %+v", got.Deleted)
	}
}

// A hold keeps a run for ever, until a person releases it; both are events, in
// one transaction with the record (B8: legal hold).
func TestHold(t *testing.T) {
	f, ctx := newFolder(t), t.Context()
	id := f.finished(0)
	if _, err := f.keeper().Release(ctx, id, "Ada", "x"); !errors.Is(err, retain.ErrNotHeld) {
		t.Errorf("released what is not held: %v", err)
	}
	for _, run := range []string{"20200101T120000.000Z-aaaaaa", "latest", "../" + id, ""} {
		if _, err := f.keeper().Hold(ctx, run, "Ada", "x"); !errors.Is(err, retain.ErrNoRun) {
			t.Errorf("held %q: %v", run, err)
		}
	}
	if _, err := f.keeper().Hold(ctx, id, "", "x"); err == nil {
		t.Error("held by nobody")
	}
	must[retain.Hold](t)(f.keeper().Hold(ctx, id, " Grace Hopper ", "case 7"))
	if _, err := f.keeper().Hold(ctx, id, "Ada", "case 8"); !errors.Is(err, retain.ErrHeld) || !strings.Contains(err.Error(), "case 7") {
		t.Errorf("held twice: %v", err)
	}
	for _, on := range []int{400, 4000, 40000} {
		f.today(on)
		if got := f.prune(order()); !f.there(id) || !strings.Contains(why(got.Kept)[id], "case 7") {
			t.Fatalf("day %d: %v", on, why(got.Kept))
		}
	}
	if h := must[retain.Hold](t)(f.keeper().Release(ctx, id, "Ada", "case 7 is closed")); h.By != "Grace Hopper" {
		t.Errorf("released %+v", h)
	}
	if got := f.prune(order()); f.there(id) {
		t.Errorf("after the release: %v", why(got.Kept))
	}
	if e := f.events("run held")[id]; len(e) != 1 || e[0].Actor.ID != "Grace Hopper" || e[0].Reason != "case 7" {
		t.Errorf("held: %+v", e)
	}
	if e := f.events("run released")[id]; len(e) != 1 || e[0].Reason != "case 7 is closed" {
		t.Errorf("released: %+v", e)
	}
}

// A clock that was set forward makes nothing old: a person has to confirm the
// date, and the log tells that (B8).
func TestClock(t *testing.T) {
	f := newFolder(t)
	id := f.finished(0)
	f.clock.set(epoch().Add(800 * day))
	before := f.tree()
	for _, today := range []string{"", "2020-01-02", "2022-03-13"} {
		o := order()
		o.Today = today
		got, err := f.keeper().Prune(t.Context(), o)
		if !errors.Is(err, retain.ErrClock) || len(got.Deleted) != 0 || !strings.Contains(got.Clock, "799 days after the newest entry") {
			t.Errorf("today %q: %v, %+v", today, err, got)
		}
	}
	if got := f.prune(retain.PruneRequest{DryRun: true}); got.Clock == "" || len(got.Deleted) != 1 {
		t.Errorf("a dry run does not tell: %+v", got)
	}
	if !equal(before, f.tree()) {
		t.Error("something was changed")
	}
	confirmed := order()
	confirmed.Today = "2022-03-11"
	f.prune(confirmed)
	if e := f.events("run deleted")[id]; f.there(id) || len(e) != 1 || !strings.Contains(e[0].Reason, "799 days after the newest entry of the log; who signs says that it is right") {
		t.Errorf("confirmed: %+v", e)
	}
	// Backwards: nothing is old, and the report tells.
	f.clock.set(epoch().Add(-10 * day))
	if got := f.prune(order()); !strings.Contains(got.Clock, "one of them is wrong") {
		t.Errorf("backwards: %+v", got)
	}
}

// What happens to a run after it was chosen, and before the log says that it is
// deleted, keeps it (B8).
func TestMeanwhile(t *testing.T) {
	f := newFolder(t)
	held, written, gone, old := f.finished(0), f.unfinished(1), f.unfinished(2), f.finished(3)
	f.today(400)
	once := map[string]func() error{
		held: func() error {
			_, err := f.keeper().Hold(t.Context(), held, "Grace Hopper", "case 7")
			return err
		},
		written: func() error {
			file, err := os.OpenFile(filepath.Join(f.dir, "runs", written, "events.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = file.WriteString("{}\n")
			return errors.Join(err, file.Close())
		},
		gone: func() error { return os.RemoveAll(filepath.Join(f.dir, "runs", gone)) },
	}
	report, err := f.keeperThat(func(id string) {
		if do := once[id]; do != nil {
			if err := do(); err != nil {
				t.Error(err)
			}
		}
	}).Prune(t.Context(), order())
	if err != nil {
		t.Fatal(err)
	}
	kept := why(report.Kept)
	for id, want := range map[string]string{held: "held since this moment", written: "somebody writes to it"} {
		if !strings.Contains(kept[id], want) || len(f.events("run deleted")[id]) != 0 {
			t.Errorf("%s: %q, want %q", id, kept[id], want)
		}
	}
	if _, told := kept[gone]; told || len(report.Deleted) != 1 || !f.there(held) || !f.there(written) || f.there(old) {
		t.Errorf("deleted: %v", why(report.Deleted))
	}
}

// A database that was rolled back knows too little to delete anything (B8).
func TestRolledBack(t *testing.T) {
	f := newFolder(t)
	old := f.finished(0)
	database := filepath.Join(f.dir, "assay.db")
	before := must[[]byte](t)(os.ReadFile(database))
	f.today(400)
	if err := os.WriteFile(database, before, 0o600); err != nil {
		t.Fatal(err)
	}
	o := order()
	o.Today = "2021-02-04"
	if got, err := f.keeper().Prune(t.Context(), o); !errors.Is(err, ledger.ErrRolledBack) || len(got.Deleted) != 0 || !f.there(old) {
		t.Errorf("%v: %v", err, why(got.Deleted))
	}
}
