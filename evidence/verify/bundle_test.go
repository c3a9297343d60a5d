package verify_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/bundle"
	"github.com/assay-qa/assay/evidence/verify"
)

// export packs a run and returns the zip's path.
func (f *folder) export(id string) string {
	f.t.Helper()
	out := filepath.Join(f.t.TempDir(), "bundle.zip")
	if _, err := bundle.Write(f.t.Context(), bundle.Source{Dir: f.dir, Run: id, Ledger: f.log}, out); err != nil {
		f.t.Fatal(err)
	}
	return out
}

func bundled(t *testing.T, path string, o verify.Options) verify.Report {
	t.Helper()
	r, err := verify.Bundle(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// B8: a bundle is verified without the data folder, also against a checkpoint
// that was kept elsewhere.
func TestBundle(t *testing.T) {
	f := newFolder(t)
	f.make(recipe{})
	id := f.make(recipe{pictures: 1, events: 1})
	f.make(recipe{})
	kept := f.read("log/checkpoint")
	path := f.export(id)
	f.make(recipe{})
	later := f.read("log/checkpoint")
	r := bundled(t, path, verify.Options{Trusted: []string{f.verifier()}, Checkpoint: kept})
	if r.Verdict != verify.Verified || len(r.Findings) > 0 || r.Runs != 1 || r.Files != 4 || r.Entries != 2 || r.Status != "passed" || !slices.Equal(r.Keys, []verify.Key{{Verifier: f.verifier(), Pinned: true}}) {
		t.Errorf("%+v", r)
	}
	r = bundled(t, path, verify.Options{Checkpoint: later})
	if r.Verdict != verify.Incomplete || !slices.Equal(found(r), []told{{"checkpoint-unseen", "--checkpoint", 0}}) {
		t.Errorf("a checkpoint that no proof leads to: %+v", r)
	}
	other := newFolder(t)
	other.make(recipe{})
	if r := bundled(t, path, verify.Options{Trusted: []string{other.verifier()}}); !slices.Contains(faults(r), told{"key-not-pinned", "run/evidence.json", 0}) {
		t.Errorf("another key is pinned: %+v", r)
	}
}

// B8: every fifth byte of a bundle, changed alone, is found, or changes nothing
// that anybody unpacks: a few bits of compressed bytes mean nothing.
func TestBundleFlips(t *testing.T) {
	f := newFolder(t)
	id := f.make(recipe{pictures: 1, size: 40})
	path := f.export(id)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := contents(t, whole)
	free := make(chan string, len(whole))
	var all []change
	for i, c := range flips("bundle.zip", len(whole)) {
		if i%5 == 0 {
			all = append(all, c)
		}
	}
	tryAll(t, filepath.Dir(path), all, func(dir string, c change) string {
		r, err := verify.Bundle(t.Context(), filepath.Join(dir, "bundle.zip"), verify.Options{})
		if err != nil || r.Verdict != verify.Verified {
			return ""
		}
		changed, err := os.ReadFile(filepath.Join(dir, "bundle.zip"))
		if err != nil {
			return err.Error()
		}
		if !slices.Equal(contents(t, changed), want) {
			return "verified, and it unpacks to something else"
		}
		free <- c.what
		return ""
	})
	close(free)
	t.Logf("%d of them change nothing that is unpacked", len(free))
	if len(free) > len(all)/100 {
		t.Error("these are too many to mean nothing")
	}
}

// contents returns names and bytes of what is in a zip.
func contents(t *testing.T, data []byte) []string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f.Name+"\n"+string(text))
	}
	return all
}

// entryOf is a file of a zip.
type entryOf struct{ name, text string }

