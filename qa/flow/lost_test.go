package flow_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// lossy is a page on which everything goes well, but that is lost while one of
// its pictures is taken.
type lossy struct {
	page
	at int // the picture, from 1; 0 is none
}

func (p *lossy) Shoot(context.Context, string, string, string) (int, error) {
	if p.shots++; p.shots == p.at {
		return 0, &flow.Fault{Code: "PAGE_CRASHED", Message: "gone", Transient: true, Lost: true}
	}
	return p.shots, nil
}

// B6: of a lost page only one call is told, and that may be the one that takes a
// picture. The attempt ends there: the next step would meet a page on which
// nothing was typed. It starts over if it can, and the pass is called flaky.
func TestRunEndsWhereThePageIsLost(t *testing.T) {
	onPage, opens := pay(), pay()
	onPage.StartURL = ""
	opens.StartURL = ""
	opens.Steps = append([]qa.FlowStep{{Action: "navigate", URL: "http://shop.test/"}}, opens.Steps...)
	for _, tt := range []struct {
		name       string
		flow       flow.Flow
		repeatable bool
		lost       int
		status     qa.Status
		attempts   int
		steps      string // of the first attempt
	}{
		{"after a step", pay(), true, 2, qa.Passed, 2, "navigate click"},
		{"after the last one", pay(), true, 4, qa.Passed, 2, "navigate click check check"},
		{"on a page that is opened", pay(), false, 2, qa.Passed, 2, "navigate click"},
		{"on the open page", onPage, false, 2, qa.Inconclusive, 1, "click"},
		{"before the first step", onPage, false, 1, qa.Inconclusive, 1, ""},
		{"where the first step opens", opens, false, 3, qa.Passed, 2, "navigate click"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var pages []*lossy
			r, err := flow.Run(context.Background(), tt.flow, time.Minute, flow.Site{Repeatable: tt.repeatable, Close: func(context.Context) {},
				Open: func(_ context.Context, n int) (flow.Page, error) {
					p := &lossy{page: page{script: always(nil)}}
					if n == 1 {
						p.at = tt.lost
					}
					pages = append(pages, p)
					return p, nil
				}}, flow.Options{Clock: &clock{now: time.Unix(1e9, 0)}})
			if err != nil {
				t.Fatal(err)
			}
			var steps []string
			for _, call := range pages[0].calls {
				steps = append(steps, strings.Fields(call)[0])
			}
			if r.Status != tt.status || r.Attempts != tt.attempts || strings.Join(steps, " ") != tt.steps {
				t.Errorf("%s (%s) after %d attempts, the first with %v", r.Status, r.Reason, r.Attempts, steps)
			}
			if r.Flaky != (tt.attempts > 1) || len(r.Retries) != tt.attempts-1 {
				t.Errorf("flaky %v, retries %v", r.Flaky, r.Retries)
			}
			if told := fmt.Sprint(r.Reason, r.Retries); !strings.Contains(told, "PAGE_CRASHED") {
				t.Errorf("the loss is not told: %s", told)
			}
			if pages[0].shots > tt.lost {
				t.Error("a picture was taken of a page that is not the one any more")
			}
		})
	}
}
