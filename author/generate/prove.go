package generate

import (
	"context"
	"fmt"

	"github.com/assay-qa/assay/internal/text"
)

// maxProofs bounds how often a test is proved: what noticed nothing is taken out after
// each time, and the test without it is proved again.
const maxProofs = 3

// Proof is what is known of a test that was run under faults.
type Proof struct {
	CanFail  bool     `json:"can_fail"`
	Known    bool     `json:"-"`      // it is known whether it can fail
	Reason   string   `json:"reason"` // why it can, or not, or nothing is known
	Killed   int      `json:"killed"` // faults that an expectation noticed
	Weakly   int      `json:"killed_weakly"`
	Survived int      `json:"survived"`
	Invalid  int      `json:"invalid"` // faults that did not reach the page
	Brittle  int      `json:"failed_wrongly"`
	Asserts  []Proved `json:"-"`
}

// Proved is an expectation of a test, by its line.
type Proved struct {
	Line    int
	Useless bool // it noticed nothing, though a fault of what it looks at reached the page
}

// String tells the kill rate.
func (p Proof) String() string {
	return fmt.Sprintf("%d of %s killed, %d by an expectation and %d by a time-out", p.Killed+p.Weakly, text.Count(p.Killed+p.Weakly+p.Survived, "mutant"), p.Killed, p.Weakly)
}

// useless reports whether none of the expectations of an assertion noticed anything.
func (p Proof) useless(at placed) bool {
	found := false
	for _, a := range p.Asserts {
		if at.lines.Has(a.Line) {
			if !a.Useless {
				return false
			}
			found = true
		}
	}
	return found
}

// proving is a file on its way through its proofs.
type proving struct {
	file File
	lost []Dropped
	cut  File      // the file without what noticed nothing; it is proved next
	off  []Dropped // what cut lost
}

// prove takes out of files what noticed no fault. What is known of each is its file's Proof.
func (r Request) prove(ctx context.Context, base, role string, files []File, o Options) ([]*proving, error) {
	all := make([]*proving, len(files))
	for i, f := range files {
		all[i] = &proving{file: f, cut: f}
	}
	left := all
	for round := 1; len(left) > 0; round++ {
		batch := make([]File, len(left))
		for i, p := range left {
			batch[i] = p.cut
		}
		found, err := r.Prove(ctx, base, role, batch)
		if err != nil {
			return nil, err
		}
		var again []*proving
		for _, p := range left {
			more, err := p.judge(found[p.file.Name], o)
			if err != nil {
				return nil, err
			}
			if more && round < maxProofs {
				again = append(again, p)
			}
		}
		left = again
	}
	return all, nil
}

// judge takes a proof of the file that was proved last, and reports whether there is
// another one to prove. What can't fail any more without what was taken out gets it back.
func (p *proving) judge(proof Proof, o Options) (more bool, err error) {
	if proof.Reason == "" {
		proof.Reason = "it was not run"
	}
	if p.file.Proof != nil && !proof.CanFail {
		return false, nil
	}
	p.file, p.lost, p.off = p.cut, append(p.lost, p.off...), nil
	p.file.Proof = &proof
	if !proof.CanFail {
		return false, nil
	}
	p.cut, p.off, err = p.file.without(proof, o)
	return len(p.off) > 0, err
}

// without returns a file without the assertions that noticed nothing, and what it lost.
func (f File) without(proof Proof, o Options) (File, []Dropped, error) {
	cut, dropped, err := f.with(f.path, o, func(at placed) (cause, reason string) {
		if proof.useless(at) {
			reason = "it noticed no fault, though one of what it looks at was there"
		}
		return "", reason
	})
	if err != nil || len(dropped) == 0 || cut.Text == "" {
		return f, nil, err
	}
	return cut, dropped, nil
}
