// Command assay-broker is the broker of suites that several machines work on. assay run
// starts it where it is asked for workers:
//
//	assay-broker < settings.json
//
// The first line of its standard input has its settings as JSON: listen (host:port),
// folder, token, and certificate and key, files in PEM. It prints a line of JSON with its
// address, and ends when its input does, so that it never outlives what has started it.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/assay-qa/assay/suite/queue/broker"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "assay-broker:", err)
		stop()
		os.Exit(2) //nolint:gocritic // nothing else is deferred
	}
}

// settings are those of the first line of the input.
type settings struct {
	Listen      string `json:"listen"`
	Folder      string `json:"folder"`
	Token       string `json:"token"`
	Certificate string `json:"certificate,omitempty"`
	Key         string `json:"key,omitempty"`
}

func run(ctx context.Context, stdin io.Reader, stdout io.Writer) error {
	in := bufio.NewReader(stdin)
	line, err := in.ReadBytes('\n')
	if err != nil && len(line) == 0 {
		return fmt.Errorf("read the settings from standard input: %w", err)
	}
	var s settings
	if err := json.Unmarshal(line, &s); err != nil {
		return fmt.Errorf("the settings are no JSON object: %w", err)
	}
	o := broker.Options{Address: s.Listen, Folder: s.Folder, Token: s.Token}
	if s.Certificate != "" || s.Key != "" {
		pair, err := tls.LoadX509KeyPair(s.Certificate, s.Key)
		if err != nil {
			return fmt.Errorf("certificate: %w", err)
		}
		o.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}
	}
	b, err := broker.Start(o)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, in) // until what has started us ends
		stop()
	}()
	err = json.NewEncoder(stdout).Encode(struct {
		Address string `json:"address"`
	}{b.Address()})
	if err != nil {
		stop()
	}
	b.Run(ctx)
	return err
}
