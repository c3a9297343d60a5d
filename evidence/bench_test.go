package evidence_test

import (
	"bytes"
	"testing"

	"github.com/assay-qa/assay/evidence"
)

// BenchmarkSaveScreenshot measures what evidence adds to a screenshot (B5:
// < 500 ms for all of it), with a picture of 300 KB.
func BenchmarkSaveScreenshot(b *testing.B) {
	s, _ := openStore(b)
	r := startRun(b, s)
	picture := append([]byte(png), bytes.Repeat([]byte{7}, 300<<10)...)
	b.SetBytes(int64(len(picture)))
	for b.Loop() {
		if _, err := r.SaveScreenshot("page", picture, 1280, 720, 1); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEvent(b *testing.B) {
	s, _ := openStore(b)
	r := startRun(b, s)
	for b.Loop() {
		if err := r.Event(evidence.Event{Step: 1, Tool: "page_click", Input: []byte(`{"selector":"button \"Pay\""}`)}); err != nil {
			b.Fatal(err)
		}
	}
}
