package truth

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/assay-qa/assay/internal/wiretest"
)

// judgeReplays has a scripted model work a spec for every cell, and then what was
// recorded of it replayed without a model. Honest checks are recorded on a page
// on which the sentence is so, and replayed on the page of the cell.
func judgeReplays(ctx context.Context, o options, s *site, cells []*cell, m *meter) error {
	n := 0
	for batch := range slices.Chunk(cells, batchSize) {
		n++
		dir := filepath.Join(o.temporary, "replay-"+strconv.Itoa(n))
		if err := judgeReplay(ctx, o, s, dir, batch, m); err != nil {
			return err
		}
	}
	return nil
}

// specText returns a spec of one step, with the sentence as what must hold.
func specText(i int, c *cell) string {
	return fmt.Sprintf("---\ntitle: %s\n---\n\n## Steps\n\n1. Open %s\n\n## Expected\n\n- %s\n", caseName(i), c.Page, c.Sentence)
}

func judgeReplay(ctx context.Context, o options, s *site, dir string, batch []*cell, m *meter) (err error) {
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	works := map[string][]wiretest.Say{}
	for i, c := range batch {
		works[caseName(i)] = c.turns(s, true)
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, caseName(i)+".md"), []byte(specText(i, c)), 0o600)); err != nil {
			return err
		}
	}
	provider, err := startModel(wiretest.Chat, func(name string) []wiretest.Say { return works[name] })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, provider.end()) }()
	s.rehearse(batch)
	_, recordErr := suite(ctx, o, s, dir, environment(), append(provider.flags(), "--replay", "prefer", "--record")...)
	s.rehearse(nil)
	if recordErr != nil {
		return recordErr
	}
	results, err := suite(ctx, o, s, dir, nil, "--replay", "only")
	if err != nil {
		return err
	}
	for i, c := range batch {
		c.Outcome, c.Said = outcomeOf(results[caseName(i)])
		_, missing := os.Stat(filepath.Join(dir, caseName(i)+".md.flow.json"))
		if missing != nil && c.Lie == "" { // the honest check is one that the program does not have
			c.Outcome = unasked
		}
		m.judged(c)
	}
	return nil
}

// rehearse has the pages of honest cells show what is so, until it is called with
// none.
func (s *site) rehearse(batch []*cell) {
	shown := map[string]page{}
	for _, c := range batch {
		if c.Lie == "" {
			shown[c.Page] = c.rehearsal
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.instead = shown
}
