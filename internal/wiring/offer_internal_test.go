package wiring

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/assay-qa/assay/server"
)

// offered is an offer whose person and installation a test plays.
type offered struct {
	offer
	asked, installed, unheard int
	answer                    error // of who asks; nil: yes
	finish                    chan string
	step                      func(string)
}

func offering() *offered {
	o := &offered{finish: make(chan string)}
	o.missing = func() bool { return true }
	o.ask = func(context.Context) (bool, error) { o.asked++; return o.answer == nil, o.answer }
	o.unanswered = func(error) { o.unheard++ }
	o.install = func(report func(string)) string {
		o.installed++
		o.step = report
		return <-o.finish
	}
	return o
}

// A cancelled call leaves the installation that its person agreed to running; calls beside it wait
// for that and hear how far it is, and one of them says what came of it.
func TestInstallationOutlivesItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := offering()
		first, cancel := context.WithCancel(t.Context())
		answers := make(chan string, 3)
		go func() { answers <- o.before(first, func(string) {}) }()
		synctest.Wait()
		cancel()
		if got := <-answers; got != "" || o.installed != 1 {
			t.Fatalf("the cancelled call says %q; installations: %d", got, o.installed)
		}
		heard := make(chan string, 2)
		for range 2 {
			go func() { answers <- o.before(t.Context(), func(step string) { heard <- step }) }()
		}
		synctest.Wait()
		if len(answers) != 0 {
			t.Fatal("a call beside the installation doesn't wait for it")
		}
		o.step("npm")
		if len(heard) != 2 {
			t.Errorf("%d of 2 calls heard how far it is", len(heard))
		}
		o.finish <- "installed"
		if one, other := <-answers, <-answers; one+other != "installed" {
			t.Errorf("the calls say %q and %q, want it once", one, other)
		}
		if got := o.before(t.Context(), nil); got != "" || o.asked != 1 || o.installed != 1 {
			t.Errorf("a call afterwards says %q; %d questions, %d installations", got, o.asked, o.installed)
		}
	})
}

// A call that was cancelled while it asked has asked nobody: the next one asks again. Who can't be
// asked, says no or lacks nothing isn't asked twice, and nothing is installed.
func TestOfferWithoutAYes(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	o := offering()
	o.answer = context.Canceled
	if got := o.before(gone, nil); got != "" || o.unheard != 1 {
		t.Errorf("a call that was cancelled while it asked says %q; %d warnings", got, o.unheard)
	}
	if o.before(t.Context(), nil); o.asked != 2 {
		t.Errorf("after a cancelled question %d were asked, want 2", o.asked)
	}
	for name, c := range map[string]struct {
		answer error
		fine   bool
		asked  int
	}{"late": {context.DeadlineExceeded, false, 1}, "mute client": {server.ErrCannotAsk, false, 1}, "nothing missing": {nil, true, 0}} {
		o := offering()
		o.answer, o.missing = c.answer, func() bool { return !c.fine }
		for range 2 {
			if got := o.before(t.Context(), nil); got != "" {
				t.Errorf("%s: %q", name, got)
			}
		}
		if o.asked != c.asked || o.installed != 0 || (o.unheard == 1) != errors.Is(c.answer, context.DeadlineExceeded) {
			t.Errorf("%s: %d questions, %d installations, %d warnings", name, o.asked, o.installed, o.unheard)
		}
	}
	if got := joined([]string{"", "notice", ""}); got != "notice" {
		t.Errorf("empty texts are joined: %q", got)
	}
}

// A server that ends waits for its installation to be given up, and no longer than it may.
func TestServerEndsItsInstallation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := offering()
		o.ended(t.Context()) // none runs
		o.begin()
		synctest.Wait()
		short, cancel := context.WithCancel(t.Context())
		cancel()
		o.ended(short)
		over := make(chan struct{})
		go func() { o.ended(t.Context()); close(over) }()
		synctest.Wait()
		select {
		case <-over:
			t.Error("the server doesn't wait for the end of its installation")
		default:
		}
		o.finish <- "stopped"
		<-over
	})
}
