package tools_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/tools/tool"
)

// A6, A19: a tolerance is a text, a number or null, as the specification writes it,
// and what is unknown of the evidence is null.
func TestAssertTakesTheSpecificationsTolerance(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../testdata/specifications/A/assert.json")
	if err != nil {
		t.Fatal(err)
	}
	var calls map[string]json.RawMessage
	if err := json.Unmarshal(data, &calls); err != nil {
		t.Fatal(err)
	}
	d := offline(t)
	d.ok("run_start", `{"goal": "g"}`)
	for name, want := range map[string]*qa.Tolerance{"percent": {Percent: 1}, "text": {Absolute: 0.5}, "number": {Absolute: 2}, "none": nil} {
		id := d.ok("assert", "%s", calls[name]).Data["assertionId"]
		run, err := d.Run()
		if err != nil {
			t.Fatal(err)
		}
		all := run.Record().Findings
		filed := all[len(all)-1]
		if diff := cmp.Diff(want, filed.Tolerance); diff != "" || filed.ID != id {
			t.Errorf("%s: %s is filed as %s (-want +got):\n%s", name, id, filed.ID, diff)
		}
		if name == "percent" && (len(filed.Evidence) != 1 || filed.Evidence[0].Selector != "testid=revenue" || filed.Evidence[0].Time == nil) {
			t.Errorf("evidence: %+v", filed.Evidence)
		}
	}
	for _, wrong := range []string{`"about 1"`, `"1,5"`, `"NaN"`, `"-1%"`, `true`} {
		args := strings.Replace(string(calls["percent"]), `"1%"`, wrong, 1)
		if a := d.raw("assert", args); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, "tolerance") {
			t.Errorf("%s: %s", wrong, a.text)
		}
	}
}

// A6: a picture is cited in any of the forms in which an answer names it, and filed by its
// name; two pictures in one entry, and what is not of this run, are refused.
func TestAssertTakesWhatAnswersCallAPicture(t *testing.T) {
	t.Parallel()
	d := offline(t)
	d.ok("run_start", `{"goal": "g"}`)
	run, err := d.Run()
	if err != nil {
		t.Fatal(err)
	}
	var data bytes.Buffer
	if err := png.Encode(&data, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	picture, err := tool.StorePicture(run, "login", data.Bytes(), 1)
	if err != nil {
		t.Fatal(err)
	}
	const call = `{"severity": "minor", "category": "functional", "assertion": "a", "expected": "b", "observed": "c", "confidence": 1, "evidence": [%s]}`
	shown := fmt.Sprintf(`"name": %q, "sha256": %q, "path": %q, "uri": %q`, picture.Name, picture.SHA256, picture.Path, picture.URI)
	for _, cited := range []string{`{"screenshotRef": "001-login.png"}`, `{"screenshotRef": "` + picture.URI + `"}`, `{"screenshotRef": "` + picture.SHA256[:12] + `"}`,
		`{"uri": "` + picture.URI + `"}`, `{"path": "` + picture.Path + `", "selector": "#x"}`, `{"sha256": "` + picture.SHA256 + `"}`, "{" + shown + "}"} {
		d.ok("assert", call, cited)
		all := run.Record().Findings
		if filed := all[len(all)-1].Evidence; len(filed) != 1 || filed[0].ScreenshotRef != "screenshots/001-login.png" {
			t.Errorf("%s is filed as %+v", cited, filed)
		}
	}
	if _, err := tool.StorePicture(run, "other", data.Bytes(), 1); err != nil {
		t.Fatal(err)
	}
	for cited, says := range map[string]string{
		`{"sha256": "` + strings.Repeat("0", 64) + `"}`:     "names no stored artefact of this run",
		`{"name": "001-login.png", "uri": "002-other.png"}`: "two pictures",
		`{"uri": "assay://runs/x/artifacts/001-login.png"}`: "names no stored artefact of this run",
		`{"path": "/etc/passwd"}`:                           "names no stored artefact of this run",
	} {
		if a := d.raw("assert", fmt.Sprintf(call, cited)); a.Error.Code != "INVALID_INPUT" || !strings.Contains(a.Error.Message, says) {
			t.Errorf("%s: %s, want %s", cited, a.text, says)
		}
	}
}
