package look

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// page describes what the site answers at a path. Its texts may have «this|that»:
// the left is the page that is wrong, the right its healthy twin.
type page struct {
	status int // 200, if 0
	kind   string
	body   string
	header map[string]string
}

// variant takes the left or the right of every «left|right».
func variant(text string, healthy bool) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "«")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		choice, after, _ := strings.Cut(rest, "»")
		left, right, _ := strings.Cut(choice, "|")
		if healthy {
			left = right
		}
		b.WriteString(left)
		text = after
	}
}

// site serves the corpus on loopback, with the answers that pages fetch.
type site struct {
	url    string
	server *http.Server
	pages  map[string]page
	done   chan struct{}
	beside string // the address of another port, which serves the same

	mu    sync.Mutex
	notes map[string]string // what was posted, by name
}

func startSite(address string, pages map[string]page) (*site, error) {
	if address == "" {
		address = "127.0.0.1:0"
	}
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address)
	if err != nil {
		return nil, err
	}
	s := &site{url: "http://" + l.Addr().String(), pages: pages, done: make(chan struct{}), notes: map[string]string{}}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	beside, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	s.beside = "http://" + beside.Addr().String()
	go func() { _ = s.server.Serve(l) }()
	go func() { _ = s.server.Serve(beside) }()
	return s, nil
}

func (s *site) Close() error {
	close(s.done)
	return s.server.Close()
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	if name, ok := strings.CutPrefix(path, "/x/"); ok {
		s.service(w, r, name)
		return
	}
	p, ok := s.pages[path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if p.kind != "" {
		w.Header().Set("Content-Type", p.kind)
	}
	for name, value := range p.header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(max(p.status, http.StatusOK))
	_, _ = fmt.Fprint(w, p.body)
}

// service answers what pages fetch: ?ms= late, ?status= with a status.
func (s *site) service(w http.ResponseWriter, r *http.Request, name string) {
	q := r.URL.Query()
	if ms, _ := strconv.Atoi(q.Get("ms")); ms > 0 && !s.wait(r, time.Duration(ms)*time.Millisecond) {
		return
	}
	status, _ := strconv.Atoi(q.Get("status"))
	switch {
	case strings.HasPrefix(name, "stream"):
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		for s.wait(r, 300*time.Millisecond) {
			fmt.Fprintf(w, "data: %d\n\n", time.Now().UnixMilli())
			_ = http.NewResponseController(w).Flush()
		}
	case name == "beside":
		http.Redirect(w, r, s.beside+q.Get("to"), http.StatusFound)
	case strings.HasPrefix(name, "poll"):
		s.wait(r, 25*time.Second)
	case strings.HasPrefix(name, "refuse"):
		if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_ = c.Close()
		}
	case strings.HasPrefix(name, "notes/"):
		s.note(w, r, name)
	case strings.HasPrefix(name, "answer"): // ?kind= and ?body= say what
		w.Header().Set("Content-Type", q.Get("kind"))
		w.WriteHeader(max(status, http.StatusOK))
		fmt.Fprint(w, q.Get("body"))
	case strings.HasSuffix(name, ".png"):
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(picture(q.Get("c")))
	default:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(max(status, http.StatusOK))
		fmt.Fprint(w, `{"total": 512, "rows": ["North", "South", "West"]}`)
	}
}

// note keeps what is posted under a name, and answers with what is kept.
func (s *site) note(w http.ResponseWriter, r *http.Request, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method == http.MethodPost {
		s.notes[name] = r.URL.Query().Get("text")
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprint(w, s.notes[name])
}

// wait reports whether the time passed before the request or the site ended.
func (s *site) wait(r *http.Request, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
	case <-s.done:
	}
	return false
}
