package verify_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/qa"
)

// unsigned changes records of the database, as somebody can who has no key.
func (f *folder) unsigned(change func(*ledger.Tx) error) {
	f.t.Helper()
	if err := ledger.Open(f.dir, time.Now, ledger.Options{}).Update(f.t.Context(), change); err != nil {
		f.t.Fatal(err)
	}
}

// B8: a log that somebody replaced by an empty one is no log that agrees.
func TestEmptied(t *testing.T) {
	f := newFolder(t)
	id := f.make(recipe{})
	f.remove("assay.db")
	note := f.read("log/checkpoint")
	f.remove("log/checkpoint")
	f.unsigned(func(tx *ledger.Tx) error { return tx.Put("holds", id, []byte("{}")) })
	f.wants(id, verify.Options{}, told{"log-rolled-back", "report.json", 0}, told{"log-rolled-back", "evidence.json", 0})
	if r := f.all(verify.Options{}); r.Verdict != verify.Failed {
		t.Errorf("all: %+v", r)
	}
	f.write("log/checkpoint", note)
	f.wants(id, verify.Options{}, told{"log-rolled-back", "log/checkpoint", 0}, told{"log-rolled-back", "report.json", 0}, told{"log-rolled-back", "evidence.json", 0})
}

// B8: a key that signs is in use, whatever looks like a rotation that was not
// ended: somebody wrote a log of their own, and named the folder's key before theirs.
func TestKeyUnfinished(t *testing.T) {
	own, f := newFolder(t), newFolder(t)
	own.make(recipe{})
	other, err := attest.NewKey(rand.Reader, "assay/other")
	if err != nil {
		t.Fatal(err)
	}
	f.write("log/key", []byte(other.Secret()+"\n"))
	id := f.make(recipe{})
	f.write("log/keys", []byte(own.verifier()+"\n"+other.Verifier()+"\n"))
	f.write("log/key.next", nil)
	want := told{"key-unlogged", "log/keys", 2}
	if r := f.all(verify.Options{}); r.Verdict != verify.Failed || !slices.Contains(faults(r), want) {
		t.Errorf("all: %+v", r)
	}
	if r := f.run(id, verify.Options{}); r.Verdict != verify.Failed || !slices.Contains(faults(r), want) {
		t.Errorf("the run: %+v", r)
	}
}

// B8: that the log says of a run that it was deleted makes nothing true of what
// lies there since. One that was put back as it was is told of.
func TestPutBack(t *testing.T) {
	f := newFolder(t)
	id := f.make(recipe{})
	f.human("run deleted", id)
	f.wantsAll(verify.Options{}, verify.Verified, told{"run-deleted", "runs/" + id, 0})
	report := f.read("runs/" + id + "/report.json")
	f.write("runs/"+id+"/report.json", append(report, ' '))
	if r := f.all(verify.Options{}); r.Verdict != verify.Failed || !slices.Contains(faults(r), told{"file-changed", "report.json", 0}) {
		t.Errorf("changed: %+v", r)
	}
	f.remove("runs/" + id + "/evidence.json")
	if r := f.all(verify.Options{}); r.Verdict == verify.Verified {
		t.Errorf("without its evidence: %+v", r)
	}
}

// B8: nobody signs a bundle's README.md, which is what a person reads first: it
// must not tell another outcome than the report.
func TestReadmeTellsAnother(t *testing.T) {
	f := newFolder(t)
	whole := f.export(f.make(recipe{change: func(r *qa.QAReport) { r.Status, r.Checks[0].Passed = qa.Failed, false }}))
	if r := bundled(t, whole, verify.Options{}); r.Verdict != verify.Verified || r.Status != "failed" {
		t.Fatalf("%+v", r)
	}
	changed := repack(t, whole, func(all []entryOf) []entryOf {
		var old, readme string
		for i, e := range all {
			if e.name == "README.md" {
				old = ledger.BlobDigest([]byte(e.text))
				all[i].text = strings.Replace(e.text, `Result   "failed"`, `Result   "passed"`, 1)
				readme = ledger.BlobDigest([]byte(all[i].text))
			}
		}
		for i, e := range all {
			if e.name == "SHA256SUMS" {
				all[i].text = strings.Replace(e.text, old, readme, 1)
			}
		}
		return all
	})
	r := bundled(t, changed, verify.Options{})
	if !slices.ContainsFunc(faults(r), func(f told) bool { return f.Code == "view-wrong" && f.File == "README.md" }) {
		t.Errorf("%+v", r)
	}
}

