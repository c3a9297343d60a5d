package evidence_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
)

// TestStreamedArtifacts: what is written piece by piece is stored whole with its
// digest, beside other records and under a name of its own; what fails leaves
// nothing (E2).
func TestStreamedArtifacts(t *testing.T) {
	s, dir := openStore(t)
	r := startRun(t, s)
	content := strings.Repeat("piece ", 1000)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if _, err := r.SaveStream("trace.zip", "application/zip", 1, func(w io.Writer) error {
				for piece := range strings.SplitAfterSeq(content, " ") {
					if _, err := io.WriteString(w, piece); err != nil {
						return err
					}
				}
				_, err := r.AddCheck(look("meanwhile", "s", true)) // nobody waits for a stream
				return err
			}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	failure := errors.New("too large")
	if _, err := r.SaveStream("trace.zip", "application/zip", 1, func(w io.Writer) error {
		_, err := io.WriteString(w, "half")
		return errors.Join(err, failure)
	}); !errors.Is(err, failure) {
		t.Errorf("a failed stream: %v", err)
	}
	if _, err := r.SaveStream("../trace.zip", "application/zip", 1, func(io.Writer) error { return nil }); err == nil {
		t.Error("a name that leads outside is taken")
	}
	report, err := r.Finish("", qa.Environment{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.Links.TraceURL != "trace.zip" || len(report.Artifacts) != 3 || report.Status != qa.Passed {
		t.Errorf("link %q, %d artefacts, %s (%s)", report.Links.TraceURL, len(report.Artifacts), report.Status, report.StatusReason)
	}
	for _, name := range []string{"trace.zip", "trace-2.zip", "trace-3.zip"} {
		data, mime, err := s.Artifact(r.ID(), name)
		if err != nil || mime != "application/zip" || !bytes.Equal(data, []byte(content)) {
			t.Errorf("%s: %d bytes, %s, %v", name, len(data), mime, err)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "runs", r.ID(), "*.tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if _, err := r.SaveStream("late.zip", "application/zip", 1, func(io.Writer) error { return nil }); !errors.Is(err, evidence.ErrFinished) {
		t.Errorf("after the end: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "runs", r.ID(), "late.zip")); err == nil {
		t.Error("a finished run has grown")
	}
}
