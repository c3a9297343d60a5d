package qa

import (
	"reflect"
	"slices"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa/code"
)

// Ending names how a step, a look or a call ended. The set is closed: status, exit code,
// whether it may be tried again and what is said of it follow from it and from the facts
// beside it, never from a text.
type Ending string

// The endings.
const (
	Holds       Ending = "holds"         // it was looked at, or done
	DoesNotHold Ending = "does-not-hold" // the thing under test is at fault
	Unable      Ending = "unable"        // the tester could not look or act
	Misset      Ending = "configuration" // what was asked for, or a setting, is wrong
	Guarded     Ending = "guard"         // the guard or a rule of ours stopped it
	NeedsPerson Ending = "needs-person"  // only a person can go on
	Gone        Ending = "gone"          // the page, the browser or the driver is lost
)

// Endings lists every ending.
func Endings() []Ending {
	return []Ending{Holds, DoesNotHold, Unable, Misset, Guarded, NeedsPerson, Gone}
}

// Facts holds what is known of how something ended, before it is judged.
type Facts struct {
	Code    string          `json:"code,omitempty"`     // of the error; empty: it was looked at
	Net     string          `json:"net,omitempty"`      // the browser's network error, such as ERR_CONNECTION_REFUSED
	Status  int             `json:"status,omitempty"`   // HTTP status of the document
	LimitMS int64           `json:"limit_ms,omitempty"` // time that was not enough
	Count   int             `json:"count,omitempty"`    // of what was found that must not be there
	Found   []pagetext.Text `json:"found,omitempty"`    // the first of it
	Type    string          `json:"type,omitempty"`     // content type of a file that came instead of a page
	Missing bool            `json:"missing,omitempty"`  // no element matches
	Unseen  bool            `json:"unseen,omitempty"`   // it is there, and a person can't see it
	Alike   bool            `json:"alike,omitempty"`    // it looks like what was expected, and is not the same
	Why     pagetext.Text   `json:"why,omitempty"`      // in words, for readers alone
	Hint    string          `json:"hint,omitempty"`     // what to do next, from where it is known

	Requests []RequestRef `json:"requests,omitempty"` // that failed, the first of them

	Open        bool `json:"open,omitempty"`         // whether it holds could not be decided
	OutOfTime   bool `json:"out_of_time,omitempty"`  // the tester's own time was over
	Download    bool `json:"download,omitempty"`     // the address is a file to save
	ClosedSelf  bool `json:"closed_self,omitempty"`  // the page closed itself
	NoBaseline  bool `json:"no_baseline,omitempty"`  // there is nothing to compare with
	NotApproved bool `json:"not_approved,omitempty"` // no person has approved the baseline

	Approvable string `json:"approvable,omitempty"` // version of a baseline that a person can approve
	Proposed   bool   `json:"proposed,omitempty"`   // that version waits for it, and is not compared with
}

// Cause says how something ended, with the facts from which that follows.
type Cause struct {
	Ending Ending `json:"ending"`
	Facts
}

// maxFound bounds what facts repeat of what was found.
const maxFound = 5

// FactsOfList returns the facts of a list that was to be empty.
func FactsOfList(found []pagetext.Text) Facts {
	if len(found) == 0 {
		return Facts{}
	}
	return Facts{Count: len(found), Found: slices.Clone(found[:min(maxFound, len(found))])}
}

// Has reports whether something is among the first that was found.
func (f Facts) Has(one string) bool {
	return slices.ContainsFunc(f.Found, func(t pagetext.Text) bool { return t.Equal(one) })
}

// none reports whether nothing is known.
func (f Facts) none() bool { return reflect.ValueOf(f).IsZero() }

// CauseOf judges facts. passed counts only where there is no code: an error passes nothing.
func CauseOf(passed bool, f Facts) Cause { return Cause{Ending: f.ending(passed), Facts: f} }

func (f Facts) ending(passed bool) Ending {
	if f.Code == "" {
		return f.looked(passed)
	}
	switch ending := endingOfCode(f.Code); {
	case ending == Gone && f.ClosedSelf:
		return DoesNotHold
	case ending != DoesNotHold:
		return ending
	case f.Open, f.OutOfTime, f.Download, f.Net != "" && code.Net(f.Net).OfTester:
		return Unable
	default:
		return DoesNotHold
	}
}

// looked returns the ending of what was looked at.
func (f Facts) looked(passed bool) Ending {
	switch {
	case f.Open, f.OutOfTime, f.NoBaseline:
		return Unable
	case passed && f.NotApproved:
		return NeedsPerson
	case passed:
		return Holds
	default:
		return DoesNotHold
	}
}

// endingOfCode returns the ending of an error of which its code alone is known. A code that
// is not in the table says nothing about the thing under test.
func endingOfCode(name string) Ending {
	switch name {
	case code.ElementNotFound, code.SelectorAmbiguous, code.NotActionable, code.Timeout, code.NavigationFailed, code.Dialog:
		return DoesNotHold
	case code.InvalidInput, code.DriverMissing, code.BaselineNotFound, code.StoreReadOnly:
		return Misset
	case code.HostBlocked, code.ActionBlocked:
		return Guarded
	case code.NeedsHuman:
		return NeedsPerson
	case code.PageCrashed, code.TabClosed, code.BrowserCrashed, code.SessionNotFound:
		return Gone
	default:
		return Unable
	}
}

// Status returns what an ending alone makes of a run.
func (e Ending) Status() Status {
	switch e {
	case Holds:
		return Passed
	case DoesNotHold:
		return Failed
	default:
		return Inconclusive
	}
}

// Lost reports whether there is nothing left to look at.
func (c Cause) Lost() bool {
	return c.Ending == Gone && (c.Code == code.BrowserCrashed || c.Code == code.PageCrashed)
}

// Transient reports whether it may be gone the next time: a connection, a browser, or, of
// an address that was being loaded, a site that was too slow. What was looked at is not.
func (c Cause) Transient(loading bool) bool {
	switch c.Code {
	case code.Timeout:
		return loading
	case code.NavigationFailed:
		return c.Net != "" && code.Net(c.Net).Transient
	default:
		return c.Lost()
	}
}
