package ledger_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence/ledger"
)

// bursts appends for ever: one event, or so many that tiles are cut. It says
// what the log had when each burst was kept.
func bursts(l *ledger.Ledger) {
	for n := 0; ; n++ {
		var last ledger.Event
		err := l.Update(context.Background(), func(tx *ledger.Tx) error {
			count := []int{1, 1, 70, 1, 200}[rand.IntN(5)] //nolint:gosec // it guards nothing
			for i := range count {
				var err error
				if last, err = tx.Append(ledger.Event{Action: "added", Record: fmt.Sprint(i)}); err != nil {
					return err
				}
			}
			return tx.Put("things", "last", fmt.Append(nil, last.Seq))
		})
		fmt.Println(last.Seq, last.Writer, err)
	}
}

// rounds returns how often a writer is killed: 25 times, and 500 by make soak.
func rounds() int {
	if os.Getenv("SOAK") != "" {
		return 500
	}
	return 25
}

// cuts returns how many cuts of tiles have to be hit.
func cuts() int { return max(1, rounds()/100) }

// A process that is killed at any moment, also while it cuts tiles, loses
// nothing that it has said was kept, and leaves a store that opens and works
// (B8).
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	l := ledger.Open(filepath.Dir(path), time.Now, ledger.Options{Wait: time.Minute})
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // it guards nothing
	ready, enough := make(chan *process, 4), make(chan struct{})
	stop := sync.OnceFunc(func() { close(enough) })
	go func() { // they are started ahead
		defer close(ready)
		for range max(5*rounds(), 500) {
			p := start(t, path)
			select {
			case ready <- p:
			case <-enough:
				_ = p.cmd.Process.Kill() // nobody wants it any more
				_ = p.cmd.Wait()
				return
			}
		}
	}()
	acknowledged, older, round := map[int64]string{}, 0, 0
	for p := range ready {
		// How often a cut is hit depends on the machine: it goes on until that was tried.
		if round++; round > rounds() && killedCuts(t, l, filepath.Dir(path)) >= cuts() {
			stop()
			_ = p.cmd.Process.Kill()
			_ = p.cmd.Wait()
			continue
		}
		p.tell("bursts")
		said := make(chan string)
		go func() {
			defer close(said)
			for p.said.Scan() {
				said <- p.said.Text()
			}
		}()
		heard := func(line string) {
			var seq int64
			var writer, err string
			if _, scan := fmt.Sscan(line, &seq, &writer, &err); scan != nil {
				return // it was killed while it said so
			}
			if err != "<nil>" {
				t.Fatalf("it was not kept: %s", line)
			}
			acknowledged[seq] = writer
		}
		for range random.IntN(3) {
			heard(<-said)
		}
		moment := time.After(time.Duration(random.IntN(6000)) * time.Microsecond)
		for waiting := true; waiting; {
			select {
			case line := <-said:
				heard(line)
			case <-moment:
				waiting = false
			}
		}
		if err := p.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for line := range said { // said before it died
			heard(line)
		}
		_ = p.cmd.Wait() // it was killed
		older += whole(t, l, acknowledged)
	}
	finally(t, l, filepath.Dir(path), acknowledged, older)
}

// whole looks at the store after a writer was killed. It reports whether the
// copy of the checkpoint was left behind.
func whole(t *testing.T, l *ledger.Ledger, acknowledged map[int64]string) (older int) {
	t.Helper()
	view(t, l, func(tx *ledger.Tx) error {
		newest := int64(0)
		for seq := range acknowledged {
			newest = max(newest, seq)
		}
		if tx.Size() < newest {
			t.Fatalf("%d events are left of %d that were kept", tx.Size(), newest)
		}
		if newest > 0 {
			leaf, err := tx.Leaf(newest - 1)
			if err != nil {
				return err
			}
			if !strings.Contains(string(leaf), acknowledged[newest]) {
				t.Errorf("event %d is another: %s", newest, leaf)
			}
		}
		if last, _ := tx.Get("things", "last"); tx.Size() > 0 && string(last) != fmt.Sprint(tx.Size()) {
			t.Errorf("the record tells of %s events, and there are %d", last, tx.Size())
		}
		text, err := tx.CheckpointCopy()
		if string(text) != string(tx.Checkpoint()) {
			older = 1
		}
		return err
	})
	return older
}

// killedCuts returns the tiles that no entry names: their cut was killed.
func killedCuts(t *testing.T, l *ledger.Ledger, dir string) int {
	t.Helper()
	named := 0
	view(t, l, func(tx *ledger.Tx) error {
		for _, err := range tx.Tiles() {
			if err != nil {
				return err
			}
			named++
		}
		return nil
	})
	return len(tiles(t, dir)) - named
}

// finally looks at all that was ever acknowledged.
func finally(t *testing.T, l *ledger.Ledger, dir string, acknowledged map[int64]string, older int) {
	t.Helper()
	many(t, l, 1)
	view(t, l, func(tx *ledger.Tx) error {
		events, err := eventsOf(tx)
		if err != nil {
			return err
		}
		for seq, writer := range acknowledged {
			if events[seq-1].Writer != writer {
				t.Errorf("event %d is of %s, not of %s who said that it was kept", seq, events[seq-1].Writer, writer)
			}
		}
		return nil
	})
	left := killedCuts(t, l, dir)
	t.Logf("%d acknowledged, %d left of killed cuts, %d older copies", len(acknowledged), left, older)
	if len(acknowledged) < rounds()/2 || left < cuts() {
		t.Errorf("%d were acknowledged, %d cuts were killed: too little was tried", len(acknowledged), left)
	}
}

// Several processes append at once: the log has no gap, and all that they said
// was kept. Whoever looks meanwhile sees the copy of just the checkpoint that he
// sees (B8).
func TestManyProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "assay.db")
	var all []*process
	for range 4 {
		p := start(t, path)
		for i := range 30 {
			p.tell(fmt.Sprintf("%d-%d", len(all), i))
		}
		all = append(all, p)
	}
	l := ledger.Open(filepath.Dir(path), time.Now, ledger.Options{Wait: time.Minute})
	for n, p := range all {
		for i := range 30 {
			view(t, l, func(tx *ledger.Tx) error {
				text, err := tx.CheckpointCopy()
				if string(text) != string(tx.Checkpoint()) {
					t.Errorf("the copy is %q beside %q", text, tx.Checkpoint())
				}
				return err
			})
			p.hear(fmt.Sprintf("%d-%d <nil>", n, i))
		}
		p.end()
	}
	h := mustRead(t, path)
	writers, byWriter := map[string]bool{}, map[string]int64{}
	for i, e := range h.Events {
		if e.Seq != int64(i)+1 || e.MonoMS < byWriter[e.Writer] {
			t.Errorf("event %d: %+v", i, e)
		}
		writers[e.Writer], byWriter[e.Writer] = true, e.MonoMS
	}
	if len(h.Events) != 120 || len(h.Records) != 120 || len(writers) != 4 {
		t.Errorf("%d events, %d records of %d writers", len(h.Events), len(h.Records), len(writers))
	}
}
