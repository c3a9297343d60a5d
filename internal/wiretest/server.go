package wiretest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// protocol holds what a provider's wire adds to the server. It has no state of its
// own: what a conversation has said so far is in its talk.
type protocol interface {
	// read fills in what a request shows, and judges its headers.
	read(r *http.Request, body obj, q *request)
	// entries are the pieces of a conversation, from the list in which a request
	// holds it.
	entries(v any) []entry
	// say renders a turn: the answer's fields, beside those of the file of answers,
	// and what was said in the form in which the next request must echo it. An
	// answer that is no turn is named instead.
	say(t *conversation, q *request, s Say) (fields obj, said any, instead string)
}

// routes hold what a wire serves: methods and addresses of a turn, of one model
// and of all. The first group is the model's name.
type routes struct {
	Base             string // behind scheme and host, in agent.base_url
	Key              string // the header of the key
	Description      string // official, of a request for a turn
	Turn, Model, All string
}

// named reports whether a request goes to a route, and which model it names
// there.
func named(r *http.Request, route string) (string, bool) {
	m := regexp.MustCompile(route).FindStringSubmatch(r.Method + " " + strings.TrimSuffix(r.URL.Path+"?"+r.URL.RawQuery, "?"))
	if len(m) > 1 {
		return m[1], true
	}
	return "", m != nil
}

// obj is a JSON object.
type obj = map[string]any

// request holds a request for a turn, decoded.
type request struct {
	seen     Seen
	model    string
	entries  []entry
	problems []string
	probe    bool   // a lone text, to learn whether there is an answer at all: the script is not asked
	refused  string // what a server of this kind answers with 400 without its being a violation
	bound    bool   // thoughts are refused when what was before them has changed
	screen   struct{ width, height int }
	older    bool // the computer tool is one that takes actions
}

// object notes a problem of a request.
func (q *request) object(format string, args ...any) {
	q.problems = append(q.problems, fmt.Sprintf(format, args...))
}

// offer notes the tools on offer.
func (q *request) offer(tools any) {
	for _, t := range Functions(tools) {
		if name, ok := t["name"].(string); ok {
			q.seen.Tools = append(q.seen.Tools, name)
		}
	}
}

// Request holds a request as it came, and the answer it got.
type Request struct {
	Time   time.Time
	Method string
	Path   string // with its query
	Header http.Header
	Body   []byte
	Status int    // of the answer
	Answer []byte // before it was cut
}

// Server is a scripted provider on loopback.
type Server struct {
	wire     Wire
	protocol protocol
	routes   routes
	answers  answers
	script   Script
	options  Options
	listener net.Listener
	http     *http.Server
	ended    chan struct{}
	closing  sync.Once

	mu            sync.Mutex // also makes the script's calls come one at a time
	conversations map[string]*conversation
	requests      []Request
	problems      []string
}

// New starts a scripted provider. It answers until Close.
func New(w Wire, script Script, o Options) (*Server, error) {
	if script == nil {
		return nil, errors.New("wiretest: there is no script")
	}
	s := &Server{wire: w, script: script, options: o, ended: make(chan struct{}), conversations: map[string]*conversation{}}
	var err error
	if s.answers, err = readAnswers(w); err != nil {
		return nil, err
	}
	if err = json.Unmarshal([]byte(s.answers["wire"]), &s.routes); err != nil {
		return nil, fmt.Errorf("wiretest: what is served of %s: %w", w, err)
	}
	switch w {
	case OpenAI, Azure:
		s.protocol = openAI{s.answers.actions()}
	case Chat:
		s.protocol = chat{habits: o.Habits}
	case Anthropic:
		s.protocol = anthropic{s.answers.actions()}
	case Gemini:
		s.protocol = gemini{s.answers.actions()}
	}
	if err := Load(s.routes.Description); err != nil { // before a client waits for it
		return nil, err
	}
	if s.listener, err = (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0"); err != nil {
		return nil, fmt.Errorf("wiretest: no port on loopback: %w", err)
	}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	go func() { _ = s.http.Serve(s.listener) }() // ends with Close
	return s, nil
}

// URL returns what belongs in agent.base_url.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + s.routes.Base }

// Close ends the server and the answers that it holds back.
func (s *Server) Close() error {
	s.closing.Do(func() { close(s.ended) })
	return s.http.Close()
}

// Problems returns the violations of schema and protocol so far.
func (s *Server) Problems() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.problems)
}

// Requests returns the requests so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// ServeHTTP answers a request: whole, cut, or not until the client goes away.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		body = []byte("a body that can't be read: " + err.Error())
	}
	a, how := s.decide(r, body)
	if how == Slow {
		select {
		case <-r.Context().Done():
		case <-s.ended:
		}
		panic(http.ErrAbortHandler)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	for k, v := range a.header {
		h[k] = v
	}
	if how == Cut {
		a.body = a.body[:len(a.body)/2]
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // a client that went away is not the server's business
	if how == Cut {
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}
