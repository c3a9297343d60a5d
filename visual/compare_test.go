package visual_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/visual"
)

const plenty = 10_000_000 // pixels

// canvas is a white picture with rectangles on it.
type canvas struct{ *image.NRGBA }

func white(w, h int) canvas {
	c := canvas{image.NewNRGBA(image.Rect(0, 0, w, h))}
	return c.fill(visual.Box{Width: w, Height: h}, 255, 255, 255)
}

func (c canvas) fill(b visual.Box, r, g, bl byte) canvas {
	for y := b.Y; y < b.Y+b.Height; y++ {
		for x := b.X; x < b.X+b.Width; x++ {
			c.SetNRGBA(x, y, color.NRGBA{r, g, bl, 255})
		}
	}
	return c
}

func encoded(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func compared(t *testing.T, before, after image.Image, o visual.Options) visual.Diff {
	t.Helper()
	o.Limit = plenty
	d, err := visual.Compare(encoded(t, before), encoded(t, after), o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// B9: what changed is counted and enclosed, and what is apart is told apart.
func TestRegions(t *testing.T) {
	before := white(300, 200)
	after := white(300, 200).fill(visual.Box{X: 10, Y: 20, Width: 30, Height: 12}, 0, 0, 0).
		fill(visual.Box{X: 45, Y: 20, Width: 5, Height: 12}, 0, 0, 0). // 5 px from the first: with it
		fill(visual.Box{X: 200, Y: 150, Width: 7, Height: 6}, 200, 0, 0)
	d := compared(t, before, after, visual.Options{Parts: []visual.Box{{X: 0, Y: 0, Width: 20, Height: 200}, {X: 199, Y: 149, Width: 1000, Height: 3}, {X: 900, Y: 0, Width: 5, Height: 5}}})
	want := visual.Diff{
		Width: 300, Height: 200, Compared: 60_000, Changed: 462, Raw: 462, RawBox: visual.Box{X: 10, Y: 20, Width: 197, Height: 136},
		Regions: []visual.Region{
			{Box: visual.Box{X: 10, Y: 20, Width: 40, Height: 12}, Changed: 420, Raw: 420, Counted: 420},
			{Box: visual.Box{X: 200, Y: 150, Width: 7, Height: 6}, Changed: 42, Raw: 42, Counted: 42},
		},
		Parts: []visual.PartDiff{{Compared: 4000, Changed: 120, Raw: 120}, {Compared: 303, Changed: 14, Raw: 14}, {}},
	}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
}

// There are at most 200 regions, however scattered the changes are, and they
// hold every changed pixel.
func TestRegionsAreBounded(t *testing.T) {
	before, after := white(1000, 700), white(1000, 700)
	for y := 10; y < 700; y += 30 {
		for x := 10; x < 1000; x += 30 {
			after.fill(visual.Box{X: x, Y: y, Width: 1, Height: 1}, 0, 0, 0)
		}
	}
	d := compared(t, before, after, visual.Options{})
	sum := 0
	for _, r := range d.Regions {
		sum += r.Changed
	}
	if n := len(d.Regions); n == 0 || n > 200 || sum != d.Changed || d.Changed != 23*33 {
		t.Errorf("%d regions with %d of %d changed pixels", n, sum, d.Changed)
	}
}

// B9: a row that turns from white to cream has no pixel that is perceived as
// changed, and is found all the same; so are a fading hairline and a fading
// text. What is scattered is not.
func TestPaleAreas(t *testing.T) {
	row := visual.Box{X: 40, Y: 60, Width: 220, Height: 24}
	dots := func(of int) canvas {
		c, r := white(300, 200), rand.New(rand.NewPCG(1, 2))
		for y := range 200 {
			for x := range 300 {
				if r.IntN(of) == 0 {
					c.fill(visual.Box{X: x, Y: y, Width: 1, Height: 1}, 250, 250, 245)
				}
			}
		}
		return c
	}
	lines := func(grey byte) canvas {
		return white(300, 200).fill(visual.Box{X: 10, Y: 50, Width: 280, Height: 1}, grey, grey, grey).fill(visual.Box{X: 77, Y: 90, Width: 1, Height: 100}, grey, grey, grey)
	}
	for name, c := range map[string]struct {
		before, after canvas
		pale          int
		boxes         []visual.Box
	}{
		"cream":          {white(300, 200), white(300, 200).fill(row, 254, 249, 195), 5280, []visual.Box{row}},
		"two levels":     {white(300, 200), white(300, 200).fill(row, 253, 253, 253), 5280, []visual.Box{row}},
		"one level":      {white(300, 200), white(300, 200).fill(row, 254, 254, 254), 0, nil},
		"hairlines":      {lines(229), lines(243), 380, []visual.Box{{X: 10, Y: 50, Width: 280, Height: 1}, {X: 77, Y: 90, Width: 1, Height: 100}}},
		"a small spot":   {white(300, 200), white(300, 200).fill(visual.Box{X: 40, Y: 40, Width: 7, Height: 9}, 250, 250, 250), 0, nil},
		"1 of 20":        {white(300, 200), dots(20), 0, nil},
		"nothing at all": {white(300, 200), white(300, 200), 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := compared(t, c.before, c.after, visual.Options{})
			var boxes []visual.Box
			for _, r := range d.Regions {
				boxes = append(boxes, r.Box)
				if !r.Pale || r.Raw == 0 || r.Counted == 0 {
					t.Errorf("region %+v is not pale", r)
				}
			}
			if d.Changed != 0 || d.Pale < c.pale*9/10 || d.Pale > c.pale {
				t.Errorf("changed %d, pale %d, want 0 and about %d", d.Changed, d.Pale, c.pale)
			}
			if name != "nothing at all" && d.Raw == 0 {
				t.Error("no raw pixel was counted")
			}
			for _, want := range c.boxes {
				if !slices.ContainsFunc(boxes, func(b visual.Box) bool { return near(b, want) }) {
					t.Errorf("regions %v, want one like %v", boxes, want)
				}
			}
			if len(boxes) != len(c.boxes) {
				t.Errorf("%d regions, want %d", len(boxes), len(c.boxes))
			}
		})
	}
}

// near allows what tiles cut off the ends of a thin line.
func near(a, b visual.Box) bool {
	return max(a.X-b.X, b.X-a.X, a.Y-b.Y, b.Y-a.Y) < 8 && max(a.Width-b.Width, b.Width-a.Width, a.Height-b.Height, b.Height-a.Height) < 16
}

// A changed word on an area that turned pale hides neither the one nor the other.
func TestPaleAreaAroundAChange(t *testing.T) {
	area, word := visual.Box{X: 40, Y: 60, Width: 220, Height: 24}, visual.Box{X: 60, Y: 66, Width: 30, Height: 10}
	d := compared(t, white(300, 200), white(300, 200).fill(area, 254, 249, 195).fill(word, 20, 20, 20), visual.Options{Parts: []visual.Box{area}})
	if d.Changed != 300 || d.Pale < 4800 || len(d.Regions) != 1 || d.Regions[0].Pale || d.Regions[0].Box != area {
		t.Errorf("%+v", d)
	}
	if p := d.Parts[0]; p.Changed != d.Changed || p.Pale != d.Pale || p.Raw != d.Raw || p.Compared != 220*24 {
		t.Errorf("the part that holds it all: %+v of %+v", p, d)
	}
}

// B9: ignored boxes are left out of every count, overlapping and outside ones
// too, and the rest is judged as without them.
func TestIgnore(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	before, after := white(120, 90), white(120, 90)
	for y := range 90 {
		for x := range 120 {
			before.fill(visual.Box{X: x, Y: y, Width: 1, Height: 1}, byte(r.IntN(3)*120), 0, 0)
			after.fill(visual.Box{X: x, Y: y, Width: 1, Height: 1}, byte(r.IntN(3)*120), 0, 0)
		}
	}
	left := visual.Box{Width: 60, Height: 90}
	ignore := []visual.Box{{X: 60, Y: -5, Width: 30, Height: 50}, {X: 90, Y: -5, Width: 200, Height: 50}, {X: 80, Y: 40, Width: 40, Height: 1 << 62}, {X: 60, Y: 40, Width: 30, Height: 50}, {X: 500, Y: 500, Width: 5, Height: 5}, {X: 70, Y: 10, Width: 5, Height: 5}, {X: 3, Y: 3, Width: -2, Height: 9}}
	whole := compared(t, before, after, visual.Options{Parts: []visual.Box{left}})
	part := compared(t, before, after, visual.Options{Ignore: ignore, Parts: []visual.Box{left, {X: 70, Y: 50, Width: 9, Height: 9}}})
	if want := whole.Parts[0]; part.Compared != 5400 || part.Changed != want.Changed || part.Raw != want.Raw || part.Parts[0] != want || want.Changed == want.Raw {
		t.Errorf("the left half: %+v, and %+v where the right one is ignored", want, part)
	}
	if (part.Parts[1] != visual.PartDiff{}) {
		t.Errorf("an ignored part counts: %+v", part.Parts[1])
	}
	if all := compared(t, before, after, visual.Options{Ignore: []visual.Box{{Width: 120, Height: 90}}}); all.Compared != 0 || all.Raw != 0 || all.Regions != nil {
		t.Errorf("all is ignored: %+v", all)
	}
}

// B2: where colours are ignored only brightness counts, and an area of another
// colour is no pale one.
func TestIgnoreColors(t *testing.T) {
	area := visual.Box{X: 10, Y: 10, Width: 50, Height: 40}
	orange := white(100, 80).fill(area, 200, 120, 40)
	teal := white(100, 80).fill(area, 40, 168, 208) // as bright
	dark := white(100, 80).fill(area, 100, 60, 20)
	pale := white(100, 80).fill(area, 208, 128, 48)
	for name, c := range map[string]struct {
		after        canvas
		ignore       bool
		counts, pale int
	}{
		"colour":                {teal, false, 2000, 0},
		"colour, ignored":       {teal, true, 0, 0},
		"brightness":            {dark, true, 2000, 0},
		"a bit brighter, while": {pale, true, 0, 2000},
	} {
		d := compared(t, orange, c.after, visual.Options{IgnoreColors: c.ignore})
		if d.Changed != c.counts || d.Pale != c.pale || d.Raw != 2000 {
			t.Errorf("%s: changed %d, pale %d, raw %d; want %d, %d, 2000", name, d.Changed, d.Pale, d.Raw, c.counts, c.pale)
		}
	}
}

// B9: what is transparent in both pictures looks the same, whatever colour it
// would have.
func TestTransparentPixels(t *testing.T) {
	before, after := white(60, 40), white(60, 40)
	for y := 5; y < 30; y++ {
		for x := 5; x < 50; x++ {
			before.SetNRGBA(x, y, color.NRGBA{200, 0, 0, 0})
			after.SetNRGBA(x, y, color.NRGBA{0, 0, 200, 0})
		}
	}
	if d := compared(t, before, after, visual.Options{}); d.Changed != 0 || d.Pale != 0 || d.Raw != 25*45 || len(d.Regions) != 0 {
		t.Errorf("%+v", d)
	}
}

// B6: what a comparison allocates is at most three times the raw picture.
func TestAllocationsAreBounded(t *testing.T) {
	for name, pair := range map[string][2]canvas{
		"very different": {noisy(1), noisy(2)},
		"slight":         {noisy(1), noisy(1).fill(visual.Box{X: 100, Y: 400, Width: 40, Height: 12}, 0, 0, 0)},
	} {
		before, after := encoded(t, pair[0]), encoded(t, pair[1])
		var was, is runtime.MemStats
		runtime.ReadMemStats(&was)
		if _, err := visual.Compare(before, after, visual.Options{Limit: plenty}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&is)
		ratio := float64(is.TotalAlloc-was.TotalAlloc) / (4 * 600 * 500)
		t.Logf("%s: %.2f times the raw picture", name, ratio)
		if ratio > 3 {
			t.Errorf("%s: %.2f times the raw picture was allocated, want at most 3", name, ratio)
		}
	}
}

func noisy(seed byte) canvas {
	c := white(600, 500)
	_, _ = rand.NewChaCha8([32]byte{seed}).Read(c.Pix) // never fails
	for i := 3; i < len(c.Pix); i += 4 {
		c.Pix[i] = 255
	}
	return c
}

// B9: a highlight shows each kind of difference in its colour, and what is
// ignored hatched.
func TestHighlight(t *testing.T) {
	area, word, ignored := visual.Box{X: 40, Y: 60, Width: 200, Height: 24}, visual.Box{X: 60, Y: 10, Width: 30, Height: 10}, visual.Box{X: 8, Y: 120, Width: 16, Height: 16}
	after := white(300, 200).fill(area, 254, 249, 195).fill(word, 20, 20, 20).fill(ignored, 0, 0, 0)
	// The dot between dark and white only smooths an edge.
	before := white(300, 200)
	for y := 150; y < 200; y++ {
		for x := range 300 {
			grey := byte(min(255, max(0, 90*(x-y/2-60))))
			before.fill(visual.Box{X: x, Y: y, Width: 1, Height: 1}, grey, grey, grey)
			grey = byte(min(255, max(0, 90*(x-y/2-60)+45)))
			after.fill(visual.Box{X: x, Y: y, Width: 1, Height: 1}, grey, grey, grey)
		}
	}
	pair, err := visual.Examine(encoded(t, before), encoded(t, after), visual.Options{Limit: plenty, Ignore: []visual.Box{ignored}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := pair.Highlight()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	seen := func(b visual.Box) map[color.RGBA]int {
		n := map[color.RGBA]int{}
		for y := b.Y; y < b.Y+b.Height; y++ {
			for x := b.X; x < b.X+b.Width; x++ {
				n[color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)]++
			}
		}
		return n
	}
	red, orange, yellow := color.RGBA{230, 0, 0, 255}, color.RGBA{255, 140, 0, 255}, color.RGBA{255, 220, 0, 255}
	if n := seen(word); n[red] != 300 {
		t.Errorf("a changed word is painted %v", n)
	}
	if n := seen(area); n[orange] != 4800 {
		t.Errorf("a pale area is painted %v", n)
	}
	if n := seen(visual.Box{Y: 150, Width: 300, Height: 50}); n[yellow] == 0 {
		t.Errorf("a smoothed edge is painted %v", n)
	}
	if n := seen(ignored); len(n) != 2 || n[red] > 0 {
		t.Errorf("an ignored box is painted %v", n)
	}
	if n := seen(visual.Box{X: 250, Width: 40, Height: 40}); n[color.RGBA{255, 255, 255, 255}] != 1600 {
		t.Errorf("what is white and equal is painted %v", n)
	}
}
