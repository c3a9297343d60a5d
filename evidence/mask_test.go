package evidence_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
)

// TestNoSecretIsStored: text is masked before it is hashed, so that what is
// stored verifies and holds no secret; pictures and the verdict stay (E6).
func TestNoSecretIsStored(t *testing.T) {
	s, dir := openStore(t)
	s.Mask = func(mime string, data []byte) []byte {
		if strings.HasPrefix(mime, "image/") {
			return data
		}
		return bytes.ReplaceAll(data, []byte("hunter2"), []byte("${secret:PIN}"))
	}
	const secret = `it shows "hunter2"`
	r := startRun(t, s, secret)
	if err := r.Event(evidence.Event{Tool: "page_fill", Input: []byte(`{"value":"hunter2"}`)}); err != nil {
		t.Fatal(err)
	}
	shot, err := r.SaveScreenshot("login hunter2", []byte(png+"hunter2"), 1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	log, err := r.SaveFile("hunter2.jsonl", "application/jsonl", []byte(`{"text":"hunter2"}`), 1)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(shot.Name+log.Name, "hunter2") {
		t.Errorf("names %q and %q", shot.Name, log.Name)
	}
	check := demanded(t, secret)
	check.Observed = "it is hunter2"
	if _, err := r.AddCheck(check); err != nil {
		t.Fatal(err)
	}
	report, err := r.Finish("saw hunter2", qa.Environment{}, func(report qa.QAReport) (map[string][]byte, error) {
		if strings.Contains(report.Summary, "hunter2") {
			t.Error("views are made of the secret itself, which each spells in its own way")
		}
		return map[string][]byte{"report.md": []byte("a view that knows hunter2")}, nil
	})
	if err != nil || report.Status != qa.Passed || report.Checks[0].Observed != "it is ${secret:PIN}" {
		t.Errorf("%v: %s (%s), %+v", err, report.Status, report.StatusReason, report.Checks)
	}
	stored := 0
	err = filepath.WalkDir(filepath.Join(dir, "runs", r.ID()), func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		stored++
		data, err := os.ReadFile(path)
		if !strings.HasSuffix(path, ".png") && bytes.Contains(data, []byte("hunter2")) {
			t.Errorf("%s: %s", path, data)
		}
		return err
	})
	if err != nil || stored < 5 {
		t.Errorf("%d files, %v", stored, err)
	}
	for _, name := range []string{shot.Name, log.Name, "report.md", "report.json"} {
		if _, _, err := s.Artifact(r.ID(), name); err != nil {
			t.Errorf("%s does not verify: %v", name, err)
		}
	}
}
