package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/assay-qa/assay/internal/demo"
)

// TestScripts runs the command lines in testdata/script: what users type, what
// they read, and the exit code (E1).
func TestScripts(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/":
			_, _ = w.Write([]byte("<!doctype html><title>Fine</title><h1>Fine</h1>"))
		case "/looks":
			_, _ = fmt.Fprintf(w, "<!doctype html><title>Looks</title><style>h1 { font: 160px sans-serif; margin: 0 }</style><h1>%s</h1><p data-testid=sum>42</p>", html.EscapeString(r.FormValue("heading")))
		case "/throws":
			_, _ = w.Write([]byte("<!doctype html><title>Throws</title><script>null.x</script>"))
		case "/500":
			w.WriteHeader(http.StatusInternalServerError)
		case "/401":
			w.WriteHeader(http.StatusUnauthorized)
		case "/slow":
			<-r.Context().Done()
		case "/file.pdf":
			w.Header().Set("Content-Type", "application/pdf")
			_, _ = w.Write([]byte("%PDF-1.4"))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(site.Close)
	hub := newHub(t)
	dashboard, err := demo.Start(t.Context(), demo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dashboard.Close() })
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			// testscript hides the home directory; driver and browser are
			// looked for there.
			for _, name := range []string{"HOME", "XDG_CACHE_HOME", "PLAYWRIGHT_DRIVER_PATH", "PLAYWRIGHT_NODEJS_PATH", "PLAYWRIGHT_BROWSERS_PATH"} {
				if value := os.Getenv(name); value != "" {
					env.Setenv(name, value)
				}
			}
			for _, name := range []string{"XDG_CONFIG_HOME", "APPDATA"} { // no test reads or writes what the person at this machine trusts
				env.Setenv(name, filepath.Join(env.WorkDir, "own"))
			}
			temp := filepath.Join(env.WorkDir, "tmp")
			env.Setenv("TMPDIR", temp)
			for name, value := range cheap() { // scripts about them set them back
				env.Setenv(name, value)
			}
			env.Setenv("SITE", site.URL)
			env.Setenv("HUB", hub.URL)
			env.Setenv("DEMO", dashboard.URL())
			env.Setenv("OTHER_DEMO", strings.Replace(dashboard.URL(), "127.0.0.1", "localhost", 1))
			return os.MkdirAll(temp, 0o700)
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "browser":
				return !testing.Short(), nil
			case "soak": // what others of its kind stand for in make test
				return os.Getenv("SOAK") != "", nil
			}
			return false, errors.New("unknown condition")
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "within": within, "damage": damage, "resume": resume, "approve": approve, "keep": keep, "opened": opened, "spoil": spoil, "past": past, "backdate": backdate, "unzipped": unzipped, "commented": hub.commented},
	})
}

// exits N PROGRAM ARGS… runs a program and wants its exit code to be N.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("%v exited with %d, want %d", args[1:], got, want)
	}
}

// damage FOLDER NAME changes the last byte of that file in every folder of
// FOLDER that has it.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: damage folder name")
	}
	files, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*", filepath.FromSlash(args[1])))
	ts.Check(err)
	if len(files) == 0 {
		ts.Fatalf("no folder of %s has %s", args[0], args[1])
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		ts.Check(err)
		data[len(data)-1] ^= 1
		ts.Check(os.WriteFile(file, data, 0o600))
	}
}

// approve STATUS NAME approves the version of a baseline that has that status.
func approve(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: approve status name")
	}
	ts.Check(ts.Exec("assay", "baseline", "list", "--json", "--name", args[1]))
	var all []struct{ ID, Status string }
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &all))
	for _, v := range all {
		if v.Status == args[0] {
			ts.Check(ts.Exec("assay", "baseline", "approve", v.ID, "--name", "Ada L.", "--reason", "the new heading"))
			return
		}
	}
	ts.Fatalf("no %s version of %s in %+v", args[0], args[1], all)
}

// resume takes up the suite that began first again.
func resume(ts *testscript.TestScript, _ bool, _ []string) {
	suites, err := os.ReadDir(filepath.Join(ts.Getenv("WORK"), ".assay", "suites"))
	ts.Check(err)
	if len(suites) == 0 {
		ts.Fatalf("no suite is kept")
	}
	within(ts, false, []string{"0", "assay", "run", "--resume", suites[0].Name()})
}
