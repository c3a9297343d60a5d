package runner

import (
	"testing"

	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/workspace"
)

// A3: the agent's pages have 1366×768, unless another
// viewport was chosen, or pictures are compared, which keep that of their baselines.
func TestViewportOfComputerUse(t *testing.T) {
	t.Parallel()
	own := config.Default()
	own.Browser.Viewport.Width = 1440
	pictures := qa.TaskSpec{Visual: []qa.VisualCheck{{Name: "shop"}}}
	for _, tt := range []struct {
		name  string
		cfg   config.Config
		start workspace.Start
		task  qa.TaskSpec
		want  int
	}{
		{"as it is", config.Default(), workspace.Start{}, qa.TaskSpec{}, 1366},
		{"the spec's own", config.Default(), workspace.Start{Width: 390, Height: 844}, qa.TaskSpec{}, 390},
		{"a configured one", own, workspace.Start{}, qa.TaskSpec{}, 0},
		{"pictures", config.Default(), workspace.Start{}, pictures, 0},
		{"a device of the task", config.Default(), workspace.Start{}, qa.TaskSpec{Device: "Pixel 7"}, 0},
		{"a device of the profile", config.Default(), workspace.Start{Device: "Pixel 7"}, qa.TaskSpec{}, 0},
	} {
		rn, d := Runner{Config: tt.cfg}, &workspace.Workspace{}
		got := rn.start(d, tt.start, tt.task)
		if got.Width != tt.want {
			t.Errorf("%s: the viewport is %d wide, want %d (0: the configured one)", tt.name, got.Width, tt.want)
		}
		d.Start = got
		if shown := screen(tt.cfg, d, tt.task); tt.want == 1366 && (shown.Width != 1366 || shown.Height != 768) {
			t.Errorf("%s: the model is told of %v", tt.name, shown)
		}
	}
}
