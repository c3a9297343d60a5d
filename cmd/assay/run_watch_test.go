package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// lineWriter hands out what is written, line by line.
type lineWriter struct {
	lines chan string
	rest  []byte
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	for {
		line, after, whole := bytes.Cut(w.rest, []byte("\n"))
		if !whole {
			return len(p), nil
		}
		w.lines <- string(line)
		w.rest = after
	}
}

// watching runs assay run --watch in a project of two flows and a site of files.
type watching struct {
	t    *testing.T
	dir  string
	out  *lineWriter
	end  context.CancelFunc
	code chan int
}

func watched(t *testing.T, also func(dir string)) *watching {
	t.Helper()
	w := &watching{t: t, dir: t.TempDir(), out: &lineWriter{lines: make(chan string, 1000)}, code: make(chan int, 1)}
	files := http.FileServer(http.Dir(filepath.Join(w.dir, "site")))
	site := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		also(w.dir)
		files.ServeHTTP(rw, r)
	}))
	t.Cleanup(site.Close)
	w.write("site/index.html", `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><script src="/js/app.js" defer></script><h1 id="h"></h1></html>`)
	w.write("site/about.html", `<!doctype html><html lang="en"><title>About</title><link rel="icon" href="data:,"><h1>About</h1></html>`)
	w.write("site/js/app.js", `document.getElementById("h").textContent = "Shop"`)
	w.write("site/js/admin.js", "")
	w.flow("shop", "/", "Shop")
	w.flow("about", "/about.html", "About")
	t.Chdir(w.dir)
	var ctx context.Context
	ctx, w.end = context.WithCancel(t.Context())
	t.Cleanup(w.end)
	a := here(strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}, func(string) string { return "" })
	a.stdout, a.stderr = w.out, w.out
	go func() {
		w.code <- a.run(ctx, []string{"run", "flows", "--watch", "--parallel", "1", "--base-url", site.URL})
	}()
	return w
}

func (w *watching) write(name, content string) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watching) flow(name, at, heading string) {
	w.t.Helper()
	w.write("flows/"+name+".flow.toml", fmt.Sprintf("name = %q\nstart_url = %q\n[[steps]]\naction = \"assert\"\nselector = 'heading %q'\ntimeout_ms = 300\nassertion = { type = \"visible\" }\n", name, at, heading))
}

// until waits for a line that starts so, and returns those before it.
func (w *watching) until(start string) (before []string) {
	w.t.Helper()
	for {
		select {
		case line := <-w.out.lines:
			if strings.HasPrefix(line, start) {
				return before
			}
			before = append(before, line)
		case code := <-w.code:
			w.t.Fatalf("it ended with %d before it said %q:\n%s", code, start, strings.Join(before, "\n"))
		case <-w.t.Context().Done():
			w.t.Fatal("the test is over")
		}
	}
}

// 33 E: a saved file runs the cases that it can affect and no others: flows by their own files, pages by what they loaded. A
// file that can't be read waits for its mending, and the exit code is that of all cases as they ran last.
func TestWatch(t *testing.T) {
	w := watched(t, func(string) {})
	w.until("of all 2 cases, each as it ran last: 2 passed")
	w.until("watching ")

	w.write("site/js/app.js", `document.getElementById("h").textContent = "Shhop"`)
	w.until("changed: " + filepath.Join("site", "js", "app.js") + ": 1 case")
	if ran := strings.Join(w.until("of all 2 cases, each as it ran last: 1 passed; "), "\n"); !strings.HasPrefix(ran, "failed  ") || strings.Contains(ran, "about.flow") {
		t.Errorf("a broken script:\n%s", ran)
	}
	w.write("site/js/admin.js", "// nobody loads it")
	w.until("changed: " + filepath.Join("site", "js", "admin.js") + ": no case loaded it")

	w.write("flows/about.flow.toml", "name = ")
	w.until("assay: nothing was run:")
	w.flow("about", "/about.html", "About us")
	w.until("changed: " + filepath.Join("flows", "about.flow.toml") + ": 1 case")
	w.until("of all 2 cases, each as it ran last: 0 passed; ")

	w.write("site/about.html", `<!doctype html><html lang="en"><title>About</title><link rel="icon" href="data:,"><h1>About us</h1></html>`)
	w.until("changed: " + filepath.Join("site", "about.html") + ": 1 case")
	w.until("of all 2 cases, each as it ran last: 1 passed; ")

	if err := os.Remove(filepath.Join(w.dir, "flows", "shop.flow.toml")); err != nil {
		t.Fatal(err)
	}
	w.write("server.conf", "what it changes can't be known")
	w.until("of all 1 case, each as it ran last: 1 passed")
	w.end()
	if code := <-w.code; code != exitPassed {
		t.Errorf("it ended with %d", code)
	}
}

// 33, bad input: a file that the site writes with every page does not keep the watch running for ever.
func TestWatchOwnChanges(t *testing.T) {
	var n atomic.Int64
	w := watched(t, func(dir string) {
		_ = os.WriteFile(filepath.Join(dir, "requests.log"), fmt.Appendf(nil, "%d", n.Add(1)), 0o600) // the message that is waited for would not come
	})
	w.until("requests.log changed while cases ran or right after, 3 times in a row")
	w.until("watching ")
	w.end()
	if code := <-w.code; code != exitPassed {
		t.Errorf("it ended with %d", code)
	}
}
