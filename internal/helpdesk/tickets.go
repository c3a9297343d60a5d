package helpdesk

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// perPage is how many tickets a page of the list has.
const perPage = 5

// listed is the page of the list.
type listed struct {
	Query, Status, Sort string
	Tickets             []ticket
	Count, Page, Pages  int
	Previous, Next      string
	Swapped             bool
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	l := listed{Query: query.Get("q"), Status: query.Get("status"), Sort: query.Get("sort"), Swapped: s.is("order")}
	for _, t := range s.tickets {
		found := s.is("search-ignored") || strings.Contains(strings.ToLower(t.Subject), strings.ToLower(l.Query))
		if found && (l.Status == "" || t.Status == l.Status || s.is("filter-ignored")) {
			l.Tickets = append(l.Tickets, t)
		}
	}
	slices.SortStableFunc(l.Tickets, func(a, b ticket) int {
		if l.Sort == "subject" && !s.is("sort-ignored") {
			return strings.Compare(a.Subject, b.Subject)
		}
		return b.Number - a.Number
	})
	l.Count, l.Pages = len(l.Tickets), max(1, (len(l.Tickets)+perPage-1)/perPage)
	l.Page, _ = strconv.Atoi(query.Get("page")) // what is no number is the first page
	l.Page = min(max(l.Page, 1), l.Pages)
	link := func(page int) string {
		q := url.Values{}
		for key, value := range map[string]string{"q": l.Query, "status": l.Status, "sort": l.Sort, "page": strconv.Itoa(page)} {
			if value != "" {
				q.Set(key, value)
			}
		}
		return "/tickets?" + q.Encode()
	}
	if l.Page > 1 {
		l.Previous = link(l.Page - 1)
	}
	if l.Page < l.Pages {
		l.Next = link(l.Page + 1)
	}
	first := (l.Page - 1) * perPage
	if s.is("next-page-same") {
		first = 0
	}
	l.Tickets = l.Tickets[first:min(len(l.Tickets), first+perPage)]
	s.page(w, r, "list", "Tickets", l)
}

func (s *Server) show(w http.ResponseWriter, r *http.Request) {
	if t := s.find(w, r); t != nil {
		s.page(w, r, "ticket", t.Subject, *t)
	}
}

// form shows the form of a new ticket, or of one that there is.
func (s *Server) form(w http.ResponseWriter, r *http.Request) {
	t := &ticket{Priority: "Normal"}
	title := "New ticket"
	if r.PathValue("number") != "" {
		if t = s.find(w, r); t == nil {
			return
		}
		title = fmt.Sprintf("Edit ticket %d", t.Number)
	}
	s.page(w, r, "form", title, *t)
}

// sent reads a form, and says what is wrong with it.
func (s *Server) sent(r *http.Request) (t ticket, refused string) {
	t = ticket{Subject: strings.TrimSpace(r.FormValue("subject")), Mail: r.FormValue("mail"), Priority: r.FormValue("priority"), Text: r.FormValue("text")}
	_, err := mail.ParseAddress(t.Mail)
	switch {
	case t.Subject == "" && !s.is("empty-subject-taken"):
		return t, "Enter a subject."
	case len([]rune(t.Subject)) > 80:
		return t, "A subject has at most 80 characters."
	case err != nil && !s.is("bad-mail-taken"):
		return t, "Enter the customer's mail address, such as kim@example.com."
	}
	return t, ""
}

func (s *Server) create(w http.ResponseWriter, r *http.Request) {
	t, refused := s.sent(r)
	if refused != "" {
		s.pageWith(w, r, http.StatusUnprocessableEntity, "form", "New ticket", refused, t)
		return
	}
	if s.is("create-loses-priority") {
		t.Priority = "Normal"
	}
	s.next++
	t.Number, t.Status, t.Updated = s.next, "Open", s.options.Clock()
	if s.is("create-dropped") {
		leads(w, r, "/tickets", "The ticket was created.")
		return
	}
	s.tickets = append(s.tickets, t)
	leads(w, r, fmt.Sprintf("/tickets/%d", t.Number), "The ticket was created.")
}

