package tools_test

import (
	"strings"
	"testing"
)

// run_start refuses a role that nobody is, as assay run does.
func TestRunStartKnowsItsRoles(t *testing.T) {
	t.Parallel()
	d := offline(t)
	if a := d.call("run_start", `{"goal": "it works", "role": "analyst"}`); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, `role "analyst": no roles are configured`) {
		t.Errorf("%+v", a.Error)
	}
}
