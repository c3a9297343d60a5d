package heal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/author/plan"
	"github.com/assay-qa/assay/author/prove"
	"github.com/assay-qa/assay/author/site"
	"github.com/assay-qa/assay/author/testrun"
	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/disk"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
)

const fileName = "heal.json"

// CheckKind is the kind of the check that each failing test is.
const CheckKind = "test_healed"

const wanted = "the test is green, and notices what it noticed"

// Write writes the healed files, each whole or not at all. A file that has changed since
// it was read stays as it is.
func (r *Report) Write() error {
	for _, f := range r.files {
		if err := f.write(); err != nil {
			return fmt.Errorf("write the healed %s: %w", f.path, err)
		}
		r.Written = append(r.Written, f.path)
	}
	return nil
}

func (f healedFile) write() (err error) {
	root, err := os.OpenRoot(filepath.Dir(f.path))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	name := filepath.Base(f.path)
	info, err := root.Lstat(name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is no regular file, such as a link: heal the file that it leads to")
	}
	now, err := disk.Read(root, name, int64(len(f.before))+1)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, f.before) {
		return errors.New("it has changed since it was read: heal it again")
	}
	if err := disk.Write(root, name, f.after); err != nil {
		return disk.Explain(err)
	}
	return root.Chmod(name, info.Mode().Perm())
}

// File files a report as a run: a check for each failing test, the diff, the proposals'
// pictures, and what was proved.
func (r *Report) File(f testrun.Filer, root string) (prove.Filed, error) {
	run, err := f.Store.Start(qa.TaskSpec{Goal: fmt.Sprintf("Heal %d tests", len(r.Unhealed)+len(r.Rerun))})
	if err != nil {
		return prove.Filed{}, err
	}
	if f.Command != "" {
		run.Annotate(qa.CommandKey, f.Command)
	}
	if err := r.fill(run, root); err != nil {
		return prove.Filed{}, err
	}
	report, err := run.Finish("", f.Environment, f.Views)
	return prove.Filed{RunID: report.RunID, Dir: run.Dir(), State: report.Status}, err
}

func (r *Report) fill(run *evidence.Run, root string) error {
	for i, p := range r.Proposals {
		for k, shot := range p.shots {
			if len(shot) == 0 {
				continue
			}
			name := fmt.Sprintf("proposal-%d-%d.png", p.Number, k+1)
			if _, err := run.SaveFile(name, "image/png", shot, 0); err != nil {
				return err
			}
			r.Proposals[i].Choices[k].Picture = filepath.Join(run.Dir(), name)
		}
	}
	whole, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	_, err = run.SaveFile(fileName, "application/json", append(whole, '\n'), 0)
	_, errText := run.SaveFile("heal.txt", "text/plain", []byte(r.Text(root)), 0)
	if err := errors.Join(err, errText); err != nil {
		return err
	}
	if r.Diff != "" {
		if _, err := run.SaveFile("heal.patch", "text/x-diff", []byte(r.Diff), 0); err != nil {
			return err
		}
	}
	if len(r.Proof.Tests) > 0 {
		proof, err := json.MarshalIndent(r.Proof, "", "  ")
		if err != nil {
			return err
		}
		if _, err := run.SaveFile(prove.FileName, "application/json", append(proof, '\n'), 0); err != nil {
			return err
		}
	}
	check := func(subject, observed string, passed bool) error {
		_, err := run.AddCheck(qa.Check{Kind: CheckKind, Subject: subject,
			Expected: wanted, Observed: pagetext.Text(observed), Passed: passed, Source: qa.SourceRule})
		return err
	}
	for _, u := range r.Unhealed {
		if err := check(fmt.Sprintf("%s (%s)", u.Test, u.at(root)), string(u.Reason)+": "+u.Detail, false); err != nil {
			return err
		}
	}
	for _, o := range r.Open {
		run.NotExecuted(CheckKind, fmt.Sprintf("%s (%s)", o.Test, o.at(root)), wanted, "OPEN", pagetext.Text(o.Why))
	}
	for _, t := range r.Rerun {
		if slices.ContainsFunc(r.Unhealed, func(u Unhealed) bool { return u.Test == t.Test && u.File == t.File }) {
			continue
		}
		if err := check(t.Test, fmt.Sprintf("green %d times of %d, %d faults noticed", t.Green, t.Runs, t.Killed), true); err != nil {
			return err
		}
	}
	if err := prove.FileOthers(run, r.Others, root); err != nil {
		return err
	}
	if r.Green > 0 {
		return check("the other tests", fmt.Sprintf("%d are green as they are", r.Green), true)
	}
	return nil
}

// Bounds of what is read of earlier proofs.
const (
	mostProofs    = 50
	mostProofSize = 64 << 20
)

// ReadProofs reads proofs from files and folders of runs, in this order; with none of
// them those of the newest runs below a data folder. What can't be read is an error
// only where it was named.
func ReadProofs(named []string, runs string) ([]prove.Report, error) {
	var out []prove.Report
	for _, path := range named {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			path = filepath.Join(path, prove.FileName)
		}
		r, err := readProof(path)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	if len(named) > 0 {
		return out, nil
	}
	folders, err := os.ReadDir(runs)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	slices.Reverse(folders) // their names begin with their time
	for _, f := range folders {
		path := filepath.Join(runs, f.Name(), prove.FileName)
		if _, err := os.Stat(path); err != nil || len(out) == mostProofs {
			continue
		}
		if r, err := readProof(path); err == nil {
			out = append(out, r)
		}
	}
	return out, nil
}

func readProof(path string) (r prove.Report, err error) {
	text, err := disk.ReadPath(path, mostProofSize)
	if err != nil {
		return r, fmt.Errorf("read the proof %s: %w", path, err)
	}
	if err := json.Unmarshal(text, &r); err != nil || r.SchemaVersion != 1 {
		return r, fmt.Errorf("%s is no proof: name a proof.json that assay prove has written, or the folder of its run", path)
	}
	return r, nil
}

// ReadReport reads what came of a healing from the folder of its run, or from its heal.json.
func ReadReport(path string) (r Report, err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, fileName)
	}
	text, err := disk.ReadPath(path, mostProofSize)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil || r.Healed == nil {
		return r, fmt.Errorf("%s is no healing: name the run's folder that assay heal has printed", path)
	}
	return r, nil
}

// ReadPlan reads what tests were made of: a test plan, or a site.json.
func ReadPlan(path string) (plan.Plan, error) {
	if strings.HasSuffix(path, ".json") {
		s, err := site.Read(path)
		return plan.OfSite(s), err
	}
	text, err := disk.ReadPath(path, 16<<20)
	if err != nil {
		return plan.Plan{}, err
	}
	return plan.Parse(path, text)
}
