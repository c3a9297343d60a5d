package address

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/pattern"
)

// Request matches requests: "[METHOD ]pattern[ outcome]".
type Request struct {
	Pattern
	Method  string // empty: any but OPTIONS, which browsers send by themselves
	Outcome string // a status, 4xx and the like, failed, blocked, any; empty: an answer below 400
	Address string // the pattern as it is written
}

var outcomeForm = pattern.New(`^(?:[1-5]\d\d|[1-5]xx|failed|blocked|any)$`)

// ParseRequest reads a pattern of requests. An error is an [*Error].
func ParseRequest(text string) (Request, error) {
	r := Request{Address: strings.TrimSpace(text)}
	if i := strings.LastIndexByte(r.Address, ' '); i >= 0 && outcomeForm.MatchString(r.Address[i+1:]) {
		r.Outcome, r.Address = r.Address[i+1:], strings.TrimSpace(r.Address[:i])
	}
	if method, rest, found := strings.Cut(r.Address, " "); found && isMethod(method) {
		r.Method, r.Address = method, strings.TrimSpace(rest)
	}
	if isMethod(r.Address) && !strings.HasPrefix(r.Address, "*") {
		return r, &Error{fmt.Sprintf("request %q names no address", text), "write " + r.Address + " /orders for a path, or " + r.Address + " ** for any address"}
	}
	var err error
	r.Pattern, err = Parse(r.Address)
	return r, err
}

func isMethod(word string) bool {
	for _, c := range word {
		if (c < 'A' || c > 'Z') && c != '-' {
			return false
		}
	}
	return word != ""
}

// Is reports whether a request has the method and the address of the pattern.
func (r Request) Is(method, address string) bool {
	return (r.Method == method || r.Method == "" && method != "OPTIONS") && r.Fits(address)
}

// Sent describes what became of a request.
type Sent struct {
	Status  int  // 0: no answer
	Failed  bool // it came to no answer, or its answer broke off
	Blocked bool // by a rule of ours
}

// Came reports whether a request had the outcome of the pattern.
func (r Request) Came(s Sent) bool {
	switch r.Outcome {
	case "":
		return !s.Blocked && !s.Failed && s.Status > 0 && s.Status < 400
	case "any":
		return true
	case "blocked":
		return s.Blocked
	case "failed":
		return s.Failed && !s.Blocked
	}
	status := strconv.Itoa(s.Status)
	return !s.Blocked && !s.Failed && (status == r.Outcome || s.Status >= 100 && status[:1]+"xx" == r.Outcome)
}

// String reports what became of a request.
func (s Sent) String() string {
	switch {
	case s.Blocked:
		return "blocked by a rule"
	case s.Failed && s.Status == 0:
		return "failed"
	case s.Failed:
		return fmt.Sprintf("%d, then broken off", s.Status)
	case s.Status == 0:
		return "not answered yet"
	default:
		return strconv.Itoa(s.Status)
	}
}
