package qa_test

import (
	"strings"
	"testing"

	"github.com/assay-qa/assay/qa"
)

// What stands on a page before and after an act says nothing of the act, and a name that
// nothing ever had is absent everywhere.
func TestNothingBroughtAbout(t *testing.T) {
	held := func(c qa.Check) qa.Check { c.Held = true; return c }
	unchanged := func(c qa.Check) qa.Check { c.Held, c.Unchanged = true, true; return c }
	absent := func(never bool) qa.Check {
		c := look("C9")
		c.Kind, c.Expected, c.NeverSeen = string(qa.Hidden), string(qa.Hidden), never
		return c
	}
	clean := look("C8")
	clean.Kind = string(qa.ConsoleClean)
	figure := look("C7")
	figure.Kind = qa.KPIKind
	for name, tt := range map[string]struct {
		checks []qa.Check
		want   qa.Status
		reason string
	}{
		"one that held before":                {[]qa.Check{held(look("C1"))}, qa.Inconclusive, "nothing that was checked was brought about"},
		"all held before":                     {[]qa.Check{held(look("C1")), held(look("C2"))}, qa.Inconclusive, "nothing that was checked was brought about"},
		"one of them did not":                 {[]qa.Check{held(look("C1")), look("C2")}, qa.Passed, ""},
		"nothing may change":                  {[]qa.Check{unchanged(look("C1"))}, qa.Passed, ""},
		"held, and a clean console":           {[]qa.Check{held(look("C1")), clean}, qa.Inconclusive, "nothing that was checked was brought about"},
		"a clean console alone":               {[]qa.Check{clean}, qa.Passed, ""},
		"held, and what went":                 {[]qa.Check{held(look("C1")), absent(false)}, qa.Passed, ""},
		"held, and what never was":            {[]qa.Check{held(look("C1")), absent(true)}, qa.Inconclusive, "nothing that was checked was brought about"},
		"what never was":                      {[]qa.Check{absent(true)}, qa.Inconclusive, "never seen in this run"},
		"what never was, and a clean console": {[]qa.Check{absent(true), clean}, qa.Inconclusive, "never seen in this run"},
		"what never was, and what is there":   {[]qa.Check{absent(true), look("C1")}, qa.Passed, ""},
		"what never was, and a figure":        {[]qa.Check{absent(true), figure}, qa.Passed, ""},
		"what went":                           {[]qa.Check{absent(false)}, qa.Passed, ""},
		"a failed one is no less failed":      {[]qa.Check{held(look("C1")), failed(look("C2"))}, qa.Failed, ""},
	} {
		v := qa.Judge(qa.Record{Checks: tt.checks})
		if v.Status != tt.want || !strings.Contains(string(v.Reason), tt.reason) {
			t.Errorf("%s: %s: %s", name, v.Status, v.Reason)
		}
	}
}
