package flow

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/text"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
)

// Page holds all that a flow needs of a browser page.
type Page interface {
	// Do performs a step that acts or waits for an element. Secrets in the
	// value of a fill are still references: the page reveals them.
	Do(ctx context.Context, s qa.FlowStep, timeout time.Duration) error
	// Recognise makes sure, before a step of a recorded flow, that its selector
	// leads to one element and to the recorded one. It waits for that. What is not
	// so is the fault of a [Drift].
	Recognise(ctx context.Context, e RecordedElement, s qa.FlowStep, timeout time.Duration) error
	// Check looks until the assertion holds or time is up. An error says that
	// it could not look.
	Check(ctx context.Context, a qa.Assertion, selector string, timeout time.Duration) (qa.Outcome, error)
	// Visual compares a picture with its baseline, as a step of kind visual says.
	// An outcome that did not pass is the page's fault; an error says that nothing
	// was compared. The number stands for the picture of the page, as Shoot's; 0
	// is none.
	Visual(ctx context.Context, s qa.FlowStep, timeout time.Duration) (qa.Outcome, int, error)
	// Shoot takes a picture of the page, or of one element, as it is now. What
	// else is to be done with the picture may be done later. The number stands
	// for the picture; numbers count from 1. That the page is lost may show here
	// first, and only here. The place of the element that locate names is kept with
	// a picture of the page; "" names none.
	Shoot(ctx context.Context, name, selector, locate string) (int, error)
	// Scene describes what the page shows, to explain why a step
	// failed. It is best effort.
	Scene(ctx context.Context) Scene
}

// Resting adds to a [Page] that it looks at several assertions as one, and can report when it
// stands still. What held once may be taken back: such a page is looked at again.
type Resting interface {
	// First looks once at assertions that follow one another, and returns the outcomes of the
	// leading ones that hold. What does not hold is for Check to wait for.
	First(ctx context.Context, all []qa.Asked) []qa.Outcome
	// Confirm looks a second time at what First or Check found to hold last. Where it sees the
	// same it answers at once, else when what is looked at is at rest. An outcome says whether
	// the assertion holds with other words, too, and so proves nothing. They end with the first
	// that does not hold any more, or could not be looked at.
	Confirm(ctx context.Context, all []qa.Asked) []Looked
	// Again looks once at each, without waiting for anything.
	Again(ctx context.Context, all []qa.Asked) []Looked
	// Last looks once at each, at the end, when the answers that the page waits for have come.
	// That one does not come in time is an error.
	Last(ctx context.Context, all []qa.Asked) []Looked
	// Watch follows the page for watchMS after its last change, nil: as long as is
	// configured. It answers what it saw in words, and an outcome where the page
	// broke meanwhile.
	Watch(ctx context.Context, watchMS *int) (note string, broke *qa.Outcome, err error)
}

// Looked holds the outcome of one of several assertions, or why it could not be looked at.
type Looked struct {
	qa.Outcome
	Err error
}

// Noting adds to a [Page] what is to be told of a step that was done.
type Noting interface {
	// Note returns it for the newest step that acted, or "".
	Note() pagetext.Sentence
}

// Scene describes what a page shows. All of its texts come from the page.
type Scene struct {
	URL    string          `json:"url"`
	Title  pagetext.Text   `json:"title"`
	Errors []pagetext.Text `json:"errors,omitempty"` // alerts and invalid fields that are visible
}

// Fault says why a step could not be done. Errors of a [Page] that hold none
// are faults of the tester.
type Fault struct {
	Code      string
	Message   pagetext.Sentence
	Hint      string
	Near      []pagetext.Text // the page's words: candidates, as selectors
	Ended     qa.Cause        // whose fault it is, and the facts; the zero value: the tester's
	TimedOut  bool            // it is a time-out, which a shorter time than wanted may have caused
	Transient bool            // it may be gone the next time
	GoesOn    bool            // the steps that follow can be done all the same; the flow can't pass any more
	OutOfTime bool            // the flow's own time was over, whatever was being done
	Lost      bool            // the page is gone: there is nothing to look at, and no step can follow
	Drift     *Drift          // how the page differs from what was recorded
	Cause     error
}

func (f *Fault) Error() string { return f.Sentence().Line() }

// Sentence returns code and message, with the page's words apart.
func (f *Fault) Sentence() pagetext.Sentence { return pagetext.Sentencef("%s: %s", f.Code, f.Message) }

// OfPage reports whether the thing under test is at fault, and not the tester.
func (f *Fault) OfPage() bool { return f.Ended.Ending == qa.DoesNotHold }

// Unwrap returns the cause, which may be nil.
func (f *Fault) Unwrap() error { return f.Cause }

// faultOf returns the fault in an error.
func faultOf(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return &Fault{Code: code.Internal, Message: pagetext.Sentencef("%v", err), Cause: err}
}

// pageLoss returns the fault in an error that says that the page is lost, or nil.
func pageLoss(err error) *Fault {
	if f := faultOf(err); f.Lost {
		return f
	}
	return nil
}

// Clock gives the time, and waits.
type Clock interface {
	Now() time.Time
	Sleep(ctx context.Context, d time.Duration) error
}

// Resolve makes the addresses of a flow absolute: start_url against base, the
// steps' against start_url, or base where there is none.
func (f Flow) Resolve(base string) (Flow, Problems) {
	var problems Problems
	absolute := func(field, address, base string) string {
		u, err := url.Parse(strings.TrimSpace(address))
		if err != nil || u.IsAbs() {
			return address // what is wrong with it is for the rule to say
		}
		b, err := url.Parse(base)
		if err != nil || !b.IsAbs() || b.Host == "" {
			p := Problem{Field: field, Message: "address " + text.Shorten(address, 100) +
				" is relative, and there is nothing that it is relative to: give a full http or https address, or a base address"}
			if i, ok := stepIndex(field); ok {
				p.Where = f.stepName(i)
			}
			problems = append(problems, p)
			return address
		}
		return b.ResolveReference(u).String()
	}
	out := f
	if f.StartURL != "" {
		out.StartURL = absolute("start_url", f.StartURL, base)
		base = out.StartURL
	}
	out.Steps = make([]qa.FlowStep, len(f.Steps))
	for i, s := range f.Steps {
		if s.URL != "" {
			s.URL = absolute(stepField(i)+".url", s.URL, base)
		}
		out.Steps[i] = s
	}
	return out, problems
}
