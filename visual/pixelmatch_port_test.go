package visual_test

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/visual"
)

// opaquePairs are random pictures of few colours, of many, of edges and slopes, and
// of every small size: what decides about anti-aliasing and the threshold.
func opaquePairs() map[string][2]canvas {
	r := rand.New(rand.NewPCG(17, 3))
	around := func(mid, reach int) byte { return byte(mid + r.IntN(2*reach+1) - reach) }
	colours := map[string]func() [3]byte{
		"loud":  func() [3]byte { return [3]byte{byte(r.IntN(256)), byte(r.IntN(256)), byte(r.IntN(256))} },
		"faint": func() [3]byte { return [3]byte{around(200, 18), around(200, 18), around(200, 30)} },
		"few": func() [3]byte {
			v := [...]byte{0, 0, 0, 90, 255, 255, 255, 255}[r.IntN(8)]
			return [3]byte{v, v, v}
		},
		"seldom": func() [3]byte {
			v := [...]byte{255, 255, 255, 255, 255, 255, 255, 60, 150, 200}[r.IntN(10)]
			return [3]byte{v, v, 255 - v/2}
		},
	}
	out := map[string][2]canvas{}
	for _, size := range [][2]int{{1, 1}, {1, 2}, {2, 1}, {1, 9}, {9, 1}, {3, 3}, {2, 7}, {7, 2}, {5, 4}, {31, 17}, {64, 40}} {
		for name, colour := range colours {
			for i := range 6 {
				before, after := white(size[0], size[1]), white(size[0], size[1])
				for y := range size[1] {
					for x := range size[0] {
						at := visual.Box{X: x, Y: y, Width: 1, Height: 1}
						c := colour()
						before.fill(at, c[0], c[1], c[2])
						if r.IntN(3) > 0 {
							c = colour()
						}
						after.fill(at, c[0], c[1], c[2])
					}
				}
				out[fmt.Sprintf("%s %v %d", name, size, i)] = [2]canvas{before, after}
			}
		}
	}
	for shift := 1; shift <= 24; shift++ {
		var pair [2]canvas
		for i := range pair {
			pair[i] = white(60, 44)
			for y := range 44 {
				for x := range 60 {
					v := byte(min(255, max(0, 60*(x-y)+i*shift*9))) // an edge, smoothed and shifted by parts of a pixel
					pair[i].fill(visual.Box{X: x, Y: y, Width: 1, Height: 1}, v, v, 255-v/3)
				}
			}
		}
		out[fmt.Sprintf("edge by %d", shift)] = pair
	}
	return out
}

// Issue 17, 3: the engine pixelmatch counts what the builtin one counts, in both
// anti-aliasing modes, with places ignored and without: not the number alone, every
// region and part of it.
func TestEnginesAgree(t *testing.T) {
	pairs := opaquePairs()
	differing, smoothed := 0, 0
	for name, p := range pairs {
		var changed [2]int
		for i, counted := range []bool{false, true} {
			o := visual.Options{CountAntialiasing: counted, Parts: []visual.Box{{X: 1, Y: 1, Width: 20, Height: 9}}}
			if len(name)%2 == 0 {
				o.Ignore = []visual.Box{{X: 2, Y: 0, Width: 4, Height: 3}}
			}
			want := compared(t, p[0], p[1], o)
			o.Engine = visual.Pixelmatch
			if diff := cmp.Diff(want, compared(t, p[0], p[1], o)); diff != "" {
				t.Errorf("%s, anti-aliasing counted %t: builtin (-), pixelmatch (+)\n%s", name, counted, diff)
			}
			changed[i] = want.Changed
		}
		if changed[1] > 0 {
			differing++
		}
		if changed[0] < changed[1] {
			smoothed++
		}
	}
	if len(pairs) < 250 || differing < len(pairs)/2 || smoothed < 30 {
		t.Errorf("of %d pairs %d differ and %d have anti-aliasing: too few to tell right from wrong", len(pairs), differing, smoothed)
	}
}

// Issue 17, 3: what the engine can't count as npm's does is refused, with the reason
// and the engine that can.
func TestPixelmatchRefuses(t *testing.T) {
	glass := white(40, 30)
	glass.SetNRGBA(3, 3, color.NRGBA{R: 9, A: 90})
	for name, c := range map[string]struct {
		before, after image.Image
		o             visual.Options
		want          string
	}{
		"translucent before": {glass, white(40, 30), visual.Options{}, "translucent"},
		"translucent after":  {white(40, 30), glass, visual.Options{}, "translucent"},
		"colours left out":   {white(40, 30), white(40, 30).fill(visual.Box{Width: 9, Height: 9}, 0, 0, 0), visual.Options{IgnoreColors: true}, "ignore_colors"},
	} {
		c.o.Engine, c.o.Limit = visual.Pixelmatch, plenty
		_, err := visual.Compare(encoded(t, c.before), encoded(t, c.after), c.o)
		if !errors.Is(err, visual.ErrEngine) || !contains(err, c.want) || !contains(err, "the engine builtin") {
			t.Errorf("%s: %v", name, err)
		}
		c.o.Engine = visual.Builtin
		if _, err := visual.Compare(encoded(t, c.before), encoded(t, c.after), c.o); err != nil {
			t.Errorf("%s, builtin: %v", name, err)
		}
	}
}
