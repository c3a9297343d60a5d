package e2e_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
)

// ofUploadsAndDialogs adds tests with uploads, to an input and by a button, and dialogs
// (E7): each dialog step answers one dialog, and what no step names is answered as here.
func (b *batch) ofUploadsAndDialogs(t *testing.T) {
	t.Helper()
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
	must(t, os.Mkdir(filepath.Join(b.dir, "sub"), 0o700))
	must(t, os.WriteFile(filepath.Join(b.dir, "a.txt"), []byte("alpha"), 0o600))
	must(t, os.WriteFile(filepath.Join(b.dir, "sub", "b.csv"), []byte("1\n"), 0o600))
	for last, status := range map[string]string{"Ada,true,,false": "passed", "Ada,true,,true": "failed"} {
		text, err := testfile.Of(flow.Flow{Name: "steps", StartURL: "/", Steps: steps(last)}, testfile.Options{Source: "steps"})
		if err != nil {
			t.Fatal(err)
		}
		b.add(t, "steps-"+status+".spec.ts", text, site.URL, status)
	}
}
