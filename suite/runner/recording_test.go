package runner

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/suite/spec"
)

// A16: where the title alone says what is expected, another title is another
// spec: its recording no longer fits.
func TestKeysOfATitle(t *testing.T) {
	of := func(title string, byTitle bool) string {
		return stepKeys(spec.Spec{Title: title, ByTitle: byTitle, Steps: []spec.Step{{Text: "Open /"}}})[0]
	}
	if of("The cart is empty", true) == of("The cart is full", true) {
		t.Error("another title has the same key")
	}
	if of("A", false) != of("B", false) {
		t.Error("a title that is only a name counts")
	}
}

// E10: what a person has written into a recording, or beside a spec that had none, while the
// spec ran is not written over.
func TestRecordingChangedMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		before, meanwhile string // "": no file
		refused           bool
	}{
		"as it was":        {`{"steps": []}`, `{"steps": []}`, false},
		"another text":     {`{"steps": []}`, `{"steps": [1]}`, true},
		"taken away":       {`{"steps": []}`, "", true},
		"none before":      {"", "", false},
		"one came instead": {"", `{"steps": []}`, true},
	} {
		s := spec.Spec{File: filepath.Join(t.TempDir(), "order.md")}
		put := func(text string) {
			_ = os.Remove(s.Recording()) // there may be none
			if text != "" {
				if err := os.WriteFile(s.Recording(), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		put(c.before)
		kept := recordingOf(s, "")
		put(c.meanwhile)
		err := kept.write(s, flow.Flow{Name: "written"})
		if errors.Is(err, errRecordingChanged) != c.refused || !c.refused && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if text, _ := os.ReadFile(s.Recording()); c.refused && string(text) != c.meanwhile {
			t.Errorf("%s: it is %q now", name, text)
		}
	}
}