func (s *Server) edit(w http.ResponseWriter, r *http.Request) {
	old := s.find(w, r)
	if old == nil {
		return
	}
	t, refused := s.sent(r)
	if refused != "" {
		t.Number = old.Number
		s.pageWith(w, r, http.StatusUnprocessableEntity, "form", fmt.Sprintf("Edit ticket %d", old.Number), refused, t)
		return
	}
	if !s.is("edit-not-saved") {
		old.Subject, old.Mail, old.Priority, old.Text, old.Updated = t.Subject, t.Mail, t.Priority, t.Text, s.options.Clock()
	}
	leads(w, r, fmt.Sprintf("/tickets/%d", old.Number), "The ticket was saved.")
}

func (s *Server) remove(w http.ResponseWriter, r *http.Request) {
	t := s.find(w, r)
	if t == nil {
		return
	}
	if !s.is("delete-without-effect") {
		s.tickets = slices.DeleteFunc(s.tickets, func(other ticket) bool { return other.Number == t.Number })
	}
	leads(w, r, "/tickets", "The ticket was deleted.")
}

func (s *Server) assign(w http.ResponseWriter, r *http.Request) {
	t := s.find(w, r)
	if t == nil {
		return
	}
	if !s.is("assign-without-effect") {
		t.Assignee = map[bool]string{true: "", false: s.name}[t.Assignee == s.name]
	}
	leads(w, r, fmt.Sprintf("/tickets/%d", t.Number), "")
}

func (s *Server) closeTicket(w http.ResponseWriter, r *http.Request) {
	t := s.find(w, r)
	if t == nil {
		return
	}
	if !s.is("close-without-effect") {
		t.Status = map[string]string{"Open": "Closed", "Closed": "Open"}[t.Status]
	}
	leads(w, r, fmt.Sprintf("/tickets/%d", t.Number), "")
}

func (s *Server) comment(w http.ResponseWriter, r *http.Request) {
	t := s.find(w, r)
	if t == nil {
		return
	}
	var sent struct{ Text string }
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil || strings.TrimSpace(sent.Text) == "" {
		w.WriteHeader(http.StatusUnprocessableEntity)
		fmt.Fprint(w, `{"error": "Write something first."}`)
		return
	}
	if !s.is("comment-lost") {
		t.Comments = append(t.Comments, sent.Text)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"comments": t.Comments}) // to a browser that may be gone
}

// reported is the page of the report.
type reported struct {
	Open, Closed, Unassigned int
	Priorities               []counted
}

type counted struct {
	Name  string
	Count int
}

func (s *Server) report(w http.ResponseWriter, r *http.Request) {
	var found reported
	open := map[string]int{}
	for _, t := range s.tickets {
		if t.Status == "Closed" {
			found.Closed++
			if !s.is("report-counts-closed") {
				continue
			}
		}
		found.Open++
		open[t.Priority]++
		if t.Assignee == "" {
			found.Unassigned++
		}
	}
	for _, name := range []string{"High", "Normal", "Low"} {
		found.Priorities = append(found.Priorities, counted{name, open[name]})
	}
	s.page(w, r, "report", "Report", found)
}

// profiled is the page of the profile.
type profiled struct {
	Name   string
	Notify bool
}

func (s *Server) profile(w http.ResponseWriter, r *http.Request) {
	s.page(w, r, "profile", "Profile", profiled{s.name, s.notify})
}

func (s *Server) saveProfile(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimSpace(r.FormValue("name"))
	if name == "" {
		s.pageWith(w, r, http.StatusUnprocessableEntity, "profile", "Profile", "Enter a name.", profiled{name, r.FormValue("notify") != ""})
		return
	}
	if !s.is("profile-not-saved") {
		s.name, s.notify = name, r.FormValue("notify") != ""
	}
	leads(w, r, "/profile", "Your profile was saved.")
}

func (s *Server) script(w http.ResponseWriter, _ *http.Request) {
	text, err := pages.ReadFile("pages/helpdesk.js")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	fmt.Fprintf(w, "const faults = %q;\n%s", s.options.Fault, text)
}
