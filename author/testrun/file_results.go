package testrun

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/assay-qa/assay/evidence"
	"github.com/assay-qa/assay/internal/pagetext"
	"github.com/assay-qa/assay/qa"
	"github.com/assay-qa/assay/suite"
	"github.com/assay-qa/assay/suite/publish"
)

// CheckKind is the kind of the check that each test is.
const CheckKind = "playwright_test"

// Filer files what came of tests: a run with evidence for each of them, and a suite
// with its index and JUnit file for all.
type Filer struct {
	Store       *evidence.Store
	Suites      suite.Store
	Publish     func(folder string) (publish.Publisher, error)
	Environment qa.Environment
	Views       evidence.Views
	Command     string // that repeats the run
	Now         func() time.Time
}

// NewSuiteID names a suite. Ids sort by time.
func NewSuiteID(now time.Time) string {
	return now.UTC().Format("20060102T150405.000Z") + "-" + strings.ToLower(rand.Text()[:6])
}

// File files the tests of a result. It returns the suite and the path of its index.
func (f Filer) File(ctx context.Context, r Result, root string, started time.Time) (suite.Suite, string, error) {
	s := suite.Suite{ID: NewSuiteID(started), Command: suite.TestCommand, BaseURL: f.Environment.BaseURL, Paths: []string{root}, StartedAt: started}
	publisher, err := f.Publish(f.Suites.Folder(s.ID))
	if err != nil {
		return s, "", err
	}
	for _, e := range r.Mistakes() {
		entry, err := f.fileError(e, root)
		if err != nil {
			return s, "", err
		}
		s.Entries = append(s.Entries, entry)
	}
	for _, t := range r.Tests {
		entry, err := f.fileTest(t, root, len(r.Tests))
		if err != nil {
			return s, "", err
		}
		s.Entries = append(s.Entries, entry)
	}
	if s, err = f.Suites.WithHistory(s); err != nil {
		return s, "", err
	}
	s.FinishedAt = f.Now()
	publisher.Publish(ctx, s)
	return s, filepath.Join(publisher.Folder, "index.html"), f.Suites.Write(s)
}

// fileError files a mistake beside tests: one with a place is that of a test file.
func (f Filer) fileError(e Failure, root string) (suite.Entry, error) {
	name, path := "the test run", root
	if e.Location != nil {
		path = e.Location.File
		name = fmt.Sprintf("%s:%d", relative(root, e.Location.File), e.Location.Line)
	}
	return f.file(relative(root, path), path, name, 0, func(run *evidence.Run) error {
		_, err := run.AddCheck(qa.Check{Kind: CheckKind, Subject: name, Expected: "the file can be read and run", Observed: pagetext.Text(clip(e.Text())), Source: qa.SourceRule})
		return err
	})
}

// fileTest files one test as a run: its outcome is a check, its pictures and its
// trace are evidence.
func (f Filer) fileTest(t Test, root string, all int) (suite.Entry, error) {
	name := t.Title()
	if all > 1 && t.Project != "" {
		name = t.Project + " › " + name
	}
	path := relative(root, t.Location.File)
	if t.Status == "skipped" || t.Status == "interrupted" {
		return suite.Entry{Path: path, File: t.Location.File, Name: name, State: suite.Done, Result: &suite.Result{TestCase: qa.TestCase{
			Name: pagetext.Text(name), Status: qa.TestSkipped, Screenshots: []string{}, ConsoleLogs: []qa.ConsoleEntry{}, FailureReason: pagetext.Text("the test was " + t.Status)}}}, nil
	}
	return f.file(path, t.Location.File, name, t.DurationMS, func(run *evidence.Run) error {
		check := qa.Check{Kind: CheckKind, Subject: name, Selector: t.Locator(), Expected: t.Expected, Observed: pagetext.Text(t.Status), Passed: t.Passed(), Source: qa.SourceRule}
		for _, e := range t.Errors {
			check.Observed += pagetext.Text("; " + clip(e.Text()))
		}
		for _, a := range t.Attachments {
			stored, err := f.Attach(run, a, "")
			if err != nil {
				return err
			}
			check.Evidence = append(check.Evidence, stored...)
		}
		if !check.Passed {
			check.Observed += pagetext.Sprintf(" (%s:%d)", path, t.Location.Line)
		}
		_, err := run.AddCheck(check)
		return err
	})
}

