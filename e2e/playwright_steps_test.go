package e2e_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/testfile"
)

// E7: uploads, to an input and by a button, and dialogs are
// the same in a Playwright test: each dialog step answers one dialog, and what no step
// names is answered as here.
func TestUploadAndDialogStepsAsPlaywrightTests(t *testing.T) {
	t.Parallel()
	needsBrowser(t)
	cli, err := filepath.Abs(filepath.Join(needsPackages(t, "@playwright/test"), "cli.js"))
	if err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>T</title><label>File <input id=one type=file onchange="one.title = this.files[0].name + this.files[0].size"></label>
			<input id=f type=file multiple hidden onchange="out.textContent = [...this.files].map(f => f.name + f.size).join()"><button onclick="f.click()">Attach</button>
			<button onclick="out.textContent = [prompt('Name?'), confirm('Sure?'), alert('So'), confirm('Really?')].join()">Ask</button><p id=out></p>`)
	}))
	t.Cleanup(site.Close)
	says := func(selector string, typ qa.AssertionType, attribute, expected string) qa.FlowStep {
		return qa.FlowStep{Action: "assert", Selector: selector, TimeoutMS: 5000, Assertion: &qa.Assertion{Type: typ, Attribute: attribute, Expected: expected}}
	}
	steps := func(last string) []qa.FlowStep {
		return []qa.FlowStep{
			{Action: "upload", Selector: "#one", Value: "a.txt"}, says("#one", qa.AttributeEquals, "title", "a.txt5"),
			{Action: "upload", Selector: `button "Attach"`, Value: "a.txt\nsub/b.csv"}, says("#out", qa.TextEquals, "", "a.txt5,b.csv2"),
			{Action: "dialog", Value: "accept", Option: "Ada"}, {Action: "dialog", Value: "accept"}, {Action: "click", Selector: `button "Ask"`}, says("#out", qa.TextEquals, "", last),
			says("", qa.DialogShown, "confirm", "Really?"),
		}
	}
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "sub"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("alpha"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "sub", "b.csv"), []byte("1\n"), 0o600))
	for name, last := range map[string]string{"right": "Ada,true,,false", "wrong": "Ada,true,,true"} {
		text, err := testfile.Of(flow.Flow{Name: name, StartURL: "/", Steps: steps(last)}, testfile.Options{Source: name})
		if err != nil {
			t.Fatal(err)
		}
		must(t, os.WriteFile(filepath.Join(dir, name+".spec.ts"), []byte(text), 0o600))
	}
	for file, r := range runTests(t, cli, dir, site.URL) {
		if want := map[string]string{"right.spec.ts": "passed", "wrong.spec.ts": "failed"}[file]; r.status != want {
			t.Errorf("%s: %s, want %s\n%s", file, r.status, want, r.said)
		}
	}
}
