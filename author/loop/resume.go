package loop

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/internal/pagetext"
)

// KeptDraft holds the files that a task wrote which ended without a proved test, for one that goes on with them.
type KeptDraft struct {
	Words string     `json:"words"` // of the task
	Files []KeptFile `json:"files"`
	Last  string     `json:"last,omitempty"` // why the last round did not prove the test
}

// KeptFile is a file that was written, whole.
type KeptFile struct {
	Path string `json:"path"` // below the project's folder
	Text string `json:"text"`
}

// draftFile is stored with the run as a task ends, draftOfRound after each round: a task that is killed has
// no end.
const draftFile = "draft.json"

func draftOfRound(n int) string { return fmt.Sprintf("draft-%d.json", n) }

// maxDraft bounds such a file, in bytes.
const maxDraft = 4 << 20

// keepDraft stores the files as they stand; those that were written and never run are among them.
func (b *Box) keepDraft(name string) error {
	kept := KeptDraft{Words: b.Task.Words}
	for _, path := range b.Draft.Files() {
		content, err := b.Draft.Read(path)
		if err != nil { // something that ran took it away, which ends the round: the report is still to be made
			continue
		}
		kept.Files = append(kept.Files, KeptFile{path, string(content)})
	}
	if len(kept.Files) == 0 {
		return nil
	}
	if n := len(b.rounds); n > 0 && b.rounds[n-1].Failed != "" {
		kept.Last = b.rounds[n-1].Why()
	}
	text, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return err
	}
	b.keptDraft = true
	return b.Record.Save(name, "application/json", append(text, '\n'))
}

// ReadDraft reads what a task wrote from the folder of its run.
func ReadDraft(run fs.FS) (k KeptDraft, err error) {
	there := func(name string) bool { info, err := fs.Stat(run, name); return err == nil && info.Size() <= maxDraft }
	name := draftFile
	for n := 1; !there(draftFile) && there(draftOfRound(n)); n++ {
		name = draftOfRound(n)
	}
	if !there(name) {
		return k, errors.New("it has no draft: name the folder of a run of assay author that wrote a file and did not prove it")
	}
	text, err := fs.ReadFile(run, name)
	if err != nil {
		return k, err
	}
	if err := json.Unmarshal(text, &k); err != nil || k.Words == "" || len(k.Files) == 0 {
		return k, fmt.Errorf("%s in it is no draft: name the folder of a run of assay author", name)
	}
	return k, nil
}

// Take writes the files into the working copy, as a model's are: what may not be run is refused.
func (k KeptDraft) Take(write func(draft.Change) error) error {
	for _, f := range k.Files {
		if err := write(draft.Change{Path: f.Path, Content: &f.Text}); err != nil {
			return err
		}
	}
	return nil
}

// orders says to the model what is there already.
func (k KeptDraft) orders() string {
	var lines []pagetext.Text
	if k.Last != "" {
		lines = append(lines, pagetext.Text("the last round: "+k.Last))
	}
	for _, f := range k.Files {
		lines = append(lines, pagetext.Text(f.Path+":\n"+f.Text))
	}
	return pagetext.Marked("An earlier task was stopped. What it wrote is in the working copy: run it with run_tests, or patch it, before you write anything anew.", lines)
}
