package flowpage_test

import (
	"testing"

	"github.com/assay-qa/assay/browser"
	"github.com/assay-qa/assay/engine/flowpage"
	"github.com/assay-qa/assay/pagetext"
)

// Whose fault a load is, is asked of our own words: a page's address can't say it.
func TestAddressesDecideNoFault(t *testing.T) {
	t.Parallel()
	of := func(address, why string) bool {
		return flowpage.Fault(&browser.Error{Code: browser.NavigationFailed, Message: pagetext.Sentencef("page_navigate %s: %s", pagetext.Text(address), why)}, true).OfPage
	}
	for _, code := range []string{"ERR_ABORTED", "ERR_PROXY", "ERR_UNSAFE_PORT"} {
		if !of("http://a.test/"+code, "nothing answers there (net::ERR_CONNECTION_REFUSED)") {
			t.Errorf("an address with %s in it makes the site's fault the tester's", code)
		}
		if of("http://a.test/", "it failed ("+code+")") {
			t.Errorf("%s is the site's fault", code)
		}
	}
	crash := &browser.Error{Code: browser.PageCrashed, Message: "look at " + pagetext.Quoted(`button "closed itself"`) + ": the page's renderer crashed"}
	if flowpage.Fault(crash, false).OfPage {
		t.Error("an element's name makes a crash the page's fault")
	}
}
