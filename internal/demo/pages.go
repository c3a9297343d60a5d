package demo

import (
	"bytes"
	"embed"
	"io/fs"
	"log/slog"
	"net/http"
	"path"
	"time"
)

// files lists the pages, with names for what is filled in, and, under assets, what they load.
//
//go:embed site
var files embed.FS

// site serves one running demo: the variant, and who is signed in.
type site struct {
	opts     Options
	variant  Variant
	sessions *sessions
}

// routes lists everything the demo answers. A path that is not here is 404,
// a method that is not here is 405.
func (s *site) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.redirectHome)
	mux.HandleFunc("GET /login", s.loginPage)
	mux.HandleFunc("POST /login", s.signIn)
	mux.HandleFunc("GET /logout", s.signOut)
	mux.HandleFunc("POST /logout", s.signOut)
	mux.HandleFunc("GET /dashboard", s.dashboard)
	mux.HandleFunc("GET /api/kpi", s.apiOnly(s.variant.late(s.kpi)))
	mux.HandleFunc("GET /api/alerts", s.apiOnly(s.alerts))
	mux.HandleFunc("GET /favicon.ico", asset("favicon.svg"))
	for _, name := range assetNames(s.script()) {
		mux.HandleFunc("GET /assets/"+name, asset(name))
	}
	if fault := s.variant.page.Fault; fault != "" {
		mux.HandleFunc("GET /assets/"+servedFaults, faultAsset(fault))
	}
	return mux
}

// redirectHome sends a visitor to where the work is.
func (s *site) redirectHome(w http.ResponseWriter, r *http.Request) {
	target := "/login"
	if s.sessions.signedIn(r) {
		target = "/dashboard"
	}
	http.Redirect(w, r, target, http.StatusSeeOther)
}

func (s *site) dashboard(w http.ResponseWriter, r *http.Request) {
	if !s.sessions.signedIn(r) || s.variant.Name == "expired-session" && s.sessions.expireEarly(r) {
		http.Redirect(w, r, "/login", http.StatusSeeOther)
		return
	}
	page := dashboardPage{
		Ranges:     ranges(),
		Categories: append([]string{CategoryAll}, categoryNames()...),
		Cards: []card{
			{KPIRevenue, "kpi-revenue", "Gross, before refunds"},
			{KPIOrders, "kpi-orders", "Placed by customers"},
			{KPIConversion, "kpi-conversion-rate", "Orders per visit"},
			{KPIOrderValue, "kpi-average-order-value", "Revenue per order"},
			{KPIRefunds, "kpi-refunds", "Returned to customers"},
			{KPIUsers, "kpi-active-users", "Seen at least once"},
		},
		Avatar: "/assets/avatar.svg",
	}
	s.variant.dress(&page)
	if s.opts.Broken {
		page.addDefects()
	}
	s.render(w, http.StatusOK, "dashboard.html", page.values())
}

// render writes a page. One that is not there is our bug, for the pages are part
// of the binary, and every test sees it.
func (s *site) render(w http.ResponseWriter, status int, name string, values map[string]string) {
	page, err := files.ReadFile("site/" + name)
	if err != nil {
		panic("demo: the embedded page is missing: " + err.Error())
	}
	s.send(w, status, "text/html; charset=utf-8", []byte(fill(string(page), values)))
}

// send writes an answer. One that did not reach its reader is only logged: the
// status is gone by then.
func (s *site) send(w http.ResponseWriter, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	if _, err := w.Write(body); err != nil {
		s.opts.Log.Debug("demo: reader went away", "error", err)
	}
}

// script returns the script with this demo's faults, or "".
func (s *site) script() string {
	if s.opts.Broken {
		return defectsScript
	}
	return s.variant.page.Script
}

// assetNames lists what may be fetched under /assets/. A script with faults is
// not even there where its faults aren't.
func assetNames(script string) []string {
	entries, err := fs.ReadDir(files, "site/assets")
	if err != nil {
		panic("demo: the embedded assets are missing: " + err.Error())
	}
	var names []string
	for _, entry := range entries {
		if name := entry.Name(); name != script && (name == defectsScript || name == faultsScript) {
			continue
		}
		names = append(names, entry.Name())
	}
	return names
}

// asset serves one embedded file. Content types are spelt out because Go's
// table is the operating system's, and with nosniff a wrong one breaks the page.
func asset(name string) http.HandlerFunc {
	content, err := files.ReadFile("site/assets/" + name)
	if err != nil {
		panic("demo: embedded asset " + name + " is missing: " + err.Error())
	}
	kinds := map[string]string{
		".css": "text/css; charset=utf-8",
		".js":  "text/javascript; charset=utf-8",
		".svg": "image/svg+xml",
	}
	kind, known := kinds[path.Ext(name)]
	if !known {
		panic("demo: embedded asset " + name + " has no content type; add its extension here")
	}
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	}
}

// withSecurityHeaders keeps the pages to themselves: nothing from another host, nothing
// inline, nothing guessed, nothing cached.
func withSecurityHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy",
			"default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// withRequestLog writes a line per request. It never logs a query or a body: the
// sign-in form travels there.
func withRequestLog(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r)
		log.Debug("demo: request", "method", r.Method, "path", r.URL.Path)
	})
}
