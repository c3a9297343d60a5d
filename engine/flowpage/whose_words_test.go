package flowpage_test

import (
	"testing"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine/flowpage"
	"github.com/assay-qa/assay/pagetext"
)

// Whose fault a load is, is asked of the network's error: a page's address can't say it.
func TestAddressesDecideNoFault(t *testing.T) {
	t.Parallel()
	of := func(address, net string) bool {
		return flowpage.Fault(&browser.Error{Code: browser.NavigationFailed, Net: net, Message: pagetext.Sentencef("page_navigate %s: it failed (%s)", pagetext.Text(address), net)}, true).OfPage()
	}
	for _, code := range []string{"ERR_ABORTED", "ERR_PROXY", "ERR_UNSAFE_PORT"} {
		if !of("http://a.test/"+code, "ERR_CONNECTION_REFUSED") {
			t.Errorf("an address with %s in it makes the site's fault the tester's", code)
		}
		if of("http://a.test/", code) {
			t.Errorf("%s is the site's fault", code)
		}
	}
	crash := &browser.Error{Code: browser.PageCrashed, Message: "look at " + pagetext.Quoted(`button "closed itself"`) + ": the page's renderer crashed"}
	if flowpage.Fault(crash, false).OfPage() {
		t.Error("an element's name makes a crash the page's fault")
	}
}
