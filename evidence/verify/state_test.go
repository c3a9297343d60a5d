package verify_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/qa"
)

// A run that was killed while its documents got their names has faults of
// nobody's making: what is not there yet is not told as removed. Changed while
// they wait, they are (B8).
func TestKilledAtTheEnd(t *testing.T) {
	store, dir := stored(t, time.Now)
	f := &folder{t: t, dir: dir}
	id := work(t, store, 1, 1, 30, true)
	run := "runs/" + id + "/"
	names := []string{"report.json", "report.html", "junit.xml", "evidence.json"} // taken back in this order
	for i, name := range names {
		f.move(run+name, run+name+".tmp")
		r := f.run(id, verify.Options{})
		if got := faults(r); r.Verdict != verify.Incomplete || len(got) > 0 || !slices.ContainsFunc(r.Findings, func(f verify.Finding) bool { return f.Code == "run-unfinished" }) {
			t.Errorf("without %q: %+v", names[:i+1], r)
		}
		if all := f.all(verify.Options{}); len(faults(all)) > 0 {
			t.Errorf("all, without %q: %+v", names[:i+1], all)
		}
	}
	f.move(run+"evidence.json.tmp", run+"evidence.json")
	f.write(run+"report.json.tmp", []byte("{}"))
	if r := f.run(id, verify.Options{}); !slices.Contains(faults(r), told{"file-missing", "report.json", 0}) {
		t.Errorf("changed: %+v", r)
	}
	f.remove(run + "report.json.tmp")
	f.remove(run + "evidence.json")
	if r := f.run(id, verify.Options{}); !slices.Contains(faults(r), told{"evidence-missing", "evidence.json", 0}) {
		t.Errorf("removed: %+v", r)
	}
}

// The log has the first line of a run that has no end: who makes the event log
// anew is found (B8).
func TestUnfinishedJournal(t *testing.T) {
	store, dir := stored(t, time.Now)
	f := &folder{t: t, dir: dir}
	run, err := store.Start(qa.TaskSpec{Goal: "going on"})
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Event(evidence.Event{Tool: "browser_click", Step: run.NextStep()}); err != nil {
		t.Fatal(err)
	}
	journal := "runs/" + run.ID() + "/events.jsonl"
	lines := slices.Collect(strings.Lines(string(f.read(journal))))
	lines[0] = strings.Replace(lines[0], "going on", "other", 1)
	f.write(journal, []byte(strings.Join(rechained(lines), "")))
	f.wants(run.ID(), verify.Options{}, told{"journal-broken", "events.jsonl", 1})
}

// Pictures and calls that were left out, as was set, are told of; pictures are
// checked by the event log then (B8).
func TestSettings(t *testing.T) {
	store, dir := stored(t, time.Now)
	store.NoPictureHashes, store.NoAudit = true, true
	f := &folder{t: t, dir: dir}
	id := work(t, store, 1, 1, 30, true)
	r := f.run(id, verify.Options{})
	if r.Verdict != verify.Verified || len(r.Findings) != 2 || r.Findings[0].Code != "setting" {
		t.Errorf("%+v", r)
	}
	f.write("runs/"+id+"/screenshots/001-page.png", []byte("\x89PNG\r\n\x1a\nother"))
	f.wants(id, verify.Options{}, told{"file-changed", "screenshots/001-page.png", 0})
}

// What keeps the log from being read does not keep the files from being looked
// at, and nothing is verified without it (B8).
func TestNoLog(t *testing.T) {
	store, dir := stored(t, time.Now)
	f := &folder{t: t, dir: dir}
	id := work(t, store, 1, 1, 30, true)
	whole := f.read("assay.db")
	for name, c := range map[string]struct {
		db      []byte
		verdict verify.Verdict
		code    string
	}{
		"garbled": {[]byte(strings.Repeat("x", 40_000)), verify.Failed, "log-damaged"},
		"half":    {whole[:len(whole)/2], verify.Failed, "log-damaged"},
		"no log":  {nil, verify.Failed, "log-missing"},
	} {
		t.Run(name, func(t *testing.T) {
			f.remove("assay.db")
			if c.db != nil {
				f.write("assay.db", c.db)
			}
			r := f.run(id, verify.Options{})
			if r.Verdict != c.verdict || r.Findings[0].Code != c.code || r.Files < 4 || r.Entries != 2 {
				t.Errorf("%+v", r)
			}
		})
	}
	f.write("assay.db", whole)
	held := make(chan struct{})
	done := make(chan error)
	go func() {
		begun, err := evidence.Open(dir, time.Now)
		if err == nil {
			err = begun.Log.Update(context.Background(), heldUntil(held))
		}
		done <- err
	}()
	<-held
	r := f.run(id, verify.Options{})
	held <- struct{}{}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if r.Verdict != verify.Incomplete || r.Findings[0].Code != "log-locked" || r.Files < 4 {
		t.Errorf("%+v", r)
	}
}

// heldUntil keeps the ledger busy from when it says so until it is told.
func heldUntil(held chan struct{}) func(*ledger.Tx) error {
	return func(*ledger.Tx) error {
		held <- struct{}{}
		<-held
		return nil
	}
}

// BenchmarkRun verifies a run of 500 calls and 50 pictures of 100 KB.
func BenchmarkRun(b *testing.B) {
	dir := b.TempDir()
	store, err := evidence.Open(dir, time.Now)
	if err != nil {
		b.Fatal(err)
	}
	run, err := store.Start(qa.TaskSpec{Goal: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	picture := append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 100_000)...)
	for i := range 50 {
		picture[100] = byte(i)
		if _, err := run.SaveScreenshot("page", picture, 10, 10, i); err != nil {
			b.Fatal(err)
		}
	}
	for range 500 {
		if err := run.Event(evidence.Event{Tool: "browser_click", Step: run.NextStep()}); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := run.Finish("", qa.Environment{}, nil); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if r, err := verify.Run(b.Context(), dir, run.ID(), verify.Options{}); err != nil || r.Verdict != verify.Verified {
			b.Fatal(r, err)
		}
	}
}
