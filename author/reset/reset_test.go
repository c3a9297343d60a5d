package reset_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-qa/assay/author/reset"
	"github.com/assay-qa/assay/browser/egress"
	"github.com/assay-qa/assay/browser/guard"
)

// shop is a site with a state that a request sets back.
type shop struct {
	*httptest.Server
	mu    sync.Mutex
	items int
	asked []string
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{items: 7}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked = append(s.asked, fmt.Sprintf("%s %s %d", r.Method, r.URL.RequestURI(), len(body)))
		switch r.URL.Path {
		case "/test/reset":
			s.items = 0
			w.WriteHeader(http.StatusNoContent)
		case "/moved":
			http.Redirect(w, r, "/test/reset", http.StatusTemporaryRedirect)
		case "/away":
			http.Redirect(w, r, "http://elsewhere.test/reset", http.StatusTemporaryRedirect)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusTemporaryRedirect)
		case "/cut":
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("half"))
		case "/slow":
			<-r.Context().Done()
		default:
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *shop) log() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

func site(way reset.Way, t *testing.T, at string) (string, error) {
	t.Helper()
	way.Now = time.Now
	return (&reset.Once{Way: way}).Site(t.Context(), at)
}

// The site takes a POST without a body, also where it leads on within itself.
func TestARequestSetsTheSiteBack(t *testing.T) {
	for _, address := range []string{"/test/reset", "/moved", "WHOLE/test/reset"} {
		s := newShop(t)
		by, err := site(reset.Way{Address: strings.Replace(address, "WHOLE", s.URL, 1)}, t, s.URL+"/shop?a=1")
		if want := "POST " + strings.TrimPrefix(address, "WHOLE"); err != nil || by != want {
			t.Errorf("%s: %q, %v", address, by, err)
		}
		if asked := s.log(); s.items != 0 || asked[len(asked)-1] != "POST /test/reset 0" {
			t.Errorf("%s: %d items, asked %q", address, s.items, asked)
		}
	}
}

// What keeps a site from being set back is said: what failed, on what, why, and what to do.
func TestASiteThatIsNotSetBack(t *testing.T) {
	s := newShop(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := "http://" + l.Addr().String()
	_ = l.Close()
	for name, c := range map[string]struct {
		at, address string
		want        []string
	}{
		"an error":          {s.URL, "/500?token=abc123abc123", []string{"the site was not set back", "POST " + s.URL + "/500?token=", "it answered 500", "change explore.reset"}},
		"another site":      {s.URL, "/away", []string{"it leads on to another site"}},
		"round and round":   {s.URL, "/round", []string{"it leads on more than 5 times"}},
		"half an answer":    {s.URL, "/cut", []string{"the answer broke off"}},
		"no answer in time": {s.URL, "/slow", []string{"it did not end within 300ms; see that the site runs"}},
		"nobody":            {nobody, "/test/reset", []string{"POST " + nobody + "/test/reset", "see that the site runs"}},
	} {
		_, err := site(reset.Way{Address: c.address, Limit: 300 * time.Millisecond}, t, c.at)
		for _, part := range c.want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v lacks %q", name, err, part)
			}
		}
		if err != nil && strings.Contains(err.Error(), "abc123") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What the settings do not permit is refused before anything is sent.
func TestAResetThatIsRefused(t *testing.T) {
	s := newShop(t)
	strict, err := guard.New(nil, []string{"/test/reset"})
	if err != nil {
		t.Fatal(err)
	}
	live, err := guard.New(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	host := "127.0.0.1"
	for name, c := range map[string]struct {
		way  reset.Way
		at   string
		want string
	}{
		"another site":          {reset.Way{Address: "http://other.test/test/reset"}, s.URL, "another site than " + s.URL},
		"another port":          {reset.Way{Address: "http://127.0.0.1:1/test/reset"}, s.URL, "another site"},
		"a path of no site":     {reset.Way{Address: "/test/reset"}, "", "--base-url"},
		"a host that is denied": {reset.Way{Address: "/test/reset", Network: egress.Lists{DenyHosts: []string{host}}}, s.URL, "network.deny_hosts"},
		"another host allowed":  {reset.Way{Address: "/test/reset", Network: egress.Lists{AllowedHosts: []string{"shop.test"}}}, s.URL, "network.allowed_hosts"},
		"a request of my list":  {reset.Way{Address: "/test/reset", Guard: strict.ByActs()}, s.URL, "guard.request_patterns"},
		"a production host": {reset.Way{Address: "/test/reset", Guard: live.ByActs(), Network: egress.Lists{AllowedHosts: []string{host}, ProductionHosts: []string{host}}}, s.URL,
			"guard.allow_requests"},
	} {
		if err := c.way.Check(c.at); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v lacks %q", name, err, c.want)
		}
		if _, err := site(c.way, t, c.at); err == nil {
			t.Errorf("%s: it was done", name)
		}
	}
	if asked := s.log(); len(asked) > 0 {
		t.Errorf("asked %q", asked)
	}
	for name, way := range map[string]reset.Way{"none": {}, "written": {Address: s.URL + "/test/reset", Guard: live.ByActs()}} {
		if err := way.Check(s.URL); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Of several sites each is set back once, also that of two explorations.
func TestEachSiteOnce(t *testing.T) {
	one, other := newShop(t), newShop(t)
	var mu sync.Mutex
	var told []string
	once := reset.Once{Way: reset.Way{Address: "/test/reset", Now: time.Now}, Tell: func(_, by string) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, by)
	}}
	var all sync.WaitGroup
	for _, at := range []string{one.URL, other.URL + "/a", one.URL + "/b"} {
		all.Go(func() {
			if _, err := once.Site(t.Context(), at); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(told) != 2 || len(one.log()) != 1 || len(other.log()) != 1 {
		t.Errorf("told %q, asked %q and %q", told, one.log(), other.log())
	}
}

func TestWhatShares(t *testing.T) {
	request, command := reset.Way{Address: "/r"}, reset.Way{Command: []string{"seed"}}
	for _, c := range []struct {
		way        reset.Way
		one, other string
		want       bool
	}{
		{reset.Way{}, "http://a.test/", "http://a.test/", false},
		{request, "http://a.test/x", "http://A.test:80/y", true},
		{request, "http://a.test/", "http://b.test/", false},
		{request, "http://a.test/", "https://a.test/", false},
		{command, "http://a.test/", "http://b.test/", true},
	} {
		if got := c.way.Shares(c.one, c.other); got != c.want {
			t.Errorf("%+v", c)
		}
	}
}

func TestAnInterruptedRequest(t *testing.T) {
	s := newShop(t)
	ctx, cancel := context.WithCancel(t.Context())
	once := reset.Once{Way: reset.Way{Address: "/slow", Now: time.Now}}
	ended := make(chan error)
	go func() { _, err := once.Site(ctx, s.URL); ended <- err }()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
