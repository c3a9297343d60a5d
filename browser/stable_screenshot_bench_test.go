package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// BenchmarkStill measures stills of a page that does not change beside bare
// screenshots of it, one after the other in turns, and the size of both files.
// The bar for a capture with its comparison is 1.3 times a bare screenshot (B9).
func BenchmarkStill(b *testing.B) {
	card := `<div class=card><h2>Sales</h2><p>€ 12,345.67</p><svg width=200 height=60><path d="M0 50 L40 20 L80 35 L120 5 L160 25 L200 10" fill=none stroke=#36c stroke-width=2 /></svg></div>`
	web := newSite(b, map[string]string{"/{$}": `<style>body { margin: 0; font: 14px sans-serif; background: linear-gradient(#eef, #fff) } .grid { display: grid; grid-template-columns: repeat(4, 1fr); gap: 16px; padding: 16px }
		.card { border-radius: 8px; box-shadow: 0 2px 8px #0003; padding: 16px; height: 180px; background: #fff }</style><div class=grid>` + strings.Repeat(card, 84) + `</div>`})
	s := launch(b, poolOf(b), LaunchOptions{})
	visit(b, s, web.URL+"/")
	for _, full := range []bool{false, true} {
		b.Run(fmt.Sprintf("full=%t", full), func(b *testing.B) {
			var bare, stills []time.Duration
			var bareSize, size int
			var last []byte
			once := func() {
				begin := time.Now()
				data, err := pageOf(s).Screenshot(playwright.PageScreenshotOptions{FullPage: &full})
				if err != nil {
					b.Fatal(err)
				}
				middle := time.Now()
				got := still(b, s, StillOptions{FullPage: full, Known: last}) // as a comparison with a baseline does
				bare, stills = append(bare, middle.Sub(begin)), append(stills, time.Since(middle))
				bareSize, size, last = len(data), len(got.Data), got.Data
			}
			once()
			bare, stills = nil, nil
			for b.Loop() {
				once()
			}
			slices.Sort(bare)
			slices.Sort(stills)
			b.ReportMetric(bare[len(bare)/2].Seconds()*1000, "bare-ms")
			b.ReportMetric(stills[len(stills)/2].Seconds()*1000, "still-ms")
			b.ReportMetric(stills[len(stills)/2].Seconds()/bare[len(bare)/2].Seconds(), "still/bare")
			b.ReportMetric(float64(size)/float64(bareSize), "size/bare")
		})
	}
}
