package browser

import (
	"bytes"
	"testing"
)

// B9: a page that looks as a picture that is known needs one picture, one that
// looks otherwise as many as without it; a picture with something painted over
// is known, too.
func TestStillKnown(t *testing.T) {
	t.Parallel()
	s, _ := show(t, `<style>body { margin: 0 } div { height: 900px; background: #f00 }</style><input type=password value=x><div id=b></div>`)
	paint := func(colour string) {
		if _, err := pageOf(s).Evaluate("c => document.querySelector('#b').style.background = c", colour); err != nil {
			t.Fatal(err)
		}
	}
	for name, o := range map[string]StillOptions{
		"page":    {FullPage: true},
		"element": {Selector: "css=#b"},
	} {
		first := still(t, s, o)
		o.Known = first.Data
		again := still(t, s, o)
		for i := 0; i < 3 && again.Tries > 1; i++ { // the first picture of a busy machine may be another one
			again = still(t, s, o)
		}
		if again.Tries != 1 || !bytes.Equal(again.Data, first.Data) || len(again.Masked) != len(first.Masked) {
			t.Errorf("%s: %d pictures of a page that is known, want 1", name, again.Tries)
		}
		paint(`#00f`)
		other := still(t, s, o)
		if other.Tries < 2 || bytes.Equal(other.Data, first.Data) || len(other.Elements) == 0 {
			t.Errorf("%s: %d pictures and %d elements of a page that has changed", name, other.Tries, len(other.Elements))
		}
		paint(`#f00`)
	}
}