// A report of another version, which has a field that this one does not know, is
// as it was signed.
func TestOtherVersion(t *testing.T) {
	f := newFolder(t)
	const task = `{"goal":"look at the sales page","expectations":null,"later":{"a":"<&>"}}`
	sum := ledger.BlobDigest([]byte(strings.NewReplacer("<", `\u003c`, "&", `\u0026`, ">", `\u003e`).Replace(task)))
	id := f.make(recipe{
		written: func(report []byte) []byte {
			at, end := bytes.Index(report, []byte(`"task": `)), bytes.Index(report, []byte(`"startedAt"`))
			return slices.Concat(report[:at], []byte(`"task": `+task+",\n  "), report[end:])
		},
		finished: func(e *ledger.Event) { e.Options = sum },
		result:   func(r *attest.Result) { r.Settings[0].SHA256 = sum },
	})
	if r := f.run(id, verify.Options{}); r.Verdict != verify.Verified {
		t.Errorf("%+v", r)
	}
}

// Who looks at a run in a file manager has not tampered with it: what that leaves
// is told of, and is no fault. In the place of a signed file it is one.
func TestFileManager(t *testing.T) {
	f := newFolder(t)
	id := f.make(recipe{pictures: 1})
	run := "runs/" + id + "/"
	f.write(run+".DS_Store", []byte("x"))
	f.write(run+"screenshots/Thumbs.db", []byte("x"))
	r := f.run(id, verify.Options{})
	if r.Verdict != verify.Verified || !slices.Equal(found(r), []told{{"file-leftover", ".DS_Store", 0}, {"file-leftover", "screenshots/Thumbs.db", 0}}) {
		t.Errorf("%+v", r)
	}
	f.remove(run + "screenshots/001-page.png")
	f.wants(id, verify.Options{}, told{"file-missing", "screenshots/001-page.png", 0})
}

// B8: a key that was replaced is told of. Who leaves the one before out of the
// list, so that the new one looks like the first, is found.
func TestKeyHidden(t *testing.T) {
	f := newFolder(t)
	f.make(recipe{})
	f.remove("log/key")
	if _, err := f.log.Rotate(t.Context(), "Ada Lovelace", "lost"); err != nil {
		t.Fatal(err)
	}
	id := f.make(recipe{})
	if r := f.run(id, verify.Options{}); r.Verdict != verify.Verified || r.Findings[0].Code != "key-replaced" {
		t.Fatalf("%+v", r)
	}
	f.write("log/keys", []byte(f.verifier()+"\n"))
	for what, r := range map[string]verify.Report{"the run": f.run(id, verify.Options{}), "all": f.all(verify.Options{})} {
		if r.Verdict != verify.Failed || !slices.Contains(faults(r), told{"keys-changed", "log/keys", 1}) {
			t.Errorf("%s: %+v", what, r)
		}
	}
	f.unsigned(func(tx *ledger.Tx) error { tx.Delete("keys", f.verifier()); return nil })
	if r := f.all(verify.Options{}); r.Verdict != verify.Failed || !slices.Contains(faults(r), told{"keys-changed", "log/keys", 0}) {
		t.Errorf("and the record is gone: %+v", r)
	}
}

// B8: two keys that are called the same, as 32 bits of a digest are soon met, are found: a
// signature by either would be told as the other's.
func TestKeyTwin(t *testing.T) {
	f := newFolder(t)
	f.make(recipe{})
	const twin = "assay/twin+a411f7f7+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	f.write("log/keys", []byte(f.verifier()+"\n"+twin+"AN8m\n"+twin+"AWVp\n"))
	if r := f.all(verify.Options{}); r.Verdict != verify.Failed || !slices.Contains(faults(r), told{"keys-changed", "log/keys", 3}) {
		t.Errorf("%+v", r)
	}
}

// B8: nobody signs that there was a time-stamp. Who asks for one is told that it
// is not there.
func TestStampTaken(t *testing.T) {
	a := newAuthority(t)
	store, dir := stored(t, time.Now)
	store.Stamp = func(_ context.Context, checkpoint []byte) attest.Timestamp { return a.stamp(checkpoint, time.Now()) }
	id := work(t, store, 0, 0, 0, true)
	f := &folder{t: t, dir: dir}
	record, err := attest.ParseRecord(f.read("runs/" + id + "/evidence.json"))
	if err != nil {
		t.Fatal(err)
	}
	record.Timestamp = nil
	f.write("runs/"+id+"/evidence.json", indented(t, record))
	if r := f.run(id, verify.Options{Authorities: a.pool}); !slices.Equal(found(r), []told{{"timestamp-none", "evidence.json", 0}}) {
		t.Errorf("%+v", r)
	}
}
