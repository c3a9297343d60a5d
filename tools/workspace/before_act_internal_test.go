package workspace

import (
	"testing"

	"github.com/assay-qa/assay/internal/pagetext"
)

// Step 15, point 7: what held before an act is known of looks that were made, and of the
// changes that acts told. What is not known is not held against anybody.
func TestWhatHeldBeforeAnAct(t *testing.T) {
	const s = "s1"
	look := func(acts int, lines ...pagetext.Text) func(*beforeActs) {
		return func(b *beforeActs) { b.saw(s, acts, false, lines...) }
	}
	check := func(acts int, a pagetext.Text) func(*beforeActs) {
		return func(b *beforeActs) { b.saw(s, acts, true, a) }
	}
	act := func(from int, told bool, changes ...pagetext.Text) func(*beforeActs) {
		return func(b *beforeActs) { b.acted(s, Act{From: from, To: from + 1, Told: told, Changes: changes}) }
	}
	checked := func(acts int) func(*beforeActs) { return func(b *beforeActs) { b.checkedNow(s, acts) } }
	for name, tt := range map[string]struct {
		done []func(*beforeActs)
		acts int
		want bool
	}{
		"nothing was done":                           {[]func(*beforeActs){look(1, `- text: Saved it`)}, 1, false},
		"seen, then a dead button":                   {[]func(*beforeActs){look(1, `- text: Saved it`), act(1, true)}, 2, true},
		"seen, and the act changed it":               {[]func(*beforeActs){look(1, `- text: Saved it`), act(1, true, `~ text: Saved it → Gone`)}, 2, true},
		"seen, the changes are not told":             {[]func(*beforeActs){look(1, `- text: Saved it`), act(1, false)}, 2, true},
		"not seen":                                   {[]func(*beforeActs){look(1, `- text: Draft`), act(1, true, `+ text: Saved it`)}, 2, false},
		"nobody has looked":                          {[]func(*beforeActs){act(1, true)}, 2, false},
		"two acts change nothing":                    {[]func(*beforeActs){look(1, `- text: Saved it`), act(1, true), act(2, true, `+ text: More`)}, 3, true},
		"the first of two takes it away":             {[]func(*beforeActs){look(1, `- text: Saved it`), act(1, true, `- text: Saved it`), act(2, true)}, 3, false},
		"the first of two takes a part of it away":   {[]func(*beforeActs){look(1, `- text: Saved it`), act(1, true, `- text: Saved`, `- Saved`), act(2, true)}, 3, false},
		"the first of two is not told":               {[]func(*beforeActs){look(1, `- text: Saved it`), act(1, false), act(2, true)}, 3, false},
		"looked at after the act alone":              {[]func(*beforeActs){act(1, true), look(2, `- text: Saved it`)}, 2, false},
		"a page was opened between":                  {[]func(*beforeActs){look(1, `- text: Saved it`), look(2, `- text: Saved it`)}, 2, false},
		"a page was opened after the act":            {[]func(*beforeActs){look(1, `- text: Saved it`), act(1, true)}, 3, false},
		"asserted before":                            {[]func(*beforeActs){check(1, `visible #a`), act(1, true, `+ text: More`)}, 2, true},
		"asserted before, and an act changed a part": {[]func(*beforeActs){check(1, `visible #a`), act(1, true, `+ text: More`), act(2, true)}, 3, false},
		"asserted before, and nothing changed":       {[]func(*beforeActs){check(1, `visible #a`), act(1, true), act(2, true)}, 3, true},
		"the first of two brought it about":          {[]func(*beforeActs){act(1, true, `+ text: Saved it`), look(2, `- text: Saved it`), act(2, true)}, 3, false},
		"a check came between the two":               {[]func(*beforeActs){act(1, true, `+ text: Saved it`), look(2, `- text: Saved it`), checked(2), act(2, true)}, 3, true},
		"another assertion holds its words":          {[]func(*beforeActs){check(1, `visible text=Saved it`), act(1, true)}, 2, false},
	} {
		var b beforeActs
		for _, do := range tt.done {
			do(&b)
		}
		if got := b.held(s, tt.acts, `visible #a`, `Saved it`); got != tt.want {
			t.Errorf("%s: held %v", name, got)
		}
		if b.held("s2", tt.acts, `visible #a`, `Saved it`) {
			t.Errorf("%s: another session", name)
		}
	}
}
