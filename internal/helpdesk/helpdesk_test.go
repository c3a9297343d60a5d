package helpdesk_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/helpdesk"
)

// visitor is a client of a help desk, with its cookies.
type visitor struct {
	t       *testing.T
	address string
	client  *http.Client
}

func visit(t *testing.T, options helpdesk.Options) (visitor, *helpdesk.Server) {
	t.Helper()
	desk := helpdesk.New(options)
	server := httptest.NewServer(desk)
	t.Cleanup(server.Close)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return visitor{t, server.URL, &http.Client{Jar: jar}}, desk
}

func (v visitor) get(path string) string {
	v.t.Helper()
	return v.text(v.client.Get(v.address + path))
}

func (v visitor) post(path string, values ...string) string {
	v.t.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(values); i += 2 {
		form.Set(values[i], values[i+1])
	}
	return v.text(v.client.PostForm(v.address+path, form))
}

func (v visitor) text(answer *http.Response, err error) string {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return string(text)
}

// afternoon does what a person does with the help desk, and returns what was seen.
func (v visitor) afternoon() string {
	var seen strings.Builder
	for _, page := range []string{
		v.post("/sign-in", "user", helpdesk.User, "password", "wrong"), v.get("/tickets"),
		v.post("/sign-in", "user", helpdesk.User, "password", helpdesk.Password),
		v.get("/tickets?q=phone"), v.get("/tickets?status=Closed"), v.get("/tickets?page=2"), v.get("/tickets?sort=subject"),
		v.post("/tickets/new", "subject", "", "mail", "kim@example.com"), v.post("/tickets/new", "subject", "No mail", "mail", "kim"),
		v.post("/tickets/new", "subject", "Lamp", "mail", "kim@example.com", "priority", "High"), v.get("/tickets"),
		v.post("/tickets/1/edit", "subject", "Printer is on fire", "mail", "kim@example.com", "priority", "High"),
		v.post("/tickets/1/assign"), v.post("/tickets/1/close"), v.post("/tickets/2/delete"), v.get("/reports"),
		v.post("/profile", "name", "Dana R."), v.get("/help"), v.get("/helpdesk.js"),
		v.text(v.client.Post(v.address+"/tickets/1/comments", "application/json", strings.NewReader(`{"text": "Done."}`))),
		v.post("/sign-out"), v.get("/tickets"),
	} {
		seen.WriteString(page)
	}
	return seen.String()
}

// Req 0032/measure: each fault and each change is one that can be seen.
func TestEachFaultAndChangeIsSeen(t *testing.T) {
	healthy := func() string { v, _ := visit(t, helpdesk.Options{}); return v.afternoon() }
	want := healthy()
	if again := healthy(); again != want {
		t.Fatal("two afternoons on healthy help desks differ")
	}
	for _, fault := range helpdesk.Faults() {
		if v, _ := visit(t, helpdesk.Options{Fault: fault}); v.afternoon() == want {
			t.Errorf("fault %s changes nothing that can be seen", fault)
		}
	}
	for _, change := range helpdesk.Changes() {
		if change == "slow" {
			continue // is seen by a clock alone
		}
		if v, _ := visit(t, helpdesk.Options{Change: change}); v.afternoon() == want {
			t.Errorf("change %s changes nothing that can be seen", change)
		}
	}
}

func TestBrokenHelpDeskStoresNothing(t *testing.T) {
	v, desk := visit(t, helpdesk.Options{Broken: true})
	before := len(desk.Subjects())
	v.afternoon()
	if after := len(desk.Subjects()); after != before {
		t.Errorf("%d tickets of %d are left where each write is answered 500", after, before)
	}
	if len(desk.Writes()) == 0 {
		t.Error("no write was noted")
	}
	desk.Reset()
	if len(desk.Writes()) != 0 {
		t.Error("writes are noted after a reset")
	}
}
