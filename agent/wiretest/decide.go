package wiretest

import (
	"fmt"
	"net/http"
	"slices"
	"time"
)

// decide judges a request and finds its answer. The fault says how the answer is
// to be sent: whole, cut, or not at all.
func (s *Server) decide(r *http.Request, body []byte) (reply, Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, Request{Time: s.now(), Method: r.Method, Path: r.URL.RequestURI(), Header: r.Header.Clone(), Body: body})
	number := len(s.requests)
	note := func(problems ...string) {
		for _, p := range problems {
			s.problems = append(s.problems, fmt.Sprintf("%s request %d: %s", s.wire, number, p))
		}
	}
	note(s.leaks(r, body)...)
	a := s.protocol.aim(r, body)
	if a.purpose == nothing {
		note("there is no " + r.Method + " " + r.URL.Path)
		return s.protocol.fail(http.StatusNotFound, "Invalid URL ("+r.Method+" "+r.URL.Path+")"), NoFault
	}
	if s.options.Key != "" && s.protocol.key(r.Header) != s.options.Key {
		return s.protocol.fail(http.StatusUnauthorized, "Incorrect API key provided."), NoFault
	}
	if l, ok := s.protocol.(lister); ok && a.purpose == theModels {
		return l.models(s.options.Model), NoFault
	}
	if s.options.Model != "" && a.model != s.options.Model {
		return s.protocol.fail(http.StatusNotFound, "The model `"+a.model+"` does not exist or you do not have access to it."), NoFault
	}
	if a.purpose == theModel {
		return s.protocol.model(a.model), NoFault
	}
	return s.turn(r, body, note)
}

// now is the time of a request.
func (s *Server) now() time.Time {
	if s.options.Now == nil {
		return time.Time{}
	}
	return s.options.Now()
}

// turn judges a request for a turn, and takes the turn from the script.
func (s *Server) turn(r *http.Request, body []byte, note func(...string)) (reply, Fault) {
	q := s.protocol.read(r, body)
	note(q.problems...)
	if q.seen.Task == "" {
		if len(q.problems) == 0 {
			note("no text of a user: there is no task")
			q.problems = []string{"no text of a user"}
		}
		return s.protocol.fail(http.StatusBadRequest, q.problems[0]), NoFault
	}
	if q.refused != "" {
		return s.protocol.fail(http.StatusBadRequest, q.refused), NoFault
	}
	if p, ok := s.protocol.(windowed); ok && s.options.Window > 0 && len(body) > s.options.Window {
		return p.tooLong(), NoFault
	}
	if q.probe {
		return s.protocol.say(&talk{}, q, Say{Text: "OK"}), NoFault
	}
	t := s.talks[q.seen.Task]
	if t == nil || q.fresh && t.spoke() {
		t = &talk{}
		s.talks[q.seen.Task] = t
	}
	note(s.protocol.follow(t, q)...)
	q.seen.Wire, q.seen.Body = s.wire, body
	return s.strike(t, q)
}

// spoke reports whether the conversation had a turn that leaves a trace in the
// next request. Until then a request with nothing but the task continues it.
func (t *talk) spoke() bool {
	return slices.ContainsFunc(t.turns, func(u turn) bool { return u.said != nil })
}

// strike answers with the next turn, or with the fault that keeps it.
func (s *Server) strike(t *talk, q *request) (reply, Fault) {
	if t.pending == nil {
		t.asked++
		q.seen.Request = t.asked
		say := s.script(q.seen)
		t.pending, t.left = &say, max(1, say.Times)
	}
	say := *t.pending
	if t.left == 0 && !say.Fault.lasting() {
		say.Fault = NoFault
	}
	t.left = max(0, t.left-1)
	switch say.Fault {
	case RateLimit, Overload, ServerError, WrongKey:
		return s.refuse(say.Fault), NoFault
	case Slow:
		return reply{}, Slow
	case Malformed:
		return reply{status: http.StatusOK, body: []byte(`{"id":"torn","output":[{"type":"mess<html>`)}, NoFault
	case Cut:
		whole := say
		whole.Fault = NoFault
		return s.protocol.say(t, q, whole), Cut
	}
	a := s.protocol.say(t, q, say)
	if a.again {
		return a, NoFault
	}
	t.turns = append(t.turns, turn{request: q, said: a.said})
	if say.Fault != Truncated { // its call was refused: the turn comes once more, whole
		t.pending = nil
	}
	return a, NoFault
}

// lasting faults are what the turn was: asking again does not mend them.
func (f Fault) lasting() bool {
	switch f {
	case Refusal, WrongKey, SafetyPending, MaxTokens, Empty:
		return true
	}
	return false
}

// refuse is the error of a fault in the provider's form.
func (s *Server) refuse(f Fault) reply {
	switch f {
	case RateLimit:
		a := s.protocol.fail(http.StatusTooManyRequests, "Rate limit reached. Please try again in 1s.")
		if a.header == nil {
			a.header = http.Header{}
		}
		if _, told := a.header["Retry-After"]; !told { // a wire may have a place of its own for it
			a.header.Set("Retry-After", "1")
		}
		return a
	case Overload:
		return s.protocol.fail(StatusOverloaded, "The server is overloaded. Please try again later.")
	case WrongKey:
		return s.protocol.fail(http.StatusUnauthorized, "Incorrect API key provided.")
	default:
		return s.protocol.fail(http.StatusInternalServerError, "The server had an error while processing your request.")
	}
}

// StatusOverloaded is what an overload is asked for with; wires without it
// answer 503.
const StatusOverloaded = 529
