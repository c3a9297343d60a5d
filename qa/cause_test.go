package qa_test

import (
	"testing"

	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/qa/code"
)

// How something ended follows from its facts alone: each row says what is said of it, and
// when that is true.
func TestEndings(t *testing.T) {
	t.Parallel()
	net := func(name string) qa.Facts {
		return qa.Facts{Code: code.NavigationFailed, Net: name, Why: "at http://a.test/ERR_PROXY_CONNECTION_FAILED"}
	}
	seen := map[qa.Ending]bool{}
	for name, c := range map[string]struct {
		passed    bool
		facts     qa.Facts
		ending    qa.Ending
		transient bool // where it was no loading
	}{
		"it was looked at and held":                  {true, qa.Facts{}, qa.Holds, false},
		"it was looked at and did not hold":          {false, qa.Facts{Count: 1}, qa.DoesNotHold, false},
		"it was looked at, and can't be decided":     {true, qa.Facts{Open: true}, qa.Unable, false},
		"there is no baseline":                       {false, qa.Facts{NoBaseline: true}, qa.Unable, false},
		"nobody approved the baseline that it is as": {true, qa.Facts{NotApproved: true}, qa.NeedsPerson, false},
		"it differs from a baseline":                 {false, qa.Facts{NotApproved: true}, qa.DoesNotHold, false},
		"an error passes nothing":                    {true, qa.Facts{Code: code.Internal}, qa.Unable, false},

		"nothing listens there":                 {false, net("ERR_CONNECTION_REFUSED"), qa.DoesNotHold, true},
		"the proxy does not answer":             {false, net("ERR_PROXY_CONNECTION_FAILED"), qa.Unable, false},
		"the browser refuses the port":          {false, net("ERR_UNSAFE_PORT"), qa.Unable, false},
		"the certificate is not valid":          {false, net("ERR_CERT_DATE_INVALID"), qa.DoesNotHold, false},
		"an error that is in no table":          {false, net("ERR_NEVER_HEARD_OF"), qa.DoesNotHold, false},
		"this machine has no network":           {false, net("ERR_INTERNET_DISCONNECTED"), qa.Unable, true},
		"the page answers 500":                  {false, qa.Facts{Code: code.NavigationFailed, Status: 500}, qa.DoesNotHold, false},
		"the address is a file":                 {false, qa.Facts{Code: code.NavigationFailed, Download: true}, qa.Unable, false},
		"it was too slow":                       {false, qa.Facts{Code: code.Timeout, LimitMS: 10}, qa.DoesNotHold, false},
		"the tester's own time was over":        {false, qa.Facts{Code: code.Timeout, OutOfTime: true}, qa.Unable, false},
		"it did not stand still":                {false, qa.Facts{Code: code.Timeout, Open: true}, qa.Unable, false},
		"no element matches":                    {false, qa.Facts{Code: code.ElementNotFound}, qa.DoesNotHold, false},
		"several elements match":                {false, qa.Facts{Code: code.SelectorAmbiguous}, qa.DoesNotHold, false},
		"it can't be acted on":                  {false, qa.Facts{Code: code.NotActionable}, qa.DoesNotHold, false},
		"a dialog that nothing asked for":       {false, qa.Facts{Code: code.Dialog}, qa.DoesNotHold, false},
		"the page closed itself":                {false, qa.Facts{Code: code.PageCrashed, ClosedSelf: true}, qa.DoesNotHold, false},
		"the renderer died":                     {false, qa.Facts{Code: code.PageCrashed}, qa.Gone, true},
		"the browser died":                      {false, qa.Facts{Code: code.BrowserCrashed}, qa.Gone, true},
		"the session is closed":                 {false, qa.Facts{Code: code.SessionNotFound}, qa.Gone, false},
		"what was asked for can't be meant":     {false, qa.Facts{Code: code.InvalidInput}, qa.Misset, false},
		"the driver is not installed":           {false, qa.Facts{Code: code.DriverMissing}, qa.Misset, false},
		"the guard stopped it":                  {false, qa.Facts{Code: code.ActionBlocked}, qa.Guarded, false},
		"the host is not allowed":               {false, qa.Facts{Code: code.HostBlocked}, qa.Guarded, false},
		"a person has to sign in":               {false, qa.Facts{Code: code.NeedsHuman}, qa.NeedsPerson, false},
		"the disk is full":                      {false, qa.Facts{Code: code.DiskFull}, qa.Unable, false},
		"a recorded element is another one now": {false, qa.Facts{Code: code.Drift}, qa.Unable, false},
		"a code of a later version":             {false, qa.Facts{Code: "NEW_CODE"}, qa.Unable, false},
	} {
		got := qa.CauseOf(c.passed, c.facts)
		seen[got.Ending] = true
		if got.Ending != c.ending || got.Transient(false) != c.transient {
			t.Errorf("%s: %s, transient %v; want %s, %v", name, got.Ending, got.Transient(false), c.ending, c.transient)
		}
		if status := got.Ending.Status(); (status == qa.Passed) != (c.ending == qa.Holds) || (status == qa.Failed) != (c.ending == qa.DoesNotHold) {
			t.Errorf("%s: %s makes a run %s", name, got.Ending, status)
		}
	}
	for _, e := range qa.Endings() {
		if !seen[e] {
			t.Errorf("no row ends so: %s", e)
		}
	}
	if slow := qa.CauseOf(false, qa.Facts{Code: code.Timeout}); !slow.Transient(true) {
		t.Error("an address that was too slow to load may load the next time")
	}
}
