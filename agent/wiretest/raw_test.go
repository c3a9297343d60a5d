package wiretest_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/assay-qa/assay/agent/wiretest"
)

// obj and arr are JSON as it is written by hand.
type (
	obj = map[string]any
	arr = []any
)

// raw talks to a scripted provider without any client of ours or of a provider.
type raw struct {
	t      *testing.T
	server *wiretest.Server
	path   string
	header http.Header
	told   int // problems that have been asked for
}

// start starts a scripted provider that is asked at path.
func start(t *testing.T, w wiretest.Wire, script wiretest.Script, o wiretest.Options, path string, header http.Header) *raw {
	t.Helper()
	s, err := wiretest.New(w, script, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return &raw{t: t, server: s, path: path, header: header}
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   obj
	err    error // of reading or decoding it
}

// post sends a body, decoded from JSON or as text.
func (r *raw) post(body any) answer {
	r.t.Helper()
	text, ok := body.(string)
	if !ok {
		b, err := json.Marshal(body)
		if err != nil {
			r.t.Fatal(err)
		}
		text = string(b)
	}
	return r.send(http.MethodPost, r.path, text)
}

func (r *raw) send(method, path, body string) answer {
	r.t.Helper()
	q, err := http.NewRequestWithContext(r.t.Context(), method, r.server.URL()+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	q.Header = r.header.Clone()
	resp, err := http.DefaultClient.Do(q)
	if err != nil {
		r.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	a := answer{status: resp.StatusCode, header: resp.Header}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		a.err = err
		return a
	}
	a.err = json.Unmarshal(b, &a.body)
	return a
}

// clean fails the test if the provider has objected.
func (r *raw) clean() {
	r.t.Helper()
	for _, p := range r.server.Problems() {
		r.t.Errorf("a right request is objected to: %s", p)
	}
}

// objects fails the test unless the provider has objected with these words since
// it was asked last.
func (r *raw) objects(words string) {
	r.t.Helper()
	r.finds("a violation", words)
}

// finds does so for a violation with a name.
func (r *raw) finds(name, words string) {
	r.t.Helper()
	all := r.server.Problems()
	since := strings.Join(all[r.told:], "\n")
	r.told = len(all)
	if !strings.Contains(since, words) {
		r.t.Errorf("%s: no problem says %q; there are: %s", name, words, since)
	}
}

// at reads a value in decoded JSON.
func at(v any, path ...any) any {
	for _, p := range path {
		switch k := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[k]
		case int:
			l, _ := v.([]any)
			if k >= len(l) {
				return nil
			}
			v = l[k]
		}
	}
	return v
}

// clone is a deep copy of JSON written by hand.
func clone(t *testing.T, v obj) obj {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out obj
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// photo is a PNG of a size, in base64.
func photo(t *testing.T, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}
