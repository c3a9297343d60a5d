package baseline_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/qa"
)

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// here returns the environment of most tests.
func here() qa.VisualEnvironment {
	return qa.VisualEnvironment{Browser: "chromium", Version: "142.0.1", Viewport: "1280×720", Scale: 1, Locale: "en-US", Fonts: strings.Repeat("f", 64), OS: "linux"}
}

func open(t *testing.T, dir string) *baseline.Store {
	t.Helper()
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	return must[*baseline.Store](t)(baseline.Open(dir, func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Second)
		return at
	}))
}

// pixels returns a PNG of one colour, 4×2 pixels.
func pixels(t testing.TB, shade uint8) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 4, 2))
	for i := range m.Pix {
		m.Pix[i] = color.Gray{Y: shade}.Y
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// shot returns a page and one of its elements, in a shade.
func shot(t testing.TB, name string, shade uint8) baseline.New {
	t.Helper()
	page, card := pixels(t, shade), pixels(t, shade/2)
	layout, diff := []byte(`{"width":4,"height":2,"elements":[{"text":"<b>"}]}`), pixels(t, 255-shade)
	n := baseline.New{Blobs: map[string][]byte{}}
	for _, b := range [][]byte{page, card, layout, diff} {
		n.Blobs[ledger.BlobDigest(b)] = b
	}
	n.Name, n.Environment, n.URL, n.Run = name, here(), "http://127.0.0.1/", "run-1"
	n.Pictures = []baseline.Picture{
		{SHA256: ledger.BlobDigest(page), Width: 4, Height: 2, Layout: ledger.BlobDigest(layout)},
		{Part: `region "Karte/Ä"`, SHA256: ledger.BlobDigest(card), Width: 4, Height: 2, Layout: ledger.BlobDigest(layout)},
	}
	return n
}

// differing returns a shot that is proposed because it differs.
func differing(t testing.TB, name string, shade uint8) baseline.New {
	n := shot(t, name, shade)
	n.Diffs = []string{ledger.BlobDigest(pixels(t, 255-shade))}
	return n
}

// The way of a baseline: captured, looked at, approved, changed on a person's
// word only, and read back as it was stored (B2, B8, B9).
func TestWay(t *testing.T) {
	ctx, s := t.Context(), open(t, filepath.Join(t.TempDir(), "data"))
	version := must[baseline.Version](t)
	if all, err := s.List(ctx); err != nil || len(all) != 0 {
		t.Fatalf("List of nothing: %v, %v", all, err)
	}
	if _, err := s.Find(ctx, "Sales", here()); !errors.Is(err, baseline.ErrNotFound) {
		t.Fatalf("Find of nothing: %v", err)
	}

	first := version(s.Capture(ctx, shot(t, "Sales", 10)))
	if first.Number != 1 || first.Status != baseline.Unapproved || first.Replaces != "" {
		t.Errorf("first: %+v", first)
	}
	if again := version(s.Capture(ctx, shot(t, "Sales", 10))); !reflect.DeepEqual(again, first) {
		t.Errorf("captured again:\n%+v\nwant\n%+v", again, first)
	}
	if found := version(s.Find(ctx, "Sales", here())); !reflect.DeepEqual(found, first) {
		t.Errorf("found:\n%+v\nwant\n%+v", found, first)
	}
	if data := must[[]byte](t)(s.Read(first.Pictures[0].SHA256)); !bytes.Equal(data, pixels(t, 10)) {
		t.Error("the picture is another one")
	}

	// A program's word puts nothing in the place of what is in force.
	second := version(s.Capture(ctx, shot(t, "Sales", 20)))
	third := version(s.Propose(ctx, differing(t, "Sales", 30)))
	if second.Status != baseline.Proposed || second.Replaces != first.ID || third.Number != 3 || third.Replaces != first.ID {
		t.Errorf("proposals: %+v\n%+v", second, third)
	}
	if again := version(s.Propose(ctx, differing(t, "Sales", 30))); again.ID != third.ID {
		t.Errorf("proposed twice: %s and %s", third.ID, again.ID)
	}
	if found := version(s.Find(ctx, "Sales", here())); found.ID != first.ID {
		t.Errorf("%s is in force on a program's word", found.ID)
	}

	approved := version(s.Approve(ctx, third.ID, " Ada L. ", "new brand colour\n"))
	want := &baseline.Decision{By: "Ada L.", Reason: "new brand colour", Time: approved.Decision.Time, Old: digests(first), New: digests(third), Diff: third.Diffs}
	if approved.Status != baseline.Approved || !reflect.DeepEqual(approved.Decision, want) {
		t.Errorf("approved: %+v\nwant %+v", approved.Decision, want)
	}
	if found := version(s.Find(ctx, "Sales", here())); !reflect.DeepEqual(found, approved) {
		t.Errorf("found:\n%+v\nwant\n%+v", found, approved)
	}
	if old := version(s.Get(ctx, first.ID)); old.Status != baseline.Superseded {
		t.Errorf("the first is %s", old.Status)
	}
	// The other proposal was compared with what is not in force any more.
	if stale := version(s.Get(ctx, second.ID)); stale.Status != baseline.Superseded {
		t.Errorf("the other proposal is %s", stale.Status)
	}
	if _, err := s.Approve(ctx, second.ID, "Ada L.", "x"); !errors.Is(err, baseline.ErrDecided) || !strings.Contains(err.Error(), "compare again") {
		t.Errorf("approve a stale proposal: %v", err)
	}
	for _, id := range []string{third.ID, first.ID, second.ID} {
		if _, err := s.Approve(ctx, id, "Bob", "x"); !errors.Is(err, baseline.ErrDecided) {
			t.Errorf("approve %s again: %v", id, err)
		}
		if _, err := s.Reject(ctx, id, "Bob", "x"); !errors.Is(err, baseline.ErrDecided) {
			t.Errorf("reject %s: %v", id, err)
		}
	}
	fourth := version(s.Propose(ctx, shot(t, "Sales", 40)))
	if rejected := version(s.Reject(ctx, fourth.ID, "Bob", "not wanted")); rejected.Status != baseline.Rejected || rejected.Decision.By != "Bob" {
		t.Errorf("rejected: %+v", rejected)
	}

	type told struct {
		Actor             ledger.Actor
		Action, Record    string
		Subject, Previous []string
		Reason            string
	}
	agent := ledger.Actor{Kind: "agent", ID: "run-1"}
	var got []told
	for _, e := range must[[]ledger.Event](t)(s.Events(ctx)) {
		got = append(got, told{e.Actor, e.Action, e.Record, e.Subject, e.Previous, e.Reason})
	}
	if want := []told{
		{agent, "baseline captured", first.ID, digests(first), nil, ""},
		{agent, "baseline proposed", second.ID, digests(second), digests(first), ""},
		{agent, "baseline proposed", third.ID, append(digests(third), third.Diffs...), digests(first), ""},
		{ledger.Actor{Kind: "human", ID: "Ada L."}, "baseline approved", third.ID, append(digests(third), third.Diffs...), digests(first), "new brand colour"},
		{agent, "baseline proposed", fourth.ID, digests(fourth), digests(third), ""},
		{ledger.Actor{Kind: "human", ID: "Bob"}, "baseline rejected", fourth.ID, digests(fourth), digests(third), "not wanted"},
	}; !reflect.DeepEqual(got, want) {
		t.Errorf("events:\n%+v\nwant\n%+v", got, want)
	}
}

func digests(v baseline.Version) []string {
	var out []string
	for _, p := range v.Pictures {
		out = append(out, p.SHA256)
	}
	return out
}

// A decision needs somebody and a reason (B9).
func TestDecisionNeedsAPerson(t *testing.T) {
	ctx, s := t.Context(), open(t, t.TempDir())
	v := must[baseline.Version](t)(s.Capture(ctx, shot(t, "Sales", 10)))
	for _, c := range []struct{ by, reason string }{
		{"", "x"}, {" \n", "x"}, {"Ada", ""}, {"Ada", "\t"}, {"A\x1b[2Jda", "x"}, {"Ada", "x\ny"}, {"Ada", "a\u202eb"}, {"Ada", "\xff"},
		{strings.Repeat("a", 201), "x"}, {"Ada", strings.Repeat("ä", 1001)},
	} {
		for _, decide := range []func(context.Context, string, string, string) (baseline.Version, error){s.Approve, s.Reject} {
			if _, err := decide(ctx, v.ID, c.by, c.reason); err == nil {
				t.Errorf("by %.20q for %.20q: accepted", c.by, c.reason)
			}
		}
	}
	if now := must[baseline.Version](t)(s.Get(ctx, v.ID)); !reflect.DeepEqual(now, v) {
		t.Errorf("it changed: %+v", now)
	}
	empty := filepath.Join(t.TempDir(), "data")
	if _, err := open(t, empty).Approve(ctx, "b-0000", "Ada", "x"); !errors.Is(err, baseline.ErrNotFound) {
		t.Errorf("approve where there is nothing: %v", err)
	}
	if _, err := os.Stat(empty); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it made %s: %v", empty, err)
	}
	if _, err := s.Approve(ctx, "b-0000", "Ada", "x"); !errors.Is(err, baseline.ErrNotFound) {
		t.Errorf("approve what is not there: %v", err)
	}
	if _, err := s.Approve(ctx, v.ID, strings.Repeat("ä", 200), strings.Repeat("ä", 1000)); err != nil {
		t.Errorf("the longest words: %v", err)
	}
}

