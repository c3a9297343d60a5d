package visual_test

import (
	"errors"
	"testing"

	"github.com/assay-qa/assay/visual"
)

// Issue item 4: a part of a picture is cut where it lies, and what lies outside
// is none.
func TestCrop(t *testing.T) {
	crops, err := visual.Crop(picture(t, 200, 100), []visual.Part{{X: 0.5, Y: 0.5, W: 0.25, H: 0.1}, {X: 0.9, Y: 0.9, W: 1, H: 1}, {X: 2, Y: 0, W: 1, H: 1}}, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][2]int{{50, 10}, {20, 10}} {
		w, h, err := visual.Size(crops[i])
		if err != nil || w != want[0] || h != want[1] {
			t.Errorf("part %d is %d×%d (%v), want %v", i, w, h, err, want)
		}
	}
	if crops[2] != nil {
		t.Error("a part outside of the picture was cut")
	}
	if _, err := visual.Crop(picture(t, 200, 100), nil, 100); !errors.Is(err, visual.ErrTooLarge) {
		t.Errorf("a picture over the limit: %v", err)
	}
}
