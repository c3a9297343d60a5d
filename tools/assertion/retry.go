package assertion

import (
	"context"
	"errors"
	"reflect"
	"time"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/internal/wait"
	"github.com/assay-qa/assay/qa"
)

// DefaultTimeout sets how long an assertion is waited for, where the caller gives no
// time-out.
const DefaultTimeout = 5 * time.Second

// Call names what a checker needs of the call that asserts.
type Call interface {
	Now() time.Time
	// SignedIn returns an error where the session's sign-in has ended: what the page
	// shows then decides nothing.
	SignedIn(ctx context.Context) error
	// ConsoleErrors returns the errors that a clean console must not have; those of
	// another page than that at address say which.
	ConsoleErrors(address string) []pagetext.Text
	// NoteSeen records that a selector matched, or that a text was found.
	NoteSeen(what ...pagetext.Text)
	// SeenBefore says whether an element or a text was seen before in the run: whole
	// as it was noted, or within what was. Nothing is within an empty text. never reports
	// that it was not.
	SeenBefore(whole, within string) (words string, never bool)
	// Words returns the words of the sentences that the check is to prove.
	Words() []string
}

// Checker makes assertions about the page of a session.
type Checker struct {
	Call
	Session *browser.Session
	Window  browser.Window // from when requests count
	Watch   time.Duration  // how long a page is watched before something is absent; 0: until it rests

	Later        []qa.Assertion // made after the one that is looked at, with no act between
	NumberLocale string         // how pages write figures, whatever they declare; "" means as they declare

	sights *sights // what was seen of several at once; nil: the page is looked at
	absent bool    // the assertion that is looked at holds because something is not there
}

// Result holds the last comparison of an assertion.
type Result struct {
	qa.Outcome
	Seen   qa.Observation
	Waited time.Duration
	Blind  []string // of an absence: what could not be looked into, such as "1 canvas"

	went  bool              // it was seen, and went away by itself
	moves browser.Documents // of an absence: those in which something may come when it is scrolled
}

// maxRounds sets how often an assertion that was taken back is waited for anew.
const maxRounds = 3

// Check calls Retry and, where the assertion holds, takes a second look when the
// page has had the time to change. It is what a single check is made with.
func (k Checker) Check(ctx context.Context, a qa.Assertion, selector string, timeout time.Duration) (Result, error) {
	looked := k.CheckAll(ctx, []qa.Asked{{A: a, Selector: selector, Timeout: timeout}})[0]
	return looked.Result, looked.Err
}

// checkAlone makes an assertion that has been waited for so long.
func (k Checker) checkAlone(ctx context.Context, one qa.Asked, waited time.Duration) (Result, error) {
	r, err := k.retryAfter(ctx, one.A, one.Selector, one.Timeout, waited)
	if err != nil || !r.Passed {
		return r, err
	}
	if !one.A.Absent() {
		k.Session.LetChange(ctx)
	}
	return k.Confirm(ctx, one.A, one.Selector, r, one.Timeout)
}

// ErrLoadedAgain says that the page was loaded again since the sign-in had ended under it: what was
// looked at before decides nothing.
var ErrLoadedAgain = errors.New("the page was loaded again")

// Retry looks until the assertion holds or timeout is over, on a page that is signed in: where
// the sign-in had to be renewed it looks anew.
func (k Checker) Retry(ctx context.Context, a qa.Assertion, selector string, timeout time.Duration) (Result, error) {
	return k.retryAfter(ctx, a, selector, timeout, 0)
}

// retryAfter does so for an assertion that has been waited for so long.
func (k Checker) retryAfter(ctx context.Context, a qa.Assertion, selector string, timeout, waited time.Duration) (Result, error) {
	r, err := k.retry(ctx, a, selector, timeout, waited)
	if errors.Is(err, ErrLoadedAgain) {
		return k.retry(ctx, a, selector, timeout, 0)
	}
	return r, err
}

