package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wiretest"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/suite/spec"
)

// acceptReadings runs assay accept for a spec, with what a person types and an environment.
func (r *specRun) accept(t *testing.T, stdin io.Reader, vars map[string]string, args ...string) (code int, said string) {
	t.Helper()
	var out bytes.Buffer
	a := &app{stdin: stdin, stdout: &out, stderr: &out, now: time.Now, getenv: func(name string) string {
		if value, ok := vars[name]; ok || name == "CI" {
			return value
		}
		if value, ok := r.vars[name]; ok {
			return value
		}
		return os.Getenv(name)
	}}
	line := append([]string{"accept", "--config", filepath.Join(r.dir, "mcp.toml"), "--data-dir", filepath.Join(r.dir, "data"), filepath.Join(r.dir, "specs", "order.md")}, args...)
	trusting(t, a, "--config", filepath.Join(r.dir, "mcp.toml"))
	return a.run(t.Context(), line), out.String()
}

const kitchenSpec = "---\nauth: none\n---\n# The order\n## Steps\n1. Open /orders\n2. Order\n   - Expected: after that \"Ordered\" is what the kitchen gets to read\n"

func kitchenScript(assertion map[string]any) []wiretest.Say {
	return inTurn(opens("/orders"), through(1), act("page_click", `button "Order"`),
		wiretest.Call{Name: "verify_assertion", Args: map[string]any{"selector": "css=#s", "assertion": assertion, "expects": []string{"E1"}, "timeout_ms": 1000}}, through(2), ends("ordered"))
}

