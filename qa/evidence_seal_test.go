package qa_test

import (
	"strings"
	"testing"
	"time"

	"github.com/assay-qa/assay/qa"
)

// The badge of a report says what was computed, and nothing that was not (B8).
func TestSeal(t *testing.T) {
	good := func() qa.QAReport {
		return qa.QAReport{Artifacts: make([]qa.Artifact, 2), Evidence: &qa.Evidence{
			LogIndex: 41, TreeSize: 42, RootHash: strings.Repeat("00", 32), Journal: strings.Repeat("ab", 32),
			Checkpoint: "assay/test\n42\n" + strings.Repeat("A", 43) + "=\n\n— assay/test AAAA\n",
			Check:      qa.EvidenceCheck{Time: time.Unix(1, 0), Files: 3, Bytes: 9, Problems: []string{}},
		}}
	}
	for name, c := range map[string]struct {
		change func(*qa.QAReport)
		want   qa.SealState
		says   string
	}{
		"as it should be":      {func(*qa.QAReport) {}, qa.SealIntact, "3 of 3 files re-read: unchanged when this report was written"},
		"one file":             {func(r *qa.QAReport) { r.Artifacts, r.Evidence.Check.Files = nil, 1 }, qa.SealIntact, "1 of 1 file re-read"},
		"no evidence":          {func(r *qa.QAReport) { r.Evidence = nil }, qa.SealNone, "not sealed"},
		"no checkpoint":        {func(r *qa.QAReport) { r.Evidence.Checkpoint = "" }, qa.SealNone, "no signed checkpoint"},
		"a changed file":       {func(r *qa.QAReport) { r.Evidence.Check.Problems = []string{"a.png has other bytes"} }, qa.SealBroken, "1 problem when this report was written; a.png has other bytes"},
		"changed, not logged":  {func(r *qa.QAReport) { r.Evidence.Check.Problems, r.Evidence.Checkpoint = []string{"x"}, "" }, qa.SealBroken, "with 1 problem when this report was written; x"},
		"a file not read":      {func(r *qa.QAReport) { r.Evidence.Check.Files = 1 }, qa.SealPartial, "1 of 3 files re-read"},
		"not the journal":      {func(r *qa.QAReport) { r.Evidence.Check.Files = 2 }, qa.SealPartial, "2 of 3 files re-read"},
		"no file read":         {func(r *qa.QAReport) { r.Evidence.Check.Files, r.Artifacts = 0, nil }, qa.SealPartial, "0 of 1 file re-read"},
		"never read":           {func(r *qa.QAReport) { r.Evidence.Check.Time = time.Time{} }, qa.SealPartial, "0 of 3 files re-read: what is left was not looked at"},
		"another size":         {func(r *qa.QAReport) { r.Evidence.TreeSize = 43 }, qa.SealBroken, `says "42"`},
		"another root":         {func(r *qa.QAReport) { r.Evidence.RootHash = strings.Repeat("01", 32) }, qa.SealBroken, "root hash"},
		"a root in other form": {func(r *qa.QAReport) { r.Evidence.RootHash = strings.Repeat("A", 43) + "=" }, qa.SealBroken, "root hash"},
		"an entry beyond":      {func(r *qa.QAReport) { r.Evidence.LogIndex = 42 }, qa.SealBroken, "entry 42 is none of the 42"},
		"an entry before":      {func(r *qa.QAReport) { r.Evidence.LogIndex = -1 }, qa.SealBroken, "entry -1"},
		"no note":              {func(r *qa.QAReport) { r.Evidence.Checkpoint = "signed, honestly" }, qa.SealBroken, "no signed note"},
	} {
		t.Run(name, func(t *testing.T) {
			r := good()
			c.change(&r)
			got := r.Seal()
			if said := got.Line + "; " + strings.Join(got.Problems, "; "); got.State != c.want || !strings.Contains(said, c.says) {
				t.Errorf("%+v; want %s, saying %q", got, c.want, c.says)
			}
			if (got.State == qa.SealBroken) != (len(got.Problems) > 0) {
				t.Errorf("%s with the problems %q", got.State, got.Problems)
			}
		})
	}
}
