package visual

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/driver"
	"github.com/assay-qa/assay/visual"
)

const maxPixels = 50_000_000

// bench holds a browser on a page of its own, and a folder for its pictures.
type bench struct {
	dir     string
	pool    *browser.Pool
	session *browser.Session
	site    *http.Server
	url     string
}

func open(ctx context.Context, dir string) (*bench, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &bench{dir: dir, url: "http://" + listener.Addr().String(), site: &http.Server{Handler: http.HandlerFunc(page), ReadHeaderTimeout: 10 * time.Second}}
	go func() { _ = b.site.Serve(listener) }() // ends by close
	b.pool = browser.NewPool(browser.Options{
		Install: driver.Options{CacheDir: filepath.Join(cache, "assay"), HomeDir: home, Getenv: os.Getenv}, TempDir: dir,
	})
	if b.session, err = b.pool.Launch(ctx, browser.LaunchOptions{}); err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

func (b *bench) close() error {
	b.pool.Close(10 * time.Second)
	return b.site.Close()
}

// page serves a dashboard of a given height. One figure of it may be another,
// or all of it dark.
func page(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	back, ink, card := "#f1f5f9", "#0f172a", "#ffffff"
	if r.FormValue("look") == "dark" {
		back, ink, card = ink, back, "#1e293b"
	}
	fmt.Fprintf(w, `<!doctype html><title>Dashboard</title><style>
		main { height: %spx; overflow: hidden } body { margin: 0; font: 14px sans-serif; background: %s; color: %s }
		.row { display: flex; gap: 16px; padding: 16px } b { display: block; font-size: 28px }
		.card { flex: 1; background: %s; border: 1px solid #cbd5e1; border-radius: 8px; padding: 16px; box-shadow: 0 2px 6px #0002 }
		table { width: 100%%; border-collapse: collapse } td { padding: 6px 12px; border-bottom: 1px solid #e2e8f0 }
		</style><main><h1>Dashboard</h1>`, r.FormValue("height"), back, ink, card)
	for i := range 14 {
		fmt.Fprint(w, `<div class=row>`)
		for j := range 4 {
			value := (i*7919 + j*104729) % 99999
			if r.FormValue("look") == "slight" && i == 0 && j == 1 {
				value += 1234
			}
			fmt.Fprintf(w, `<div class=card>Metric %d.%d<b>%d</b><svg width=220 height=60><path fill=#93c5fd stroke=#2563eb stroke-width=2 d="M0 60 %s L220 60Z"/></svg></div>`, i, j, value, curve(13*i+7*j))
		}
		fmt.Fprint(w, `</div><div class=row><div class=card><table>`)
		for k := range 6 {
			fmt.Fprintf(w, `<tr><td>#%d<td>Customer %c and Sons<td>%s<td>$%d.00`, 10_000+10*i+k, 'A'+k, []string{"Shipped", "Pending", "Returned"}[k%3], (313*i+97*k)%2000)
		}
		fmt.Fprint(w, `</table></div></div>`)
	}
}

func curve(seed int) string {
	var d strings.Builder
	for k := range 23 {
		fmt.Fprintf(&d, "L%d %d ", 10*k, 10+(37*k+seed)%45)
	}
	return d.String()
}

// pairs takes the pictures, and pairs them.
func (b *bench) pairs(ctx context.Context) ([]pair, error) {
	var all []pair
	for _, height := range []int{720, 5000} {
		files := map[string]string{}
		for _, look := range []string{"plain", "slight", "dark"} {
			shot, err := b.shoot(ctx, look, height)
			if err != nil {
				return nil, err
			}
			files[look] = filepath.Join(b.dir, fmt.Sprintf("%s-%d.png", look, height))
			if err := os.WriteFile(files[look], shot, 0o600); err != nil {
				return nil, err
			}
		}
		again, err := b.packedAgain(files["plain"])
		if err != nil {
			return nil, err
		}
		size := fmt.Sprintf("1280×%d, ", height)
		all = append(all, pair{size + "equal pixels", files["plain"], again, false}, pair{size + "slight", files["plain"], files["slight"], true},
			pair{size + "very different", files["plain"], files["dark"], true})
	}
	return all, nil
}

// shoot takes the page as a bare screenshot.
func (b *bench) shoot(ctx context.Context, look string, height int) ([]byte, error) {
	if _, err := b.session.Navigate(ctx, fmt.Sprintf("%s/?look=%s&height=%d", b.url, look, height), "", 0); err != nil {
		return nil, err
	}
	shot, err := b.session.Screenshot(ctx, browser.ShotOptions{FullPage: true})
	if err == nil && (shot.Width != 1280 || shot.Height != height) {
		err = fmt.Errorf("the picture of the page is %d×%d", shot.Width, shot.Height)
	}
	return shot.Data, err
}

// packedAgain writes the same pixels with another compression.
func (b *bench) packedAgain(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	img, err := png.Decode(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, img)
	again := strings.TrimSuffix(name, ".png") + "-again.png"
	return again, errors.Join(err, os.WriteFile(again, out.Bytes(), 0o600))
}

// still measures a check of a page that has not changed, against a bare
// screenshot of it, in alternating order.
func (b *bench) still(ctx context.Context, rounds int, stdout io.Writer) error {
	for _, height := range []int{720, 5000} {
		if _, err := b.shoot(ctx, "plain", height); err != nil { // leads there
			return err
		}
		baseline, err := b.session.Still(ctx, browser.StillOptions{FullPage: true})
		if err != nil {
			return err
		}
		t, err := turns(rounds, func() error {
			now, err := b.session.Still(ctx, browser.StillOptions{FullPage: true, Known: baseline.Data})
			if err != nil {
				return err
			}
			d, err := visual.Compare(baseline.Data, now.Data, visual.Options{Limit: maxPixels})
			if err == nil && d.Raw > 0 {
				err = fmt.Errorf("%d pixels of an unchanged page differ", d.Raw)
			}
			return err
		}, func() error {
			_, err := b.session.Screenshot(ctx, browser.ShotOptions{FullPage: true})
			return err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "| unchanged page of 1280×%d at rest and compared, against a bare screenshot | %.2f× (%.0f against %.0f ms) | ≤ 1.3× |\n", height, t.ratio, t.ours, t.theirs)
	}
	return nil
}
