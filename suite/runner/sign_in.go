package runner

import (
	"context"

	"github.com/assay-qa/assay/internal/auth"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/load"
	"github.com/assay-qa/assay/tools/workspace"
)

// signedIn holds the outcome of a spec that signs in for others.
type signedIn struct {
	done  chan struct{} // closed when the rest is known
	state []byte        // storage state: a credential, in memory alone
	why   pagetext.Text // why there is no state
}

func newSignedIn() *signedIn {
	return &signedIn{done: make(chan struct{}), why: "it was not run"}
}

// signIns makes a place for the outcome of each spec that signs in for others.
func signIns(files []load.Case) map[*load.Spec]*signedIn {
	out := map[*load.Spec]*signedIn{}
	for _, f := range files {
		if f.Spec != nil && f.Spec.SignsIn {
			out[f.Spec] = newSignedIn()
		}
	}
	return out
}

// notSignedIn returns the result of a spec that could not begin: inconclusive, as
// nothing was tested.
func notSignedIn(s load.Spec, why pagetext.Text) suite.Result {
	return suite.Result{TestCase: qa.TestCase{Name: pagetext.Text(s.Name()), Status: qa.TestError, Screenshots: []string{}, ConsoleLogs: []qa.ConsoleEntry{},
		FailureReason: pagetext.Sprintf("not run: its sign-in %s did not pass: %s", s.SignedInBy.Path, why)}}
}

// sessionState holds the storage state of a sign-in's session at its end.
type sessionState struct {
	state []byte
	err   error
}

func (k *sessionState) take(ctx context.Context, desk *workspace.Workspace) {
	k.state, k.err = desk.SignedIn(ctx)
}

// keep stores what a sign-in left for others, if it passed.
func (in *signedIn) keep(left sessionState, r suite.Result) {
	in.state, in.why = nil, (r.FailureReason + pagetext.Text(" "+r.Report)).Trim()
	switch {
	case r.Status != qa.TestPassed:
	case left.err != nil:
		in.why = pagetext.Text("it passed, and what it left could not be read: " + left.err.Error())
	case auth.Empty(left.state):
		in.why = "it passed, and left no cookie and nothing in local storage for others to start with (session storage ends with its page)"
	default:
		in.state, in.why = left.state, ""
	}
}

// requeueSignIns queues each sign-in again that a case which is to run needs: the
// state that it left was never stored.
func requeueSignIns(entries []suite.Entry, files []load.Case) {
	for i, f := range files {
		if f.Spec == nil || !f.Spec.SignsIn || entries[i].State != suite.Kept {
			continue
		}
		for j, other := range files {
			if other.Spec != nil && other.Spec.SignedInBy == f.Spec && entries[j].State != suite.Kept {
				entries[i].State, entries[i].Result, entries[i].Note = suite.Queued, nil, "others need its sign-in"
			}
		}
	}
}
