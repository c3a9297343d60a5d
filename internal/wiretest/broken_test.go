package wiretest_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/assay-qa/assay/internal/wiretest"
)

// golden is a conversation of testdata/wires.
type golden struct {
	header  http.Header
	paths   []string
	bodies  [][]byte
	answers [][]byte
}

func readGolden(t *testing.T, w wiretest.Wire) golden {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join(folder, string(w)+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	g := golden{header: http.Header{}}
	for _, f := range a.Files {
		kind, _, _ := strings.Cut(f.Name, " ")
		switch kind {
		case "headers":
			for line := range strings.Lines(string(f.Data)) {
				name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
				g.header.Set(name, value)
			}
		case "request":
			g.paths = append(g.paths, f.Name[strings.LastIndex(f.Name, " ")+1:])
			g.bodies = append(g.bodies, f.Data)
		default:
			g.answers = append(g.answers, f.Data)
		}
	}
	return g
}

// post sends a body as it is.
func post(t *testing.T, s *wiretest.Server, path string, header http.Header, body []byte) (int, []byte, error) {
	t.Helper()
	base := strings.TrimSuffix(s.URL(), "/v1")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = a.Body.Close() }()
	raw, err := io.ReadAll(a.Body)
	return a.StatusCode, raw, err
}

func serve(t *testing.T, w wiretest.Wire, o wiretest.Options, says ...wiretest.Say) *wiretest.Server {
	t.Helper()
	s, err := wiretest.New(w, wiretest.Fixed(says...), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// broken is a way to break a request of the golden conversation: places in it
// are JSON pointers, "-" stands behind the last item of a list.
type broken struct {
	Case   string
	Says   string // of a problem; empty: there is none
	In     int    // which request; 0 is the first
	Set    map[string]any
	Insert map[string]any // a list is that many items
	Cut    []string
	Swap   []string
	Header map[string]string
	Path   string
	Model  string // that the provider has
	Status int    // of the answer; 0: any
}

// TestBroken breaks requests in each way of testdata/wires, and wants each to be
// objected to: a judge that finds nothing is worth nothing.
func TestBroken(t *testing.T) {
	for w, a := range adapters() {
		g := readGolden(t, w)
		raw, err := os.ReadFile(filepath.Join(folder, string(w)+"-broken.json"))
		if err != nil {
			t.Fatal(err)
		}
		var cases []broken
		if err := json.Unmarshal(raw, &cases); err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			t.Run(string(w)+"/"+c.Case, func(t *testing.T) {
				if c.Model == "" {
					c.Model = a.model
				}
				if _, other := c.Set["/model"]; other && c.Status == 0 {
					c.Model = ""
				}
				s := serve(t, w, wiretest.Options{Key: key, Model: c.Model, Secrets: []string{"hunter2"}}, turns(w)...)
				n := max(c.In, 1) - 1
				for i := range n {
					if status, answer, err := post(t, s, g.paths[i], g.header, g.bodies[i]); err != nil || status != http.StatusOK {
						t.Fatalf("%v: HTTP %d %s", err, status, answer)
					}
				}
				if c.Path == "" {
					c.Path = g.paths[n]
				}
				header := g.header.Clone()
				for name, value := range c.Header {
					header.Set(name, value)
					if value == "" {
						header.Del(name)
					}
				}
				status, answer, err := post(t, s, c.Path, header, c.spoil(t, g.bodies[n]))
				if err != nil || c.Status != 0 && status != c.Status {
					t.Errorf("%v: HTTP %d %s", err, status, answer)
				}
				problems := strings.Join(s.Problems(), "\n")
				if c.Says == "" && problems != "" || !strings.Contains(problems, c.Says) {
					t.Errorf("no problem says %q; there are: %s", c.Says, problems)
				}
				if strings.Contains(problems, "hunter2") || strings.Contains(problems, key) {
					t.Errorf("a problem says a secret: %s", problems)
				}
			})
		}
	}
}

// spoil changes a body.
func (c broken) spoil(t *testing.T, body []byte) []byte {
	t.Helper()
	var doc any
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Fatal(err)
	}
	for _, at := range c.Cut {
		edit(&doc, at, func(list []any, i int) []any { return slices.Delete(list, i, i+1) }, func(o obj, name string) { delete(o, name) })
	}
	for at, v := range c.Set {
		v = c.value(t, doc, v)
		edit(&doc, at, func(list []any, i int) []any { list[i] = v; return list }, func(o obj, name string) { o[name] = v })
	}
	for at, v := range c.Insert {
		items, many := v.([]any)
		if !many {
			items = []any{v}
		}
		for _, v := range items {
			v = c.value(t, doc, v)
			edit(&doc, at, func(list []any, i int) []any { return slices.Insert(list, i, v) }, nil)
		}
	}
	if len(c.Swap) == 2 {
		a, b := c.value(t, doc, "$from "+c.Swap[0]), c.value(t, doc, "$from "+c.Swap[1])
		for at, v := range map[string]any{c.Swap[0]: b, c.Swap[1]: a} {
			edit(&doc, at, func(list []any, i int) []any { list[i] = v; return list }, nil)
		}
	}
	out, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// edit changes the list or the object that holds the place at a pointer.
func edit(v *any, pointer string, inList func([]any, int) []any, inObject func(obj, string)) {
	name, rest, more := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	switch e := (*v).(type) {
	case obj:
		if !more {
			inObject(e, name)
			return
		}
		inner := e[name]
		edit(&inner, rest, inList, inObject)
		e[name] = inner
	case []any:
		i := len(e)
		if name != "-" {
			i, _ = strconv.Atoi(name)
		}
		if !more {
			*v = inList(e, i)
			return
		}
		edit(&e[i], rest, inList, inObject)
	}
}

// value is what a case puts into a body: JSON, in which "$from /pointer" is a
// copy, and "$png 8x6", "$torn-png", "$url", "$torn" and "$jpeg" (a lie) are pictures.
func (c broken) value(t *testing.T, doc, v any) any {
	t.Helper()
	switch e := v.(type) {
	case string:
		kind, of, _ := strings.Cut(e, " ")
		if !strings.HasPrefix(kind, "$") {
			return v
		}
		if kind == "$from" {
			var found any
			edit(&doc, of, func(list []any, i int) []any { found = list[i]; return list }, func(o obj, name string) { found = o[name] })
			return found
		}
		return picture(t, kind, of)
	case []any:
		for i := range e {
			e[i] = c.value(t, doc, e[i])
		}
	case obj:
		for name := range e {
			e[name] = c.value(t, doc, e[name])
		}
	}
	return v
}

func picture(t *testing.T, kind, size string) string {
	t.Helper()
	var width, height int
	if _, err := fmt.Sscanf(size, "%dx%d", &width, &height); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	if strings.HasPrefix(kind, "$torn") {
		data = data[:len(data)-8]
	}
	text := base64.StdEncoding.EncodeToString(data)
	switch kind {
	case "$png", "$torn-png":
		return text
	case "$jpeg":
		return "data:image/jpeg;base64," + text
	default:
		return "data:image/png;base64," + text
	}
}
