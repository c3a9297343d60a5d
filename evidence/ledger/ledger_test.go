package ledger_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
)

// childVariable tells a process of this test that it is a child, and the file.
const childVariable = "ASSAY_TEST_LEDGER"

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		child(path)
		return
	}
	os.Exit(m.Run())
}

// child adds records, one for each line that it reads, and says when each was
// kept. It holds the file from the word "hold" to the next line.
func child(path string) {
	l := ledger.Open(filepath.Dir(path), time.Now, ledger.Options{Wait: time.Minute})
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		key := lines.Text()
		if key == "bursts" {
			bursts(l)
		}
		if key == "rotate" {
			rotate(l)
		}
		err := l.Update(context.Background(), func(tx *ledger.Tx) error {
			if key == "hold" {
				fmt.Println("held")
				lines.Scan()
				return nil
			}
			return add(tx, key)
		})
		fmt.Println(key, err)
	}
}

// process is a child that is talked to.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser
	said *bufio.Scanner
}

func start(t *testing.T, path string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.CommandContext(t.Context(), os.Args[0])}
	p.cmd.Env, p.cmd.Stderr = append(os.Environ(), childVariable+"="+path), os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.said = bufio.NewScanner(out)
	return p
}

func (p *process) tell(line string) {
	p.t.Helper()
	if _, err := fmt.Fprintln(p.in, line); err != nil {
		p.t.Fatal(err)
	}
}

func (p *process) hear(want string) {
	p.t.Helper()
	if !p.said.Scan() || p.said.Text() != want {
		p.t.Fatalf("the child said %q, want %q", p.said.Text(), want)
	}
}

// end closes the child's input and waits until it has ended.
func (p *process) end() {
	p.t.Helper()
	if err := p.in.Close(); err != nil {
		p.t.Error(err)
	}
	if err := p.cmd.Wait(); err != nil {
		p.t.Error(err)
	}
}

func add(tx *ledger.Tx, key string) error {
	if err := tx.Put("things", key, []byte(strings.Repeat(key, 1+300/len(key)))); err != nil {
		return err
	}
	_, err := tx.Append(ledger.Event{Actor: ledger.Actor{Kind: "agent", ID: "run"}, Action: "added", Record: key, Subject: []string{key}})
	return err
}

// held is all that a ledger hands out.
type held struct {
	Records map[string]string
	Events  []ledger.Event
}

func read(t *testing.T, path string) (held, error) {
	t.Helper()
	h := held{Records: map[string]string{}}
	err := ledger.Open(filepath.Dir(path), time.Now, ledger.Options{Wait: time.Second}).View(t.Context(), func(tx *ledger.Tx) error {
		for _, key := range tx.Keys("things") {
			value, _ := tx.Get("things", key)
			h.Records[key] = string(value)
		}
		var err error
		h.Events, err = eventsOf(tx)
		return err
	})
	return h, err
}

func mustRead(t *testing.T, path string) held {
	t.Helper()
	h, err := read(t, path)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// What is put together is kept together, in order, or not at all (B8).
func TestUpdate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", "assay.db")
	if h := mustRead(t, path); len(h.Records) != 0 || len(h.Events) != 0 {
		t.Errorf("in nothing: %v", h)
	}
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("reading made the folder: %v", err)
	}
	l := ledger.Open(filepath.Dir(path), time.Now, ledger.Options{})
	for _, key := range []string{"b", "a", "b"} {
		if err := l.Update(t.Context(), func(tx *ledger.Tx) error { return add(tx, key) }); err != nil {
			t.Fatal(err)
		}
	}
	own := errors.New("own")
	err := l.Update(t.Context(), func(tx *ledger.Tx) error { return errors.Join(add(tx, "c"), own) })
	if !errors.Is(err, own) {
		t.Errorf("Update returned %v, want the function's error", err)
	}
	h := mustRead(t, path)
	if len(h.Records) != 2 || h.Records["a"] != strings.Repeat("a", 301) || len(h.Events) != 3 {
		t.Errorf("held: %v", h)
	}
	for i, e := range h.Events {
		if e.Seq != int64(i)+1 {
			t.Errorf("event %d: %+v", i, e)
		}
	}
	for _, place := range [][2]string{{"", "a"}, {"head", "a"}, {"events", "a"}, {"things", ""}} {
		if err := l.Update(t.Context(), func(tx *ledger.Tx) error { return tx.Put(place[0], place[1], nil) }); err == nil {
			t.Errorf("put into %v", place)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read the file: %v, %v", info.Mode(), err)
	}
}

