package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// These bound the waits between retries. Tasks side by side get the same wait
// from a provider at the same time: a random share keeps their retries apart.
const (
	firstPause = time.Second
	maxPause   = 30 * time.Second // that we choose ourselves
	maxAsked   = 2 * time.Minute  // that a provider may ask for
)

// pause computes how long to wait before a request is sent again that has
// failed so often: as long as the provider asks for, or 1 s, 2 s, 4 s and so
// on up to maxPause. Up to half of that is random; chance is from 0 to 1. ok
// is false where the provider asks for more than maxAsked.
func pause(failed int, asked time.Duration, chance float64) (d time.Duration, ok bool) {
	if asked > maxAsked {
		return 0, false
	}
	own := min(maxPause, firstPause<<min(failed-1, 10))
	return max(asked, own/2) + time.Duration(chance*float64(own)/2), true
}

// ask takes a turn of the model. It retries faults that may be temporary,
// within the limits of the task; what was spent on them counts.
func (l *loop) ask(ctx context.Context) (Reply, *qa.Interruption, error) {
	for failed := 1; ; failed++ {
		reply, err := l.Model.Next(ctx, l.talk)
		if err == nil {
			l.outage = nil
			return reply, nil, l.pay(reply.Usage)
		}
		var fault *ModelError
		if errors.As(err, &fault) {
			if err := l.pay(fault.Usage); err != nil {
				return Reply{}, nil, err
			}
		}
		if in := l.ended(ctx); in != nil {
			return Reply{}, in, nil
		}
		wait, again, why := l.again(fault, failed)
		if !again {
			return Reply{}, &qa.Interruption{Kind: qa.ModelError, Subject: "the model", Detail: pagetext.Text(err.Error() + why)}, nil
		}
		if in, err := l.wait(ctx, wait, fault); err != nil || in != nil {
			return Reply{}, in, err
		}
	}
}

// again decides whether a failed request is sent again, and after how long. If
// it is not, why may tell more to the reader of the report.
func (l *loop) again(fault *ModelError, failed int) (wait time.Duration, again bool, why string) {
	switch {
	case fault == nil:
		return 0, false, ""
	case fault.Fault == TooLong && failed == 1 && squeeze(l.talk.Turns):
		return 0, true, ""
	case !fault.Retriable():
		return 0, false, ""
	}
	l.outage = fault // unless the next answer comes
	if most := l.Limits.MaxRetriesPerStep; most >= 0 && failed > most {
		return 0, false, fmt.Sprintf("; asked %d times (agent.max_retries_per_step)", failed)
	}
	wait, ok := pause(failed, fault.RetryAfter, l.chance())
	if !ok {
		return 0, false, fmt.Sprintf("; it asks to wait %s, which is too long", fault.RetryAfter.Round(time.Second))
	}
	if ms, limited := l.meter.Left(); limited && wait >= time.Duration(ms)*time.Millisecond {
		return 0, false, fmt.Sprintf("; asked %d times, and there is no time left to wait %s", failed, wait.Round(time.Millisecond))
	}
	return wait, true, ""
}

// wait waits before a request is sent again, and says why it must not be.
func (l *loop) wait(ctx context.Context, d time.Duration, fault *ModelError) (*qa.Interruption, error) {
	l.retries++
	l.notes.add(transcriptLine{Role: "loop", Text: pagetext.Sprintf("asked again after %s: %v", d.Round(time.Millisecond), fault)})
	l.Log.Warn("the model is asked again", "runId", l.runID, "after", d.String(), "retries", l.retries, "fault", string(fault.Fault), "err", l.Redact(fault.Error()))
	if d > 0 {
		if err := l.Wait(ctx, d); err != nil {
			if in := l.ended(ctx); in != nil {
				return in, nil
			}
			return nil, err
		}
	}
	if err := l.spend(); err != nil {
		return nil, err
	}
	return l.meter.AllowTurn(), nil
}

// pay adds a turn's usage to the run's costs.
func (l *loop) pay(u Usage) error {
	if u == (Usage{}) {
		return nil
	}
	usd := 0.0
	if l.Rates != nil {
		usd = l.Rates.Of(u)
	}
	return l.Record.Spend(u.Input, u.Cached, u.Output, usd)
}
