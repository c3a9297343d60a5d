package publish

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

// finished returns a suite with one finished run of a store, and that store.
func finished(t *testing.T) (*evidence.Store, suite.Suite) {
	t.Helper()
	data := t.TempDir()
	store, err := evidence.Open(data, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	run, err := store.Start(qa.TaskSpec{Goal: "g"})
	if err != nil {
		t.Fatal(err)
	}
	var shot bytes.Buffer
	if err := png.Encode(&shot, image.NewRGBA(image.Rect(0, 0, 1280, 720))); err != nil {
		t.Fatal(err)
	}
	picture, err := run.SaveScreenshot("end", shot.Bytes(), 1280, 720, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run.Finish("all is fine", qa.Environment{}, report.Views); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(data, "runs", run.ID(), filepath.FromSlash(picture.Name))
	return store, suite.Suite{ID: "s", StartedAt: time.Now(), FinishedAt: time.Now(), Entries: []suite.Entry{{Path: "specs/../Zahlen & more.md", Name: "Figures", State: suite.Done,
		Result: &suite.Result{TestCase: qa.TestCase{Name: "Figures", Status: qa.TestPassed, RunID: run.ID(), Report: "/elsewhere/report.html", Screenshots: []string{at}}, Details: "Revenue is 1,234", Screenshot: at}}}}
}

// D1, D4, D7: the folder opens by double click wherever it is sent: every path in it
// leads into it, pictures are there, and the card of a passed case has its details.
func TestReadableFolder(t *testing.T) {
	store, s := finished(t)
	dir := filepath.Join(t.TempDir(), "specs", "reports")
	p := Publisher{Store: store, Folder: t.TempDir(), Log: slog.New(slog.DiscardHandler), Readable: &Folder{Dir: dir, Store: store, MaxPixels: 10_000_000}}
	p.Publish(t.Context(), s)
	moved := filepath.Join(t.TempDir(), "mailed")
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(moved, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`(?:href|src)="([^"#]+)"`).FindAllStringSubmatch(string(index), -1)
	if len(links) < 2 {
		t.Errorf("%d links", len(links))
	}
	for _, l := range links {
		if _, err := os.Stat(filepath.Join(moved, filepath.FromSlash(l[1]))); err != nil || strings.Contains(l[1], "..") {
			t.Errorf("the index leads to %s: %v", l[1], err)
		}
	}
	if !strings.Contains(string(index), `<p class="details"><span class="text">Revenue is 1,234`) {
		t.Errorf("a passed case has no details on its card:\n%s", index)
	}
	page, err := os.ReadFile(filepath.Join(moved, "cases", "001-Zahlen---more.html"))
	if err != nil || !strings.Contains(string(page), `src="data:image/png;base64,`) {
		t.Errorf("the page of the run has no picture inside: %v", err)
	}
	var results qa.TestResult
	if data, err := os.ReadFile(filepath.Join(moved, "results.json")); err != nil || json.Unmarshal(data, &results) != nil || strings.Contains(string(data), "/elsewhere") {
		t.Errorf("results.json: %v\n%s", err, data)
	}
	if c := results.TestCases[0]; c.Report != "cases/001-Zahlen---more.html" || len(c.Screenshots) != 1 || c.Screenshots[0] != "images/001-Zahlen---more.jpg" {
		t.Errorf("results.json has %+v", c)
	}
}

// D4: a folder that somebody else has filled is not written to, unless it was chosen;
// our own is written anew, without what an earlier suite left.
func TestReadableFolderIsOurs(t *testing.T) {
	store, s := finished(t)
	dir := t.TempDir()
	theirs := filepath.Join(dir, "index.html")
	if err := os.WriteFile(theirs, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (&Folder{Dir: dir, Store: store, MaxPixels: 10_000_000}).write(s); err == nil || !strings.Contains(err.Error(), "--report-dir") {
		t.Errorf("got %v", err)
	}
	if data, err := os.ReadFile(theirs); err != nil || string(data) != "theirs" || Own(dir) {
		t.Errorf("a foreign index was replaced: %q, %v", data, err)
	}
	if err := (&Folder{Dir: dir, Store: store, Foreign: true, MaxPixels: 10_000_000}).write(s); err != nil || !Own(dir) {
		t.Errorf("a folder that was chosen: %v", err)
	}
	s.Entries = nil
	if err := (&Folder{Dir: dir, Store: store, MaxPixels: 10_000_000}).write(s); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*", "001-*")); err != nil || len(left) > 0 {
		t.Errorf("left of the suite before: %v, %v", left, err)
	}
}
