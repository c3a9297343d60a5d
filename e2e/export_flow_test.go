package e2e_test

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// Req 0033/A: a fault that a client found runs the next day as a flow, under --watch and as a Playwright test, without an
// edit: each tells the same fault, and passes once the site is mended. What can't be repeated is a named
// gap, with which nothing passes.
func TestRunIsAFlowAndATest(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		says := "Welcome, Ada"
		if broken.Load() {
			says = "Who are you?"
		}
		switch r.URL.Path {
		case "/sign-in":
			fmt.Fprintf(w, `<!doctype html><title>Sign in</title><button onclick="fetch('/allow', {method: 'POST'}).then(() => { opener.postMessage('%s', '*'); setTimeout(() => window.close(), 50) })">Allow</button>`, says)
		case "/allow":
		case "/terms":
			fmt.Fprint(w, `<!doctype html><title>Terms</title><h1>Terms</h1>`)
		default:
			fmt.Fprint(w, `<!doctype html><title>Shop</title><a href="/terms">Terms</a><button onclick="window.open('/sign-in')">Sign in</button><label>Password <input type=password></label><p id=out>-</p><script>onmessage = e => { out.textContent = e.data }</script>`)
		}
	}))
	t.Cleanup(site.Close)
	dir := testProject(t)
	w := serveOn(t, filepath.Join(dir, "data"))
	run := func(goal, status string, more ...func()) finished {
		w.do("run_start", map[string]any{"goal": goal, "expectations": []map[string]string{{"text": `the text "Welcome, Ada" is shown`}}, "watch_ms": 0})
		w.do("page_navigate", map[string]any{"url": site.URL})
		w.do("page_click", map[string]any{"selector": `link "Terms"`})
		w.do("page_navigate", map[string]any{"back": true})
		for _, do := range more {
			do()
		}
		popup := w.do("page_click", map[string]any{"selector": `button "Sign in"`})
		_, rest, _ := strings.Cut(popup.text(), `page_tabs {"action": "select", "tab": `)
		tab, _, _ := strings.Cut(rest, "}")
		w.do("page_tabs", map[string]any{"action": "select", "tab": int(tab[0] - '0')})
		w.do("page_click", map[string]any{"selector": `button "Allow"`})
		for range 100 { // the popup closes by itself, and one call may be told so
			if a := w.call("verify_assertion", map[string]any{"expects": []string{"E1"}}); a.envelope.OK {
				break
			}
		}
		f := w.finishes()
		if f.status != status || !strings.Contains(f.text, "assay export --flow|--playwright "+f.run) {
			t.Fatal(f.text)
		}
		return f
	}
	lacking := run("With a password", "passed", func() {
		w.do("page_fill", map[string]any{"selector": `textbox "Password"`, "value": "in clear"})
	}).run
	broken.Store(true)
	found := run("Sign in by a popup", "failed")
	whole, fault := found.run, "Who are you?"
	if !strings.Contains(found.text, fault) {
		t.Fatal(found.text)
	}
	var answer struct {
		Path string
		Gaps []string
		Next []string
	}
	export := func(code int, args ...string) string {
		t.Helper()
		got, said := author(t, dir, nil, append([]string{"export"}, args...)...)
		if got != code {
			t.Errorf("export %q: exit %d, want %d: %s", args, got, code, said)
		}
		return said
	}
	if code, said := author(t, dir, &answer, "export", whole, "--flow", "--json"); code != 0 || answer.Path != "sign-in-by-a-popup.flow.json" || len(answer.Gaps) != 0 || !slices.Contains(answer.Next, "assay run sign-in-by-a-popup.flow.json") {
		t.Fatalf("exit %d, %+v: %s", code, answer, said)
	}
	if said := export(1, whole, "--playwright", "--check"); !strings.Contains(said, fault) || !strings.Contains(said, "asked the site to change: POST "+site.URL+"/allow – status 200\n") { // it runs the test
		t.Errorf("the test does not tell the fault, or what it asked the site: %s", said)
	}
	text := string(readFile(t, filepath.Join(dir, "sign-in-by-a-popup.spec.ts")))
	if !strings.Contains(text, "recorded, not run") {
		t.Error(text)
	}
	export(0, lacking, "--flow")
	if said := export(1, lacking, "--playwright", "--check"); strings.Contains(said, "Error") {
		t.Error(said)
	}
	if text := string(readFile(t, filepath.Join(dir, "with-a-password.spec.ts"))); !strings.Contains(text, `test.fixme(true, "gap: call 4, page_fill`) {
		t.Error(text)
	}
	flow := string(readFile(t, filepath.Join(dir, "with-a-password.flow.json")))
	if !strings.Contains(flow, `"action": "gap"`) || strings.Contains(flow, "in clear") {
		t.Error(flow)
	}
	watchedUntilMended(t, dir, "sign-in-by-a-popup.flow.json", fault, &broken)
	for _, one := range []struct {
		broken        bool
		command, file string
		code          int
		status        string
	}{
		{false, "test", "sign-in-by-a-popup.spec.ts", 0, "passed"},
		{true, "run", "sign-in-by-a-popup.flow.json", 1, "failed"},
		{false, "run", "sign-in-by-a-popup.flow.json", 0, "passed"},
		{false, "run", "with-a-password.flow.json", 1, "error"},
	} {
		broken.Store(one.broken)
		var told struct{ Status string }
		if code, said := author(t, dir, &told, one.command, one.file, "--json"); code != one.code || told.Status != one.status || one.broken != strings.Contains(said, fault) {
			t.Errorf("%+v: exit %d, %s: %s", one, code, told.Status, said)
		}
	}
	// What can't be written says why.
	for want, args := range map[string][]string{
		"exists already":               {whole, "--flow"},
		"give one of them":             {whole, "--flow", "--playwright"},
		"give both":                    {whole, "--flow", "--check"},
		"what is written here ends in": {whole, "--flow", "--out", "a.txt"},
		"no-such-folder/a.flow.json":   {whole, "--flow", "--out", "no-such-folder/a.flow.json"},
		"there is no run":              {"nobody", "--flow"},
	} {
		if said := export(2, args...); !strings.Contains(said, want) {
			t.Errorf("%q: %s", args, said)
		}
	}
	if said := export(1, "latest", "--flow"); !strings.Contains(said, "kept already") {
		t.Errorf("a run of a file: %s", said)
	}
	must(t, os.WriteFile(filepath.Join(dir, "data", "runs", whole, "repeat.flow.json"), []byte(strings.ReplaceAll(flow, "Ada", "Eve")), 0o600))
	if said := export(1, whole, "--flow", "--out", "changed.flow.json"); !strings.Contains(said, "repeat.flow.json") {
		t.Errorf("a changed file: %s", said)
	}
}

