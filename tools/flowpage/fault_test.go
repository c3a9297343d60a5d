package flowpage_test

import (
	"errors"
	"testing"

	"github.com/assay-qa/assay/browser/explain"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/flow"
	"github.com/assay-qa/assay/tools/flowpage"
)

// Whose fault a step is follows from what was measured: the address of the caller, which
// the message repeats, decides nothing.
func TestFaultOfAnAddress(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"plain", "ERR_PROXY", "ERR_ABORTED", "net::ERR_UNSAFE_PORT", "the-page-closed-itself", "Download is starting"} {
		refused := &explain.Error{Code: explain.NavigationFailed, Net: "ERR_CONNECTION_REFUSED", Message: pagetext.Sentencef("page_navigate http://127.0.0.1:1/%s: nothing answers there", path)}
		if f := flowpage.Fault(refused, true); !f.OfPage() || !f.Transient || f.Ended.Ending != qa.DoesNotHold {
			t.Errorf("a closed port, %s: %+v", path, f.Ended)
		}
		proxy := &explain.Error{Code: explain.NavigationFailed, Net: "ERR_PROXY_CONNECTION_FAILED", Message: pagetext.Sentencef("page_navigate http://127.0.0.1:1/%s", path)}
		if f := flowpage.Fault(proxy, true); f.OfPage() || f.Transient {
			t.Errorf("a proxy that does not answer, %s: %+v", path, f.Ended)
		}
		died := &explain.Error{Code: explain.PageCrashed, Message: pagetext.Sentencef("page_click text=%s: the page's renderer crashed", path)}
		if f := flowpage.Fault(died, false); f.OfPage() || !f.Lost || !f.Transient {
			t.Errorf("a renderer that died, %s: %+v", path, f.Ended)
		}
	}
	if f := flowpage.Fault(&explain.Error{Code: explain.PageCrashed, ClosedSelf: true, Message: "page_click"}, false); !f.OfPage() || f.Lost {
		t.Errorf("a page that closed itself: %+v", f.Ended)
	}
	for answered, ending := range map[bool]qa.Ending{false: qa.DoesNotHold, true: qa.Unable} {
		slow := &explain.Error{Code: explain.TimedOut, Answered: answered, Message: "page_navigate http://127.0.0.1:1/"}
		if f := flowpage.Fault(slow, true); f.Ended.Ending != ending || !f.Transient {
			t.Errorf("a page that loads too long, answered %v: %+v", answered, f.Ended)
		}
	}
	if f := flowpage.Fault(&explain.Error{Code: explain.TimedOut, Open: true, Message: "x"}, false); f.OfPage() {
		t.Errorf("what could not be decided: %+v", f.Ended)
	}
}

// A picture for which there was no time was compared with nothing: that is no fault of the
// page, and no word about a baseline. An element that is not there is one all the same.
func TestNotCompared(t *testing.T) {
	t.Parallel()
	slow := flowpage.NotCompared(flowpage.Fault(&explain.Error{Code: explain.TimedOut, Message: "page_screenshot: the page does not answer"}, false))
	var f *flow.Fault
	if !errors.As(slow, &f) || f.OfPage() || f.Ended.Ending != qa.Unable {
		t.Errorf("no time: %+v", f)
	}
	gone := flowpage.NotCompared(flowpage.Fault(&explain.Error{Code: explain.ElementNotFound, Message: "no element matches #x"}, false))
	if !errors.As(gone, &f) || !f.OfPage() {
		t.Errorf("no element: %+v", f)
	}
	if flowpage.NotCompared(nil) != nil {
		t.Error("what was compared has no fault")
	}
	record := qa.Check{Kind: qa.VisualKind, Subject: "home"}
	record.Take(qa.Outcome{Expected: "done", Observed: "TIMEOUT: x", Facts: f.Ended.Facts})
	if title := record.AsFinding().Title; title.Contains("baseline") {
		t.Errorf("a picture that was not taken: %q", title)
	}
}
