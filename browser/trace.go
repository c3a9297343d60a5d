package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mxschmitt/playwright-go"

	"github.com/assay-qa/assay/browser/rest"
	"github.com/assay-qa/assay/browser/trace"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
)

// tracer records the Playwright trace of a session. It has several parts when
// the browser died meanwhile: each context has its own.
type tracer struct {
	*livePage
	turn *wait.Places // one: the right to start and to stop

	mu     sync.Mutex
	wanted bool
	part   *tracePart   // being recorded, or nil
	past   []*tracePart // of contexts that are gone
	notes  []string     // what is missing, and why
	groups []trace.Group
	count  int // parts so far, for their names
}

// tracePart holds a part together with the context that it is recorded in.
type tracePart struct {
	*trace.Part
	context *browserContext
	cut     bool // its browser died
}

func newTracer(p *livePage) *tracer { return &tracer{livePage: p, turn: wait.NewPlaces(1)} }

// discardTrace removes a recording that no caller has taken.
func (s *tracer) discardTrace() {
	s.mu.Lock()
	parts := s.past
	if s.part != nil {
		parts = append(parts, s.part)
	}
	s.wanted, s.part, s.past, s.notes, s.groups = false, nil, nil, nil, nil
	s.mu.Unlock()
	for _, p := range parts {
		if err := p.Discard(); err != nil {
			s.pool.Log.Warn("remove an unused trace", "session", s.id, "err", err)
		}
	}
}

// endTrace has the driver write the rest of a trace that no caller has taken:
// it would make the files anew after they were removed.
func (s *tracer) endTrace(ctx context.Context, l *browserContext) {
	s.mu.Lock()
	going := s.part != nil && s.part.context == l
	s.mu.Unlock()
	if !going {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, rest.NoticeLimit)
	defer cancel()
	_ = ask(ctx, l, func() error { return l.pw.Tracing().Stop() }) // a context that is gone writes nothing more
}

// Trace describes what was recorded of a session.
type Trace struct {
	Parts []*trace.Part
	Notes []string // what is missing, and why
}

// Traced reports whether the session is being traced.
func (s *tracer) Traced() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wanted
}

// StartTrace begins to record a Playwright trace of the session: screenshots,
// DOM snapshots, network. It does nothing when there is one already. It is
// bounded by [traceLimit] and asks no page.
func (s *tracer) StartTrace(ctx context.Context) error {
	if s.Traced() {
		return nil
	}
	if err := s.turn.Take(ctx); err != nil {
		return classify(err, pagetext.Sentencef("start the trace of %s", s.id))
	}
	defer s.turn.Give()
	if s.Traced() {
		return nil
	}
	s.mu.Lock()
	s.wanted, s.groups = true, nil
	s.mu.Unlock()
	if err := s.record(ctx, s.current().context); err != nil {
		s.mu.Lock()
		s.wanted = false
		s.mu.Unlock()
		return classify(err, pagetext.Sentencef("start the trace of %s", s.id))
	}
	return nil
}