// retry looks until the assertion holds or timeout is over. A look that is not
// possible is an error, never a failed check, and so is one at a login page.
// Nothing is absent before the page has come to rest and was watched. The time
// of that, and of waiting for work of our own, is not the page's.
func (k Checker) retry(ctx context.Context, a qa.Assertion, selector string, timeout, waited time.Duration) (Result, error) {
	r := Result{Waited: waited}
	for round := 1; ; round++ {
		var err error
		if r, err = k.until(ctx, a, selector, timeout-r.Waited, r.Waited); err != nil {
			return r, err
		}
		if !r.Passed || !a.Absent() || round > maxRounds {
			break
		}
		if err := k.AwaitRest(ctx); err != nil {
			return r, err
		}
		again, err := k.afterAnswers(ctx, a, selector, false, func() (Result, error) { return k.Once(ctx, a, selector) })
		if err != nil {
			return r, err
		}
		again.Waited = r.Waited
		if r = again; r.Passed {
			break
		}
	}
	if goesBeyondTheView(a, selector, r) {
		var err error
		if r, err = k.throughScrollers(ctx, a, selector, r); err != nil {
			return r, err
		}
	}
	return r, k.RefuseIfExpired(ctx, a, r.Passed)
}

// until looks until the assertion holds or timeout is over, counted from the
// end of the first look.
func (k Checker) until(ctx context.Context, a qa.Assertion, selector string, timeout, before time.Duration) (Result, error) {
	var start time.Time
	pause := 20 * time.Millisecond
	for {
		r, err := k.Once(ctx, a, selector)
		if err != nil {
			return Result{}, err
		}
		if start.IsZero() {
			start = k.Now()
		}
		waited := k.Now().Sub(start)
		if r.Waited = before + waited; r.Passed || waited >= timeout {
			return r, r.Undecided(a, selector)
		}
		if err := wait.For(ctx, min(pause, timeout-waited)); err != nil {
			return Result{}, err
		}
		pause = min(2*pause, 250*time.Millisecond)
	}
}

// Undecided returns the error of a look that could not tell what is seen.
func (r Result) Undecided(a qa.Assertion, selector string) error {
	if r.Passed || r.Doubt == "" {
		return nil
	}
	return inDoubt(a, selector, r.Doubt)
}

// Once looks once.
func (k Checker) Once(ctx context.Context, a qa.Assertion, selector string) (Result, error) {
	seen, err := k.Observe(ctx, a, selector)
	if err != nil {
		return Result{}, err
	}
	r := Result{Outcome: a.Compare(seen), Seen: seen}
	k.noteObserved(a, selector, seen)
	if r.Passed && a.Absent() {
		return k.observeAllFrames(ctx, a, selector, r)
	}
	return r, nil
}

// AwaitRest waits until the page is at rest and was watched: only then is what is
// not there absent.
func (k Checker) AwaitRest(ctx context.Context) error {
	window := k.Watch
	return k.Session.WatchFrames(ctx, max(window, k.Session.Waits().Rest), func() (err error) {
		if window > 0 {
			_, err = k.Session.Watch(ctx, window)
		} else {
			_, err = k.Session.Rest(ctx, browser.RestOptions{})
		}
		return err
	})
}

// Confirm looks a second time at an assertion that held, and finds out whether it
// proves nothing: it is about what the caller typed, or holds with other words,
// too. What is absent was watched already.
func (k Checker) Confirm(ctx context.Context, a qa.Assertion, selector string, first Result, timeout time.Duration) (Result, error) {
	r := first
	if !a.Absent() {
		var err error
		if r, err = k.afterAnswers(ctx, a, selector, false, func() (Result, error) { return k.again(ctx, a, selector, first, timeout) }); err != nil || !r.Passed {
			return r, err
		}
	}
	return k.proved(ctx, a, selector, r)
}

// proved finds out whether an assertion that holds proves nothing.
func (k Checker) proved(ctx context.Context, a qa.Assertion, selector string, r Result) (Result, error) {
	made, stood, err := k.typedReasons(ctx, a, selector, r)
	if err != nil {
		return r, err
	}
	r.Seen.Stood = max(r.Seen.Stood, count(stood))
	held, err := k.counterCheck(ctx, a, selector, r.Seen)
	if err != nil {
		return r, err
	}
	if r.Void = made; held != "" {
		r.Void = append(r.Void, held)
	}
	return r, nil
}

