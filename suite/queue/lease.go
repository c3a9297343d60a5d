package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/assay-qa/assay/internal/wait"
)

// ErrLost says that a lease ended: no heartbeat came through, and the case may be another
// worker's by now.
var ErrLost = errors.New("the lease has ended: no heartbeat reached the broker")

// ErrNotFirst says that the verdict of a job is there already.
var ErrNotFirst = errors.New("another verdict of this job came first")

// tooMany is the broker's code for a message that a subject has no room for.
const tooMany = 10077

// Lease is a job that this worker has until it gives it back, or loses it.
type Lease struct {
	Job    Job
	Starts int // how often a worker has begun with it, this time included

	queue   *Queue
	message jetstream.Msg
}

// Take waits for a job of any lane, and begins with it. It returns the error of ctx where
// that ends first.
func (q *Queue) Take(ctx context.Context) (*Lease, error) {
	woken := make(chan struct{}, 1)
	stop, err := q.listen(ctx, woken)
	if err != nil {
		return nil, err
	}
	defer stop()
	for {
		lanes, err := q.lanes(ctx)
		if err != nil {
			return nil, err
		}
		for woke := true; woke; woke = q.nap(ctx, woken) {
			if l, err := q.take(ctx, lanes); l != nil || err != nil {
				return l, err
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}

// nap waits for a word that there may be a job, and reports whether it came: without one
// it is time to look for other lanes.
func (q *Queue) nap(ctx context.Context, woken <-chan struct{}) bool {
	limited, stop := context.WithTimeout(ctx, lookAgain)
	defer stop()
	select {
	case <-woken:
		return true
	case <-limited.Done():
		return false
	}
}

// listen tells woken whenever there may be a job.
func (q *Queue) listen(ctx context.Context, woken chan<- struct{}) (stop func(), err error) {
	for {
		listening, err := q.connection.Subscribe(wakeSubject, func(*nats.Msg) {
			select {
			case woken <- struct{}{}:
			default: // it is told already
			}
		})
		if err == nil {
			return func() { _ = listening.Unsubscribe() }, nil // it fails only where the connection is closed
		}
		if err := q.later(ctx, err); err != nil {
			return nil, fmt.Errorf("listen for jobs: %w", err)
		}
		if err := wait.For(ctx, reconnectWait); err != nil {
			return nil, err
		}
	}
}

const (
	// wakeSubject is told when there may be a job to take: one came, or one ended, which
	// frees a place of its lane.
	wakeSubject = "assay.wake"
	// lookAgain is how often lanes are looked at without being told: a lease that ends
	// tells nobody.
	lookAgain = time.Second
)

// wake tells workers that there may be a job. Who does not hear it looks by itself.
func (q *Queue) wake() { _ = q.connection.Publish(wakeSubject, nil) }

// take asks one lane after the other for a job, and begins with the first one.
func (q *Queue) take(ctx context.Context, lanes []jetstream.Consumer) (*Lease, error) {
	for _, i := range rand.Perm(len(lanes)) { // so that each lane has its turn
		batch, err := lanes[i].FetchNoWait(1)
		if err != nil {
			continue // out of reach, or forgotten: it is asked again
		}
		for message := range batch.Messages() {
			l, err := q.begin(ctx, message)
			if l != nil || ctx.Err() != nil {
				return l, err
			}
			if err != nil {
				q.log.Warn("a job could not be begun, and goes back", "err", err)
			}
		}
	}
	return nil, nil
}

// lanes returns the lanes there are for workers of this build.
func (q *Queue) lanes(ctx context.Context) (out []jetstream.Consumer, err error) {
	limited, stop := context.WithTimeout(ctx, connectLimit)
	defer stop()
	s, err := q.stream.Stream(limited, caseStream)
	if err != nil {
		return nil, q.later(ctx, err)
	}
	names := s.ConsumerNames(limited)
	for name := range names.Name() {
		if !strings.HasPrefix(name, buildToken(q.build)) {
			continue
		}
		c, err := s.Consumer(limited, name)
		if errors.Is(err, jetstream.ErrConsumerNotFound) {
			continue // forgotten just now
		}
		if err != nil {
			return nil, q.later(ctx, err)
		}
		out = append(out, c)
	}
	return out, q.later(ctx, names.Err())
}

// later returns no error where the broker is out of reach: it comes back.
func (q *Queue) later(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && !q.connection.IsClosed() {
		q.log.Debug("the broker does not answer", "err", err)
		return nil
	}
	return err
}

// begin notes that a worker begins with a job. It returns none where the job has a verdict:
// whoever published that did not come to acknowledge the job, or a broker that was killed
// does not know of it.
func (q *Queue) begin(ctx context.Context, m jetstream.Msg) (*Lease, error) {
	l := &Lease{queue: q, message: m}
	if err := json.Unmarshal(m.Data(), &l.Job); err != nil || l.Job.subject("case") != m.Subject() {
		return nil, errors.Join(fmt.Errorf("what the broker handed out at %s is not the job of that name: it is dropped", m.Subject()), err, m.Term())
	}
	judged, err := q.count(ctx, verdictStream, l.Job.subject("verdict"))
	if err == nil && judged > 0 {
		return nil, l.Done(ctx)
	}
	subject := l.Job.subject("start")
	if err == nil {
		_, err = q.stream.Publish(ctx, subject, nil)
	}
	if err == nil {
		l.Starts, err = q.count(ctx, startStream, subject)
	}
	if err != nil {
		return nil, errors.Join(err, m.Nak())
	}
	return l, nil
}

// count counts the messages of a subject.
func (q *Queue) count(ctx context.Context, stream, subject string) (int, error) {
	s, err := q.stream.Stream(ctx, stream)
	if err != nil {
		return 0, err
	}
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(subject))
	if err != nil {
		return 0, err
	}
	return int(info.State.Subjects[subject]), nil //nolint:gosec // a few
}

// Hold keeps the lease by heartbeats until release is called. The context that it returns
// ends with ErrLost as its cause where none comes through for as long as the lease lasts:
// by then whatever the worker does for the job has to end.
func (l *Lease) Hold(ctx context.Context) (held context.Context, release func()) {
	held, lose := context.WithCancelCause(ctx)
	go func() {
		for l.renew(held) {
		}
		lose(ErrLost) // of a lease that was released before it changes nothing
	}()
	return held, func() { lose(context.Canceled) }
}

// renew sends heartbeats until one comes through, as long as the lease lasts. It reports
// whether one did.
func (l *Lease) renew(held context.Context) bool {
	limited, stop := context.WithTimeout(held, l.queue.lease)
	defer stop()
	for wait.For(limited, l.queue.lease/3) == nil {
		if l.beat(limited) == nil {
			return true
		}
	}
	return false
}

// beat tells the broker that the worker is at it, and waits for its answer.
func (l *Lease) beat(ctx context.Context) error {
	limited, stop := context.WithTimeout(ctx, l.queue.lease/4)
	defer stop()
	_, err := l.queue.connection.RequestWithContext(limited, l.message.Reply(), []byte("+WPI"))
	return err
}

// Publish publishes the verdict of the job. ErrNotFirst says that another worker's came
// first; the same verdict again is none of them.
func (l *Lease) Publish(ctx context.Context, verdict []byte) error {
	return l.queue.publish(ctx, l.Job, verdict)
}

func (q *Queue) publish(ctx context.Context, j Job, verdict []byte) error {
	subject := j.subject("verdict")
	_, err := q.stream.Publish(ctx, subject, verdict)
	var refused *jetstream.APIError
	if !errors.As(err, &refused) || refused.ErrorCode != tooMany {
		return err
	}
	s, err := q.stream.Stream(ctx, verdictStream)
	if err != nil {
		return err
	}
	first, err := s.GetLastMsgForSubject(ctx, subject)
	if err != nil {
		return err
	}
	if !slices.Equal(first.Data, verdict) {
		return ErrNotFirst
	}
	return nil // ours, whose acknowledgement got lost
}

// Done takes the job out of the queue, once its verdict is published. It returns when the
// broker has that on its disk. An error needs nothing: a job that has a verdict is taken out
// when it is handed out again. That is how it is with a broker that was killed, which forgets
// to whom it has handed out what and answers no such acknowledgement.
func (l *Lease) Done(ctx context.Context) error {
	limited, stop := context.WithTimeout(ctx, l.queue.lease/3)
	defer stop()
	if err := l.message.DoubleAck(limited); err != nil {
		return fmt.Errorf("acknowledge %s: %w", l.Job.Case, err)
	}
	l.queue.wake()
	return nil
}

// Return gives the job back, to be taken again after a while.
func (l *Lease) Return(after time.Duration) error { return l.message.NakWithDelay(after) }
