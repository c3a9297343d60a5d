// Package broker runs the server that cases of suites wait in until a worker takes
// them: NATS with JetStream, in this process. Programs of people start without it:
// only cmd/assay-broker links it.
package broker

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Options say where a broker listens, and where it keeps what is queued.
type Options struct {
	Address string      // host:port; port 0: any that is free
	Folder  string      // what is queued outlives the broker there
	Token   string      // that every client gives
	TLS     *tls.Config // nil: none, which only an address of this machine may do
}

const (
	readyLimit = 10 * time.Second
	maxMessage = 1 << 20 // bytes: a case and a verdict are a page of JSON; evidence does not travel here
)

// Broker is a server that runs.
type Broker struct{ server *server.Server }

// Start starts a broker. Every message is on the disk before it is acknowledged: by
// default NATS flushes to the disk every two minutes, and what was acknowledged since is
// lost with the machine's power.
func Start(o Options) (*Broker, error) {
	host, port, err := o.check()
	if err != nil {
		return nil, err
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	s, err := server.NewServer(&server.Options{
		ServerName: "assay", Host: host, Port: port, Authorization: o.Token, TLSConfig: o.TLS, MaxPayload: maxMessage,
		JetStream: true, StoreDir: o.Folder, SyncAlways: true, NoSigs: true, NoLog: true,
	})
	if err != nil {
		return nil, fmt.Errorf("start the broker: %w", err)
	}
	s.Start()
	if !s.ReadyForConnections(readyLimit) {
		s.Shutdown()
		return nil, fmt.Errorf("the broker is not ready after %s: is %s in use, and can %s be written?", readyLimit, o.Address, o.Folder)
	}
	if !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, fmt.Errorf("the broker can't keep messages in %s: is there room, and does another broker use it?", o.Folder)
	}
	return &Broker{s}, nil
}

// check refuses a broker that strangers could reach.
func (o Options) check() (host string, port int, err error) {
	host, number, err := net.SplitHostPort(o.Address)
	if err == nil {
		port, err = strconv.Atoi(number)
	}
	if err != nil {
		return "", 0, fmt.Errorf("address of the broker: give host:port, such as 127.0.0.1:0: %w", err)
	}
	ip := net.ParseIP(host)
	switch {
	case o.Token == "":
		return "", 0, errors.New("the broker has no token: whoever reaches it could hand in verdicts")
	case o.Folder == "":
		return "", 0, errors.New("the broker has no folder for what is queued")
	case o.TLS == nil && (ip == nil || !ip.IsLoopback()):
		return "", 0, fmt.Errorf("the broker would listen at %s without TLS: give it a certificate and its key, or an address of this machine, such as 127.0.0.1", o.Address)
	}
	return host, port, nil
}

// Address returns where the broker listens.
func (b *Broker) Address() string { return b.server.Addr().String() }

// Run lets the broker run until ctx ends, and stops it.
func (b *Broker) Run(ctx context.Context) {
	<-ctx.Done()
	b.server.Shutdown()
	b.server.WaitForShutdown()
}
