package tool

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/assay-qa/assay/tools/workspace"
)

// What has one name, or none, such as the title of the page, is not waited for.
func TestPresentWaitsOnlyWhereThereIsAChoice(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	c := &Call{Workspace: &workspace.Workspace{Settings: workspace.Settings{Now: time.Now}}}
	got, err := c.Present(over, nil, [][]string{{""}, {"css=#total"}}, time.Hour)
	if err != nil || !slices.Equal(got, []string{"", "css=#total"}) {
		t.Errorf("%q, %v", got, err)
	}
}
