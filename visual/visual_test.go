package visual_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/assay-qa/assay/visual"
)

func picture(t *testing.T, w, h int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for x := range w {
		img.Set(x, h/2, color.RGBA{R: 200, A: 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Design §5: image blocks are at most 1568 px and 1.15 megapixels.
func TestFitKeepsLimitsAndProportion(t *testing.T) {
	limits := visual.Limits{Side: 1568, Pixels: 1_150_000, Decode: 40_000_000}
	for _, size := range [][2]int{{10, 10}, {1280, 720}, {3000, 100}, {100, 3000}, {2000, 2000}, {1568, 1568}, {4000, 1}} {
		out, err := visual.Fit(picture(t, size[0], size[1]), limits)
		if err != nil {
			t.Fatalf("%v: %v", size, err)
		}
		w, h, err := visual.Size(out)
		if err != nil {
			t.Fatal(err)
		}
		if w > limits.Side || h > limits.Side || w*h > limits.Pixels {
			t.Errorf("%v became %d×%d: over the limits", size, w, h)
		}
		if want := float64(size[0]) / float64(size[1]); size[1] > 10 && (float64(w)/float64(h) > want*1.05 || float64(w)/float64(h) < want*0.95) {
			t.Errorf("%v became %d×%d: proportion lost", size, w, h)
		}
	}
}

func TestFitReturnsAFittingPNGUnchanged(t *testing.T) {
	in := picture(t, 1280, 720)
	out, err := visual.Fit(in, visual.Limits{Side: 1568, Pixels: 1_150_000, Decode: 1 << 24})
	if err != nil || !bytes.Equal(in, out) {
		t.Errorf("a fitting picture was changed (err %v)", err)
	}
}

func TestFitTurnsJPEGIntoPNG(t *testing.T) {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewRGBA(image.Rect(0, 0, 40, 30)), nil); err != nil {
		t.Fatal(err)
	}
	out, err := visual.Fit(b.Bytes(), visual.Limits{Side: 100, Pixels: 10_000, Decode: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(out, []byte("\x89PNG")) {
		t.Error("the result is no PNG")
	}
}

func TestFitRefusesBeforeDecoding(t *testing.T) {
	_, err := visual.Fit(picture(t, 200, 200), visual.Limits{Side: 100, Pixels: 10_000, Decode: 39_999})
	if !errors.Is(err, visual.ErrTooLarge) {
		t.Errorf("err = %v, want ErrTooLarge", err)
	}
}

func FuzzSizeAndFit(f *testing.F) {
	f.Add([]byte("\x89PNG\r\n\x1a\n"))
	f.Add([]byte{0xff, 0xd8, 0xff})
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _, _ = visual.Size(data)
		_, _ = visual.Fit(data, visual.Limits{Side: 64, Pixels: 4096, Decode: 1 << 16})
	})
}
