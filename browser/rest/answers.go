package rest

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// Request describes a request of a page, as its observer knows it. The judges of what may
// still change a page know no other form of it.
type Request struct {
	Method, URL string
	Sent        time.Time
	Answered    time.Time // when the answer's headers came; zero: not yet
	Ended       time.Time // when it was over, whatever came of it; zero: it is under way
	Data        bool      // for data or code; others bring what a page is made of
	Done        bool      // what has come is the whole answer, though it is under way
	Endless     bool      // by its kind: a stream, a beacon, what is fetched ahead
	Repeats     bool      // the page had sent it before, since the last act
	Waited      bool      // one like it has stayed open in this session, as if by design
}

// Patience sets how long the answers of requests for data are waited for, from when they
// were sent; 0: until they come.
type Patience struct{ Reading, Writing time.Duration }

// ToRest is the patience of who waits for a page to stand still: it may do so while an
// answer is still to come.
func ToRest() Patience { return Patience{LongPoll, LongPoll} }

// ToProve is the patience of who takes what a page shows for a proof: an answer may change
// it. A reading that is open for that long stays open by design; a write is taken or refused.
func ToProve() Patience { return Patience{Reading: ByDesign} }

// Awaited returns which requests' answers may still change what a page shows, of all that
// its document has sent, oldest first. began is when it was first asked: of what the page
// has sent later, what it sends again and again is left out, or it would never end. acted
// is when the last act was done.
//
// What is left out shows by what it does that it stays open by design: a stream, also one
// that is only known by an answer that does not end; the next one of a row of which each
// waits; one of which the like has stayed open before; one that stands open beside a page at
// rest; what was open for longer than the patience.
func Awaited(now, began, acted time.Time, all []Request, p Patience) []Request {
	var out []Request
	for i, r := range all {
		if r.awaited(now, began, p) && !r.stands(now, acted, all) && !slices.ContainsFunc(all[:i], func(before Request) bool { return r.follows(before, acted) }) {
			out = append(out, r)
		}
	}
	return out
}

func (r Request) awaited(now, began time.Time, p Patience) bool {
	open, patience := now.Sub(r.Sent), p.Writing
	if r.reads() {
		patience = p.Reading
	}
	switch {
	case !r.Ended.IsZero(), r.Done, r.Endless, r.Repeats && r.Sent.After(began):
		return false
	case !r.Data:
		return true
	case !r.Answered.IsZero() && now.Sub(r.Answered) > LongPoll, r.Waited && open > LongPoll:
		return false
	}
	return patience == 0 || open <= patience
}

// stands reports whether a reading stays open beside a page that is at rest: it was sent before
// the last act, and nothing else that the page has sent is under way, or was shortly ago.
func (r Request) stands(now, acted time.Time, all []Request) bool {
	if !r.Data || !r.reads() || !acted.After(r.Sent) || now.Sub(r.Sent) <= Standing {
		return false
	}
	return !slices.ContainsFunc(all, func(other Request) bool {
		underWay := other.Ended.IsZero() && !other.Done && !other.Endless
		standsToo := underWay && other.Data && other.reads() && acted.After(other.Sent) && now.Sub(other.Sent) > Standing
		return underWay && !standsToo || !other.Ended.IsZero() && now.Sub(other.Ended) < LongPoll
	})
}

func (r Request) reads() bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// StayedOpen reports whether a reading was open for so long that those like it stay open by
// design.
func (r Request) StayedOpen(now time.Time) bool {
	end := r.Ended
	if end.IsZero() {
		end = now
	}
	return r.Data && r.reads() && end.Sub(r.Sent) >= ByDesign
}

// Like reports whether two requests differ in nothing but their queries.
func (r Request) Like(other Request) bool {
	return r.Method == other.Method && pathOf(r.URL) == pathOf(other.URL)
}

// follows reports whether a page sent a request as soon as one like it, which had waited
// for long, was over. An act between them is a reason of its own.
func (r Request) follows(before Request, acted time.Time) bool {
	if before.Ended.IsZero() || !r.Data || !r.Like(before) {
		return false
	}
	if acted.After(before.Ended) && !acted.After(r.Sent) {
		return false
	}
	pause := r.Sent.Sub(before.Ended)
	return before.Ended.Sub(before.Sent) >= LongPoll && pause >= 0 && pause <= LongPoll
}

func pathOf(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return path
}
