package driver

import (
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// B16: what a process starts runs on the processors to which it is bound.
func TestLimitProcessors(t *testing.T) {
	for share, want := range map[[2]int]int{{1, 1}: 1, {2, 90}: 2, {2, 50}: 1, {4, 90}: 4, {10, 90}: 9, {16, 90}: 15, {16, 100}: 16, {64, 1}: 1} {
		if got := shareOf(share[0], share[1]); got != want {
			t.Errorf("%d %% of %d processors: %d, want %d", share[1], share[0], got, want)
		}
	}
	all, bounds := processors()
	if !bounds {
		t.Fatal("this system tells no processors")
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "read line; nproc")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := limitProcessors(cmd.Process.Pid, 50); err != nil {
		t.Error(err)
	}
	if _, err := io.WriteString(in, "\n"); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if fields := strings.Fields(out.String()); fields[len(fields)-1] != fmt.Sprint(shareOf(all, 50)) {
		t.Errorf("of %d processors, bound to half: %q", all, out.String())
	}
	if got := DiagnoseProcessors(50).Detail; !strings.HasPrefix(got, fmt.Sprintf("browsers run on %d of %d ", shareOf(all, 50), all)) {
		t.Error(got)
	}
}
