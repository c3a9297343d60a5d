package wiretest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// conversation holds the turns of a conversation so far.
type conversation struct {
	asked   int // turns that the script was asked for
	turns   []turn
	pending *Say // what a struck fault keeps from being said
	left    int  // how often the fault of pending still strikes
	ids     int
}

// turn holds a request that was answered with a turn, and the answer.
type turn struct {
	request *request
	said    []entry
}

// id returns a name that the conversation has not had yet.
func (t *conversation) id(prefix string) string {
	t.ids++
	return fmt.Sprintf("%s%04d", prefix, t.ids)
}

// spoke reports whether the conversation had a turn that leaves a trace in the
// next request. Until then a request with nothing but the task continues it.
func (t *conversation) spoke() bool {
	return slices.ContainsFunc(t.turns, func(u turn) bool { return len(u.said) > 0 })
}

// entryKind tells texts, calls and answers apart.
type entryKind int

const (
	textEntry entryKind = iota
	thoughtEntry
	callEntry
	answerEntry
	pictureEntry // with or without a text
	otherEntry
)

// entry holds a piece of a conversation in the order of the wire, whatever
// message it was packed into.
type entry struct {
	role   string // system, user or model
	kind   entryKind
	id     string // of a call, and of its answer
	name   string // of a call
	group  string // must be the same in a call and its answer
	text   string
	images int
	failed bool // of an answer
	whole  any  // JSON, without what may change

	arguments any  // of a call
	loose     bool // the call may be echoed with equal arguments in another spelling
	computer  bool // a call of the provider's own computer tool
	looks     bool // a call that must be answered with a picture
	optional  bool // it need not be echoed
}

func (e entry) String() string { return short(e.whole) }

// short renders the beginning of JSON for a problem.
func short(v any) string {
	text, _ := json.Marshal(v)
	if len(text) > 160 {
		text = append(text[:160], "…"...)
	}
	return string(text)
}

func size(v any) int {
	text, _ := json.Marshal(v)
	return len(text)
}

// same reports whether an entry is what was sent or said before.
func same(was, is entry) bool {
	if was.role == is.role && reflect.DeepEqual(was.whole, is.whole) {
		return true
	}
	return was.loose && was.kind == is.kind && was.name == is.name && (was.id == "" || was.id == is.id) && sameArguments(was.arguments, is.arguments)
}

// sameArguments compares arguments: strings exactly, an object with its text.
// Torn ones may go back empty: servers read them again, and refuse the whole
// conversation for what is no JSON.
func sameArguments(said, echoed any) bool {
	if torn, ok := said.(string); ok && !json.Valid([]byte(torn)) && (echoed == "{}" || reflect.DeepEqual(echoed, obj{})) {
		return true
	}
	text, ok := echoed.(string)
	if _, object := said.(obj); !object || !ok {
		return reflect.DeepEqual(said, echoed)
	}
	v, err := Decode([]byte(text))
	return err == nil && reflect.DeepEqual(said, v)
}

// follower holds the entries of a request against a conversation.
type follower struct {
	rest     []entry
	changed  bool // something that was sent before has become shorter
	problems []string
}

