package runner

import (
	"testing"

	"github.com/assay-qa/assay/agent/provider"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/workspace"
)

// A3: with a provider's computer tool the agent's pages have 1366×768, unless another
// viewport was chosen, or pictures are compared, which keep that of their baselines.
func TestViewportOfComputerUse(t *testing.T) {
	t.Parallel()
	own := config.Default()
	own.Browser.Viewport.Width = 1440
	pictures := qa.TaskSpec{Visual: []qa.VisualCheck{{Name: "shop"}}}
	for _, tt := range []struct {
		name     string
		cfg      config.Config
		computer bool
		start    workspace.Start
		task     qa.TaskSpec
		want     int
	}{
		{"computer use", config.Default(), true, workspace.Start{}, qa.TaskSpec{}, 1366},
		{"without", config.Default(), false, workspace.Start{}, qa.TaskSpec{}, 0},
		{"the spec's own", config.Default(), true, workspace.Start{Width: 390, Height: 844}, qa.TaskSpec{}, 390},
		{"a configured one", own, true, workspace.Start{}, qa.TaskSpec{}, 0},
		{"pictures", config.Default(), true, workspace.Start{}, pictures, 0},
	} {
		rn, d := Runner{Config: tt.cfg}, &workspace.Workspace{}
		got := rn.start(provider.Provider{Computer: tt.computer}, d, tt.start, tt.task)
		if got.Width != tt.want {
			t.Errorf("%s: the viewport is %d wide, want %d (0: the configured one)", tt.name, got.Width, tt.want)
		}
		d.Start = got
		if shown := screen(tt.cfg, d, tt.task); tt.want == 1366 && (shown.Width != 1366 || shown.Height != 768) {
			t.Errorf("%s: the model is told of %v", tt.name, shown)
		}
	}
}