// What a person rejected does not come in force again by itself (B9).
func TestRejectedFirst(t *testing.T) {
	ctx, s := t.Context(), open(t, t.TempDir())
	version := must[baseline.Version](t)
	first := version(s.Capture(ctx, shot(t, "Sales", 10)))
	version(s.Reject(ctx, first.ID, "Ada", "the chart is empty"))
	if _, err := s.Find(ctx, "Sales", here()); !errors.Is(err, baseline.ErrNotFound) || !strings.Contains(err.Error(), "rejected") {
		t.Errorf("find what was rejected: %v", err)
	}
	again := version(s.Capture(ctx, shot(t, "Sales", 10)))
	if again.Status != baseline.Proposed || again.ID == first.ID {
		t.Errorf("the same again: %+v", again)
	}
	if _, err := s.Find(ctx, "Sales", here()); !errors.Is(err, baseline.ErrNotFound) || !strings.Contains(err.Error(), again.ID) {
		t.Errorf("find, with a proposal: %v", err)
	}
	other := version(s.Capture(ctx, shot(t, "Sales", 20)))
	if other.Status != baseline.Unapproved || other.Number != 3 {
		t.Errorf("another one: %+v", other)
	}
	if _, err := s.Approve(ctx, again.ID, "Ada", "x"); !errors.Is(err, baseline.ErrDecided) {
		t.Errorf("approve beside what is in force now: %v", err)
	}
}

