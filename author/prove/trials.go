package prove

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/internal/text"
)

// mostBeside bounds how many tests run side by side unless a person says how many: each
// has a browser.
const mostBeside = 8

// beside is how many tests run side by side. Most of the time they wait for what a
// mutant keeps from coming.
func (p Prover) beside() int {
	if p.Workers > 0 {
		return p.Workers
	}
	return min(2*runtime.GOMAXPROCS(0), mostBeside)
}

// try runs the tests under their mutants that are open: side by side, then one at a time
// those that fail without a mutant beside others. It reports whether it was interrupted.
func (p Prover) try(ctx context.Context, plan *plan) (interrupted bool, err error) {
	t := &trials{prover: p, plan: plan, all: plan.mutants(), began: p.now()}
	t.open = t.all - plan.ended()
	if t.open == 0 {
		return false, nil
	}
	t.tell()
	if p.beside() > 1 {
		if interrupted, err = t.pass(ctx, plan.tests, p.beside()); err != nil || interrupted {
			return interrupted, err
		}
	}
	return t.pass(ctx, plan.leftAlone(), 1)
}

func (p Prover) now() time.Time {
	if p.Now == nil {
		return time.Time{}
	}
	return p.Now()
}

// leftAlone lists the tests that have open mutants, which are to run one at a time.
func (p *plan) leftAlone() (out []*planned) {
	for _, t := range p.tests {
		t.alone = t.open() > 0
		if t.alone {
			t.reds, t.greens = nil, 0
			out = append(out, t)
		}
	}
	return out
}

// trials are the passes over the mutants of a plan.
type trials struct {
	prover    Prover
	plan      *plan
	all, open int // mutants, and those that are open
	began     time.Time
	told      int // open ones when the progress was told last

	out     string // where the watch writes
	current map[string]*planned
	err     error // of the journal
}

// pass runs tests under their open mutants, so many at a time.
func (t *trials) pass(ctx context.Context, tests []*planned, workers int) (interrupted bool, err error) {
	pass := &plan{}
	t.current = map[string]*planned{}
	for _, one := range tests {
		if one.open() > 0 {
			pass.tests = append(pass.tests, one)
			t.current[recordKey(one.control)] = one
		}
	}
	if len(pass.tests) == 0 {
		return false, nil
	}
	r := testrun.Request{Workers: workers, Beside: t.prover.Workers == 0, Slots: pass.slots(), Ended: t.ended}
	if err := t.prover.watched(map[string]any{"mutants": pass.specs(), "limits": pass.limits()}, &r); err != nil {
		return false, err
	}
	t.out = filepath.Join(r.Scratch, watchedFolder)
	result, err := t.prover.Setup.Run(ctx, r)
	if err == nil {
		err = t.err
	}
	if err != nil {
		return false, err
	}
	for _, one := range pass.tests {
		if t.err = errors.Join(t.err, t.prover.Journal.add(t.prover, one, one.settle(workers > 1, result.Interrupted))); t.err != nil {
			return false, t.err
		}
	}
	return result.Interrupted, nil
}

// ended takes what came of one test in one slot.
func (t *trials) ended(test testrun.Test) {
	one := t.current[recordKey(test)]
	kind, number, ok := strings.Cut(test.Project, "-")
	n, err := strconv.Atoi(number)
	if one == nil || !ok || err != nil || test.Status == "skipped" || test.Status == "interrupted" {
		return
	}
	if kind == control {
		one.controlled(n-1, test)
		if len(one.reds) > 0 && (one.reds[0].block < 0 || len(one.reds) > 1) { // what it says without a mutant counts for nothing
			t.err = errors.Join(t.err, os.WriteFile(filepath.Join(t.out, recordName(stopped, recordKey(test))), nil, 0o600))
		}
		return
	}
	i := n - 1
	r, err := readRecord(filepath.Join(t.out, recordName(test.Project, recordKey(test))))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.err = errors.Join(t.err, err)
		return
	}
	one.tried[i].judge(test, r.Proof)
	t.err = errors.Join(t.err, t.prover.Journal.add(t.prover, one, []int{i}))
	t.open--
	t.tell()
}

