package retain_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/retain"
)

// childVariable tells a process of this test that it is a child, and its
// folder.
const childVariable = "ASSAY_TEST_PRUNE"

// asChild prunes a folder of another process, which may kill this one.
func asChild(t *testing.T, dir string) {
	f := &folder{T: t, dir: dir, clock: &clock{t: epoch().Add(400 * day)}}
	f.store = must[*evidence.Store](t)(evidence.Open(dir, f.clock.now))
	k := f.keeper()
	fmt.Println("ready")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	report, err := k.Prune(t.Context(), order())
	fmt.Printf("pruned %d: %v\n", len(report.Deleted), err)
}

// child starts such a process, and returns when it is about to prune.
func child(t *testing.T, dir string, command ...string) (cmd *exec.Cmd, goOn func(), said *bufio.Reader) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Env = append(os.Environ(), childVariable+"="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said = bufio.NewReader(out)
	for line := ""; line != "ready\n"; {
		if line, err = said.ReadString('\n'); err != nil {
			t.Fatalf("it is not ready: %v", err)
		}
	}
	return cmd, func() { _, _ = in.Write([]byte("\n")) }, said // it may be dead by then
}

// craft makes the folder of an unfinished run by hand: many are needed.
func (f *folder) craft(n int) string {
	f.Helper()
	id := fmt.Sprintf("20200101T%02d%02d%02d.000Z-aaaaaa", n/3600, n/60%60, n%60)
	dir := filepath.Join(f.dir, "runs", id)
	if err := os.MkdirAll(filepath.Join(dir, "screenshots"), 0o700); err != nil {
		f.Fatal(err)
	}
	for _, name := range crafted() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(id+"\n"), 0o600); err != nil {
			f.Fatal(err)
		}
	}
	f.age("runs/"+id+"/events.jsonl", 0)
	return id
}

func crafted() []string {
	return []string{"events.jsonl", "screenshots/001.png", "screenshots/002.png", "trace.zip"}
}

// A prune that is killed at any moment leaves no run that is gone and not in
// the log as deleted; the next one finishes it, and nothing is deleted twice (B8).
func TestKilledPrune(t *testing.T) {
	if dir := os.Getenv(childVariable); dir != "" {
		asChild(t, dir)
		return
	}
	f := newFolder(t)
	f.today(400)
	self := []string{os.Args[0], "-test.run=^TestKilledPrune$"}
	const each = 6
	rounds := 10
	if os.Getenv("SOAK") != "" {
		rounds = 50
	}
	var all []string
	random := rand.New(rand.NewPCG(1, 2))
	halfway := 0
	for round := range rounds {
		var fresh []string
		for i := range each {
			fresh = append(fresh, f.craft(round*each+i))
		}
		all = append(all, fresh...)
		cmd, goOn, said := child(t, f.dir, self...)
		over := make(chan string, 1)
		goOn()
		go func() {
			line, _ := said.ReadString('\n')
			over <- line
		}()
		// Odd rounds end after so many folders have gone, even ones after so many
		// events, and then a moment.
		last := f.progress(fresh, round%2 == 1)
		for left, ended := random.IntN(each), false; left > 0 && !ended; {
			if now := f.progress(fresh, round%2 == 1); now != last {
				last, left = now, left-1
			}
			select {
			case <-over:
				ended = true
			default:
			}
		}
		timer := time.AfterFunc(time.Duration(random.Int64N(int64(2*time.Millisecond))), func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // it was killed
		timer.Stop()
		deleted := f.events("run deleted")
		gone := 0
		for _, id := range all {
			if !f.intact(id) {
				gone++
				if len(deleted[id]) != 1 {
					t.Fatalf("round %d: %s is not whole, and the log has %d deletions of it", round, id, len(deleted[id]))
				}
			}
		}
		if gone > len(all)-each && gone < len(all) || len(deleted) != gone {
			halfway++
		}
	}
	f.clock.set(epoch().Add(400 * day))
	f.prune(order())
	deleted := f.events("run deleted")
	for _, id := range all {
		if f.there(id) || f.there(id+".deleted") || len(deleted[id]) != 1 {
			t.Errorf("%s: there: %t; %d deletions in the log", id, f.there(id), len(deleted[id]))
		}
	}
	if again := f.prune(retain.PruneRequest{DryRun: true}); len(again.Deleted) != 0 || len(again.Left) != 0 {
		t.Errorf("something is left: %+v, %+v", again.Deleted, again.Left)
	}
	if halfway < rounds/5 {
		t.Errorf("%d of %d rounds were killed half-way: nothing was tried", halfway, rounds)
	}
	t.Logf("%d of %d rounds were killed half-way", halfway, rounds)
}

// progress changes when a run's folder goes, or with the log.
func (f *folder) progress(runs []string, folders bool) string {
	if !folders {
		text, _ := os.ReadFile(filepath.Join(f.dir, "log", "checkpoint")) // it is being written
		return string(text)
	}
	gone := 0
	for _, id := range runs {
		if !f.there(id) {
			gone++
		}
	}
	return fmt.Sprint(gone)
}

func (f *folder) intact(id string) bool {
	for _, name := range crafted() {
		if !f.there(filepath.Join(id, name)) {
			return false
		}
	}
	return true
}

// Where the log has no room, nothing is deleted.
func TestFullDiskPrune(t *testing.T) {
	if dir := os.Getenv(childVariable); dir != "" {
		asChild(t, dir)
		return
	}
	f := newFolder(t)
	old := f.craft(0)
	f.today(400)
	cmd, goOn, said := child(t, f.dir, "sh", "-c", `ulimit -S -f 0 && exec "$0" -test.run='^TestFullDiskPrune$'`, os.Args[0])
	goOn()
	line, err := said.ReadString('\n')
	if _ = cmd.Wait(); err != nil || !strings.HasPrefix(line, "pruned 0: ") || strings.Contains(line, "<nil>") {
		t.Errorf("%q, %v", line, err)
	}
	if !f.intact(old) {
		t.Error("it is not whole any more")
	}
	f.clock.set(epoch().Add(400*day + time.Hour))
	if got := f.prune(order()); len(got.Deleted) != 1 || f.there(old) || len(f.events("run deleted")[old]) != 1 {
		t.Errorf("then: %+v", got)
	}
}
