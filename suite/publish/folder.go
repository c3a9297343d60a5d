package publish

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/evidence/report"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/visual"
)

// Folder writes a readable copy of a suite's reports (D4, D7): index.html with
// a card for each case, a page for each finished run with its pictures inside,
// and results.json. Every path in it is relative and leads into it, so that it
// opens by double click wherever it is sent. The evidence stays in the data
// folder.
type Folder struct {
	Dir       string
	Store     *evidence.Store
	Sent      *evidence.Store // of runs that workers have sent; nil: none do
	Foreign   bool            // write into a folder that somebody else has filled
	MaxPixels int             // of a picture that is decoded

	copied  map[string]copiedRun // by run id
	written bool                 // what was written last is whole
}

// copiedRun says where a run's page and picture are, as seen from the folder.
type copiedRun struct{ page, picture string }

// The files of the folder, and bounds of what is copied.
const (
	folderMark   = ".gitignore" // keeps the folder out of the project's history; it is how we know our own
	markText     = "# written by assay run\n*\n"
	pagesFolder  = "cases"
	imagesFolder = "images"
	imageWidth   = 1024
	imageQuality = 80
	maxEmbedded  = 8 << 20 // of pictures in one page
)

// Own reports whether a folder is one that assay run writes its reports to.
func Own(dir string) bool {
	data, err := os.ReadFile(filepath.Join(dir, folderMark))
	return err == nil && string(data) == markText
}

// prepare makes the folder, and refuses one with other files.
func (f *Folder) prepare() error {
	if f.copied != nil {
		return nil
	}
	entries, err := os.ReadDir(f.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the readable reports: %w", err)
	}
	if len(entries) > 0 && !Own(f.Dir) && !f.Foreign {
		return fmt.Errorf("the readable reports are not written: %s holds files of somebody else; give another folder by --report-dir", f.Dir)
	}
	if err := f.Store.WriteSuite(f.Dir, map[string][]byte{folderMark: []byte(markText)}); err != nil {
		return err
	}
	for _, below := range []string{pagesFolder, imagesFolder} { // those of the run before, and nothing else
		old, err := filepath.Glob(filepath.Join(f.Dir, below, "[0-9]*-*"))
		if err != nil {
			return err
		}
		for _, name := range old {
			if err := os.Remove(name); err != nil {
				return fmt.Errorf("the readable reports: %w", err)
			}
		}
	}
	f.copied = map[string]copiedRun{}
	return nil
}

// Written reports whether the folder holds the reports of the suite as far as it has come.
func (f *Folder) Written() bool { return f.written }

// write writes the folder anew, as far as the suite has come.
func (f *Folder) write(s suite.Suite) error {
	err := f.writeAll(s)
	f.written = err == nil
	return err
}

func (f *Folder) writeAll(s suite.Suite) error {
	if err := f.prepare(); err != nil {
		return err
	}
	s.Entries = slices.Clone(s.Entries)
	var failed error
	for i := range s.Entries {
		e := &s.Entries[i]
		if e.Result == nil {
			continue
		}
		run, err := f.copyRun(i, *e)
		failed = errors.Join(failed, err)
		r := *e.Result
		r.Report, r.Screenshot, r.Screenshots, r.Traces = f.at(run.page), f.at(run.picture), []string{}, nil
		if run.picture != "" {
			r.Screenshots = []string{run.picture}
		}
		r.Before = slices.Clone(r.Before)
		for k := range r.Before {
			r.Before[k].Report = ""
		}
		e.Result = &r
	}
	index, err := report.Index(s.View(f.Dir))
	if err != nil {
		return errors.Join(failed, err)
	}
	sum := s.Sum()
	for i := range sum.TestCases {
		c := &sum.TestCases[i]
		if c.Report != "" {
			c.Report = f.copied[c.RunID].page // as seen from here
		}
	}
	results, err := json.MarshalIndent(sum, "", "  ")
	if err != nil {
		return errors.Join(failed, err)
	}
	return errors.Join(failed, f.Store.WriteSuite(f.Dir, map[string][]byte{"index.html": index, "results.json": append(results, '\n')}))
}

// at returns the path of a file of the folder; empty: there is none.
func (f *Folder) at(name string) string {
	if name == "" {
		return ""
	}
	dir, err := filepath.Abs(f.Dir)
	if err != nil {
		return ""
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

// copyRun copies the page and the picture of a case's run, once.
func (f *Folder) copyRun(i int, e suite.Entry) (copiedRun, error) {
	if e.Result.RunID == "" {
		return copiedRun{}, nil
	}
	if run, ok := f.copied[e.Result.RunID]; ok {
		return run, nil
	}
	store := f.Store
	if f.Sent != nil && f.Sent.Has(e.Result.RunID) {
		store = f.Sent
	}
	r, err := store.Report(e.Result.RunID)
	if err != nil {
		return copiedRun{}, fmt.Errorf("the readable report of %s: %w", e.Path, err)
	}
	name := fmt.Sprintf("%03d-%s", i+1, plainName(e.Path))
	run := copiedRun{page: pagesFolder + "/" + name + ".html"}
	page, err := report.HTML(r, report.Options{ArtifactURL: inside(store, r), Suite: "../index.html"})
	if err != nil {
		return copiedRun{}, err
	}
	if err := f.Store.WriteSuite(filepath.Join(f.Dir, pagesFolder), map[string][]byte{name + ".html": page}); err != nil {
		return copiedRun{}, err
	}
	if e.Result.Screenshot != "" {
		if run.picture, err = f.copyPicture(name, e.Result.Screenshot); err != nil {
			return run, err
		}
	}
	f.copied[e.Result.RunID] = run
	return run, nil
}

// copyPicture writes a picture as JPEG of fixed width.
func (f *Folder) copyPicture(name, from string) (string, error) {
	data, err := os.ReadFile(from)
	if err == nil {
		data, err = visual.JPEG(data, imageWidth, imageQuality, f.MaxPixels)
	}
	if err != nil {
		return "", fmt.Errorf("the picture %s: %w", filepath.Base(from), err)
	}
	return imagesFolder + "/" + name + ".jpg", f.Store.WriteSuite(filepath.Join(f.Dir, imagesFolder), map[string][]byte{name + ".jpg": data})
}

// inside returns the addresses of a run's pictures: the pictures themselves, as far
// as they fit. Other files are not in the folder, and have none.
func inside(store *evidence.Store, r qa.QAReport) func(name string) string {
	types, left := map[string]string{}, int64(maxEmbedded)
	for _, a := range r.Artifacts {
		if (a.MIMEType == "image/png" || a.MIMEType == "image/jpeg") && a.Size <= left {
			types[a.Name] = a.MIMEType
			left -= a.Size
		}
	}
	return func(name string) string {
		mime, ok := types[name]
		if !ok {
			return ""
		}
		data, _, err := store.Artifact(r.RunID, name)
		if err != nil {
			return "" // the page says that it is missing
		}
		return "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(data)
	}
}

// plainName returns a path as a part of a file name.
func plainName(path string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	return plain[:min(len(plain), 60)]
}
