package ledger_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/ledger"
)

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// The checkpoint over a rotation is signed by both keys, that over a
// replacement by the new one; the name of the log stays (B8).
func TestRotate(t *testing.T) {
	for action, lost := range map[string]bool{ledger.KeyRotated: false, ledger.KeyReplaced: true} {
		f := newFolder(t)
		l := f.open()
		if _, err := l.Rotate(t.Context(), "Ada", "too early"); err == nil || !strings.Contains(err.Error(), "empty") {
			t.Errorf("an empty log: %v", err)
		}
		f.mustAdd(l)
		first := strings.TrimSpace(f.text("log/keys"))
		if lost {
			f.remove("log/key")
		}
		e, err := l.Rotate(t.Context(), "Ada", "routine")
		if err != nil {
			t.Fatal(err)
		}
		key, err := l.Key()
		if err != nil {
			t.Fatal(err)
		}
		second := key.Verifier()
		if e.Action != action || e.Seq != 2 || e.Record != second || !slices.Equal(e.Subject, []string{digest(second)}) ||
			!slices.Equal(e.Previous, []string{digest(first)}) || e.Actor != (ledger.Actor{Kind: "human", ID: "Ada"}) || e.Reason != "routine" {
			t.Errorf("%+v", e)
		}
		if got := f.text("log/keys"); got != first+"\n"+second+"\n" || first == second {
			t.Errorf("log/keys: %q", got)
		}
		f.mustAdd(l)
		var signed []byte
		if err := l.View(t.Context(), func(tx *ledger.Tx) error {
			signed, _ = tx.Takeover(second)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for verifier, want := range map[string]bool{first: !lost, second: true} {
			trust, err := attest.ParseTrust(verifier)
			if err != nil {
				t.Fatal(err)
			}
			if point, _, err := trust.OpenCheckpoint(signed); (err == nil) != want || err == nil && point.Size != 2 {
				t.Errorf("%s: %s: %+v, %v", action, verifier, point, err)
			}
			if _, _, err := trust.OpenCheckpoint([]byte(f.text("log/checkpoint"))); (err == nil) != (verifier == second) {
				t.Errorf("%s: after the next event, %s: %v", action, verifier, err)
			}
		}
		uses, err := l.Keys(t.Context())
		if err != nil || len(uses) != 2 || uses[0].Verifier != first || uses[0].Action != "" || uses[0].Index != 0 ||
			uses[1].Verifier != second || uses[1].Action != action || uses[1].Index != 1 || uses[1].By != "Ada" || !uses[1].Since.Equal(e.UTC) {
			t.Errorf("%+v, %v", uses, err)
		}
		if n := f.size(); n != 3 {
			t.Errorf("%d events", n)
		}
	}
}

// Whatever ends a rotation between two of its steps, the next event goes on, or
// takes it back.
func TestRotationInterrupted(t *testing.T) {
	for name, c := range map[string]struct {
		lost     bool
		stop     func(f folder, old map[string]string) // leaves the folder as a killed process would
		happened bool
	}{
		"new key written": {stop: func(f folder, old map[string]string) { f.restore(old); f.write("log/key.next", old["next"]) }},
		"new key named": {stop: func(f folder, old map[string]string) {
			f.restore(old)
			f.write("log/key.next", old["next"])
			f.write("log/keys", old["log/keys"]+old["named"])
		}},
		"event kept": {stop: func(f folder, old map[string]string) {
			f.write("log/key.next", old["next"])
			f.write("log/key", old["log/key"])
		}, happened: true},
		"event kept, not published": {stop: func(f folder, old map[string]string) {
			f.write("log/key.next", old["next"])
			f.write("log/key", old["log/key"])
			f.write("log/checkpoint", old["log/checkpoint"])
		}, happened: true},
		"event kept, old key lost": {lost: true, stop: func(f folder, old map[string]string) {
			f.write("log/key.next", old["next"])
			f.remove("log/key")
		}, happened: true},
	} {
		f := newFolder(t)
		l := f.open()
		f.mustAdd(l)
		old := map[string]string{}
		for _, file := range []string{"assay.db", "log/key", "log/keys", "log/checkpoint"} {
			old[file] = f.text(file)
		}
		if c.lost {
			f.remove("log/key")
		}
		e, err := l.Rotate(t.Context(), "Ada", "routine")
		if err != nil {
			t.Fatal(err)
		}
		old["next"], old["named"] = f.text("log/key"), e.Record+"\n"
		c.stop(f, old)
		before := len(events(t, f))
		f.mustAdd(l)
		key, err := l.Key()
		if err != nil || (key.Verifier() == e.Record) != c.happened {
			t.Errorf("%s: it goes on with %v, %v", name, key, err)
		}
		if got := strings.Contains(f.text("log/keys"), e.Record); got != c.happened {
			t.Errorf("%s: log/keys names the new key: %v", name, got)
		}
		if _, err := os.Stat(f.path("log/key.next")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: log/key.next: %v", name, err)
		}
		if n := f.size(); n != int64(before)+1 {
			t.Errorf("%s: %d events, had %d", name, n, before)
		}
		if uses, err := l.Keys(t.Context()); err != nil || len(uses) != map[bool]int{true: 2, false: 1}[c.happened] {
			t.Errorf("%s: %+v, %v", name, uses, err)
		}
		if _, err := l.Rotate(t.Context(), "Ada", "again"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func (f folder) restore(old map[string]string) {
	for _, file := range []string{"assay.db", "log/key", "log/keys", "log/checkpoint"} {
		f.write(file, old[file])
	}
}

func events(t *testing.T, f folder) []ledger.Event {
	t.Helper()
	var all []ledger.Event
	if err := f.open().View(t.Context(), func(tx *ledger.Tx) (err error) {
		all, err = eventsOf(tx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// A process that is killed while it changes keys leaves a log that goes on, with
// one key that log/keys and the log agree on (B8).
func TestRotationKilled(t *testing.T) {
	f := newFolder(t)
	f.mustAdd(f.open())
	rotated := 0
	for round := range 12 {
		p := start(t, f.path("assay.db"))
		p.tell("rotate")
		for range round%3 + 1 {
			p.hear(ledger.KeyRotated + " <nil>")
			rotated++
		}
		if err := p.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = p.cmd.Wait() // it was killed
		f.mustAdd(f.open())
		var named []string
		for _, e := range events(t, f) {
			if e.Action == ledger.KeyRotated {
				named = append(named, e.Record)
			}
		}
		if len(named) < rotated {
			t.Fatalf("round %d: %d rotations were told, and %d are in the log", round, rotated, len(named))
		}
		rotated = len(named)
		keys := strings.Fields(f.text("log/keys"))
		if !slices.Equal(keys[1:], named) {
			t.Fatalf("round %d: the log names %q, and log/keys %q", round, named, keys[1:])
		}
		if n := f.size(); n != int64(1+rotated+round+1) {
			t.Fatalf("round %d: %d events after %d rotations", round, n, rotated)
		}
	}
	t.Log(fmt.Sprint(rotated, " rotations"))
}
