package growth

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	_ "embed" // the script

	"github.com/assay-qa/assay/bench/measure"
)

//go:embed growth.mjs
var peerScript []byte

// ask describes one command to the script.
type ask struct {
	Verb string `json:"verb"`
	URL  string `json:"url,omitempty"`
	Name string `json:"name,omitempty"`
}

// script runs a Node process with a browser of its own.
type script struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	stdout  *bufio.Reader
}

func (b *bench) startScript(ctx context.Context) (*script, error) {
	file := filepath.Join(b.temporary, "growth.mjs")
	if err := os.WriteFile(file, peerScript, 0o600); err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, b.found.Driver.Node, file, b.found.Driver.Dir, b.found.Browser.Path, fmt.Sprint(os.Geteuid() != 0))
	c.Dir, c.Stderr = b.temporary, b.stderr
	stdin, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("start the script: %w", err)
	}
	return &script{command: c, stdin: stdin, stdout: bufio.NewReader(stdout)}, nil
}

func (s *script) do(a ask) (time.Duration, error) {
	if err := json.NewEncoder(s.stdin).Encode(a); err != nil {
		return 0, fmt.Errorf("script: %w", err)
	}
	watch := time.AfterFunc(time.Minute, func() { _ = s.command.Process.Kill() }) // the read then fails
	defer watch.Stop()
	line, err := s.stdout.ReadBytes('\n')
	if err != nil {
		return 0, fmt.Errorf("script: no answer: %w", err)
	}
	var took struct{ MS float64 }
	if err := json.Unmarshal(line, &took); err != nil {
		return 0, fmt.Errorf("script: %s: %w", line, err)
	}
	return time.Duration(took.MS * float64(time.Millisecond)), nil
}

func (s *script) stop() error { return errors.Join(s.stdin.Close(), s.command.Wait()) }

// elements compares clicks and snapshots on pages of several sizes. A round is one
// pair of clicks and one of snapshots; who is first changes with the round.
func (b *bench) elements(ctx context.Context, sizes []int, pairs int) (err error) {
	ours, err := b.serve(ctx, "elements")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ours.Stop()) }()
	theirs, err := b.startScript(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, theirs.stop()) }()
	fmt.Fprintf(b.stdout, "\nGrowth with the elements of a page, medians of %d pairs\n\n"+
		"| elements | click: ours | Playwright's | ratio | bar | snapshot: ours | Playwright's | ratio | bar |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n", pairs)
	for _, size := range sizes {
		fmt.Fprintf(b.stderr, "pages of %d elements\n", size)
		url := fmt.Sprintf("%s/%d", b.site, size)
		if _, err := call(ours, "page_navigate", map[string]any{"url": url}); err != nil {
			return err
		}
		if _, err := theirs.do(ask{Verb: "open", URL: url}); err != nil {
			return err
		}
		var click, look series
		for i := range pairs + 1 {
			name := fmt.Sprintf("Ship %d", size/perRow/2+i)
			errClick := click.pair(i, func() (time.Duration, error) {
				return call(ours, "page_click", map[string]any{"selector": fmt.Sprintf("button %q", name)})
			}, func() (time.Duration, error) { return theirs.do(ask{Verb: "click", Name: name}) })
			errLook := look.pair(i, func() (time.Duration, error) { return call(ours, "page_snapshot", map[string]any{}) },
				func() (time.Duration, error) { return theirs.do(ask{Verb: "snapshot"}) })
			if err := errors.Join(errClick, errLook); err != nil {
				return err
			}
		}
		fmt.Fprintf(b.stdout, "| %d | %s | ≤ 1.0× | %s | ≤ 0.5× |\n", size, click, look)
	}
	return nil
}

// series collects the pairs of one figure.
type series struct{ ours, theirs, ratios []float64 }

// pair measures both ways, one after the other. The first pair warms up.
func (s *series) pair(i int, ours, theirs func() (time.Duration, error)) error {
	var took [2]time.Duration
	ways := []func() (time.Duration, error){ours, theirs}
	for k := range ways {
		way := (i + k) % len(ways)
		var err error
		if took[way], err = ways[way](); err != nil {
			return err
		}
	}
	if i > 0 {
		s.ours, s.theirs = append(s.ours, measure.MS(took[0])), append(s.theirs, measure.MS(took[1]))
		s.ratios = append(s.ratios, measure.MS(took[0])/measure.MS(took[1]))
	}
	return nil
}

func (s series) String() string {
	return fmt.Sprintf("%.0f ms | %.0f ms | %.2f×", measure.Median(s.ours), measure.Median(s.theirs), measure.Median(s.ratios))
}
