package tools_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/qa"
)

var update = flag.Bool("update", false, "write what tools/kpicheck judges without a browser (with SOAK=1: of all pages)")

// recordedPage is a page as the browser read it, with what its figures are to be found.
type recordedPage struct {
	Name    string
	Read    browser.Readings
	Figures []recordedFigure
}

type recordedFigure struct {
	Label, Want, Unit string
	Status            qa.KPIStatus
	Cause             qa.KPICause
}

// recording collects pages for a file of tools/kpicheck/testdata, which holds the whole
// of a table of which make test shows a sample to the browser.
type recording struct{ pages []recordedPage }

// add reads the open page, where recordings are written.
func (r *recording) add(d desk, name string, figures ...recordedFigure) {
	d.t.Helper()
	if !*update {
		return
	}
	s, err := d.Pool.Session(d.session())
	if err != nil {
		d.t.Fatal(err)
	}
	read, err := s.Readings(d.t.Context(), "", 5*time.Second)
	if err != nil {
		d.t.Fatal(err)
	}
	read.URL, read.Writings = "", nil // another port each time; each language's is the same
	r.pages = append(r.pages, recordedPage{name, read, figures})
}

// write writes the file, a page a line and without what is empty.
func (r *recording) write(t *testing.T, file string) {
	t.Helper()
	if !*update {
		return
	}
	var out bytes.Buffer
	for _, page := range r.pages {
		raw, err := json.Marshal(page)
		if err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := json.Unmarshal(raw, &tree); err != nil {
			t.Fatal(err)
		}
		if raw, err = json.Marshal(full(tree)); err != nil {
			t.Fatal(err)
		}
		out.Write(append(raw, '\n'))
	}
	if err := os.WriteFile(filepath.Join("..", "engine", "kpicheck", "testdata", file), out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// full returns a JSON value without what is empty in it.
func full(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, each := range v {
			switch full(each) {
			case nil, "", 0.0, false:
				delete(v, key)
			}
		}
	case []any:
		for _, each := range v {
			full(each)
		}
		if len(v) == 0 {
			return nil
		}
	}
	return v
}
