package evidence_test

import (
	"bytes"
	"testing"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/qa"
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

// BenchmarkFinish measures what the end of a run costs: 500 calls and 50
// pictures of 100 KB are read again, views and signatures made, all of it synced.
func BenchmarkFinish(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		s, _ := openStore(b)
		r := startRun(b, s)
		for i := range 500 {
			if err := r.Event(evidence.Event{Name: evidence.FlowRetried, Step: i}); err != nil { // not synced: that would only take longer
				b.Fatal(err)
			}
			if i%10 == 0 {
				must[qa.Artifact](b)(r.SaveScreenshot("page", append([]byte(png), bytes.Repeat([]byte{byte(i)}, 100<<10)...), 1280, 720, i))
			}
		}
		must[qa.Check](b)(r.AddCheck(look("visible", "a", true)))
		b.StartTimer()
		must[qa.QAReport](b)(r.Finish("", qa.Environment{}, views))
	}
}