// What is deleted is gone, with the update that deletes it or not at all; the
// others and the events stay (B8, E5).
func TestDelete(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	l := ledger.Open(filepath.Dir(path), time.Now, ledger.Options{})
	update := func(f func(*ledger.Tx) error) error { return l.Update(t.Context(), f) }
	if err := update(func(tx *ledger.Tx) error {
		return errors.Join(add(tx, "a"), add(tx, "b"), tx.Put("things", "empty", nil))
	}); err != nil {
		t.Fatal(err)
	}
	own := errors.New("own")
	if err := update(func(tx *ledger.Tx) error { tx.Delete("things", "a"); return own }); !errors.Is(err, own) {
		t.Error(err)
	}
	if h := mustRead(t, path); len(h.Records) != 3 {
		t.Errorf("after a deletion that failed: %v", h.Records)
	}
	if err := update(func(tx *ledger.Tx) error {
		for _, key := range []string{"a", "new", "none", "b"} {
			if key == "new" {
				if err := tx.Put("things", key, []byte("x")); err != nil {
					return err
				}
			}
			tx.Delete("things", key)
		}
		if _, ok := tx.Get("things", "a"); ok {
			t.Error("it is still there")
		}
		return tx.Put("things", "b", []byte("again"))
	}); err != nil {
		t.Fatal(err)
	}
	if h := mustRead(t, path); len(h.Records) != 2 || h.Records["b"] != "again" || len(h.Events) != 2 {
		t.Errorf("left: %v", h)
	}
}

// Many at once, through one ledger and through several: nothing is lost.
func TestManyAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	one := ledger.Open(filepath.Dir(path), time.Now, ledger.Options{Wait: time.Minute})
	var all sync.WaitGroup
	for i := range 10 {
		for _, l := range []*ledger.Ledger{one, ledger.Open(filepath.Dir(path), time.Now, ledger.Options{Wait: time.Minute})} {
			all.Go(func() {
				key := fmt.Sprintf("%d-%t", i, l == one)
				if err := l.Update(t.Context(), func(tx *ledger.Tx) error { return add(tx, key) }); err != nil {
					t.Error(err)
				}
				if err := l.View(t.Context(), func(tx *ledger.Tx) error {
					if _, ok := tx.Get("things", key); !ok {
						t.Errorf("%s is not there after it was kept", key)
					}
					return nil
				}); err != nil {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	if h := mustRead(t, path); len(h.Records) != 20 || len(h.Events) != 20 {
		t.Errorf("%d records and %d events of 20", len(h.Records), len(h.Events))
	}
}

// Another process holds the file: an error within the bound, and it works once
// the other has gone. A caller who has had enough is not kept.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	p := start(t, path)
	p.tell("a")
	p.hear("a <nil>")
	p.tell("hold")
	p.hear("held")
	l := ledger.Open(filepath.Dir(path), time.Now, ledger.Options{Wait: 50 * time.Millisecond})
	nothing := func(*ledger.Tx) error { return nil }
	for name, operation := range map[string]func(context.Context, func(*ledger.Tx) error) error{"View": l.View, "Update": l.Update} {
		if err := operation(t.Context(), nothing); !errors.Is(err, ledger.ErrLocked) || !strings.Contains(err.Error(), "50ms") {
			t.Errorf("%s: %v, want ErrLocked that tells how long it waited", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	patient := ledger.Open(filepath.Dir(path), time.Now, ledger.Options{Wait: time.Hour})
	for name, operation := range map[string]func(context.Context, func(*ledger.Tx) error) error{"View": patient.View, "Update": patient.Update} {
		if err := operation(ctx, nothing); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", name, err)
		}
	}
	done := make(chan error)
	go func() { done <- patient.Update(t.Context(), func(tx *ledger.Tx) error { return add(tx, "b") }) }()
	p.tell("let go")
	p.hear("hold <nil>")
	if err := <-done; err != nil {
		t.Errorf("once it was let go: %v", err)
	}
	p.end()
	if h := mustRead(t, path); len(h.Records) != 2 {
		t.Errorf("held: %v", h.Records)
	}
}

// equal reports whether a ledger holds just what it did.
func equal(a, b held) bool { return reflect.DeepEqual(a, b) }

// eventsOf returns all events.
func eventsOf(tx *ledger.Tx) (all []ledger.Event, err error) {
	for e, err := range tx.Events("") {
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}
