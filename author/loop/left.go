package loop

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/assay-qa/assay/author/draft"
	"github.com/assay-qa/assay/internal/pagetext"
)

// Left is what a task leaves that ends without a proved test, for one that goes on with it.
type Left struct {
	Words string     `json:"words"` // of the task
	Files []LeftFile `json:"files"`
	Last  string     `json:"last,omitempty"` // why the last round did not prove the test
}

// LeftFile is a file that was written, whole.
type LeftFile struct {
	Path string `json:"path"` // below the project's folder
	Text string `json:"text"`
}

// leftFile is the name of what is left at the end of a task. A round leaves leftOfRound: a task that is
// killed has no end.
const leftFile = "draft.json"

func leftOfRound(n int) string { return fmt.Sprintf("draft-%d.json", n) }

// maxLeft bounds a file of what a task left, in bytes.
const maxLeft = 4 << 20

// leave stores the files as they stand; those that were written and never run are among them.
func (b *Box) leave(name string) error {
	left := Left{Words: b.Task.Words}
	for _, path := range b.Draft.Files() {
		content, err := b.Draft.Read(path)
		if err != nil {
			return err
		}
		left.Files = append(left.Files, LeftFile{path, string(content)})
	}
	if len(left.Files) == 0 {
		return nil
	}
	if n := len(b.rounds); n > 0 && b.rounds[n-1].Failed != "" {
		left.Last = b.rounds[n-1].Why()
	}
	text, err := json.MarshalIndent(left, "", "  ")
	if err != nil {
		return err
	}
	b.left = true
	return b.Record.Save(name, "application/json", append(text, '\n'))
}

// ReadLeft reads what a task left from the folder of its run.
func ReadLeft(run fs.FS) (l Left, err error) {
	there := func(name string) bool { info, err := fs.Stat(run, name); return err == nil && info.Size() <= maxLeft }
	name := leftFile
	for n := 1; !there(leftFile) && there(leftOfRound(n)); n++ {
		name = leftOfRound(n)
	}
	if !there(name) {
		return l, errors.New("it has no draft: name the folder of a run of assay author that wrote a file and did not prove it")
	}
	text, err := fs.ReadFile(run, name)
	if err != nil {
		return l, err
	}
	if err := json.Unmarshal(text, &l); err != nil || l.Words == "" || len(l.Files) == 0 {
		return l, fmt.Errorf("%s in it is no draft: name the folder of a run of assay author", name)
	}
	return l, nil
}

// Take writes the files into the working copy, as a model's are: what may not be run is refused.
func (l Left) Take(write func(draft.Change) error) error {
	for _, f := range l.Files {
		if err := write(draft.Change{Path: f.Path, Content: &f.Text}); err != nil {
			return err
		}
	}
	return nil
}

// orders says to the model what is there already.
func (l Left) orders() string {
	var lines []pagetext.Text
	if l.Last != "" {
		lines = append(lines, pagetext.Text("the last round: "+l.Last))
	}
	for _, f := range l.Files {
		lines = append(lines, pagetext.Text(f.Path+":\n"+f.Text))
	}
	return pagetext.Marked("An earlier task was stopped. What it wrote is in the working copy: run it with run_tests, or patch it, before you write anything anew.", lines)
}
