package generate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/assay-qa/assay/internal/text"
)

// A start of the runner takes as long as a test, and what it has not run yet is lost on an
// interruption: it runs several tests, and no flow waits for many others.
const (
	batchSize = 8
	batchTime = 30 * time.Second // after which two are enough
)

// making is what Run knows while it makes tests.
type making struct {
	Request
	out     Result
	names   map[string]bool   // of files
	titles  map[string]bool   // of tests of sites
	does    map[string]string // the titles of tests of sites, by what they do and expect
	journal journal
	started time.Time
	settled time.Time // when the last batch was
	tried   int       // flows that were tried on the live site
	ended   int       // flows of which all is known now
}

// pending is a flow on its way to its file.
type pending struct {
	outcome
	file File
}

// make makes the tests of a source, batch by batch.
func (m *making) make(ctx context.Context, s source) error {
	before := m.done()
	var batch []*pending
	for _, p := range s.paths {
		key := keyOf(s, p)
		switch known, err := m.recall(key); {
		case err != nil:
			return err
		case known:
			continue
		case m.over(ctx):
			continue
		}
		m.say(Progress{Doing: "trying " + text.Shorten(p.Name, 60)})
		w, err := m.try(ctx, &s, p)
		switch {
		case ctx.Err() != nil, err == nil && w == nil: // interrupted, or the site can't be reached
			continue
		case err != nil:
			return err
		}
		w.Key = key
		batch = append(batch, w)
		if since := m.now().Sub(m.settled); len(batch) < 2 || len(batch) < batchSize && since < batchTime {
			continue
		}
		if err := m.settle(ctx, s, batch); err != nil {
			return err
		}
		batch = nil
	}
	if err := m.settle(ctx, s, batch); err != nil || m.done()-before < len(s.paths) {
		return err
	}
	stale, err := stale(m.Dir, s.options.Source, m.out.Files, m.Draft)
	m.out.Files = append(m.out.Files, stale...)
	return err
}

// done is the number of flows of which all is known.
func (m *making) done() int { return m.ended + m.journal.recalled }

// over reports whether no other flow is begun.
func (m *making) over(ctx context.Context) bool {
	return ctx.Err() != nil || m.Limit > 0 && m.now().Sub(m.started) >= m.Limit
}

// try tries a path on the live site, and makes its file. It returns nil where the site can't be
// reached and a runner has to run the tests; what is a draft is made unverified then.
func (m *making) try(ctx context.Context, s *source, p Path) (*pending, error) {
	w := &pending{outcome: outcome{Flow: p.Name}}
	switch o := &s.options; {
	case s.untried:
	case o.Unverified != "" && m.Play != nil:
		return nil, nil
	case m.Verify == nil:
		if o.Unverified == "" {
			m.unverified(s, m.Unverified)
		}
	case o.Unverified == "":
		left, dropped, err := m.Verify(ctx, o.BaseURL, s.role, p)
		var lost *UnreachableError
		switch {
		case errors.As(err, &lost):
			if m.unverified(s, lost.Error()); m.Play != nil {
				return nil, nil
			}
		case err != nil:
			return nil, err
		default:
			if p, w.Dropped = left, dropped; m.sameAsEarlier(w, p) {
				m.tried++
				return w, nil
			}
			p.entitle(m.titles)
			w.Flow = p.Name
			if w.Does != "" {
				m.does[w.Does] = p.Name
			}
		}
	}
	m.tried++
	files, dropped, err := Files([]Path{p}, m.names, s.options)
	w.Dropped = append(w.Dropped, dropped...)
	if len(files) > 0 {
		w.file = files[0]
	}
	for _, d := range dropped {
		if d.What == "test" {
			w.NotCovered = d.Reason
		}
	}
	return w, err
}

// sameAsEarlier reports whether an earlier flow of a site does and expects the same, and notes it.
func (m *making) sameAsEarlier(w *pending, p Path) bool {
	if p.Ask == nil || !slices.ContainsFunc(p.Steps, func(s Step) bool { return len(s.Expects) > 0 }) {
		return false
	}
	w.Does = p.digest()
	earlier, same := m.does[w.Does]
	if same {
		w.SameAs = earlier
		w.Dropped = append(w.Dropped, Dropped{Flow: p.Name, What: "test", Reason: "it does and expects the same as " + earlier})
	}
	return same
}

// unverified notes why nothing of a source is verified.
func (m *making) unverified(s *source, why string) {
	if s.options.Unverified = why; why != "" {
		m.out.Unverified = append(m.out.Unverified, s.options.Source+": "+why)
	}
}

// settle has a batch run by the runner and proved, and writes what stays.
func (m *making) settle(ctx context.Context, s source, batch []*pending) (err error) {
	batch, err = m.only(batch, func(w *pending) bool { return w.file.Text != "" })
	if err != nil {
		return err
	}
	if m.Play != nil && len(batch) > 0 {
		if batch, err = m.played(ctx, s, batch); err != nil {
			return unless(ctx, err)
		}
	}
	if m.Prove != nil && s.options.Unverified == "" && len(batch) > 0 {
		if batch, err = m.proved(ctx, s, batch); err != nil {
			return unless(ctx, err)
		}
	}
	_, err = m.only(batch, func(*pending) bool { return false })
	m.settled = m.now()
	return err
}

