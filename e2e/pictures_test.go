package e2e_test

import (
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// pair is two pictures of one size.
type pair struct {
	name          string
	before, after image.Image
}

// drawn are pairs of every kind that decides about a pixel: sizes without
// neighbours, noise of few colours, edges, slopes, letters, transparency.
func drawn(t *testing.T) []pair {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 7))
	var all []pair
	for _, size := range [][2]int{{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 9}, {9, 1}, {3, 3}, {2, 7}, {7, 2}, {5, 4}, {31, 17}, {64, 40}} {
		for name, n := range noises() {
			for i := range 2 {
				before := filled(size, func(int, int) color.NRGBA { return n(r) })
				after := filled(size, func(x, y int) color.NRGBA {
					if r.IntN(3) == 0 {
						return before.NRGBAAt(x, y)
					}
					return n(r)
				})
				all = append(all, pair{fmt.Sprintf("%s %v %d", name, size, i), before, after})
			}
		}
	}
	all = append(all, slopes()...)
	return append(all, letters(t)...)
}

// noises are ways to pick a colour.
func noises() map[string]func(*rand.Rand) color.NRGBA {
	around := func(r *rand.Rand, mid, reach int) byte { return byte(mid + r.IntN(2*reach+1) - reach) }
	return map[string]func(*rand.Rand) color.NRGBA{
		"loud": func(r *rand.Rand) color.NRGBA {
			return color.NRGBA{byte(r.IntN(256)), byte(r.IntN(256)), byte(r.IntN(256)), 255}
		},
		"faint": func(r *rand.Rand) color.NRGBA {
			return color.NRGBA{around(r, 200, 18), around(r, 200, 18), around(r, 200, 30), 255}
		},
		"few": func(r *rand.Rand) color.NRGBA {
			v := [...]byte{0, 0, 0, 90, 255, 255, 255, 255}[r.IntN(8)]
			return color.NRGBA{v, v, v, 255}
		},
		"seldom": func(r *rand.Rand) color.NRGBA {
			v := [...]byte{255, 255, 255, 255, 255, 255, 255, 255, 60, 150, 200}[r.IntN(11)]
			return color.NRGBA{v, v, 255 - v/2, 255}
		},
		"clear": func(r *rand.Rand) color.NRGBA { // semi-transparent
			return color.NRGBA{byte(r.IntN(256)), byte(r.IntN(256)), byte(r.IntN(256)), byte(r.IntN(256))}
		},
	}
}

func filled(size [2]int, colour func(x, y int) color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, size[0], size[1]))
	for y := range size[1] {
		for x := range size[0] {
			img.SetNRGBA(x, y, colour(x, y))
		}
	}
	return img
}

// slopes are gradients and lines, shifted and recoloured.
func slopes() []pair {
	size := [2]int{60, 44}
	kinds := map[string]func(x, y, shift int) color.NRGBA{
		"gradient": func(x, y, shift int) color.NRGBA {
			return color.NRGBA{byte(4*x + shift), byte(5 * y), byte(2*(x+y) + 3*shift), 255}
		},
		"diagonal": func(x, y, shift int) color.NRGBA {
			v := byte(max(0, 255-80*max(x-y-shift, y-x+shift))) // an edge smoothed over three pixels
			return color.NRGBA{v, v, v, 255}
		},
		"hairline": func(x, y, shift int) color.NRGBA {
			if x == 20+shift || y == 0 || x == 0 && shift%2 == 1 {
				return color.NRGBA{30, 41, 59, 255}
			}
			return color.NRGBA{255, 255, 255, 255}
		},
		"pale": func(_, y, shift int) color.NRGBA {
			if y > 10 && y < 30 && shift > 0 {
				return color.NRGBA{254, 249, 195, 255}
			}
			return color.NRGBA{255, 255, 255, 255}
		},
		"stairs": func(x, y, shift int) color.NRGBA {
			v := byte(32 * ((x/3 + y/2 + shift) % 8))
			return color.NRGBA{v, 128, 255 - v, 255}
		},
	}
	var all []pair
	for name, kind := range kinds {
		for shift := 1; shift <= 8; shift++ {
			all = append(all, pair{fmt.Sprintf("%s by %d", name, shift),
				filled(size, func(x, y int) color.NRGBA { return kind(x, y, 0) }),
				filled(size, func(x, y int) color.NRGBA { return kind(x, y, shift) })})
		}
	}
	return all
}

// letters are smoothed text: moved by parts of a pixel, reworded, recoloured.
func letters(t *testing.T) []pair {
	t.Helper()
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: 15, DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string, x, y fixed.Int26_6, ink color.NRGBA) image.Image {
		img := filled([2]int{170, 28}, func(int, int) color.NRGBA { return color.NRGBA{255, 255, 255, 255} })
		d := font.Drawer{Dst: img, Src: image.NewUniform(ink), Face: face, Dot: fixed.Point26_6{X: x, Y: y}}
		d.DrawString(text)
		return img
	}
	black, slate, red := color.NRGBA{A: 255}, color.NRGBA{R: 15, G: 23, B: 42, A: 255}, color.NRGBA{R: 220, G: 38, B: 38, A: 255}
	before := write("Revenue 128.4 k", 6*64, 19*64, black)
	all := []pair{
		{"reworded", before, write("Revenue 182.4 k", 6*64, 19*64, black)},
		{"recoloured", before, write("Revenue 128.4 k", 6*64, 19*64, red)},
		{"recoloured a little", before, write("Revenue 128.4 k", 6*64, 19*64, slate)},
		{"over the edge", write("Wide", -5*64, 9*64, black), write("Wide", -5*64, 9*64+20, black)},
	}
	for part := fixed.Int26_6(8); part <= 2*64; part += 8 {
		all = append(all, pair{fmt.Sprintf("text moved by %d 64ths", part), before, write("Revenue 128.4 k", 6*64+part, 19*64, black)})
		all = append(all, pair{fmt.Sprintf("text lower by %d 64ths", part), before, write("Revenue 128.4 k", 6*64, 19*64+part, black)})
	}
	return all
}