// again looks a second time at an assertion that held. Where it sees the same,
// that is the outcome; where it does not, what is looked at must come to rest
// first. What does not come to rest proves nothing: that is an error.
func (k Checker) again(ctx context.Context, a qa.Assertion, selector string, first Result, timeout time.Duration) (Result, error) {
	for range maxRounds {
		second, err := k.Once(ctx, a, selector)
		if err != nil {
			return second, err
		}
		second.Waited = first.Waited
		if second.Passed && sameSight(a, first.Seen, second.Seen) {
			return second, nil
		}
		if second, err = k.afterTimer(ctx, a, selector, second); err != nil || second.Passed && second.went {
			return second, err
		}
		if _, err := k.Session.Rest(ctx, browser.RestOptions{Selector: selector}); err != nil {
			return second, err
		}
		r, err := k.until(ctx, a, selector, timeout-first.Waited, first.Waited)
		if err != nil || !r.Passed {
			if err == nil {
				err = k.RefuseIfExpired(ctx, a, false)
			}
			return k.endedByTimer(r), err
		}
		if second.Passed || r.Waited == first.Waited { // it held at once when all stood still
			return r, nil
		}
		first = r
	}
	return first, nil
}

// sameSight compares what two looks saw of the assertion's subject. The number
// of requests doesn't count: a page that polls sends more. Of a text that is
// contained the texts that hold it count, not their surroundings.
func sameSight(about qa.Assertion, a, b qa.Observation) bool {
	a.Came, a.Reaches, a.Stood, a.Same, a.There, a.Left = b.Came, b.Reaches, b.Stood, b.Same, b.There, b.Left // none of it is a sight
	if about.Type == qa.TextContains || about.Type == qa.TextMatches {
		a.Text = b.Text
	}
	return !b.Ending && reflect.DeepEqual(a, b)
}

// RefuseIfExpired refuses an outcome that a login page brought about: whatever failed
// there, and what holds because something is not there. What was found, such as
// the button that a flow signed out to see, stands.
func (k Checker) RefuseIfExpired(ctx context.Context, a qa.Assertion, passed bool) error {
	if passed && !a.Absent() {
		return nil
	}
	return k.SignedIn(ctx)
}

// ErrDoubt says that a look could not decide what is seen; it is the cause of
// that look's error.
var ErrDoubt = errors.New("what is seen could not be decided")

// asserted names an assertion and its subject.
func asserted(a qa.Assertion, selector string) pagetext.Sentence {
	if selector == "" {
		return pagetext.Sentencef("%s", a.Type)
	}
	return pagetext.Sentencef("%s %s", a.Type, pagetext.Text(selector))
}

// inDoubt returns the error of an assertion whose subject may or may not be
// seen by a person.
func inDoubt(a qa.Assertion, selector, why string) error {
	e := &explain.Error{Code: explain.TimedOut, Retriable: true, Cause: ErrDoubt, Open: true,
		Message: pagetext.Sentencef("%s: whether it is seen cannot be decided: %s", asserted(a, selector), pagetext.Text(why)),
		Hint:    "wait until what moves stands still, or check another element"}
	switch a.Type {
	case qa.NumberCompared, qa.SortedBy:
		e.Message = pagetext.Sentencef("%s: it cannot be decided: %s", asserted(a, selector), pagetext.Text(why))
		e.Hint = "check an element that shows one number or date, in one way to read it"
	case qa.Downloaded, qa.AriaSnapshot:
		e.Message, e.Hint = pagetext.Sentencef("%s: it cannot be decided: %s", asserted(a, selector), pagetext.Text(why)), ""
	case qa.CountEquals, qa.CountAtLeast, qa.CountAtMost:
		e.Message = pagetext.Sentencef("%s: how many there are cannot be decided: %s", asserted(a, selector), pagetext.Text(why))
		e.Hint = "wait until what moves stands still; of a list that renders only what is in view, check the total that the page shows, or one row by its text"
	}
	return e
}
