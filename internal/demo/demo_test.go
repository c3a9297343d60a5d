package demo_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/assay-qa/assay/internal/demo"
)

// visitor is a browser without a screen: it keeps cookies, and shows redirects
// instead of following them.
type visitor struct {
	t    *testing.T
	base string
	http *http.Client
}

func visit(t *testing.T, opts demo.Options) *visitor {
	t.Helper()
	server := httptest.NewServer(demo.Handler(opts))
	t.Cleanup(server.Close)
	return &visitor{t, server.URL, newClient(t)}
}

func newClient(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// page is an answer that was read to its end.
type page struct {
	status int
	header http.Header
	body   string
}

func (v *visitor) do(req *http.Request, err error) page {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
	resp, err := v.http.Do(req)
	if err != nil {
		v.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return page{resp.StatusCode, resp.Header, string(body)}
}

func (v *visitor) get(path string) page {
	v.t.Helper()
	return v.do(http.NewRequest(http.MethodGet, v.base+path, nil))
}

func (v *visitor) post(path string, form url.Values) page {
	v.t.Helper()
	req, err := http.NewRequest(http.MethodPost, v.base+path, strings.NewReader(form.Encode()))
	if err == nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return v.do(req, err)
}

func (v *visitor) signIn(email, password string) page {
	v.t.Helper()
	return v.post("/login", url.Values{"email": {email}, "password": {password}})
}

// signedIn visits with a session.
func signedIn(t *testing.T, opts demo.Options) *visitor {
	t.Helper()
	v := visit(t, opts)
	if p := v.signIn(demo.Email, demo.Password); p.status != http.StatusSeeOther {
		t.Fatalf("sign-in answered %d, want %d", p.status, http.StatusSeeOther)
	}
	return v
}

func (v *visitor) json(path string, status int, into any) {
	v.t.Helper()
	p := v.get(path)
	if p.status != status {
		v.t.Fatalf("GET %s answered %d, want %d: %s", path, p.status, status, p.body)
	}
	if err := json.Unmarshal([]byte(p.body), into); err != nil {
		v.t.Fatalf("GET %s: %v in %q", path, err, p.body)
	}
}

func selections() (ranges, categories []string) {
	return []string{demo.RangeToday, demo.Range7Days, demo.Range30Days},
		[]string{demo.CategoryAll, demo.CategoryHardware, demo.CategorySoftware, demo.CategoryServices}
}
