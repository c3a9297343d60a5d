package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/color/palette"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/assay-qa/assay/visual"
)

// counted is what pixelmatch counts of a pair.
type counted struct{ Changed, WithAntialiasing, Raw int }

// B2, B9: what counts as changed is what npm's pixelmatch 7.2 counts, to the
// pixel, with anti-aliasing left out and with it; and what pngjs reads of a
// picture is what we read.
func TestCountsEqualPixelmatch(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts processes")
	}
	pairs := written(t, append(drawn(t), depths()...))
	if len(pairs) < 200 {
		t.Fatalf("%d pairs, want 200 or more", len(pairs))
	}
	different, smoothed := agree(t, pairs)
	if different < len(pairs)*3/4 || smoothed < 50 {
		t.Errorf("of %d pairs %d differ and %d have anti-aliasing: too few to tell right from wrong", len(pairs), different, smoothed)
	}
}

// B2, B9: likewise for pictures that Chromium took.
func TestCountsEqualPixelmatchOnScreenshots(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	shots := screenshots(t)
	var pairs [][2]string
	for i := range shots {
		for j := range i {
			pairs = append(pairs, [2]string{shots[j], shots[i]})
		}
	}
	if different, smoothed := agree(t, pairs); different != len(pairs) || smoothed == 0 {
		t.Errorf("of %d pairs %d differ and %d have anti-aliasing", len(pairs), different, smoothed)
	}
}

// agree holds our counts against pixelmatch's, and tells how many pairs differ
// and how many of these have pixels that only anti-aliasing changed.
func agree(t *testing.T, pairs [][2]string) (different, smoothed int) {
	t.Helper()
	refused := 0
	for i, want := range pixelmatch(t, pairs) {
		before, after := pairs[i][0], pairs[i][1]
		for _, engine := range []string{visual.Builtin, visual.Pixelmatch} {
			plain, ok := diff(t, before, after, visual.Options{Engine: engine})
			counting, _ := diff(t, before, after, visual.Options{Engine: engine, CountAntialiasing: true})
			if !ok { // translucent
				refused++
				continue
			}
			if got := (counted{plain.Changed, counting.Changed, plain.Raw}); got != want {
				t.Errorf("%s and %s: engine %s %+v, pixelmatch %+v", before, after, engine, got, want)
			}
		}
		if want.Raw > 0 {
			different++
		}
		if want.Changed < want.WithAntialiasing {
			smoothed++
		}
	}
	if refused > len(pairs)/3 {
		t.Errorf("the engine pixelmatch refused %d of %d pairs", refused, len(pairs))
	}
	return different, smoothed
}

// diff compares two files; ok is false where the engine can't.
func diff(t *testing.T, before, after string, o visual.Options) (d visual.Diff, ok bool) {
	t.Helper()
	var data [2][]byte
	for i, name := range []string{before, after} {
		var err error
		if data[i], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	o.Limit = 4_000_000
	d, err := visual.Compare(data[0], data[1], o)
	if err != nil && !errors.Is(err, visual.ErrEngine) {
		t.Fatalf("%s and %s: %v", before, after, err)
	}
	return d, err == nil
}

// pixelmatch has Node count all pairs.
func pixelmatch(t *testing.T, pairs [][2]string) []counted {
	t.Helper()
	needsPackages(t, "pixelmatch")
	node, err := exec.LookPath("node")
	if err != nil {
		absent(t, "pixelmatch needs Node: %v", err)
	}
	order, err := json.Marshal(pairs)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), node, "pixelmatch.mjs")
	var problems bytes.Buffer
	c.Stdin, c.Stderr = bytes.NewReader(order), &problems
	out, err := c.Output()
	if err != nil {
		t.Fatalf("node pixelmatch.mjs: %v\n%s", err, &problems)
	}
	var all []counted
	decode(t, out, &all)
	if len(all) != len(pairs) {
		t.Fatalf("pixelmatch counted %d of %d pairs", len(all), len(pairs))
	}
	return all
}

// depths are pictures of 16 bits a channel, grey ones, and such with a palette.
func depths() []pair {
	frame := image.Rect(0, 0, 37, 23)
	type canvas interface {
		image.Image
		Set(x, y int, c color.Color)
	}
	var all []pair
	for _, make := range []func() canvas{
		func() canvas { return image.NewGray(frame) }, func() canvas { return image.NewGray16(frame) },
		func() canvas { return image.NewRGBA64(frame) }, func() canvas { return image.NewNRGBA64(frame) },
		func() canvas { return image.NewPaletted(frame, palette.WebSafe) },
		func() canvas {
			return image.NewPaletted(frame, append(palette.Plan9[:100:100], color.NRGBA{200, 10, 10, 90}, color.NRGBA{}))
		},
	} {
		before, after := make(), make()
		for y := range frame.Dy() {
			for x := range frame.Dx() {
				before.Set(x, y, color.NRGBA64{uint16(x * 1771), uint16(y * 2849), uint16(x * y * 77), uint16(65535 - 500*x)})
				after.Set(x, y, color.NRGBA64{uint16(x * 1771), uint16(y*2849 + x*40), uint16(x * y * 70), uint16(65535 - 500*x)})
			}
		}
		all = append(all, pair{fmt.Sprintf("%T", before), before, after})
	}
	return all
}

// written stores pairs as PNG files.
func written(t *testing.T, pairs []pair) [][2]string {
	t.Helper()
	dir := t.TempDir()
	files := make([][2]string, len(pairs))
	for i, p := range pairs {
		for j, img := range []image.Image{p.before, p.after} {
			var out bytes.Buffer
			if err := png.Encode(&out, img); err != nil {
				t.Fatal(err)
			}
			files[i][j] = filepath.Join(dir, fmt.Sprintf("%03d %s %d.png", i, p.name, j))
			if err := os.WriteFile(files[i][j], out.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return files
}

// screenshots has the browser take one page in several looks.
func screenshots(t *testing.T) []string {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>looks</title><style>body{font:15px sans-serif} td{padding:4px 9px;border-bottom:1px solid #ddd} %s</style>
			<h1>Sales by region</h1><table><tr><td>North<td>1,204<tr id=row><td>South<td id=v>987<tr><td>West<td>1,113</table>
			<svg width=300 height=120><path d="M0 110 L60 30 L120 80 L200 12 L300 70" fill=none stroke=#2563eb stroke-width=3 /><circle cx=200 cy=60 r=40 fill=#f59e0b /></svg>`, r.URL.Query().Get("css"))
	}))
	t.Cleanup(site.Close)
	w := attach(t, revisions()[0])
	var files []string
	looks := []string{"", "#row{background:#fef9c3}", "svg{margin-left:5.4px}", "h1{font-size:33px}", "body{background:#111;color:#eee}"}
	if !soak() {
		looks = looks[:3]
	}
	for i, css := range looks {
		w.do("page_navigate", map[string]any{"url": site.URL + "/?css=" + url.QueryEscape(css)})
		shot := w.do("page_screenshot", map[string]any{"name": fmt.Sprintf("look %d", i)})
		files = append(files, field[string](w, shot, "path"))
	}
	return files
}
