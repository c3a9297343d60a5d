// Package author measures assay author: twenty tasks on the sample dashboard and on two
// public templates, by scripted models on every provider's wire, good ones, mistaken ones
// and hostile ones. Each ends as it should, proved or with the true reason, or the
// benchmark fails; so it does if anything but one new branch changes in a repository.
// What it tells beside that are the rounds, the tokens and the time of each.
package author

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/assay-qa/assay/bench/measure"
	"github.com/assay-qa/assay/internal/demo"
	"github.com/assay-qa/assay/internal/wiretest"
)

// key is what the scripted providers demand.
const key = "key-of-the-scripted-provider"

// Run parses args, measures and writes a table.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	f := flag.NewFlagSet("author", flag.ContinueOnError)
	f.SetOutput(stderr)
	program := f.String("assay", "bin/assay", "the program")
	modules := f.String("templates", "e2e/node_modules", "folder with the npm packages of the templates")
	only := f.String("only", "", "run only the tasks whose name has this text")
	if err := f.Parse(args); err != nil {
		return err
	}
	b := bench{stdout: stdout, stderr: stderr}
	if b.assay, err = filepath.Abs(*program); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "assay-author-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.dir)) }()
	sites, closing, err := serve(ctx, *modules)
	defer closing()
	if err != nil {
		return err
	}
	b.sites = sites
	return b.all(ctx, *only)
}

// serve serves the sample dashboard, healthy and broken, and the templates.
func serve(ctx context.Context, modules string) (sites map[string]string, closing func(), err error) {
	var ends []func()
	closing = func() {
		for _, end := range ends {
			end()
		}
	}
	sites = map[string]string{}
	for name, broken := range map[string]bool{healthy: false, faulty: true} {
		site, err := demo.Start(ctx, demo.Options{Broken: broken})
		if err != nil {
			return nil, closing, err
		}
		ends = append(ends, func() { _ = site.Close() })
		sites[name] = site.URL()
	}
	for name, folder := range map[string]string{sbAdmin: "startbootstrap-sb-admin-2", gentelella: "gentelella/dist"} {
		root := filepath.Join(modules, filepath.FromSlash(folder))
		if _, err := os.Stat(root); err != nil {
			return nil, closing, fmt.Errorf("%w; run: npm ci --prefix e2e", err)
		}
		s := httptest.NewServer(http.FileServer(http.Dir(root)))
		ends = append(ends, s.Close)
		sites[name] = s.URL
	}
	return sites, closing, nil
}

type bench struct {
	assay, dir     string
	sites          map[string]string
	stdout, stderr io.Writer
}

// ended is what a task came to.
type ended struct {
	Status string
	Reason string
	Proved bool
	Branch string
	Rounds []json.RawMessage
	Costs  struct {
		TokensInput  int `json:"tokensInput"`
		TokensOutput int `json:"tokensOutput"`
	}
	Confined string
	took     time.Duration
	outside  []string // what changed beside one branch
}

// how says in a word how the task ended.
func (e ended) how() string {
	if e.Proved && e.Branch != "" && e.Status == "passed" {
		return "proved"
	}
	return e.Status
}

