package wiretest_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"testing"

	"github.com/assay-qa/assay/agent/wiretest"
)

// officialFolder holds OpenAI's official description.
const officialFolder = "../../testdata/official/openai"

const key = "sk-test-0123456789abcdef"

// object is JSON as a client would write it.
type object = map[string]any

// desk is a scripted provider and a client that writes raw JSON.
type desk struct {
	*testing.T
	*raw
}

// open starts a scripted provider.
func open(t *testing.T, w wiretest.Wire, script wiretest.Script, o wiretest.Options) desk {
	t.Helper()
	d := desk{T: t, raw: start(t, w, script, o, "", http.Header{"Content-Type": {"application/json"}})}
	switch w {
	case wiretest.Azure:
		d.path = "/openai/responses?api-version=2025-04-01-preview"
		d.header.Set("Api-Key", key)
	case wiretest.Chat:
		d.path = "/chat/completions"
		d.header.Set("Authorization", "Bearer "+key)
	default:
		d.path = "/responses"
		d.header.Set("Authorization", "Bearer "+key)
	}
	return d
}

// within is the same desk in a test of its own.
func (d desk) within(t *testing.T) desk {
	d.raw.t = t
	return desk{T: t, raw: d.raw}
}

// objects is finds in the name of the test.
func (d desk) objects(words string) {
	d.Helper()
	d.raw.finds(d.Name(), words)
}

// judged are the options under which the official description judges.
func judged() wiretest.Options { return wiretest.Options{Schemas: officialFolder, Key: key} }

// send posts a body, whatever becomes of it.
func (d desk) send(body any) (*http.Response, []byte, error) {
	raw, ok := body.([]byte)
	if !ok {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			d.Fatal(err)
		}
	}
	r, err := http.NewRequestWithContext(d.Context(), http.MethodPost, d.server.URL()+d.path, bytes.NewReader(raw))
	if err != nil {
		d.Fatal(err)
	}
	r.Header = d.header.Clone()
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = a.Body.Close() }()
	answer, err := io.ReadAll(a.Body)
	return a, answer, err
}

// ask posts a body and wants a turn.
func (d desk) ask(body any) object {
	d.Helper()
	a, answer, err := d.send(body)
	if err != nil {
		d.Fatal(err)
	}
	if a.StatusCode != http.StatusOK {
		d.Fatalf("HTTP %d: %s; problems: %v", a.StatusCode, answer, d.server.Problems())
	}
	out := object{}
	if err := json.Unmarshal(answer, &out); err != nil {
		d.Fatalf("%v in %s", err, answer)
	}
	return out
}

// pick follows a path of names and numbers in JSON.
func pick(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, p := range path {
		switch p := p.(type) {
		case string:
			v = v.(object)[p]
		case int:
			v = v.([]any)[p]
		}
	}
	if v == nil {
		t.Fatalf("nothing at %v", path)
	}
	return v
}

// picture is a picture in a data URL, of so many pixels each way.
func picture(t *testing.T, format string, pixels int) string {
	t.Helper()
	var b bytes.Buffer
	img := image.NewGray(image.Rect(0, 0, pixels, pixels))
	err := png.Encode(&b, img)
	if format == "jpeg" {
		b.Reset()
		err = jpeg.Encode(&b, img, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("data:image/%s;base64,%s", format, base64.StdEncoding.EncodeToString(b.Bytes()))
}