// repack writes a bundle anew, changed.
func repack(t *testing.T, path string, change func([]entryOf) []entryOf) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []entryOf
	for _, file := range contents(t, data) {
		name, text, _ := strings.Cut(file, "\n")
		all = append(all, entryOf{name, text})
	}
	out := filepath.Join(t.TempDir(), "again.zip")
	file, err := os.Create(out)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(file)
	for _, e := range change(all) {
		w, err := z.Create(e.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(e.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmp.Or(z.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return out
}

func without(name string) func([]entryOf) []entryOf {
	return func(all []entryOf) []entryOf {
		return slices.DeleteFunc(all, func(e entryOf) bool { return e.name == name })
	}
}

// B8: a bundle that somebody packed anew.
func TestBundleChanged(t *testing.T) {
	f := newFolder(t)
	id := f.make(recipe{pictures: 1})
	f.make(recipe{})
	path := f.export(id)
	adding := func(name string) func([]entryOf) []entryOf {
		return func(all []entryOf) []entryOf { return append(all, entryOf{name, "x"}) }
	}
	for name, c := range map[string]struct {
		change func([]entryOf) []entryOf
		code   string
		file   string
	}{
		"a file is gone":      {without("run/screenshots/001-page.png"), "file-missing", "run/screenshots/001-page.png"},
		"the statement":       {without("run/evidence.json"), "evidence-missing", "run/evidence.json"},
		"a file of the run":   {adding("run/extra.txt"), "file-unknown", "run/extra.txt"},
		"a strange file":      {adding("key"), "file-unknown", "key"},
		"leads out":           {adding("../x"), "bundle-altered", "../x"},
		"absolute":            {adding("/x"), "bundle-altered", "/x"},
		"a backslash":         {adding(`run\report.json`), "bundle-altered", `run\report.json`},
		"twice":               {adding("run/report.json"), "bundle-altered", "run/report.json"},
		"a folder":            {func(all []entryOf) []entryOf { return append(all, entryOf{"run/x/", ""}) }, "bundle-altered", "run/x/"},
		"the proofs are gone": {without("log/proofs.json"), "proofs-wrong", "log/proofs.json"},
		"no entries":          {without("log/entries.jsonl"), "file-missing", "log/entries.jsonl"},
		"no instructions":     {without("README.md"), "sums-wrong", "SHA256SUMS"},
		"no sums":             {without("SHA256SUMS"), "file-missing", "SHA256SUMS"},
	} {
		t.Run(name, func(t *testing.T) {
			r := bundled(t, repack(t, path, c.change), verify.Options{})
			if r.Verdict != verify.Failed || !slices.Contains(faults(r), told{c.code, c.file, faultLine(r, c.code)}) {
				t.Errorf("%+v", r.Findings)
			}
		})
	}
	for _, file := range []string{"log/checkpoint", "log/keys"} {
		if r := bundled(t, repack(t, path, without(file)), verify.Options{}); r.Verdict == verify.Verified {
			t.Errorf("without %s: %+v", file, r)
		}
	}
}

// B8: a bundle of a log that was written anew, and one that leaves out what the
// log says of the run.
func TestBundleForked(t *testing.T) {
	f := newFolder(t)
	f.make(recipe{})
	old, note := f.read("assay.db"), f.read("log/checkpoint")
	id := f.make(recipe{})
	kept := f.read("log/checkpoint")
	whole := f.export(id)
	f.write("assay.db", old)
	f.write("log/checkpoint", note)
	for range 4 {
		f.human("baseline rejected", "b-1")
	}
	if r := bundled(t, f.export(id), verify.Options{}); r.Verdict != verify.Incomplete || !slices.Equal(found(r), []told{{"proofs-missing", "log/proofs.json", 0}, {"proofs-missing", "log/proofs.json", 0}}) {
		t.Errorf("nothing leads from the run to this log: %+v", r)
	}
	forked := otherRoot(f, kept)
	if r := bundled(t, whole, verify.Options{Checkpoint: forked}); !slices.Equal(faults(r), []told{{"log-forked", "--checkpoint", 0}}) {
		t.Errorf("another log of the same size was kept: %+v", r)
	}
	proving := func(change func(*attest.Proofs), entries func(string) string) string {
		return repack(t, whole, func(all []entryOf) []entryOf {
			for i, e := range all {
				switch e.name {
				case "log/entries.jsonl":
					all[i].text = entries(e.text)
				case "log/proofs.json":
					var proofs attest.Proofs
					if err := json.Unmarshal([]byte(e.text), &proofs); err != nil {
						t.Fatal(err)
					}
					change(&proofs)
					all[i].text = string(indented(t, proofs))
				}
			}
			return all
		})
	}
	same := func(text string) string { return text }
	swapped := proving(func(p *attest.Proofs) { p.Growth[0].Proof = p.Entries[0].Proof }, same)
	if r := bundled(t, swapped, verify.Options{}); !slices.Contains(faults(r), told{"log-forked", "run/report.json", 0}) {
		t.Errorf("a proof of something else: %+v", r)
	}
	swapped = proving(func(p *attest.Proofs) { p.Entries[0].Proof = p.Entries[1].Proof }, same)
	if r := bundled(t, swapped, verify.Options{}); !slices.Contains(faults(r), told{"entry-unproved", "log/entries.jsonl", 0}) {
		t.Errorf("another entry's proof: %+v", r)
	}
	silent := proving(func(p *attest.Proofs) { p.Entries = []attest.Inclusion{} }, func(string) string { return "" })
	if r := bundled(t, silent, verify.Options{}); !slices.Contains(faults(r), told{"log-forked", "run/evidence.json", 0}) {
		t.Errorf("it says nothing of the run: %+v", r)
	}
}

// otherRoot returns a checkpoint of the same size as another, over other entries.
func otherRoot(f *folder, like []byte) []byte {
	f.t.Helper()
	c, err := attest.ReadCheckpoint(like)
	if err != nil {
		f.t.Fatal(err)
	}
	key, err := f.log.Key()
	if err != nil {
		f.t.Fatal(err)
	}
	c.Root[0]++
	signed, err := attest.SignCheckpoint(c, key)
	if err != nil {
		f.t.Fatal(err)
	}
	return signed
}

func faultLine(r verify.Report, code string) int {
	for _, f := range r.Findings {
		if f.Code == code {
			return f.Line
		}
	}
	return 0
}
