package browser

import (
	"testing"
	"time"
)

// A pool that uses another's browsers has its own sessions; closed, it closes them, and
// the browsers stay.
func TestPoolWithBrowsersOfAnother(t *testing.T) {
	t.Parallel()
	lender := poolToBreak(t, nil).opts.Browsers // which no other test uses meanwhile
	p := NewPool(Options{Browsers: lender})
	s := launch(t, p, LaunchOptions{})
	if e, err := lender.running(t.Context()); err != nil || p.engine != nil || len(lender.SessionIDs()) != 0 {
		t.Fatalf("a driver of its own: %v; the lender's: %v, %v, with sessions %v", p.engine, e, err, lender.SessionIDs())
	}
	p.Close(3 * time.Second)
	if _, _, err := s.Evaluate(t.Context(), "1", nil); err == nil {
		t.Error("a session outlives its pool")
	}
	if _, err := p.Launch(t.Context(), LaunchOptions{}); err == nil {
		t.Error("a closed pool opens a session")
	}
	if n := len(s.current().context.process.Contexts()); n != 0 {
		t.Errorf("%d contexts are left in the lender's browser", n)
	}
	launch(t, lender, LaunchOptions{})
	if b := s.current().context.process; ended(b.gone) || len(b.Contexts()) != 1 {
		t.Error("the lender's browser was closed")
	}
}
