package browser

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/mxschmitt/playwright-go"
)

// Print describes what the look of a page depends on beside the page itself.
type Print struct {
	Browser  string // chromium, firefox or webkit
	Version  string
	Viewport string // CSS pixels, such as 1280×720
	Scale    float64
	Locale   string
	Fonts    string // SHA-256 of the specimen's PNG, in hexadecimal
	OS       string // and processor, such as linux/amd64
}

// specimen holds a page with text in the generic families, in several scripts,
// sizes and weights.
//
//go:embed specimen.html
var specimen string

// fontPrints holds the digests of the specimen as one browser process painted
// it.
type fontPrints struct {
	mu     sync.Mutex
	digest map[printKey]string
}

type printKey struct {
	scale  float64
	locale string
}

// Print returns what the look of a page depends on in this session. The digest of
// the fonts is that of a specimen, painted by this very browser.
func (s *screenshotter) Print(ctx context.Context) (Print, error) {
	return on(ctx, s.livePage, "tell what the page's look depends on", "", func(ctx context.Context, t *tab) (Print, error) {
		info := s.Info()
		out := Print{Browser: info.Browser, Version: info.Version, Viewport: fmt.Sprintf("%d×%d", info.Width, info.Height), Scale: s.scale,
			Locale: info.Locale, OS: runtime.GOOS + "/" + runtime.GOARCH}
		var err error
		out.Fonts, err = within(ctx, t, s.pool.Timeout, func() (string, error) { return t.context.process.fonts(printKey{s.scale, info.Locale}) })
		return out, err
	})
}

// fonts paints the specimen, once for each scale and locale, in a context of
// its own that no session sees.
func (p *process) fonts(key printKey) (string, error) {
	p.prints.mu.Lock()
	defer p.prints.mu.Unlock()
	if known := p.prints.digest[key]; known != "" {
		return known, nil
	}
	data, err := p.paintSpecimen(key)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	if p.prints.digest == nil {
		p.prints.digest = map[printKey]string{}
	}
	p.prints.digest[key] = hex.EncodeToString(sum[:])
	return p.prints.digest[key], nil
}

func (p *process) paintSpecimen(key printKey) (data []byte, err error) {
	context, err := p.NewContext(playwright.BrowserNewContextOptions{Locale: &key.locale, DeviceScaleFactor: &key.scale, Offline: playwright.Bool(true),
		JavaScriptEnabled: playwright.Bool(false), Viewport: &playwright.Size{Width: 900, Height: 900}})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, context.Close()) }()
	page, err := context.NewPage()
	if err != nil {
		return nil, err
	}
	if err := page.SetContent(specimen); err != nil {
		return nil, err
	}
	return page.Screenshot(playwright.PageScreenshotOptions{FullPage: playwright.Bool(true)})
}
