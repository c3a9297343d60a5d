package browser

import (
	"regexp"
	"testing"
)

// B9: every launch of the same browser has the same print, and nobody who watches
// the session learns of the specimen.
func TestPrint(t *testing.T) {
	t.Parallel()
	var first Print
	for _, pool := range []*Pool{poolOf(t), newPool(t, nil)} {
		s := launch(t, pool, LaunchOptions{})
		m := s.log.Now()
		got, err := s.Print(within30s(t))
		if err != nil {
			t.Fatal(err)
		}
		if first == (Print{}) {
			first = got
		}
		if got != first {
			t.Errorf("%+v, and before %+v", got, first)
		}
		if now := s.log.Now(); now != m {
			t.Errorf("the journal went on from %+v to %+v", m, now)
		}
		if n := len(pageOf(s).Context().Pages()); n != 1 {
			t.Errorf("the session has %d pages", n)
		}
	}
	if first.Browser != "chromium" || first.Viewport != "1280×720" || first.Scale != 1 || first.Locale != "en-US" || first.Version == "" ||
		!regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(first.Fonts) {
		t.Errorf("%+v", first)
	}
}

// The digest is of what is painted: it is another one in finer pixels.
func TestPrintOfFineDisplay(t *testing.T) {
	t.Parallel()
	coarse, err := launch(t, poolOf(t), LaunchOptions{}).Print(within30s(t))
	if err != nil {
		t.Fatal(err)
	}
	fine, err := launch(t, poolOf(t), LaunchOptions{Device: "Pixel 7"}).Print(within30s(t))
	if err != nil {
		t.Fatal(err)
	}
	if fine.Fonts == coarse.Fonts || fine.Scale <= 1 || fine.Viewport == coarse.Viewport {
		t.Errorf("%+v and %+v", coarse, fine)
	}
}