// record begins a part in a context.
func (s *tracer) record(ctx context.Context, l *browserContext) error {
	s.mu.Lock()
	s.count++
	name := fmt.Sprintf("%s-%d", s.id, s.count)
	s.mu.Unlock()
	l.traces.Enter(l)
	err := ask(ctx, l, func() error {
		return l.pw.Tracing().Start(playwright.TracingStartOptions{Name: &name, Title: &s.id,
			Screenshots: playwright.Bool(true), Snapshots: playwright.Bool(true), Sources: playwright.Bool(false)})
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.part = &tracePart{Part: l.traces.Part(name), context: l}
	return nil
}

// traceAnew goes on in a new context with the trace that the session had in one
// that died. The part until then is whatever reached the disk.
func (s *tracer) traceAnew(ctx context.Context, l *browserContext) {
	s.mu.Lock()
	wanted, part := s.wanted, s.part
	if wanted && part != nil {
		part.cut = true
		s.past, s.part = append(s.past, part), nil
	}
	s.mu.Unlock()
	if part != nil {
		s.leaveTraces(part.context)
	}
	if !wanted {
		return
	}
	if err := s.record(ctx, l); err != nil {
		s.addNote("after the browser's crash the trace could not go on: " + reason(err))
		s.pool.Log.Warn("trace a rebuilt session", "session", s.id, "err", err)
	}
}

// endTracePart ends, whole, what was recorded of a context that is about to be
// replaced. The trace goes on in the next one.
func (s *tracer) endTracePart(ctx context.Context) {
	if s.turn.Take(ctx) != nil {
		return // the part is taken for cut then
	}
	defer s.turn.Give()
	s.mu.Lock()
	part := s.part
	s.mu.Unlock()
	if part == nil {
		return
	}
	err := ask(ctx, part.context, func() error { return part.context.pw.Tracing().Stop() })
	s.mu.Lock()
	defer s.mu.Unlock()
	part.cut = err != nil
	s.past, s.part = append(s.past, part), nil
}

// StopTrace ends the recording and returns it; there are no parts when there
// was none. It asks no page, and works after the browser's end: what had been
// written by then is a part.
func (s *tracer) StopTrace(ctx context.Context) (Trace, error) {
	if err := s.turn.Take(ctx); err != nil {
		return Trace{}, classify(err, pagetext.Sentencef("stop the trace of %s", s.id))
	}
	defer s.turn.Give()
	s.mu.Lock()
	part, past, notes, groups := s.part, s.past, s.notes, s.groups
	s.wanted, s.part, s.past, s.notes, s.groups = false, nil, nil, nil, nil
	s.mu.Unlock()
	if part != nil {
		// Its files are read where they lie: the driver need not pack them first.
		err := ask(ctx, part.context, func() error { return part.context.pw.Tracing().Stop() })
		if err != nil {
			part.cut = true
			notes = append(notes, "the end of the trace may be missing: "+reason(err))
		}
		past = append(past, part)
	}
	var parts []*trace.Part
	for _, p := range past {
		p.Groups = groups
		parts = append(parts, p.Part)
		if p.cut {
			notes = append(notes, "the browser died while it was traced: the last moments before that may be missing")
		}
	}
	return Trace{Parts: parts, Notes: notes}, nil
}

// TraceGroup names what was done in a span of time; it is forgotten when no
// trace is recorded.
func (s *tracer) TraceGroup(g trace.Group) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wanted {
		s.groups = append(s.groups, g)
	}
}

// leaveTraces notes that a context is gone, which its trace needed.
func (s *tracer) leaveTraces(l *browserContext) {
	if err := l.traces.Leave(l); err != nil {
		s.pool.Log.Warn("remove what traces had in common", "err", err)
	}
}

func (s *tracer) addNote(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, text)
}

// ask puts a question about a context to the driver, which may never answer.
func ask(ctx context.Context, l *browserContext, question func() error) error {
	_, err := answerOf(ctx, func() (struct{}, error) { return struct{}{}, question() }, rest.Policy{Limit: rest.TraceLimit, Events: []rest.Event{{Of: l.gone, Err: errGone}}})
	if errors.Is(err, rest.ErrLimit) {
		return errors.New("the driver did not answer in " + rest.TraceLimit.String())
	}
	return err
}

// MarkTrace takes a DOM snapshot of the page as it is now into the trace, for a
// call that only looked, or led to another document: see driver_shim.js. Without
// an answer there is none.
func (s *tracer) MarkTrace(ctx context.Context) {
	t := s.current()
	if !s.Traced() || !t.usable() || ended(t.context.gone) {
		return
	}
	_, err := within(ctx, t, rest.MarkLimit, func() (bool, error) { return t.page.Locator("html").IsHidden() })
	if err != nil {
		s.pool.Log.Debug("mark the trace", "session", s.id, "err", err)
	}
}
