package verify_test

import (
	"bytes"
	"crypto/rand"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/verify"
)

func (f *folder) all(o verify.Options) verify.Report {
	f.t.Helper()
	r, err := verify.All(f.t.Context(), f.dir, o)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

// found returns the codes and files of all findings.
func found(r verify.Report) []told {
	all := []told{}
	for _, f := range r.Findings {
		all = append(all, told{f.Code, f.File, f.Line})
	}
	return all
}

// wantsAll fails unless the whole folder comes to that.
func (f *folder) wantsAll(o verify.Options, verdict verify.Verdict, want ...told) verify.Report {
	f.t.Helper()
	r := f.all(o)
	if got := found(r); r.Verdict != verdict || !cmp.Equal(got, append([]told{}, want...)) {
		f.t.Errorf("%s, want %s: %s", r.Verdict, verdict, cmp.Diff(want, got))
	}
	return r
}

// human appends what a person did.
func (f *folder) human(action, record string, subject ...string) {
	f.append(nil, ledger.Event{Actor: ledger.Actor{Kind: "human", ID: "Ada Lovelace"}, Action: action, Record: record, Subject: subject, Reason: "test"})
}

// B8: a whole folder, with a log of several tiles.
func TestAll(t *testing.T) {
	f := newFolder(t)
	for range 5 {
		f.make(recipe{pictures: 1})
	}
	err := f.log.Update(t.Context(), func(tx *ledger.Tx) error {
		for range 300 {
			if _, err := tx.Append(ledger.Event{Actor: ledger.Actor{Kind: "human", ID: "Ada"}, Action: "run held", Record: "20260101T000000.000Z-aaaaaa", Reason: "audit"}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	f.human("run deleted", "20260101T000000.000Z-aaaaaa")
	last := f.make(recipe{})
	r := f.wantsAll(verify.Options{Trusted: []string{f.verifier()}}, verify.Verified)
	if r.Runs != 6 || r.Entries != 313 || !slices.Equal(r.Keys, []verify.Key{{Verifier: f.verifier(), Pinned: true}}) {
		t.Errorf("%+v", r)
	}
	// A tile of the log that was changed, or lost, is named; what can be looked at without it is.
	tiles, err := os.ReadDir(f.path("blobs/sha256"))
	if err != nil || len(tiles) == 0 {
		t.Fatal(err)
	}
	within, err := os.ReadDir(f.path("blobs/sha256/" + tiles[0].Name()))
	if err != nil {
		t.Fatal(err)
	}
	tile := "blobs/sha256/" + tiles[0].Name() + "/" + within[0].Name()
	f.write(tile, append(f.read(tile), '\n'))
	if r := f.all(verify.Options{}); r.Verdict != verify.Failed || r.Entries != 313-64 || !slices.Contains(faults(r), told{"log-damaged", tile, 0}) {
		t.Errorf("%+v", r)
	}
	if r := f.run(last, verify.Options{}); r.Files == 0 {
		t.Errorf("nothing was looked at: %+v", r)
	}
}

// B8: runs that are gone, and runs that the log does not know.
func TestRunsAndLog(t *testing.T) {
	f := newFolder(t)
	gone, deleted, half := f.make(recipe{}), f.make(recipe{}), f.make(recipe{})
	for _, id := range []string{gone, deleted} {
		f.remove("runs/" + id)
	}
	f.human("run deleted", deleted)
	f.human("run deleted", half)
	f.remove("runs/" + half + "/report.json")
	f.append(nil, ledger.Event{Action: "run started", Record: "20260101T000000.000Z-bbbbbb"})
	r := f.all(verify.Options{})
	got := faults(r)
	for _, want := range []told{{"run-missing", "runs/" + gone, 0}, {"run-missing", "runs/20260101T000000.000Z-bbbbbb", 0}} {
		if !slices.Contains(got, want) {
			t.Errorf("want %+v, got %+v", want, got)
		}
	}
	if slices.ContainsFunc(r.Findings, func(f verify.Finding) bool { return f.Run == deleted }) {
		t.Errorf("a deleted run is missed: %+v", r)
	}
	if !slices.Contains(found(r), told{"run-deleted", "runs/" + half, 0}) {
		t.Errorf("want a note of the half deleted run: %+v", r)
	}
}

// B8: a run that was made elsewhere, or never entered in the log.
func TestForeignRun(t *testing.T) {
	f, stranger := newFolder(t), newFolder(t)
	f.make(recipe{})
	stranger.made = 5
	id := stranger.make(recipe{})
	if err := os.CopyFS(f.path("runs/"+id), os.DirFS(stranger.path("runs/"+id))); err != nil {
		t.Fatal(err)
	}
	if r := f.all(verify.Options{}); r.Verdict != verify.Failed || !slices.Contains(faults(r), told{"checkpoint-signature", "evidence.json", 0}) {
		t.Errorf("another log's: %+v", r)
	}
	f.remove("runs/" + id + "/evidence.json")
	if r := f.all(verify.Options{}); r.Verdict != verify.Failed || !slices.Contains(faults(r), told{"evidence-missing", "evidence.json", 0}) {
		t.Errorf("without its evidence: %+v", r)
	}
	f.write("runs/"+id+"/events.jsonl", []byte(`{"runId":"`+id+`","event":"run.started"}`+"\n"))
	if r := f.all(verify.Options{}); r.Verdict != verify.Incomplete || !slices.Contains(found(r), told{"evidence-none", "evidence.json", 0}) {
		t.Errorf("as an older version has made it: %+v", r)
	}
}

// B8: an older copy of the database, or of all but what was kept elsewhere.
func TestRollback(t *testing.T) {
	f := newFolder(t)
	f.make(recipe{})
	old, oldNote := f.read("assay.db"), f.read("log/checkpoint")
	id := f.make(recipe{})
	newest, kept := f.read("assay.db"), f.read("log/checkpoint")
	f.write("assay.db", old)
	f.wants(id, verify.Options{}, told{"log-rolled-back", "log/checkpoint", 0}, told{"log-rolled-back", "report.json", 0}, told{"log-rolled-back", "evidence.json", 0})
	f.write("log/checkpoint", oldNote)
	f.wants(id, verify.Options{}, told{"log-rolled-back", "report.json", 0}, told{"log-rolled-back", "evidence.json", 0})
	f.remove("runs/" + id)
	f.wantsAll(verify.Options{}, verify.Verified) // nothing in the folder tells: docs/threat-model.md
	f.wantsAll(verify.Options{Checkpoint: kept}, verify.Failed, told{"log-rolled-back", "--checkpoint", 0})
	f.write("assay.db", newest) // an older copy of log/checkpoint is what a crash leaves
	f.wantsAll(verify.Options{Checkpoint: kept}, verify.Failed, told{"run-missing", "runs/" + id, 0})
	f.remove("assay.db")
	f.wantsAll(verify.Options{}, verify.Failed, told{"log-missing", "assay.db", 0})
	f.remove("log/checkpoint")
	if r := f.all(verify.Options{}); r.Verdict != verify.Incomplete {
		t.Errorf("without any log: %+v", r)
	}
}

// B8: a log that the key's holder has written anew from some entry on.
func TestFork(t *testing.T) {
	f := newFolder(t)
	f.make(recipe{})
	old, note := f.read("assay.db"), f.read("log/checkpoint")
	id := f.make(recipe{})
	kept := f.read("log/checkpoint")
	f.write("assay.db", old)
	f.write("log/checkpoint", note)
	for range 4 {
		f.human("baseline rejected", "b-1")
	}
	f.wants(id, verify.Options{}, told{"log-forked", "report.json", 0}, told{"log-forked", "evidence.json", 0})
	f.remove("runs/" + id)
	f.wantsAll(verify.Options{}, verify.Verified) // as above
	f.wantsAll(verify.Options{Checkpoint: kept}, verify.Failed, told{"log-forked", "--checkpoint", 0})
}

// A14, B8: pictures of baselines, and the decisions on them.
func TestBaselines(t *testing.T) {
	f := newFolder(t)
	blobs := ledger.OpenBlobs(f.dir)
	put := func(text string) string {
		digest, err := blobs.Put([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return digest
	}
	picture, layout, lost := put("picture"), put("layout"), put("lost")
	version := func(status string) {
		err := f.log.Update(t.Context(), func(tx *ledger.Tx) error {
			return tx.Put("baselines", "b-1", []byte(`{"id":"b-1","status":"`+status+`","pictures":[{"sha256":"`+picture+`","layout":"`+layout+`"}],"decision":{"by":"Ada Lovelace","reason":"test"}}`))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	f.human("baseline approved", "b-1", picture)
	version("approved")
	f.human("baseline proposed", "b-2", lost)
	f.human("blob deleted", lost, lost)
	file := func(digest string) string { return ledger.BlobFile(digest) }
	f.remove(file(lost))
	f.wantsAll(verify.Options{}, verify.Verified)
	f.write(file(layout), []byte("other"))
	f.wantsAll(verify.Options{}, verify.Failed, told{"blob-changed", file(layout), 0})
	f.write(file(layout), []byte("layout"))
	f.remove(file(picture))
	f.wantsAll(verify.Options{}, verify.Failed, told{"blob-missing", file(picture), 0})
	put("picture")
	version("rejected")
	f.wantsAll(verify.Options{}, verify.Failed, told{"baseline-changed", "assay.db", 0})
	version("superseded") // which only another one's approval brings about
	f.wantsAll(verify.Options{}, verify.Failed, told{"baseline-changed", "assay.db", 0})
}

// setTakeover stores the checkpoint by which a key took over.
func (f *folder) setTakeover(key, signed string) {
	f.t.Helper()
	if err := f.log.Update(f.t.Context(), func(tx *ledger.Tx) error { return tx.Put("keys", key, []byte(signed)) }); err != nil {
		f.t.Fatal(err)
	}
}

// A14: a key that took over is believed by who pinned the one before; one that
// the log does not know is found.
func TestRotation(t *testing.T) {
	f := newFolder(t)
	before := f.make(recipe{})
	first := f.verifier()
	if _, err := f.log.Rotate(t.Context(), "Ada Lovelace", "as every year"); err != nil {
		t.Fatal(err)
	}
	after := f.make(recipe{})
	second := f.verifier()
	for _, id := range []string{before, after} {
		if r := f.run(id, verify.Options{Trusted: []string{first}}); r.Verdict != verify.Verified || len(r.Findings) > 0 {
			t.Errorf("with the first key: %+v", r)
		}
		if r := f.run(id, verify.Options{Trusted: []string{second}}); r.Verdict != verify.Verified {
			t.Errorf("with the second key: %+v", r)
		}
	}
	f.wantsAll(verify.Options{Trusted: []string{first}}, verify.Verified)
	var both string // signed the checkpoint by which the second took over
	f.view(func(tx *ledger.Tx) { signed, _ := tx.Takeover(second); both = string(signed) })
	lines := strings.SplitAfter(both, "\n") // text of three, a blank one, then who signed
	for _, one := range []string{strings.Join(lines[:5], ""), strings.Join(append(lines[:4:4], lines[5:]...), "")} {
		f.setTakeover(second, one)
		if r := f.all(verify.Options{}); r.Verdict != verify.Failed || r.Findings[0].File != "log/keys" || r.Findings[0].Line != 2 {
			t.Errorf("signed in by one: %+v", r)
		}
	}
	f.setTakeover(second, both)
	whole := f.read("log/keys")
	other, err := attest.NewKey(rand.Reader, strings.SplitN(first, "+", 2)[0])
	if err != nil {
		t.Fatal(err)
	}
	f.write("log/keys", append(bytes.Clone(whole), other.Verifier()+"\n"...))
	f.wantsAll(verify.Options{}, verify.Failed, told{"key-unlogged", "log/keys", 3})
	f.write("log/key.next", []byte(other.Secret()+"\n"))
	f.wantsAll(verify.Options{}, verify.Verified, told{"key-unfinished", "log/keys", 3})
	f.remove("log/key.next")
	f.write("log/keys", whole)
	f.remove("log/key")
	if _, err := f.log.Rotate(t.Context(), "Ada Lovelace", "lost"); err != nil {
		t.Fatal(err)
	}
	// Who throws the key away and replaces it can enter that a run was deleted; who
	// has pinned the key sees that it isn't that one's word.
	f.human("run deleted", before)
	kept := f.path("runs/" + before)
	if err := os.Rename(kept, kept+".aside"); err != nil {
		t.Fatal(err)
	}
	f.wantsAll(verify.Options{}, verify.Verified, told{"key-replaced", "log/keys", 3})
	f.wantsAll(verify.Options{Trusted: []string{first}}, verify.Failed, told{"key-not-pinned", "assay.db", 0}, told{"key-replaced", "log/keys", 3})
	if err := os.Rename(kept+".aside", kept); err != nil {
		t.Fatal(err)
	}
	third := f.make(recipe{})
	f.wants(third, verify.Options{Trusted: []string{first}}, told{"key-not-pinned", "evidence.json", 0})
}

// The clock going back is worth a word, and no more: the order is proved (E5).
func TestClockBack(t *testing.T) {
	f := newFolder(t)
	f.make(recipe{})
	f.now = f.now.Add(-time.Hour)
	f.make(recipe{})
	r := f.wantsAll(verify.Options{}, verify.Verified, told{"clock-back", "assay.db", 0})
	if len(r.Findings) == 1 && !strings.Contains(r.Findings[0].Problem, "59m59") && !strings.Contains(r.Findings[0].Problem, "1h0m") {
		t.Errorf("it does not say by how much: %+v", r.Findings)
	}
}