// now is the time; without a clock there is none.
func (m *making) now() (t time.Time) {
	if m.Now != nil {
		t = m.Now()
	}
	return t
}

// unless returns an error but for that of an interruption, which is no failure.
func unless(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return nil
}

// only returns those flows that go on, and ends the others.
func (m *making) only(batch []*pending, goesOn func(*pending) bool) (left []*pending, err error) {
	for _, w := range batch {
		if goesOn(w) {
			left = append(left, w)
		} else if err := m.finish(w); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// finish writes the file of a flow, if it has one, and what came of the flow.
func (m *making) finish(w *pending) error {
	m.ended++
	switch {
	case w.SameAs != "":
	case w.NotCovered+w.CannotFail+w.Unproved == "":
		f, kept, err := put(m.Dir, w.file, m.Force, m.Compare)
		if err != nil {
			return err
		}
		if kept {
			m.out.Kept = append(m.out.Kept, f.Name)
		}
		w.Name, w.Steps, w.Asserts, w.Proof = f.Name, f.Steps, f.Asserts, f.Proof
		m.out.Files = append(m.out.Files, f)
	case w.NotCovered == "":
		m.out.NotWritten = append(m.out.NotWritten, w.file)
	}
	m.tell(w.outcome)
	m.say(Progress{Ended: w.String()})
	if m.Compare {
		return nil
	}
	return m.journal.add(m.Dir, w.outcome)
}

// tell adds what came of a flow to the result.
func (m *making) tell(o outcome) {
	m.out.Dropped = append(m.out.Dropped, o.Dropped...)
	for _, list := range []struct {
		of  *[]string
		why string
	}{{&m.out.NotCovered, o.NotCovered}, {&m.out.CannotFail, o.CannotFail}, {&m.out.Unproved, o.Unproved}} {
		if list.why != "" {
			*list.of = append(*list.of, o.Flow+": "+list.why)
		}
	}
}

// say tells how far the whole is. A flow that was tried is half done.
func (m *making) say(p Progress) {
	if m.Progress == nil {
		return
	}
	p.Done, p.All = m.done(), m.out.Flows
	halves := m.tried + m.ended
	p.Left = text.Remaining(m.now().Sub(m.started), halves, 2*(m.out.Flows-m.journal.recalled)-halves)
	m.Progress(p)
}

// proved proves the tests of a batch, and returns those that go on. What lost an assertion is run
// once more, as it is then.
func (m *making) proved(ctx context.Context, s source, batch []*pending) ([]*pending, error) {
	files := make([]File, len(batch))
	for i, w := range batch {
		files[i] = w.file
	}
	m.say(Progress{Doing: "proving " + text.Count(len(files), "test")})
	all, err := m.prove(ctx, s.options.BaseURL, s.role, files, s.options)
	if err != nil {
		return nil, err
	}
	var left, changed []*pending
	for i, p := range all {
		w := batch[i]
		w.Dropped = append(w.Dropped, p.lost...)
		again := p.file.Text != w.file.Text
		if w.file = p.file; again {
			if err := m.entitleAgain(w, s.options); err != nil {
				return nil, err
			}
		}
		switch proof := p.file.Proof; {
		case !proof.CanFail && proof.Known:
			w.CannotFail = proof.Reason
		case !proof.CanFail:
			w.Unproved = proof.Reason
		case again && m.Play != nil:
			changed = append(changed, w)
			continue
		}
		left = append(left, w)
	}
	if len(changed) == 0 {
		return left, nil
	}
	green, red, err := m.play(ctx, s, changed, false)
	for _, w := range red {
		w.NotCovered = w.red[0].String()
	}
	return slices.Concat(left, green, red), err
}

// outcome is what came of a flow.
type outcome struct {
	Key        string    `json:"key"` // of the flow's path
	Flow       string    `json:"flow"`
	Does       string    `json:"does,omitempty"`    // digest of its path as it was made
	SameAs     string    `json:"same_as,omitempty"` // title of the test that does and expects the same
	Name       string    `json:"name,omitempty"`    // of the file; empty: none was written
	Steps      int       `json:"steps,omitempty"`
	Asserts    int       `json:"asserts,omitempty"`
	Proof      *Proof    `json:"proof,omitempty"`
	Dropped    []Dropped `json:"dropped,omitempty"`
	NotCovered string    `json:"not_covered,omitempty"`
	CannotFail string    `json:"cannot_fail,omitempty"`
	Unproved   string    `json:"unproved,omitempty"`

	red []Failed
}

// String tells an outcome in one line.
func (o outcome) String() string {
	if why := cmp.Or(o.NotCovered, o.CannotFail, o.Unproved); why != "" {
		return fmt.Sprintf("not covered: %s: %s", text.Shorten(o.Flow, 60), text.Shorten(why, 200))
	}
	if o.SameAs != "" {
		return fmt.Sprintf("no test: %s: the same as %s", text.Shorten(o.Flow, 60), text.Shorten(o.SameAs, 60))
	}
	return o.Name + ", " + text.Count(o.Asserts, "assertion")
}
