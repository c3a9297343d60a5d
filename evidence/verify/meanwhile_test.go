package verify

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
)

// A picture that is deleted, by an entry of the log, after the log was read is
// not missed. One that is removed without an entry is (B8).
func TestDeletedMeanwhile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	l, blobs := ledger.Open(dir, time.Now, ledger.Options{}), ledger.OpenBlobs(dir)
	var digests []string
	for _, text := range []string{"deleted", "removed", "there"} {
		digest, err := blobs.Put([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, digest)
	}
	enter := func(e ledger.Event) {
		t.Helper()
		if err := l.Update(t.Context(), func(tx *ledger.Tx) error {
			_, err := tx.Append(e)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	actor := ledger.Actor{Kind: "human", ID: "Ada"}
	enter(ledger.Event{Actor: actor, Action: "baseline rejected", Record: "b-1", Subject: digests})
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	v, err := newVerification("", Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := v.dataFolder(ctx, root, dir); err != nil {
		t.Fatal(err)
	}
	p, err := readLog(ctx, v.findings, v.ring, v.log)
	if err != nil {
		t.Fatal(err)
	}
	enter(ledger.Event{Actor: actor, Action: "blob deleted", Record: digests[0], Subject: digests[:1]})
	for _, digest := range digests[:2] {
		if err := blobs.Delete(digest); err != nil {
			t.Fatal(err)
		}
	}
	if err := (&baselineCheck{v.findings, p}).check(ctx, root); err != nil {
		t.Fatal(err)
	}
	if found := v.report.Findings; len(found) != 1 || found[0].Code != "blob-missing" || found[0].Expected != digests[1] {
		t.Errorf("%+v, want that %s is missing", found, digests[1])
	}
}

// A baseline that is captured after the log was read, of which a run that ended
// since has made the verifier look again, is no record that the log does not
// know (B8).
func TestCapturedMeanwhile(t *testing.T) {
	dir := t.TempDir()
	l := ledger.Open(dir, time.Now, ledger.Options{})
	enter := func(e ledger.Event, put ...string) {
		t.Helper()
		if err := l.Update(t.Context(), func(tx *ledger.Tx) error {
			for _, id := range put {
				if err := tx.Put(ledger.BaselinesTable, id, []byte(`{"id":"`+id+`","status":"unapproved"}`)); err != nil {
					return err
				}
			}
			_, err := tx.Append(e)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	actor := ledger.Actor{Kind: "agent", ID: "run"}
	enter(ledger.Event{Actor: actor, Action: "run started", Record: "run"})
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	v, err := newVerification("", Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := v.dataFolder(ctx, root, dir); err != nil {
		t.Fatal(err)
	}
	p, err := readLog(ctx, v.findings, v.ring, v.log)
	if err != nil {
		t.Fatal(err)
	}
	enter(ledger.Event{Actor: actor, Action: "baseline captured", Record: "b-1"}, "b-1")
	if err := v.log.look(ctx); err != nil {
		t.Fatal(err)
	}
	v.log.checkNewest(v.findings, v.ring)
	if err := (&baselineCheck{v.findings, p}).check(ctx, root); err != nil {
		t.Fatal(err)
	}
	if len(v.report.Findings) > 0 {
		t.Errorf("%+v", v.report.Findings)
	}
}
