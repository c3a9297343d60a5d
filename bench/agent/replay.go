package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/assay-qa/assay/bench/measure"
	"github.com/assay-qa/assay/internal/wiretest"
	"github.com/assay-qa/assay/qa"
)

// replay has a model work a spec once, and then replays its recording, in turn
// with the same file run as a plain flow. No provider is there any more.
func (b bench) replay(ctx context.Context, rounds int, stdout io.Writer) error {
	if err := b.record(ctx); err != nil {
		return err
	}
	file := filepath.Join(recorded, specFile)
	ways := []string{file, file + ".flow.json"}
	whole, alone := map[string][]float64{}, map[string][]float64{}
	var wholes, cases []float64
	tokens := 0
	for i := range rounds {
		fmt.Fprintf(b.stderr, "replays: round %d of %d\n", i+1, rounds)
		for j := range ways {
			way := ways[(i+j)%2]
			took, result, err := b.suite(ctx, nil, way, "--replay", "only")
			if err != nil {
				return err
			}
			n, err := tokensOf(result.TestCases[0])
			if err != nil {
				return err
			}
			tokens += n
			whole[way], alone[way] = append(whole[way], measure.MS(took)), append(alone[way], float64(result.TestCases[0].DurationMS))
		}
		wholes = append(wholes, whole[ways[0]][i]/whole[ways[1]][i])
		cases = append(cases, alone[ways[0]][i]/alone[ways[1]][i])
	}
	spec, flow := ways[0], ways[1]
	fmt.Fprintf(stdout, "| replay of a recorded spec, against its flow run plainly | %.2f× (%.0f against %.0f ms) | ≤ 1.2× |\n",
		measure.Median(cases), measure.Median(alone[spec]), measure.Median(alone[flow]))
	fmt.Fprintf(stdout, "| the same from start to exit of the process | %.2f× (%.0f against %.0f ms) | |\n",
		measure.Median(wholes), measure.Median(whole[spec]), measure.Median(whole[flow]))
	fmt.Fprintf(stdout, "| tokens of the replays | %d | 0 |\n", tokens)
	return nil
}

// record has the scripted provider work the spec, and its recording written.
func (b bench) record(ctx context.Context) (err error) {
	p, err := b.provide(wiretest.Chat, procedure(b.site))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.end()) }()
	file := filepath.Join(recorded, specFile)
	_, result, err := b.suite(ctx, p, file, "--replay", "prefer")
	if err != nil {
		return err
	}
	if n, err := tokensOf(result.TestCases[0]); err != nil || n == 0 {
		return errors.Join(err, errors.New("the run of a model took no tokens: they can't be counted"))
	}
	_, err = os.Stat(filepath.Join(b.dir, file+".flow.json"))
	return err
}

// tokensOf returns what a case's report says it took, in and out.
func tokensOf(c qa.TestCase) (int, error) {
	data, err := os.ReadFile(filepath.Join(filepath.Dir(c.Report), "report.json"))
	if err != nil {
		return 0, err
	}
	var r qa.QAReport
	if err := json.Unmarshal(data, &r); err != nil {
		return 0, fmt.Errorf("the report of run %s: %w", c.RunID, err)
	}
	return r.Costs.TokensInput + r.Costs.TokensOutput, nil
}
