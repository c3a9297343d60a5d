package visual_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/disintegration/imaging"

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

func contains(err error, text string) bool { return err != nil && strings.Contains(err.Error(), text) }

// Issue 17, 3, and A9: packages that decode pictures are linked in, and register
// formats with package image; nothing but PNG and JPEG is read all the same.
func TestOnlyPNGAndJPEGAreRead(t *testing.T) {
	for name, format := range map[string]imaging.Format{"gif": imaging.GIF, "tiff": imaging.TIFF, "bmp": imaging.BMP} {
		var b bytes.Buffer
		if err := imaging.Encode(&b, image.NewRGBA(image.Rect(0, 0, 40, 30)), format); err != nil {
			t.Fatal(err)
		}
		if _, _, err := image.DecodeConfig(bytes.NewReader(b.Bytes())); err != nil {
			t.Errorf("%s is not registered with package image: this test proves nothing (%v)", name, err)
		}
		if _, _, err := visual.Size(b.Bytes()); err == nil {
			t.Errorf("the size of a %s was read", name)
		}
		if _, err := visual.Fit(b.Bytes(), visual.Limits{Side: 10, Pixels: 100, Decode: 1 << 20}); err == nil {
			t.Errorf("a %s was fitted", name)
		}
		if _, err := visual.Strip(visual.Limits{Side: 10, Pixels: 100, Decode: 1 << 20}, b.Bytes()); err == nil {
			t.Errorf("a %s was put into a strip", name)
		}
	}
}

// E3, E9: the model's picture is a JPEG of fixed width, never scaled up, white where
// the picture is translucent, and refused before it is decoded where it is too large.
func TestJPEG(t *testing.T) {
	for _, c := range []struct{ w, h, width, wantW, wantH int }{{2000, 1000, 800, 800, 400}, {300, 900, 800, 300, 900}, {5000, 1, 800, 800, 1}} {
		out, err := visual.JPEG(picture(t, c.w, c.h), c.width, 70, 10_000_000)
		if err != nil {
			t.Fatal(err)
		}
		img, err := jpeg.Decode(bytes.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		if size := img.Bounds().Size(); size != image.Pt(c.wantW, c.wantH) {
			t.Errorf("%d×%d became %v", c.w, c.h, size)
		}
		if c.h > 100 {
			if r, g, b, _ := img.At(5, 5).RGBA(); r>>8 < 250 || g>>8 < 250 || b>>8 < 250 {
				t.Errorf("a translucent corner became %d %d %d", r>>8, g>>8, b>>8)
			}
		}
	}
	if _, err := visual.JPEG(picture(t, 200, 200), 100, 70, 39_999); !errors.Is(err, visual.ErrTooLarge) {
		t.Errorf("err = %v, want ErrTooLarge", err)
	}
}

// B9: a strip shows pictures from left to right, whole and within the limits.
func TestStrip(t *testing.T) {
	one := func(w, h int, c color.Color) []byte {
		img := image.NewRGBA(image.Rect(0, 0, w, h))
		draw.Draw(img, img.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
		return encoded(t, img)
	}
	red, green, blue := color.RGBA{R: 255, A: 255}, color.RGBA{G: 255, A: 255}, color.RGBA{B: 255, A: 255}
	for _, size := range [][2]int{{100, 60}, {1280, 720}, {1280, 5000}, {5000, 20}} {
		l := visual.Limits{Side: 1568, Pixels: 1_150_000, Decode: 40_000_000}
		out, err := visual.Strip(l, one(size[0], size[1], red), one(size[0], size[1], green), one(size[0], size[1], blue))
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		w, h := img.Bounds().Dx(), img.Bounds().Dy()
		if w > l.Side || h > l.Side || w*h > l.Pixels {
			t.Errorf("%v became %d×%d: over the limits", size, w, h)
		}
		for i, want := range []color.RGBA{red, green, blue} {
			if got := color.RGBAModel.Convert(img.At((2*i+1)*w/6, h/2)); got != want {
				t.Errorf("%v: picture %d of the strip is %v, want %v", size, i+1, got, want)
			}
		}
	}
}
