package load

import (
	"slices"

	"github.com/assay-qa/assay/qa"
)

// NeedsHere says what a case needs that is on this machine alone; empty: it can run on
// another one that has the files of [Case.Files]. uploads says that files may be uploaded, as
// a spec may ask for.
func (l Case) NeedsHere(uploads bool) string {
	switch {
	case l.Role() != "" || l.Spec != nil && (l.Spec.SignedInBy != nil || l.Spec.SignsIn):
		return "a sign-in"
	case l.pictures():
		return "baselines of pictures"
	case l.uploads() || uploads && l.Spec != nil:
		return "files to upload"
	}
	return ""
}

func (l Case) pictures() bool {
	switch {
	case l.Spec != nil:
		return len(l.Spec.Visual) > 0
	case l.Task != nil:
		return len(l.Task.Visual) > 0
	}
	return l.hasStep("visual")
}

func (l Case) uploads() bool { return l.hasStep("upload") || l.hasStep("drop") }

func (l Case) hasStep(action string) bool {
	is := func(s qa.FlowStep) bool { return s.Action == action }
	switch {
	case l.Flow != nil:
		return slices.ContainsFunc(l.Flow.Steps, is)
	case l.Task != nil:
		return slices.ContainsFunc(l.Task.Ranges, func(r qa.Range) bool { return slices.ContainsFunc(r.Steps, is) })
	}
	return false
}
