package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/assay-qa/assay/qa"
)

// Verification holds the result of a later check of a stored run against what
// was signed.
type Verification struct {
	Time     time.Time
	Outcome  string // verified, failed or incomplete
	Pinned   bool   // the reader has named the key that signed it, not only the evidence itself
	Line     string // what was checked, in a sentence
	Findings []string
}

// badge states the evidence of a run in a view, by a mark and in words.
type badge struct {
	Mark     mark
	Line     string
	Problems []string
}

// sealBadge says what was computed when the report was made. Only an intact
// seal is green.
func sealBadge(s qa.Seal) badge {
	b := badge{Line: s.Line, Problems: s.Problems}
	for _, told := range []string{s.Files + ": ", "not sealed: "} { // by the mark
		b.Line = strings.TrimPrefix(b.Line, told)
	}
	switch s.State {
	case qa.SealIntact:
		_, files, _ := strings.Cut(strings.TrimSuffix(s.Files, " re-read"), " of ")
		b.Mark = mark{"good", "✓", "Evidence intact (" + files + ")"}
	case qa.SealPartial:
		b.Mark = mark{"open", "?", sentence(s.Files)}
	case qa.SealNone:
		b.Mark = mark{"open", "?", "Not sealed"}
	default: // broken, or what we don't know
		b.Mark = mark{"bad", "✕", "Broken"}
	}
	return b
}

// badge says what was found later.
func (v Verification) badge() badge {
	b := badge{Line: fmt.Sprintf("checked %s: %s", stamp(v.Time), v.Line), Problems: v.Findings}
	switch v.Outcome {
	case "verified":
		b.Mark = mark{"good", "✓", "Verified"}
		if !v.Pinned {
			b.Mark.Word = "Verified, key not pinned"
		}
	case "incomplete":
		b.Mark = mark{"open", "?", "Not all verified"}
	default:
		b.Mark = mark{"bad", "✕", "Not verified"}
	}
	return b
}

// verifyCommand returns the command that checks the run now, or "".
func verifyCommand(r qa.QAReport) string {
	if !plainWord.MatchString(r.RunID) {
		return ""
	}
	return "assay verify " + r.RunID
}

// mdEvidence writes the evidence in a line or two.
func mdEvidence(b *strings.Builder, r qa.QAReport, later *Verification) {
	all := []badge{sealBadge(r.Seal())}
	if later != nil {
		all = append(all, later.badge())
	}
	b.WriteString("\n**Evidence:** ")
	for i, x := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "%s %s: %s\n", x.Mark.emoji(), mdText(sentence(strings.TrimPrefix(x.Mark.Word, "Evidence "))), mdText(x.Line))
		mdList(b, x.Problems, mdProblems, mdMoreLines, func(problem string) { fmt.Fprintf(b, "- %s\n", mdText(problem)) })
	}
	var where []string
	if e := r.Evidence; e != nil && e.Checkpoint != "" {
		where = append(where, fmt.Sprintf("log entry %d (from 0), log size %s, root %s", e.LogIndex, strconv.FormatInt(e.TreeSize, 10), mdCode(e.RootHash)))
	}
	if command := verifyCommand(r); command != "" {
		where = append(where, "check now: "+mdCode(command))
	}
	if len(where) > 0 {
		fmt.Fprintf(b, "\n%s\n", strings.Join(where, " · "))
	}
}

// evidenceProperties returns JUnit's properties of the evidence. The
// checkpoint is there whole: an attribute keeps its lines as character
// references.
func evidenceProperties(r qa.QAReport) []xmlProperty {
	s := r.Seal()
	out := []xmlProperty{{"assay.evidence", string(s.State)}, {"assay.evidence.line", plainOutput(s.Line)}}
	if e := r.Evidence; e != nil {
		for _, p := range []xmlProperty{
			{"logIndex", strconv.FormatInt(e.LogIndex, 10)}, {"treeSize", strconv.FormatInt(e.TreeSize, 10)}, {"rootHash", e.RootHash},
			{"journal", e.Journal}, {"files", strconv.Itoa(e.Check.Files)}, {"bytes", strconv.FormatInt(e.Check.Bytes, 10)},
			{"checked", xmlTime(e.Check.Time)}, {"checkpoint", e.Checkpoint},
		} {
			if p.Value != "" {
				out = append(out, xmlProperty{"assay.evidence." + p.Name, plainOutput(p.Value)})
			}
		}
	}
	for _, problem := range s.Problems {
		out = append(out, xmlProperty{"assay.evidence.problem", plainOutput(problem)})
	}
	return out
}
