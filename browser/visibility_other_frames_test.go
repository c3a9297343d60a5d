package browser

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// Issue 15, item 3: that a text is nowhere is not said while a frame of another
// site shows it, or most of the page is a drawing.
func TestTextElsewhereIsInDoubt(t *testing.T) {
	t.Parallel()
	inner := httptest.NewServer(htmlPage(`<p>Paid 42</p>`))
	t.Cleanup(inner.Close)
	s, web := show(t, "")
	foreign := strings.Replace(inner.URL, "127.0.0.1", "localhost", 1)
	for name, tt := range map[string]struct{ body, doubt string }{
		"nowhere":                 {`<p>Open</p>`, ""},
		"a small canvas":          {`<p>Open</p><canvas width=300 height=200></canvas>`, ""},
		"mostly a canvas":         {`<canvas id=map width=1200 height=600></canvas>`, "canvas#map"},
		"a frame of another site": {`<p>Open</p><iframe src="` + foreign + `"></iframe>`, foreign},
	} {
		t.Run(name, func(t *testing.T) {
			web.turn(t, s, tt.body)
			got, err := s.Read(within30s(t), "", "Paid 42", false)
			if err != nil || got.Fits || (got.Doubt == "") != (tt.doubt == "") || !strings.Contains(got.Doubt, tt.doubt) {
				t.Errorf("%+v, %v", got, err)
			}
			if got, err := s.Read(within30s(t), "", "Paid 43", false); err != nil || got.Fits || tt.doubt == foreign && got.Doubt != "" {
				t.Errorf("a text that is nowhere: %+v, %v", got, err)
			}
		})
	}
}
