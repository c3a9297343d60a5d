package demo_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/demo"
)

func TestRedirectsFollowTheSession(t *testing.T) {
	v := visit(t, demo.Options{})
	expectRedirect := func(when, path, want string) {
		t.Helper()
		p := v.get(path)
		if got := p.header.Get("Location"); p.status != http.StatusSeeOther || got != want {
			t.Errorf("%s, GET %s: %d to %q, want %d to %q", when, path, p.status, got, http.StatusSeeOther, want)
		}
	}
	expectRedirect("signed out", "/", "/login")
	expectRedirect("signed out", "/dashboard", "/login")
	if got := v.signIn(demo.Email, demo.Password).header.Get("Location"); got != "/dashboard" {
		t.Errorf("sign-in leads to %q, want /dashboard", got)
	}
	expectRedirect("signed in", "/", "/dashboard")
	if p := v.get("/dashboard"); p.status != http.StatusOK || !strings.Contains(p.body, "<title>Dashboard – Assay Demo</title>") {
		t.Errorf("signed in, GET /dashboard: %d, want 200 with the dashboard's title", p.status)
	}
	expectRedirect("signing out", "/logout", "/login")
	expectRedirect("signed out again", "/", "/login")
}

func TestWrongCredentialsAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ email, password string }{
		"password":  {demo.Email, "assay-demo "},
		"email":     {"someone@assay.test", demo.Password},
		"both":      {"someone@assay.test", "x"},
		"empty":     {"", ""},
		"swapped":   {demo.Password, demo.Email},
		"injection": {`"><script>alert(1)</script>`, "x"},
	} {
		t.Run(name, func(t *testing.T) {
			v := visit(t, demo.Options{})
			p := v.signIn(c.email, c.password)
			if p.status != http.StatusUnauthorized {
				t.Errorf("status %d, want 401", p.status)
			}
			if !strings.Contains(p.body, `role="alert">Wrong email or password<`) {
				t.Errorf("the page does not say so in an alert:\n%s", p.body)
			}
			if strings.Contains(p.body, "<script>") {
				t.Error("what was typed came back as markup")
			}
			if len(p.header.Values("Set-Cookie")) != 0 {
				t.Error("a refused sign-in set a cookie")
			}
			if got := v.get("/api/kpi").status; got != http.StatusUnauthorized {
				t.Errorf("afterwards /api/kpi answers %d, want 401", got)
			}
		})
	}
}

func TestLoginPageSaysWhatToType(t *testing.T) {
	body := visit(t, demo.Options{}).get("/login").body
	for _, want := range []string{
		`<label for="email">Email</label>`, `<label for="password">Password</label>`, `>Sign in</button>`,
		demo.Email, demo.Password,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the sign-in page lacks %q", want)
		}
	}
}

func TestBadFormsAreRefused(t *testing.T) {
	v := visit(t, demo.Options{})
	if got := v.signIn(demo.Email, strings.Repeat("x", 8<<10)).status; got != http.StatusRequestEntityTooLarge {
		t.Errorf("a form of 8 KB answers %d, want 413", got)
	}
	req, err := http.NewRequest(http.MethodPost, v.base+"/login", strings.NewReader("email=%zz"))
	if err == nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if got := v.do(req, err).status; got != http.StatusBadRequest {
		t.Errorf("a form that is no form answers %d, want 400", got)
	}
	if got := v.post("/dashboard", nil).status; got != http.StatusMethodNotAllowed {
		t.Errorf("POST /dashboard answers %d, want 405", got)
	}
}

func TestCredentialsInTheAddressDoNotSignIn(t *testing.T) {
	v := visit(t, demo.Options{})
	query := url.Values{"email": {demo.Email}, "password": {demo.Password}}.Encode()
	if got := v.post("/login?"+query, nil).status; got != http.StatusUnauthorized {
		t.Errorf("POST /login?… answers %d, want 401: credentials belong in the body", got)
	}
}

func TestSessionCookie(t *testing.T) {
	v := visit(t, demo.Options{})
	first := v.signIn(demo.Email, demo.Password).header.Get("Set-Cookie")
	for _, want := range []string{"HttpOnly", "SameSite=Lax", "Path=/"} {
		if !strings.Contains(first, want) {
			t.Errorf("cookie %q lacks %s", first, want)
		}
	}
	second := v.signIn(demo.Email, demo.Password).header.Get("Set-Cookie")
	if first == second {
		t.Error("two sign-ins got the same token")
	}
	if old := withCookie(v, first); old.status != http.StatusUnauthorized {
		t.Errorf("the session that was replaced still answers %d", old.status)
	}
	v.post("/logout", nil)
	if old := withCookie(v, second); old.status != http.StatusUnauthorized {
		t.Errorf("the session that was signed out still answers %d", old.status)
	}
}

// withCookie asks for the API with one Set-Cookie value and no jar.
func withCookie(v *visitor, setCookie string) page {
	v.t.Helper()
	req, err := http.NewRequest(http.MethodGet, v.base+"/api/kpi", nil)
	if err == nil {
		pair, _, _ := strings.Cut(setCookie, ";")
		req.Header.Set("Cookie", pair)
	}
	bare := &visitor{v.t, v.base, newClient(v.t)}
	return bare.do(req, err)
}

// A browser keeps cookies per host, not per port.
func TestBothVariantsInOneBrowser(t *testing.T) {
	healthy, broken := visit(t, demo.Options{}), visit(t, demo.Options{Broken: true})
	broken.http = healthy.http
	healthy.signIn(demo.Email, demo.Password)
	broken.signIn(demo.Email, demo.Password)
	if got := healthy.get("/api/kpi").status; got != http.StatusOK {
		t.Errorf("signing in to the broken variant signed out of the healthy one: %d", got)
	}
}

func TestSessionsAreBounded(t *testing.T) {
	handler := demo.Handler(demo.Options{})
	form := url.Values{"email": {demo.Email}, "password": {demo.Password}}.Encode()
	status := func(method, path, body, cookie string) *httptest.ResponseRecorder {
		req := httptest.NewRequest(method, path, strings.NewReader(body))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Cookie", cookie)
		rec := httptest.NewRecorder()
		handler.ServeHTTP(rec, req)
		return rec
	}
	var cookies []string
	for range 1001 {
		set := status(http.MethodPost, "/login", form, "").Header().Get("Set-Cookie")
		pair, _, _ := strings.Cut(set, ";")
		cookies = append(cookies, pair)
	}
	for i, want := range map[int]int{0: http.StatusUnauthorized, 1: http.StatusOK, 1000: http.StatusOK} {
		if got := status(http.MethodGet, "/api/alerts", "", cookies[i]).Code; got != want {
			t.Errorf("session %d of 1001 answers %d, want %d", i+1, got, want)
		}
	}
}

// E6: secrets are never logged, not even a public one.
func TestLogHasNoCredentials(t *testing.T) {
	var log bytes.Buffer
	v := visit(t, demo.Options{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	v.signIn("someone@assay.test", "hunter2")
	v.signIn(demo.Email, demo.Password)
	v.get("/api/kpi?range=7d")
	for _, secret := range []string{"hunter2", "someone@", demo.Password, "session="} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log holds %q:\n%s", secret, &log)
		}
	}
	if want := fmt.Sprintf("method=GET path=%s", "/api/kpi"); !strings.Contains(log.String(), want) {
		t.Errorf("the log lacks %q:\n%s", want, &log)
	}
}
