package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// corpusPage is a page of a public dashboard, and the edits that are made to
// it, each alone.
type corpusPage struct {
	Module, Root, Page string
	Edits              []edit
	name               string
}

// edit is one known change of a page, and what must be said of it.
type edit struct {
	Kind, Name string

	// The element: one that the CSS selector finds, with these words and no
	// others, or the Nth found; then the ancestor or the neighbour of it.
	At, Text, Closest string
	Nth               *int
	Next              bool
	In                string // an ancestor whose box is accepted too

	Do                   string // script on el; returns elements that count in its place, if any
	File, From, To, With string // or what is replaced in a file, or by which file
	Hover                bool   // or only the pointer is moved on it

	Causes, Properties []string // accepted
	Was, Now           string   // words, if the cause must tell them
}

// corpus reads the pages and their edits.
func corpus(t *testing.T) []corpusPage {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "corpus", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	var pages []corpusPage
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		page := corpusPage{name: filepath.Base(file[:len(file)-len(".json")])}
		reader := json.NewDecoder(bytes.NewReader(text))
		reader.DisallowUnknownFields()
		if err := reader.Decode(&page); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		pages = append(pages, page)
	}
	return pages
}

// corpusSite serves a template, with one file of it replaced now and then.
type corpusSite struct {
	root, url string
	mu        sync.Mutex
	path      string // of the file that is replaced
	bytes     []byte
}

func (p corpusPage) serve(t *testing.T) *corpusSite {
	t.Helper()
	s := &corpusSite{root: filepath.Join(needsPackages(t, p.Module), p.Root)}
	files := http.FileServer(http.Dir(s.root))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		path, replaced := s.path, s.bytes
		s.mu.Unlock()
		w.Header().Set("Cache-Control", "no-store")
		if r.URL.Path == "/sw.js" { // a service worker would go on serving a file as it was
			http.NotFound(w, r)
			return
		}
		if path == "" || r.URL.Path != "/"+path {
			files.ServeHTTP(w, r)
			return
		}
		http.ServeContent(w, r, filepath.Base(path), startOfTime, bytes.NewReader(replaced))
	}))
	t.Cleanup(server.Close)
	s.url = server.URL + "/" + p.Page
	return s
}

// replace serves the file of an edit as the edit wants it; the zero edit ends
// that.
func (s *corpusSite) replace(e edit) error {
	var replaced []byte
	if e.File != "" {
		source := e.File
		if e.With != "" {
			source = e.With
		}
		var err error
		if replaced, err = os.ReadFile(filepath.Join(s.root, filepath.FromSlash(source))); err != nil {
			return err
		}
		if e.With == "" {
			if n := bytes.Count(replaced, []byte(e.From)); n != 1 {
				return fmt.Errorf("%q stands %d times in %s, want once", e.From, n, e.File)
			}
			replaced = bytes.Replace(replaced, []byte(e.From), []byte(e.To), 1)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.path, s.bytes = e.File, replaced
	return nil
}

// script makes the edit in the page and tells where its element was and is.
func (e edit) script() string {
	return `async ({ at, text, nth, closest, next, within }) => {
	const rest = () => document.getAnimations().forEach(a => { try { a.finish() } catch { a.cancel() } })
	const frame = () => new Promise(requestAnimationFrame)
	const places = list => list.map(e => e.getBoundingClientRect()).filter(r => r.width && r.height)
		.map(r => ({ x: r.x + scrollX, y: r.y + scrollY, width: r.width, height: r.height }))
	const find = () => [...document.querySelectorAll(at)].filter(e => !text || e.textContent.trim().replace(/\s+/g, ' ') === text)
	for (let i = 0; i < 300 && !find().length; i++) await frame() // some templates build the page after it is loaded
	const found = find()
	if (nth == null ? found.length !== 1 : nth >= found.length) throw new Error(found.length + ' elements: ' + at + ' ' + (text ?? ''))
	let el = found[nth ?? 0]
	if (closest) el = el.closest(closest)
	if (next) el = el.nextElementSibling
	const css = (property, value) => el.style.setProperty(property, value, 'important')
	const fetched = source => Object.assign(new Image(), { src: source }).decode().then(() => undefined)
	const load = source => { el.src = source; return el.decode().then(() => undefined) }
	rest()
	const around = within ? [el.closest(within)] : []
	const before = places([el, ...around])
	const instead = await (async () => { ` + e.Do + ` })()
	await frame(); await frame()
	rest()
	return { before, after: places([...(instead ?? [el]), ...around]) }
}`
}

// arguments are what the script takes.
func (e edit) arguments() map[string]any {
	return map[string]any{"at": e.At, "text": e.Text, "nth": e.Nth, "closest": e.Closest, "next": e.Next, "within": e.In}
}

// spot is a rectangle of a page.
type spot struct{ X, Y, Width, Height float64 }

func (a spot) area() float64 { return a.Width * a.Height }

// shared is the area of what two have in common.
func (a spot) shared(b spot) float64 {
	width := min(a.X+a.Width, b.X+b.Width) - max(a.X, b.X)
	height := min(a.Y+a.Height, b.Y+b.Height) - max(a.Y, b.Y)
	return max(width, 0) * max(height, 0)
}

// alike tells whether two are much the same: what they share is at least half
// of what they cover together.
func (a spot) alike(b spot) bool {
	shared := a.shared(b)
	return shared > 0 && shared >= (a.area()+b.area()-shared)/2
}