func (b bench) all(ctx context.Context, only string) error {
	table := tabwriter.NewWriter(b.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "task\tsite\twire\tended\trounds\ttokens in\tout\tseconds")
	var wrong []error
	var tokens, seconds []float64
	asWanted, ran, outside, confined := 0, 0, 0, ""
	for i, t := range tasks() {
		if !strings.Contains(t.name, only) {
			continue
		}
		wire := wiretest.Wires()[i%len(wiretest.Wires())]
		fmt.Fprintf(b.stderr, "%d: %s\n", i+1, t.name)
		e, err := b.run(ctx, t, wire, filepath.Join(b.dir, fmt.Sprint(i)))
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		ran++
		outside += len(e.outside)
		confined = e.Confined
		if e.how() == t.ends && strings.Contains(e.Reason, t.because) && len(e.outside) == 0 {
			asWanted++
		} else {
			wrong = append(wrong, fmt.Errorf("%s ended %s, not %s by %q: %s; changed: %v", t.name, e.how(), t.ends, t.because, e.Reason, e.outside))
		}
		tokens, seconds = append(tokens, float64(e.Costs.TokensInput+e.Costs.TokensOutput)), append(seconds, e.took.Seconds())
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%.0f\n", t.name, t.site, wire, e.how(), len(e.Rounds), e.Costs.TokensInput, e.Costs.TokensOutput, e.took.Seconds())
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(b.stdout, "as they should: %d of %d; changes beside one new branch: %d; median %.0f tokens and %.0f s a task; tests ran %s\n", asWanted, ran, outside, measure.Median(tokens), measure.Median(seconds), confined)
	return errors.Join(wrong...)
}

// run works one task in a repository of its own.
func (b bench) run(ctx context.Context, t task, wire wiretest.Wire, dir string) (e ended, err error) {
	provider, err := wiretest.New(wire, wiretest.Fixed(t.says()...), wiretest.Options{Key: key, Model: "scripted"})
	if err != nil {
		return e, err
	}
	defer func() { err = errors.Join(err, provider.Close()) }()
	root := filepath.Join(dir, "project")
	if err := repository(ctx, root); err != nil {
		return e, err
	}
	config := filepath.Join(dir, "mcp.toml")
	if err := os.WriteFile(config, fmt.Appendf(nil, "schema_version = 1\ndata_dir = %q\n[agent]\nprovider = %q\nmodel = \"scripted\"\nbase_url = %q\napi_key = \"env:BENCH_KEY\"\n", filepath.Join(dir, "data"), wire, provider.URL()), 0o600); err != nil {
		return e, err
	}
	before, err := hashes(root)
	if err != nil {
		return e, err
	}
	env := append(os.Environ(), "BENCH_KEY="+key, "XDG_CONFIG_HOME="+filepath.Join(dir, "data", "own"))
	for folder, args := range map[string][]string{dir: {"trust", "--yes", "--config", config}, root: {"trust", "--yes"}} {
		trust := exec.CommandContext(ctx, b.assay, args...)
		trust.Dir, trust.Env = folder, env
		if said, err := trust.CombinedOutput(); err != nil {
			return e, fmt.Errorf("assay trust: %w: %s", err, said)
		}
	}
	c := exec.CommandContext(ctx, b.assay, "author", t.flow, "--json", "--config", config, "--root", root, "--base-url", b.sites[t.site])
	c.Dir, c.Env, c.Stderr = dir, env, b.stderr
	started := time.Now()
	answer, runErr := c.Output()
	e.took = time.Since(started)
	if err := json.Unmarshal(answer, &e); err != nil {
		return e, errors.Join(runErr, err)
	}
	if problems := provider.Problems(); len(problems) > 0 {
		return e, fmt.Errorf("the provider was asked wrongly: %s", strings.Join(problems, "; "))
	}
	after, err := hashes(root)
	if err != nil {
		return e, err
	}
	e.outside = changes(before, after, e.Branch)
	left, err := os.ReadDir(dir)
	if err != nil {
		return e, err
	}
	for _, entry := range left {
		if name := entry.Name(); name != "project" && name != "data" && name != "mcp.toml" {
			e.outside = append(e.outside, name)
		}
	}
	return e, nil
}

// repository makes a project with one commit, and a change that is not committed.
func repository(ctx context.Context, root string) error {
	if err := os.MkdirAll(filepath.Join(root, "tests"), 0o700); err != nil {
		return err
	}
	put := func(name, text string) error { return os.WriteFile(filepath.Join(root, name), []byte(text), 0o600) }
	if err := errors.Join(put("README.md", "# Shop\n"), put("package.json", "{\"private\": true}\n"), put("tests/old.spec.js", "// a person's\n")); err != nil {
		return err
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first"}} {
		c := exec.CommandContext(ctx, "git", append([]string{"-C", root}, args...)...)
		c.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("git %v: %w: %s", args, err, out)
		}
	}
	return put("README.md", "# Shop, not committed yet\n")
}

// hashes returns the hash of each file of a folder, git's own included.
func hashes(root string) (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		sum := sha256.Sum256(text)
		out[filepath.ToSlash(rel)] = hex.EncodeToString(sum[:])
		return err
	})
	return out, err
}

// changes lists what differs beside a new branch, its log and new objects.
func changes(before, after map[string]string, branch string) (out []string) {
	for name, sum := range before {
		if after[name] != sum {
			out = append(out, name)
		}
	}
	for name := range after {
		_, known := before[name]
		if !known && !strings.HasPrefix(name, ".git/objects/") && (branch == "" || name != ".git/refs/heads/"+branch && name != ".git/logs/refs/heads/"+branch) {
			out = append(out, name)
		}
	}
	return out
}
