// Package helpdesk is an application with a state on its server, as teams have them: a help
// desk with a sign-in, a list of tickets with search, filters and paging, forms that create
// and edit a ticket, one that asks before it deletes, tabs, comments by fetch, a report and
// a profile. Pages come ready from the server, forms are sent by POST.
//
// Explorations, generated tests and their proofs are tried on it, and measured: it has
// faults of behaviour that tests should notice, and changes that they should not.
// It is a package of its own since tests of several packages and bench use it, and the
// program does not.
package helpdesk

import (
	"crypto/rand"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/assay-qa/assay/internal/wait"
)

//go:embed pages
var pages embed.FS

// The account that may sign in.
const (
	User     = "dana"
	Password = "correct horse"
)

// Faults are what can be wrong with the application, by name.
func Faults() []string {
	return []string{
		"create-dropped", "create-loses-priority", "edit-not-saved", "delete-without-effect", "cancel-deletes",
		"empty-subject-taken", "bad-mail-taken", "wrong-password-taken", "sign-out-without-effect",
		"search-ignored", "filter-ignored", "next-page-same", "sort-ignored",
		"comment-lost", "assign-without-effect", "close-without-effect", "report-counts-closed",
		"profile-not-saved", "tabs-dead", "answers-dead",
	}
}

// Changes are what may be otherwise while the application works, by name.
func Changes() []string {
	return []string{"classes", "ids", "place", "records", "banner", "order", "dates", "slow"}
}

// Options say what is wrong or otherwise, and how the server behaves.
type Options struct {
	Fault  string // one of Faults
	Change string // one of Changes
	Broken bool   // answers each write with 500
	// Clock tells when a ticket is changed; without it, that is noon of 20 March 2026.
	Clock func() time.Time
}

// ticket is a record of the help desk.
type ticket struct {
	Number                                int
	Subject, Mail, Priority, Text, Status string
	Assignee                              string
	Updated                               time.Time
	Comments                              []string
}

// Server is a help desk with its own state.
type Server struct {
	options   Options
	handler   http.Handler
	templates *template.Template

	mu       sync.Mutex
	tickets  []ticket
	next     int
	sessions map[string]string // names of users by the cookie's value
	name     string            // that the profile shows
	notify   bool
	writes   []string
}

// New returns a help desk with thirteen tickets.
func New(options Options) *Server {
	s := &Server{options: options, sessions: map[string]string{}}
	if s.options.Clock == nil {
		s.options.Clock = func() time.Time { return time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC) }
	}
	s.templates = template.Must(template.New("").Funcs(template.FuncMap{"date": s.date, "class": s.class, "id": s.id}).ParseFS(pages, "pages/*.html"))
	s.Reset()
	mux := http.NewServeMux()
	for pattern, handle := range map[string]http.HandlerFunc{
		"GET /sign-in":                    s.signInPage,
		"POST /sign-in":                   s.signIn,
		"POST /sign-out":                  s.signOut,
		"GET /{$}":                        func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/tickets", http.StatusSeeOther) },
		"GET /tickets":                    s.list,
		"GET /tickets/new":                s.form,
		"POST /tickets/new":               s.create,
		"GET /tickets/{number}":           s.show,
		"GET /tickets/{number}/edit":      s.form,
		"POST /tickets/{number}/edit":     s.edit,
		"POST /tickets/{number}/delete":   s.remove,
		"POST /tickets/{number}/assign":   s.assign,
		"POST /tickets/{number}/close":    s.closeTicket,
		"POST /tickets/{number}/comments": s.comment,
		"GET /reports":                    s.report,
		"GET /help":                       func(w http.ResponseWriter, r *http.Request) { s.page(w, r, "help", "Help", nil) },
		"GET /profile":                    s.profile,
		"POST /profile":                   s.saveProfile,
		"GET /helpdesk.js":                s.script,
	} {
		mux.HandleFunc(pattern, handle)
	}
	s.handler = mux
	return s
}

// ServeHTTP answers a request of a browser.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.is("slow") {
		if wait.For(r.Context(), 600*time.Millisecond) != nil {
			return // nobody waits for the answer any more
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method == http.MethodPost && !strings.HasPrefix(r.URL.Path, "/sign-") {
		s.writes = append(s.writes, r.URL.Path)
		if s.options.Broken {
			http.Error(w, "The help desk can't store anything now.", http.StatusInternalServerError)
			return
		}
	}
	if r.URL.Path != "/sign-in" && r.URL.Path != "/helpdesk.js" && s.user(r) == "" {
		http.Redirect(w, r, "/sign-in", http.StatusSeeOther)
		return
	}
	s.handler.ServeHTTP(w, r)
}

