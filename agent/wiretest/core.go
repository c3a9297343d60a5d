package wiretest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// protocol is what a provider's wire adds to the server. It has no state of its
// own: what a conversation has said so far is in its talk, which is locked while
// a method is given it.
type protocol interface {
	// base is what follows scheme and host in agent.base_url.
	base() string
	// key is the key that a request brings, from the place where it belongs.
	key(h http.Header) string
	// aim says what a request is for, and which model it names.
	aim(r *http.Request, body []byte) aim
	// read decodes a request for a turn and judges it by itself: headers, schema,
	// pictures, tools. A request without a task is refused with the first problem.
	read(r *http.Request, body []byte) *request
	// follow holds a request against the conversation so far: every call answered
	// once and in order, what must be echoed echoed, nothing lost. It fills in what
	// Seen says of the answers and notes that are new.
	follow(t *talk, q *request) []string
	// say renders a turn. Faults that are not the answer's content never get here.
	say(t *talk, q *request, s Say) reply
	// fail is an error in the provider's own form.
	fail(status int, message string) reply
	// model is the answer to whether a model is there.
	model(name string) reply
}

// windowed is a wire that can say that a conversation is too long for the model.
type windowed interface {
	tooLong() reply
}

// lister is a wire that lists its models.
type lister interface {
	models(names ...string) reply
}

// purpose is what a request is for.
type purpose int

const (
	nothing   purpose = iota // that the wire has
	aTurn                    // of a conversation
	theModel                 // whether it is there
	theModels                // that are there
)

// aim is what a request is for, and the model that it names.
type aim struct {
	purpose purpose
	model   string
}

// request is a request for a turn, decoded.
type request struct {
	seen     Seen
	fresh    bool // nothing that a model said: a conversation begins
	problems []string
	probe    bool   // a lone text, to learn whether there is an answer at all: the script is not asked
	refused  string // what a server of this kind answers with 400 without its being a violation
	own      any    // the wire's own decoding of it
}

// reply is an HTTP answer.
type reply struct {
	status int
	header http.Header
	body   []byte
	// said is what the next request must echo and answer, in the wire's own shape.
	said any
	// again says that there was no turn: the same request is expected once more.
	again bool
}

// talk is a conversation so far.
type talk struct {
	asked   int // turns that the script was asked for
	turns   []turn
	pending *Say // what a struck fault keeps from being said
	left    int  // how often the fault of pending still strikes
	ids     int
}

// turn is a request that was answered with a turn, and the answer.
type turn struct {
	request *request
	said    any
}

// last is the last turn, nil before the first.
func (t *talk) last() *turn {
	if len(t.turns) == 0 {
		return nil
	}
	return &t.turns[len(t.turns)-1]
}

// id is a name that the conversation has not had yet.
func (t *talk) id(prefix string) string {
	t.ids++
	return fmt.Sprintf("%s%04d", prefix, t.ids)
}

// Request is a request as it came.
type Request struct {
	Time   time.Time
	Method string
	Path   string // with its query
	Header http.Header
	Body   []byte
}

// Server is a scripted provider on loopback.
type Server struct {
	wire     Wire
	protocol protocol
	script   Script
	options  Options
	listener net.Listener
	http     *http.Server
	ended    chan struct{}
	closing  sync.Once

	mu       sync.Mutex // also makes the script's calls come one at a time
	talks    map[string]*talk
	requests []Request
	problems []string
}

// New starts a scripted provider. It answers until Close.
func New(w Wire, script Script, o Options) (*Server, error) {
	if script == nil {
		return nil, errors.New("wiretest: there is no script")
	}
	p, err := newProtocol(w, o)
	if err != nil {
		return nil, fmt.Errorf("wiretest: %w", err)
	}
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("wiretest: no port on loopback: %w", err)
	}
	if _, ok := p.(windowed); o.Window > 0 && !ok {
		return nil, fmt.Errorf("wiretest: %s has no window here", w)
	}
	s := &Server{wire: w, protocol: p, script: script, options: o, listener: l, ended: make(chan struct{}), talks: map[string]*talk{}}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	go func() { _ = s.http.Serve(l) }() // ends with Close
	return s, nil
}

// newProtocol is the protocol of a wire.
func newProtocol(w Wire, o Options) (protocol, error) {
	switch w {
	case OpenAI, Azure:
		return newOpenAI(w, o)
	case Anthropic:
		return newAnthropic()
	case Gemini:
		return gemini{}, nil
	case Chat:
		return newChat(o)
	default:
		return nil, fmt.Errorf("no wire %q: known are %v", w, Wires())
	}
}

// URL is what belongs in agent.base_url.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + s.protocol.base() }

// Close ends the server and the answers that it holds back.
func (s *Server) Close() error {
	s.closing.Do(func() { close(s.ended) })
	return s.http.Close()
}

// Problems are the violations of schema and protocol so far.
func (s *Server) Problems() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.problems)
}

// Requests are the requests so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.object("a request to %s that can't be read: %v", r.URL.Path, err)
		return
	}
	a, how := s.decide(r, body)
	if how == Slow {
		s.hold(r.Context())
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

// hold waits until the client goes away, or the server ends.
func (s *Server) hold(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-s.ended:
	}
}

// object notes a problem.
func (s *Server) object(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.problems = append(s.problems, fmt.Sprintf(format, args...))
}