// Loosening what a baseline demands takes a person, as changing its pictures
// does (B9).
func TestOptionsAreApproved(t *testing.T) {
	ctx, s := t.Context(), open(t, t.TempDir())
	first := must[baseline.Version](t)(s.Capture(ctx, shot(t, "Sales", 10)))
	loose, all := shot(t, "Sales", 10), 1.0
	loose.Options.Threshold = &all
	if v := must[baseline.Version](t)(s.Capture(ctx, loose)); v.Status != baseline.Proposed || v.Replaces != first.ID {
		t.Errorf("a looser one: %+v", v)
	}
}

// A version of the browser or fonts that differ are another environment of the
// same line; the rest is another line (B2).
func TestEnvironments(t *testing.T) {
	ctx, s := t.Context(), open(t, t.TempDir())
	version := must[baseline.Version](t)
	old := version(s.Capture(ctx, shot(t, "Sales", 10)))

	newer := here()
	newer.Version = "143.0.0"
	if found := version(s.Find(ctx, "Sales", newer)); found.ID != old.ID {
		t.Errorf("with a newer browser: %+v", found)
	}
	n := shot(t, "Sales", 20)
	n.Environment = newer
	proposed := version(s.Capture(ctx, n))
	if proposed.Status != baseline.Proposed || proposed.Number != 2 || proposed.Replaces != old.ID {
		t.Errorf("captured with a newer browser: %+v", proposed)
	}
	version(s.Approve(ctx, proposed.ID, "Ada", "new browser"))
	for env, want := range map[qa.VisualEnvironment]string{here(): old.ID, newer: proposed.ID} {
		if found := version(s.Find(ctx, "Sales", env)); found.ID != want {
			t.Errorf("for %s: %s, want %s", env.Version, found.ID, want)
		}
	}
	third := here()
	third.Fonts = "0"
	if found := version(s.Find(ctx, "Sales", third)); found.ID != proposed.ID {
		t.Errorf("with other fonts: %s, want the newest, %s", found.ID, proposed.ID)
	}

	for what, change := range map[string]func(*qa.VisualEnvironment){
		"browser": func(e *qa.VisualEnvironment) { e.Browser = "firefox" }, "viewport": func(e *qa.VisualEnvironment) { e.Viewport = "390×844" },
		"scale": func(e *qa.VisualEnvironment) { e.Scale = 1.5 }, "locale": func(e *qa.VisualEnvironment) { e.Locale = "de-DE" }, "os": func(e *qa.VisualEnvironment) { e.OS = "darwin" },
	} {
		env := here()
		change(&env)
		_, err := s.Find(ctx, "Sales", env)
		if !errors.Is(err, baseline.ErrNotFound) || !strings.Contains(err.Error(), "chromium 1280×720 @1 en-US linux") {
			t.Errorf("another %s: %v, want ErrNotFound with the environment that there is", what, err)
		}
		n := shot(t, "Sales", 10)
		n.Environment = env
		if v := version(s.Capture(ctx, n)); v.Number != 1 || v.Status != baseline.Unapproved {
			t.Errorf("captured with another %s: %+v", what, v)
		}
	}
	if _, err := s.Find(ctx, "Sale", here()); !errors.Is(err, baseline.ErrNotFound) || !strings.Contains(err.Error(), `did you mean "Sales"?`) {
		t.Errorf("misspelt: %v", err)
	}
}

