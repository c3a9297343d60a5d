package verify_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/evidence/verify"
)

// told holds the fields of a finding that tests compare.
type told struct {
	Code, File string
	Line       int
}

func faults(r verify.Report) []told {
	var all []told
	for _, f := range r.Findings {
		if f.Severity == verify.Fault {
			all = append(all, told{f.Code, f.File, f.Line})
		}
	}
	return all
}

// wants fails unless a run has failed with just these faults.
func (f *folder) wants(id string, o verify.Options, want ...told) {
	f.t.Helper()
	r := f.run(id, o)
	if got := faults(r); r.Verdict != verify.Failed || !cmp.Equal(got, want) {
		f.t.Errorf("%s: %s", r.Verdict, cmp.Diff(want, got))
	}
	for _, finding := range r.Findings {
		if finding.Problem == "" || finding.Next == "" || finding.Run != id {
			f.t.Errorf("it tells too little: %+v", finding)
		}
	}
}

func (f *folder) move(from, to string) {
	f.t.Helper()
	if err := os.Rename(f.path(from), f.path(to)); err != nil {
		f.t.Fatal(err)
	}
}

func (f *folder) remove(name string) {
	f.t.Helper()
	if err := os.RemoveAll(f.path(name)); err != nil {
		f.t.Fatal(err)
	}
}

// B8: files of a run that were removed, swapped, doubled, added, or made into
// something else.
func TestFilesChanged(t *testing.T) {
	const one, two = "screenshots/001-page.png", "screenshots/002-page.png"
	for name, c := range map[string]struct {
		change func(f *folder, run string)
		want   []told
	}{
		"removed":     {func(f *folder, run string) { f.remove(run + one) }, []told{{"file-missing", one, 0}}},
		"page gone":   {func(f *folder, run string) { f.remove(run + "report.html") }, []told{{"file-missing", "report.html", 0}}},
		"report gone": {func(f *folder, run string) { f.remove(run + "report.json") }, []told{{"file-missing", "report.json", 0}}},
		"record gone": {func(f *folder, run string) { f.remove(run + "evidence.json") }, []told{{"evidence-missing", "evidence.json", 0}}},
		"both gone": {func(f *folder, run string) { f.remove(run + "evidence.json"); f.remove(run + "report.json") },
			[]told{{"evidence-missing", "evidence.json", 0}}},
		"journal gone": {func(f *folder, run string) { f.remove(run + "events.jsonl") }, []told{{"file-missing", "events.jsonl", 0}}},
		"swapped": {func(f *folder, run string) {
			f.move(run+one, run+"x")
			f.move(run+two, run+one)
			f.move(run+"x", run+two)
		}, []told{{"file-changed", one, 0}, {"file-changed", two, 0}}},
		"doubled":  {func(f *folder, run string) { f.write(run+"screenshots/003-page.png", f.read(run+one)) }, []told{{"file-unknown", "screenshots/003-page.png", 0}}},
		"renamed":  {func(f *folder, run string) { f.move(run+one, run+"a.png") }, []told{{"file-missing", one, 0}, {"file-unknown", "a.png", 0}}},
		"longer":   {func(f *folder, run string) { f.write(run+one, append(f.read(run+one), 0)) }, []told{{"file-changed", one, 0}}},
		"emptied":  {func(f *folder, run string) { f.write(run+two, nil) }, []told{{"file-changed", two, 0}}},
		"a folder": {func(f *folder, run string) { f.remove(run + one); f.write(run+one+"/x", nil) }, []told{{"file-irregular", one, 0}, {"file-unknown", one + "/x", 0}}},
		"an empty folder": {func(f *folder, run string) {
			if err := os.MkdirAll(f.path(run+"screenshots/more/deep"), 0o700); err != nil {
				f.t.Fatal(err)
			}
		}, []told{{"file-unknown", "screenshots/more/", 0}}},
		"a folder emptied": {func(f *folder, run string) { f.remove(run + one); f.remove(run + two) }, []told{{"file-missing", one, 0}, {"file-missing", two, 0}}},
		"a link": {func(f *folder, run string) {
			f.move(run+one, "elsewhere.png")
			if err := os.Symlink(f.path("elsewhere.png"), f.path(run+one)); err != nil {
				f.t.Fatal(err)
			}
		}, []told{{"file-irregular", one, 0}}},
		"left by a killed program": {func(f *folder, run string) { f.write(run+"x.png.tmp", nil) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			id := f.make(recipe{pictures: 2, events: 2})
			c.change(f, "runs/"+id+"/")
			if c.want == nil {
				if r := f.run(id, verify.Options{}); r.Verdict != verify.Verified || len(r.Findings) != 1 {
					t.Errorf("%+v", r)
				}
				return
			}
			f.wants(id, verify.Options{}, c.want...)
		})
	}
}

