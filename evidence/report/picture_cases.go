package report

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

// pictureCase holds the test case of a picture beside its baseline. The check
// and the finding that were recorded with it report the same, and have no case
// of their own.
type pictureCase struct {
	testCase
	after string // the stored picture, by which check and finding are known
	told  bool   // in the place of the check
}

type pictureList []*pictureCase

func pictureCases(r qa.QAReport, files map[string]qa.Artifact) pictureList {
	out := make(pictureList, len(r.Visual))
	for i, v := range r.Visual {
		after, _ := fileOf(files, v.After)
		out[i] = &pictureCase{testCase: visualCase("V"+strconv.Itoa(i+1), v, r.Status, files), after: after.Name}
	}
	return out
}

// as returns the case with the fields that only its check has.
func (p pictureCase) as(check testCase) testCase {
	tc := p.testCase
	tc.ID, tc.Start, tc.Expects = check.ID, check.Start, check.Expects
	return tc
}

// checked returns the picture that a check is about, or nil.
func (l pictureList) checked(c qa.Check, files map[string]qa.Artifact) *pictureCase {
	for _, p := range l {
		if c.Kind == qa.VisualKind && !p.told && slices.ContainsFunc(c.Evidence, func(name string) bool { return p.shows(name, files) }) {
			return p
		}
	}
	return nil
}

// shows reports whether a name is that of the picture.
func (p *pictureCase) shows(name string, files map[string]qa.Artifact) bool {
	a, ok := fileOf(files, name)
	return ok && a.Name == p.after
}

// found reports whether a finding says only what a failed picture's case says.
func (l pictureList) found(f qa.Finding, files map[string]qa.Artifact) bool {
	return f.Category == qa.Visual && f.Source == qa.SourceTool && slices.ContainsFunc(l, func(p *pictureCase) bool {
		return p.Status == qa.TestFailed && slices.ContainsFunc(f.Evidence, func(e qa.EvidenceRef) bool { return p.shows(e.ScreenshotRef, files) })
	})
}

// visualCase returns the case of a picture beside its baseline. In a run that
// passed, a different picture was looked at again, or was no condition: it is
// skipped.
func visualCase(id string, v qa.VisualRow, verdict qa.Status, files map[string]qa.Artifact) testCase {
	tc := testCase{ID: id, Class: "visual", Status: qa.TestPassed, Reason: v.Reason.Text()}
	tc.Name = "visual " + visualName(v)
	switch {
	case v.Status.Passes():
		tc.Reason = ""
	case v.Status == qa.VisualChanged, v.Status == qa.VisualSize:
		tc.Status, tc.Type = qa.TestFailed, "visual-"+string(v.Status)
	default:
		tc.Status, tc.Type = qa.TestError, inconclusive
	}
	if tc.Status != qa.TestPassed {
		tc.Reason = cmp.Or(tc.Reason, pagetext.Text(visualMark(v.Status).Word))
		if verdict == qa.Passed {
			tc.Status = qa.TestSkipped
		}
	}
	tc.Detail = pagetext.Of(causes(v)...)
	for _, e := range v.Environment {
		tc.Detail = append(tc.Detail, pagetext.Text("environment: "+e))
	}
	if command := approveCommand(v); command != "" && tc.Status != qa.TestPassed {
		tc.Detail = append(tc.Detail, pagetext.Text("if it should look so: "+command))
	}
	for _, name := range []string{v.Before, v.After, v.Diff} {
		tc.Files = attach(tc.Files, files, name)
	}
	return tc
}
