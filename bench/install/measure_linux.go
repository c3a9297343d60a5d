package install

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/bench/measure"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/packaging/registry"
)

const (
	modulePath = "github.com/assay-qa/assay"
	roundLimit = 15 * time.Minute
)

// machine is what is installed from, and what this machine says of registries.
type machine struct {
	options
	roots
	version string   // of the snapshot
	npm     *url.URL // registry that this machine's npm asks
	goProxy string   // proxies that this machine's Go asks
	scratch string   // folder of what is made for one measurement
	release func()   // lets others have the folder of roots
}

// measureAll makes the roots that the ways need, and installs by each in turn.
func measureAll(ctx context.Context, o options) (results []result, err error) {
	m, err := newMachine(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() {
		err = errors.Join(err, os.RemoveAll(m.scratch))
		m.release()
	}()
	for _, w := range o.ways {
		fmt.Fprintf(o.progress, "%s: what must be there\n", w.name)
		if _, err := m.layer(ctx, w.given); err != nil {
			return nil, fmt.Errorf("%s: %w", w.name, err)
		}
		results = append(results, result{way: w})
	}
	for i := range o.rounds { // the ways in turn: what a busy hour costs, it costs all of them
		for j := range results {
			r := m.round(ctx, results[j].way)
			if ctx.Err() != nil {
				return results, ctx.Err()
			}
			fmt.Fprintf(o.progress, "%s, round %d of %d: %.1f s, load %.1f, healthy %q, broken %q\n", results[j].way.name, i+1, o.rounds, r.took.Seconds(), r.load, r.healthy, r.wrong)
			if r.err != nil {
				fmt.Fprintln(o.progress, "  does not count:", r.err)
			}
			results[j].rounds = append(results[j].rounds, r)
		}
	}
	return results, nil
}

// newMachine reads what the snapshot is, and asks npm and Go where they fetch from.
func newMachine(ctx context.Context, o options) (m machine, err error) {
	m.options = o
	if m.dist, err = filepath.Abs(o.dist); err != nil {
		return m, err
	}
	if m.cache, err = filepath.Abs(o.cache); err != nil {
		return m, err
	}
	bundles, err := filepath.Glob(filepath.Join(m.dist, "assay_*_linux-x64.mcpb"))
	if err != nil {
		return m, err
	}
	if len(bundles) != 1 {
		return m, fmt.Errorf("%w: %s has no snapshot of all packages; run: make snapshot", measure.ErrSetUp, m.dist)
	}
	m.version = strings.TrimSuffix(strings.TrimPrefix(filepath.Base(bundles[0]), "assay_"), "_linux-x64.mcpb")
	said := map[string]string{}
	for name, argv := range map[string][]string{"npm": {"npm", "config", "get", "registry"}, "proxy": {"go", "env", "GOPROXY"}, "root": {"go", "env", "GOROOT"}} {
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Env = os.Environ()
		out, err := cmd.Output()
		if err != nil {
			return m, fmt.Errorf("%s: %w", strings.Join(argv, " "), err)
		}
		said[name] = strings.TrimSpace(string(out))
	}
	if m.npm, err = url.Parse(said["npm"]); err != nil {
		return m, fmt.Errorf("npm config get registry: %w", err)
	}
	m.goProxy = strings.TrimSuffix(said["proxy"], ",direct") // a module that no proxy has is fetched from nowhere else
	m.roots = roots{folder: filepath.Join(m.cache, rootsFolder), goRoot: said["root"]}
	if m.release, err = takeFolder(ctx, m.folder); err != nil {
		return m, err
	}
	m.scratch, err = os.MkdirTemp(m.folder, "rounds-")
	if err != nil {
		m.release()
	}
	return m, err
}

const (
	marker    = ".assay-bench-install" // file that says that a folder is ours; who uses the folder has it locked
	lockLimit = 2 * time.Second        // how long another measurement is waited for
)

// takeFolder makes a folder ours, keeps other measurements out of it until release is called, and
// removes what those that were killed have left in it. A folder that has something and no marker is
// somebody else's: nothing in it is touched.
func takeFolder(ctx context.Context, folder string) (release func(), err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	mark := filepath.Join(folder, marker)
	if _, err := os.Lstat(mark); err != nil {
		there, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		if len(there) > 0 {
			return nil, fmt.Errorf("%w: %s has %d entries and no file %s, so it is not known to be of this measurement; name another folder with -cache", measure.ErrSetUp, folder, len(there), marker)
		}
	}
	locking, cancel := context.WithTimeout(ctx, lockLimit)
	defer cancel()
	if release, err = disk.Lock(locking, mark); err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("%w: another measurement uses %s; wait for its end, or name another folder with -cache", measure.ErrSetUp, folder)
		}
		return nil, fmt.Errorf("lock %s: %w", mark, err)
	}
	if err := removeLeft(folder); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// removeLeft removes what measurements that were killed have left in a folder that we hold.
func removeLeft(folder string) error {
	var all []error
	for _, pattern := range []string{"rounds-*", "layer-*"} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		all = append(all, err)
		for _, left := range found {
			all = append(all, os.RemoveAll(left))
		}
	}
	return errors.Join(all...)
}