// file makes a run of one case, and its entry in the suite.
func (f Filer) file(path, file, name string, tookMS int64, fill func(*evidence.Run) error) (suite.Entry, error) {
	entry := suite.Entry{Path: path, File: file, Name: name, State: suite.Done}
	run, err := f.Store.Start(qa.TaskSpec{Goal: name})
	if err != nil {
		return entry, err
	}
	if f.Command != "" {
		run.Annotate(qa.CommandKey, f.Command)
	}
	if err := fill(run); err != nil {
		return entry, err
	}
	report, err := run.Finish("", f.Environment, f.Views)
	if err != nil {
		return entry, err
	}
	seal := report.Seal()
	result := suite.Result{TestCase: qa.TestCase{Name: pagetext.Text(name), Status: report.Status.TestStatus(), DurationMS: tookMS, Screenshots: []string{}, ConsoleLogs: []qa.ConsoleEntry{},
		RunID: report.RunID, Report: filepath.Join(run.Dir(), "report.html")}, Findings: report.Findings, Checks: len(report.Checks), Seal: &seal, Evidence: report.Evidence}
	if report.Status != qa.Passed {
		result.FailureReason = report.StatusReason
	}
	for _, a := range report.Artifacts {
		if a.Width > 0 {
			result.Screenshots = append(result.Screenshots, filepath.Join(run.Dir(), filepath.FromSlash(a.Name)))
			result.Screenshot = result.Screenshots[0]
		}
	}
	for _, name := range qa.Traces(report) {
		result.Traces = append(result.Traces, filepath.Join(run.Dir(), name))
	}
	entry.Result = &result
	return entry, nil
}

// maxAttachment bounds a file that is kept of a test.
const maxAttachment = 64 << 20

// Attach stores a picture or a trace of a test with a run, masked; prefix begins its
// name. Other files are left where the runner's own reports would have them: nothing
// says what they hold.
func (f Filer) Attach(run *evidence.Run, a Attachment, prefix string) ([]string, error) {
	isTrace := a.Name == "trace" && a.Type == "application/zip"
	if !isTrace && a.Type != "image/png" {
		return nil, nil
	}
	if info, err := os.Stat(a.Path); err == nil && info.Size() > maxAttachment {
		return nil, nil // too large to keep
	}
	data, err := os.ReadFile(a.Path)
	if err != nil {
		return nil, fmt.Errorf("keep %s of a test: %w", a.Name, err)
	}
	if isTrace {
		if data, err = f.maskedZip(data); err != nil {
			return nil, fmt.Errorf("keep the trace of a test: %w", err)
		}
		stored, err := run.SaveFile(prefix+"trace.zip", a.Type, data, 0)
		return []string{stored.Name}, err
	}
	width, height := 0, 0
	if len(data) > 24 {
		width, height = int(binary.BigEndian.Uint32(data[16:20])), int(binary.BigEndian.Uint32(data[20:24]))
	}
	stored, err := run.SaveScreenshot(prefix+cmp.Or(a.Name, "page"), data, width, height, 0)
	return []string{stored.Name}, err
}

// maskedZip packs a zip again with the secrets in its texts masked.
func (f Filer) maskedZip(data []byte) ([]byte, error) {
	if f.Store.Mask == nil {
		return data, nil
	}
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, file := range in.File {
		if file.UncompressedSize64 > maxAttachment {
			continue
		}
		if err := f.copyMasked(w, file); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return out.Bytes(), err
}

func (f Filer) copyMasked(w *zip.Writer, file *zip.File) (err error) {
	r, err := file.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	text, err := io.ReadAll(io.LimitReader(r, maxAttachment))
	if err != nil {
		return err
	}
	to, err := w.CreateHeader(&zip.FileHeader{Name: file.Name, Method: zip.Deflate})
	if err != nil {
		return err
	}
	if utf8.Valid(text) {
		text = f.Store.Mask("text/plain", text)
	}
	_, err = to.Write(text)
	return err
}

func relative(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return path
}

// maxText bounds a failure's text in a check.
const maxText = 1500

func clip(s string) string {
	if len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "") + " …"
}
