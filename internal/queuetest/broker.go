// Package queuetest starts the broker that people run, for tests that kill it.
package queuetest

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/suite/queue"
)

// Token is what the broker asks for.
const Token = "a-token-of-this-test"

// Broker is a broker with a folder that outlives it.
type Broker struct {
	Address string // host:port, the same after a start again

	t       *testing.T
	program string
	folder  string
	process *exec.Cmd
}

// build builds the broker's program once.
var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "assay-broker-")
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "assay-broker")
	out, err := exec.Command("go", "build", "-o", program, "github.com/assay-qa/assay/cmd/assay-broker").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return program, nil
})

// Main runs the tests of a package, and removes the program that they built.
func Main(m *testing.M) int {
	code := m.Run()
	if program, err := build(); err == nil {
		_ = os.RemoveAll(filepath.Dir(program))
	}
	return code
}

// Start starts a broker, which is killed when the test ends.
func Start(t *testing.T) *Broker {
	t.Helper()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	b := &Broker{Address: "127.0.0.1:0", t: t, program: program, folder: t.TempDir()}
	b.StartAgain()
	t.Cleanup(b.Kill)
	return b
}

// StartAgain starts the broker where it was before it was killed.
func (b *Broker) StartAgain() {
	b.t.Helper()
	b.process = exec.CommandContext(b.t.Context(), b.program) // killed with the test at the latest
	in, err := b.process.StdinPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	out, err := b.process.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := b.process.Start(); err != nil {
		b.t.Fatal(err)
	}
	settings, err := json.Marshal(map[string]string{"listen": b.Address, "folder": b.folder, "token": Token})
	if err == nil {
		_, err = in.Write(append(settings, '\n'))
	}
	if err != nil {
		b.t.Fatal(err)
	}
	var ready struct{ Address string }
	if err := json.NewDecoder(out).Decode(&ready); err != nil {
		b.t.Fatalf("the broker did not start: %v", err)
	}
	b.Address = ready.Address
}

// Kill ends the broker by SIGKILL.
func (b *Broker) Kill() {
	_ = b.process.Process.Kill()
	_ = b.process.Wait()
}

// Connect connects to the broker as a process of this build.
func (b *Broker) Connect(lease time.Duration) *queue.Queue {
	b.t.Helper()
	q, err := queue.Connect(b.t.Context(), queue.Options{Address: "nats://" + b.Address, Token: Token, Name: b.t.Name(), Lease: lease, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(q.Close)
	return q
}