func (r *follower) object(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// follow holds a request against the turn before: the entries of that request
// as they were (results and pictures may have become shorter), what was said then
// in full, each of its calls answered once and in order, and only then new texts.
// It fills in what Seen says of the answers and notes that are new.
func (t *conversation) follow(q *request) []string {
	r := &follower{rest: q.entries}
	if n := len(t.turns); n > 0 {
		last := t.turns[n-1]
		for _, e := range last.request.entries {
			r.bound(q, e)
			r.kept(e)
		}
		var calls []entry
		for _, e := range last.said {
			r.bound(q, e)
			if e = r.echoed(e, last.said); e.kind == callEntry {
				calls = append(calls, e)
			}
		}
		for len(last.said) > 0 && len(r.rest) > 0 && r.rest[0].role == "model" {
			r.object("the model has not said this: %s", r.rest[0])
			r.rest = r.rest[1:]
		}
		for _, call := range calls {
			r.answered(q, call)
		}
	}
	r.news(q)
	return r.problems
}

// bound objects to thoughts behind something that has changed since they were
// thought, where a model signs them over the conversation.
func (r *follower) bound(q *request, e entry) {
	if q.bound && r.changed && e.kind == thoughtEntry && len(r.rest) > 0 && same(e, r.rest[0]) {
		r.object("thoughts behind what has changed, and block_binding does not let them be dropped: %s", e)
		r.changed = false
	}
}

// kept takes an entry that was sent before from the head of the rest.
func (r *follower) kept(old entry) {
	if len(r.rest) == 0 {
		r.object("lost: %s", old)
		return
	}
	now := r.rest[0]
	if same(old, now) {
		r.rest = r.rest[1:]
		return
	}
	result := old.kind == answerEntry && now.kind == answerEntry && now.id == old.id && now.group == old.group
	picture := old.kind == pictureEntry && now.role == old.role && (now.kind == pictureEntry || now.kind == textEntry)
	if result || picture {
		r.changed = true
		if size(now.whole) >= size(old.whole) {
			r.object("a result that was sent has changed and is no shorter: %s", old)
		}
		r.rest = r.rest[1:]
		return
	}
	r.missing(old, "changed since it was sent")
}

// missing tells an entry that has changed from one that moved and one that is
// gone.
func (r *follower) missing(e entry, changed string) {
	now := r.rest[0]
	i := slices.IndexFunc(r.rest, func(o entry) bool { return same(e, o) })
	switch {
	case i >= 0:
		r.object("out of its place: %s", r.rest[0])
		r.rest = r.rest[i+1:]
	case now.role == e.role && now.kind == e.kind && now.id == e.id:
		r.object("%s: %s; it is %s", changed, e, now)
		r.rest = r.rest[1:]
	default:
		r.object("lost: %s; in its place is %s", e, now)
	}
}

// echoed takes an entry that was said from the head of the rest, and returns it
// with the id that the client gave it where the provider gave none.
func (r *follower) echoed(said entry, all []entry) entry {
	called := slices.ContainsFunc(all, func(e entry) bool { return e.kind == callEntry })
	switch {
	case len(r.rest) > 0 && same(said, r.rest[0]):
		said.id = r.rest[0].id
		r.rest = r.rest[1:]
	case said.optional || said.kind == thoughtEntry && !called:
	case len(r.rest) == 0:
		r.object("not echoed: %s", said)
	default:
		r.missing(said, "not echoed as it was said")
	}
	return said
}

// answered takes the answer to a call from the head of the rest.
func (r *follower) answered(q *request, call entry) {
	if len(r.rest) == 0 || r.rest[0].kind != answerEntry || r.rest[0].id != call.id || r.rest[0].group != call.group {
		in := "nothing"
		if len(r.rest) > 0 {
			in = r.rest[0].String()
		}
		r.object("call %s %s is not answered in its place, but by %s", call.name, call.id, in)
		return
	}
	a := r.rest[0]
	r.rest = r.rest[1:]
	if call.looks && a.images == 0 && !a.failed {
		r.object("call %s %s asks for a picture and is answered without one", call.name, call.id)
	}
	name := call.name
	if call.computer {
		name = "computer"
	}
	q.seen.Answers = append(q.seen.Answers, Answer{ID: a.id, Name: name, Text: a.text, Images: a.images, IsError: a.failed})
}

// news are the texts that a user says beside the task, and pictures that follow
// an answer. Nothing else may be new.
func (r *follower) news(q *request) {
	for _, e := range r.rest {
		switch {
		case e.role == "model" || e.kind != textEntry && e.kind != pictureEntry:
			r.object("nothing asked for this: %s", e)
		case e.role == "user":
			if n := len(q.seen.Answers); n > 0 {
				q.seen.Answers[n-1].Images += e.images
			}
			if e.text != q.seen.Task && e.text != "" {
				q.seen.Said = append(q.seen.Said, e.text)
			}
		}
	}
}