// Reset puts the tickets and the profile back, and forgets who is signed in.
func (s *Server) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	subjects := []string{
		"Printer on the second floor is jammed", "Can't open the payroll report", "New laptop for Sam", "VPN drops every hour", "Badge does not open the garage",
		"Invoice 4711 was paid twice", "Mail from outside arrives late", "Screen flickers after the update", "Please add Ana to the sales list", "Calendar shows the wrong week",
		"Phone has no sound", "Shared folder is read-only", "Reset my password",
	}
	if s.is("records") {
		subjects = []string{
			"Projector shows green stripes", "Desk lamp is broken", "Access to the archive for Lee", "Two-factor code never arrives", "Elevator panel is dark",
			"Order 815 has a wrong address", "Spam filter eats newsletters", "Keyboard types twice", "Remove Tom from the board list", "Clock in room 4 is late",
			"Headset crackles", "Wiki can't be edited", "Unlock my account", "Scanner is offline",
		}
	}
	s.tickets, s.sessions, s.next, s.name, s.notify, s.writes = nil, map[string]string{}, 0, "Dana Reyes", true, nil
	day := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	for i, subject := range subjects {
		s.next++
		s.tickets = append(s.tickets, ticket{
			Number: s.next, Subject: subject, Mail: fmt.Sprintf("user%d@example.com", i+1), Text: "Reported by phone.",
			Priority: []string{"Low", "Normal", "High"}[i%3], Status: []string{"Open", "Open", "Open", "Closed"}[i%4],
			Assignee: []string{"", "Dana Reyes"}[i%2], Updated: day.AddDate(0, 0, i),
			Comments: []string{"Thanks, we look into it."}[:i%2],
		})
	}
}

// Writes are the paths of all POST requests since the start or Reset, but those of the sign-in.
func (s *Server) Writes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.writes)
}

// Subjects are those of all tickets.
func (s *Server) Subjects() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, t := range s.tickets {
		all = append(all, t.Subject)
	}
	return all
}

// is reports whether a fault or a change is on.
func (s *Server) is(name string) bool { return s.options.Fault == name || s.options.Change == name }

// date is how a day is written.
func (s *Server) date(t time.Time) string {
	if s.is("dates") {
		return t.Format("02.01.2006")
	}
	return t.Format("Jan 2, 2006")
}

// class is the value of a class attribute.
func (s *Server) class(name string) string {
	if s.is("classes") {
		return "x" + strconv.Itoa(len(name)) + "-" + name[:1]
	}
	return name
}

// id is the value of an id attribute.
func (s *Server) id(name string) string {
	if s.is("ids") {
		return "r7-" + name
	}
	return name
}

// user is the name of who is signed in, or empty.
func (s *Server) user(r *http.Request) string {
	cookie, err := r.Cookie("session")
	if err != nil {
		return ""
	}
	return s.sessions[cookie.Value]
}

// view is what a page is made of.
type view struct {
	Title, Page, User, Notice, Error string
	Banner, Aside                    bool
	Data                             any
}

// page writes a page.
func (s *Server) page(w http.ResponseWriter, r *http.Request, page, title string, data any) {
	s.pageWith(w, r, http.StatusOK, page, title, "", data)
}

// pageWith writes a page with a status and what was refused.
func (s *Server) pageWith(w http.ResponseWriter, r *http.Request, status int, page, title, refused string, data any) {
	v := view{Title: title, Page: page, Error: refused, Banner: s.is("banner"), Aside: s.is("place"), Data: data}
	if s.user(r) != "" {
		v.User = s.name
	}
	if cookie, err := r.Cookie("notice"); err == nil {
		v.Notice = strings.ReplaceAll(cookie.Value, "_", " ")
		http.SetCookie(w, &http.Cookie{Name: "notice", Path: "/", MaxAge: -1})
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	if err := s.templates.ExecuteTemplate(w, "page", v); err != nil {
		fmt.Fprintf(w, "<p>The page can't be shown: %s</p>", template.HTMLEscapeString(err.Error()))
	}
}

// leads redirects to a page that shows a notice once.
func leads(w http.ResponseWriter, r *http.Request, address, notice string) {
	if notice != "" {
		http.SetCookie(w, &http.Cookie{Name: "notice", Value: strings.ReplaceAll(notice, " ", "_"), Path: "/"})
	}
	http.Redirect(w, r, address, http.StatusSeeOther)
}

// find returns the ticket of an address, or answers that there is none.
func (s *Server) find(w http.ResponseWriter, r *http.Request) *ticket {
	number, _ := strconv.Atoi(r.PathValue("number")) // no number is no ticket's
	i := slices.IndexFunc(s.tickets, func(t ticket) bool { return t.Number == number })
	if i < 0 {
		s.pageWith(w, r, http.StatusNotFound, "missing", "No such ticket", "", nil)
		return nil
	}
	return &s.tickets[i]
}

func (s *Server) signInPage(w http.ResponseWriter, r *http.Request) {
	s.page(w, r, "sign-in", "Sign in", nil)
}

func (s *Server) signIn(w http.ResponseWriter, r *http.Request) {
	user, password := r.FormValue("user"), r.FormValue("password")
	switch {
	case user == "" || password == "":
		s.pageWith(w, r, http.StatusUnprocessableEntity, "sign-in", "Sign in", "Enter your name and your password.", nil)
	case user != User || password != Password && !s.is("wrong-password-taken"):
		s.pageWith(w, r, http.StatusUnprocessableEntity, "sign-in", "Sign in", "Name or password is wrong.", nil)
	default:
		value := rand.Text()
		s.sessions[value] = user
		http.SetCookie(w, &http.Cookie{Name: "session", Value: value, Path: "/", HttpOnly: true})
		leads(w, r, "/tickets", "")
	}
}

func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	if cookie, err := r.Cookie("session"); err == nil && !s.is("sign-out-without-effect") {
		delete(s.sessions, cookie.Value)
	}
	leads(w, r, "/sign-in", "")
}
