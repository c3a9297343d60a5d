package tools_test

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"

	"github.com/assay-qa/assay/internal/auth"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/workspace"
)

// guarded is a site that one must sign in to. It knows who is by a cookie, and
// its page by a token in local storage and one in IndexedDB; without any of them
// one is led to /login.
type guarded struct {
	url string

	mu      sync.Mutex
	live    map[string]bool
	issued  []string // every token
	posts   int      // sign-ins that were tried
	broken  bool     // signs nobody in for longer than the answer
	holding chan struct{}
	waiting chan struct{}
}

// password is the right one.
const password = "correct horse 7"

const guardedLogin = `<!doctype html><title>Sign in</title><h1>Sign in</h1><form method=post action=/login>
<label>User <input name=user></label><label>Password <input name=password type=password></label><button>Sign in</button></form>`

// guardedWelcome keeps the tokens where apps keep them, then goes on.
const guardedWelcome = `<!doctype html><title>Welcome</title><script>
(async () => {
	localStorage.setItem('auth', JSON.stringify({ user: 'ada', token: %q }));
	const o = indexedDB.open('app', 1);
	o.onupgradeneeded = () => o.result.createObjectStore('tokens');
	await new Promise((yes) => { o.onsuccess = yes });
	const t = o.result.transaction('tokens', 'readwrite');
	t.objectStore('tokens').put({ token: %q }, 'ada');
	await new Promise((yes) => { t.oncomplete = yes });
	location.replace('/app');
})();
</script>`

const guardedApp = `<!doctype html><title>App</title><h1>Checking</h1><script>
(async () => {
	const kept = JSON.parse(localStorage.getItem('auth') || 'null');
	const o = indexedDB.open('app', 1);
	o.onupgradeneeded = () => o.result.createObjectStore('tokens');
	await new Promise((yes) => { o.onsuccess = yes });
	const g = o.result.transaction('tokens').objectStore('tokens').get('ada');
	await new Promise((yes) => { g.onsuccess = yes });
	if (!kept || !g.result) return location.replace('/login');
	document.querySelector('h1').textContent = 'App of ' + kept.user;
	console.warn('debug: ' + kept.token + ' ' + g.result.token);
})();
</script>`

// guardedFigures asks for its data when it is loaded, and when it is told to.
const guardedFigures = `<!doctype html><title>Figures</title><h1>Figures</h1><p id=f></p><button onclick="load()">Reload</button><button onclick="f.textContent = ''">Clear</button><script>
const load = async () => { const r = await fetch('%s'); f.textContent = r.ok ? await r.text() : ''; };
load();
</script>`

func newGuarded(t *testing.T) *guarded {
	t.Helper()
	g := &guarded{live: map[string]bool{}}
	mux := http.NewServeMux()
	page := func(w http.ResponseWriter, format string, args ...any) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, format, args...)
	}
	mux.HandleFunc("GET /login", func(w http.ResponseWriter, _ *http.Request) { page(w, guardedLogin) })
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		token, ok := g.signIn(r.FormValue("password"))
		if !ok {
			w.WriteHeader(http.StatusForbidden)
			page(w, `<!doctype html><title>Sign in</title><p role=alert>Wrong password</p>`)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: token, Path: "/", HttpOnly: true, MaxAge: 3600})
		page(w, guardedWelcome, g.issue(), g.issue())
	})
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("sid"); err != nil || !g.knows(c.Value) {
			http.Redirect(w, r, "/login?next="+r.URL.Path, http.StatusFound)
			return
		}
		page(w, guardedApp)
	})
	mux.HandleFunc("GET /drop", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("GET /open", func(w http.ResponseWriter, _ *http.Request) {
		page(w, "<!doctype html><title>Open to all</title><a href=/app>To the app</a>")
	})
	// Both of these are shown to anybody: one offers to sign in to who is not, the other always.
	mux.HandleFunc("GET /shop", func(w http.ResponseWriter, r *http.Request) {
		account := "<a href='/login?next=/shop'>Log in</a>"
		if c, err := r.Cookie("sid"); err == nil && g.knows(c.Value) {
			account = "<a href=/login hidden>Log in</a><p>Ada's basket</p>"
		}
		page(w, "<!doctype html><title>Shop</title><h1>Shop</h1>%s", account)
	})
	mux.HandleFunc("GET /news", func(w http.ResponseWriter, _ *http.Request) {
		page(w, "<!doctype html><title>News</title><h1>News</h1><a href=/login>Log in</a>")
	})
	// These pages are shown to anybody, and their data to who is signed in, /api/salary to nobody.
	mux.HandleFunc("GET /figures", func(w http.ResponseWriter, _ *http.Request) { page(w, guardedFigures, "/api/figure") })
	mux.HandleFunc("GET /salaries", func(w http.ResponseWriter, _ *http.Request) { page(w, guardedFigures, "/api/salary") })
	mux.HandleFunc("GET /api/salary", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	mux.HandleFunc("GET /api/figure", func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("sid"); err != nil || !g.knows(c.Value) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		page(w, "42 orders")
	})
	mux.HandleFunc("GET /api", func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("sid"); err != nil || !g.knows(c.Value) {
			w.WriteHeader(http.StatusUnauthorized)
		}
		page(w, "<!doctype html><title>API</title>")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	g.url = server.URL
	return g
}

func (g *guarded) issue() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	token := rand.Text()
	g.issued = append(g.issued, token)
	return token
}

func (g *guarded) signIn(typed string) (token string, ok bool) {
	g.mu.Lock()
	g.posts++
	holding, waiting := g.holding, g.waiting
	g.mu.Unlock()
	if holding != nil {
		waiting <- struct{}{}
		<-holding
	}
	if typed != password {
		return "", false
	}
	token = g.issue()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.live[token] = !g.broken
	return token, true
}

func (g *guarded) knows(token string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.live[token]
}

// forget ends every sign-in.
func (g *guarded) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.live)
}

func (g *guarded) tried(t *testing.T, want int) {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.posts != want {
		t.Errorf("signed in %d times, want %d", g.posts, want)
	}
}

// loginFlow signs in, and checks nothing.
func (g *guarded) loginFlow(password string) *flow.Flow {
	return &flow.Flow{StartURL: g.url + "/login", TimeoutMS: 15_000, Steps: []qa.FlowStep{
		{Action: "fill", Selector: `textbox "User"`, Value: "ada"},
		{Action: "fill", Selector: `textbox "Password"`, Value: password},
		{Action: "click", Selector: `button "Sign in"`},
	}}
}

// target gives a desk the site as its environment, with one role.
func (d desk) target(g *guarded, login *flow.Flow) *auth.State {
	state := auth.New("staging", "analyst", filepath.Join(d.t.TempDir(), "analyst.json"), nil)
	d.Target = workspace.Target{Name: "staging", BaseURL: g.url, Roles: map[string]workspace.Role{
		"analyst": {State: state, Login: login, LoginPage: "/login"},
	}}
	return state
}

func (d desk) report() qa.QAReport {
	d.t.Helper()
	a := d.ok("run_finish", `{}`)
	raw, err := json.Marshal(a.Data)
	if err != nil {
		d.t.Fatal(err)
	}
	var report qa.QAReport
	if err := json.Unmarshal(raw, &report); err != nil {
		d.t.Fatal(err)
	}
	return report
}
