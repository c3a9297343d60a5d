package heal

import (
	"fmt"
	"slices"
	"time"

	"github.com/assay-qa/assay/internal/text"
)

// Open is a test of which nothing is known, since the healing was stopped.
type Open struct {
	Place
	Why string `json:"why"`
}

// tell says what came of a test, once it is known, and how many are left.
func (r *round) tell(j *job) {
	outcome := "healed"
	switch {
	case r.told[j] || j.gone == nil && !j.held:
		return
	case j.gone != nil:
		outcome = fmt.Sprintf("not healed (%s)", j.gone.Reason)
	}
	if r.told == nil {
		r.told = map[*job]bool{}
	}
	r.told[j] = true
	var spent time.Duration
	if r.Now != nil {
		spent = r.Now().Sub(r.began)
	}
	left := text.Left(text.Remaining(spent, len(r.told), len(r.jobs)-len(r.told)))
	r.say("%d/%d%s: %s: %s", len(r.told), len(r.jobs), left, outcome, j.test.Title())
}

// resume gives a test the outcome that it had before a healing was stopped. A heal counts
// only where the locator stands as it stood.
func (r *round) resume(j *job) error {
	for _, old := range r.Resume {
		if i := slices.IndexFunc(old.Unhealed, func(u Unhealed) bool { return u.File == j.file && u.Test == j.test.Title() }); i >= 0 {
			j.done, j.gone = true, &old.Unhealed[i]
			for _, p := range old.Proposals {
				if p.Test == j.test.Title() {
					r.propose(p)
				}
			}
		}
		if i := slices.IndexFunc(old.Rerun, func(a Rerun) bool { return a.File == j.file && a.Test == j.test.Title() }); i >= 0 && j.gone == nil {
			for _, h := range old.Healed {
				if h.Test != j.test.Title() {
					continue
				}
				e := r.stands(h)
				if e == nil {
					j.edits, j.heals = nil, nil
					return nil
				}
				j.edits, j.heals = append(j.edits, *e), append(j.heals, h)
			}
			j.done, j.held, j.again = len(j.heals) > 0, len(j.heals) > 0, &old.Rerun[i]
		}
		if j.done {
			r.tell(j)
			return nil
		}
	}
	return nil
}

// stands returns the edit of a heal, where its locator stands as it stood; nil: it does not. What can't
// be read is looked at anew, which says why.
func (r *round) stands(h Heal) *edit {
	path := r.copy.path(h.File)
	for test, f := range r.flows {
		if f.path == h.File {
			path = test
		}
	}
	s, err := r.source(path)
	if err != nil {
		return nil
	}
	e := edit{file: path, n: -1}
	if h.By != byTime {
		e.text = h.New
	}
	switch s := s.(type) {
	case testSource:
		for n, l := range s.form.Locators {
			if l.Line == h.Line && l.Text == h.Old {
				e.n = n
			}
		}
	case *flowSource:
		for n, step := range s.flow.Steps {
			if s.line(n) == h.Line && step.Selector == h.Old {
				e.n = n
			}
		}
	}
	if e.n < 0 {
		return nil
	}
	return &e
}
