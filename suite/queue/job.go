package queue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// Job is a case as it waits in the queue. It has no secrets: each worker has its own.
type Job struct {
	Suite      string          `json:"suite"`
	Case       string          `json:"case"`       // its id
	Generation int             `json:"generation"` // from 0: how often its verdict was refused
	Lane       string          `json:"lane"`       // host or account
	Build      string          `json:"build"`      // of who submits it, which workers share
	Work       json.RawMessage `json:"work"`       // what the worker reads
}

// subject is the name of a message about the job, in one of the streams.
func (j Job) subject(kind string) string {
	parts := []string{kind, token(j.Suite)}
	if kind == "case" {
		parts = append(parts, laneToken(j.Build, j.Lane))
	}
	return strings.Join(append(parts, token(j.Case), strconv.Itoa(j.Generation)), ".")
}

// laneToken names a lane for workers of one build.
func laneToken(build, lane string) string { return buildToken(build) + token(lane) }

// buildToken begins the names of a build's lanes.
func buildToken(build string) string { return token(build) + "-" }

// token is a text as a part of a subject, which dots, stars and spaces would change.
func token(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}

// Lane makes a lane for workers of this build, or changes its limit: so many of its cases are
// in flight at a time.
func (q *Queue) Lane(ctx context.Context, name string, limit int) error {
	_, err := q.stream.CreateOrUpdateConsumer(ctx, caseStream, jetstream.ConsumerConfig{
		Durable: laneToken(q.build, name), FilterSubject: "case.*." + laneToken(q.build, name) + ".>",
		Metadata:  map[string]string{"lane": name, "build": q.build},
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: q.lease, MaxAckPending: limit,
		MaxDeliver:        -1, // a bound of the broker has lost messages; starts are counted here
		InactiveThreshold: laneIdle,
	})
	if err != nil {
		return fmt.Errorf("lane %s: %w", name, err)
	}
	return nil
}

// Submit puts a job into its lane. The same job again, by whoever resumes its suite, is the
// same message.
func (q *Queue) Submit(ctx context.Context, j Job) error {
	j.Build = q.build
	body, err := json.Marshal(j)
	if err != nil {
		return err
	}
	subject := j.subject("case")
	if _, err := q.stream.Publish(ctx, subject, body, jetstream.WithMsgID(subject)); err != nil {
		return fmt.Errorf("put %s into the queue: %w", j.Case, err)
	}
	q.wake()
	return nil
}

// Withdraw takes all of a suite's jobs out that nobody has done.
func (q *Queue) Withdraw(ctx context.Context, suite string) error {
	s, err := q.stream.Stream(ctx, caseStream)
	if err == nil {
		err = s.Purge(ctx, jetstream.WithPurgeSubject("case."+token(suite)+".>"))
	}
	if err != nil {
		return fmt.Errorf("withdraw suite %s: %w", suite, err)
	}
	return nil
}

// Begun reports whether a worker began with a job.
func (q *Queue) Begun(ctx context.Context, j Job) (bool, error) {
	n, err := q.count(ctx, startStream, j.subject("start"))
	return n > 0, err
}