// progressSteps is how often a proof says how far it is.
const progressSteps = 20

// tell says how many mutants were tried, and how long the others will take.
func (t *trials) tell() {
	if t.told > 0 && t.open > 0 && t.told-t.open < max(1, t.all/progressSteps) {
		return
	}
	t.told = max(t.open, 1)
	left := text.Remaining(t.prover.now().Sub(t.began), t.all-t.open-t.plan.recalled, t.open)
	t.prover.say(fmt.Sprintf("%d/%s of %s%s", t.all-t.open, text.Count(t.all, "mutant"), text.Count(len(t.plan.tests), "test"), text.Left(left)))
}

// stopped is the slot whose record tells the watch to skip a test from then on.
const stopped = "stopped"

// recordName is the name of the file that the watch keeps of a test in a slot.
func recordName(slot, test string) string {
	sum := sha256.Sum256([]byte(slot + "\n" + test))
	return hex.EncodeToString(sum[:8]) + ".json"
}

func readRecord(path string) (r record, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("read what was watched: %s: %w", filepath.Base(path), err)
	}
	return r, nil
}

func (p *plan) limits() map[string]map[string]int64 {
	out := map[string]map[string]int64{}
	for _, t := range p.tests {
		out[recordKey(t.control)] = t.limits()
	}
	return out
}

func (p *plan) mutants() (n int) {
	for _, t := range p.tests {
		n += len(t.tried)
	}
	return n
}

// ended counts the mutants of which the outcome is known.
func (p *plan) ended() (n int) {
	for _, t := range p.tests {
		n += len(t.tried) - t.open()
	}
	return n
}

func (t *planned) open() (n int) {
	for _, m := range t.tried {
		if m.Outcome == Open {
			n++
		}
	}
	return n
}

func mutantSlot(i int) string { return fmt.Sprintf("mutant-%02d", i+1) }

// controlSlot is the control run after a block of slots; -1: before all of them.
func controlSlot(block int) string { return fmt.Sprintf("%s-%02d", control, block+1) }

// slots lists the passes over what is open: a control run of its tests comes first and
// after each block.
func (p *plan) slots() []testrun.Slot {
	most := 0
	for _, t := range p.tests {
		most = max(most, len(t.tried))
	}
	out := []testrun.Slot{{Name: controlSlot(-1), Tests: p.with(0, most)}}
	for from := 0; from < most; from += blockOfSlots {
		to := min(most, from+blockOfSlots)
		for i := from; i < to; i++ {
			if tests := p.with(i, i+1); len(tests) > 0 {
				out = append(out, testrun.Slot{Name: mutantSlot(i), Tests: tests})
			}
		}
		if tests := p.with(from, to); len(tests) > 0 {
			out = append(out, testrun.Slot{Name: controlSlot(from / blockOfSlots), Tests: tests})
		}
	}
	return out
}

// with lists the tests that have an open mutant among those from one to another.
func (p *plan) with(from, to int) (out []testrun.SlotTest) {
	for _, t := range p.tests {
		for _, m := range t.tried[min(from, len(t.tried)):min(to, len(t.tried))] {
			if m.Outcome == Open {
				out = append(out, testrun.SlotTest{File: t.control.Location.File, Titles: t.control.Titles})
				break
			}
		}
	}
	return out
}

// specs lists the open mutants by slot and test, for the watch.
func (p *plan) specs() map[string]map[string]spec {
	out := map[string]map[string]spec{}
	for _, t := range p.tests {
		for i, m := range t.tried {
			slot := mutantSlot(i)
			if out[slot] == nil {
				out[slot] = map[string]spec{}
			}
			if m.Outcome == Open {
				out[slot][recordKey(t.control)] = m.spec
			}
		}
	}
	return out
}

// controlled takes a control run of a test, after a block of its mutants.
func (t *planned) controlled(block int, test testrun.Test) {
	if test.Status == "passed" {
		t.greens++
		return
	}
	t.reds = append(t.reds, red{block, test.Why()})
}
