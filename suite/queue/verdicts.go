package queue

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/assay-qa/assay/internal/wait"
)

// Verdict is what a worker published about a job. Nothing has looked at it yet.
type Verdict struct {
	Case       string // token of its id, as [Token] has it
	Generation int
	Body       []byte
}

// Token is how a verdict names a case.
func Token(id string) string { return token(id) }

// Verdicts calls each with every verdict of a suite, those that are there already first,
// until ctx ends. It goes on by itself after the broker was out of reach.
func (q *Queue) Verdicts(ctx context.Context, suite string, each func(Verdict)) error {
	prefix := "verdict." + token(suite) + "."
	var consuming jetstream.ConsumeContext
	for consuming == nil {
		consumer, err := q.stream.OrderedConsumer(ctx, verdictStream, jetstream.OrderedConsumerConfig{FilterSubjects: []string{prefix + ">"}})
		if err == nil {
			consuming, err = consumer.Consume(func(m jetstream.Msg) { q.tell(m, prefix, each) })
		}
		if err := q.later(ctx, err); err != nil {
			return fmt.Errorf("listen for the verdicts of %s: %w", suite, err)
		}
		if err != nil {
			_ = wait.For(ctx, reconnectWait) // the next call says that ctx has ended
		}
	}
	defer consuming.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-consuming.Closed():
		return fmt.Errorf("the broker ended the stream of verdicts of %s", suite)
	}
}

// tell hands a message on as a verdict.
func (q *Queue) tell(m jetstream.Msg, prefix string, each func(Verdict)) {
	id, generation, _ := strings.Cut(strings.TrimPrefix(m.Subject(), prefix), ".")
	n, err := strconv.Atoi(generation)
	if err != nil {
		q.log.Warn("a verdict has no generation", "subject", m.Subject())
		return
	}
	each(Verdict{Case: id, Generation: n, Body: m.Data()})
}
