package tools_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/auth"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/login"
	"github.com/assay-qa/assay/tools/workspace"
)

func (d desk) login(o login.Options) (login.Result, error) {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	o.Role = "analyst"
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	return login.Login(ctx, d.Workspace, o)
}

func (d desk) checkLogin() login.Result {
	d.t.Helper()
	r, err := login.Check(context.Background(), d.Workspace, "analyst", func(string) {})
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

// Signed in by a flow, what is stored is proved in a fresh context, says until
// when it holds, and signs sessions in without a sign-in of their own (A2).
func TestLoginByFlow(t *testing.T) {
	t.Parallel()
	d, g := patient(t), newGuarded(t)
	state := d.target(g, nil)
	if r := d.checkLogin(); r.Works || !strings.Contains(r.Reason, "nobody has signed in as analyst") {
		t.Errorf("before: %+v", r)
	}
	before := time.Now()
	r, err := d.login(login.Options{Flow: g.loginFlow(password)})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Works || r.Address != g.url+"/app" || r.Path != state.Path() || r.Environment != "staging" || r.Sealed {
		t.Errorf("%+v", r)
	}
	if r.Until == nil || r.Until.Before(before.Add(59*time.Minute)) || r.Until.After(time.Now().Add(61*time.Minute)) {
		t.Errorf("until %v: the cookie ends in an hour", r.Until)
	}
	d.ok("browser_launch", `{"options":{"role":"analyst"}}`)
	d.ok("page_navigate", `{"url":"/app"}`)
	d.ok("page_wait_for_selector", `{"selector":"heading \"App of ada\""}`)
	g.tried(t, 1)
	if r := d.checkLogin(); !r.Works || r.Address != g.url+"/app" {
		t.Errorf("check: %+v", r)
	}
	other := newGuarded(t) // the first site would answer still
	d.Target.BaseURL = other.url
	if r := d.checkLogin(); r.Works || !strings.Contains(r.Reason, other.url+"/app asks to sign in") {
		t.Errorf("check at another site: %+v", r)
	}
	d.Target.BaseURL = g.url
	// A page that shows itself to anybody tells by its data; what is refused right after a sign-in is refused to the role.
	leadsTo := func(page string, refused ...string) {
		t.Helper()
		stored, err := state.Read()
		if err == nil {
			stored, err = auth.WithAddress(stored, g.url+page)
		}
		if err == nil {
			stored, err = auth.WithRefused(stored, refused)
		}
		if err = errors.Join(err, state.Write(stored)); err != nil {
			t.Fatal(err)
		}
	}
	salary := "GET " + g.url + "/api/salary"
	leadsTo("/salaries")
	if r := d.checkLogin(); r.Works || !strings.Contains(r.Reason, salary+" is refused") {
		t.Errorf("check where data is refused: %+v", r)
	}
	leadsTo("/salaries", salary)
	if r := d.checkLogin(); !r.Works {
		t.Errorf("check where data is refused to the role: %+v", r)
	}
	leadsTo("/app")
	g.forget()
	if r := d.checkLogin(); r.Works || !strings.Contains(r.Reason, g.url+"/app asks to sign in") {
		t.Errorf("check after the end: %+v", r)
	}
	g.tried(t, 1)
	runs, err := d.Store.Runs()
	if err != nil || len(runs) > 1 { // that of page_navigate
		t.Errorf("a sign-in leaves runs: %v, %v", runs, err)
	}
}

// Req 0033/B: a login flow goes through a popup of another site, as that of OAuth is, which closes
// itself (maplelink#30).
func TestLoginThroughAPopup(t *testing.T) {
	t.Parallel()
	d := patient(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, err := r.Cookie("sid")
		switch form := `<!doctype html><title>Provider</title><form method=post action=/oauth><label>Password <input type=password name=p></label><button>Allow</button></form>`; {
		case r.URL.Path == "/oauth" && r.Method == http.MethodPost && r.FormValue("p") == password:
			http.SetCookie(w, &http.Cookie{Name: "sid", Value: "1", Path: "/"})
			fmt.Fprint(w, `<!doctype html><title>Done</title><script>opener.postMessage('in', '*'); setTimeout(() => window.close(), 30)</script>`)
		case r.URL.Path == "/oauth":
			fmt.Fprint(w, form)
		case r.URL.Path == "/login":
			fmt.Fprint(w, `<!doctype html><title>Login</title><button onclick="window.open('/oauth')">Sign in with Provider</button><script>onmessage = () => { location = '/app' }</script>`)
		case err != nil:
			http.Redirect(w, r, "/login", http.StatusFound)
		default:
			fmt.Fprint(w, `<!doctype html><title>App</title><h1>Welcome</h1>`)
		}
	}))
	t.Cleanup(server.Close)
	web := server.URL
	by := func(password string) *flow.Flow {
		return &flow.Flow{StartURL: web + "/login", TimeoutMS: 15_000, Steps: []qa.FlowStep{
			{Action: "click", Selector: `button "Sign in with Provider"`}, {Action: "popup"}, {Action: "fill", Selector: `textbox "Password"`, Value: password}, {Action: "click", Selector: `button "Allow"`},
			{Action: "tab", Value: "1"}, {Action: "wait", Selector: `heading "Welcome"`, TimeoutMS: 3000},
		}}
	}
	state := auth.New("staging", "analyst", filepath.Join(t.TempDir(), "analyst.json"), nil)
	d.Target = workspace.Target{Name: "staging", BaseURL: web, Roles: map[string]workspace.Role{"analyst": {State: state, LoginPage: "/login"}}}
	if r, err := d.login(login.Options{Flow: by("wrong-" + password)}); err == nil {
		t.Fatalf("with a wrong password: %+v", r)
	}
	if r, err := d.login(login.Options{Flow: by(password)}); err != nil || !r.Works || r.Address != web+"/app" {
		t.Fatalf("%+v, %v", r, err)
	}
	d.ok("browser_launch", `{"options":{"role":"analyst"}}`)
	d.ok("page_navigate", `{"url":"/app"}`)
	d.ok("page_wait_for_selector", `{"selector":"heading \"Welcome\""}`)
}

