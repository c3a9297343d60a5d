package qa

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-qa/assay/internal/text"
)

// SealState names the state of a report's evidence when the report was
// written.
type SealState string

// These are the states of a seal. Only intact means that all is well. None
// covers more than what was read when the report was written.
const (
	SealIntact  SealState = "intact"  // all files were read again and are as they were stored
	SealPartial SealState = "partial" // some were not read again
	SealBroken  SealState = "broken"  // a file is not as it was stored, or the evidence contradicts itself
	SealNone    SealState = "none"    // the run is in no log
)

// Seal states what the check of a report's evidence found when the report was
// written. Only a verification finds out what became of the files since.
type Seal struct {
	State    SealState `json:"state"`
	Files    string    `json:"files"` // such as "61 of 61 files re-read"
	Line     string    `json:"line"`  // the whole in one sentence, without a full stop
	Problems []string  `json:"problems,omitempty"`
}

// Seal says what was checked of the run's evidence before the report was made.
func (r QAReport) Seal() Seal {
	e := r.Evidence
	if e == nil {
		return Seal{State: SealNone, Files: "no file re-read", Line: "not sealed: no log confirms the files of this run"}
	}
	read, total := e.Check.Files, max(len(r.Artifacts)+1, e.Check.Files) // and the journal
	if e.Check.Time.IsZero() {
		read = 0 // none was
	}
	s := Seal{Files: fmt.Sprintf("%d of %d %s re-read", read, total, text.Plural(total, "file")), Problems: append([]string(nil), e.Check.Problems...)}
	if e.Checkpoint != "" {
		s.Problems = append(s.Problems, e.contradictions()...)
	}
	switch {
	case len(s.Problems) > 0:
		s.State, s.Line = SealBroken, fmt.Sprintf("%s, with %d %s when this report was written", s.Files, len(s.Problems), text.Plural(len(s.Problems), "problem"))
	case e.Checkpoint == "":
		s.State, s.Line = SealNone, "not sealed: the log has no signed checkpoint of this run"
	case read == 0 || read < total:
		s.State, s.Line = SealPartial, s.Files+": what is left was not looked at when this report was written"
	default:
		s.State, s.Line = SealIntact, s.Files+": unchanged when this report was written"
	}
	return s
}

// contradictions compares what the evidence says with its own checkpoint. The
// signature is not looked at.
func (e Evidence) contradictions() []string {
	lines := strings.SplitN(e.Checkpoint, "\n", 4)
	if len(lines) < 4 {
		return []string{"the checkpoint is no signed note"}
	}
	var out []string
	if size := strconv.FormatInt(e.TreeSize, 10); lines[1] != size {
		out = append(out, fmt.Sprintf("the report says that the log has %s entries, its checkpoint says %q", size, lines[1]))
	}
	if root, err := base64.StdEncoding.DecodeString(lines[2]); err != nil || hex.EncodeToString(root) != e.RootHash {
		out = append(out, "the root hash of the report is not that of its checkpoint")
	}
	if e.LogIndex < 0 || e.LogIndex >= e.TreeSize {
		out = append(out, fmt.Sprintf("entry %d is none of the %d that the checkpoint covers", e.LogIndex, e.TreeSize))
	}
	return out
}
