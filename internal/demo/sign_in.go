package demo

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net/http"
	"sync"
)

const (
	// maxForm bounds the body of the sign-in form.
	maxForm = 4 << 10
	// maxSessions bounds the memory that signing in can take. A sign-in beyond
	// it ends the oldest session.
	maxSessions = 1000
)

// sessions records who is signed in, by random token, for the life of the
// handler.
type sessions struct {
	cookie string

	mu     sync.Mutex
	live   map[string]bool
	oldest []string // tokens in order of sign-in
	used   map[string]bool
}

// newSessions names the cookie after the variant: cookies ignore ports, so a
// browser that visits two variants would otherwise be signed out of one by
// signing in to the other.
func newSessions(broken bool, variant string) *sessions {
	s := &sessions{cookie: "assay_demo_session", live: map[string]bool{}, used: map[string]bool{}}
	switch {
	case broken:
		s.cookie = "assay_demo_broken_session"
	case variant != VariantPlain:
		s.cookie = "assay_demo_" + variant + "_session"
	}
	return s
}

// expireEarly ends a session at its second look at the dashboard, and reports that.
func (s *sessions) expireEarly(r *http.Request) bool {
	cookie, err := r.Cookie(s.cookie)
	if err != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used[cookie.Value] {
		delete(s.live, cookie.Value)
		return true
	}
	s.used[cookie.Value] = true
	return false
}

func (s *sessions) signedIn(r *http.Request) bool {
	cookie, err := r.Cookie(s.cookie)
	if err != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[cookie.Value]
}

// start opens a session and answers its cookie.
func (s *sessions) start() *http.Cookie {
	token := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live[token] = true
	s.oldest = append(s.oldest, token)
	if len(s.oldest) > maxSessions {
		delete(s.live, s.oldest[0])
		delete(s.used, s.oldest[0])
		s.oldest = s.oldest[1:]
	}
	return s.newCookie(token)
}

// end closes the request's session, if it has one, and answers the cookie that
// removes the browser's.
func (s *sessions) end(r *http.Request) *http.Cookie {
	if cookie, err := r.Cookie(s.cookie); err == nil {
		s.mu.Lock()
		delete(s.live, cookie.Value)
		s.mu.Unlock()
	}
	gone := s.newCookie("")
	gone.MaxAge = -1
	return gone
}

func (s *sessions) newCookie(value string) *http.Cookie {
	return &http.Cookie{
		Name: s.cookie, Value: value, Path: "/",
		HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

func (s *site) showLogin(w http.ResponseWriter, status int, typed, problem string) {
	s.render(w, status, "login.html", loginForm{DemoEmail: Email, DemoPassword: Password, Email: typed, Error: problem}.values())
}

// loginPage shows the form even to who is signed in: signing in again is how a
// check starts afresh.
func (s *site) loginPage(w http.ResponseWriter, _ *http.Request) {
	s.showLogin(w, http.StatusOK, "", "")
}

func (s *site) signIn(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		status, problem := http.StatusBadRequest, "The form could not be read. Please try again."
		if _, tooBig := errors.AsType[*http.MaxBytesError](err); tooBig {
			status, problem = http.StatusRequestEntityTooLarge, "The form is too large. Please shorten what you typed."
		}
		s.showLogin(w, status, "", problem)
		return
	}
	email, password := r.PostForm.Get("email"), r.PostForm.Get("password")
	if !equal(email, Email) || !equal(password, Password) {
		s.opts.Log.Info("demo: sign-in refused")
		s.showLogin(w, http.StatusUnauthorized, email, "Wrong email or password")
		return
	}
	s.sessions.end(r) // a new sign-in replaces the browser's old session
	http.SetCookie(w, s.sessions.start())
	s.opts.Log.Info("demo: signed in")
	http.Redirect(w, r, "/dashboard", http.StatusSeeOther)
}

// signOut answers a plain link as well as the page's button: a type-in of
// /logout is how a person ends up signed out.
func (s *site) signOut(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, s.sessions.end(r))
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

// equal takes the same time wherever the texts differ. The demo has no secret
// to lose; it is a sample, and samples get copied.
func equal(got, want string) bool {
	return subtle.ConstantTimeCompare([]byte(got), []byte(want)) == 1
}
