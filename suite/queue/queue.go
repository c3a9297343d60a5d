package queue

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Options say which broker is used, and by whom.
type Options struct {
	Address string      // nats://host:port or tls://host:port
	Token   string      // that the broker asks for
	TLS     *tls.Config // whom to trust; nil: the system's authorities
	Name    string      // of this process, for people
	Build   string      // of assay and its browser: cases go to workers of the same build alone
	Lease   time.Duration
	Log     *slog.Logger
}

const (
	// DefaultLease is for how long a case is a worker's without a heartbeat.
	DefaultLease = 30 * time.Second
	// MaxStarts is how often a case is begun before it is given up.
	MaxStarts = 3

	connectLimit  = 10 * time.Second
	reconnectWait = 200 * time.Millisecond
	keptFor       = 7 * 24 * time.Hour // what a suite that nobody resumes leaves in the broker
	laneIdle      = time.Hour          // a lane that nobody works in is forgotten
)

// The streams.
const (
	caseStream    = "CASES"
	startStream   = "STARTS"
	verdictStream = "VERDICTS"
)

// Queue is a connection to a broker. It comes back by itself when the broker does.
type Queue struct {
	connection *nats.Conn
	stream     jetstream.JetStream
	build      string
	lease      time.Duration
	log        *slog.Logger
}

// Connect connects to a broker, and makes its streams where there are none. An address of
// another machine needs TLS.
func Connect(ctx context.Context, o Options) (*Queue, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	q := &Queue{build: o.Build, lease: cmp.Or(o.Lease, DefaultLease), log: o.Log}
	settings := []nats.Option{
		nats.Name(o.Name), nats.Token(o.Token), nats.Timeout(connectLimit),
		nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait), nats.IgnoreAuthErrorAbort(),
		nats.ReconnectBufSize(-1), // what can't be sent now is an error now
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil { // none where we close the connection
				q.log.Warn("the broker is out of reach", "address", o.Address, "err", err)
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			q.log.Warn("the broker told of an error", "err", err)
		}),
		nats.ReconnectHandler(func(*nats.Conn) { q.log.Info("the broker is there again", "address", o.Address) }),
	}
	if o.TLS != nil {
		settings = append(settings, nats.Secure(o.TLS))
	}
	connection, err := nats.Connect(o.Address, settings...)
	if err != nil {
		return nil, refused(o.Address, err)
	}
	q.connection = connection
	if q.stream, err = jetstream.New(connection); err == nil {
		err = q.makeStreams(ctx)
	}
	if err != nil {
		connection.Close()
		return nil, fmt.Errorf("the broker at %s keeps no queue: %w", o.Address, err)
	}
	return q, nil
}

// check refuses to send a token where others can read it.
func (o Options) check() error {
	address, err := url.Parse(o.Address)
	if err != nil || address.Host == "" || address.Scheme != "nats" && address.Scheme != "tls" {
		return fmt.Errorf("queue %q: give nats://host:port, or tls://host:port on another machine", o.Address)
	}
	if o.Token == "" {
		return errors.New("the queue has no token: give --token-file")
	}
	if ip := net.ParseIP(address.Hostname()); address.Scheme == "nats" && o.TLS == nil && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("queue %s: without TLS the token could be read on its way: give tls://%s", o.Address, address.Host)
	}
	return nil
}

// refused says why there is no connection.
func refused(address string, err error) error {
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return fmt.Errorf("the broker at %s refuses the token: give the one that it was started with", address)
	case errors.Is(err, nats.ErrNoServers), errors.Is(err, nats.ErrTimeout):
		return fmt.Errorf("no broker answers at %s: %w", address, err)
	}
	return fmt.Errorf("connect to the broker at %s: %w", address, err)
}

func (q *Queue) makeStreams(ctx context.Context) error {
	for _, c := range []jetstream.StreamConfig{
		{Name: caseStream, Subjects: []string{"case.>"}, Retention: jetstream.WorkQueuePolicy},
		{Name: startStream, Subjects: []string{"start.>"}, MaxAge: keptFor},
		{Name: verdictStream, Subjects: []string{"verdict.>"}, MaxAge: keptFor, Discard: jetstream.DiscardNew, MaxMsgsPerSubject: 1, DiscardNewPerSubject: true},
	} {
		c.Storage = jetstream.FileStorage
		if _, err := q.stream.CreateOrUpdateStream(ctx, c); err != nil {
			return fmt.Errorf("stream %s: %w", c.Name, err)
		}
	}
	return nil
}

// Close ends the connection. Leases that it holds are not given back: they end.
func (q *Queue) Close() { q.connection.Close() }