// round installs once, in an empty root.
func (m machine) round(ctx context.Context, w way) (r round) {
	ctx, cancel := context.WithTimeout(ctx, roundLimit)
	defer cancel()
	stage, err := os.MkdirTemp(m.scratch, w.name+"-")
	if err != nil {
		return round{err: err}
	}
	defer func() { r.err = errors.Join(r.err, os.RemoveAll(stage)) }()
	lower, err := m.layer(ctx, w.given)
	if err != nil {
		return round{err: err}
	}
	n, err := newNetwork()
	if err != nil {
		return round{err: err}
	}
	defer func() { r.err = errors.Join(r.err, n.close()) }()
	fetched := &meter{}
	at := root{lower: lower, stage: stage, network: n, goProxy: m.goProxy}
	if slices.Contains(w.given, goTool) {
		at.goRoot = m.goRoot
	}
	err = errors.Join(at.prepare(), m.serve(ctx, n, fetched), m.deliver(ctx, w, at, fetched), at.mount())
	if err != nil {
		return round{err: err}
	}
	r.load = m.awaitQuiet(ctx)
	if w.bundle {
		m.asClient(ctx, at, &r)
	} else {
		m.asPerson(ctx, w, at, &r)
	}
	r.ours, r.others = fetched.read()
	return r
}

// serve serves what a root can reach: a proxy, npm's registry, Go's modules, and the site.
func (m machine) serve(ctx context.Context, n *network, fetched *meter) error {
	others := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(m.npm) }}
	npm, err := registry.New(filepath.Join(m.dist, "npm"), "http://"+npmAt, fetched.counts(m.npm.Hostname(), others))
	if err != nil {
		return err
	}
	all := http.NewServeMux()
	all.Handle("/go/", fetched.counts(ours, http.StripPrefix("/go/", http.FileServer(http.Dir(filepath.Join(m.dist, "goproxy"))))))
	for _, name := range []string{"/assay-qa", "/@assay-qa/", "/-/"} { // ours; npm's own requests below /-/ are few bytes
		all.Handle(name, fetched.counts(ours, npm))
	}
	all.Handle("/", npm)
	return errors.Join(n.serve(ctx, proxyAt, fetched.forwardProxy()), n.serve(ctx, npmAt, all), n.serve(ctx, siteAt, site()))
}

// deliver puts into a root what the person has downloaded, and counts it.
func (m machine) deliver(ctx context.Context, w way, at root, fetched *meter) error {
	if slices.Contains(w.given, git) {
		return m.deliverClone(ctx, at, fetched)
	}
	for name, pattern := range w.files {
		from := filepath.Join(m.source, "packaging", "container", "setup.sh")
		if pattern != "" {
			found, err := filepath.Glob(filepath.Join(m.dist, pattern))
			if err != nil {
				return err
			}
			if len(found) != 1 {
				return fmt.Errorf("%s has %d files %s, and not one; run: make snapshot", m.dist, len(found), pattern)
			}
			from = found[0]
		}
		content, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		size := int64(len(content))
		if filepath.IsAbs(name) {
			size = gzipped(content)
		} else {
			name = filepath.Join(person, m.named(name))
		}
		to := filepath.Join(at.upper(), name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, content, 0o755); err != nil {
			return err
		}
		fetched.add(ours, size)
	}
	return nil
}

// gzipped is the size of what an image has, as it is fetched.
func gzipped(content []byte) int64 {
	var n int64
	z := gzip.NewWriter(writes(func(more int) { n += int64(more) }))
	_, _ = z.Write(content) // a count takes everything
	_ = z.Close()
	return n
}

// named puts the version into a name or a command.
func (m machine) named(text string) string { return strings.ReplaceAll(text, "VERSION", m.version) }

// deliverClone puts the repository of the commit where it is cloned from.
func (m machine) deliverClone(ctx context.Context, at root, fetched *meter) error {
	to := filepath.Join(at.upper(), "srv", "assay.git")
	clone := exec.CommandContext(ctx, "git", "clone", "--quiet", "--bare", "--no-local", "--single-branch", m.source, to)
	clone.Env = os.Environ()
	if said, err := clone.CombinedOutput(); err != nil {
		return fmt.Errorf("git clone: %w: %s", err, said)
	}
	packs, err := filepath.Glob(filepath.Join(to, "objects", "pack", "*.pack"))
	if err != nil {
		return err
	}
	for _, pack := range packs {
		info, err := os.Stat(pack)
		if err != nil {
			return err
		}
		fetched.add(ours, info.Size())
	}
	return nil
}

// awaitQuiet waits until the machine's load is low, and returns it.
func (m machine) awaitQuiet(ctx context.Context) float64 {
	ctx, cancel := context.WithTimeout(ctx, m.patience)
	defer cancel()
	look := time.NewTicker(time.Second)
	defer look.Stop()
	for {
		load := loadNow()
		if load < m.load {
			return load
		}
		select {
		case <-ctx.Done():
			return load
		case <-look.C:
		}
	}
}

// loadNow returns the load of the last minute; 0 where the system doesn't tell.
func loadNow() float64 {
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(raw), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return load
}

// asPerson types the commands of a way, and looks at the verdicts.
func (m machine) asPerson(ctx context.Context, w way, at root, r *round) {
	said := ""
	for i, command := range w.commands {
		var code int
		var c cost
		said, code, c, r.err = at.run(ctx, m.named(command))
		r.took, r.commands = r.took+c.took, append(r.commands, c)
		if r.err == nil && code != 0 {
			r.err = fmt.Errorf("%s ended with %d: %s", command, code, lastLines(said))
		}
		if r.err != nil {
			return
		}
		if i == len(w.commands)-1 {
			r.healthy = verdictIn(said, "passed")
		}
	}
	if w.alone {
		r.wrong = verdictIn(said, "failed")
		return
	}
	var code int
	if said, code, _, r.err = at.run(ctx, w.breaks); r.err == nil && code != 1 {
		r.err = fmt.Errorf("%s ended with %d, and not with 1: %s", w.breaks, code, lastLines(said))
	}
	r.wrong = verdictIn(said, "failed")
}

// verdictIn looks for a line that begins with a verdict.
func verdictIn(said, verdict string) string {
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, verdict+" ") {
			return verdict
		}
	}
	return ""
}
