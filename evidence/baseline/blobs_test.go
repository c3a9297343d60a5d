package baseline_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/evidence/ledger"
)

// statuses counts the versions of a name by status.
func statuses(t *testing.T, s *baseline.Store, name string) map[baseline.Status]int {
	t.Helper()
	counts := map[baseline.Status]int{}
	for _, v := range must[[]baseline.Version](t)(s.List(t.Context())) {
		if v.Name == name {
			counts[v.Status]++
		}
	}
	return counts
}

// A page that looks different each time fills no disk: of each name and
// environment ten proposals wait, the newest; the others are closed, and the log
// tells why (B8).
func TestProposalsBound(t *testing.T) {
	ctx, s := t.Context(), open(t, filepath.Join(t.TempDir(), "data"))
	version := must[baseline.Version](t)
	version(s.Capture(ctx, shot(t, "Sales", 1)))
	other := version(s.Propose(ctx, differing(t, "Stock", 1)))
	elsewhere := differing(t, "Sales", 2)
	elsewhere.Environment.Viewport = "390×844"
	phone := version(s.Propose(ctx, elsewhere))
	var all []baseline.Version
	for shade := range uint8(13) {
		all = append(all, version(s.Propose(ctx, differing(t, "Sales", 100+shade))))
	}
	again := version(s.Propose(ctx, differing(t, "Sales", 112))) // one that waits already
	if again.ID != all[12].ID {
		t.Errorf("proposed twice: %s, %s", again.ID, all[12].ID)
	}
	for i, v := range all {
		now, want := version(s.Get(ctx, v.ID)), baseline.Proposed
		if i < 3 {
			want = baseline.Superseded
		}
		if now.Status != want || now.Closed.IsZero() != (want == baseline.Proposed) {
			t.Errorf("proposal %d is %s, closed %v; want %s", i+1, now.Status, now.Closed, want)
		}
	}
	for _, v := range []baseline.Version{other, phone} {
		if now := version(s.Get(ctx, v.ID)); now.Status != baseline.Proposed {
			t.Errorf("%q in %q is %s", v.Name, v.Environment.Viewport, now.Status)
		}
	}
	if _, err := s.Approve(ctx, all[0].ID, "Ada", "x"); !errors.Is(err, baseline.ErrDecided) || !strings.Contains(err.Error(), "newer proposals") {
		t.Errorf("approve a closed one: %v", err)
	}
	closed := 0
	for _, e := range must[[]told](t)(events(ctx, s)) {
		if e.action == "baseline superseded" {
			if e.record != all[closed].ID || e.reason != "10 newer proposals wait for a decision" {
				t.Errorf("event %d: %+v", closed, e)
			}
			closed++
		}
	}
	if closed != 3 {
		t.Errorf("%d events, want 3", closed)
	}
	version(s.Approve(ctx, all[12].ID, "Ada", "x"))
	if got := statuses(t, s, "Sales"); got[baseline.Approved] != 1 || got[baseline.Proposed] != 1 { // that of the phone
		t.Errorf("%v", got)
	}
}

type told struct{ action, record, reason string }

func events(ctx context.Context, s *baseline.Store) ([]told, error) {
	all, err := s.Events(ctx)
	var out []told
	for _, e := range all {
		out = append(out, told{e.Action, e.Record, e.Reason})
	}
	return out, err
}

// Bytes that somebody deletes between their being put and their version's being
// kept are there afterwards: a version without its picture would prove nothing.
func TestDeletedMeanwhile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	blobs := ledger.OpenBlobs(dir)
	n, armed, deleted := shot(t, "Sales", 1), false, 0
	s := must[*baseline.Store](t)(baseline.Open(dir, func() time.Time {
		for digest := range n.Blobs { // the ledger asks for the time once it is nobody else's
			if armed && blobs.Has(digest) {
				deleted++
				if err := blobs.Delete(digest); err != nil {
					t.Error(err)
				}
			}
		}
		armed = false
		return time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	}))
	armed = true
	v := must[baseline.Version](t)(s.Capture(t.Context(), n))
	for _, p := range v.Pictures {
		must[[]byte](t)(s.Read(p.SHA256))
		must[[]byte](t)(s.Read(p.Layout))
	}
	if deleted != len(n.Blobs) {
		t.Errorf("%d of %d blobs were deleted: nothing was tried", deleted, len(n.Blobs))
	}

	folder := t.TempDir()
	must[[]baseline.Version](t)(s.Export(t.Context(), folder, nil))
	dir = filepath.Join(t.TempDir(), "elsewhere")
	blobs = ledger.OpenBlobs(dir)
	elsewhere := must[*baseline.Store](t)(baseline.Open(dir, func() time.Time {
		for digest := range n.Blobs {
			if err := blobs.Delete(digest); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Error(err)
			}
		}
		return time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	}))
	if _, err := elsewhere.Import(t.Context(), folder, "Ada", false); err == nil || !strings.Contains(err.Error(), "try again") {
		t.Errorf("imported: %v", err)
	}
}
