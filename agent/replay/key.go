// Package replay turns what an agent did in a run that passed into a flow that
// runs again without a model, and heals the flow's locators where the page has
// changed.
//
// It works on calls, answers and flows, and imports no browser: its caller
// passes in a function that runs a flow. It refuses to record what a flow
// can't express, and replaces a recorded element by another only on a model's
// choice.
package replay

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/assay-qa/assay/qa/flow"
)

// Step holds a step of a spec as a recording notes it.
type Step struct {
	Text     string
	Expected []string
}

// Keys computes the keys of a spec's steps, each a hash of the step's words
// and of all that stands before it. before are the words ahead of the first
// step, such as preconditions and the row of a data table. Case and white
// space count: an edit of a step changes its key.
func Keys(before []string, steps []Step) []string {
	sum := sha256.Sum256(encode(before))
	out := make([]string, len(steps))
	for i, s := range steps {
		sum = sha256.Sum256(append(sum[:], encode(append([]string{s.Text}, s.Expected...))...))
		out[i] = hex.EncodeToString(sum[:8])
	}
	return out
}

// encode joins texts so that no other texts give the same bytes.
func encode(texts []string) []byte {
	var b strings.Builder
	for _, t := range texts {
		fmt.Fprintf(&b, "%d:%s", len(t), t)
	}
	return []byte(b.String())
}

// Fits counts the steps with these keys that a recording still covers, from
// the first on. whole reports that it covers all of them, and nothing else.
func Fits(r *flow.Recorded, keys []string) (n int, whole bool) {
	if r == nil {
		return 0, false
	}
	for n < len(keys) && n < len(r.Steps) && r.Steps[n].Key == keys[n] {
		n++
	}
	return n, n == len(keys) && n == len(r.Steps)
}
