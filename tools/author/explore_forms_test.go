package author_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/assay-qa/assay/author/site"
)

// tracker is an application that refuses a form as Rails does, at another address, and that
// asks for other fields once a kind is chosen. Its start page has a feed and polls.
type tracker struct {
	mu   sync.Mutex
	made []string // subjects of issues
	sent int      // how often the form was sent
}

const trackerForm = `<h1>New issue</h1><form method=post action=/issues><label>Kind <select name=kind onchange="fetch('/fields',{method:'POST'}).then(()=>{if(window.rest)rest.remove()})"><option>Bug<option>Wish</select></label>
	<label>Subject <input name=subject value="%s"></label> <label>Start <input type=date name=start value="%s"></label> <label>Effort <input name=effort value="%s"></label>
	<span id=rest><label>Place <select name=place><option>Here<option>There</select></label></span> <label>Note <textarea name=note>%s</textarea></label><button>Create issue</button></form>`

func (a *tracker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var body string
	switch {
	case r.URL.Path == "/fields":
		w.WriteHeader(http.StatusNoContent)
		return
	case r.URL.Path == "/feed":
		w.Header().Set("Content-Type", "application/xml")
		fmt.Fprint(w, `<feed><title>News</title><entry><link href="/issues"/></entry></feed>`)
		return
	case r.Method == http.MethodPost:
		a.sent++
		subject, effort := r.FormValue("subject"), r.FormValue("effort")
		if subject != "" && effort == "" {
			a.made = append(a.made, subject)
			http.Redirect(w, r, fmt.Sprintf("/issues/%d", len(a.made)), http.StatusFound)
			return
		}
		if subject == "" {
			body = "<ul><li>Subject cannot be blank</li></ul>"
		} else {
			body = "<ul><li>Effort is not a number</li></ul>"
		}
		body += fmt.Sprintf(trackerForm, subject, r.FormValue("start"), effort, r.FormValue("note"))
	case r.URL.Path == "/issues/new":
		body = fmt.Sprintf(trackerForm, "", "2026-11-28", "", "")
	case r.URL.Path == "/issues":
		body = "<h1>Issues</h1><ul>"
		for i, subject := range a.made {
			body += fmt.Sprintf(`<li><a href="/issues/%d">%s</a></li>`, i+1, subject)
		}
		body += "</ul>"
	case strings.HasPrefix(r.URL.Path, "/issues/"):
		body = "<h1>Issue</h1><p>Open</p>"
		for i, subject := range a.made {
			if r.URL.Path == fmt.Sprintf("/issues/%d", i+1) {
				body = "<h1>" + subject + "</h1><p>Open</p>"
			}
		}
	default:
		body = `<h1>Home</h1><a href=/feed>Feed</a><script>setInterval(() => {}, 300)</script>`
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!doctype html><html lang=en><title>Tracker</title><nav aria-label=Main><a href=/>Home</a> <a href=/issues>Issues</a> <a href=/issues/new>New issue</a></nav><main>"+body+"</main>")
}

// A form that is refused at another address is the same form there. What its page names is
// left out, and so is a field that is gone once another one is filled. A feed is no page.
func TestExploringAFormThatComesBack(t *testing.T) { // Req 0032/1
	app := &tracker{}
	server := httptest.NewServer(app)
	t.Cleanup(server.Close)
	found := run(t, desk(t), options(t, true), server.URL+"/")
	app.mu.Lock()
	defer app.mu.Unlock()
	if len(app.made) != 1 || app.sent != 3 {
		t.Errorf("%d issues of %d times the form was sent, want one of three: empty, with all, and without what was refused", len(app.made), app.sent)
	}
	made := slices.IndexFunc(found.Edges, func(e site.Edge) bool {
		return e.Action.Kind == site.Submit && strings.Contains(e.Changes.URL, "/issues/1")
	})
	if made < 0 {
		t.Fatal("no edge makes an issue")
	}
	var filled []string
	for _, f := range found.Edges[made].Action.Fields {
		filled = append(filled, f.Element.Name)
	}
	if want := []string{"Kind", "Subject", "Start", "Note"}; !slices.Equal(filled, want) {
		t.Errorf("the issue is made with %v, want %v", filled, want)
	}
	if slices.ContainsFunc(found.States, func(s site.State) bool { return strings.HasSuffix(s.URL, "/feed") }) {
		t.Error("a feed is a state")
	}
	if !slices.ContainsFunc(found.Untried, func(u site.Untried) bool {
		return strings.Contains(string(u.Reason), "its document is not HTML")
	}) {
		t.Errorf("nothing says why the feed is left out: %+v", found.Untried)
	}
}
