package prove

import (
	"bytes"
	"cmp"
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

	"github.com/assay-qa/assay/internal/text"
)

// journalVersion is that of the lines of a journal, and of how mutants are chosen.
const journalVersion = 1

// Journal is a file to which each outcome is appended as soon as it is known, so that a
// proof that ends early loses nothing. It is removed when a proof is whole.
type Journal struct {
	Path   string
	Resume bool // go on with what is in the file; else it begins empty

	digests map[string]string // of test files, by their paths
}

// journalName is how the journal of a proof is called: by all that decides which tests are
// proved, and how.
func journalName(asked any) (string, error) {
	data, err := json.Marshal([]any{journalVersion, asked})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8]) + ".jsonl", nil
}

// OpenJournal returns the journal, in a folder that is made, of a proof that was asked for
// in this way. To resume a proof of which there is none is an error.
func OpenJournal(folder string, resume bool, asked any) (*Journal, error) {
	name, err := journalName(asked)
	if err != nil {
		return nil, err
	}
	j := &Journal{Path: filepath.Join(folder, name), Resume: resume, digests: map[string]string{}}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make a folder for what is proved: %w", err)
	}
	_, err = os.Stat(j.Path)
	switch {
	case err == nil && !resume:
		err = os.Remove(j.Path)
	case errors.Is(err, fs.ErrNotExist) && resume:
		return nil, &NoJournalError{}
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("begin the journal of the proof: %w", err)
	}
	return j, nil
}

// NoJournalError says that there is no proof to go on with.
type NoJournalError struct{}

func (*NoJournalError) Error() string {
	return "no proof of these tests with these flags is to be gone on with: it has ended, or was never begun: leave out --resume"
}

// Close removes the journal of a proof that is whole.
func (j *Journal) Close(r Report) error {
	if j == nil || r.Interrupted {
		return nil
	}
	if err := os.Remove(j.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the journal of the proof: %w", err)
	}
	return nil
}

// entry is a line of a journal.
type entry struct {
	File   string `json:"file"` // the flow, of a test that was made from one
	Digest string `json:"digest"`
	Title  string `json:"title"`
	Mutant string `json:"mutant"` // what tells it from the others of the test
	Tried  Tried  `json:"tried"`
}

func (e entry) key() string { return strings.Join([]string{e.File, e.Digest, e.Title, e.Mutant}, "\n") }

// identity tells a mutant from the others of its test in each proof with the same seed.
func (m Mutant) identity() string {
	at := ""
	if m.At != nil {
		at = fmt.Sprintf("%d:%d", m.At.Line, m.At.Column)
	}
	return fmt.Sprintf("%s|%s|%s|%s|%d|%s|%d", m.Class, m.Kind, m.Step, at, m.spec.N, m.spec.Request, m.spec.Status)
}

// entry returns the line of a mutant of a test.
func (j *Journal) entry(p Prover, t *planned, i int) (entry, error) {
	file := t.control.Location.File
	file = cmp.Or(p.Flows.Sources[file], file)
	if j.digests[file] == "" {
		data, err := os.ReadFile(file)
		if err != nil {
			return entry{}, fmt.Errorf("read a test: %w", err)
		}
		sum := sha256.Sum256(data)
		j.digests[file] = hex.EncodeToString(sum[:])
	}
	return entry{File: file, Digest: j.digests[file], Title: t.control.Title(), Mutant: t.tried[i].identity(), Tried: t.tried[i]}, nil
}

// add appends the outcomes of mutants of a test.
func (j *Journal) add(p Prover, t *planned, mutants []int) (err error) {
	if j == nil || len(mutants) == 0 {
		return nil
	}
	var lines bytes.Buffer
	for _, i := range mutants {
		e, err := j.entry(p, t, i)
		if err == nil {
			err = json.NewEncoder(&lines).Encode(e)
		}
		if err != nil {
			return fmt.Errorf("keep what came of %s: %w", t.tried[i].ID, err)
		}
	}
	file, err := os.OpenFile(j.Path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("keep what came of a mutant: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = file.Write(lines.Bytes())
	return err
}

// recall takes over the outcomes that the journal has. The last line of a mutant counts; one
// that is cut does not.
func (p Prover) recall(plan *plan) error {
	if p.Journal == nil || !p.Journal.Resume {
		return nil
	}
	data, err := os.ReadFile(p.Journal.Path)
	if err != nil {
		return fmt.Errorf("read the journal of the proof: %w", err)
	}
	known := map[string]Tried{}
	for line := range bytes.Lines(data) {
		var e entry
		if json.Unmarshal(line, &e) == nil {
			known[e.key()] = e.Tried
		}
	}
	for _, t := range plan.tests {
		for i, m := range t.tried {
			e, err := p.Journal.entry(p, t, i)
			if err != nil {
				return err
			}
			old, ok := known[e.key()]
			if !ok || !slices.Contains([]Outcome{Strong, Weak, Survived, Tolerant, Brittle}, old.Outcome) {
				continue // what was not valid is tried again
			}
			old.Mutant = m.Mutant
			t.tried[i] = old
			plan.recalled++
		}
	}
	if plan.recalled > 0 {
		p.say(fmt.Sprintf("%s of an earlier proof taken over", text.Count(plan.recalled, "outcome")))
	}
	return nil
}
