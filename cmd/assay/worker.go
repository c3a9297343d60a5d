package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/config"
	"github.com/assay-qa/assay/evidence/bundle"
	"github.com/assay-qa/assay/evidence/ledger"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/internal/wiring"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/queue"
	"github.com/assay-qa/assay/suite/queue/files"
	"github.com/assay-qa/assay/suite/runner"
	"github.com/assay-qa/assay/suite/workers"
)

// workerFlags hold the flags of assay worker.
type workerFlags struct {
	queue, files, tokenFile, name, folder string
	trusted, child                        bool
	lease                                 time.Duration
}

func workerCommand(a *app) *cobra.Command {
	var flags workerFlags
	c := &cobra.Command{
		Use:   "worker --queue ADDRESS --files ADDRESS --token-file FILE",
		Short: "Run cases that a suite hands out (assay run --workers starts workers by itself)",
		Args:  cobra.NoArgs,
		Long: `Run cases of suites that another assay hands out, one at a time, until it is
ended. Each case has a copy of its files in a folder of the worker. Its run is
signed by the worker's own key, and sent to who handed it out. Secrets, and what
only a person may set, are the worker's own: a case's configuration is a stranger's
here. A worker takes cases of its own build of assay alone.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return work(a, cmd, flags) },
	}
	c.Flags().StringVar(&flags.queue, "queue", "", "where the queue is: nats://host:port, on another machine tls://host:port")
	c.Flags().StringVar(&flags.files, "files", "", "where the files of cases are: http://host:port, on another machine https://host:port")
	c.Flags().StringVar(&flags.tokenFile, "token-file", "", "`FILE` with the token of both")
	c.Flags().StringVar(&flags.name, "name", "", "name of this worker, for people (default: the machine's)")
	c.Flags().StringVar(&flags.folder, "folder", "", "`FOLDER` for the files of the case that runs; it is emptied (default: worker in the data folder)")
	c.Flags().DurationVar(&flags.lease, "lease", queue.DefaultLease, leaseUsage)
	c.Flags().BoolVar(&flags.trusted, "trusted", false, "")
	c.Flags().BoolVar(&flags.child, "child", false, "")
	for _, name := range []string{"trusted", "child"} { // of who starts this process and has read the configuration
		_ = c.Flags().MarkHidden(name) // fails for unknown flags only
	}
	sameEverywhere(c)
	return c
}

const leaseUsage = "how long a case is a worker's that is not heard of; the same for all of a queue"

// readToken reads the token of a queue.
func readToken(path string) (string, error) {
	if path == "" {
		return "", usage("--token-file is missing: it has the token of the queue, which keeps strangers out")
	}
	data, err := disk.ReadPath(path, 4<<10)
	if err != nil {
		return "", usage("--token-file: %w", err)
	}
	token := strings.TrimSpace(string(data))
	if token == "" {
		return "", usage("--token-file: %s is empty", path)
	}
	return token, nil
}

// work runs cases until the command is ended.
func work(a *app, cmd *cobra.Command, flags workerFlags) error {
	token, err := readToken(flags.tokenFile)
	if err != nil {
		return err
	}
	cfg, dir, err := a.dataFolder(cmd)
	if err != nil {
		return err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	*a.flags["data_dir"] = dir // of the cases, whose folder is another
	cmd.Flags().Lookup("data-dir").Changed = true
	folder := flags.folder
	if folder == "" {
		folder = filepath.Join(dir, "worker")
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	if err := ownFolder(folder); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	if flags.child {
		go func() {
			_, _ = io.Copy(io.Discard, a.stdin) // until who has started us ends
			stop()
		}()
	}
	a.vaultOf(cfg)
	key, err := a.program().Ledger(cfg, dir).Key()
	if err != nil {
		return err
	}
	q, err := queue.Connect(ctx, queue.Options{Address: flags.queue, Token: token, Name: flags.name, Build: workerBuild(), Lease: flags.lease, Log: a.log})
	if err != nil {
		return usage("%w", err)
	}
	defer q.Close()
	store := files.Client{Address: flags.files, Token: token, HTTP: &http.Client{Timeout: fileLimit}}
	if err := store.Check(); err != nil {
		return usage("%w", err)
	}
	hands := &caseRunner{app: a, cmd: cmd, dir: dir, folder: folder, files: store, trusted: flags.trusted}
	defer hands.close()
	if err := json.NewEncoder(a.stdout).Encode(map[string]string{"worker": flags.name, "key": key.Verifier()}); err != nil {
		return err
	}
	w := workers.Worker{Queue: q, Files: store, Key: key, Run: hands.run, Log: a.log}
	if err := w.Serve(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// fileLimit bounds the way of one file.
const fileLimit = 2 * time.Minute

// workerMark marks a folder that a worker may empty. It is the configuration of a case that
// has none.
const workerMark = ".assay-worker"

// ownFolder refuses a folder for cases that somebody else has filled, as it is emptied.
func ownFolder(folder string) error {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return usage("--folder: %w", err)
	}
	if _, err := os.Stat(filepath.Join(folder, workerMark)); err != nil && len(entries) > 0 {
		return usage("--folder: %s holds files of somebody else, and it is emptied for each case: give another folder", folder)
	}
	return nil
}

// emptied makes the folder of the next case, and makes it the working folder.
func emptied(folder string) error {
	if err := os.Chdir(filepath.Dir(folder)); err != nil { // Windows removes no working folder
		return disk.Explain(err)
	}
	err := os.RemoveAll(folder)
	if err == nil {
		err = os.MkdirAll(folder, disk.DirPerm)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, workerMark), []byte("schema_version = 1\n"), disk.FilePerm)
	}
	if err == nil {
		err = os.Chdir(folder) // paths in files and settings lead from there
	}
	return disk.Explain(err)
}

// workerBuild names what workers share with who hands out cases.
func workerBuild() string { return ownVersion() }

// caseRunner runs one case after the other in a folder, with one browser.
type caseRunner struct {
	app     *app
	cmd     *cobra.Command
	dir     string // of the worker's data
	folder  string // of the case's files
	files   files.Client
	trusted bool
	pool    *browser.Pool // of the first case; its browser serves the others
}

func (c *caseRunner) close() {
	if c.pool != nil {
		c.pool.Close(wiring.CloseLimit)
	}
}

// run runs a case in a fresh copy of its files.
func (c *caseRunner) run(ctx context.Context, w workers.Work) (workers.Outcome, error) {
	if err := w.Check(); err != nil {
		return unprepared(err), nil
	}
	if err := emptied(c.folder); err != nil {
		return workers.Outcome{}, err
	}
	if w.Config == "" { // and none of a folder above
		w.Config = workerMark
	}
	if err := workers.Unpack(c.folder, w.Files, func(digest string) ([]byte, error) { return c.files.Get(ctx, digest) }); err != nil {
		return workers.Outcome{}, err
	}
	own := appOfCase(c.app, w, c.trusted)
	cfg, err := own.settings(c.cmd)
	if err != nil {
		return unprepared(err), nil
	}
	own.browsers = c.pool
	d, err := own.desk(cfg)
	if err != nil {
		return unprepared(err), nil
	}
	if c.pool == nil {
		c.pool = d.Pool
	} else {
		defer d.Pool.Close(wiring.CloseLimit) // its sessions; the browser is the first pool's
	}
	rn, err := own.program().Runner(cfg, d, c.dir, w.CI)
	if err != nil {
		return unprepared(err), nil
	}
	result, err := runner.RunOne(ctx, rn, w)
	if err != nil {
		return unprepared(err), nil
	}
	out := workers.Outcome{Result: result}
	if result.RunID == "" {
		return out, nil
	}
	zip := filepath.Join(c.dir, result.RunID+".zip")
	defer func() { _ = os.Remove(zip) }() // the run itself stays
	if _, err := bundle.Write(ctx, bundle.Source{Dir: c.dir, Run: result.RunID, Ledger: d.Store.Log}, zip); err != nil {
		return workers.Outcome{}, err
	}
	out.Bundle, err = os.ReadFile(zip)
	return out, err
}

// unprepared is the outcome of a case that can't be run with this worker's settings, which
// would be the same the next time.
func unprepared(err error) workers.Outcome {
	return workers.Outcome{Result: workers.Open(pagetext.Text("the worker could not run it: " + err.Error()))}
}

// appOfCase returns the app for a case whose files are in the working folder.
func appOfCase(a *app, w workers.Work, trusted bool) *app {
	own := &app{stdin: a.stdin, stdout: io.Discard, stderr: a.stderr, getenv: a.outside, outside: a.outside, environ: a.environ, now: a.now, self: a.self, called: a.called,
		waits: a.waits, ownDir: a.ownDir, configPath: w.Config, envName: w.Env, baseURL: w.BaseURL, flags: a.flags, verbose: a.verbose, logFormat: a.logFormat, trustsCases: trusted}
	own.log = own.logger() // which masks the secrets of this case
	return own
}

// localSuite is what runs the cases of a suite on this machine: a broker, the files of the
// cases, and workers.
type localSuite struct {
	app                  *app
	processes            *workers.Local
	coordinator          *workers.Coordinator
	storage              *ledger.BlobStore
	folder               string // of what is kept until the suite ends
	token, tokenFile     string
	working              context.Context
	stopWork, stopBroker func()
	unlock               func() // the folder, which others remove once its owner is gone
}

// distribute has the cases of a suite run by workers on this machine. What it returns ends
// them.
func distribute(ctx context.Context, a *app, rn *runner.Runner, p runner.Prepared, flags runFlags) (end func(), err error) {
	own, _, err := a.ownProgram()
	if err != nil {
		return nil, err
	}
	program, err := workers.FindBrokerProgram(own)
	if err != nil {
		return nil, usage("--workers: %w", err)
	}
	suiteFolder := runner.Store(rn.DataDir).Folder(p.Suite.ID)
	working, giveUp := context.WithCancelCause(context.WithoutCancel(ctx)) // until end: what a worker has begun is judged
	s := &localSuite{app: a, folder: filepath.Join(rn.DataDir, "queue", p.Suite.ID), storage: ledger.OpenBlobs(suiteFolder),
		working: working, stopWork: func() { giveUp(context.Canceled) }, stopBroker: func() {}, unlock: func() {}}
	s.processes = &workers.Local{Program: own, Environ: settled(a.environ), Folder: s.folder, Log: a.log, Stderr: stderrOf{a, "text/plain"}, GiveUp: giveUp}
	s.coordinator = &workers.Coordinator{Suite: p.Suite.ID, Acceptance: workers.Acceptance{Keys: s.processes.Keys, Storage: s.storage},
		Unpack: workers.Runs{Folder: filepath.Join(suiteFolder, "runs")}.Unpack, Log: a.log, Working: working}
	err = s.prepare(rn.DataDir)
	if err == nil {
		err = s.start(ctx, program, p, flags)
	}
	if err != nil {
		s.end()
		return nil, err
	}
	return s.end, nil
}

// prepare makes the folder and the token of the suite's processes.
func (s *localSuite) prepare(dataDir string) error {
	if err := disk.MakeDataFolder(dataDir); err != nil {
		return usage("data folder: %w", err)
	}
	if err := os.MkdirAll(s.folder, disk.DirPerm); err != nil {
		return disk.Explain(err)
	}
	if err := s.lock(); err != nil {
		return err
	}
	s.token, s.tokenFile = rand.Text(), filepath.Join(s.folder, "token")
	return disk.Explain(os.WriteFile(s.tokenFile, []byte(s.token+"\n"), disk.FilePerm))
}

// lock keeps the folder, and removes those whose owners were killed.
func (s *localSuite) lock() error {
	var err error
	if s.unlock, err = disk.Lock(s.working, s.folder+lockSuffix); err != nil {
		return fmt.Errorf("keep %s: %w", s.folder, err)
	}
	others, err := filepath.Glob(filepath.Join(filepath.Dir(s.folder), "*"+lockSuffix))
	if err != nil {
		return err
	}
	for _, other := range others {
		folder := strings.TrimSuffix(other, lockSuffix)
		if folder == s.folder {
			continue
		}
		short, stop := context.WithTimeout(s.working, lockLook)
		unlock, err := disk.Lock(short, other)
		stop()
		if err != nil {
			continue // its owner is at it
		}
		err = errors.Join(os.RemoveAll(folder), os.Remove(other))
		unlock()
		if err != nil {
			s.app.log.Warn("what a suite left whose process was killed is still there", "folder", folder, "err", err)
		}
	}
	return nil
}

const (
	lockSuffix = ".lock"
	lockLook   = 10 * time.Millisecond
)

// start starts the broker, hands the cases out, and starts the workers.
func (s *localSuite) start(ctx context.Context, program string, p runner.Prepared, flags runFlags) error {
	withBroker, stopBroker := context.WithCancel(context.WithoutCancel(ctx)) // beyond the workers
	s.stopBroker = stopBroker
	working := s.working
	address, err := s.processes.Broker(withBroker, program, s.token)
	if err != nil {
		return err
	}
	at, err := workers.Serve(withBroker, files.Handler(s.storage, s.token, s.app.log))
	if err != nil {
		return err
	}
	s.coordinator.Queue, err = queue.Connect(withBroker, queue.Options{Address: "nats://" + address, Token: s.token, Name: "coordinator", Build: workerBuild(), Lease: flags.lease, Log: s.app.log})
	if err != nil {
		return err
	}
	if err := handOut(working, s.app, s.coordinator, p, flags, s.storage); err != nil {
		return err
	}
	s.processes.Args = []string{"--queue", "nats://" + address, "--files", at, "--token-file", s.tokenFile, "--lease", flags.lease.String(), "--child"}
	if s.app.loaded.Trust == config.TrustedWhole {
		s.processes.Args = append(s.processes.Args, "--trusted")
	}
	s.processes.Args = append(s.processes.Args, flags.shared...)
	for n := range flags.workers {
		if err := s.processes.Worker(working, n+1); err != nil {
			return err
		}
	}
	go func() {
		if err := s.coordinator.Listen(working); err != nil && working.Err() == nil {
			s.processes.GiveUp(err)
		}
	}()
	return nil
}

// end ends the processes, the broker last, so that nobody misses it.
func (s *localSuite) end() {
	s.stopWork()
	s.processes.WaitWorkers()
	if s.coordinator.Queue != nil {
		s.coordinator.Queue.Close()
	}
	s.stopBroker()
	s.processes.WaitBroker()
	s.unlock()
	if err := errors.Join(os.RemoveAll(s.folder), os.Remove(s.folder+lockSuffix)); err != nil {
		s.app.log.Warn("what the workers kept is still there", "folder", s.folder, "err", err)
	}
}

// settled returns an environment without what the coordinator has settled for its workers:
// which configuration and which environment it is.
func settled(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(entry string) bool {
		return strings.HasPrefix(entry, "ASSAY_CONFIG=") || strings.HasPrefix(entry, "ASSAY_ENV=")
	})
}

// sharedFlags returns the flags that a person gave and that a worker needs, too: settings, and
// how much is logged.
func sharedFlags(cmd *cobra.Command) (out []string) {
	names := []string{"provider", "model", "headless", "log", "verbose", "debug"}
	for _, key := range config.Keys() {
		if key.Flag != "" && key.Name != "data_dir" {
			names = append(names, key.Flag)
		}
	}
	for _, name := range names {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed {
			out = append(out, "--"+name+"="+f.Value.String())
		}
	}
	return out
}

// handOut has each case that can run elsewhere wait for a worker. Those that need what is
// here alone run here.
func handOut(ctx context.Context, a *app, c *workers.Coordinator, p runner.Prepared, flags runFlags, storage *ledger.BlobStore) error {
	root, err := filepath.Abs(".") // from where paths in files and settings lead
	settings := a.loaded.Path
	if err == nil && settings != "" {
		settings, err = filepath.Abs(settings)
	}
	if err != nil {
		return err
	}
	if settings != "" && workers.Name(root, settings) == "" {
		return usage("--workers: the configuration is %s, and workers get what lies in the working folder: run assay in %s", settings, filepath.Dir(settings))
	}
	env, _, err := a.program().Environment(a.loaded.Config)
	if err != nil {
		return err
	}
	here, lanes := wait.NewPlaces(flags.request.Parallel), map[string]bool{}
	for i, e := range p.Suite.Entries {
		if why := p.NeedsHere(i); why != "" {
			a.log.Info("a case runs here, and not at a worker", "case", e.Path, "needs", why)
			run := p.Here(i)
			p.Elsewhere(i, func(ctx context.Context) (suite.Result, error) { // as many at a time as without workers
				if here.Take(ctx) != nil {
					return workers.Open("interrupted before it began"), nil
				}
				defer here.Give()
				return run(ctx)
			})
			continue
		}
		w, err := p.Work(i, flags.request, root, settings, storage.Put)
		if err != nil {
			return usage("--workers: %w", err)
		}
		w.Env, w.CI, w.Settings = env, inCI(a), ledger.BlobDigest([]byte(strings.Join(flags.shared, "\n")))
		lane := p.Suite.BaseURL
		if u, err := url.Parse(lane); err == nil && u.Host != "" {
			lane = u.Host
		}
		if !lanes[lane] {
			if err := c.Queue.Lane(ctx, lane, flags.request.Parallel); err != nil {
				return err
			}
			lanes[lane] = true
		}
		job, err := workers.Job(p.Suite.ID, lane, workerBuild(), w)
		if err != nil {
			return err
		}
		p.Elsewhere(i, func(ctx context.Context) (suite.Result, error) {
			r, err := c.Run(ctx, job)
			if r.Name == "" {
				r.Name = pagetext.Text(e.Name)
			}
			return r, err
		})
	}
	return nil
}
