package workers_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/attest"
	"github.com/assay-qa/assay/evidence/bundle"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/queuetest"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/queue"
	"github.com/assay-qa/assay/suite/queue/files"
	"github.com/assay-qa/assay/suite/workers"
)

func TestMain(m *testing.M) { os.Exit(queuetest.Main(m)) }

const suiteID = "20261129T200000.000Z-abcdef"

// rig is a suite's coordinator with a broker, its storage, and workers.
type rig struct {
	t       *testing.T
	broker  *queuetest.Broker
	storage *ledger.BlobStore
	address string // of the storage
	keys    []string
	c       *workers.Coordinator
}

func newRig(t *testing.T, lease time.Duration) *rig {
	t.Helper()
	r := &rig{t: t, broker: queuetest.Start(t), storage: ledger.OpenBlobs(t.TempDir())}
	server := httptest.NewServer(files.Handler(r.storage, queuetest.Token, slog.New(slog.DiscardHandler)))
	t.Cleanup(server.Close)
	r.address = server.URL
	q := r.broker.Connect(lease)
	if err := q.Lane(t.Context(), "shop.test", 100); err != nil {
		t.Fatal(err)
	}
	r.c = &workers.Coordinator{Queue: q, Suite: suiteID, Working: t.Context(), Log: slog.New(slog.DiscardHandler),
		Unpack: func(_ context.Context, r suite.Result, _ string) (suite.Result, error) { return r, nil }}
	return r
}

// worker is one with a data folder and a key of its own.
type worker struct {
	workers.Worker
	store *evidence.Store
	dir   string
}

// worker makes a worker that the coordinator knows, or does not.
func (r *rig) worker(lease time.Duration, known bool) worker {
	r.t.Helper()
	dir := r.t.TempDir()
	store, err := evidence.Open(dir, time.Now)
	if err != nil {
		r.t.Fatal(err)
	}
	key, err := store.Log.Key()
	if err != nil {
		r.t.Fatal(err)
	}
	if known {
		r.keys = append(r.keys, key.Verifier())
	}
	w := worker{store: store, dir: dir, Worker: workers.Worker{Queue: r.broker.Connect(lease), Key: key, Log: slog.New(slog.DiscardHandler),
		Files: files.Client{Address: r.address, Token: queuetest.Token, HTTP: httptest.NewServer(nil).Client()}}}
	w.Run = w.judge
	return w
}

// judge runs a case whose path says how it ends, and files evidence of it.
func (w worker) judge(_ context.Context, work workers.Work) (workers.Outcome, error) {
	passes := !strings.HasPrefix(work.Path, "failing")
	run, err := w.store.Start(qa.TaskSpec{ID: "T1", Goal: work.Path})
	if err != nil {
		return workers.Outcome{}, err
	}
	if _, err := run.AddCheck(qa.Check{Step: 1, Kind: "visible", Subject: "h1", Expected: "x", Observed: "x", Passed: passes, Source: qa.SourceTool}); err != nil {
		return workers.Outcome{}, err
	}
	report, err := run.Finish("", qa.Environment{AssayVersion: "1"}, nil)
	if err != nil {
		return workers.Outcome{}, err
	}
	out := filepath.Join(w.dir, report.RunID+".zip")
	if _, err := bundle.Write(context.Background(), bundle.Source{Dir: w.dir, Run: report.RunID, Ledger: w.store.Log}, out); err != nil {
		return workers.Outcome{}, err
	}
	data, err := os.ReadFile(out)
	return workers.Outcome{Bundle: data, Result: suite.Result{TestCase: qa.TestCase{RunID: report.RunID, Status: report.Status.TestStatus(), FailureReason: report.StatusReason}}}, err
}

