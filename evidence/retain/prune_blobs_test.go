package retain_test

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/retain"
	"github.com/assay-qa/assay/evidence/verify"
	"github.com/assay-qa/assay/qa"
)

// pixels returns a PNG of one colour.
func pixels(t *testing.T, shade uint8) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 4, 2))
	for i := range m.Pix {
		m.Pix[i] = shade
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// shot returns a page in a shade, with what differs from what it was; all shots
// share the map of elements.
func shot(t *testing.T, name string, shade uint8) baseline.New {
	t.Helper()
	page, diff, layout := pixels(t, shade), pixels(t, 255-shade), []byte(`{"elements":[]}`)
	n := baseline.New{Blobs: map[string][]byte{ledger.BlobDigest(page): page, ledger.BlobDigest(diff): diff, ledger.BlobDigest(layout): layout}}
	n.Name, n.Run = name, "run-1"
	n.Environment = qa.VisualEnvironment{Browser: "chromium", Version: "142", Viewport: "1280×720", Scale: 1, Locale: "en-US", OS: "linux"}
	n.Pictures = []baseline.Picture{{SHA256: ledger.BlobDigest(page), Width: 4, Height: 2, Layout: ledger.BlobDigest(layout)}}
	n.Diffs = []string{ledger.BlobDigest(diff)}
	return n
}

// ageAll makes all blobs look as written on a day.
func (f *folder) ageAll(on int) {
	f.Helper()
	files, _, err := ledger.OpenBlobs(f.dir).List()
	if err != nil {
		f.Fatal(err)
	}
	for _, b := range files {
		f.age(ledger.BlobFile(b.Digest), on)
	}
}

// Pictures of proposals that were rejected or replaced go by their age; what
// was in force or waits stays, and so does what it shares with them (B8, B2).
func TestBlobs(t *testing.T) {
	f, ctx := newFolder(t), t.Context()
	s := must[*baseline.Store](t)(baseline.Open(f.dir, f.clock.now))
	version := must[baseline.Version](t)
	f.clock.set(epoch())
	// Looks like the first, and consists of something else: as the picture stays, its
	// map of elements does.
	twin := shot(t, "Sales", 10)
	twinMap := []byte(`{"elements":[{}]}`)
	twin.Blobs[ledger.BlobDigest(twinMap)] = twinMap
	twin.Pictures[0].Layout = ledger.BlobDigest(twinMap)
	twin.Name = "Twin"
	version(s.Reject(ctx, version(s.Propose(ctx, twin)).ID, "Ada", "x"))
	first := version(s.Capture(ctx, shot(t, "Sales", 10)))
	rejected := version(s.Propose(ctx, shot(t, "Sales", 20)))
	own, ownMap := shot(t, "Sales", 30), []byte(`{"elements":[{},{}]}`)
	own.Blobs[ledger.BlobDigest(ownMap)], own.Pictures[0].Layout = ownMap, ledger.BlobDigest(ownMap)
	replaced := version(s.Propose(ctx, own))
	second := version(s.Propose(ctx, shot(t, "Sales", 40)))
	version(s.Approve(ctx, first.ID, "Ada", "x"))
	version(s.Reject(ctx, rejected.ID, "Ada", "x"))
	version(s.Approve(ctx, second.ID, "Ada", "x")) // first is superseded now, and replaced is closed
	f.clock.set(epoch().Add(30 * day))
	late := version(s.Propose(ctx, shot(t, "Sales", 50)))
	open := version(s.Propose(ctx, shot(t, "Sales", 60)))
	f.clock.set(epoch().Add(100 * day))
	version(s.Reject(ctx, late.ID, "Ada", "x"))
	stray := must[string](t)(ledger.OpenBlobs(f.dir).Put([]byte("nobody's")))
	newStray := must[string](t)(ledger.OpenBlobs(f.dir).Put([]byte("nobody's, and new")))
	older := must[string](t)(ledger.OpenBlobs(f.dir).Put([]byte("of another log")))
	f.ageAll(1)
	f.age(ledger.BlobFile(newStray), 399)
	f.age(ledger.BlobFile(older), -1)
	young := shot(t, "Sales", 70) // is being captured this moment
	for _, data := range young.Blobs {
		must[string](t)(ledger.OpenBlobs(f.dir).Put(data))
	}
	f.age(ledger.BlobFile(young.Pictures[0].SHA256), 400)
	f.today(400)

	names := func(v baseline.Version) []string { return []string{v.Pictures[0].SHA256, v.Diffs[0]} }
	goes := slices.Concat(names(rejected), names(replaced), []string{stray, ledger.BlobDigest(ownMap)})
	stays := slices.Concat(names(first), names(second), names(late), names(open), []string{first.Pictures[0].Layout, ledger.BlobDigest(twinMap), newStray, older, young.Pictures[0].SHA256})
	before := f.tree()
	if dry := f.prune(retain.PruneRequest{DryRun: true}); !same(dry.Deleted, goes) || !equal(before, f.tree()) {
		t.Errorf("announced: %v, want %v", why(dry.Deleted), goes)
	}
	done := f.prune(order())
	if !same(done.Deleted, goes) || done.Blobs == 0 {
		t.Errorf("deleted: %v, want %v; %d stay", why(done.Deleted), goes, done.Blobs)
	}
	store := ledger.OpenBlobs(f.dir)
	var told []string
	for _, events := range f.events("blob deleted") {
		for _, e := range events {
			told = append(told, e.Subject...)
		}
	}
	if i := slices.Index(told, ledger.BlobDigest(ownMap)); i < slices.Index(told, replaced.Pictures[0].SHA256) {
		t.Error("a map goes before its picture")
	}
	slices.Sort(told)
	slices.Sort(goes)
	if !slices.Equal(told, goes) {
		t.Errorf("the log tells of %v, want %v", told, goes)
	}
	for _, d := range goes {
		if store.Has(d) {
			t.Errorf("%s is there", d)
		}
	}
	for _, d := range stays {
		if _, err := store.Get(d); err != nil {
			t.Error(err)
		}
	}
	if again := f.prune(order()); len(again.Deleted) != 0 {
		t.Errorf("again: %v", why(again.Deleted))
	}
	f.verified()
	// What is gone can come back.
	back := version(s.Propose(ctx, shot(t, "Sales", 20)))
	f.ageAll(1)
	f.prune(order())
	for _, d := range names(back) {
		must[[]byte](t)(store.Get(d))
	}
	f.verified()
}

func same(items []retain.Item, digests []string) bool {
	var names []string
	for _, i := range items {
		names = append(names, i.Name)
	}
	slices.Sort(names)
	return slices.Equal(names, slices.Sorted(slices.Values(digests)))
}

// Where the log is lost, nobody can tell whose a blob is: all stay.
func TestLostLog(t *testing.T) {
	f := newFolder(t)
	s := must[*baseline.Store](t)(baseline.Open(f.dir, f.clock.now))
	v := must[baseline.Version](t)(s.Capture(t.Context(), shot(t, "Sales", 10)))
	f.ageAll(1)
	if err := errors.Join(os.Remove(filepath.Join(f.dir, "assay.db")), os.RemoveAll(filepath.Join(f.dir, "log"))); err != nil {
		t.Fatal(err)
	}
	f.clock.set(epoch().Add(400 * day))
	f.prune(order())
	f.today(400) // a log begins anew
	f.prune(order())
	must[[]byte](t)(ledger.OpenBlobs(f.dir).Get(v.Pictures[0].SHA256))
}

// A log of many entries lies in blobs. However old they are, none goes (B8).
func TestLogStays(t *testing.T) {
	f := newFolder(t)
	const entries = 5000
	for range entries / 500 {
		if err := f.store.Log.Update(t.Context(), func(tx *ledger.Tx) error {
			for range 500 {
				if _, err := tx.Append(ledger.Event{Action: "baseline captured", Record: "b-1", Subject: []string{}}); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	old := f.finished(0)
	stray := must[string](t)(ledger.OpenBlobs(f.dir).Put([]byte("nobody's")))
	f.ageAll(1)
	f.today(400)
	before, _, err := ledger.OpenBlobs(f.dir).List()
	if err != nil || len(before) < entries/64 {
		t.Fatalf("%d blobs, %v: nothing would be tried", len(before), err)
	}
	if got := f.prune(order()); !same(got.Deleted, []string{old, stray}) {
		t.Errorf("deleted %d things", len(got.Deleted))
	}
	if err := f.store.Log.View(t.Context(), func(tx *ledger.Tx) error {
		n := int64(0)
		for _, err := range tx.Leaves() {
			if err != nil {
				return err
			}
			n++
		}
		root, err := tx.Root(tx.Size())
		if n != tx.Size() || n < entries {
			t.Errorf("%d of %d entries, root %v", n, tx.Size(), root)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	report := must[verify.Report](t)(verify.All(t.Context(), f.dir, verify.Options{}))
	if slices.ContainsFunc(report.Findings, func(g verify.Finding) bool { return strings.HasPrefix(g.Code, "log") }) || report.Entries < entries {
		t.Errorf("%s, %d entries: %+v", report.Verdict, report.Entries, report.Findings)
	}
}

// What writers that were killed have left goes after a day; what only looks
// like it stays, above all in runs (B8).
func TestLeftovers(t *testing.T) {
	f := newFolder(t)
	dead := f.begin(300)
	// A page may name a download as it likes.
	download := must[qa.Artifact](t)(dead.SaveDownload("page.tmp", "text/plain", []byte("evidence"), 1)).Name
	over, held, fresh := f.finished(301), f.begin(302).ID(), f.begin(400).ID()
	f.today(400)
	must[retain.Hold](t)(f.keeper().Hold(t.Context(), held, "Ada", "x"))
	inRun := func(id, name string) string { return path.Join("runs", id, name) }
	goes := []string{"assay.db.abcdefgh.tmp", "log/checkpoint.abcdefgh.tmp", "runs/old.tmp", "blobs/sha256/ab/cd.tmp", inRun(dead.ID(), "trace.zip.1.tmp"), inRun(dead.ID(), "screenshots/003.png.tmp")}
	stays := []string{"mine.tmp", "notes.txt", "auth/x.abcdefgh.tmp", inRun(over, "x.tmp"), inRun(held, "x.tmp"), inRun(fresh, "x.tmp"), "log/young.abcdefgh.tmp", "suites/s-1/suite-1.tmp"}
	for _, name := range slices.Concat(goes, stays) {
		full := filepath.Join(f.dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o700), os.WriteFile(full, []byte("half"), 0o600)); err != nil {
			t.Fatal(err)
		}
		f.age(name, 390)
	}
	f.age("log/young.abcdefgh.tmp", 400)
	for _, id := range []string{dead.ID(), held, fresh} {
		f.age(inRun(id, "events.jsonl"), 302)
	}
	f.age(inRun(dead.ID(), download), 302)
	stays = append(stays, inRun(dead.ID(), download))
	got := f.prune(order())
	if !same(got.Deleted, goes) {
		t.Errorf("deleted %v, want %v", why(got.Deleted), goes)
	}
	for _, name := range slices.Concat(goes, stays) {
		_, err := os.Lstat(filepath.Join(f.dir, filepath.FromSlash(name)))
		if want := slices.Contains(stays, name); (err == nil) != want {
			t.Errorf("%s: %v; want it there: %t", name, err, want)
		}
	}
	if strings.Contains(strings.Join(slices.Collect(func(yield func(string) bool) {
		for _, i := range got.Left {
			if !yield(i.Name) {
				return
			}
		}
	}), " "), ".tmp") {
		t.Errorf("left alone: %v", why(got.Left))
	}
}
