package suite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
)

func passes(name string) suite.Case {
	return suite.Case{Name: name, Path: name + ".task.toml", Hash: "h-" + name, Run: func(context.Context) (suite.Result, error) {
		return suite.Result{TestCase: qa.TestCase{Name: pagetext.Text(name), Status: qa.TestPassed, RunID: "run-" + name}}, nil
	}}
}

func fails(name string) suite.Case {
	c := passes(name)
	c.Run = func(context.Context) (suite.Result, error) {
		return suite.Result{TestCase: qa.TestCase{Name: pagetext.Text(name), Status: qa.TestFailed, RunID: "run-" + name}}, nil
	}
	return c
}

func states(s suite.Suite) string {
	var out []string
	for _, e := range s.Entries {
		out = append(out, string(e.State))
	}
	return strings.Join(out, " ")
}

// 33 E: rounds of one case never run at the same time: it would disturb itself.
func TestRoundsInTurn(t *testing.T) {
	var mu sync.Mutex
	var cases []suite.Case
	running, together := 0, false
	for round := range 3 {
		c := passes("a")
		c.Round = round + 1
		run := c.Run
		c.Run = func(ctx context.Context) (suite.Result, error) {
			mu.Lock()
			running++
			together = together || running > 1
			mu.Unlock()
			runtime.Gosched()
			mu.Lock()
			running--
			mu.Unlock()
			return run(ctx)
		}
		cases = append(cases, c)
	}
	s, err := suite.Run(t.Context(), suite.New("x", "", nil, cases), cases, suite.Options{Parallel: 3, Now: time.Now})
	if err != nil || together || s.Sum().Status != qa.TestPassed {
		t.Errorf("%v, together: %v, %+v", err, together, s.Sum())
	}
}

// A13, D3: cases run side by side, as many as asked for and no more, and the
// results stand in the order of the files.
func TestSideBySide(t *testing.T) {
	const parallel = 3
	var mu sync.Mutex
	running, most := 0, 0
	all, release := make(chan struct{}), make(chan struct{})
	var cases []suite.Case
	for i := range 7 {
		c := passes(fmt.Sprint(i))
		inner := c.Run
		c.Run = func(ctx context.Context) (suite.Result, error) {
			mu.Lock()
			running++
			if most = max(most, running); running == parallel {
				select {
				case <-all:
				default:
					close(all)
				}
			}
			mu.Unlock()
			<-release
			mu.Lock()
			running--
			mu.Unlock()
			return inner(ctx)
		}
		cases = append(cases, c)
	}
	go func() { <-all; close(release) }()
	s, err := suite.Run(t.Context(), suite.New("s", "", nil, cases), cases, suite.Options{Parallel: parallel, Now: time.Now})
	if err != nil || most != parallel || s.FinishedAt.IsZero() {
		t.Errorf("%d side by side, finished %v, %v", most, s.FinishedAt, err)
	}
	for i, c := range s.Cases() {
		if !c.Name.Equal(fmt.Sprint(i)) || c.Status != qa.TestPassed {
			t.Errorf("case %d is %+v", i, c)
		}
	}
}

