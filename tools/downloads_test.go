package tools_test

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"testing"
)

// What a page gives to save is an artefact of the run, with its digest, under
// a name that can't pass for one of the run's own documents.
func TestDownloadsAreFiled(t *testing.T) {
	d := online(t)
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
