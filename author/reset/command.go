package reset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/assay-qa/assay/browser/driver"
)

const (
	pipeLimit = time.Second // for children to let go of the output
	maxKept   = 64 << 10    // bytes of the output
	lastLines = 8
)

// run runs the command that sets sites back. It ends with its children where it is interrupted or fails; where it
// succeeds, what it has left running, such as the site itself, stays.
func (w Way) run(ctx context.Context) error {
	by, limit := strings.Join(w.Command, " "), cmp.Or(w.Limit, commandLimit)
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(limited, w.Command[0], w.Command[1:]...)
	if cmd.Err != nil {
		return failed(ctx, by, limit, fmt.Errorf("%w; install it, or name it with its path in explore.reset_command", cmd.Err))
	}
	var said tail
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = w.Folder, w.Environ, &said, &said
	cmd.WaitDelay = pipeLimit
	driver.KillTogether(cmd)
	err := cmd.Run()
	if err == nil || errors.Is(err, exec.ErrWaitDelay) && limited.Err() == nil {
		return nil
	}
	if cmd.Process != nil {
		_ = cmd.Cancel() // what is left of the group; mostly nothing
	}
	if limited.Err() != nil {
		err = limited.Err()
	}
	err = failed(ctx, by, limit, err)
	switch lines := said.last(); {
	case ctx.Err() != nil:
		return err
	case lines == "":
		return fmt.Errorf("%w; run it by hand in %s to see what it says", err, w.Folder)
	case w.Mask != nil:
		return fmt.Errorf("%w; its last lines:\n%s", err, w.Mask(ctx, lines))
	default:
		return fmt.Errorf("%w; its last lines:\n%s", err, lines)
	}
}

// tail keeps the end of what is written.
type tail struct{ kept []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - maxKept; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

// last returns the last lines.
func (t *tail) last() string {
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(t.kept), "")), "\n")
	return strings.Join(lines[max(0, len(lines)-lastLines):], "\n")
}