// run runs cases by the workers, and returns their results by path.
func (r *rig) run(paths []string, all ...worker) map[string]suite.Result {
	r.t.Helper()
	r.c.Acceptance = workers.Acceptance{Keys: func() []string { return r.keys }, Storage: r.storage}
	ctx, stop := context.WithTimeout(r.t.Context(), 2*time.Minute)
	defer stop()
	var background sync.WaitGroup
	defer background.Wait()
	defer stop()
	background.Go(func() {
		if err := r.c.Listen(ctx); !errors.Is(err, context.Canceled) {
			r.t.Errorf("listening ended: %v", err)
		}
	})
	for _, w := range all {
		background.Go(func() { _ = w.Serve(ctx) })
	}
	var mu sync.Mutex
	results := map[string]suite.Result{}
	var wg sync.WaitGroup
	for _, path := range paths {
		wg.Go(func() {
			job, err := workers.Job(suiteID, "shop.test", "1", workers.Work{Path: path})
			if err != nil {
				r.t.Error(err)
			}
			result, err := r.c.Run(ctx, job)
			if err != nil {
				r.t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			results[path] = result
		})
	}
	wg.Wait()
	return results
}

// TestWorkers (S3): cases that several workers run end as they would by themselves.
func TestWorkers(t *testing.T) {
	t.Parallel()
	r := newRig(t, 5*time.Second)
	var paths []string
	for i := range 12 {
		paths = append(paths, fmt.Sprintf("passing %d", i), fmt.Sprintf("failing %d", i))
	}
	got := r.run(paths, r.worker(5*time.Second, true), r.worker(5*time.Second, true), r.worker(5*time.Second, true))
	runs := map[string]bool{}
	for path, result := range got {
		want := qa.TestPassed
		if strings.HasPrefix(path, "failing") {
			want = qa.TestFailed
		}
		if result.Status != want {
			t.Errorf("%s: %s, want %s: %s", path, result.Status, want, result.FailureReason)
		}
		runs[result.RunID] = true
	}
	if len(got) != len(paths) || len(runs) != len(paths) {
		t.Errorf("%d results of %d runs, want %d", len(got), len(runs), len(paths))
	}
}

// TestLiars (S3): a verdict counts only if an enrolled worker signed it for this job, with
// files that prove it. What is refused goes out again, until an honest worker has it, and
// the last reason is told where none has.
func TestLiars(t *testing.T) {
	t.Parallel()
	liars := map[string]struct {
		unknown bool
		lie     func(w worker, work workers.Work) (workers.Outcome, error)
		want    string // part of the reason
	}{
		"a stranger": {unknown: true, lie: worker.honest, want: "no trusted key signed this"},
		"passed without a run": {lie: func(worker, workers.Work) (workers.Outcome, error) {
			return workers.Outcome{Result: suite.Result{TestCase: qa.TestCase{Status: qa.TestPassed}}}, nil
		}, want: "names no run.zip"},
		"passed with a run that failed": {lie: func(w worker, _ workers.Work) (workers.Outcome, error) {
			o, err := w.judge(context.Background(), workers.Work{Path: "failing"})
			o.Result.Status = qa.TestPassed
			return o, err
		}, want: `its run says "failed"`},
		"a flipped byte in the run": {lie: func(w worker, work workers.Work) (workers.Outcome, error) {
			o, err := w.judge(context.Background(), work)
			o.Bundle[len(o.Bundle)/2] ^= 1
			return o, err
		}, want: "its run"},
		"a run of another worker": {lie: func(w worker, work workers.Work) (workers.Outcome, error) {
			store, err := evidence.Open(w.dir+"-other", time.Now)
			if err != nil {
				return workers.Outcome{}, err
			}
			return worker{store: store, dir: w.dir + "-other"}.judge(context.Background(), work)
		}, want: "its run is not as it was signed"},
		"another run of its own": {lie: func(w worker, work workers.Work) (workers.Outcome, error) {
			o, err := w.judge(context.Background(), work)
			o.Result.RunID = "20261129T200000.000Z-zzzzzz"
			return o, err
		}, want: "and its result names"},
	}
	for name, l := range liars {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, 5*time.Second)
			w := r.worker(5*time.Second, !l.unknown)
			if l.unknown {
				r.keys = append(r.keys, r.worker(5*time.Second, false).Key.Verifier())
			}
			w.Run = func(_ context.Context, work workers.Work) (workers.Outcome, error) { return l.lie(w, work) }
			got := r.run([]string{"passing"}, w)["passing"]
			if got.Status != qa.TestError || !strings.Contains(string(got.FailureReason), l.want) {
				t.Errorf("%s: %s, want it refused because %q", got.Status, got.FailureReason, l.want)
			}
		})
	}
}