// watchedUntilMended runs a flow under assay run --watch: it tells the fault, and passes once the site's code has changed.
func watchedUntilMended(t *testing.T, dir, file, fault string, broken *atomic.Bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary(t), "run", file, "--watch", "--data-dir", filepath.Join(dir, "data"))
	cmd.Dir, cmd.Env = dir, environment(t.TempDir())
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	lines := bufio.NewScanner(out)
	until := func(start string) (before string) {
		t.Helper()
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), start) {
				return before
			}
			before += lines.Text() + "\n"
		}
		t.Fatalf("it ended before it said %q: %s", start, before)
		return ""
	}
	until("failed  " + file)
	if said := until("of all 1 case, each as it ran last: 0 passed; " + file + " failed"); !strings.Contains(said, fault) {
		t.Errorf("the fault is not told: %s", said)
	}
	broken.Store(false)
	writeFile(t, filepath.Join(dir, "server.go"), []byte("package main"))
	until("changed: server.go: 1 case, as what it affects is not known")
	until("of all 1 case, each as it ran last: 1 passed")
	if runtime.GOOS == "windows" { // no interrupt can be sent to one process there
		must(t, cmd.Process.Kill())
		return
	}
	must(t, cmd.Process.Signal(os.Interrupt))
	for lines.Scan() { // whatever it still says
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}