// Item 5 of step 8: what a model took a sentence for that no form reads is a
// proposal. A person at a terminal accepts it, nobody else; from then on it is used
// as it stands. Another sentence, another check, a run that was changed: it is to
// be accepted again.
func TestAcceptReading(t *testing.T) {
	t.Parallel()
	site, _ := orderSite(t)
	scripts := map[string][]wiretest.Say{"The order": kitchenScript(map[string]any{"type": "text_contains", "expected": "Ordered"})}
	r := specWork(t, site, map[string]string{"order.md": kitchenSpec}, scripts)
	file := filepath.Join(r.dir, "specs", "order.md.readings.toml")
	refused := func(name string, want int, why string, code int, said string) {
		t.Helper()
		if _, err := os.Stat(file); code != want || !strings.Contains(said, why) || err == nil {
			t.Errorf("%s: exit %d, want %d with %q; written: %v\n%s", name, code, want, why, err == nil, said)
		}
	}
	code, said := r.accept(t, typing(t, "y\n"), nil, "--name", "Ada")
	refused("before a run", exitUsage, "has no run here", code, said)

	first := r.result(t, r.run(t.Context(), t))
	notes := string(pagetext.Join(first.Notes, "\n"))
	if first.Status != qa.TestError || !strings.Contains(notes, `reading to accept: E1 "after that \"Ordered\" is what`) || !strings.Contains(notes, "assay accept "+filepath.Join(r.dir, "specs", "order.md")+` --name "YOUR NAME"`) {
		t.Fatalf("the first run does not say how to accept: %s %s\n%s", first.Status, first.FailureReason, notes)
	}
	for view, want := range map[string]string{"report.md": "## Readings to accept", "report.html": "<h3>Readings to accept</h3>", "report.json": `"understood"`, "ctrf.json": `"understood"`, "junit.xml": "understood.E1"} {
		if text, err := os.ReadFile(filepath.Join(filepath.Dir(first.Report), view)); err != nil || !bytes.Contains(text, []byte(want)) {
			t.Errorf("%s does not have %q: %v", view, want, err)
		}
	}

	for name, c := range map[string]struct {
		typed, why string
		pipe       bool
		vars       map[string]string
		args       []string
		code       int
	}{
		"no name":          {typed: "y\n", args: nil, code: exitUsage, why: "--name is missing"},
		"CI":               {typed: "y\n", vars: map[string]string{"CI": "true"}, args: []string{"--name", "Ada"}, code: exitUsage, why: "where CI is set"},
		"a pipe":           {typed: "y\n", pipe: true, args: []string{"--name", "Ada"}, code: exitUsage, why: "at a terminal"},
		"no":               {typed: "n\n", args: []string{"--name", "Ada"}, code: exitFailed, why: "nothing is accepted"},
		"no, to all":       {typed: "\n", args: []string{"--name", "Ada", "--all"}, code: exitFailed, why: "accept all 1?"},
		"another run":      {typed: "y\n", args: []string{"--name", "Ada", "--run", "20200101T000000.000Z-abcdef"}, code: exitUsage, why: "is no run of"},
		"a name of signs":  {typed: "y\n", args: []string{"--name", "A\x1b[2J"}, code: exitUsage, why: "control characters"},
		"the file changed": {typed: "y\n", args: []string{"--name", "Ada"}, code: exitFailed, why: `it no longer says`},
		"the run changed":  {typed: "y\n", args: []string{"--name", "Ada"}, code: exitFailed, why: "is not verified"},
	} {
		var stdin io.Reader = strings.NewReader(c.typed)
		if !c.pipe {
			stdin = typing(t, c.typed)
		}
		undo := func() {}
		switch name {
		case "the file changed":
			undo = r.change(t, filepath.Join(r.dir, "specs", "order.md"), "gets to read", "gets to reed")
		case "the run changed":
			undo = r.change(t, filepath.Join(filepath.Dir(first.Report), "report.json"), "text_contains", "text_equals")
		}
		code, said := r.accept(t, stdin, c.vars, c.args...)
		undo()
		refused(name, c.code, c.why, code, said)
	}

	code, said = r.accept(t, typing(t, "y\n"), nil, "--name", "Ada Lovelace")
	text, err := os.ReadFile(file)
	if code != exitPassed || err != nil || !strings.Contains(string(text), `sentence = 'after that "Ordered" is what the kitchen gets to read'`) || !strings.Contains(string(text), first.RunID) {
		t.Fatalf("exit %d, %v\n%s\n%s", code, err, said, text)
	}
	second := r.result(t, r.run(t.Context(), t))
	told, err := os.ReadFile(filepath.Join(filepath.Dir(second.Report), "report.md"))
	if second.Status != qa.TestPassed || err != nil || !strings.Contains(string(told), "accepted by Ada Lovelace as: css=") || strings.Contains(string(pagetext.Join(second.Notes, "")), "reading to accept") {
		t.Errorf("with the reading: %s %s %q, %v\n%s", second.Status, second.FailureReason, second.Notes, err, told)
	}
	if code, said := r.accept(t, typing(t, "y\n"), nil, "--name", "Ada"); code != exitFailed || !strings.Contains(said, "there is nothing to accept") {
		t.Errorf("twice: exit %d\n%s", code, said)
	}

	// Another reading than the accepted one proves nothing, and is a proposal again.
	scripts["The order"] = kitchenScript(map[string]any{"type": "text_equals", "expected": "Ordered"})
	other := r.result(t, r.run(t.Context(), t))
	if other.Status != qa.TestError || !strings.Contains(string(pagetext.Join(other.Notes, "")), "reading to accept") {
		t.Errorf("another check: %s %s %q", other.Status, other.FailureReason, other.Notes)
	}
	if code, said := r.accept(t, typing(t, "y\n"), nil, "--name", "Grace Hopper", "--all"); code != exitPassed {
		t.Errorf("instead of the first: exit %d\n%s", code, said)
	}
	if text, err = os.ReadFile(file); err != nil || strings.Count(string(text), "[[readings]]") != 1 || !strings.Contains(string(text), "Grace Hopper") {
		t.Errorf("%v\n%s", err, text)
	}

	// A file that was cut is an error, with its place, and nothing runs.
	if err := os.WriteFile(file, text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if code, said := r.accept(t, typing(t, "y\n"), nil, "--name", "Ada"); code != exitUsage || !strings.Contains(said, spec.ReadingsFile("order.md")+":") {
		t.Errorf("a cut file: exit %d\n%s", code, said)
	}
}

// change replaces a text in a file, and returns what undoes it.
func (r *specRun) change(t *testing.T, file, old, now string) (undo func()) {
	t.Helper()
	before, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, bytes.Replace(before, []byte(old), []byte(now), 1), 0o600)
	}
	if err != nil || !bytes.Contains(before, []byte(old)) {
		t.Fatalf("%s: %v", file, err)
	}
	return func() {
		if err := os.WriteFile(file, before, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A12: a flow that a program made permits its acts once a person at a terminal has read
// and accepted it, and no longer once it has changed.
func TestAcceptFlow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, own := filepath.Join(dir, "repeat.flow.json"), filepath.Join(dir, "mine.flow.json")
	steps := `"start_url": "http://127.0.0.1:1/", "success_condition": "Gone", "steps": [{"action": "click", "selector": "button \"Delete\""}]}`
	for path, text := range map[string]string{file: `{"made_by": "the calls of a run", ` + steps, own: `{` + steps, filepath.Join(dir, "mcp.toml"): "schema_version = 1\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	accepts := func(typed, path string) (int, string) {
		var out bytes.Buffer
		a := &app{stdin: typing(t, typed), stdout: &out, stderr: &out, now: time.Now, getenv: func(name string) string {
			if name == "CI" {
				return ""
			}
			return os.Getenv(name)
		}}
		code := a.run(t.Context(), []string{"accept", "--config", filepath.Join(dir, "mcp.toml"), "--data-dir", filepath.Join(dir, "data"), "--name", "Ada", path})
		return code, out.String()
	}
	written := func() bool {
		f, problems, err := load.FlowFile(file, "")
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		return f.Written
	}
	if code, said := accepts("y\n", own); code != exitUsage || !strings.Contains(said, "was written by a person") {
		t.Errorf("a person's own flow: exit %d\n%s", code, said)
	}
	if code, said := accepts("n\n", file); code != exitFailed || written() {
		t.Errorf("declined: exit %d\n%s", code, said)
	}
	if code, said := accepts("y\n", file); code != exitPassed || !strings.Contains(said, `1. click "button \"Delete\""`) || !written() {
		t.Errorf("accepted: exit %d, written %v\n%s", code, written(), said)
	}
	if err := os.WriteFile(file, []byte(`{"made_by": "the calls of a run",  `+steps), 0o600); err != nil {
		t.Fatal(err)
	}
	if written() {
		t.Error("a flow that has changed since is still accepted")
	}
}
