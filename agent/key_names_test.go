package agent_test

import (
	"testing"

	"github.com/assay-qa/assay/agent"
)

// A key is pressed whatever a model calls it, and by whichever wire the call comes.
func TestChord(t *testing.T) {
	for want, ways := range map[string][][]string{
		"Control+Shift+ArrowLeft": {{"ctrl+shift+Left"}, {"CTRL", "SHIFT", "ArrowLeft"}, {"control", "shift+left"}},
		"PageDown":                {{"Page_Down"}, {"page_down"}, {"pgdn"}, {"Next"}, {"page down"}},
		"Control++":               {{"ctrl++"}, {"CTRL", "+"}, {"ctrl+plus"}},
		"Control+a":               {{"Control+A"}, {"ctrl", "A"}, {"ctrl+a"}},
		"A":                       {{"A"}},
		"+":                       {{"+"}, {"plus"}},
		"Space":                   {{" "}, {"space"}, {"Spacebar"}},
		"F5":                      {{"f5"}, {"F5"}},
		"F12":                     {{"f12"}},
		"ControlLeft":             {{"Control_L"}},
		"MetaRight+AltLeft":       {{"super_r+alt_l"}},
		"NumpadEnter":             {{"KP_Enter"}},
		"Meta+c":                  {{"cmd+c"}, {"super", "C"}, {"Win+c"}},
		"hyper+Q9":                {{"hyper+Q9"}}, // the tool says what there is
		"":                        {{""}, {}},
	} {
		for _, keys := range ways {
			if got := agent.Chord(keys...); got != want {
				t.Errorf("%q is %q, want %q", keys, got, want)
			}
		}
	}
}
