package visual

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// differs holds the exit code by which odiff reports that pixels differ.
const differs = 22

// odiff has a process of odiff compare a pair. It draws no picture of what
// differs: neither do we. (odiff --server can't do without, so it is not measured.)
func odiff(ctx context.Context, program string, p pair) (bool, error) {
	out, err := exec.CommandContext(ctx, program, p.before, p.after, "--antialiasing", "--parsable-stdout").CombinedOutput()
	failed, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil:
		return false, nil
	case ok && failed.ExitCode() == differs:
		return true, nil
	}
	return false, fmt.Errorf("odiff, which make bench installs: %w\n%s", err, strings.TrimSpace(string(out)))
}