// A20: cases that begin with one storage state, and of which one changes what it stands
// for, never run at the same time; those of other accounts go on meanwhile.
//
// differs: A-account
func TestOneStateAtATime(t *testing.T) {
	var mu sync.Mutex
	var log []string
	running := map[string]int{}
	release := make(chan struct{})
	held := func(name, account string, alone bool) suite.Case {
		c := passes(name)
		c.Account, c.Alone = account, alone
		inner := c.Run
		c.Run = func(ctx context.Context) (suite.Result, error) {
			mu.Lock()
			log = append(log, name)
			if running[account]++; account == "admin" && running[account] > 1 {
				t.Errorf("%s runs beside another case of %s", name, account)
			}
			if len(log) == 4 { // those that may run at once, the last in the list among them
				close(release)
			}
			mu.Unlock()
			select {
			case <-release:
			case <-ctx.Done():
			}
			mu.Lock()
			running[account]--
			mu.Unlock()
			return inner(ctx)
		}
		return c
	}
	cases := []suite.Case{held("reads", "admin", false), held("writes", "admin", true), held("writes too", "admin", true), held("reads too", "guest", false),
		held("reads as well", "guest", false), held("free", "", true)}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	s, err := suite.Run(ctx, suite.New("s", "", nil, cases), cases, suite.Options{Parallel: 4, Now: time.Now})
	if err != nil || ctx.Err() != nil {
		t.Fatalf("%s, %v, %v", states(s), err, ctx.Err())
	}
	if states(s) != "done done done done done done" {
		t.Errorf("%s", states(s))
	}
	if first := log[:4]; !slices.Contains(first, "free") || !slices.Contains(first, "reads as well") {
		t.Errorf("those of other accounts wait: %q", log)
	}
	for name, c := range map[string]struct {
		some, others []suite.Case
		want         string
	}{
		"both read":   {cases[:1], cases[:1], ""},
		"one changes": {cases[:1], cases[1:2], "admin"},
		"no account":  {cases[5:], cases[5:], ""},
		"another one": {cases[1:2], cases[3:4], ""},
	} {
		if got := suite.Clash(c.some, c.others); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A16: an interruption lets those that run end by themselves and skips the
// others.
func TestInterruption(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	hangs := passes("hangs")
	hangs.Run = func(ctx context.Context) (suite.Result, error) {
		cancel()
		<-ctx.Done()
		return suite.Result{TestCase: qa.TestCase{Name: "hangs", Status: qa.TestError}}, nil
	}
	cases := []suite.Case{passes("first"), hangs, passes("last")}
	s, err := suite.Run(ctx, suite.New("s", "", nil, cases), cases, suite.Options{Parallel: 1, Now: time.Now})
	if err != nil || states(s) != "done done skipped" || s.Cases()[2].Status != qa.TestSkipped {
		t.Errorf("%s, %v", states(s), err)
	}
}

// Nothing to run with ends the suite: the others are not tried, too.
func TestNothingToRunWith(t *testing.T) {
	none := errors.New("no browser")
	broken := passes("broken")
	broken.Run = func(context.Context) (suite.Result, error) { return suite.Result{}, none }
	cases := []suite.Case{broken, passes("last")}
	s, err := suite.Run(t.Context(), suite.New("s", "", nil, cases), cases, suite.Options{Parallel: 1, Now: time.Now})
	if !errors.Is(err, none) || s.Entries[1].State != suite.Skipped {
		t.Errorf("%s, %v", states(s), err)
	}
}

// Issue 4.7: a suite is in the books after each change, whole; what is taken up
// again keeps what passed, and runs the rest with the reason.
func TestResume(t *testing.T) {
	book := suite.Store{Dir: filepath.Join(t.TempDir(), "suites")}
	skipped := passes("skipped")
	cases := []suite.Case{passes("good"), fails("bad"), passes("edited"), skipped, passes("gone")}
	old := suite.New("20260101T000000.000Z-aaaaaa", "http://a.test", []string{"."}, cases)
	changes := 0
	old, err := suite.Run(t.Context(), old, cases, suite.Options{Parallel: 2, Now: time.Now, Changed: func(s suite.Suite, _ int) error {
		changes++
		if err := book.Write(s); err != nil {
			return err
		}
		kept, err := book.Find(s.ID)
		if err != nil || states(kept) != states(s) {
			return fmt.Errorf("the book has %q, not %q: %w", states(kept), states(s), err)
		}
		return nil
	}})
	if err != nil || changes != 11 {
		t.Fatalf("%d changes, %v", changes, err)
	}
	old.Entries[3].State, old.Entries[3].Result = suite.Skipped, nil
	if err := book.Write(old); err != nil {
		t.Fatal(err)
	}
	found, err := book.Find("run-bad")
	if err != nil || found.ID != old.ID {
		t.Fatalf("by its run: %+v, %v", found, err)
	}
	edited := passes("edited")
	edited.Hash = "another"
	again := []suite.Case{passes("good"), passes("bad"), edited, skipped, passes("new")}
	s := suite.Resume(suite.New("20260102T000000.000Z-bbbbbb", "http://a.test", found.Paths, again), found)
	want := map[string]string{"good": "", "bad": "it had not passed: failed", "edited": "its file was changed", "skipped": "it was not run", "new": "it is new"}
	for _, e := range s.Entries {
		if e.Note != want[e.Name] || (e.State == suite.Kept) != (want[e.Name] == "") {
			t.Errorf("%s: %s, %q", e.Name, e.State, e.Note)
		}
	}
	ran := map[string]bool{}
	for i := range again {
		inner := again[i].Run
		again[i].Run = func(ctx context.Context) (suite.Result, error) { ran[again[i].Name] = true; return inner(ctx) }
	}
	s, err = suite.Run(t.Context(), s, again, suite.Options{Parallel: 1, Now: time.Now})
	if err != nil || len(ran) != 4 || ran["good"] || s.Resumes != old.ID {
		t.Errorf("ran %v, %v", ran, err)
	}
	if result := qa.SumUp(s.ID, s.StartedAt, s.FinishedAt, s.Cases()); result.Status != qa.TestPassed || result.Summary.Passed != 5 {
		t.Errorf("in all: %+v", result.Summary)
	}
	elsewhere := suite.Resume(suite.New("c", "http://b.test", nil, again), found)
	if states(elsewhere) != "queued queued queued queued queued" {
		t.Errorf("against another address: %s", states(elsewhere))
	}
	for _, id := range []string{"run-none", "", "../../etc", "a/b"} {
		if _, err := book.Find(id); !errors.Is(err, suite.ErrNoSuite) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(book.Dir, "*", "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := os.WriteFile(filepath.Join(book.Folder(old.ID), "suite.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := book.Find(old.ID); err == nil || errors.Is(err, suite.ErrNoSuite) {
		t.Errorf("half a book: %v", err)
	}
}

// D2: each row of a file is taken up again by its own outcome.
func TestResumeRows(t *testing.T) {
	cases := []suite.Case{{Path: "a.md", File: "/a.md", Hash: "h", Row: 1}, {Path: "a.md", File: "/a.md", Hash: "h", Row: 2}}
	old := suite.New("old", "", nil, cases)
	for i, status := range []qa.TestStatus{qa.TestPassed, qa.TestFailed} {
		old.Entries[i].State, old.Entries[i].Result = suite.Done, &suite.Result{TestCase: qa.TestCase{Status: status}}
	}
	s := suite.Resume(suite.New("new", "", nil, cases), old)
	if s.Entries[0].State != suite.Kept || s.Entries[1].State != suite.Queued {
		t.Errorf("%+v", s.Entries)
	}
}