// A sign-in that fails stores nothing and takes nothing away.
func TestLoginThatFails(t *testing.T) {
	t.Parallel()
	d, g := patient(t), newGuarded(t)
	state := d.target(g, g.loginFlow("wrong password"))
	if err := state.Write([]byte(`{"cookies":[],"origins":[]}`)); err != nil {
		t.Fatal(err)
	}
	_, err := d.login(login.Options{})
	var e *explain.Error
	if !errors.As(err, &e) || e.Code != explain.NeedsHuman || !strings.Contains(string(e.Message.Text()), "signing in as analyst") || !strings.Contains(e.Hint, "--headed") {
		t.Errorf("%v", err)
	}
	if data, err := os.ReadFile(state.Path()); err != nil || string(data) != `{"cookies":[],"origins":[]}` {
		t.Errorf("what was stored before is %s, %v", data, err)
	}
	g.tried(t, 1)
	if err := d.KnowsRole("analist"); err == nil || !strings.Contains(err.Error(), `did you mean "analyst"?`) {
		t.Errorf("%v", err)
	}
}

// What ends with the window, such as session storage, is found out at once and
// not by the first run.
func TestLoginThatCannotBeKept(t *testing.T) {
	t.Parallel()
	d := patient(t)
	url := site(t, map[string]string{
		"/login": `<!doctype html><title>Sign in</title><button onclick="sessionStorage.user='ada';location.replace('/app')">Sign in</button>`,
		"/app":   `<!doctype html><title>App</title><script>if (!sessionStorage.user) location.replace('/login')</script><h1>App</h1>`,
	})
	g := &guarded{url: url}
	state := d.target(g, &flow.Flow{StartURL: url + "/login", Steps: []qa.FlowStep{{Action: "click", Selector: `button "Sign in"`}}})
	r, err := d.login(login.Options{})
	if err != nil || r.Works || !strings.Contains(r.Reason, "/app asks to sign in") {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := state.Read(); !errors.Is(err, auth.ErrNone) {
		t.Errorf("it was stored: %v", err)
	}
}

// A person signs in in a window, here: the page does by itself, when the person
// would. It is over when the page has left the login page for good, or when the
// person says so.
func TestLoginByAPerson(t *testing.T) {
	t.Parallel()
	d := patient(t)
	typed := make(chan struct{})
	looked := make(chan struct{}, 100)
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		signedIn := false
		if c, err := r.Cookie("sid"); err == nil {
			signedIn = c.Value == "Zx81Qp99Lm42Vt77"
		}
		switch r.URL.Path {
		case "/wait":
			select {
			case <-typed:
			case <-r.Context().Done():
			}
		case "/login":
			looked <- struct{}{}
			_, _ = w.Write([]byte(`<!doctype html><title>Sign in</title><script>fetch('/wait').then(() => { document.cookie = 'sid=Zx81Qp99Lm42Vt77'; location.replace('/app') })</script>`))
		default:
			if !signedIn {
				http.Redirect(w, r, "/login", http.StatusFound)
				return
			}
			_, _ = w.Write([]byte(`<!doctype html><title>App</title>`))
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	g := &guarded{url: server.URL}
	d.target(g, nil)
	go func() { <-looked; close(typed) }()
	r, err := d.login(login.Options{Person: true})
	if err != nil || !r.Works || r.Address != server.URL+"/app" {
		t.Errorf("%+v, %v", r, err)
	}

	role := d.Target.Roles["analyst"] // nothing tells what the login page is
	role.LoginPage = ""
	d.Target.Roles["analyst"] = role
	done := make(chan struct{})
	r, err = d.login(login.Options{Person: true, Done: done, Progress: func(m string) {
		if strings.Contains(m, "in the window") {
			close(done)
		}
	}})
	if err != nil || r.Address == "" {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if _, err := login.Login(ctx, d.Workspace, login.Options{Role: "analyst", Person: true, Progress: func(string) {}}); err == nil {
		t.Error("nobody signs in, and it ends well")
	}
}

// Relative addresses belong to the environment; all others stay as they are.
func TestAddressesOfTheEnvironment(t *testing.T) {
	t.Parallel()
	d := patient(t)
	pages := map[string]string{"/shop/dashboard": `<!doctype html><title>Dashboard</title><h1>Dashboard</h1>`, "/shop/": `<!doctype html><title>Shop</title><h1>Shop</h1>`}
	d.Target = workspace.Target{Name: "staging", BaseURL: site(t, pages) + "/shop"}
	for address, title := range map[string]string{"/dashboard": "Dashboard", "/dashboard?range=7d#top": "Dashboard", "/": "Shop"} {
		if a := d.ok("page_navigate", `{"url":%q}`, address); a.Data["title"] != title {
			t.Errorf("%s led to %v: %v", address, a.Data["url"], a.Data["title"])
		}
		if a := d.ok("verify_page_loads", `{"url":%q,"expected_title":%q}`, address, title); a.Data["success"] != true {
			t.Errorf("%s: %s", address, a.text)
		}
	}
	d.ok("verify_user_flow", `{"start_url":"/dashboard","steps":[{"action":"assert","assertion":{"type":"title_equals","expected":"Dashboard"}}]}`)
	for _, address := range []string{"dashboard", "//other.test/", "ftp://x/"} {
		if a := d.call("page_navigate", `{"url":%q}`, address); a.Error.Code != "INVALID_INPUT" {
			t.Errorf("%s: %+v", address, a.Error)
		}
	}
}

// Where a sign-in ends with a token in the address, nobody is told the token
// (B7); and a login page at / is one, wherever it was led to from.
func TestLoginTellsNoToken(t *testing.T) {
	t.Parallel()
	d, g := patient(t), newGuarded(t)
	state := d.target(g, nil)
	steps := g.loginFlow(password)
	steps.Steps = append(steps.Steps,
		qa.FlowStep{Action: "wait", Selector: `heading "App of ada"`}, // the site has stored both tokens by then
		qa.FlowStep{Action: "navigate", URL: g.url + "/app?access_token=4f7a91c2d8"})
	said := ""
	r, err := d.login(login.Options{Flow: steps, Progress: func(m string) { said += m }})
	if err != nil || !r.Works || !strings.Contains(said, "access_token=") {
		t.Fatalf("%+v, %v, %s", r, err, said)
	}
	checked := d.checkLogin()
	if text := fmt.Sprintf("%+v %+v %s", r, checked, said); strings.Contains(text, "4f7a91c2d8") {
		t.Errorf("the token is told: %s", text)
	}
	if stored, err := state.Read(); err != nil || !strings.HasSuffix(auth.Address(stored), "4f7a91c2d8") {
		t.Errorf("what is opened with the state is not stored: %v", err)
	}

	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.Redirect(w, r, "/", http.StatusFound)
		}
	}))
	t.Cleanup(front.Close)
	d.Target.BaseURL = front.URL
	d.Target.Roles["analyst"] = workspace.Role{State: state, LoginPage: "/"}
	left, err := auth.WithAddress([]byte(`{"cookies":[],"origins":[]}`), front.URL+"/app")
	if err == nil {
		err = state.Write(left)
	}
	if err != nil {
		t.Fatal(err)
	}
	if r := d.checkLogin(); r.Works {
		t.Errorf("led to the login page at /: %+v", r)
	}
}
