package main

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/baseline"
	"github.com/assay-qa/assay/qa"
)

// past VARIABLE FOLDER DAYS keeps a run that began and ended so many days ago,
// and puts its id into a variable. The log takes entries oldest first.
func past(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: past variable folder days")
	}
	days, err := strconv.Atoi(args[2])
	ts.Check(err)
	store, err := evidence.Open(ts.MkAbs(args[1]), func() time.Time { return time.Now().AddDate(0, 0, -days) })
	ts.Check(err)
	run, err := store.Start(qa.TaskSpec{ID: "T1", Goal: "check the cart"})
	ts.Check(err)
	_, err = run.AddCheck(qa.Check{Step: 1, Kind: "text", Subject: "h1", Expected: "x", Observed: "x", Passed: true, Source: qa.SourceTool})
	ts.Check(err)
	_, err = run.Finish("fine", qa.Environment{}, nil)
	ts.Check(err)
	ts.Setenv(args[0], run.ID())
}

// backdate FILE DAYS makes a file look as written so many days ago.
func backdate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: backdate file days")
	}
	days, err := strconv.Atoi(args[1])
	ts.Check(err)
	at := time.Now().AddDate(0, 0, -days)
	ts.Check(os.Chtimes(ts.MkAbs(filepath.FromSlash(args[0])), at, at))
}

// Pictures of a proposal that was rejected go a year later, and are told to be
// deleted. Damaged ones are not told so (B8).
func TestShowDeleted(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	var stdout, stderr bytes.Buffer
	assay := func(args ...string) int {
		stdout.Reset()
		stderr.Reset()
		a := &app{stdin: bytes.NewReader(nil), stdout: &stdout, stderr: &stderr, getenv: func(string) string { return "" }, now: func() time.Time { return now }}
		return a.run(t.Context(), append(args, "--data-dir", dir))
	}
	store, err := baseline.Open(dir, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	propose := func(shade uint8) baseline.Version {
		var b bytes.Buffer
		if err := png.Encode(&b, &image.Gray{Pix: []byte{shade}, Stride: 1, Rect: image.Rect(0, 0, 1, 1)}); err != nil {
			t.Fatal(err)
		}
		n := baseline.New{Blobs: map[string][]byte{digest(b.Bytes()): b.Bytes()}}
		n.Name, n.Pictures = "sales", []baseline.Picture{{SHA256: digest(b.Bytes()), Width: 1, Height: 1}}
		v, err := store.Propose(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	rejected, spoilt := propose(10), propose(20)
	for _, v := range []baseline.Version{rejected, spoilt} {
		if code := assay("baseline", "reject", v.ID, "--name", "Ada", "--reason", "a mistake"); code != 0 {
			t.Fatal(code, stderr.String())
		}
		now = now.AddDate(0, 0, 1)
	}
	now = rejected.Time.AddDate(1, 0, 1)
	for _, args := range [][]string{{"--today", now.Format(time.DateOnly)}, nil} {
		if code := assay(append([]string{"runs", "prune", "--name", "Ada", "--reason", "a year is over"}, args...)...); code != 0 {
			t.Fatal(code, stderr.String())
		}
	}
	if code := assay("baseline", "show", rejected.ID); code != 0 || !strings.Contains(stdout.String(), "deleted on 2027-01-02") {
		t.Errorf("exit %d: %s%s", code, stdout.String(), stderr.String())
	}
	if err := os.Remove(store.Path(spoilt.Pictures[0].SHA256)); err != nil {
		t.Fatal(err)
	}
	if code := assay("baseline", "show", spoilt.ID); code != exitFailed || !strings.Contains(stderr.String(), "is missing") {
		t.Errorf("exit %d: %s%s", code, stdout.String(), stderr.String())
	}
	if code := assay("verify", "--all"); code != exitFailed || strings.Contains(stdout.String(), rejected.Pictures[0].SHA256) || !strings.Contains(stdout.String(), "blob-missing") {
		t.Errorf("exit %d: %s%s", code, stdout.String(), stderr.String())
	}
}
