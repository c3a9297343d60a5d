package visualcheck

import (
	"testing"

	"github.com/assay-qa/assay/qa"
)

// Issue 17, 3: the engine is the picture's own, else the baseline's, else the
// configured one.
func TestEngineIsChosenByPicture(t *testing.T) {
	for _, c := range []struct{ picture, baseline, configured, want string }{
		{"", "", "", ""},
		{"", "", qa.EnginePixelmatch, qa.EnginePixelmatch},
		{"", qa.EngineBuiltin, qa.EnginePixelmatch, qa.EngineBuiltin},
		{qa.EnginePixelmatch, qa.EngineBuiltin, qa.EngineBuiltin, qa.EnginePixelmatch},
	} {
		d := Defaults{Engine: c.configured}
		if got := d.settle(qa.VisualOptions{Engine: c.picture}, qa.VisualOptions{Engine: c.baseline}, true); got.engine != c.want {
			t.Errorf("picture %q, baseline %q, configured %q: %q, want %q", c.picture, c.baseline, c.configured, got.engine, c.want)
		}
	}
	if err := (qa.VisualOptions{Engine: "odiff"}).Validate(); err == nil {
		t.Error("an unknown engine is taken")
	}
}