// What could not be shown, compared or approved later is refused, and leaves
// nothing.
func TestBadVersions(t *testing.T) {
	ctx, s := t.Context(), open(t, t.TempDir())
	for what, spoil := range map[string]func(*baseline.New){
		"no name":            func(n *baseline.New) { n.Name = "" },
		"long name":          func(n *baseline.New) { n.Name = strings.Repeat("ä", 101) },
		"space":              func(n *baseline.New) { n.Name = " a" },
		"control":            func(n *baseline.New) { n.Name = "a\x00b" },
		"direction":          func(n *baseline.New) { n.Name = "a\u202eb" },
		"no UTF-8":           func(n *baseline.New) { n.Name = "a\xff" },
		"no picture":         func(n *baseline.New) { n.Pictures = nil },
		"same part":          func(n *baseline.New) { n.Pictures[1].Part = "" },
		"missing picture":    func(n *baseline.New) { delete(n.Blobs, n.Pictures[1].SHA256) },
		"missing layout":     func(n *baseline.New) { delete(n.Blobs, n.Pictures[1].Layout) },
		"missing difference": func(n *baseline.New) { n.Diffs = []string{strings.Repeat("0", 64)} },
		"other bytes":        func(n *baseline.New) { n.Blobs[n.Pictures[0].SHA256] = pixels(t, 99) },
		"no PNG":             func(n *baseline.New) { n.Pictures[0].SHA256 = n.Pictures[0].Layout },
		"other size":         func(n *baseline.New) { n.Pictures[0].Height = 3 },
		"unknown replaced":   func(n *baseline.New) { n.Replaces = "b-0000" },
	} {
		n := shot(t, "Sales", 10)
		spoil(&n)
		if v, err := s.Propose(ctx, n); err == nil {
			t.Errorf("%s: kept as %+v", what, v)
		}
	}
	if all := must[[]baseline.Version](t)(s.List(ctx)); len(all) != 0 {
		t.Errorf("left: %v", all)
	}
	for _, name := range []string{"销售/概览", "مبيعات", "می\u200cخواهم", "a", strings.Repeat("ä", 100), "CON", "../../etc/passwd", `C:\x`, "🙂"} {
		must[baseline.Version](t)(s.Capture(ctx, shot(t, name, 10)))
	}
}

// The log tells of runs too: those events are none of baselines (B8).
func TestEventsOfBaselines(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	runs := ledger.Open(dir, time.Now, ledger.Options{})
	started := func() {
		t.Helper()
		if err := runs.Update(t.Context(), func(tx *ledger.Tx) error {
			for range 70 {
				if _, err := tx.Append(ledger.Event{Action: "run started", Reason: `"action":"baseline captured"`}); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	started()
	v := must[baseline.Version](t)(s.Capture(t.Context(), shot(t, "Sales", 10)))
	started()
	events := must[[]ledger.Event](t)(s.Events(t.Context()))
	if len(events) != 1 || events[0].Record != v.ID || events[0].Seq != 71 {
		t.Errorf("events: %+v", events)
	}
}
