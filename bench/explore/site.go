package explore

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

//go:embed testdata/todomvc
var todoFiles embed.FS

// site serves all apps on loopback.
type site struct {
	url    string
	server *http.Server
	delay  atomic.Int64 // bound on the delay of each answer, in milliseconds
	random chan float64 // drawn from one seed
}

// dashboards are the templates that are explored, each below the folder of its package.
func dashboards() []string {
	return []string{"startbootstrap-sb-admin-2/index.html", "adminator-admin-dashboard/dist/index.html", "admin-lte/dist/index.html", "gentelella/dist/production/index.html"}
}

// frameworks are those that TodoMVC is written in.
func frameworks() []string {
	return []string{"react", "preact", "vue", "lit", "alpinejs", "knockout", "backbone", "mithril", "angular"}
}

// builds are what of npm each of them needs, before the app or as modules.
var builds = map[string][]string{
	"react": {"react/umd/react.production.min.js", "react-dom/umd/react-dom.production.min.js"}, "vue": {"vue/dist/vue.global.prod.js"}, "knockout": {"knockout/build/output/knockout-latest.js"},
	"backbone": {"jquery/dist/jquery.min.js", "underscore/underscore-umd-min.js", "backbone/backbone-min.js"}, "mithril": {"mithril/mithril.min.js"}, "angular": {"angular/angular.min.js"},
	"alpinejs": {"alpinejs/dist/cdn.min.js"},
	"preact":   {"preact=preact/dist/preact.mjs"},
	"lit": {"lit=lit/index.js", "lit-html=lit-html/lit-html.js", "lit-html/=lit-html/", "lit-element/lit-element.js=lit-element/lit-element.js", "@lit/reactive-element=@lit/reactive-element/reactive-element.js",
		"@lit/reactive-element/=@lit/reactive-element/"},
}

// todoPage is the page of an app: its name, what stands in its head, its scripts.
const todoPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>TodoMVC: %[1]s</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/npm/todomvc-app-css/index.css">%[2]s</head>
<body><section class="todoapp" id="app"></section><footer class="info"><p>Double-click to edit a todo</p></footer>
<script src="/todomvc/store.js"></script>%[3]s</body></html>`

// startSite serves the apps.
func startSite(ctx context.Context, address, npm, templates string) (*site, error) {
	for _, need := range []struct{ folder, how string }{{filepath.Join(npm, "vue"), "npm ci --prefix bench"}, {filepath.Join(templates, "admin-lte"), "npm ci --prefix e2e"}} {
		if _, err := os.Stat(need.folder); err != nil {
			return nil, fmt.Errorf("%w; run: %s", err, need.how)
		}
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	s := &site{url: "http://" + listener.Addr().String(), random: make(chan float64)}
	go func() {
		r := rand.New(rand.NewPCG(1, 1))
		for {
			select {
			case s.random <- r.Float64():
			case <-ctx.Done():
				return
			}
		}
	}()
	mux := http.NewServeMux()
	mux.Handle("/npm/", http.StripPrefix("/npm/", http.FileServer(http.Dir(npm))))
	mux.HandleFunc("/todomvc/", serveTodo)
	mux.HandleFunc("/static/", serveStatic)
	mux.Handle("/", http.FileServer(http.Dir(templates)))
	s.server = &http.Server{Handler: s.late(mux), ReadHeaderTimeout: time.Minute}
	go func() { _ = s.server.Serve(listener) }() // it ends when it is closed
	return s, nil
}

// late delays each answer while there is a bound above 0.
func (s *site) late(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if bound := s.delay.Load(); bound > 0 {
			select {
			case share := <-s.random:
				select {
				case <-time.After(time.Duration(share * float64(bound) * float64(time.Millisecond))):
				case <-r.Context().Done():
				}
			case <-r.Context().Done():
			}
		}
		next.ServeHTTP(w, r)
	})
}

// Close ends the server.
func (s *site) Close() error { return s.server.Close() }

func serveTodo(w http.ResponseWriter, r *http.Request) {
	name := strings.Trim(strings.TrimPrefix(r.URL.Path, "/todomvc/"), "/")
	if strings.HasSuffix(name, ".js") {
		w.Header().Set("Content-Type", "text/javascript")
		http.ServeFileFS(w, r, todoFiles, "testdata/todomvc/"+name)
		return
	}
	needs, ok := builds[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	modules, scripts := map[string]string{}, ""
	own := `<script src="/todomvc/` + name + `.js"></script>`
	for _, need := range needs {
		if as, file, module := strings.Cut(need, "="); module {
			modules[as] = "/npm/" + file
			continue
		}
		scripts += `<script src="/npm/` + need + `"></script>`
	}
	head := ""
	switch {
	case len(modules) > 0:
		imports, err := json.Marshal(modules)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		head, scripts = `<script type="importmap">{"imports": `+string(imports)+`}</script>`, `<script type="module" src="/todomvc/`+name+`.js"></script>`
	case name == "alpinejs": // it looks at the page when it starts
		scripts = own + scripts
	default:
		scripts += own
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, todoPage, name, head, scripts)
}

// staticLinks is how many pages a page of the static app leads to.
const staticLinks = 12

// serveStatic is an app of as many pages as are wanted, each with a shape of its own,
// links to the next ones and a button that shows a part: /static/<pages>/<number in
// letters>.
func serveStatic(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	pages, n := 0, 0
	if len(parts) != 3 {
		http.NotFound(w, r)
		return
	}
	if _, err := fmt.Sscan(parts[1], &pages); err != nil {
		http.NotFound(w, r)
		return
	}
	for _, c := range parts[2] {
		n = n*10 + int(c-'a')
	}
	name := func(i int) string {
		return strings.Map(func(c rune) rune { return c - '0' + 'a' }, fmt.Sprint(i%pages))
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Page %[1]s</title><link rel="icon" href="data:,"><nav aria-label="Main"><a href="a">Start</a></nav><main><h1>Page %[1]s</h1><p>This is a page of a static app.</p>`, parts[2])
	for i := 1; i <= staticLinks; i++ {
		fmt.Fprintf(w, `<p><a href="%[1]s">Go to %[1]s</a></p>`, name(n*staticLinks+i))
	}
	fmt.Fprintf(w, `<button onclick="part.hidden = !part.hidden">Show the part of %[1]s</button><section id="part" aria-label="Part" hidden><h2>The part of %[1]s</h2></section></main></html>`, parts[2])
}
