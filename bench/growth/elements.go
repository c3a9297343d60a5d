package growth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	_ "embed" // the script

	"github.com/assay-qa/assay/bench/measure"
	"github.com/assay-qa/assay/bench/wire"
)

//go:embed growth.mjs
var peerScript []byte

// ask describes one command to the script.
type ask struct {
	Verb string `json:"verb"`
	URL  string `json:"url,omitempty"`
	Name string `json:"name,omitempty"`
}

// line returns the command as the script reads it. Strings can always be encoded.
func (a ask) line() string {
	text, _ := json.Marshal(a)
	return string(text)
}

// elements compares clicks and snapshots on pages of several sizes. A round is one
// pair of clicks and one of snapshots; who is first changes with the round.
func (b *bench) elements(ctx context.Context, sizes []int, pairs int) (err error) {
	ours, err := b.serve(ctx, "elements")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ours.Stop()) }()
	theirs, err := wire.ScriptHome{Node: b.found.Driver.Node, Driver: b.found.Driver.Dir, Browser: b.found.Browser.Path}.Start(ctx, b.temporary, peerScript, b.stderr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, theirs.Stop()) }()
	fmt.Fprintf(b.stdout, "\nGrowth with the elements of a page, medians of %d pairs\n\n"+
		"| elements | click: ours | Playwright's | ratio | bar | snapshot: ours | Playwright's | ratio | bar |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n", pairs)
	for _, size := range sizes {
		fmt.Fprintf(b.stderr, "pages of %d elements\n", size)
		url := fmt.Sprintf("%s/%d", b.site, size)
		if _, err := call(ours, "page_navigate", map[string]any{"url": url}); err != nil {
			return err
		}
		if _, err := theirs.Do(ask{Verb: "open", URL: url}.line()); err != nil {
			return err
		}
		var click, look series
		for i := range pairs + 1 {
			name := fmt.Sprintf("Ship %d", size/perRow/2+i)
			errClick := click.pair(i, func() (time.Duration, error) {
				return call(ours, "page_click", map[string]any{"selector": fmt.Sprintf("button %q", name)})
			}, func() (time.Duration, error) { return theirs.Do(ask{Verb: "click", Name: name}.line()) })
			errLook := look.pair(i, func() (time.Duration, error) { return call(ours, "page_snapshot", map[string]any{}) },
				func() (time.Duration, error) { return theirs.Do(ask{Verb: "snapshot"}.line()) })
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