// B8: the event log names the first bad line, though its file's digest is wrong
// anyway. A chain that somebody made again is found at the line that the report
// was made after, or at the first.
func TestJournal(t *testing.T) {
	for name, c := range map[string]struct {
		change func(lines []string) []string
		line   int
	}{
		"changed":            {func(l []string) []string { l[2] = strings.Replace(l[2], "browser_click", "browser_close", 1); return l }, 3},
		"first changed":      {func(l []string) []string { l[0] = strings.Replace(l[0], "sales", "other", 1); return l }, 1},
		"last changed":       {func(l []string) []string { l[6] = strings.Replace(l[6], "passed", "failed", 1); return l }, 0},
		"link changed":       {func(l []string) []string { l[3] = strings.Replace(l[3], `"prev":"`, `"prev":"0`, 1); return l }, 4},
		"last link changed":  {func(l []string) []string { l[6] = strings.Replace(l[6], `"prev":"`, `"prev":"0`, 1); return l }, 7},
		"last but one":       {func(l []string) []string { l[5] = strings.Replace(l[5], "text_equals", "text_other", 1); return l }, 6},
		"reordered":          {func(l []string) []string { l[2], l[3] = l[3], l[2]; return l }, 3},
		"doubled":            {func(l []string) []string { return slices.Insert(l, 3, l[2]) }, 4},
		"deleted":            {func(l []string) []string { return slices.Delete(l, 2, 3) }, 3},
		"last deleted":       {func(l []string) []string { return l[:6] }, 0},
		"added":              {func(l []string) []string { return append(l, l[6]) }, 8},
		"torn":               {func(l []string) []string { l[6] = strings.TrimSuffix(l[6], "\n"); return l }, 7},
		"deleted, rechained": {func(l []string) []string { return rechained(slices.Delete(l, 2, 3)) }, 5},
		"first, rechained":   {func(l []string) []string { l[0] = strings.Replace(l[0], "sales", "other", 1); return rechained(l) }, 1},
		"no JSON":            {func(l []string) []string { l[1] = "{\n"; return l }, 2},
		"a blank line":       {func(l []string) []string { return slices.Insert(l, 4, "\n") }, 5},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFolder(t)
			id := f.make(recipe{events: 4})
			path := "runs/" + id + "/events.jsonl"
			f.write(path, []byte(strings.Join(c.change(slices.Collect(strings.Lines(string(f.read(path))))), "")))
			r := f.run(id, verify.Options{})
			got := faults(r)
			if r.Verdict != verify.Failed || !slices.Contains(got, told{"file-changed", "events.jsonl", 0}) {
				t.Errorf("%+v", r)
			}
			if i := slices.IndexFunc(got, func(f told) bool { return f.Code == "journal-broken" }); c.line > 0 && (i < 0 || got[i].Line != c.line) {
				t.Errorf("want line %d, got %+v", c.line, got)
			}
		})
	}
}

// rechained makes an event log's chain anew, as somebody without the key can.
func rechained(lines []string) []string {
	prev := ""
	for i := range lines {
		var fields map[string]any
		if err := json.Unmarshal([]byte(lines[i]), &fields); err != nil {
			panic(err)
		}
		fields["seq"], fields["prev"] = i+1, prev
		data, err := json.Marshal(fields)
		if err != nil {
			panic(err)
		}
		prev = ledger.BlobDigest(data)
		lines[i] = string(data) + "\n"
	}
	return lines
}

// B8: the evidence of another run of the same log proves nothing here.
func TestAnotherRecord(t *testing.T) {
	f := newFolder(t)
	id, other := f.make(recipe{pictures: 2}), f.make(recipe{pictures: 2})
	f.write("runs/"+id+"/evidence.json", f.read("runs/"+other+"/evidence.json"))
	got := faults(f.run(id, verify.Options{}))
	for _, want := range []told{{"evidence-run", "evidence.json", 0}, {"entry-wrong", "evidence.json", 0}, {"file-changed", "report.json", 0}} {
		if !slices.Contains(got, want) {
			t.Errorf("want %+v, got %+v", want, got)
		}
	}
}

// What is no run is an error, not a finding.
func TestNoSubject(t *testing.T) {
	f := newFolder(t)
	f.make(recipe{})
	for _, id := range []string{"20260101T000000.000Z-aaaaaa", "", "..", "../log", "x"} {
		if _, err := verify.Run(t.Context(), f.dir, id, verify.Options{}); !errors.Is(err, verify.ErrNoSubject) {
			t.Errorf("run %q: %v", id, err)
		}
	}
	if _, err := verify.All(t.Context(), filepath.Join(f.dir, "none"), verify.Options{}); !errors.Is(err, verify.ErrNoSubject) {
		t.Errorf("no folder: %v", err)
	}
	f.write("x.zip", bytes.Repeat([]byte("PK\x03\x04"), 20))
	for _, path := range []string{"x.zip", "none.zip", "runs"} {
		if _, err := verify.Bundle(t.Context(), f.path(path), verify.Options{}); !errors.Is(err, verify.ErrNoSubject) {
			t.Errorf("bundle %q: %v", path, err)
		}
	}
}

// What a newer version wrote could not be looked at, and is not called changed (B8).
func TestNewerEvidence(t *testing.T) {
	f := newFolder(t)
	id := f.make(recipe{})
	name := "runs/" + id + "/evidence.json"
	f.write(name, bytes.Replace(f.read(name), []byte(attest.RecordFormat), []byte("assay-evidence/2"), 1))
	r := f.run(id, verify.Options{})
	if r.Verdict != verify.Incomplete || len(faults(r)) > 0 || !slices.ContainsFunc(r.Findings, func(found verify.Finding) bool {
		return found.Code == "evidence-format" && strings.Contains(found.Next, "or a newer one")
	}) {
		t.Errorf("%+v", r)
	}
}
