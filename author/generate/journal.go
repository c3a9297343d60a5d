package generate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/testfile"
	"github.com/assay-qa/assay/internal/disk"
)

// JournalName is the name of the file, beside the tests, that says which flows have ended. It is
// there until all have.
const JournalName = ".assay-generate.json"

// journalVersion is the version of the journals that this build writes.
const journalVersion = 1

// journal says what came of the flows that have ended.
type journal struct {
	Version int       `json:"version"`
	Of      string    `json:"of"` // digest of what was asked for
	Ended   []outcome `json:"ended"`

	recalled int // of those that an earlier request has ended
}

// ResumeError says that there is nothing to go on with.
type ResumeError struct{ Dir, Why string }

func (e *ResumeError) Error() string {
	return fmt.Sprintf("nothing to go on with in %s: %s: leave out --resume", e.Dir, e.Why)
}

// add stores what came of a flow. A reader sees all of it, or what was there before.
func (j *journal) add(dir string, o outcome) error {
	j.Ended = append(j.Ended, o)
	data, err := json.Marshal(j)
	if err != nil {
		return fmt.Errorf("write %s: %w", JournalName, err)
	}
	return write(dir, JournalName, data)
}

// begin prepares the journal: that of an earlier request for the same, or a new one.
func (m *making) begin(sources []source) error {
	m.started = m.now()
	m.settled = m.started
	var asked []any
	for _, s := range sources {
		asked = append(asked, s.options, s.role, s.digest)
	}
	of, err := json.Marshal([]any{asked, m.Order, m.Play != nil, m.Prove != nil})
	if err != nil {
		return fmt.Errorf("write %s: %w", JournalName, err)
	}
	m.journal = journal{Version: journalVersion, Of: digestOf(of)}
	if !m.Resume {
		return nil
	}
	data, err := disk.ReadBelow(m.Dir, JournalName, maxInput)
	if errors.Is(err, fs.ErrNotExist) {
		return &ResumeError{m.Dir, "assay generate has ended there, or was never begun"}
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", filepath.Join(m.Dir, JournalName), err)
	}
	var earlier journal
	if err := json.Unmarshal(data, &earlier); err != nil || earlier.Version != journalVersion {
		return &ResumeError{m.Dir, JournalName + " is none of this version of assay"}
	}
	if earlier.Of != m.journal.Of {
		return &ResumeError{m.Dir, "what was begun there is made of other plans, or with other flags"}
	}
	m.journal.Ended = earlier.Ended
	for _, o := range earlier.Ended {
		m.names[o.Name], m.titles[strings.ToLower(o.Flow)] = true, true
		if o.Does != "" && o.Name != "" {
			m.does[o.Does] = o.Flow
		}
	}
	return nil
}

// recall reports whether an earlier request has ended a flow, and takes over what came of it. A
// flow whose file is not there as it was generated is made again.
func (m *making) recall(key string) (known bool, err error) {
	i := slices.IndexFunc(m.journal.Ended, func(o outcome) bool { return o.Key == key })
	if !m.Resume || i < 0 {
		return false, nil
	}
	o := m.journal.Ended[i]
	if o.Name != "" {
		text, err := disk.ReadBelow(m.Dir, o.Name, maxFile)
		gone := errors.Is(err, fs.ErrNotExist)
		if err != nil && !gone {
			return false, fmt.Errorf("read %s: %w", filepath.Join(m.Dir, o.Name), err)
		}
		if origin, _ := testfile.OriginOf(string(text)); gone || origin != testfile.Generated {
			m.journal.Ended = slices.Delete(m.journal.Ended, i, i+1)
			delete(m.names, o.Name)
			return false, nil
		}
		m.out.Files = append(m.out.Files, File{Name: o.Name, Flow: o.Flow, Steps: o.Steps, Asserts: o.Asserts, Proof: o.Proof, State: Unchanged})
	}
	m.journal.recalled++
	m.tell(o)
	return true, nil
}

// end removes the journal where all flows have ended.
func (m *making) end() error {
	if m.Compare || m.out.Left > 0 {
		return nil
	}
	if err := os.Remove(filepath.Join(m.Dir, JournalName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the journal: %w", err)
	}
	return nil
}

// keyOf returns what a flow is known by in the journal.
func keyOf(s source, p Path) string {
	data, err := json.Marshal(p)
	if err != nil {
		return s.options.Source + " " + p.Name
	}
	return s.options.Source + " " + digestOf(data)
}

// digest returns a digest of what a path does and expects, without its name.
func (p Path) digest() string {
	var b strings.Builder
	for _, s := range p.Steps {
		fmt.Fprintf(&b, "%d %q %q %q %q %q %q\n", s.Part, s.Act.Action, s.Act.URL, s.Act.Value, s.Act.Option, s.Act.Key, s.Act.Target.first())
		for _, e := range s.Expects {
			fmt.Fprintf(&b, "\t%+v %q %t %t\n", e.Assertion, e.Target.first(), e.Rows, e.Only)
		}
	}
	return digestOf([]byte(p.Role + "\n" + b.String()))
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
