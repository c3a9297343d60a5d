package flowpage_test

import (
	"testing"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine/flowpage"
	"github.com/assay-qa/assay/pagetext"
	"github.com/assay-qa/assay/qa"
)

// Whose fault a step is follows from what was measured: the address of the caller, which
// the message repeats, decides nothing.
func TestFaultOfAnAddress(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"plain", "ERR_PROXY", "ERR_ABORTED", "net::ERR_UNSAFE_PORT", "the-page-closed-itself", "Download is starting"} {
		refused := &browser.Error{Code: browser.NavigationFailed, Net: "ERR_CONNECTION_REFUSED", Message: pagetext.Sentencef("page_navigate http://127.0.0.1:1/%s: nothing answers there", path)}
		if f := flowpage.Fault(refused, true); !f.OfPage() || !f.Transient || f.Ended.Ending != qa.DoesNotHold {
			t.Errorf("a closed port, %s: %+v", path, f.Ended)
		}
		proxy := &browser.Error{Code: browser.NavigationFailed, Net: "ERR_PROXY_CONNECTION_FAILED", Message: pagetext.Sentencef("page_navigate http://127.0.0.1:1/%s", path)}
		if f := flowpage.Fault(proxy, true); f.OfPage() || f.Transient {
			t.Errorf("a proxy that does not answer, %s: %+v", path, f.Ended)
		}
		died := &browser.Error{Code: browser.PageCrashed, Message: pagetext.Sentencef("page_click text=%s: the page's renderer crashed", path)}
		if f := flowpage.Fault(died, false); f.OfPage() || !f.Lost || !f.Transient {
			t.Errorf("a renderer that died, %s: %+v", path, f.Ended)
		}
	}
	if f := flowpage.Fault(&browser.Error{Code: browser.PageCrashed, ClosedSelf: true, Message: "page_click"}, false); !f.OfPage() || f.Lost {
		t.Errorf("a page that closed itself: %+v", f.Ended)
	}
	if f := flowpage.Fault(&browser.Error{Code: browser.TimedOut, Open: true, Message: "x"}, false); f.OfPage() {
		t.Errorf("what could not be decided: %+v", f.Ended)
	}
}
