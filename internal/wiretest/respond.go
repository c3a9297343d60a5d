package wiretest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// decide judges a request and finds its answer. The fault says how the answer is
// to be sent.
func (s *Server) decide(r *http.Request, raw []byte) (reply, Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := &request{}
	a, how := s.answer(r, raw, q)
	number := len(s.requests) + 1
	for _, p := range append(s.leaks(r, raw), q.problems...) {
		s.problems = append(s.problems, fmt.Sprintf("%s request %d: %s", s.wire, number, p))
	}
	kept := Request{Method: r.Method, Path: r.URL.RequestURI(), Header: r.Header.Clone(), Body: raw, Status: a.status, Answer: a.body}
	if s.options.Now != nil {
		kept.Time = s.options.Now()
	}
	s.requests = append(s.requests, kept)
	return a, how
}

// answer finds the answer to a request, and notes in q what is wrong with it.
func (s *Server) answer(r *http.Request, raw []byte, q *request) (reply, Fault) {
	v, err := Decode(raw)
	body, _ := v.(obj)
	model, isTurn := named(r, s.routes.Turn)
	one, isModel := named(r, s.routes.Model)
	_, isList := named(r, s.routes.All)
	if isTurn && model == "" {
		model, _ = body["model"].(string)
	}
	q.model = model + one
	switch {
	case !isTurn && !isModel && !isList:
		q.object("there is no %s %s", r.Method, r.URL.Path)
		return s.answers.error(http.StatusNotFound, "Invalid URL ("+r.Method+" "+r.URL.Path+")"), NoFault
	case s.options.Key != "" && strings.TrimPrefix(r.Header.Get(s.routes.Key), "Bearer ") != s.options.Key:
		return s.answers.error(http.StatusUnauthorized, "Incorrect API key provided."), NoFault
	case isList:
		return s.answers.reply("models", "MODEL", s.options.Model), NoFault
	case s.options.Model != "" && q.model != s.options.Model:
		return s.answers.error(http.StatusNotFound, "The model `"+q.model+"` does not exist or you do not have access to it."), NoFault
	case isModel:
		return s.answers.reply("model", "MODEL", q.model), NoFault
	case err != nil || body == nil:
		q.object("the body is no JSON object: %v", err)
		return s.answers.error(http.StatusBadRequest, q.problems[0]), NoFault
	}
	return s.turn(r, raw, body, q)
}

// turn judges a request for a turn, and takes the turn from the script.
func (s *Server) turn(r *http.Request, raw []byte, body obj, q *request) (reply, Fault) {
	s.check(r, body, q)
	q.seen.Wire, q.seen.Body = s.wire, raw
	s.protocol.read(r, body, q)
	fresh := true
	for _, e := range q.entries {
		if e.role == "system" {
			q.seen.System = strings.TrimSpace(q.seen.System + "\n" + e.text)
		}
		if e.role == "user" && q.seen.Task == "" && (e.kind == textEntry || e.kind == pictureEntry) {
			q.seen.Task = e.text
		}
		fresh = fresh && e.role != "model" && e.kind != answerEntry
	}
	switch {
	case q.seen.Task == "":
		q.object("no text of a user: there is no task")
		return s.answers.error(http.StatusBadRequest, q.problems[0]), NoFault
	case q.refused != "":
		return s.answers.error(http.StatusBadRequest, q.refused), NoFault
	case q.probe:
		return s.say(&conversation{}, q, Say{Text: "OK"}), NoFault
	}
	t := s.conversations[q.seen.Task]
	if t == nil || fresh && t.spoke() {
		t = &conversation{}
		s.conversations[q.seen.Task] = t
	}
	q.problems = append(q.problems, t.follow(q)...)
	return s.strike(t, q)
}

// check holds a body against the official description and the rules.
func (s *Server) check(r *http.Request, body obj, q *request) {
	if media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); media != "application/json" {
		q.object("the content type is %s", media)
	}
	description := s.routes.Description
	if s.wire == Anthropic && (r.URL.Query().Get("beta") == "true" || r.Header.Get("Anthropic-Beta") != "") {
		description = "BetaCreateMessageParams"
	}
	if s.options.Lenient {
		description = ""
	}
	q.problems = append(q.problems, SchemaProblems(description, string(s.wire), q.model, r.Header, body)...)
}

// strike answers with the next turn, or with the fault that keeps it.
func (s *Server) strike(t *conversation, q *request) (reply, Fault) {
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
		return s.fail(say.Fault), NoFault
	case Slow:
		return reply{}, Slow
	case Malformed:
		return reply{status: http.StatusOK, body: []byte(`{"id":"torn","output":[{"type":"mess<html>`)}, NoFault
	case Cut:
		whole := say
		whole.Fault = NoFault
		return s.say(t, q, whole), Cut
	}
	a := s.say(t, q, say)
	if a.again {
		return a, NoFault
	}
	t.turns = append(t.turns, turn{request: q, said: a.said})
	if say.Fault != Truncated { // its call was refused: the turn comes once more, whole
		t.pending = nil
	}
	return a, NoFault
}

// lasting faults are what the turn was: asking again does not change them.
func (f Fault) lasting() bool {
	return slices.Contains([]Fault{Refusal, WrongKey, SafetyPending, MaxTokens, Empty}, f)
}

// fail is the error of a fault in the provider's form.
func (s *Server) fail(f Fault) reply {
	status := map[Fault]int{RateLimit: http.StatusTooManyRequests, Overload: overloaded, WrongKey: http.StatusUnauthorized}[f]
	return s.answers.error(cmp.Or(status, http.StatusInternalServerError), "The provider can't answer ("+string(f)+"). Please try again in 1s.")
}

// overloaded is the status by which an overload is asked for; wires without it
// answer 503.
const overloaded = 529

// say renders a turn.
func (s *Server) say(t *conversation, q *request, say Say) reply {
	fields, said, instead := s.protocol.say(t, q, say)
	if instead != "" {
		a := s.answers.reply(instead, "MODEL", q.model)
		a.again = true
		return a
	}
	a := s.answers.reply("turn", "MODEL", q.model)
	v, _ := Decode(a.body) // it is a file of ours
	whole, _ := fill(v, say.usage(q, said)).(obj)
	for name, field := range fields {
		whole[name] = field
	}
	raw, err := json.Marshal(whole)
	if err != nil {
		return reply{status: http.StatusInternalServerError, body: []byte(`{"error":{"message":"the script can't be written as JSON"}}`)}
	}
	a.body, a.again = raw, say.Fault == BadCall
	if raw, err := json.Marshal(said); err == nil && said != nil {
		v, _ := Decode(raw)
		a.said = s.protocol.entries(v)
	}
	return a
}
