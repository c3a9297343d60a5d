package rest

import (
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Request describes a request of a page for data or code, as its observer knows it. The
// judges of what may still change a page know no other form of it.
type Request struct {
	Method, URL string
	Sent        time.Time
	Answered    time.Time // when the answer's headers came; zero: not yet
	Ended       time.Time // when it was over, whatever came of it; zero: it is under way
	Done        bool      // what has come is the whole answer, though it is under way
	Endless     bool      // by its kind: a stream, a beacon, what is fetched ahead
	Repeats     bool      // the page had sent it before, since the last act
}

// LongPoll sets how long a request may be open before it counts as one that stays open by
// design, where anything else speaks for that.
const LongPoll = 2 * time.Second

// openReading sets how long a request that only reads is an answer to come, where
// nothing but its age speaks against that. A write is one until it is answered.
const openReading = 10 * time.Second

// Unanswered returns the requests whose answers may still change what a page shows, of all
// that its document has sent, oldest first. began is when it was first asked: of what
// the page has sent later, what it sends again and again is left out, or it would never
// end. acted is when the last act was done.
//
// Left out is what stays open by design: a stream, also one that is only known by an
// answer that does not end; a request that says of itself that it waits; the next one of a
// row of which each waits; a reading that has been open for long.
func Unanswered(now, began, acted time.Time, all []Request) []Request {
	var out []Request
	for i, r := range all {
		switch {
		case !r.Ended.IsZero(), r.Done, r.Endless, r.Repeats && r.Sent.After(began):
		case !r.Answered.IsZero() && now.Sub(r.Answered) > LongPoll:
		case saysItWaits(r.URL) && now.Sub(r.Sent) > LongPoll:
		case reads(r) && now.Sub(r.Sent) > openReading:
		case slices.ContainsFunc(all[:i], func(before Request) bool { return r.follows(before, acted) }):
		default:
			out = append(out, r)
		}
	}
	return out
}

func reads(r Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// follows reports whether a page sent a request as soon as one like it, which had waited
// for long, was over. An act between them is a reason of its own.
func (r Request) follows(before Request, acted time.Time) bool {
	if before.Ended.IsZero() || before.Method != r.Method || pathOf(before.URL) != pathOf(r.URL) {
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

// saysItWaits reports whether an address has a word by which protocols that hold a request
// back call it.
func saysItWaits(address string) bool {
	_, address, _ = strings.Cut(strings.ToLower(address), "://")
	_, address, _ = strings.Cut(address, "/") // a host says nothing
	words := strings.FieldsFunc(address, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.ContainsFunc(words, func(word string) bool {
		switch word {
		case "poll", "polling", "longpoll", "longpolling", "lp", "comet", "cometd", "bayeux", "sockjs", "signalr", "blazor", "wait", "timeout",
			"stream", "streaming", "subscribe", "subscription", "subscriptions", "listen", "watch", "push", "events", "updates", "changes", "notifications":
			return true
		}
		return false
	})
}
