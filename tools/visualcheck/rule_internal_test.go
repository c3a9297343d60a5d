package visualcheck

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/visual"
)

// B2, B9: what a comparison comes to follows from its numbers alone, and the
// reason names the limit that decided.
func TestVisualRule(t *testing.T) {
	const all = 1000
	diff := func(raw, changed, pale int) visual.Diff {
		return visual.Diff{Compared: all, Raw: raw, Changed: changed, Pale: pale}
	}
	card := func(counted int, threshold float64) []component {
		return []component{{Selector: "testid=card", Threshold: threshold, Counted: counted, Compared: 100}}
	}
	text := []qa.VisualRegion{{Kind: qa.ChangeText, Named: true}}
	elsewhere := []string{"fonts are drawn differently"}
	size := &visual.SizeError{Before: [2]int{1280, 720}, After: [2]int{1280, 900}}
	for _, c := range []struct {
		name      string
		facts     facts
		want      qa.VisualStatus
		reason    string
		threshold float64
	}{
		{"equal", facts{Diff: diff(0, 0, 0)}, qa.VisualSame, "in every pixel", 0},
		{"equal, elsewhere", facts{Diff: diff(0, 0, 0), Foreign: elsewhere}, qa.VisualSame, "in every pixel", 0},
		{"equal where it was looked at", facts{Diff: visual.Diff{Width: 100, Height: 100, Compared: all}}, qa.VisualSame, "every pixel (10 % of the picture were compared", 0},
		{"not perceived", facts{Diff: diff(7, 0, 0)}, qa.VisualSame, "7 differ too little", 0},
		{"not perceived, elsewhere", facts{Diff: diff(7, 0, 0), Foreign: elsewhere}, qa.VisualSame, "7 differ", 0},
		{"one pixel, no tolerance", facts{Diff: diff(1, 1, 0)}, qa.VisualChanged, "0.1 % of the pixels differ", 0},
		{"at the threshold", facts{Diff: diff(10, 10, 0), Threshold: 0.01}, qa.VisualWithin, "within the threshold of 1 %", 0.01},
		{"beyond it", facts{Diff: diff(11, 11, 0), Threshold: 0.01}, qa.VisualChanged, "1.1 % of the pixels differ from version 3, more than the threshold of 1 %", 0.01},
		{"pale alone", facts{Diff: diff(50, 0, 50), Threshold: 0.01}, qa.VisualChanged, "5 %", 0.01},
		{"pale and perceived together", facts{Diff: diff(12, 6, 6), Threshold: 0.01}, qa.VisualChanged, "1.2 %", 0.01},
		{"within, elsewhere", facts{Diff: diff(5, 5, 0), Threshold: 0.01, Foreign: elsewhere}, qa.VisualForeign, "different environments", 0.01},
		{"beyond, elsewhere", facts{Diff: diff(500, 500, 0), Threshold: 0.01, Foreign: elsewhere}, qa.VisualForeign, "different environments", 0.01},
		{"component beyond its own", facts{Diff: diff(5, 5, 0), Threshold: 0.01, Components: card(5, 0.02)}, qa.VisualChanged, "5 % of component testid=card", 0.02},
		{"component within its own", facts{Diff: diff(5, 5, 0), Threshold: 0.01, Components: card(5, 0.05)}, qa.VisualWithin, "0.5 %", 0.01},
		{"component within, page beyond", facts{Diff: diff(50, 50, 0), Threshold: 0.01, Components: card(0, 0)}, qa.VisualChanged, "5 % of the pixels", 0.01},
		{"component gone", facts{Diff: diff(5, 5, 0), Threshold: 0.01, Components: []component{{Selector: "testid=card", Missing: true}}}, qa.VisualChanged, "not on the page any more", 0},
		{"all may differ", facts{Diff: diff(all, all, 0), Threshold: 1}, qa.VisualWithin, "100 %", 1},
		{"named, in the pixel", facts{Diff: diff(1, 1, 0), Threshold: 1, Named: text}, qa.VisualChanged, "a named change (text) since version 3, in 0.1 %", 1},
		{"named, by smoothing alone", facts{Diff: diff(4, 0, 0), Threshold: 0.01, Named: append(text, text...)}, qa.VisualChanged, "2 named changes (2 text) since version 3, in 0 %", 0.01},
		{"named, beyond the threshold", facts{Diff: diff(11, 11, 0), Threshold: 0.01, Named: text}, qa.VisualChanged, "more than the threshold of 1 %", 0.01},
		{"named, elsewhere", facts{Diff: diff(1, 1, 0), Threshold: 0.01, Named: text, Foreign: elsewhere}, qa.VisualForeign, "different environments", 0.01},
		{"size", facts{Size: size, Threshold: 1}, qa.VisualSize, "is 1280×900, that of version 3 is 1280×720", 1},
		{"size, elsewhere", facts{Size: size, Foreign: elsewhere}, qa.VisualForeign, "1280×900", 0},
	} {
		c.facts.Version = 3
		if got := c.facts.rule(); got.Status != c.want || !strings.Contains(got.Reason, c.reason) || got.Threshold != c.threshold {
			t.Errorf("%s: %+v, want %s, %q, %v", c.name, got, c.want, c.reason, c.threshold)
		}
	}
}

// A picture depends on more than its page: every difference is named.
func TestForeign(t *testing.T) {
	here := qa.VisualEnvironment{Browser: "chromium", Version: "1", Viewport: "1280×720", Scale: 1, Locale: "en-US", Fonts: "a", OS: "linux/amd64"}
	if got := foreign(here, here); got != nil {
		t.Errorf("the same: %q", got)
	}
	there := qa.VisualEnvironment{Browser: "firefox", Version: "2", Viewport: "800×600", Scale: 2, Locale: "de-DE", Fonts: "b", OS: "darwin/arm64"}
	if got := foreign(here, there); len(got) != 7 || !strings.Contains(strings.Join(got, "; "), "browser version 2 instead of 1") {
		t.Errorf("all differs: %q", got)
	}
}