func (w worker) honest(work workers.Work) (workers.Outcome, error) {
	return w.judge(context.Background(), work)
}

// TestOtherJob (S3): a verdict that was signed for another suite, case or turn is refused.
func TestOtherJob(t *testing.T) {
	t.Parallel()
	storage := ledger.OpenBlobs(t.TempDir())
	key, err := attest.NewKey(strings.NewReader(strings.Repeat("k", 64)), "assay/worker")
	if err != nil {
		t.Fatal(err)
	}
	data, _ := json.Marshal(suite.Result{TestCase: qa.TestCase{Status: qa.TestFailed}})
	result, err := storage.Put(data)
	if err != nil {
		t.Fatal(err)
	}
	job := queue.Job{Suite: suiteID, Case: strings.Repeat("a", 64), Generation: 1}
	a := workers.Acceptance{Keys: func() []string { return []string{key.Verifier()} }, Storage: storage}
	for want, j := range map[string]workers.Judgment{
		"":                   {Suite: suiteID, Case: job.Case, Generation: 1},
		"another suite":      {Suite: "20261129T200000.000Z-other1", Case: job.Case, Generation: 1},
		"another case":       {Suite: suiteID, Case: strings.Repeat("b", 64), Generation: 1},
		"another generation": {Suite: suiteID, Case: job.Case, Generation: 0},
		"signed as PASSED":   {Suite: suiteID, Case: job.Case, Generation: 1, Status: qa.TestPassed, Bundle: strings.Repeat("c", 64)},
		"its result: ":       {Suite: suiteID, Case: job.Case, Generation: 1, Result: strings.Repeat("d", 64)},
		"its run: ":          {Suite: suiteID, Case: job.Case, Generation: 1, Bundle: strings.Repeat("e", 64)},
	} {
		if j.Status == "" {
			j.Status = qa.TestFailed
		}
		if j.Result == "" {
			j.Result = result
		}
		body, err := j.Sign(key)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = a.Accept(t.Context(), job, body)
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", j, err, want)
		}
		for _, at := range []int{len(body) / 4, len(body) / 2, 3 * len(body) / 4} {
			flipped := append([]byte(nil), body...)
			flipped[at] ^= 1
			if _, _, err := a.Accept(t.Context(), job, flipped); err == nil {
				t.Errorf("a verdict with byte %d flipped counts", at)
			}
		}
	}
}

// TestLostThreeTimes (S2): a case that ends its workers is given up after three of them.
func TestLostThreeTimes(t *testing.T) {
	t.Parallel()
	r := newRig(t, time.Second)
	begun := make(chan struct{}, 3)
	doomed := func() worker {
		w := r.worker(time.Second, true)
		w.Run = func(ctx context.Context, _ workers.Work) (workers.Outcome, error) {
			w.Queue.Close() // as of one that is killed: no heartbeat, no word
			begun <- struct{}{}
			return workers.Outcome{}, ctx.Err()
		}
		return w
	}
	all, last := []worker{doomed(), doomed(), doomed()}, r.worker(time.Second, true)
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	go func() {
		for range all {
			select {
			case <-begun:
			case <-ctx.Done():
				return
			}
		}
		_ = last.Serve(ctx)
	}()
	got := r.run([]string{"passing"}, all...)["passing"]
	if got.Status != qa.TestError || !strings.Contains(string(got.FailureReason), "begun 3 times") {
		t.Errorf("%s: %s", got.Status, got.FailureReason)
	}
}
