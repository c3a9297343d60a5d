package tools_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/tools/pagehealth"
)

// What a page gives to save is an artefact of the run, with its digest, under
// a name that can't pass for one of the run's own documents.
func TestDownloadsAreFiled(t *testing.T) {
	t.Parallel()
	d := patient(t)
	at := site(t, map[string]string{"/": `<title>T</title><a download="report.html" href="data:text/html,alpha">File</a>`})
	d.ok("page_navigate", `{"url":"%s/"}`, at)
	run := d.ok("run_start", `{"goal":"save a file"}`).Data["run_id"].(string)
	a := d.ok("page_click", `{"selector":"link \"File\""}`)
	sum := sha256.Sum256([]byte("alpha"))
	for _, want := range []string{filepath.Join(run, "downloads", "d001-report.html"), "5 bytes", hex.EncodeToString(sum[:])} {
		if !strings.Contains(a.text, want) {
			t.Errorf("the answer should say %q: %s", want, a.text)
		}
	}
	for _, name := range []string{"downloads/d001-report.html", "d001-report.html"} {
		data, _, err := d.Store.Artifact(run, name)
		if err != nil || string(data) != "alpha" {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}

// What a flow's pages give to save is filed though its context ends with it.
func TestDownloadsOfFlowsAreFiled(t *testing.T) {
	t.Parallel()
	d := patient(t)
	at := site(t, map[string]string{"/": `<title>T</title><a download="x.txt" href="data:text/plain,hello">File</a>`})
	run := d.ok("run_start", `{"goal":"save a file in a flow"}`).Data["run_id"].(string)
	a := d.ok("verify_user_flow", `{"start_url":"%s/","steps":[{"action":"click","selector":"link \"File\""}]}`, at)
	if path := filepath.Join(run, "downloads", "d001-x.txt"); !strings.Contains(a.text, path) {
		t.Errorf("the answer should name %s: %s", path, a.text)
	}
	if data, _, err := d.Store.Artifact(run, "downloads/d001-x.txt"); err != nil || string(data) != "hello" {
		t.Errorf("filed: %q, %v", data, err)
	}
}

// A page that a verify tool opens for itself gives to save, too; what is still
// on its way when the look is over is cancelled in words.
func TestDownloadsOfOneOffsAreEnded(t *testing.T) {
	t.Parallel()
	d := patient(t)
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=endless.bin")
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<10)); err != nil {
				return
			}
			if err := http.NewResponseController(w).Flush(); err != nil {
				return
			}
			<-time.After(10 * time.Millisecond)
		}
	}))
	t.Cleanup(endless.Close)
	at := site(t, map[string]string{"/": `<title>T</title><a download=x.txt href="data:text/plain,hello">File</a><script>document.querySelector('a').click()</script>`,
		"/long": `<title>T</title><iframe src="` + endless.URL + `"></iframe><script>setTimeout(() => document.body.append("Long"), 500)</script>`})
	if _, dir, err := pagehealth.CheckPage(t.Context(), d.Workspace, at+"/", 0); err != nil {
		t.Fatal(err)
	} else if data, err := os.ReadFile(filepath.Join(dir, "downloads", "d001-x.txt")); err != nil || string(data) != "hello" {
		t.Errorf("assay check filed %q, %v", data, err)
	}
	a := d.ok("verify_element_exists", `{"url":"%s/long","selector":"text=Long"}`, at)
	if !strings.Contains(a.text, "cancelled, it was still running: download: endless.bin") {
		t.Errorf("the answer should tell of the cancelled download: %s", a.text)
	}
}
